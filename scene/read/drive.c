#include "scene/read/drive.h"

#include "math/elementary.h"
#include "scene/read/reader.h"

#include <math.h>

static const double two_pi = 6.283185307179586476925;

/* ---------------------------------------------------------------- reading */

typedef enum Rows { ROWS_OF_VECTORS, ROWS_OF_TURNS, ROWS_OF_NUMBERS } Rows;

/* Rows [time, x, y(, z)], for spins [time, w] or [time, x, y, z], for numbers [time, value]; times
 * never decrease. */
static bool read_rows(SceneReader *reader, const SceneKey *key, int node, SceneTable *table,
                      Rows rows) {
    SceneDocument *document = reader->document;
    const bool turn = rows == ROWS_OF_TURNS, number = rows == ROWS_OF_NUMBERS;
    const char *expected =
        number ? "rows [time, value]"
        : reader->dimension == 2
            ? (turn ? "rows [time, spin]" : "rows [time, x, y]")
            : (turn ? "rows [time, x, y, z] or [time, spin]" : "rows [time, x, y, z]");
    size_t count = scene_items(document, node);
    size_t width = count ? scene_items(document, scene_item(document, node, 0)) : 0;
    bool good = number ? width == 2
                : turn ? width == 2 || (width == 4 && reader->dimension == 3)
                       : width == (size_t)reader->dimension + 1;
    if (!good) {
        return scene_wrong_type(reader, node, expected);
    }
    table->rows = scene_alloc(reader->arena, count, sizeof *table->rows);
    if (!table->rows) {
        return scene_no_memory(reader);
    }
    table->count = count;
    table->scalar = turn && width == 2;
    for (size_t i = 0; i < count; i++) {
        int row = scene_item(document, node, i);
        if (scene_items(document, row) != width) {
            return scene_wrong_type(reader, row, expected);
        }
        if (!scene_read_numbers(reader, key, row, table->rows[i], width)) {
            return false;
        }
        if (i > 0 && table->rows[i][0] < table->rows[i - 1][0]) {
            return scene_wrong_type(reader, scene_item(document, row, 0),
                                    "rows whose times do not decrease");
        }
    }
    return true;
}

static bool read_table(SceneReader *reader, const SceneKey *key, int node, void *field) {
    return read_rows(reader, key, node, field, ROWS_OF_VECTORS);
}

static bool read_turn_table(SceneReader *reader, const SceneKey *key, int node, void *field) {
    return read_rows(reader, key, node, field, ROWS_OF_TURNS);
}

static bool read_number_table(SceneReader *reader, const SceneKey *key, int node, void *field) {
    return read_rows(reader, key, node, field, ROWS_OF_NUMBERS);
}

const SceneType scene_type_table = {"rows [time, x, y(, z)]", NULL, read_table, false, false};
const SceneType scene_type_turn_table = {"rows [time, spin]", NULL, read_turn_table, false, false};
const SceneType scene_type_number_table = {"rows [time, value]", NULL, read_number_table, false,
                                           false};

/* Either a table or an oscillation, not both. */
static bool read_programme(SceneReader *reader, const SceneKey *key, int node, SceneDrive *drive) {
    SceneDriveSpec spec = {0};
    if (!scene_read_section(reader, key->section, node, &spec)) {
        return false;
    }
    SceneDocument *document = reader->document;
    int table = scene_lookup(document, node, "table", NULL);
    int amplitude = scene_lookup(document, node, "amplitude", NULL);
    int frequency = scene_lookup(document, node, "frequency", NULL);
    int mean = scene_lookup(document, node, "mean", NULL);
    bool harmonic = amplitude && frequency;
    if (table ? scene_pairs(document, node) != 1 : !harmonic) {
        return scene_wrong_type(reader, node,
                                "either {table: ...} or {amplitude: ..., frequency: ...}");
    }
    drive->kind = table ? DRIVE_TABLE : DRIVE_HARMONIC;
    drive->table = spec.table;
    drive->amplitude = spec.amplitude.v;
    drive->mean = spec.mean.v;
    drive->frequency = spec.frequency;
    drive->phase = spec.phase;
    drive->scalar = table ? spec.table.scalar : spec.amplitude.scalar;
    if (mean && spec.mean.scalar != spec.amplitude.scalar) {
        return scene_wrong_type(reader, mean, "of the same form as 'amplitude'");
    }
    return true;
}

static bool is_mapping(SceneReader *reader, int node) {
    const yaml_node_t *n = scene_node(reader->document, node);
    return n && n->type == YAML_MAPPING_NODE;
}

static bool read_drive(SceneReader *reader, const SceneKey *key, int node, void *field) {
    SceneDrive *drive = field;
    if (is_mapping(reader, node)) {
        return read_programme(reader, key, node, drive);
    }
    drive->kind = DRIVE_CONSTANT;
    return scene_type_vector.read(reader, key, node, &drive->mean);
}

static bool read_turn_drive(SceneReader *reader, const SceneKey *key, int node, void *field) {
    SceneDrive *drive = field;
    if (is_mapping(reader, node)) {
        return read_programme(reader, key, node, drive);
    }
    SceneTurn turn = {0};
    drive->kind = DRIVE_CONSTANT;
    if (!scene_type_turn.read(reader, key, node, &turn)) {
        return false;
    }
    drive->mean = turn.v;
    drive->scalar = turn.scalar;
    return true;
}

/* The number is the x of the drive. */
static bool read_number_drive(SceneReader *reader, const SceneKey *key, int node, void *field) {
    SceneDrive *drive = field;
    if (is_mapping(reader, node)) {
        return read_programme(reader, key, node, drive);
    }
    SceneKey number = *key;
    number.type = &scene_type_number;
    drive->kind = DRIVE_CONSTANT;
    return scene_type_number.read(reader, &number, node, &drive->mean.x);
}

const SceneType scene_type_drive = {"a vector, or a programme", NULL, read_drive, false, false};
const SceneType scene_type_turn_drive = {"a spin, or a programme", NULL, read_turn_drive, false,
                                         false};
const SceneType scene_type_number_drive = {"a number, or a programme", NULL, read_number_drive,
                                           false, false};

/* ---------------------------------------------------------------- values */

static ScreeVec3 scaled(ScreeVec3 v, double f) {
    return (ScreeVec3){v.x * f, v.y * f, v.z * f};
}

/* In two dimensions rows with one number are spins about z. */
void scene_drive_about(SceneDrive *drive, ScreeVec3 axis) {
    if (drive->kind == DRIVE_TABLE && drive->table.scalar) {
        for (size_t i = 0; i < drive->table.count; i++) {
            double *row = drive->table.rows[i];
            double w = row[1];
            row[1] = w * axis.x;
            row[2] = w * axis.y;
            row[3] = w * axis.z;
        }
        drive->table.scalar = false;
    } else if (drive->scalar) {
        drive->mean = scaled(axis, drive->mean.x);
        drive->amplitude = scaled(axis, drive->amplitude.x);
    }
    drive->scalar = false;
}

/* Adds the integral over [a, b] of the straight line through rows p and q. */
static void add_line(double sum[3], const double *p, const double *q, double a, double b) {
    double width = q[0] - p[0];
    double middle = width > 0 ? (0.5 * (a + b) - p[0]) / width : 0;
    for (int k = 0; k < 3; k++) {
        sum[k] += (b - a) * (p[k + 1] + (q[k + 1] - p[k + 1]) * middle);
    }
}

/* The first row after `time`; `count` when there is none. */
static size_t row_after(const SceneTable *table, double time) {
    size_t low = 0, high = table->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (table->rows[middle][0] <= time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static ScreeVec3 table_value(const SceneTable *table, double time) {
    size_t next = row_after(table, time), last = table->count - 1;
    const double *p = table->rows[next > 0 ? next - 1 : 0];
    const double *q = table->rows[next < last ? next : last];
    double width = q[0] - p[0], part = width > 0 ? (time - p[0]) / width : 0;
    part = scr_min(scr_max(part, 0), 1);
    return (ScreeVec3){p[1] + part * (q[1] - p[1]), p[2] + part * (q[2] - p[2]),
                       p[3] + part * (q[3] - p[3])};
}

/* Before it begins the table has its first value, after it ends its last one. */
static ScreeVec3 table_mean(const SceneTable *table, double from, double step) {
    double sum[3] = {0, 0, 0}, to = from + step;
    const double *first = table->rows[0], *last = table->rows[table->count - 1];
    if (!(step > 0)) {
        return table_value(table, from);
    }
    if (from < first[0]) {
        add_line(sum, first, first, from, scr_min(to, first[0]));
    }
    size_t low = row_after(table, from);
    for (size_t i = low > 0 ? low : 1; i < table->count; i++) {
        const double *p = table->rows[i - 1], *q = table->rows[i];
        double a = scr_max(from, p[0]), b = scr_min(to, q[0]);
        if (p[0] >= to) {
            break;
        }
        if (b > a) {
            add_line(sum, p, q, a, b);
        }
    }
    if (to > last[0]) {
        add_line(sum, last, last, scr_max(from, last[0]), to);
    }
    return (ScreeVec3){sum[0] / step, sum[1] / step, sum[2] / step};
}

/* The mean of sin over a step is its middle value times sin(h)/h, with h half the step's angle: the
 * difference of two cosines without cancellation. */
static ScreeVec3 harmonic_mean(const SceneDrive *drive, double time, double step) {
    double half = 0.5 * two_pi * drive->frequency * step;
    double reduction = half != 0 ? scr_sin(half) / half : 1;
    double s = reduction * scr_sin(two_pi * drive->frequency * (time + 0.5 * step) + drive->phase);
    ScreeVec3 a = scaled(drive->amplitude, s);
    return (ScreeVec3){drive->mean.x + a.x, drive->mean.y + a.y, drive->mean.z + a.z};
}

bool scene_drive_changes(const SceneDrive *drive) {
    return drive->kind == DRIVE_TABLE || drive->kind == DRIVE_HARMONIC;
}

ScreeVec3 scene_drive_mean(const SceneDrive *drive, double time, double step) {
    switch (drive->kind) {
    case DRIVE_TABLE:
        return table_mean(&drive->table, time, step);
    case DRIVE_HARMONIC:
        return harmonic_mean(drive, time, step);
    case DRIVE_CONSTANT:
        return drive->mean;
    case DRIVE_NONE:
        break;
    }
    return (ScreeVec3){0, 0, 0};
}

/* Grains from a CSV file: a line of column names, then one line for each grain. */
#include "scene/make/generators.h"

#include "base/plural.h"

#include "scene/make/orientation.h"
#include "scene/read/reader.h"
#include "scene/make/shapes.h"
#include "scene/make/sizes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELD_SIZE = 64 };

typedef enum Column {
    X,
    Y,
    Z,
    RADIUS,
    MASS,
    INERTIA,
    VX,
    VY,
    VZ,
    WX,
    WY,
    WZ,
    SCALE,
    ANGLE,
    QW,
    QX,
    QY,
    QZ,
    MATERIAL,
    SHAPE,
    COLUMNS
} Column;

static const char *const column_names[COLUMNS] = {
    "x",  "y",  "z",     "radius", "mass", "inertia", "vx", "vy", "vz",       "wx",
    "wy", "wz", "scale", "angle",  "qw",   "qx",      "qy", "qz", "material", "shape"};

typedef struct Csv {
    Scene *scene;
    const SceneGrainsSpec *spec;
    SceneMaker *maker;
    SceneError *error;
    SceneSource source;
    const char *at; /* reading position */
    int line;
    Column columns[COLUMNS];
    int column_count;
    bool has[COLUMNS];
} Csv;

/* One line: the body, and what shapes need besides. */
typedef struct Row {
    ScreeBodyDef body;
    const SceneShapeSpec *shape;
    double scale, angle;
    ScreeQuat turn;
} Row;

typedef struct Field {
    char text[FIELD_SIZE];
    int column, width; /* in characters, from 1 */
    const char *start;
    bool last; /* of its line */
} Field;

static SceneLocation field_location(const Csv *csv, const Field *field) {
    return (SceneLocation){&csv->source, csv->line, field->column,
                           field->width > 0 ? field->width : 1};
}

static const char *end_of(const Csv *csv) {
    return csv->source.text + csv->source.size;
}

/* Skips empty lines and comments; false at the end of the file. */
static bool next_line(Csv *csv) {
    while (csv->at < end_of(csv)) {
        csv->line++;
        size_t blank = strspn(csv->at, " \t\r");
        char c = csv->at[blank];
        if (c != '\n' && c != '#' && csv->at + blank < end_of(csv)) {
            return true;
        }
        const char *end = memchr(csv->at, '\n', (size_t)(end_of(csv) - csv->at));
        csv->at = end ? end + 1 : end_of(csv);
    }
    return false;
}

/* Takes the next field of the line, without surrounding blanks. */
static bool next_field(Csv *csv, const char *line_start, Field *field) {
    const char *start = csv->at, *end = start;
    while (end < end_of(csv) && *end != ',' && *end != '\n') {
        end++;
    }
    field->last = end == end_of(csv) || *end == '\n';
    csv->at = end < end_of(csv) ? end + 1 : end;
    while (start < end && strchr(" \t\r", *start)) {
        start++;
    }
    while (end > start && strchr(" \t\r", end[-1])) {
        end--;
    }
    field->start = start;
    field->column = 1;
    for (const char *c = line_start; c < start; c++) {
        field->column += ((unsigned char)*c & 0xC0) != 0x80;
    }
    size_t length = (size_t)(end - start);
    field->width = length < 1000 ? (int)length : 1000;
    if (length >= FIELD_SIZE) {
        field->width = 20;
        return scene_fail(csv->error, field_location(csv, field), NULL,
                          "a field is longer than %d characters", FIELD_SIZE - 1);
    }
    memcpy(field->text, start, length);
    field->text[length] = '\0';
    return true;
}

/* ---------------------------------------------------------------- the header */

static bool note_column(Csv *csv, const Field *field) {
    char hint[400];
    Guess guess = scr_guess(field->text);
    for (int c = 0; c < COLUMNS; c++) {
        scr_guess_offer(&guess, column_names[c]);
        if (strcmp(field->text, column_names[c]) != 0) {
            continue;
        }
        if (csv->has[c]) {
            return scene_fail(csv->error, field_location(csv, field), NULL,
                              "the column '%s' is named twice", field->text);
        }
        csv->has[c] = true;
        csv->columns[csv->column_count++] = (Column)c;
        return true;
    }
    scr_guess_or_list(&guess, "the first line names the columns:", hint, sizeof hint);
    return scene_fail(csv->error, field_location(csv, field), hint, "unknown column '%s'",
                      field->text);
}

static bool no_column(const Csv *csv, Column column, const char *hint) {
    return scene_fail(csv->error, (SceneLocation){&csv->source, csv->line, 1, 1}, hint,
                      "there is no column '%s'", column_names[column]);
}

/* What is given in the scene must not stand in the file as well. */
static bool check_columns(const Csv *csv) {
    const SceneHead *head = &csv->spec->head;
    const Column both[] = {RADIUS, SHAPE, SCALE, ANGLE};
    for (size_t i = 0; i < 4; i++) {
        const char *name = column_names[both[i]];
        bool given =
            both[i] == SHAPE ? csv->maker->shape != NULL : scene_has(csv->scene, head, name);
        if (csv->has[both[i]] && given) {
            return scene_fail(csv->error, scene_location_of(csv->scene, head, name),
                              "leave out one of the two",
                              "the %s is given both here and in the file", name);
        }
    }
    bool sized = csv->has[RADIUS] || csv->has[SHAPE] || csv->maker->shape ||
                 csv->spec->radius.kind != SIZES_NONE;
    return !csv->has[X]                                       ? no_column(csv, X, NULL)
           : !csv->has[Y]                                     ? no_column(csv, Y, NULL)
           : csv->scene->model.dimension == 3 && !csv->has[Z] ? no_column(csv, Z, NULL)
           : !sized                                           ? no_column(csv, RADIUS, NULL)
                                                              : true;
}

static bool check_shapes(const Csv *csv) {
    const SceneLocation location = {&csv->source, csv->line, 1, 1};
    bool shaped = csv->has[SHAPE] || csv->maker->shape;
    if (csv->has[RADIUS] && csv->maker->shape) {
        return scene_fail(csv->error, location, "leave out the column; 'scale' changes the size",
                          "the grains have a shape, and the file gives a radius");
    }
    bool plane = csv->scene->model.dimension == 2;
    int parts = csv->has[QW] + csv->has[QX] + csv->has[QY] + csv->has[QZ];
    if (plane ? parts > 0 : csv->has[ANGLE]) {
        return scene_fail(csv->error, location,
                          plane ? "in the plane bodies turn by 'angle'"
                                : "in space bodies turn by a quaternion: qw, qx, qy, qz",
                          "the column '%s' exists only in %s dimensions", plane ? "qw" : "angle",
                          plane ? "three" : "two");
    }
    if (parts != 0 && parts != 4) {
        return scene_fail(csv->error, location, NULL,
                          "a quaternion takes the four columns qw, qx, qy and qz");
    }
    if (parts > 0 && scene_has(csv->scene, &csv->spec->head, "orientation")) {
        return scene_fail(csv->error, location, "leave out one of the two",
                          "the orientation is given both in the scene and in the file");
    }
    return shaped || (!csv->has[SCALE] && !csv->has[ANGLE] && parts == 0) ||
           no_column(csv, SHAPE, "'scale', 'angle' and quaternions go with shapes");
}

static bool read_header(Csv *csv) {
    Field field = {.last = false};
    if (!next_line(csv)) {
        return scene_fail(csv->error, (SceneLocation){&csv->source, 0, 0, 0},
                          "the first line names the columns: x, y, z, radius", "the file is empty");
    }
    const char *start = csv->at;
    while (!field.last) {
        if (!next_field(csv, start, &field) || !note_column(csv, &field)) {
            return false;
        }
    }
    return check_columns(csv) && check_shapes(csv);
}

/* ---------------------------------------------------------------- rows */

/* What a row of shapes and disks may leave empty. */
static bool may_be_empty(const Csv *csv, Column column) {
    return (csv->has[SHAPE] || csv->maker->shape) &&
           (column == RADIUS || column == SHAPE || column == SCALE || column == ANGLE ||
            (column >= QW && column <= QZ));
}

static bool set_number(Csv *csv, const Field *field, Column column, Row *row) {
    ScreeBodyDef *body = &row->body;
    double *targets[COLUMNS] = {
        &body->position.x, &body->position.y, &body->position.z, &body->radius,     &body->mass,
        &body->inertia,    &body->velocity.x, &body->velocity.y, &body->velocity.z, &body->spin.x,
        &body->spin.y,     &body->spin.z,     &row->scale,       &row->angle,       &row->turn.w,
        &row->turn.x,      &row->turn.y,      &row->turn.z};
    bool positive = column == RADIUS || column == MASS || column == INERTIA || column == SCALE;
    bool spatial = column == Z || column == VZ || column == WX || column == WY;
    double v = 0;
    const char *wrong = scene_number_from(field->text, &v);
    if (!wrong && positive && !(v > 0)) {
        wrong = "greater than 0";
    }
    if (!wrong && spatial && v != 0 && csv->scene->model.dimension == 2) {
        wrong = "0 in two dimensions";
    }
    if (!wrong && column == ANGLE && !(fabs(v) <= 1e5)) {
        wrong = "between -1e5 and 1e5 (in radians)";
    }
    if (wrong) {
        return scene_fail(csv->error, field_location(csv, field), NULL,
                          "%s must be %s, but is '%s'", column_names[column], wrong, field->text);
    }
    *targets[column] = v;
    return true;
}

static bool set_field(Csv *csv, const Field *field, Column column, Row *row) {
    SceneLocation location = field_location(csv, field);
    if (!field->text[0] && may_be_empty(csv, column)) {
        return true;
    }
    if (column == MATERIAL) {
        row->body.material.index =
            scene_material_number(csv->scene, field->text, location, csv->error);
        return !SCREE_IS_NULL(row->body.material);
    }
    if (column == SHAPE) {
        row->shape = scene_find_shape(csv->scene, field->text, location, csv->error);
        return row->shape != NULL;
    }
    return set_number(csv, field, column, row);
}

static bool read_row(Csv *csv, Row *row) {
    Field field = {.last = false};
    const char *start = csv->at;
    for (int i = 0; i < csv->column_count; i++) {
        if (field.last) {
            return scene_fail(csv->error, field_location(csv, &field), NULL,
                              "the line has %d %s, but the header names %d", i,
                              SCR_PLURAL(i, "field", "fields"), csv->column_count);
        }
        if (!next_field(csv, start, &field) || !set_field(csv, &field, csv->columns[i], row)) {
            return false;
        }
    }
    if (!field.last) {
        next_field(csv, start, &field);
        return scene_fail(csv->error, field_location(csv, &field), NULL,
                          "the line has more fields than the header names (%d)", csv->column_count);
    }
    return true;
}

static Row common_row(const Csv *csv) {
    const SceneGrainsSpec *spec = csv->spec;
    Row row = {scree_body_def_default(), csv->maker->shape, 1, 0, {1, 0, 0, 0}};
    row.body.velocity = spec->velocity;
    row.body.spin = spec->spin;
    row.body.mass = spec->mass;
    row.body.inertia = spec->inertia;
    row.body.radius = 0;
    row.body.material = SCREE_NO_MATERIAL;
    return row;
}

static bool normalise(ScreeQuat *q) {
    double size = sqrt(q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z);
    *q = (ScreeQuat){q->w / size, q->x / size, q->y / size, q->z / size};
    return size > 1e-100 && isfinite(size);
}

/* Size and form of number i; a file may hold both shapes and disks. */
static bool shape_row(Csv *csv, size_t i, Row *row, SceneGrain *grain) {
    const SceneLocation location = {&csv->source, csv->line, 1, 1};
    SceneMaker *maker = csv->maker;
    const char *wrong = NULL;
    if (row->shape && row->body.radius > 0) {
        wrong = "the line has a shape and a radius";
    } else if (!row->shape && (row->scale != 1 || row->angle != 0)) {
        wrong = "the line has a scale or an angle, but no shape";
    } else if (!row->shape && !(row->body.radius > 0) && csv->spec->radius.kind == SIZES_NONE) {
        wrong = "the line has neither a shape nor a radius";
    }
    if (wrong) {
        return scene_fail(csv->error, location,
                          "what is round has a radius, a shape may have a scale and a rotation",
                          "%s", wrong);
    }
    if (row->shape && csv->has[QW] && !normalise(&row->turn)) {
        return scene_fail(csv->error, location, "[1, 0, 0, 0] is no rotation",
                          "the quaternion qw, qx, qy, qz is zero");
    }
    if (row->shape) {
        const SceneSizes *sizes = &csv->spec->scale;
        double scale = csv->has[SCALE] || sizes->kind == SIZES_NONE
                           ? row->scale
                           : scene_draw_radius(sizes, &maker->sizes, i);
        ScreeQuat turn = csv->has[ANGLE] ? scene_turn_in_plane(row->angle)
                         : csv->has[QW]  ? row->turn
                                         : scene_draw_turn(maker, i);
        return scene_make_shaped(maker, row->shape, scale, turn, grain, NULL, csv->error);
    }
    if (row->body.radius > 0) {
        grain->r = row->body.radius;
        return true;
    }
    return scene_make_grain(maker, i, grain, NULL, csv->error);
}

static bool read_rows(Csv *csv, SceneBatch *batch) {
    size_t i = 0;
    while (next_line(csv)) {
        Row row = common_row(csv);
        SceneGrain *grain = &batch->grains[i];
        if (!read_row(csv, &row) || !shape_row(csv, i, &row, grain)) {
            return false;
        }
        grain->x = row.body.position;
        row.body.radius = grain->r;
        batch->bodies[i] = row.body;
        batch->lines[i] = csv->line;
        i++;
    }
    batch->count = i;
    if (i == 0) {
        return scene_fail(csv->error, (SceneLocation){&csv->source, csv->line, 1, 1}, NULL,
                          "the file holds no grains");
    }
    return true;
}

static size_t count_lines(const SceneSource *source) {
    size_t count = 1;
    for (size_t i = 0; i < source->size; i++) {
        count += source->text[i] == '\n';
    }
    return count;
}

static bool read_text(Csv *csv, SceneBatch *batch) {
    size_t bad = scene_bad_utf8(csv->source.text, csv->source.size);
    if (bad < csv->source.size) {
        return scene_fail(csv->error, scene_location_of_byte(&csv->source, bad),
                          "save the file as UTF-8 text", "the byte 0x%02x is not UTF-8 text",
                          (unsigned char)csv->source.text[bad]);
    }
    size_t most = count_lines(&csv->source);
    if (!read_header(csv) ||
        !scene_make_room(csv->scene, csv->spec, (double)most, batch, csv->error)) {
        return false;
    }
    batch->bodies = malloc(most * sizeof *batch->bodies);
    batch->lines = malloc(most * sizeof *batch->lines);
    if (!batch->bodies || !batch->lines) {
        return scene_out_of_memory(csv->error, (SceneLocation){&csv->source, 0, 0, 0}, NULL);
    }
    return read_rows(csv, batch);
}

/* ---------------------------------------------------------------- the whole */

bool scene_read_csv(SceneMaker *maker, SceneBatch *batch, SceneError *error) {
    Scene *scene = maker->scene;
    const SceneGrainsSpec *spec = maker->spec;
    Csv csv = {.scene = scene, .spec = spec, .maker = maker, .error = error};
    if (!scene_read_named(scene, &spec->head, spec->file, SIZE_MAX, &csv.source, error)) {
        return false;
    }
    csv.at = csv.source.text;
    bool ok = read_text(&csv, batch);
    free((char *)csv.source.text);
    return ok;
}

#include "cli/commands.h"
#include "cli/job/summary.h"
#include "io/run/file.h"

#include "base/plural.h"

#include <math.h>
#include <string.h>

static double mean_radius(const RunBodyConstants *bodies) {
    double sum = 0;
    for (size_t i = 0; i < bodies->rows.count; i++) {
        sum += bodies->radius[i];
    }
    return bodies->rows.count > 0 ? sum / (double)bodies->rows.count : 0;
}

static void print_names(const char *label, const RunNames *names) {
    printf("%s:", label);
    for (size_t i = 0; i < names->count; i++) {
        printf("%s ", i > 0 ? "," : "");
        cli_print(names->name[i]);
    }
    printf("%s\n", names->count == 0 ? " none" : "");
}

/* Those of the last frame, where they come and go. */
static void print_grains(const RunHeader *header, const RunBodyConstants *bodies) {
    double low = INFINITY, high = 0, mass = 0;
    for (size_t i = 0; i < bodies->rows.count; i++) {
        low = fmin(low, bodies->radius[i]);
        high = fmax(high, bodies->radius[i]);
        mass += bodies->mass[i];
    }
    printf("grains: %zu", bodies->rows.count);
    if (header->changing) {
        printf(" in the last frame, %zu in all", header->body.rows.count);
    }
    if (bodies->rows.count > 0) {
        printf(", radii from %.6g to %.6g, total mass %.6g", low, high, mass);
    }
    printf("\n");
}

/* "2 polyhedra, 1 ellipsoid", where some parts are no polyhedra: corners and faces say little of these. "" where all are. */
static void name_parts(const RunHeader *header, char *text, size_t size) {
    static const char *const one[] = {"polyhedron", "ellipsoid", "cylinder or cone",
                                      "NURBS surface"},
                             *const several[] = {"polyhedra", "ellipsoids", "cylinders or cones",
                                                 "NURBS surfaces"};
    enum { KINDS = sizeof one / sizeof one[0] };
    size_t count[KINDS] = {0}, used = 0;
    for (size_t i = 0; i < header->shape_part.rows.count; i++) {
        const int32_t kind = header->shape_part.kind[i];
        count[kind >= 0 && kind < KINDS ? kind : 0]++;
    }
    text[0] = '\0';
    for (int k = 0; k < KINDS && count[0] < header->shape_part.rows.count; k++) {
        if (count[k] > 0 && used < size) {
            used += (size_t)snprintf(text + used, size - used, "%s%zu %s", used > 0 ? ", " : "",
                                     count[k], count[k] == 1 ? one[k] : several[k]);
        }
    }
}

static void print_shapes(const RunHeader *header, const RunBodyConstants *bodies) {
    size_t shaped = 0, count = header->shape.rows.count;
    for (size_t i = 0; i < bodies->rows.count; i++) {
        shaped += bodies->shape[i] >= 0;
    }
    const size_t rest = bodies->rows.count - shaped;
    if (count > 0) {
        char parts[160] = "";
        if (header->dimension == 3) {
            name_parts(header, parts, sizeof parts);
        }
        if (parts[0] == '\0') {
            size_t used = (size_t)snprintf(parts, sizeof parts, "%zu corners",
                                           header->shape_corner.rows.count);
            if (header->dimension == 3) {
                snprintf(parts + used, sizeof parts - used, " and %zu faces",
                         header->shape_face.rows.count);
            }
        }
        printf("shapes: %zu with %s, used by %zu %s; the other %zu %s round\n", count, parts,
               shaped, SCR_PLURAL(shaped, "grain", "grains"), rest, SCR_PLURAL(rest, "is", "are"));
    }
}

/* Which walls hold how many grains in the last frame. */
static void print_held(const RunHeader *header, const RunFrame *last) {
    const char *before = "held by walls in the last frame: ";
    for (size_t wall = 0; wall < header->walls.count; wall++) {
        size_t count = 0;
        for (size_t i = 0; i < last->holders.rows.count; i++) {
            count += last->holders.holder[i] == (int32_t)wall;
        }
        if (count > 0) {
            fputs(before, stdout);
            cli_print(header->walls.name[wall]);
            printf(" %zu", count);
            before = ", ";
        }
    }
    fputs(before[0] == ',' ? "\n" : "", stdout);
}

static void print_engine(const RunHeader *header) {
    const char *name = scree_engine_get_name(header->engine);
    bool usual = header->engine == SCREE_ENGINE_CONTACT_DYNAMICS;
    printf("engine: %s", usual ? "contact dynamics" : name != NULL ? name : "unknown");
    if (scree_method_get_name(header->method) != NULL) {
        printf(", method %s, tolerance %g", scree_method_get_name(header->method),
               header->tolerance);
    }
    printf("\ntime step: %.6g", header->time_step);
    if (header->theta != 1) {
        printf(", theta %.6g: impacts have a restitution of up to %.6g", header->theta,
               (1 - header->theta) / header->theta);
    }
    printf("\n");
}

/* ---------------------------------------------------------------- the laws */

enum {
    LINES_MOST = 40, /* for a run with many materials the first lines are enough */
    NARROWEST = 9,   /* width of a column */
    CELL = 16,
    PAIR = 48
};

/* Whether any pair differs from the default law in this number. */
static bool used(const RunHeader *header, const double *column, double preset) {
    for (size_t i = 0; i < header->laws.rows.count; i++) {
        if (column[i] != preset) {
            return true;
        }
    }
    return false;
}

static void cell(const char *title, const char *text) {
    int width = (int)strlen(title);
    printf("  %*s", width > NARROWEST ? width : NARROWEST, text);
}

static void number(const char *title, double value) {
    char text[CELL];
    snprintf(text, sizeof text, isinf(value) ? "rigid" : "%.4g", value);
    cell(title, text);
}

static void pair_name(const RunHeader *header, size_t row, char *text, size_t size) {
    const char *first = header->materials.name[header->laws.first[row]];
    const char *second = header->materials.name[header->laws.second[row]];
    snprintf(text, size, "%.20s - %.20s", first, second);
}

/* A line of the table: the numbers of a pair, or the titles. */
static void print_line(const RunHeader *header, const size_t *row) {
#define X(name, dimension, preset, meaning)                                                        \
    if (used(header, header->laws.name, preset)) {                                                 \
        if (row != NULL) {                                                                         \
            number(#name, header->laws.name[*row]);                                                \
        } else {                                                                                   \
            cell(#name, #name);                                                                    \
        }                                                                                          \
    }
    SCREE_LAW_MAP(X)
#undef X
    printf("\n");
}

/* The laws as a table: a line for each pair of materials, a column for each number that some pair
 * uses. */
static void print_laws(const RunHeader *header) {
    size_t count = header->laws.rows.count, shown = count < LINES_MOST ? count : LINES_MOST;
    int width = 0;
    char name[PAIR];
    for (size_t i = 0; i < shown; i++) {
        pair_name(header, i, name, sizeof name);
        width = (int)strlen(name) > width ? (int)strlen(name) : width;
    }
    if (count > 0) {
        printf("    %-*s", width, "");
        print_line(header, NULL);
    }
    for (size_t i = 0; i < shown; i++) {
        pair_name(header, i, name, sizeof name);
        printf("    %-*s", width, name);
        print_line(header, &i);
    }
    if (shown < count) {
        printf("    and %zu more %s\n", count - shown, SCR_PLURAL(count - shown, "pair", "pairs"));
    }
}

/* ---------------------------------------------------------------- all */

static void print_header(const RunHeader *header, const RunBodyConstants *last,
                         const RunFrame *frame) {
    printf("scene: ");
    cli_print(header->scene_name);
    putchar('\n');
    print_names("overrides", &header->overrides);
    printf("dimensions: %d\n", (int)header->dimension);
    print_engine(header);
    print_grains(header, last);
    print_shapes(header, last);
    print_names("materials", &header->materials);
    print_names("walls", &header->walls);
    print_held(header, frame);
    if (header->series.count > 0) {
        print_names("measures", &header->series);
    }
    printf("laws at the start:%s\n", header->laws.rows.count == 0 ? " not in the file" : "");
    print_laws(header);
}

static void print_state(const char *path, const RunReader *reader) {
    long process = run_writing_process(path);
    RunEnding ending = run_ending(reader);
    if (ending == RUN_OPEN && process != 0) {
        printf("state: still running, process %ld\n", process);
    } else if (ending == RUN_OPEN) {
        printf("state: did not end cleanly; --restart resumes from its checkpoint\n");
    } else {
        printf("state: %s\n", run_ending_text(ending));
    }
}

static void print_frames(const RunReader *reader) {
    size_t count = run_frame_count(reader);
    printf("frames: %zu", count);
    if (count > 0) {
        const size_t contacts = run_frame_contacts(reader, count - 1);
        printf(", time %.6g to %.6g, %zu %s in the last", run_frame_time(reader, 0),
               run_frame_time(reader, count - 1), contacts,
               SCR_PLURAL(contacts, "contact", "contacts"));
    }
    printf("\n");
}

/* What the neighbour search had chosen at the last frame. */
static void print_search(const ScreeSearchReport *s, size_t grains) {
    const char *name = scree_search_get_name(s->method);
    if (s->aim == 0 || name == NULL) {
        return; /* no step was made yet, or the file has an old version */
    }
    printf("neighbours: %s", name);
    if (s->levels > 1) {
        printf(", %d levels of cells, %.4g to %.4g wide", (int)s->levels, s->cell, s->cell_most);
    } else if (s->levels == 1) {
        printf(", cells %.4g wide", s->cell);
    }
    printf("; skin %.4g, meant to last %.3g %s; %lld %s", s->skin, s->aim,
           SCR_PLURAL(s->aim, "step", "steps"), (long long)s->pairs,
           SCR_PLURAL(s->pairs, "pair", "pairs"));
    if (grains > 0) {
        printf(", %.3g per grain", (double)s->pairs / (double)grains);
    }
    printf("\n");
}

/* The last frame; empty where there is none. */
static bool read_last(RunReader *reader, RunFrame *frame, IoError *error) {
    size_t count = run_frame_count(reader);
    return count == 0 || run_read_frame(reader, count - 1, frame, error);
}

/* What had passed inlets and outlets by the last step. */
static bool print_gates(RunReader *reader, IoError *error) {
    const RunHeader *header = run_header(reader);
    const size_t steps = run_step_count(reader);
    RunGateRows rows = {0};
    if (header->gates.count == 0 || steps == 0) {
        return true;
    }
    bool ok = run_read_gates(reader, steps - 1, 1, &rows, error);
    for (size_t i = 0; ok && i < header->gates.count; i++) {
        summary_print_gate(stdout, "    ", header->gates.name[i], header->gate.kind[i] == 1,
                           rows.number[i], rows.mass[i], rows.waiting[i]);
    }
    run_rows_free(RUN_GATE_ROWS, &rows);
    return ok;
}

int cli_info(const CliArguments *arguments) {
    IoError error = {0};
    RunReader *reader = run_open(arguments->operand, &error);
    if (reader == NULL) {
        return cli_io_error(&error);
    }
    const RunHeader *header = run_header(reader);
    RunFrame frame;
    memset(&frame, 0, sizeof frame);
    Summary summary = {0};
    int status = CLI_DONE;
    bool ok = read_last(reader, &frame, &error);
    const RunBodyConstants *bodies = header->changing ? &frame.body : &header->body;
    print_header(header, bodies, &frame);
    print_frames(reader);
    print_state(arguments->operand, reader);
    if (ok && summary_add_steps(&summary, reader, run_step_count(reader), (IoWatch){0}, &error)) {
        ScreeSearchReport search = {0};
        if (run_frame_count(reader) > 0) {
            search = run_search_get(&frame.search);
        }
        print_search(&search, bodies->rows.count);
        printf("steps:\n");
        double radius = mean_radius(bodies);
        summary_print(&summary, stdout, "    ", radius);
        status = print_gates(reader, &error) ? CLI_DONE : cli_io_error(&error);
        fflush(stdout);
        summary_warn(&summary, radius);
    } else {
        fflush(stdout);
        status = cli_io_error(&error);
    }
    run_frame_free(&frame);
    run_reader_free(reader);
    return status;
}

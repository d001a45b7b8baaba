/* Tables as CSV, with 17 digits: what is read back is what was computed. */
#include "cli/commands.h"
#include "cli/command/frames.h"
#include "cli/command/result_table.h"
#include "io/run/shapes.h"

#include <inttypes.h>
#include <string.h>

/* ---------------------------------------------------------------- cells */

static void real(double value) {
    printf(",%.17g", value);
}

static void reals(const double *values, size_t row, size_t width) {
    for (size_t i = 0; i < width; i++) {
        real(values[row * width + i]);
    }
}

static void text(const char *value) {
    putchar(',');
    result_csv_text(value, stdout);
}

static const char *state_name(int32_t state) {
    static const char *const names[] = {"open", "stick", "slip"}; /* by ScreeContactState */
    return state >= SCREE_CONTACT_OPEN && state <= SCREE_CONTACT_SLIP ? names[state] : "unknown";
}

/* ---------------------------------------------------------------- tables of a frame */

typedef struct FrameTable {
    const char *name;
    const char *columns;
    const char *shape_columns;  /* additional ones where there are shapes */
    const char *holder_columns; /* and where walls may hold bodies */
    const char *bond_columns;   /* and where bodies may be bonded */
    size_t (*count)(const RunFrame *frame);
    /* Prints the lines of a body, contact or wall, each beginning with `lead`. */
    void (*print)(const RunHeader *header, const RunFrame *frame, size_t index, const char *lead);
} FrameTable;

static size_t body_count(const RunFrame *frame) {
    return frame->bodies.rows.count;
}

static void body_row(const RunHeader *header, const RunFrame *frame, size_t i, const char *lead) {
    printf("%s%" PRId32, lead, frame->who.identity[i]);
    text(header->materials.name[frame->body.material[i]]);
    real(frame->body.radius[i]);
    real(frame->body.mass[i]);
    reals(frame->bodies.position, i, 3);
    reals(frame->bodies.orientation, i, 4);
    reals(frame->bodies.velocity, i, 3);
    reals(frame->bodies.spin, i, 3);
    if (header->shape.rows.count > 0) {
        printf(",%" PRId32, frame->body.shape[i]);
    }
    if (header->plates) {
        const int32_t holder = frame->holders.holder[i];
        text(holder >= 0 ? header->walls.name[holder] : "");
    }
    if (header->bonds) {
        printf(",%" PRId32, frame->fragments.fragment[i]);
    }
    putchar('\n');
}

static void corner_row(const RunHeader *header, const char *lead, size_t owner, size_t part,
                       size_t corner, const double *at, double rounding) {
    printf("%s%zu,%zu,%zu", lead, owner, part, corner);
    reals(at, 0, (size_t)(header->dimension == 3 ? 3 : 2));
    real(rounding);
    putchar('\n');
}

static void body_corners(const RunHeader *header, const RunFrame *frame, size_t body,
                         const char *lead) {
    size_t first = 0, parts = run_body_parts(header, frame, body, &first);
    const size_t owner = (size_t)frame->who.identity[body];
    for (size_t i = 0; i < parts; i++) {
        RunPart part = run_shape_part(header, first + i);
        for (size_t k = 0; k < part.count; k++) {
            double at[3];
            run_body_point(&frame->bodies, body,
                           &header->shape_corner.position[3 * (part.first + k)], at);
            corner_row(header, lead, owner, i, k, at, part.rounding);
        }
    }
    if (parts == 0) {
        corner_row(header, lead, owner, 0, 0, &frame->bodies.position[3 * body],
                   frame->body.radius[body]);
    }
}

static size_t contact_count(const RunFrame *frame) {
    return frame->contacts.rows.count;
}

static void contact_row(const RunHeader *header, const RunFrame *frame, size_t i,
                        const char *lead) {
    const RunContacts *contacts = &frame->contacts;
    int32_t b = contacts->b[i];
    printf("%s%" PRId32 ",%" PRId32, lead, frame->who.identity[contacts->a[i]],
           b >= 0 ? frame->who.identity[b] : b);
    text(b < 0 ? header->walls.name[-1 - b] : "");
    printf(",%" PRId32, contacts->feature[i]);
    text(state_name(contacts->state[i]));
    reals(contacts->point, i, 3);
    reals(contacts->normal, i, 3);
    real(contacts->gap[i]);
    real(contacts->force_normal[i]);
    reals(contacts->force_tangential, i, 3);
    reals(contacts->torque, i, 3);
    real(contacts->opening[i]);
    if (header->bonds) {
        printf(",%" PRId64, frame->bonds.bond[i]);
        real(frame->bonds.bond_load[i]);
    }
    putchar('\n');
}

static size_t wall_count(const RunFrame *frame) {
    return frame->walls.rows.count;
}

static void wall_row(const RunHeader *header, const RunFrame *frame, size_t i, const char *lead) {
    const RunWalls *walls = &frame->walls;
    printf("%s%zu", lead, i);
    text(header->walls.name[i]);
    printf(",%" PRId32, walls->present[i]);
    reals(walls->point, i, 3);
    reals(walls->velocity, i, 3);
    reals(walls->spin, i, 3);
    reals(walls->load, i, 3);
    reals(walls->load_torque, i, 3);
    putchar('\n');
}

static const FrameTable frame_tables[] = {
    {"bodies", "id,material,radius,mass,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz", ",shape", ",held_by",
     ",fragment", body_count, body_row},
    {"corners", "body,part,corner,x,y,rounding", "", "", "", body_count, body_corners},
    {"corners in space", "body,part,corner,x,y,z,rounding", "", "", "", body_count, body_corners},
    {"contacts",
     "a,b,wall,feature,state,x,y,z,nx,ny,nz,gap,force_n,force_tx,force_ty,force_tz,torque_x,torque_"
     "y,"
     "torque_z,opening",
     "", "", ",bond,bond_load", contact_count, contact_row},
    {"walls",
     "id,name,present,x,y,z,vx,vy,vz,wx,wy,wz,force_x,force_y,force_z,torque_x,torque_y,torque_z",
     "", "", "", wall_count, wall_row},
};

static void print_frame(const FrameTable *table, const RunHeader *header, const RunFrame *frame,
                        size_t number, bool with_frame) {
    size_t count = table->count(frame);
    char lead[64] = "";
    if (with_frame) {
        snprintf(lead, sizeof lead, "%zu,%.17g,", number, frame->time);
    }
    for (size_t i = 0; i < count && !ferror(stdout); i++) {
        table->print(header, frame, i, lead);
    }
}

static int print_frames(const CliArguments *arguments, RunReader *reader, const FrameTable *table) {
    size_t first = 0, count = 0;
    bool all = arguments->value[CLI_ALL] != NULL;
    CLI_TRY(cli_choose_frames(arguments, reader, false, &first, &count));
    int status = CLI_DONE;
    RunFrame frame = {0};
    IoError error = {0};
    bool shaped = run_header(reader)->shape.rows.count > 0;
    printf("%s%s%s%s%s\n", all ? "frame,time," : "", table->columns,
           shaped ? table->shape_columns : "",
           run_header(reader)->plates ? table->holder_columns : "",
           run_header(reader)->bonds ? table->bond_columns : "");
    for (size_t i = first; i < first + count && !ferror(stdout); i++) {
        if (!run_read_frame(reader, i, &frame, &error)) {
            status = cli_io_error(&error);
            break;
        }
        print_frame(table, run_header(reader), &frame, i, all);
    }
    run_frame_free(&frame);
    return status;
}

/* ---------------------------------------------------------------- steps */

static void step_cell_double(double value) {
    printf("%.17g", value);
}

static void step_cell_int64_t(int64_t value) {
    printf("%" PRId64, value);
}

/* What has passed the gates by each step, read in blocks as the steps are. */
typedef struct GateBlock {
    RunGateRows rows;
    size_t first, steps;
} GateBlock;

static bool gate_cells(RunReader *reader, size_t step, GateBlock *block, IoError *error) {
    enum { BLOCK = 4096 };
    const size_t gates = run_header(reader)->gates.count, left = run_step_count(reader) - step;
    if (gates > 0 && step >= block->first + block->steps) {
        block->first = step;
        block->steps = left < BLOCK ? left : BLOCK;
        if (!run_read_gates(reader, step, block->steps, &block->rows, error)) {
            return false;
        }
    }
    for (size_t g = 0; g < gates; g++) {
        const size_t row = (step - block->first) * gates + g;
        printf(",%" PRId64 ",%.17g", block->rows.number[row], block->rows.mass[row]);
        if (run_header(reader)->gate.kind[g] == 0) {
            printf(",%" PRId64, block->rows.waiting[row]);
        }
    }
    return true;
}

static void gate_columns(const RunHeader *header) {
    for (size_t g = 0; g < header->gates.count; g++) {
        static const char *const columns[] = {".number", ".mass", ".waiting"};
        for (int k = 0; k < (header->gate.kind[g] == 0 ? 3 : 2); k++) {
            text(header->gates.name[g]);
            fputs(columns[k], stdout);
        }
    }
}

static void step_row(const ScreeReport *report) {
    const char *separator = "";
#define X(type, name, dimension, meaning)                                                          \
    fputs(separator, stdout);                                                                      \
    separator = ",";                                                                               \
    step_cell_##type(report->name);
    SCREE_REPORT_MAP(X)
#undef X
}

static void step_columns(void) {
    const RunTable *table = run_table(RUN_STEPS);
    for (int i = 0; i < table->field_count; i++) {
        printf("%s%s", i > 0 ? "," : "", table->fields[i].name);
    }
}

static int print_steps(const CliArguments *arguments, RunReader *reader) {
    if (arguments->value[CLI_FRAME] != NULL || arguments->value[CLI_TIME] != NULL) {
        cli_error("--what steps gives all steps; --frame and --time are for the other tables");
        return CLI_USAGE;
    }
    RunWalk walk = {.reader = reader, .end = run_step_count(reader)};
    ScreeReport report;
    IoError error = {0};
    GateBlock block = {0};
    bool ok = true;
    step_columns();
    gate_columns(run_header(reader));
    putchar('\n');
    while (ok && !ferror(stdout) && run_walk(&walk, &report, &error)) {
        step_row(&report);
        ok = gate_cells(reader, walk.next - 1, &block, &error);
        putchar('\n');
    }
    run_rows_free(RUN_GATE_ROWS, &block.rows);
    return run_walk_end(&walk) && ok ? CLI_DONE : cli_io_error(&error);
}

/* ---------------------------------------------------------------- laws and shapes */

/* What is the same for all frames. */
static bool frame_chosen(const CliArguments *arguments, const char *what) {
    bool chosen = arguments->value[CLI_FRAME] != NULL || arguments->value[CLI_TIME] != NULL ||
                  arguments->value[CLI_ALL] != NULL;
    if (chosen) {
        cli_error("--what %s gives those of the start; --frame, --time and --all are for the "
                  "other tables",
                  what);
    }
    return chosen;
}

static int print_shapes(const CliArguments *arguments, RunReader *reader) {
    const RunHeader *header = run_header(reader);
    size_t part = 0, first = 0;
    if (frame_chosen(arguments, "shapes")) {
        return CLI_USAGE;
    }
    printf("shape,part,corner,x,y,%srounding\n", header->dimension == 3 ? "z," : "");
    for (size_t i = 0; i < header->shape.rows.count && !ferror(stdout); i++, first = part) {
        for (; part < (size_t)header->shape.part_end[i]; part++) {
            RunPart one = run_shape_part(header, part);
            for (size_t k = 0; k < one.count; k++) {
                corner_row(header, "", i, part - first, k,
                           &header->shape_corner.position[3 * (one.first + k)], one.rounding);
            }
        }
    }
    return CLI_DONE;
}

static int print_laws(const CliArguments *arguments, RunReader *reader) {
    const RunHeader *header = run_header(reader);
    const RunLaws *laws = &header->laws;
    if (frame_chosen(arguments, "laws")) {
        return CLI_USAGE;
    }
    printf("first,second");
#define X(name, dimension, preset, meaning) printf("," #name);
    SCREE_LAW_MAP(X)
#undef X
    putchar('\n');
    for (size_t i = 0; i < laws->rows.count && !ferror(stdout); i++) {
        result_csv_text(header->materials.name[laws->first[i]], stdout);
        text(header->materials.name[laws->second[i]]);
#define X(name, dimension, preset, meaning) real(laws->name[i]);
        SCREE_LAW_MAP(X)
#undef X
        putchar('\n');
    }
    return CLI_DONE;
}

int cli_table(const CliArguments *arguments) {
    const char *what = arguments->value[CLI_WHAT] != NULL ? arguments->value[CLI_WHAT] : "bodies";
    IoError error = {0};
    RunReader *reader = run_open(arguments->operand, &error);
    if (reader == NULL) {
        return cli_io_error(&error);
    }
    int status = CLI_USAGE;
    if (strcmp(what, "steps") == 0) {
        status = print_steps(arguments, reader);
    } else if (strcmp(what, "laws") == 0) {
        status = print_laws(arguments, reader);
    } else if (strcmp(what, "shapes") == 0) {
        status = print_shapes(arguments, reader);
    } else if (strcmp(what, "corners") == 0 && run_header(reader)->dimension == 3) {
        what = "corners in space";
    }
    for (size_t i = 0; i < sizeof frame_tables / sizeof *frame_tables; i++) {
        if (strcmp(what, frame_tables[i].name) == 0) {
            status = print_frames(arguments, reader, &frame_tables[i]);
        }
    }
    run_reader_free(reader);
    return status;
}

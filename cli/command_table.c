/* Tables as CSV, with 17 digits: what is read back is what was computed. */
#include "cli/commands.h"
#include "cli/frames.h"
#include "cli/message.h"

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

/* Quoted where CSV needs it. */
static void text(const char *value) {
    putchar(',');
    if (strpbrk(value, ",\"\r\n") == NULL) {
        fputs(value, stdout);
        return;
    }
    putchar('"');
    for (; *value != '\0'; value++) {
        if (*value == '"') {
            putchar('"');
        }
        putchar(*value);
    }
    putchar('"');
}

static const char *state_name(int32_t state) {
    switch (state) {
    case SCREE_CONTACT_OPEN:
        return "open";
    case SCREE_CONTACT_STICK:
        return "stick";
    case SCREE_CONTACT_SLIP:
        return "slip";
    default:
        return "unknown";
    }
}

/* ---------------------------------------------------------------- tables of a frame */

typedef struct FrameTable {
    const char *name;
    const char *columns;
    size_t (*count)(const RunFrame *frame);
    void (*row)(const RunHeader *header, const RunFrame *frame, size_t index);
} FrameTable;

static size_t body_count(const RunFrame *frame) {
    return frame->bodies.rows.count;
}

static void body_row(const RunHeader *header, const RunFrame *frame, size_t i) {
    printf("%zu", i);
    text(header->materials.name[header->body.material[i]]);
    real(header->body.radius[i]);
    real(header->body.mass[i]);
    reals(frame->bodies.position, i, 3);
    reals(frame->bodies.orientation, i, 4);
    reals(frame->bodies.velocity, i, 3);
    reals(frame->bodies.spin, i, 3);
}

static size_t contact_count(const RunFrame *frame) {
    return frame->contacts.rows.count;
}

static void contact_row(const RunHeader *header, const RunFrame *frame, size_t i) {
    const RunContacts *contacts = &frame->contacts;
    int32_t b = contacts->b[i];
    printf("%" PRId32 ",%" PRId32, contacts->a[i], b);
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
}

static size_t wall_count(const RunFrame *frame) {
    return frame->walls.rows.count;
}

static void wall_row(const RunHeader *header, const RunFrame *frame, size_t i) {
    const RunWalls *walls = &frame->walls;
    printf("%zu", i);
    text(header->walls.name[i]);
    printf(",%" PRId32, walls->present[i]);
    reals(walls->point, i, 3);
    reals(walls->velocity, i, 3);
    reals(walls->spin, i, 3);
    reals(walls->load, i, 3);
    reals(walls->load_torque, i, 3);
}

static const FrameTable frame_tables[] = {
    {"bodies", "id,material,radius,mass,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz", body_count, body_row},
    {"contacts",
     "a,b,wall,feature,state,x,y,z,nx,ny,nz,gap,force_n,force_tx,force_ty,force_tz,torque_x,torque_"
     "y,"
     "torque_z,opening",
     contact_count, contact_row},
    {"walls",
     "id,name,present,x,y,z,vx,vy,vz,wx,wy,wz,force_x,force_y,force_z,torque_x,torque_y,torque_z",
     wall_count, wall_row},
};

static void print_frame(const FrameTable *table, const RunHeader *header, const RunFrame *frame,
                        size_t number, bool with_frame) {
    size_t count = table->count(frame);
    for (size_t i = 0; i < count && !ferror(stdout); i++) {
        if (with_frame) {
            printf("%zu,%.17g,", number, frame->time);
        }
        table->row(header, frame, i);
        putchar('\n');
    }
}

static int print_frames(const CliArguments *arguments, RunReader *reader, const FrameTable *table) {
    size_t first = 0, count = 0;
    bool all = arguments->value[CLI_ALL] != NULL;
    int status = cli_choose_frames(arguments, reader, false, &first, &count);
    if (status != CLI_DONE) {
        return status;
    }
    RunFrame frame = {0};
    IoError error = {0};
    printf("%s%s\n", all ? "frame,time," : "", table->columns);
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

static void step_row(const ScreeReport *report) {
    const char *separator = "";
#define X(type, name, dimension, meaning)                                                          \
    fputs(separator, stdout);                                                                      \
    separator = ",";                                                                               \
    step_cell_##type(report->name);
    SCREE_REPORT_MAP(X)
#undef X
    putchar('\n');
}

static void step_columns(void) {
    const RunTable *table = run_table(RUN_STEPS);
    for (int i = 0; i < table->field_count; i++) {
        printf("%s%s", i > 0 ? "," : "", table->fields[i].name);
    }
    putchar('\n');
}

static int print_steps(const CliArguments *arguments, RunReader *reader) {
    enum { BLOCK = 4096 };
    if (arguments->value[CLI_FRAME] != NULL || arguments->value[CLI_TIME] != NULL) {
        cli_error("--what steps gives all steps; --frame and --time are for the other tables");
        return CLI_USAGE;
    }
    RunSteps steps = {0};
    IoError error = {0};
    int status = CLI_DONE;
    size_t count = run_step_count(reader);
    step_columns();
    for (size_t done = 0; status == CLI_DONE && done < count && !ferror(stdout); done += BLOCK) {
        size_t left = count - done;
        if (!run_read_steps(reader, done, left < BLOCK ? left : BLOCK, &steps, &error)) {
            status = cli_io_error(&error);
            break;
        }
        for (size_t i = 0; i < steps.rows.count && !ferror(stdout); i++) {
            ScreeReport report = run_steps_get(&steps, i);
            step_row(&report);
        }
    }
    run_rows_free(RUN_STEPS, &steps);
    return status;
}

/* ---------------------------------------------------------------- laws */

static int print_laws(const CliArguments *arguments, RunReader *reader) {
    const RunHeader *header = run_header(reader);
    const RunLaws *laws = &header->laws;
    if (arguments->value[CLI_FRAME] != NULL || arguments->value[CLI_TIME] != NULL ||
        arguments->value[CLI_ALL] != NULL) {
        cli_error("--what laws gives those of the start; --frame, --time and --all are for the "
                  "other tables");
        return CLI_USAGE;
    }
    printf("first,second");
#define X(name, dimension, preset, meaning) printf("," #name);
    SCREE_LAW_MAP(X)
#undef X
    putchar('\n');
    for (size_t i = 0; i < laws->rows.count && !ferror(stdout); i++) {
        fputs(header->materials.name[laws->first[i]], stdout); /* names of a scene need no quotes */
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
    }
    for (size_t i = 0; i < sizeof frame_tables / sizeof *frame_tables; i++) {
        if (strcmp(what, frame_tables[i].name) == 0) {
            status = print_frames(arguments, reader, &frame_tables[i]);
        }
    }
    run_reader_free(reader);
    return status;
}

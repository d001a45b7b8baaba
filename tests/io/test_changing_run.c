/* Run files of worlds whose bodies come and go: every frame has those that are there, with what they
 * are, before and after a resumption; and the gates of a scene, step by step. */
#include "io/run/reader.h"
#include "io/run/sample.h"

#include "physics/rig.h"

#include <unistd.h>

enum { FRAMES = 12, STEPS = 3, GATES = 2 };

static const char path[] = "test_changing_run.h5";

static ScreeWorld *start(void) {
    ScreeWorld *world = rig_world(2, 1e-2, rig_vec(0, -10, 0), 0.5);
    rig_material(world, 0.1);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    for (int i = 0; i < 5; i++) {
        rig_add_ball(world, rig_vec(i, 0.5, 0), 0.3 + 0.01 * i, 1 + i);
    }
    return world;
}

/* Before frame k: the first body leaves, two come, and one of these has gone again by then; in the
 * middle all are gone for a while. */
static void change(ScreeWorld *world, int k) {
    const size_t count = scree_world_get_bodies(world).count;
    for (int i = 0; i < STEPS; i++) {
        rig_step(world);
    }
    if (k == 6) {
        ScreeBodyId all[100];
        for (size_t i = 0; i < count; i++) {
            all[i].index = (int32_t)i;
        }
        rig_must(scree_world_remove_bodies(world, all, count), "remove");
        return;
    }
    for (int i = 0; i < 3; i++) {
        ScreeBodyDef ball = rig_ball(rig_vec(3 * i, 2 + k, 0), 0.2 + 0.01 * k, 7 + k);
        ball.material.index = k % 2;
        rig_add_body(world, &ball);
    }
    const ScreeBodyId gone[2] = {{(int32_t)count + 1}, {0}};
    rig_must(scree_world_remove_bodies(world, gone, count > 0 ? 2 : 1), "remove");
}

static bool fill_header(const ScreeWorld *world, RunHeader *header) {
    memset(header, 0, sizeof *header);
    header->changing = true;
    header->scene_name = strdup("flow.yaml");
    header->scene_text = strdup("");
    header->gate.rows.count = 0;
    bool ok = run_names_add(&header->materials, "stone") &&
              run_names_add(&header->materials, "ice") && run_names_add(&header->walls, "floor") &&
              run_names_add(&header->gates, "in") && run_names_add(&header->gates, "out") &&
              run_rows_resize(RUN_GATES, &header->gate, GATES) &&
              run_capture_header(world, 2, header);
    for (int i = 0; i < GATES; i++) {
        header->gate.kind[i] = i;
    }
    return ok;
}

static void append_steps(RunWriter *writer, int64_t *step, IoError *error) {
    for (int i = 0; i < STEPS; i++) {
        const ScreeReport report = {.step = ++*step};
        for (int g = 0; g < GATES; g++) {
            CHECK(run_append_gate(
                writer,
                &(ScreeGate){.number = 10 * *step + g, .mass = 0.5 * (double)*step, .waiting = g},
                error));
        }
        CHECK(run_append_step(writer, &report, error));
    }
}

static bool same_rows(RunTableId id, const void *a, const void *b) {
    const RunTable *table = run_table(id);
    const RunRows *x = a, *y = b;
    bool same = x->count == y->count;
    for (int k = 0; same && k < table->field_count && x->count > 0; k++) {
        const RunField *field = &table->fields[k];
        same = memcmp(run_rows_field(a, field), run_rows_field(b, field),
                      x->count * run_type_size(field->type) * (size_t)field->width) == 0;
    }
    return same;
}

static void check_frames(const RunFrame *expected, size_t count) {
    IoError error = {0};
    RunFrame frame = {0};
    RunReader *reader = run_open(path, &error);
    CHECK(reader != NULL && run_header(reader)->changing);
    CHECK(reader != NULL && run_frame_count(reader) == count);
    for (size_t i = count; reader != NULL && i-- > 0;) { /* backwards: frames shrink and grow */
        CHECK(run_read_frame(reader, i, &frame, &error));
        CHECK(same_rows(RUN_BODIES, &frame.bodies, &expected[i].bodies));
        CHECK(same_rows(RUN_IDENTITIES, &frame.who, &expected[i].who));
        CHECK(same_rows(RUN_BODY_CONSTANTS, &frame.body, &expected[i].body));
        CHECK(same_rows(RUN_CONTACTS, &frame.contacts, &expected[i].contacts));
        RunSample sample = {0};
        CHECK(run_sample_make(run_header(reader), &frame, &sample));
        CHECK(sample.sample.bodies == frame.bodies.rows.count);
        run_sample_free(&sample);
    }
    RunGateRows gates = {0};
    const size_t steps = reader != NULL ? run_step_count(reader) : 0;
    CHECK(reader != NULL && run_read_gates(reader, 0, steps, &gates, &error));
    for (size_t i = 0; i < gates.rows.count; i++) {
        const int64_t step = (int64_t)(i / GATES) + 1, gate = (int64_t)(i % GATES);
        CHECK(gates.number[i] == 10 * step + gate && gates.waiting[i] == gate &&
              gates.mass[i] == 0.5 * (double)step);
    }
    CHECK(gates.rows.count == GATES * steps && steps == STEPS * (count - 1));
    run_rows_free(RUN_GATE_ROWS, &gates);
    run_frame_free(&frame);
    run_reader_free(reader);
}

/* Written in one go, and again from an earlier position on. */
static void frames_have_those_who_are_there(void) {
    IoError error = {0};
    RunHeader header;
    RunFrame frames[FRAMES];
    memset(frames, 0, sizeof frames);
    ScreeWorld *world = start();
    CHECK(fill_header(world, &header));
    RunWriter *writer = run_create(path, &header, STEPS, &error);
    run_header_free(&header);
    RunPosition middle = {0};
    int64_t step = 0;
    for (int k = 0; k < FRAMES && writer != NULL; k++) {
        if (k > 0) {
            append_steps(writer, &step, &error);
            change(world, k);
        }
        CHECK(run_capture_frame(world, true, &frames[k]));
        CHECK(run_append_frame(writer, &frames[k], &error));
        if (k == 4) {
            CHECK(run_flush(writer, &middle, &error));
        }
    }
    CHECK(writer != NULL && run_close(writer, RUN_FINISHED, &error));
    check_frames(frames, FRAMES);
    CHECK(frames[6].bodies.rows.count == 0 && frames[FRAMES - 1].bodies.rows.count > 5);
    writer = run_resume(path, &middle, STEPS, (IoWatch){0}, &error);
    CHECK(writer != NULL);
    step = middle.steps;
    for (int k = 5; k < FRAMES && writer != NULL; k++) {
        append_steps(writer, &step, &error);
        CHECK(run_append_frame(writer, &frames[k], &error));
    }
    CHECK(writer != NULL && run_close(writer, RUN_FINISHED, &error));
    check_frames(frames, FRAMES);
    for (int k = 0; k < FRAMES; k++) {
        run_frame_free(&frames[k]);
    }
    scree_world_destroy(world);
    unlink(path);
}

/* Through the public header: only a recording that was told may change. */
static void recordings_change_if_they_say_so(void) {
    for (int changing = 0; changing < 2; changing++) {
        char message[SCREE_FILE_MESSAGE_SIZE] = "";
        ScreeWorld *world = start();
        ScreeRecord *record = NULL;
        const ScreeRecordNames names = {.changing = changing == 1};
        rig_must(scree_record_create(path, world, &names, &record, message), message);
        CHECK(scree_record_add_frame(record, world, message) == SCREE_OK);
        rig_must(scree_world_remove_bodies(world, (ScreeBodyId[]){{1}}, 1), "remove");
        rig_add_ball(world, rig_vec(9, 9, 0), 0.1, 1); /* as many as before */
        const ScreeStatus status = scree_record_add_frame(record, world, message);
        CHECK(status == (changing == 1 ? SCREE_OK : SCREE_BAD_ARGUMENT));
        CHECK(changing == 1 || strstr(message, "added or removed") != NULL);
        CHECK(scree_record_close(record, message) == SCREE_OK);
        scree_world_destroy(world);
        unlink(path);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(frames_have_those_who_are_there);
    CHECK_RUN(recordings_change_if_they_say_so);
    return check_result();
}

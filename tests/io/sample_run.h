/* Runs made of numbers that follow from their indices, so that what is read back can be
 * verified. */
#ifndef SCREE_TESTS_IO_SAMPLE_RUN_H
#define SCREE_TESTS_IO_SAMPLE_RUN_H

#include "io/run/file.h"

#include <stdlib.h>
#include <string.h>

enum {
    SAMPLE_BODIES = 37,
    SAMPLE_WALLS = 3,
    SAMPLE_LAWS = 3,
    SAMPLE_SHAPES = 2, /* each of three parts with four corners and two triangles */
    SAMPLE_STEPS_PER_FRAME = 5
};

/* The number of contacts differs from frame to frame; some frames have none. */
static inline size_t sample_contact_count(size_t frame) {
    return frame % 4 == 0 ? 0 : 10 * frame % 97;
}

/* A number that occurs nowhere else in the run. */
static inline double sample_value(size_t table, size_t frame, size_t field, size_t element) {
    return 0.1 + (double)table * 1e9 + (double)frame * 1e6 + (double)field * 1e4 + (double)element;
}

/* Numbers of bodies, shapes and materials must refer to existing ones. */
static inline int64_t sample_integer(const char *name, size_t frame, size_t element) {
    if (strcmp(name, "part_end") == 0) {
        return 3 * (int64_t)(element + 1);
    }
    if (strcmp(name, "corner_end") == 0) {
        return 4 * (int64_t)(element + 1);
    }
    if (strcmp(name, "face_end") == 0) {
        return 2 * (int64_t)(element + 1);
    }
    if (strcmp(name, "loop_end") == 0) {
        return 3 * (int64_t)(element + 1);
    }
    if (strcmp(name, "vertex_end") == 0) {
        return 4 * (int64_t)(element + 1);
    }
    if (strcmp(name, "triangle_end") == 0) {
        return 2 * (int64_t)(element + 1);
    }
    if (strcmp(name, "vertex") == 0 || strcmp(name, "corner") == 0) {
        return (int64_t)(element % 4);
    }
    if (strcmp(name, "a") == 0) {
        return (int64_t)((element + frame) % SAMPLE_BODIES);
    }
    if (strcmp(name, "b") == 0) {
        return (int64_t)((element * 7 + frame) % (SAMPLE_BODIES + SAMPLE_WALLS)) - SAMPLE_WALLS;
    }
    return (int64_t)((element + frame) % 2);
}

/* Visits every value of the rows, to fill or to compare it. */
static inline bool sample_rows(RunTableId id, size_t frame, void *rows, bool fill) {
    const RunTable *table = run_table(id);
    size_t count = ((RunRows *)rows)->count;
    bool same = true;
    for (int i = 0; i < table->field_count; i++) {
        const RunField *field = &table->fields[i];
        for (size_t k = 0; k < count * (size_t)field->width; k++) {
            void *array = run_rows_field(rows, field);
            if (field->type == RUN_TYPE_double) {
                double *value = (double *)array + k;
                double expected = sample_value(id, frame, (size_t)i, k);
                *value = fill ? expected : *value;
                same = same && *value == expected;
            } else if (field->type == RUN_TYPE_int64_t) {
                int64_t *value = (int64_t *)array + k,
                        expected = sample_integer(field->name, frame, k);
                *value = fill ? expected : *value;
                same = same && *value == expected;
            } else {
                int32_t *value = (int32_t *)array + k;
                int32_t expected = (int32_t)sample_integer(field->name, frame, k);
                *value = fill ? expected : *value;
                same = same && *value == expected;
            }
        }
    }
    return same;
}

static inline ScreeReport sample_report(size_t index) {
    ScreeReport report;
    double seed = (double)index;
#define X(type, name, dimension, meaning) report.name = (type)(seed += 1000.25);
    SCREE_REPORT_MAP(X)
#undef X
    report.step = (int64_t)index + 1;
    return report;
}

static inline bool sample_report_same(const ScreeReport *a, const ScreeReport *b) {
    bool same = true;
#define X(type, name, dimension, meaning) same = same && a->name == b->name;
    SCREE_REPORT_MAP(X)
#undef X
    return same;
}

static inline bool sample_frame(size_t index, RunFrame *frame) {
    frame->time = 0.5 * (double)index;
    frame->step = (int64_t)(index * SAMPLE_STEPS_PER_FRAME);
    bool ok = run_rows_resize(RUN_BODIES, &frame->bodies, SAMPLE_BODIES) &&
              run_rows_resize(RUN_WALLS, &frame->walls, SAMPLE_WALLS) &&
              run_rows_resize(RUN_WALL_DRIVES, &frame->drives, SAMPLE_WALLS) &&
              run_rows_resize(RUN_HOLDERS, &frame->holders, SAMPLE_BODIES) &&
              run_rows_resize(RUN_SEARCH, &frame->search, 1) &&
              run_rows_resize(RUN_CELL, &frame->cell, 1) &&
              run_rows_resize(RUN_CONTACTS, &frame->contacts, sample_contact_count(index));
    return ok && sample_rows(RUN_BODIES, index, &frame->bodies, true) &&
           sample_rows(RUN_WALLS, index, &frame->walls, true) &&
           sample_rows(RUN_WALL_DRIVES, index, &frame->drives, true) &&
           sample_rows(RUN_HOLDERS, index, &frame->holders, true) &&
           sample_rows(RUN_SEARCH, index, &frame->search, true) &&
           sample_rows(RUN_CELL, index, &frame->cell, true) &&
           sample_rows(RUN_CONTACTS, index, &frame->contacts, true);
}

static inline bool sample_frame_same(size_t index, RunFrame *frame) {
    return frame->time == 0.5 * (double)index &&
           frame->step == (int64_t)(index * SAMPLE_STEPS_PER_FRAME) &&
           frame->bodies.rows.count == SAMPLE_BODIES && frame->walls.rows.count == SAMPLE_WALLS &&
           frame->contacts.rows.count == sample_contact_count(index) &&
           sample_rows(RUN_BODIES, index, &frame->bodies, false) &&
           sample_rows(RUN_WALLS, index, &frame->walls, false) &&
           sample_rows(RUN_WALL_DRIVES, index, &frame->drives, false) &&
           sample_rows(RUN_HOLDERS, index, &frame->holders, false) &&
           sample_rows(RUN_CONTACTS, index, &frame->contacts, false);
}

static inline bool sample_header(RunHeader *header) {
    memset(header, 0, sizeof *header);
    header->identity = 0xfedcba9876543210u;
    header->dimension = 3;
    header->engine = SCREE_ENGINE_SOFT;
    header->method = SCREE_METHOD_NEWTON;
    header->tolerance = 1e-5;
    header->time_step = 1e-3;
    header->theta = 0.75;
    header->gravity[2] = -9.81;
    header->periodic[1] = 1;
    header->cell_max[1] = 4.5;
    header->scene_name = strdup("sample.yaml");
    header->scene_text = strdup("dimension: 3\n# gr\xc3\xbc\xc3\x9f"
                                "e\n");
    if (header->scene_name == NULL || header->scene_text == NULL) {
        return false;
    }
    header->scene_size = strlen(header->scene_text);
    bool ok = run_names_add(&header->overrides, "time.end=3") &&
              run_names_add(&header->overrides, "seed=12") &&
              run_names_add(&header->materials, "stone") &&
              run_names_add(&header->materials, "a much longer name of a material") &&
              run_names_add(&header->walls, "floor") && run_names_add(&header->walls, "gate") &&
              run_names_add(&header->walls, "") &&
              run_rows_resize(RUN_BODY_CONSTANTS, &header->body, SAMPLE_BODIES) &&
              run_rows_resize(RUN_WALL_CONSTANTS, &header->wall, SAMPLE_WALLS) &&
              run_rows_resize(RUN_SHAPES, &header->shape, SAMPLE_SHAPES) &&
              run_rows_resize(RUN_SHAPE_PARTS, &header->shape_part, 3 * SAMPLE_SHAPES) &&
              run_rows_resize(RUN_SHAPE_CORNERS, &header->shape_corner, 12 * SAMPLE_SHAPES) &&
              run_rows_resize(RUN_SHAPE_FACES, &header->shape_face, 6 * SAMPLE_SHAPES) &&
              run_rows_resize(RUN_SHAPE_LOOPS, &header->shape_loop, 18 * SAMPLE_SHAPES) &&
              run_rows_resize(RUN_LAWS, &header->laws, SAMPLE_LAWS);
    return ok && sample_rows(RUN_SHAPES, 0, &header->shape, true) &&
           sample_rows(RUN_SHAPE_PARTS, 0, &header->shape_part, true) &&
           sample_rows(RUN_SHAPE_CORNERS, 0, &header->shape_corner, true) &&
           sample_rows(RUN_SHAPE_FACES, 0, &header->shape_face, true) &&
           sample_rows(RUN_SHAPE_LOOPS, 0, &header->shape_loop, true) &&
           sample_rows(RUN_LAWS, 0, &header->laws, true) &&
           sample_rows(RUN_BODY_CONSTANTS, 0, &header->body, true) &&
           sample_rows(RUN_WALL_CONSTANTS, 0, &header->wall, true);
}

/* The same with walls that hold bodies, and with two surfaces, each of two triangles; the first two walls
 * are made of them. */
static inline bool sample_header_with_meshes(RunHeader *header) {
    enum { MESHES = 2 };
    bool ok = sample_header(header);
    header->plates = true;
    ok = ok && run_rows_resize(RUN_MESHES, &header->mesh, MESHES) &&
         run_rows_resize(RUN_MESH_VERTICES, &header->mesh_vertex, 4 * MESHES) &&
         run_rows_resize(RUN_MESH_TRIANGLES, &header->mesh_triangle, 2 * MESHES) &&
         run_rows_resize(RUN_MESH_WALLS, &header->mesh_wall, SAMPLE_WALLS) &&
         sample_rows(RUN_MESHES, 0, &header->mesh, true) &&
         sample_rows(RUN_MESH_VERTICES, 0, &header->mesh_vertex, true) &&
         sample_rows(RUN_MESH_TRIANGLES, 0, &header->mesh_triangle, true);
    for (int32_t i = 0; ok && i < SAMPLE_WALLS; i++) {
        header->mesh_wall.mesh[i] = i < MESHES ? i : -1;
        header->mesh_wall.part[i] = -1;
        header->wall.shape[i] = i < MESHES ? SCREE_WALL_MESH : SCREE_WALL_PLANE;
    }
    return ok;
}

/* Appends frame `index` and the steps that lead to it. */
static inline bool sample_append(RunWriter *writer, size_t index, RunFrame *frame, IoError *error) {
    for (size_t i = 0; index > 0 && i < SAMPLE_STEPS_PER_FRAME; i++) {
        ScreeReport report = sample_report((index - 1) * SAMPLE_STEPS_PER_FRAME + i);
        if (!run_append_step(writer, &report, error)) {
            return false;
        }
    }
    return sample_frame(index, frame) && run_append_frame(writer, frame, error);
}

static inline RunWriter *sample_create_with(bool make_header(RunHeader *header), const char *path,
                                            IoError *error) {
    RunHeader header;
    RunWriter *writer = NULL;
    if (make_header(&header)) {
        writer = run_create(path, &header, SAMPLE_STEPS_PER_FRAME, error);
    }
    run_header_free(&header);
    return writer;
}

static inline RunWriter *sample_create(const char *path, IoError *error) {
    return sample_create_with(sample_header, path, error);
}

/* A whole run of `frames` frames; false on error. */
static inline bool sample_run_with(bool make_header(RunHeader *header), const char *path,
                                   size_t frames, IoError *error) {
    RunWriter *writer = sample_create_with(make_header, path, error);
    RunFrame frame = {0};
    bool ok = writer != NULL;
    for (size_t i = 0; ok && i < frames; i++) {
        ok = sample_append(writer, i, &frame, error);
    }
    run_frame_free(&frame);
    return run_close(writer, RUN_FINISHED, error) && ok;
}

static inline bool sample_run(const char *path, size_t frames, IoError *error) {
    return sample_run_with(sample_header, path, frames, error);
}

/* Whether every frame and step that the reader offers is right. */
static inline bool sample_run_same(RunReader *reader, IoError *error) {
    RunFrame frame = {0};
    RunSteps steps = {0};
    size_t count = run_frame_count(reader);
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        ok = run_read_frame(reader, i, &frame, error) && sample_frame_same(i, &frame);
    }
    size_t expected = count > 0 ? (count - 1) * SAMPLE_STEPS_PER_FRAME : 0;
    ok = ok && run_step_count(reader) == expected &&
         run_read_steps(reader, 0, run_step_count(reader), &steps, error);
    for (size_t i = 0; ok && i < steps.rows.count; i++) {
        ScreeReport got = run_steps_get(&steps, i), wanted = sample_report(i);
        if (run_header(reader)->version < 4) {
            wanted.residual_associated = 0; /* older versions did not store it */
        }
        if (run_header(reader)->version < 6) {
            wanted.strides = 0;
        }
        ok = sample_report_same(&got, &wanted);
    }
    run_frame_free(&frame);
    run_rows_free(RUN_STEPS, &steps);
    return ok;
}

#endif

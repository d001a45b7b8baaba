/* What the fuzz targets do with a run file: everything that the reader offers is read. */
#ifndef SCREE_TESTS_IO_FUZZ_READ_H
#define SCREE_TESTS_IO_FUZZ_READ_H

#include "io/run/shapes.h"

#include <stdlib.h>

enum { FUZZ_CORNERS = 100, FUZZ_PARTS = 100 };

static inline void fuzz_draw(const double *corner, size_t count, double rounding) {
    const ScreeShapePart part = {(int32_t)count, rounding};
    size_t points = 0;
    (void)scree_shape_part_draw(&part, (const ScreeVec3 *)(const void *)corner, NULL, &points);
}

/* Of its kind or not, it has a farthest point, or is refused. */
static inline void fuzz_look_at_smooth_part(const RunPart *part, const double *corner) {
    const ScreeSolidPart solid = run_solid_part(part);
    const ScreeVec3 direction = {0.1, -1, 0.3};
    size_t points = 0, triangles = 0;
    ScreeVec3 at;
    (void)scree_solid_part_support(&solid, (const ScreeVec3 *)(const void *)corner, direction, &at);
    (void)scree_solid_part_draw(&solid, (const ScreeVec3 *)(const void *)corner, NULL, NULL, NULL,
                                &points, NULL, &triangles);
}

/* Every corner of every body, the curves of the first shapes, and what is smooth. */
static inline void fuzz_look_at_shapes(const RunHeader *header, const RunFrame *frame) {
    for (size_t i = 0; i < frame->bodies.rows.count; i++) {
        size_t first = 0, parts = run_body_parts(header, frame, i, &first);
        for (size_t k = first; k < first + parts && k < first + FUZZ_PARTS; k++) {
            RunPart part = run_shape_part(header, k);
            const double *corner = &header->shape_corner.position[3 * part.first];
            double at[3];
            run_body_point(&frame->bodies, i, &corner[3 * (part.count - 1)], at);
            if (part.kind != SCREE_PART_POLYHEDRON) {
                fuzz_look_at_smooth_part(&part, corner);
            } else if (i < FUZZ_PARTS && part.count < FUZZ_CORNERS) {
                fuzz_draw(corner, part.count, part.rounding);
            }
        }
    }
}

static inline void fuzz_look_at_wall(const RunHeader *header, size_t wall) {
    if (header->wall.shape[wall] != SCREE_WALL_MESH) {
        return;
    }
    const size_t mesh = (size_t)header->mesh_wall.mesh[wall];
    const int64_t vertex = mesh > 0 ? header->mesh.vertex_end[mesh - 1] : 0;
    for (int64_t t = mesh > 0 ? header->mesh.triangle_end[mesh - 1] : 0;
         t < header->mesh.triangle_end[mesh]; t++) {
        for (int k = 0; k < 3; k++) {
            int64_t at = vertex + header->mesh_triangle.corner[3 * t + k];
            if (at < vertex || at >= header->mesh.vertex_end[mesh]) {
                abort();
            }
        }
    }
}

static inline void fuzz_read_all(RunReader *reader) {
    IoError error = {0};
    RunFrame frame = {0};
    RunSteps steps = {0};
    size_t frames = run_frame_count(reader);
    for (size_t i = 0; i < frames && i < 4; i++) {
        if (run_read_frame(reader, i, &frame, &error)) {
            fuzz_look_at_shapes(run_header(reader), &frame);
        }
    }
    size_t count = run_step_count(reader);
    run_read_steps(reader, 0, count < 1000 ? count : 1000, &steps, &error);
    const RunHeader *header = run_header(reader);
    for (size_t i = 0; i < header->wall.rows.count; i++) { /* every triangle of every wall */
        fuzz_look_at_wall(header, i);
    }
    RunRecords records = {0};
    count = run_record_count(reader);
    run_read_records(reader, 0, count < 1000 ? count : 1000, &records, &error);
    run_rows_free(RUN_RECORDS, &records);
    run_frame_free(&frame);
    run_rows_free(RUN_STEPS, &steps);
}

/* Opens and reads; HDF5 is closed afterwards, since what it leaks on damaged files would add up. */
static inline void fuzz_read_file(const char *path) {
    IoError error = {0};
    RunReader *reader = run_open(path, &error);
    if (reader != NULL) {
        fuzz_read_all(reader);
        run_reader_free(reader);
    }
    run_library_close();
}

#endif

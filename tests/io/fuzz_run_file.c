/* libFuzzer target: any bytes as a run file. Everything that the reader offers is read. Flaws
 * inside HDF5 itself are not ours to fix; docs/run-file.md names the known ones. */
#include "io/run/shapes.h"

#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_CORNERS = 100, MOST_PARTS = 100 };

static void draw(const double *corner, size_t count, double rounding) {
    const ScreeShapePart part = {(int32_t)count, rounding};
    size_t points = 0;
    (void)scree_shape_part_draw(&part, (const ScreeVec3 *)(const void *)corner, NULL, &points);
}

/* Every corner of every body, and the curves of the first shapes. */
static void look_at_shapes(const RunHeader *header, const RunFrame *frame) {
    for (size_t i = 0; i < frame->bodies.rows.count; i++) {
        size_t first = 0, parts = run_body_parts(header, i, &first);
        for (size_t k = first; k < first + parts && k < first + MOST_PARTS; k++) {
            RunPart part = run_shape_part(header, k);
            const double *corner = &header->shape_corner.position[3 * part.first];
            double at[3];
            run_body_point(&frame->bodies, i, &corner[3 * (part.count - 1)], at);
            if (i < MOST_PARTS && part.count < MOST_CORNERS) {
                draw(corner, part.count, part.rounding);
            }
        }
    }
}

static void read_everything(RunReader *reader) {
    IoError error = {0};
    RunFrame frame = {0};
    RunSteps steps = {0};
    size_t frames = run_frame_count(reader);
    for (size_t i = 0; i < frames && i < 4; i++) {
        if (run_read_frame(reader, i, &frame, &error)) {
            look_at_shapes(run_header(reader), &frame);
        }
    }
    size_t count = run_step_count(reader);
    run_read_steps(reader, 0, count < 1000 ? count : 1000, &steps, &error);
    RunRecords records = {0};
    count = run_record_count(reader);
    run_read_records(reader, 0, count < 1000 ? count : 1000, &records, &error);
    run_rows_free(RUN_RECORDS, &records);
    run_frame_free(&frame);
    run_rows_free(RUN_STEPS, &steps);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[] = "/tmp/scree-fuzz-XXXXXX";
    int file = mkstemp(path);
    if (file < 0) {
        return 0;
    }
    bool written = write(file, data, size) == (ssize_t)size;
    close(file);
    IoError error = {0};
    RunReader *reader = written ? run_open(path, &error) : NULL;
    if (reader != NULL) {
        read_everything(reader);
        run_reader_free(reader);
    }
    run_library_close(); /* what HDF5 leaks on damaged files would add up */
    unlink(path);
    return 0;
}

/* Measures recorded during a run: they are read back, end with the last frame, survive a resumed
 * run, and take no space where there are none. */
#include "check.h"
#include "io/sample_run.h"

#include <hdf5.h>
#include <unistd.h>

static const char path[] = "test-records.h5";

enum { FRAMES = 12, FAST = 2, SLOW = 5 }; /* series 0 every 2 steps, series 1 every 5 */

static ScreeMeasures measures_of(int32_t series, int64_t step) {
    ScreeMeasures m;
    double seed = 1e6 * series + (double)step;
#define X(type, name, dimension, meaning) m.name = (type)(seed += 1e7);
    SCREE_MEASURE_MAP(X)
#undef X
    m.coordination = NAN; /* undefined numbers stay undefined */
    return m;
}

static bool same_measures(const ScreeMeasures *a, const ScreeMeasures *b) {
    bool same = isnan(a->coordination) && isnan(b->coordination);
    ScreeMeasures x = *a, y = *b;
    x.coordination = y.coordination = 0;
#define X(type, name, dimension, meaning) same = same && x.name == y.name;
    SCREE_MEASURE_MAP(X)
#undef X
    return same;
}

static RunWriter *create(IoError *error) {
    RunHeader header;
    RunWriter *writer = NULL;
    bool ok = sample_header(&header) && run_names_add(&header.series, "middle") &&
              run_names_add(&header.series, "all of it") &&
              run_rows_resize(RUN_SERIES, &header.series_of, 2);
    if (ok) {
        sample_rows(RUN_SERIES, 0, &header.series_of, true);
        writer = run_create(path, &header, SAMPLE_STEPS_PER_FRAME, error);
    }
    run_header_free(&header);
    return writer;
}

static bool append_record(RunWriter *writer, int32_t series, int64_t step, IoError *error) {
    const ScreeMeasures m = measures_of(series, step);
    return run_append_record(writer, series, step, 0.1 * (double)step, &m, error);
}

/* Steps `from` to `to` (counted from 1), with their records and the frames that are due. */
static bool make_steps(RunWriter *writer, int64_t from, int64_t to, IoError *error) {
    RunFrame frame = {0};
    bool ok = true;
    for (int64_t step = from; ok && step <= to; step++) {
        ScreeReport report = sample_report((size_t)step - 1);
        ok = run_append_step(writer, &report, error) &&
             (step % FAST != 0 || append_record(writer, 0, step, error)) &&
             (step % SLOW != 0 || append_record(writer, 1, step, error));
        if (ok && step % SAMPLE_STEPS_PER_FRAME == 0) {
            ok = sample_frame((size_t)(step / SAMPLE_STEPS_PER_FRAME), &frame) &&
                 run_append_frame(writer, &frame, error);
        }
    }
    run_frame_free(&frame);
    return ok;
}

static bool begin_run(RunWriter *writer, IoError *error) {
    RunFrame frame = {0};
    bool ok = writer != NULL && append_record(writer, 0, 0, error) &&
              append_record(writer, 1, 0, error) && sample_frame(0, &frame) &&
              run_append_frame(writer, &frame, error);
    run_frame_free(&frame);
    return ok;
}

/* All records up to a step are there, in the order of steps and series, and no others. */
static void check_records(int64_t last) {
    IoError error = {0};
    RunRecords rows = {0};
    RunReader *reader = run_open(path, &error);
    CHECK(reader != NULL);
    if (reader == NULL) {
        fprintf(stderr, "%s\n", error.text);
        return;
    }
    RunHeader *header = (RunHeader *)(uintptr_t)run_header(reader);
    CHECK(header->series.count == 2 && strcmp(header->series.name[1], "all of it") == 0);
    CHECK(sample_rows(RUN_SERIES, 0, &header->series_of, false));
    size_t count = run_record_count(reader), at = 0;
    CHECK(run_read_records(reader, 0, count, &rows, &error));
    for (int64_t step = 0; step <= last; step++) {
        for (int32_t series = 0; series < 2; series++) {
            if (step % (series == 0 ? FAST : SLOW) != 0) {
                continue;
            }
            CHECK(at < count && rows.step[at] == step && rows.series[at] == series);
            if (at >= count) {
                break;
            }
            ScreeMeasures got = run_records_get(&rows, at), wanted = measures_of(series, step);
            CHECK(same_measures(&got, &wanted) && rows.time[at] == 0.1 * (double)step);
            at++;
        }
    }
    CHECK(at == count);
    CHECK(!run_read_records(reader, 0, 1 << 20, &rows, &error));
    run_rows_free(RUN_RECORDS, &rows);
    run_reader_free(reader);
}

static void records_are_read_back(void) {
    IoError error = {0};
    int64_t last = (FRAMES - 1) * SAMPLE_STEPS_PER_FRAME;
    RunWriter *writer = create(&error);
    CHECK(begin_run(writer, &error) && make_steps(writer, 1, last, &error));
    check_records(last); /* while it is being written */
    CHECK(run_close(writer, RUN_FINISHED, &error));
    check_records(last);
}

/* A checkpoint between frames, more steps, then a kill: the run resumes from the checkpoint, and
 * nothing after it is there twice. */
static void resumed_runs_hold_no_record_twice(void) {
    IoError error = {0};
    RunPosition position;
    RunWriter *writer = create(&error);
    CHECK(begin_run(writer, &error) && make_steps(writer, 1, 23, &error));
    CHECK(run_flush(writer, &position, &error));
    check_records(20); /* the last frame */
    CHECK(make_steps(writer, 24, 38, &error));
    CHECK(run_close(writer, RUN_INTERRUPTED, &error));
    writer = run_resume(path, &position, SAMPLE_STEPS_PER_FRAME, (IoWatch){0}, &error);
    CHECK(writer != NULL && make_steps(writer, 24, 40, &error));
    CHECK(run_close(writer, RUN_FINISHED, &error));
    check_records(40);
}

static void runs_without_records_take_no_space(void) {
    IoError error = {0};
    RunRecords rows = {0};
    CHECK(sample_run(path, 3, &error));
    RunReader *reader = run_open(path, &error);
    CHECK(reader != NULL && run_record_count(reader) == 0 && run_header(reader)->series.count == 0);
    CHECK(run_read_records(reader, 0, 0, &rows, &error) || error.kind != IO_NO_ERROR);
    run_rows_free(RUN_RECORDS, &rows);
    run_reader_free(reader);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    CHECK(H5Lexists(file, "measures", H5P_DEFAULT) == 0);
    H5Fclose(file);
}

/* The number of a series that does not exist is not used as an index. */
static void damaged_records_are_refused(void) {
    IoError error = {0};
    RunRecords rows = {0};
    RunWriter *writer = create(&error);
    CHECK(begin_run(writer, &error) && run_close(writer, RUN_FINISHED, &error));
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t data = H5Dopen2(file, "measures/rows/series", H5P_DEFAULT);
    const int32_t wrong[2] = {0, 7};
    CHECK(H5Dwrite(data, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, wrong) >= 0);
    H5Dclose(data);
    H5Fclose(file);
    RunReader *reader = run_open(path, &error);
    CHECK(reader != NULL && !run_read_records(reader, 0, 2, &rows, &error));
    CHECK(strstr(error.text, "measures/rows/series") != NULL);
    run_rows_free(RUN_RECORDS, &rows);
    run_reader_free(reader);
}

int main(int argc, char **argv) {
    CHECK_RUN(records_are_read_back);
    CHECK_RUN(resumed_runs_hold_no_record_twice);
    CHECK_RUN(runs_without_records_take_no_space);
    CHECK_RUN(damaged_records_are_refused);
    unlink(path);
    run_library_close();
    return check_result();
}

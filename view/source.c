#include "view/source.h"
#include "view/describe.h"
#include "view/series.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct ViewSource {
    char *path;
    IoWatch watch;
    RunReader *reader;
    struct stat seen; /* the file when it was opened */
    uint64_t identity;
    bool has_origin, beside;
    double origin[3];
    RunFrame frame; /* the frame that was read last */
    size_t frame_number;
    bool has_frame;
    ViewSeries series;
};

/* ---------------------------------------------------------------- opening */

static bool read_frame(ViewSource *source, size_t number, IoError *error) {
    if (source->has_frame && source->frame_number == number) {
        return true;
    }
    source->has_frame = run_read_frame(source->reader, number, &source->frame, error);
    source->frame_number = number;
    return source->has_frame;
}

/* Chosen once there is a frame, and never changed: the page has positions relative to it. */
static bool choose_origin(ViewSource *source, IoError *error) {
    if (!source->has_origin && run_frame_count(source->reader) > 0) {
        if (!read_frame(source, 0, error)) {
            return false;
        }
        view_choose_origin(run_header(source->reader), &source->frame, source->origin);
        source->has_origin = true;
    }
    return true;
}

/* Reads the steps added since the last time. */
static bool read_series(ViewSource *source, IoError *error) {
    RunWalk walk = {.reader = source->reader,
                    .next = source->series.steps,
                    .end = run_step_count(source->reader)};
    ScreeReport report;
    bool ok = true;
    while (ok && run_walk(&walk, &report, error)) {
        ok = view_series_add(&source->series, &report) || io_no_memory(error, source->path);
        if (ok && !io_goes_on(source->watch, (double)walk.next / (double)walk.end)) {
            ok = io_error(error, IO_FAILED, "%s: is not read to its end: a signal", source->path);
        }
    }
    return run_walk_end(&walk) && ok;
}

ViewSource *view_source_open(const char *path, IoWatch watch, IoError *error) {
    ViewSource *source = calloc(1, sizeof *source);
    if (source == NULL || (source->path = strdup(path)) == NULL) {
        io_no_memory(error, path);
        view_source_close(source);
        return NULL;
    }
    source->watch = watch;
    (void)stat(path, &source->seen);
    source->reader = run_open(path, error);
    if (source->reader == NULL || !choose_origin(source, error)) {
        view_source_close(source);
        return NULL;
    }
    source->identity = view_identity(run_header(source->reader));
    return source;
}

void view_source_close(ViewSource *source) {
    if (source == NULL) {
        return;
    }
    run_frame_free(&source->frame);
    view_series_free(&source->series);
    run_reader_free(source->reader);
    free(source->path);
    free(source);
}

static bool changed(const struct stat *a, const struct stat *b) {
    return a->st_size != b->st_size || a->st_ino != b->st_ino || a->st_dev != b->st_dev ||
           a->st_mtim.tv_sec != b->st_mtim.tv_sec || a->st_mtim.tv_nsec != b->st_mtim.tv_nsec;
}

/* HDF5 would serve a file that is already open from memory, as it was; so it must be closed before
 * it is opened again. */
void view_source_refresh(ViewSource *source) {
    struct stat now;
    bool there = stat(source->path, &now) == 0;
    if (!there || (source->reader != NULL && !changed(&now, &source->seen))) {
        return;
    }
    run_reader_free(source->reader);
    source->has_frame = false;
    source->seen = now;
    source->reader = run_open(source->path, NULL);
    if (source->reader == NULL) {
        return; /* perhaps it works next time */
    }
    uint64_t identity = view_identity(run_header(source->reader));
    bool other = identity != source->identity;
    if (other || run_step_count(source->reader) < source->series.steps) {
        view_series_free(&source->series);
    }
    source->has_origin = source->has_origin && !other;
    source->identity = identity;
    (void)choose_origin(source, NULL);
}

void view_source_set_beside(ViewSource *source) {
    source->beside = true;
}

const RunReader *view_source_reader(const ViewSource *source) {
    return source->reader;
}

/* ---------------------------------------------------------------- answers */

bool view_source_manifest(ViewSource *source, const size_t *frames, size_t count, double share,
                          ViewBytes *into, IoError *error) {
    const char *slash = strrchr(source->path, '/');
    ViewContent content = {.file = slash != NULL ? slash + 1 : source->path,
                           .frame = frames,
                           .count = frames != NULL ? count : run_frame_count(source->reader),
                           .small = frames != NULL,
                           .beside = source->beside,
                           .contact_share = share,
                           .going = frames == NULL && run_writing_process(source->path) != 0};
    memcpy(content.origin, source->origin, sizeof content.origin);
    view_describe(source->reader, &content, into);
    return !into->failed || io_no_memory(error, source->path);
}

bool view_source_frame(ViewSource *source, size_t frame, ViewStyle *style, ViewBytes *bodies,
                       ViewBytes *contacts, IoError *error) {
    if (!read_frame(source, frame, error)) {
        return false;
    }
    const RunHeader *header = run_header(source->reader);
    memcpy(style->origin, source->origin, sizeof style->origin);
    if (bodies != NULL) {
        view_encode_bodies(header, &source->frame, style, bodies);
    }
    if (contacts != NULL) {
        view_encode_contacts(header, &source->frame, style, contacts);
    }
    bool failed = (bodies != NULL && bodies->failed) || (contacts != NULL && contacts->failed);
    return !failed || io_no_memory(error, source->path);
}

/* Strips "WORD/" from the front. */
static bool take_word(const char **name, const char *word) {
    size_t length = strlen(word);
    if (strncmp(*name, word, length) != 0 || (*name)[length] != '/') {
        return false;
    }
    *name += length + 1;
    return true;
}

/* Strips a number below `limit` from the front: digits only, without leading zeros. */
static bool take_number(const char **name, size_t limit, size_t *number) {
    const char *at = *name;
    size_t value = 0;
    while (*at >= '0' && *at <= '9' && at - *name < 12) {
        value = 10 * value + (size_t)(*at++ - '0');
    }
    if (at == *name || (**name == '0' && at - *name > 1) || value >= limit) {
        return false;
    }
    *name = at;
    *number = value;
    return true;
}

/* "K/body/I": one row of a frame. */
static ViewAnswer answer_exact(ViewSource *source, const char *name, ViewBytes *into,
                               IoError *error) {
    size_t frame = 0, row = 0;
    if (!take_number(&name, run_frame_count(source->reader), &frame) || *name++ != '/') {
        return VIEW_UNKNOWN;
    }
    if (!read_frame(source, frame, error)) {
        return VIEW_FAILED;
    }
    const struct {
        const char *word;
        RunTableId id;
        const void *rows;
    } tables[] = {{"body", RUN_BODIES, &source->frame.bodies},
                  {"contact", RUN_CONTACTS, &source->frame.contacts},
                  {"wall", RUN_WALLS, &source->frame.walls}};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        const RunRows *rows = tables[i].rows;
        if (take_word(&name, tables[i].word)) {
            if (!take_number(&name, rows->count, &row) || *name != '\0') {
                return VIEW_UNKNOWN;
            }
            view_describe_row(tables[i].id, rows, row, into);
            return VIEW_JSON;
        }
    }
    return VIEW_UNKNOWN;
}

static ViewAnswer answer_frame(ViewSource *source, const char *name, ViewBytes *into,
                               IoError *error) {
    ViewStyle style = {.share = 1};
    size_t frame = 0, count = run_frame_count(source->reader);
    bool bodies = take_word(&name, "bodies");
    if ((!bodies && !take_word(&name, "contacts")) || !take_number(&name, count, &frame) ||
        *name != '\0') {
        return VIEW_UNKNOWN;
    }
    return view_source_frame(source, frame, &style, bodies ? into : NULL, bodies ? NULL : into,
                             error)
               ? VIEW_BLOCK
               : VIEW_FAILED;
}

ViewAnswer view_source_answer(ViewSource *source, const char *name, ViewBytes *into,
                              IoError *error) {
    ViewAnswer answer = VIEW_BLOCK;
    if (source->reader == NULL) {
        io_error(error, IO_BAD_FILE, "%s: cannot be read any more", source->path);
        return VIEW_FAILED;
    }
    if (strcmp(name, "manifest") == 0) {
        return view_source_manifest(source, NULL, 0, 1, into, error) ? VIEW_JSON : VIEW_FAILED;
    }
    if (strcmp(name, "constants") == 0) {
        view_encode_constants(run_header(source->reader), into);
    } else if (strcmp(name, "steps") == 0) {
        if (!read_series(source, error)) {
            return VIEW_FAILED;
        }
        view_series_encode(&source->series, into);
    } else if (take_word(&name, "exact")) {
        answer = answer_exact(source, name, into, error);
    } else {
        answer = answer_frame(source, name, into, error);
    }
    if (into->failed) {
        io_no_memory(error, source->path);
        return VIEW_FAILED;
    }
    return answer;
}

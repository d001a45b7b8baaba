#include "view/html.h"
#include "io/aside.h"
#include "io/base64.h"
#include "view/page.h"
#include "view/source.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Contacts are left out before there are fewer frames than FRAMES_WANTED: a viewer is for watching
 * motion. A smaller share of contacts than least_share is not worth its room. */
enum { FRAMES_WANTED = 60, SAMPLES = 6 };
static const double least_share = 0.05;

/* One run, as it goes into the file. */
typedef struct Job {
    ViewSource *source;
    const char *path;   /* of the file */
    const char *prefix; /* of the names of its elements */
    double room;        /* for all of its elements */
    double page;        /* size of the page without them */
    size_t total;       /* frames in the run */
    size_t count;       /* frames in the file */
    double share;       /* of the contacts, in the file */
    size_t *frame;
    ViewBytes text; /* its elements */
    IoError *error;
} Job;

static void add_base64(const unsigned char *data, size_t size, ViewBytes *into) {
    char *at = view_bytes_extend(into, (size + 2) / 3 * 4);
    for (size_t i = 0; at != NULL && i < size; i += 3, at += 4) {
        io_base64(data + i, size - i, at);
    }
}

/* Deflates (in zlib's format), encodes in base64, and appends the text to `into`. */
static void pack(const ViewBytes *from, ViewBytes *into) {
    ViewBytes packed = {0};
    uLongf size = compressBound((uLong)from->size);
    unsigned char *place = view_bytes_extend(&packed, size);
    if (from->failed || place == NULL ||
        compress2(place, &size, from->data, (uLong)from->size, 6) != Z_OK) {
        into->failed = true;
    } else {
        add_base64(place, size, into);
    }
    view_bytes_free(&packed);
}

/* Adds a piece of data as an element of the page that browsers do not execute. */
static void add_element(Job *job, const char *name, const ViewBytes *data) {
    view_print(&job->text, "<script type=\"text/plain\" data-scree=\"%s%s\">", job->prefix, name);
    pack(data, &job->text);
    view_print(&job->text, "</script>\n");
}

static void add_numbered(Job *job, const char *name, size_t number, const ViewBytes *data) {
    char whole[48];
    snprintf(whole, sizeof whole, "%s/%zu", name, number);
    add_element(job, whole, data);
}

static bool add_frame(Job *job, size_t frame, size_t number) {
    ViewStyle style = {.small = true, .share = job->share};
    ViewBytes bodies = {0}, contacts = {0};
    bool ok = view_source_frame(job->source, frame, &style, &bodies,
                                job->share > 0 ? &contacts : NULL, job->error);
    if (ok) {
        add_numbered(job, "bodies", number, &bodies);
    }
    if (ok && job->share > 0) {
        add_numbered(job, "contacts", number, &contacts);
    }
    view_bytes_free(&bodies);
    view_bytes_free(&contacts);
    return ok;
}

/* Picks frames evenly, from the first to the last. */
static void spread(size_t total, size_t count, size_t *frame) {
    for (size_t i = 0; i < count; i++) {
        frame[i] = count > 1 ? (i * (total - 1) + (count - 1) / 2) / (count - 1) : total - 1;
    }
}

static bool add_answer(Job *job, const char *name) {
    ViewBytes data = {0};
    ViewAnswer answer = view_source_answer(job->source, name, &data, job->error);
    bool ok = answer == VIEW_JSON || answer == VIEW_BLOCK;
    if (ok) {
        add_element(job, name, &data);
    }
    view_bytes_free(&data);
    return ok;
}

static bool add_manifest(Job *job) {
    ViewBytes data = {0};
    bool ok = view_source_manifest(job->source, job->frame, job->count,
                                   job->share > 0 ? job->share : -1, &data, job->error);
    if (ok) {
        add_element(job, "manifest", &data);
    }
    view_bytes_free(&data);
    return ok;
}

static bool enough_memory(Job *job) {
    return !job->text.failed || io_no_memory(job->error, job->path);
}

/* Composes the elements as planned; stops early when they have grown beyond their room. */
static bool compose(Job *job) {
    job->text.size = 0;
    spread(job->total, job->count, job->frame);
    bool ok = add_manifest(job) && add_answer(job, "constants") && add_answer(job, "steps");
    for (size_t i = 0; ok && i < job->count && (double)job->text.size <= job->room; i++) {
        ok = add_frame(job, job->frame[i], i) && enough_memory(job);
    }
    return ok && enough_memory(job);
}

/* ---------------------------------------------------------------- the plan */

/* Mean size in the file of the bodies and of the contacts of a frame, from a few samples, and the
 * size of everything else. */
static bool estimate(Job *job, double *fixed, double *bodies, double *contacts) {
    size_t samples = job->total < SAMPLES ? job->total : SAMPLES;
    size_t frame[SAMPLES];
    *bodies = *contacts = 0;
    job->share = 0;
    job->count = 0;
    if (!compose(job)) {
        return false;
    }
    *fixed = (double)job->text.size + 64 * (double)job->total;
    spread(job->total, samples, frame);
    for (size_t i = 0; i < samples; i++) {
        size_t size[2];
        for (int with = 0; with < 2; with++) {
            job->share = with;
            job->text.size = 0;
            if (!add_frame(job, frame[i], i) || !enough_memory(job)) {
                return false;
            }
            size[with] = job->text.size;
        }
        *bodies += (double)size[0] / (double)samples;
        *contacts += (double)(size[1] - size[0]) / (double)samples;
    }
    return true;
}

/* How many frames, and which share of the contacts, fit into `room`. */
static void plan(Job *job, double room, double bodies, double contacts) {
    double total = (double)job->total, wanted = fmin(total, FRAMES_WANTED);
    double with_all = floor(room / (bodies + contacts));
    double share = (room - wanted * bodies) / (wanted * contacts);
    if (with_all >= wanted) {
        job->count = (size_t)fmin(total, with_all);
        job->share = 1;
    } else if (share >= least_share) {
        job->count = (size_t)wanted;
        job->share = fmin(1, share);
    } else {
        job->count = (size_t)fmax(1, fmin(wanted, floor(room / bodies)));
        job->share = 0;
    }
}

/* Plans and composes; if frames turn out larger than the samples, tries again with less. */
static bool fit(Job *job, double whole_room) {
    double fixed = 0, bodies = 0, contacts = 0, room;
    job->room = whole_room;
    if (!estimate(job, &fixed, &bodies, &contacts)) {
        return false;
    }
    if (job->total == 0) { /* the page says that there is nothing yet */
        job->share = 1;
        return compose(job);
    }
    for (room = job->room - fixed; room > 0; room = 0.85 * room - 1) {
        plan(job, room, bodies, fmax(contacts, 1));
        if (!compose(job)) {
            return false;
        }
        if ((double)job->text.size <= job->room) {
            return true;
        }
        if (job->count == 1 && !(job->share > 0)) {
            break;
        }
    }
    return io_error(job->error, IO_FAILED,
                    "%s: one frame and the page need %.1f MB, more than the budget", job->path,
                    1e-6 * (job->page + fixed + bodies));
}

static bool is_thinned(const Job *job) {
    return job->count < job->total || job->share < 1;
}

/* Two runs get half of the room each; what one does not need goes to the other. */
static bool fit_all(Job *jobs, size_t count, double room) {
    Job *first = &jobs[0], *second = &jobs[1];
    if (count == 1) {
        return fit(first, room);
    }
    if (!fit(first, 0.5 * room) || !fit(second, room - (double)first->text.size)) {
        return false;
    }
    double left = room - (double)second->text.size;
    return !is_thinned(first) || !(left > 0.55 * room) || fit(first, left);
}

/* ---------------------------------------------------------------- the file */

/* The page, with the elements of the runs at its mark. */
static bool write_page(const Job *jobs, size_t count, const char *mark, FILE *file) {
    size_t size = 0, mark_length = 0;
    const char *page = view_page(&size);
    (void)view_page_mark(&mark_length);
    size_t head = (size_t)(mark - page), rest = head + mark_length;
    bool ok = fwrite(page, 1, head, file) == head;
    for (size_t i = 0; i < count; i++) {
        ok = ok && fwrite(jobs[i].text.data, 1, jobs[i].text.size, file) == jobs[i].text.size;
    }
    return ok && fwrite(page + rest, 1, size - rest, file) == size - rest;
}

static bool write_file(const char *path, const Job *jobs, size_t count, const char *mark,
                       IoError *error) {
    char *aside = io_aside(path, error);
    if (aside == NULL) {
        return false;
    }
    FILE *file = fopen(aside, "wb");
    bool ok = file != NULL && write_page(jobs, count, mark, file);
    ok = file != NULL && fclose(file) == 0 && ok;
    ok = ok || io_error(error, IO_FAILED, "%s: cannot write: %s", path, strerror(errno));
    return io_in_place(aside, path, ok, error);
}

static bool open_job(Job *job, const char *run_path) {
    job->source = view_source_open(run_path, (IoWatch){0}, job->error);
    if (job->source == NULL) {
        return false;
    }
    job->total = run_frame_count(view_source_reader(job->source));
    job->frame = malloc((job->total + 1) * sizeof *job->frame);
    return job->frame != NULL || io_no_memory(job->error, job->path);
}

static void close_job(Job *job) {
    view_bytes_free(&job->text);
    free(job->frame);
    view_source_close(job->source);
}

bool view_write_html(char *const *run_paths, size_t count, const char *html_path, double budget,
                     ViewHtmlReport *report, IoError *error) {
    static const char *const prefixes[VIEW_RUNS_MOST] = {"", VIEW_BESIDE};
    Job jobs[VIEW_RUNS_MOST] = {0};
    size_t page = 0, mark_length = 0;
    (void)view_page(&page);
    const char *mark = view_page_mark(&mark_length);
    page -= mark_length;
    bool ok = mark != NULL || io_error(error, IO_FAILED, "the viewer's page is damaged");
    for (size_t i = 0; i < count; i++) {
        jobs[i] = (Job){.path = html_path, .prefix = prefixes[i], .page = (double)page};
        jobs[i].error = error;
        ok = ok && open_job(&jobs[i], run_paths[i]);
    }
    if (ok && count > 1) {
        view_source_set_beside(jobs[0].source);
    }
    ok = ok && fit_all(jobs, count, budget - (double)page) &&
         write_file(html_path, jobs, count, mark, error);
    *report = (ViewHtmlReport){.bytes = page};
    for (size_t i = 0; i < count; i++) {
        report->bytes += jobs[i].text.size;
        report->run[i].frames = jobs[i].total;
        report->run[i].frames_kept = jobs[i].count;
        report->run[i].contact_share = jobs[i].share;
        close_job(&jobs[i]);
    }
    return ok;
}

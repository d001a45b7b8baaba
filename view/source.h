/* A run file as a source of answers for the page, by name:
 *
 *     manifest       JSON: what the run is, which frames there are
 *     constants      block: what does not change about bodies
 *     steps          block: the certificates as curves
 *     bodies/K       block: bodies and walls of frame K
 *     contacts/K     block: its contacts
 *     exact/K/body/I, exact/K/contact/I, exact/K/wall/I    JSON: one row with all digits
 *
 * The run may still be in progress: view_source_refresh looks for new frames. Not for use by
 * several threads at once. */
#ifndef SCREE_VIEW_SOURCE_H
#define SCREE_VIEW_SOURCE_H

#include "io/run/file.h"
#include "view/bytes.h"
#include "view/encode.h"

typedef struct ViewSource ViewSource;

/* What the names of the second of two runs begin with. */
#define VIEW_BESIDE "beside/"

/* Answers that take long to make ask `watch` whether to go on. */
ViewSource *view_source_open(const char *path, IoWatch watch, IoError *error);
void view_source_close(ViewSource *source);

/* Opens the file again if it has changed. If that fails, answers fail until it succeeds. */
void view_source_refresh(ViewSource *source);

/* From now on the manifest says that the page has another run, under VIEW_BESIDE. */
void view_source_set_beside(ViewSource *source);

const RunReader *view_source_reader(const ViewSource *source);

typedef enum ViewAnswer {
    VIEW_JSON,
    VIEW_BLOCK,
    VIEW_UNKNOWN, /* there is no such thing */
    VIEW_FAILED   /* the file is damaged, or out of memory */
} ViewAnswer;

/* Appends the answer to `into`. */
ViewAnswer view_source_answer(ViewSource *source, const char *name, ViewBytes *into,
                              IoError *error);

/* For a page that stands alone: a manifest of the given frames only, and one frame in a chosen
 * style, whose origin is set here. */
bool view_source_manifest(ViewSource *source, const size_t *frames, size_t count, double share,
                          ViewBytes *into, IoError *error);
bool view_source_frame(ViewSource *source, size_t frame, ViewStyle *style, ViewBytes *bodies,
                       ViewBytes *contacts, IoError *error);

#endif

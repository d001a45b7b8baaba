/* What a run is, in words and numbers, as JSON for the page. */
#ifndef SCREE_VIEW_DESCRIBE_H
#define SCREE_VIEW_DESCRIBE_H

#include "io/run/file.h"
#include "view/bytes.h"

/* Which frames the page has, and what else it should mention. */
typedef struct ViewContent {
    const char *file;    /* name of the run file */
    const size_t *frame; /* [count] their numbers in the run file; NULL: all */
    size_t count;
    double origin[3];
    bool small;           /* positions are in 16 bits where that does not show */
    double contact_share; /* of the contacts that carry force; negative: there are none */
    bool going;           /* the run is still being written */
    bool beside;          /* the page has another run to show beside this one */
} ViewContent;

/* A number that differs from that of any other run: a hash of the scene, its settings, and the
 * bodies. */
uint64_t view_identity(const RunHeader *header);

/* What is in the header, as the beginning of a JSON object: "{...", to which `going`, `frames` and so
 * on are to be added. */
void view_describe_header(const RunHeader *header, const double origin[3], ViewBytes *into);

void view_describe(const RunReader *reader, const ViewContent *content, ViewBytes *into);

/* Row `row` of a table, with every field to its last digit. */
void view_describe_row(RunTableId id, const void *rows, size_t row, ViewBytes *into);

#endif

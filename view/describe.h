/* What a run is, in words and numbers, as JSON for the page. */
#ifndef SCREE_VIEW_DESCRIBE_H
#define SCREE_VIEW_DESCRIBE_H

#include "io/run/file.h"
#include "view/bytes.h"

/* Which frames there are for the page, and what else it should say. */
typedef struct ViewContent {
    const size_t *frame; /* [count] their numbers in the run file; NULL: all */
    size_t count;
    double origin[3];
    bool small;           /* in 16 bits where that does not show */
    double contact_share; /* of the contacts that carry force; negative: none are there */
    bool going;           /* the run is being written at this moment */
} ViewContent;

/* A number that another run would not share: of the scene, what was set, and the bodies. */
uint64_t view_identity(const RunHeader *header);

void view_describe(const RunReader *reader, const ViewContent *content, ViewBytes *into);

/* Row `row` of a table, every field with all its digits. */
void view_describe_row(RunTableId id, const void *rows, size_t row, ViewBytes *into);

#endif

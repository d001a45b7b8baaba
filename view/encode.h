/* What the page draws, as blocks: the constants of a run, and the bodies, walls and contacts of a
 * frame. Columns are named as in the run file. */
#ifndef SCREE_VIEW_ENCODE_H
#define SCREE_VIEW_ENCODE_H

#include "io/run/file.h"
#include "view/bytes.h"

/* How a frame is written. */
typedef struct ViewStyle {
    double origin[3]; /* positions are counted from here, so that 32 bits suffice */
    /* For a file: positions in 16 bits where that does not show, and no open contacts. */
    bool small;
    double share; /* fraction of the contacts to show, strongest first; 1: all */
} ViewStyle;

/* The centre of the cell along periodic directions, that of the grains along the others. */
void view_choose_origin(const RunHeader *header, const RunFrame *first, double origin[3]);

void view_encode_constants(const RunHeader *header, ViewBytes *into);

/* Adds to the fields of the file `coordination`, the number of active contacts of each body, and
 * `force`, the sum of the magnitudes of their normal forces. Columns of walls begin with "w.". */
void view_encode_bodies(const RunHeader *header, const RunFrame *frame, const ViewStyle *style,
                        ViewBytes *into);

/* Unless all contacts are shown, `row` is the number of a contact in the frame. */
void view_encode_contacts(const RunHeader *header, const RunFrame *frame, const ViewStyle *style,
                          ViewBytes *into);

#endif

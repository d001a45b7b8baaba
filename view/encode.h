/* What the page draws, as blocks: the constants of a run, the bodies and walls of a frame, its
 * contacts. The columns are named as in the run file. */
#ifndef SCREE_VIEW_ENCODE_H
#define SCREE_VIEW_ENCODE_H

#include "io/run/file.h"
#include "view/bytes.h"

/* How a frame is written. */
typedef struct ViewStyle {
    double origin[3]; /* positions are counted from here, so that 32 bits are enough */
    bool small;       /* for a file: positions in 16 bits where that does not show, and no
                         candidates that touch nothing */
    double share;     /* of the contacts, the strongest first; 1 keeps all */
} ViewStyle;

/* The middle of the cell along periodic directions, of the grains along the others. */
void view_choose_origin(const RunHeader *header, const RunFrame *first, double origin[3]);

void view_encode_constants(const RunHeader *header, ViewBytes *into);

/* Besides the fields of the file: `coordination`, the number of active contacts of each body, and
 * `force`, the sum of their normal forces (without sign). Columns of walls begin with "w.". */
void view_encode_bodies(const RunHeader *header, const RunFrame *frame, const ViewStyle *style,
                        ViewBytes *into);

/* `row` is the number of the contact in the frame, when not all are kept. */
void view_encode_contacts(const RunHeader *header, const RunFrame *frame, const ViewStyle *style,
                          ViewBytes *into);

#endif

/* Masses of solids whose parts may overlap: what belongs to several parts counts once. */
#ifndef SCREE_SHAPE_SOLID_MOMENTS_H
#define SCREE_SHAPE_SOLID_MOMENTS_H

#include "shape/moments.h"

/* The moments of everything that is in at least one part. Parts that do not overlap cost no more
 * than their sum. Overlaps are exact between sharp parts, which are cut by one another's planes, and
 * between balls of which no three overlap pairwise. Others are integrated over columns: to about
 * 1e-5 of the volume of the overlap for a few parts of some dozen faces, and to 1e-4 for the largest
 * solids. SCREE_NO_MEMORY at worst. */
ScreeStatus scr_solid_moments(const Solid *solid, Moments *made);

/* What is counted more than once in some of the parts, `chosen`, that overlap one another. */

/* Of sharp parts: false in *done if that would take too many cuts. */
ScreeStatus scr_overlap_of_sharp(const Solid *solid, const int32_t *chosen, int32_t count,
                                 Moments *overlap, bool *done);
/* Of any parts, by columns. */
ScreeStatus scr_overlap_by_columns(const Solid *solid, const int32_t *chosen, int32_t count,
                                   Moments *overlap);

typedef struct PartBox {
    double low[3], high[3];
} PartBox;

static inline bool scr_boxes_meet(const PartBox *a, const PartBox *b) {
    return a->low[0] < b->high[0] && b->low[0] < a->high[0] && a->low[1] < b->high[1] &&
           b->low[1] < a->high[1] && a->low[2] < b->high[2] && b->low[2] < a->high[2];
}

/* The box around a part, with its rounding. */
PartBox scr_part_box(const Polyhedron *part);

#endif

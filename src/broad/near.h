/* What all methods share: which pairs are near, and how a pair enters the list. */
#ifndef SCREE_BROAD_NEAR_H
#define SCREE_BROAD_NEAR_H

#include "broad/neighbours.h"

static inline Spot scr_spot(const BroadInput *in, size_t i) {
    return (Spot){in->position[i], in->radius[i] + in->margin[i]};
}

static inline double scr_cell_low(const ScreeWorldDef *def, int axis) {
    return component(def->cell_min, axis);
}

static inline double scr_cell_side(const ScreeWorldDef *def, int axis) {
    return component(def->cell_max, axis) - component(def->cell_min, axis);
}

/* How far the centres reach along an axis. */
static inline void scr_extent(const BroadInput *in, int axis, double *low, double *high) {
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < in->count; i++) {
        double x = component(in->position[i], axis);
        *low = scr_min(*low, x);
        *high = scr_max(*high, x);
    }
}

/* The one comparison that decides. It gives the same bits whichever body comes first: swapping the
 * bodies changes the sign of differences and their nearest images exactly, and a sum of two numbers
 * does not depend on their order. */
static inline bool scr_is_near(const BroadInput *in, bool periodic, const Spot *a, const Spot *b) {
    Vec3 d = sub(b->x, a->x);
    if (periodic) {
        d = scr_nearest_image(in->def, d);
        d = in->oblique != NULL ? mat3_apply(in->oblique, d) : d;
    }
    double far = a->reach + b->reach;
    return dot(d, d) <= far * far;
}

static inline Pair scr_pair(int32_t i, int32_t j) {
    return i < j ? (Pair){i, j} : (Pair){j, i};
}

/* Room for `more` pairs; false when out of memory. */
static inline bool scr_pairs_reserve(Neighbours *nb, size_t more) {
    return (nb->count + more) * sizeof(Pair) <= nb->pair_block.bytes ||
           SCR_RESERVE_KEEPING(nb, pair, nb->count + more, nb->count);
}

#endif

/* Space cut into boxes, with a random offset, for the boxed order of a sweep. */
#ifndef SCREE_SWEEP_BOXES_H
#define SCREE_SWEEP_BOXES_H

#include "math/vec.h"

#include <stddef.h>
#include <stdint.h>

typedef struct Boxes {
    double origin[3], per_side[3];
    uint32_t count[3]; /* along each axis */
    bool around[3];    /* periodic: the last box is followed by the first */
    uint32_t total;    /* 0: no boxes */
} Boxes;

/* Boxes of at least `side` over points that lie roughly between `low` and `high`; points outside
 * belong to the outermost boxes. There are not many more boxes than `points`: where these are
 * sparse, larger boxes do as well. `period` is 0 along axes that are not periodic. */
Boxes scr_lay_boxes(Vec3 low, Vec3 high, double side, const double period[3], size_t points,
                    uint64_t key);

/* The largest number of boxes that there can be. */
static inline size_t scr_most_boxes(size_t points) {
    return points + 64;
}

/* A point between the first and the last box needs no more than to be cut off, which takes far less time
 * than floor does on processors that have no instruction for it. */
static inline uint32_t scr_box_along(const Boxes *b, int axis, double x) {
    double at = (x - b->origin[axis]) * b->per_side[axis], n = (double)b->count[axis];
    if (at >= 0 && at < n) {
        return (uint32_t)at;
    }
    if (b->around[axis]) {
        at = floor(at);
        at -= n * floor(at / n);
    }
    return (uint32_t)scr_max(0, scr_min(at, n - 1));
}

/* The box in which a point lies. */
static inline uint32_t scr_box_of(const Boxes *b, Vec3 p) {
    const uint32_t x = scr_box_along(b, 0, p.x), y = scr_box_along(b, 1, p.y);
    const uint32_t z = scr_box_along(b, 2, p.z);
    return (z * b->count[1] + y) * b->count[0] + x;
}

static inline Vec3 scr_box_centre(const Boxes *b, uint32_t box) {
    const uint32_t at[3] = {box % b->count[0], box / b->count[0] % b->count[1],
                            box / b->count[0] / b->count[1]};
    Vec3 centre = {0, 0, 0};
    for (int axis = 0; axis < 3; axis++) {
        *component_of(&centre, axis) =
            b->origin[axis] + ((double)at[axis] + 0.5) / b->per_side[axis];
    }
    return centre;
}

#endif

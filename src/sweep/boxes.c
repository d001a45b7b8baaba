#include "sweep/boxes.h"

#include "base/random.h"

/* Cuts one axis into boxes of at least `side`. A periodic axis gets an even number, so that
 * neighbours differ in parity across its boundary, too; or a single box where two would be too
 * narrow. */
static double cut_axis(Boxes *b, double *cut, int axis, double length, double period, double side) {
    b->around[axis] = period > 0;
    double n = floor(length / side) + 2;
    *cut = side;
    if (period > 0) {
        n = 2 * floor(period / (2 * side));
        n = n >= 2 ? n : 1;
        *cut = period / n;
    }
    b->count[axis] = n < 1e9 ? (uint32_t)n : 0;
    return n;
}

Boxes scr_lay_boxes(Vec3 low, Vec3 high, double side, const double period[3], size_t points,
                    uint64_t key) {
    Boxes b = {.total = 0};
    double total = INFINITY, cut[3];
    for (; total > (double)scr_most_boxes(points); side *= 2) {
        total = 1;
        for (int axis = 0; axis < 3; axis++) {
            double length = component(high, axis) - component(low, axis);
            total *= cut_axis(&b, &cut[axis], axis, length, period[axis], side);
        }
    }
    b.total = b.count[0] * b.count[1] * b.count[2];
    for (int axis = 0; axis < 3; axis++) {
        b.per_side[axis] = 1 / cut[axis];
        b.origin[axis] = component(low, axis) - cut[axis] * scr_random_unit(key, (uint64_t)axis);
    }
    return b;
}

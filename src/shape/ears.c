#include "shape/ears.h"

static Vec3 at(const Ring *r, int32_t k) {
    return r->point[r->corner[(k + r->count) % r->count]];
}

/* Twice the area of the triangle of corner k and its neighbours, over its longest side; negative
 * where the ring turns right. */
static double height(const Ring *r, int32_t k) {
    Vec3 a = sub(at(r, k), at(r, k - 1)), b = sub(at(r, k + 1), at(r, k));
    double twice_area = dot(r->normal, cross(a, b));
    return twice_area / scr_max(length(add(a, b)), scr_max(length(a), length(b)));
}

static bool is_straight(const Ring *r, int32_t k) {
    return fabs(height(r, k)) <= r->tolerance;
}

/* Whether the triangle of corner k and its neighbours holds no other corner. */
static bool is_ear(const Ring *r, int32_t k) {
    if (!(height(r, k) > r->tolerance)) {
        return false;
    }
    const Vec3 corner[3] = {at(r, k - 1), at(r, k), at(r, k + 1)};
    for (int32_t j = 2; j < r->count - 1; j++) {
        Vec3 p = at(r, k + j);
        bool inside = true;
        for (int e = 0; e < 3 && inside; e++) {
            Vec3 along = sub(corner[(e + 1) % 3], corner[e]);
            inside = dot(r->normal, cross(along, sub(p, corner[e]))) >=
                     -r->tolerance * length(along); /* not even on a side */
        }
        if (inside) {
            return false;
        }
    }
    return true;
}

/* An ear beside a straight corner, which would otherwise be left without a triangle, before any
 * other; -1: none. */
static int32_t find_ear(const Ring *r) {
    int32_t any = -1;
    for (int32_t k = 0; k < r->count; k++) {
        bool beside = is_straight(r, k - 1) || is_straight(r, k + 1);
        if ((beside || any < 0) && is_ear(r, k)) {
            if (beside) {
                return k;
            }
            any = k;
        }
    }
    return any;
}

bool scr_cut_ear(Ring *r, int32_t triangle[3]) {
    int32_t ear = r->count >= 3 ? find_ear(r) : -1;
    if (ear < 0) {
        return false;
    }
    triangle[0] = r->corner[(ear + r->count - 1) % r->count];
    triangle[1] = r->corner[ear];
    triangle[2] = r->corner[(ear + 1) % r->count];
    r->count--;
    for (int32_t k = ear; k < r->count; k++) {
        r->corner[k] = r->corner[k + 1];
    }
    return true;
}

#include "narrow/rim_depth.h"

#include "narrow/rim_meet.h"

/* How deep a point, in the frame of the rim, lies in it; negative when it does not. */
static double depth_in(const Rim *r, double x, double y) {
    if (r->count == 1) {
        return r->rounding - hypot(x - r->corner[0].x, y - r->corner[0].y);
    }
    return scr_rim_contains(r, x, y) ? r->rounding - scr_rim_project(r, x, y).distance : -INFINITY;
}

static double depth_of(const Rim rim[2]) {
    double deepest = 0;
    for (int s = 0; s < 2; s++) {
        const Rim *own = &rim[s], *other = &rim[1 - s];
        double x[2], middle[2] = {0, 0};
        for (int32_t k = 0; k < own->count; k++) {
            const RimNode node = scr_rim_node(own, k);
            scr_rim_across(rim, s, node.x, node.y, x);
            deepest = fmax(deepest, depth_in(other, x[0], x[1]) + own->rounding);
            middle[0] += node.x / own->count;
            middle[1] += node.y / own->count;
        }
        scr_rim_across(rim, s, middle[0], middle[1], x);
        double depth = fmin(depth_in(own, middle[0], middle[1]), depth_in(other, x[0], x[1]));
        deepest = fmax(deepest, depth);
    }
    return deepest;
}

double scr_rims_depth(const Outline *a, const Outline *b, Vec3 d) {
    double deepest = 0;
    for (int32_t i = 0; i < a->parts; i++) {
        for (int32_t j = 0; j < b->parts; j++) {
            const Rim rim[2] = {scr_rim_of(a, i, vec3(0, 0, 0)), scr_rim_of(b, j, d)};
            deepest = fmax(deepest, depth_of(rim));
        }
    }
    return deepest;
}

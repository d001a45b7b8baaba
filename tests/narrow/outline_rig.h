/* Two outlines somewhere in the plane, their contact points, and brute force over all pairs of
 * their segments. */
#ifndef SCREE_TESTS_OUTLINE_RIG_H
#define SCREE_TESTS_OUTLINE_RIG_H

#include "narrow/outlines.h"
#include "shape/outline_shapes.h"

typedef struct Body {
    Shape shape; /* relative to its centroid */
    OutlinePart part[SHAPE_PARTS];
    Corner corner[SHAPE_MOST], turned[SHAPE_MOST];
    Outline outline;
    Vec3 position;
    double angle, size; /* size: radius of the circle that holds it */
} Body;

static inline void place(Body *b, double x, double y, double angle) {
    b->position = vec3(x, y, 0);
    b->angle = angle;
    scr_outline_turn(b->corner, b->part, (int32_t)b->shape.parts, quat_from_turn(vec3(0, 0, angle)),
                     b->turned, &b->outline);
}

/* The shape as given, relative to its own origin. */
static inline void set_body_here(Body *b, Shape shape) {
    b->shape = shape;
    b->size = 0;
    int32_t first = 0;
    for (size_t p = 0; p < shape.parts; p++) {
        b->part[p] = (OutlinePart){first, shape.part[p].corners, shape.part[p].rounding};
        for (int32_t k = first; k < first + shape.part[p].corners; k++) {
            b->size = fmax(b->size, length(shape.corner[k]) + shape.part[p].rounding);
        }
        first += shape.part[p].corners;
    }
    scr_outline_edges(b->part, (int32_t)shape.parts, b->shape.corner, b->corner);
    place(b, 0, 0, 0);
}

static inline void set_body(Body *b, Shape shape) {
    ScreeShapeDef def = def_of(&shape);
    ScreeShape m = measured(&shape);
    Shape about = shape;
    scr_outline_normalise(&def, m.centroid, about.corner);
    set_body_here(b, about);
}

/* Where corner k is, and the rounding of its part. */
static inline Vec3 corner_at(const Body *b, int32_t k) {
    return vec3(b->position.x + b->turned[k].x, b->position.y + b->turned[k].y, 0);
}
static inline int32_t next_of(const Body *b, int32_t k) {
    for (size_t p = 0; p < b->shape.parts; p++) {
        if (k < b->part[p].first + b->part[p].count) {
            return k + 1 < b->part[p].first + b->part[p].count ? k + 1 : b->part[p].first;
        }
    }
    return k;
}
static inline double rounding_of(const Body *b, int32_t k) {
    size_t p = 0;
    while (k >= b->part[p].first + b->part[p].count) {
        p++;
    }
    return b->part[p].rounding;
}

static const StepMotion at_rest;

static inline void find(const Body *a, const Body *b, StepMotion motion, double reach,
                        OutlineTouches *t) {
    Vec3 d = sub(b->position, a->position);
    CHECK(scr_touch_outlines(&a->outline, &b->outline, d, &motion, reach, t) == SCREE_OK);
}

/* ---------------------------------------------------------------- brute force */

static inline double point_to_segment(Vec3 p, Vec3 a, Vec3 b, Vec3 *foot) {
    Vec3 e = sub(b, a), w = sub(p, a);
    double square = dot(e, e), t = square > 0 ? dot(w, e) / square : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    *foot = add_scaled(a, t, e);
    return length(sub(p, *foot));
}

static inline double side_of(Vec3 p, Vec3 a, Vec3 b) {
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

/* Distance of two segments, 0 when they cross, with its two end points. */
static inline double segment_to_segment(const Vec3 *s, const Vec3 *t, Vec3 *on_s, Vec3 *on_t) {
    double best = INFINITY;
    *on_s = s[0];
    *on_t = t[0];
    for (int k = 0; k < 2; k++) {
        Vec3 foot;
        double d = point_to_segment(s[k], t[0], t[1], &foot);
        if (d < best) {
            best = d;
            *on_s = s[k];
            *on_t = foot;
        }
        d = point_to_segment(t[k], s[0], s[1], &foot);
        if (d < best) {
            best = d;
            *on_s = foot;
            *on_t = t[k];
        }
    }
    bool cross = side_of(s[0], t[0], t[1]) * side_of(s[1], t[0], t[1]) < 0 &&
                 side_of(t[0], s[0], s[1]) * side_of(t[1], s[0], s[1]) < 0;
    return cross ? 0 : best;
}

/* Whether p lies in one of the polygons of a body. */
static inline bool contains(const Body *b, Vec3 p) {
    for (size_t part = 0; part < b->shape.parts; part++) {
        double winding = 0;
        for (int32_t k = 0; k < b->part[part].count && b->part[part].count > 2; k++) {
            int32_t i = b->part[part].first + k;
            Vec3 u = sub(corner_at(b, i), p), v = sub(corner_at(b, next_of(b, i)), p);
            winding += atan2(u.x * v.y - u.y * v.x, dot(u, v));
        }
        if (winding > 3) {
            return true;
        }
    }
    return false;
}

/* The distance of the polygons less the roundings; false when the polygons themselves overlap. */
static inline bool brute_gap(const Body *a, const Body *b, double *gap) {
    *gap = INFINITY;
    for (int32_t i = 0; i < (int32_t)a->shape.corners; i++) {
        Vec3 s[2] = {corner_at(a, i), corner_at(a, next_of(a, i))}, p, q;
        for (int32_t j = 0; j < (int32_t)b->shape.corners; j++) {
            Vec3 t[2] = {corner_at(b, j), corner_at(b, next_of(b, j))};
            double d = segment_to_segment(s, t, &p, &q);
            if (d == 0) {
                return false;
            }
            *gap = fmin(*gap, d - rounding_of(a, i) - rounding_of(b, j));
        }
    }
    for (int32_t i = 0; i < (int32_t)a->shape.corners; i++) {
        if (contains(b, corner_at(a, i))) {
            return false;
        }
    }
    for (int32_t j = 0; j < (int32_t)b->shape.corners; j++) {
        if (contains(a, corner_at(b, j))) {
            return false;
        }
    }
    return true;
}

/* How far p is from the surface of the part of a body to which corner k belongs, outside of its
 * polygon. */
static inline double off_surface(const Body *b, int32_t k, Vec3 p) {
    double least = INFINITY;
    int32_t first = k;
    do {
        Vec3 foot;
        double d = point_to_segment(p, corner_at(b, k), corner_at(b, next_of(b, k)), &foot);
        least = fmin(least, d - rounding_of(b, k));
        k = next_of(b, k);
    } while (k != first);
    return least;
}

static inline double least_gap(const OutlineTouches *t) {
    double least = INFINITY;
    for (size_t k = 0; k < t->count; k++) {
        least = fmin(least, t->item[k].gap);
    }
    return least;
}

static inline const OutlineTouch *touch_of(const OutlineTouches *t, int32_t feature) {
    for (size_t k = 0; k < t->count; k++) {
        if (t->item[k].feature == feature) {
            return &t->item[k];
        }
    }
    return NULL;
}

/* A body of some kind: 0 convex, 1 not convex, 2 rounded, 3 rounded and not convex, 4 rod, 5 disk,
 * 6 compound. */
enum { KINDS = 7 };

static inline void set_random_body(Body *b, uint64_t key, int kind) {
    int n = 3 + (int)scr_random_below(key, 700, 6);
    double r = 0.05 + 0.2 * scr_random_unit(key, 701);
    double wide = 0.6 + 0.6 * scr_random_unit(key, 702),
           high = 0.4 + 0.8 * scr_random_unit(key, 703);
    Shape disk = OUTLINE(r + 0.2, 0, 0), rod = OUTLINE(r, -wide, 0, wide, 0);
    Shape notched = random_star(key, n + 2, 0.35, 1.1, kind == 3 ? 0.3 * r : 0);
    ScreeShapeDef def = def_of(&notched);
    char message[SCREE_MESSAGE_SIZE];
    while (scr_outline_check(&def, message) != SCREE_OK) { /* its rounding closes a notch */
        notched.part[0].rounding *= 0.5;
    }
    switch (kind) {
    case 0:
        set_body(b, random_convex(key, n, wide, high, 0));
        break;
    case 2:
        set_body(b, random_convex(key, n, wide, high, r));
        break;
    case 4:
        set_body(b, rod);
        break;
    case 5:
        set_body(b, disk);
        break;
    case 6:
        disk = moved(disk, 1, 0, vec3(wide, 0.2, 0));
        set_body(b, joined(joined(notched, &rod), &disk));
        break;
    default:
        set_body(b, notched);
    }
}

/* Puts b beside a, in a random direction, so that the gap is about `gap`. */
static inline void put_beside(const Body *a, Body *b, uint64_t key, double gap) {
    double direction = 2 * SHAPE_PI * scr_random_unit(key, 800);
    double angle = 2 * SHAPE_PI * scr_random_unit(key, 801);
    double in = 0, out = 1.01 * (a->size + b->size) + gap, found;
    for (int k = 0; k < 40; k++) {
        double middle = (in + out) / 2;
        place(b, a->position.x + middle * cos(direction), a->position.y + middle * sin(direction),
              angle);
        bool apart = brute_gap(a, b, &found) && found > gap;
        in = apart ? in : middle;
        out = apart ? middle : out;
    }
    place(b, a->position.x + out * cos(direction), a->position.y + out * sin(direction), angle);
}

#endif

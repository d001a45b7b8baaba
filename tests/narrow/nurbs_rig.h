/* Curves in place, and brute force to compare their contact points with. */
#ifndef SCREE_TESTS_NURBS_RIG_H
#define SCREE_TESTS_NURBS_RIG_H

#include "shape/nurbs_shapes.h"

#include "narrow/curve_pair.h"
#include "state/shapes.h"

#include <stdlib.h>

/* A shape by itself, turned. */
typedef struct PlacedCurve {
    Shapes shapes;
    Corner *corner;
    Outline outline;
} PlacedCurve;

static inline void turn_shape(PlacedCurve *c, double angle) {
    const ShapeRecord *r = &c->shapes.shape[0];
    const Quat q = {cos(angle / 2), 0, 0, sin(angle / 2)};
    scr_outline_turn(c->shapes.edge, c->shapes.outline, r->parts, q, c->corner, &c->outline);
    if (r->curve >= 0) {
        c->outline.nurbs = &c->shapes.curve[0].nurbs;
        for (int i = 0; i < 2; i++) {
            c->outline.low[i] -= c->outline.nurbs->bulge;
            c->outline.high[i] += c->outline.nurbs->bulge;
        }
    }
}

static inline PlacedCurve place_curve(const ScreeNurbs *def, double angle) {
    PlacedCurve c = {.corner = NULL};
    CHECK(scr_shapes_add_nurbs(&c.shapes, def));
    c.corner = malloc(c.shapes.corners * sizeof *c.corner);
    turn_shape(&c, angle);
    return c;
}

static inline PlacedCurve place_polygon(const ScreeVec3 *corner, int32_t count, double rounding,
                                        double angle) {
    PlacedCurve c = {.corner = NULL};
    const ScreeShapePart part = {count, rounding};
    const ScreeShapeDef def = {&part, 1, corner};
    CHECK(scr_shapes_add(&c.shapes, &def));
    c.corner = malloc(c.shapes.corners * sizeof *c.corner);
    turn_shape(&c, angle);
    return c;
}

static inline void free_curve(PlacedCurve *c) {
    scr_shapes_free(&c->shapes);
    free(c->corner);
}

/* ---------------------------------------------------------------- brute force */

typedef struct Dense {
    size_t count;
    Vec3 *point, *normal; /* outward */
} Dense;

/* `fine` points on each piece or edge, relative to the centre of body a. */
static inline Dense dense(const PlacedCurve *c, Vec3 at, int fine) {
    const Nurbs *n = c->outline.nurbs;
    size_t spans = n != NULL ? (size_t)n->pieces : (size_t)c->shapes.shape[0].corners;
    Dense d = {spans * (size_t)fine, NULL, NULL};
    d.point = malloc(d.count * sizeof *d.point);
    d.normal = malloc(d.count * sizeof *d.normal);
    for (size_t k = 0; k < d.count; k++) {
        double t = (double)(k % (size_t)fine) / fine;
        if (n != NULL) {
            NurbsAt p = scr_nurbs_at(n, (int32_t)(k / (size_t)fine), t);
            double co = c->outline.cosine, si = c->outline.sine, l = hypot(p.dx, p.dy);
            d.point[k] = vec3(co * p.x - si * p.y + at.x, si * p.x + co * p.y + at.y, 0);
            double x = p.dy / l, y = -p.dx / l;
            d.normal[k] = vec3(co * x - si * y, si * x + co * y, 0);
        } else {
            const Corner *e = &c->corner[k / (size_t)fine];
            d.point[k] =
                vec3(e->x + t * e->length * e->tx + at.x, e->y + t * e->length * e->ty + at.y, 0);
            d.normal[k] = vec3(e->ty, -e->tx, 0);
        }
    }
    return d;
}

static inline void free_dense(Dense *d) {
    free(d->point);
    free(d->normal);
}

static inline double least_distance(const Dense *a, const Dense *b) {
    double least = INFINITY;
    for (size_t i = 0; i < a->count; i++) {
        for (size_t j = 0; j < b->count; j++) {
            Vec3 d = sub(a->point[i], b->point[j]);
            least = fmin(least, dot(d, d));
        }
    }
    return sqrt(least);
}

static inline double least_gap(const OutlineTouches *t) {
    double least = INFINITY;
    for (size_t i = 0; i < t->count; i++) {
        least = fmin(least, t->item[i].gap);
    }
    return least;
}

/* A number from 0 to 1. */
static inline double draw(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) / 9007199254740992.0;
}

#endif

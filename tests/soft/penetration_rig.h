/* Outlines with their own arrays, for the tests of the geometry. */
#ifndef SCREE_TESTS_SOFT_PENETRATION_RIG_H
#define SCREE_TESTS_SOFT_PENETRATION_RIG_H

#include "narrow/pair_table.h"
#include "physics/rig.h"

enum { MOST = 24, PARTS = 4 };

/* An outline with its own arrays. */
typedef struct Shape {
    OutlinePart part[PARTS];
    Vec3 own[MOST];
    Corner edge[MOST], corner[MOST];
    int32_t parts, corners;
    Outline outline;
} Shape;

static inline void add_part(Shape *s, const Vec3 *corner, int32_t count, double rounding) {
    s->part[s->parts++] = (OutlinePart){s->corners, count, rounding};
    memcpy(s->own + s->corners, corner, (size_t)count * sizeof *corner);
    s->corners += count;
    scr_outline_edges(s->part, s->parts, s->own, s->edge);
}

static inline void turn(Shape *s, double angle) {
    scr_outline_turn(s->edge, s->part, s->parts, rig_turn_z(angle), s->corner, &s->outline);
}

/* A polygon about `centre`, counterclockwise; with spikes it is not convex. */
static inline void add_star(Shape *s, Vec3 centre, int32_t count, double radius, double spikes,
                            double rounding, uint64_t *random) {
    Vec3 c[MOST];
    for (int32_t k = 0; k < count; k++) {
        double r = radius * (1 - spikes * (k % 2) - 0.1 * spikes * rig_random(random));
        double angle = (k + 0.3 * rig_random(random)) * 2 * RIG_PI / count;
        c[k] = rig_add(centre, r, rig_vec(cos(angle), sin(angle), 0));
    }
    add_part(s, c, count, rounding);
}

static inline Shape box(double half_x, double half_y) {
    Shape s = {0};
    const Vec3 c[4] = {
        {-half_x, -half_y, 0}, {half_x, -half_y, 0}, {half_x, half_y, 0}, {-half_x, half_y, 0}};
    add_part(&s, c, 4, 0);
    turn(&s, 0);
    return s;
}

static inline Shape disk(double radius) {
    Shape s = {0};
    const Vec3 c = {0};
    add_part(&s, &c, 1, radius);
    turn(&s, 0);
    return s;
}

/* The outline as it was last turned; the shape may have been copied since. */
static inline Outline outline_of(const Shape *s) {
    Outline o = s->outline;
    o.corner = s->corner;
    o.part = s->part;
    return o;
}

static Penetrations list;

static inline size_t find(const Shape *a, const Shape *b, Vec3 d, double reach) {
    Outline oa = outline_of(a), ob = outline_of(b);
    list.count = 0;
    rig_must(scr_penetrate_outlines(&oa, &ob, d, reach, &list), "penetrate");
    return list.count;
}

#endif

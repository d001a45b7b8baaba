#include "narrow/normal_look.h"

/* ---------------------------------------------------------------- farthest points */

static Vec3 farthest(const Polyhedron *p, Vec3 d, double size, int32_t *vertex) {
    Vec3 x;
    if (scr_is_smooth(p)) {
        x = scr_smooth_support(&p->smooth, d);
    } else {
        *vertex = scr_support(p, d, *vertex);
        x = scr_vertex(p, *vertex);
    }
    return size == 1 ? x : add_scaled(p->middle, size, sub(x, p->middle));
}

NormalLook scr_look_along(const NormalSides *s, Vec3 n, const NormalLook *before) {
    const PartPair *p = s->p;
    NormalLook l = {.n = n, .of_a = before ? before->of_a : 0, .of_b = before ? before->of_b : 0};
    l.on_a = farthest(p->a, n, s->size, &l.of_a);
    Vec3 own = farthest(p->b, scr_turn_to_b(p->pose, scale(-1, n)), s->size, &l.of_b);
    l.on_b = scr_point_from_b(p->pose, own);
    Vec3 w = sub(l.on_b, l.on_a);
    l.gap = dot(n, w);
    l.miss = add_scaled(w, -l.gap, n);
    l.off = l.error = length(l.miss);
    return l;
}

/* ---------------------------------------------------------------- Newton's method
 *
 * As n turns by dn, the farthest points move by R_a dn and -R_b dn, and what they miss becomes
 * miss - (R_a + R_b + s) dn. */

void scr_look_radii(const NormalSides *s, bool of_b, Vec3 n, const Vec3 across[2], double r[3]) {
    const Polyhedron *part = of_b ? s->p->b : s->p->a;
    r[0] = r[1] = r[2] = 0;
    if (!scr_is_smooth(part)) {
        return;
    }
    if (of_b) {
        const RelativePose *pose = s->p->pose;
        const Vec3 own[2] = {scr_turn_to_b(pose, across[0]), scr_turn_to_b(pose, across[1])};
        scr_smooth_radii(&part->smooth, scr_turn_to_b(pose, scale(-1, n)), own, r);
    } else {
        scr_smooth_radii(&part->smooth, n, across, r);
    }
    for (int k = 0; k < 3; k++) {
        r[k] *= s->size;
    }
}

static const double longest_turn = 0.5;

static Vec3 turned(Vec3 n, const Vec3 across[2], double one, double other) {
    double size = scr_hypot(one, other);
    double share = size > longest_turn ? longest_turn / size : 1;
    return unit(add_scaled(add_scaled(n, share * one, across[0]), share * other, across[1]));
}

/* By directions. Where the parts overlap by more than they are round, or are sharp, the matrix is made
 * positive. */
static Vec3 next_direction(const NormalSides *s, const NormalLook *l, const Vec3 across[2]) {
    double a[3], b[3];
    scr_look_radii(s, false, l->n, across, a);
    scr_look_radii(s, true, l->n, across, b);
    double xx = a[0] + b[0], xy = a[1] + b[1], yy = a[2] + b[2];
    double least = 0.5 * (xx + yy) - sqrt(0.25 * (xx - yy) * (xx - yy) + xy * xy);
    double more = scr_max(l->gap, 1e-3 * (fabs(l->gap) + l->off) - least);
    xx += more;
    yy += more;
    double u = dot(l->miss, across[0]), v = dot(l->miss, across[1]), det = xx * yy - xy * xy;
    return det > 0 ? turned(l->n, across, (yy * u - xy * v) / det, (xx * v - xy * u) / det) : l->n;
}

/* By the place x on a superellipsoid: n turns by W dx, so dx + (R + s) W dx = miss, where R is that of
 * the other part. */
static Vec3 next_by_place(const NormalSides *s, const NormalLook *l, const Vec3 across[2],
                          bool of_b) {
    const RelativePose *pose = s->p->pose;
    const SmoothPart *part = of_b ? &s->p->b->smooth : &s->p->a->smooth;
    Vec3 on = of_b ? l->on_b : l->on_a, own[2] = {across[0], across[1]};
    Vec3 middle = of_b ? scr_point_from_b(pose, s->p->b->middle) : s->p->a->middle;
    Vec3 x = add_scaled(middle, 1 / s->size, sub(on, middle));
    if (of_b) {
        own[0] = scr_turn_to_b(pose, across[0]);
        own[1] = scr_turn_to_b(pose, across[1]);
    }
    double w[3], r[3];
    scr_smooth_curvature(part, of_b ? scr_point_to_b(pose, x) : x, own, w);
    scr_look_radii(s, !of_b, l->n, across, r);
    double k = 1 / s->size, g = l->gap;
    double xx = 1 + k * ((r[0] + g) * w[0] + r[1] * w[1]),
           xy = k * ((r[0] + g) * w[1] + r[1] * w[2]);
    double yx = k * (r[1] * w[0] + (r[2] + g) * w[1]),
           yy = 1 + k * (r[1] * w[1] + (r[2] + g) * w[2]);
    double sign = of_b ? -1 : 1, det = xx * yy - xy * yx;
    double u = sign * dot(l->miss, across[0]), v = sign * dot(l->miss, across[1]);
    if (!(det > 0)) {
        return l->n;
    }
    double dx = (yy * u - xy * v) / det, dy = (xx * v - yx * u) / det;
    Vec3 at = add_scaled(add_scaled(x, k * dx, across[0]), k * dy, across[1]), normal;
    scr_smooth_onto(part, of_b ? scr_point_to_b(pose, at) : at, &normal);
    return of_b ? scale(-1, scr_turn_from_b(pose, normal)) : normal;
}

/* Of two superellipsoids, the one that is flatter here. */
Vec3 scr_next_look(const NormalSides *s, const NormalLook *l) {
    const Vec3 one = perpendicular(l->n), across[2] = {one, cross(l->n, one)};
    bool super_a = scr_may_be_flat(s->p->a), super_b = scr_may_be_flat(s->p->b);
    if (super_a && super_b) {
        double a[3], b[3];
        scr_look_radii(s, false, l->n, across, a);
        scr_look_radii(s, true, l->n, across, b);
        super_b = b[0] + b[2] > a[0] + a[2];
    }
    return super_a || super_b ? next_by_place(s, l, across, super_b) : next_direction(s, l, across);
}

enum { MOST_STEPS = 40 };

bool scr_is_better_look(const NormalSides *s, const NormalLook *l, const NormalLook *than) {
    double level = scr_look_exact(s);
    return l->gap > than->gap + level || (l->gap >= than->gap - level && l->off < 0.9 * than->off);
}

NormalLook scr_climb_smooth(const NormalSides *s, NormalLook at, int halvings) {
    for (int step = 0; step < MOST_STEPS && at.off > scr_look_exact(s); step++) {
        Vec3 to = scr_next_look(s, &at);
        bool better = false;
        for (int k = 0; k < halvings && !better; k++) {
            to = unit(to);
            const NormalLook next = scr_look_along(s, to, &at);
            better = scr_is_better_look(s, &next, &at);
            at = better ? next : at;
            to = add(at.n, to); /* half as far */
        }
        if (!better) {
            break;
        }
    }
    return at;
}

#include "narrow/common_normal.h"

#include "narrow/smooth_places.h"
#include "narrow/support_set.h"

/* Two parts, each shrunk about its middle. */
typedef struct Sides {
    const PartPair *p;
    double size; /* factor */
} Sides;

/* What is seen along a direction. */
typedef struct Look {
    Vec3 n, on_a, on_b;
    double gap;
    Vec3 miss;          /* on_b - on_a across n */
    double off;         /* its length */
    double error;       /* the same; on a circle of directions, along it */
    int32_t of_a, of_b; /* vertices of polyhedra */
} Look;

/* Rounding leaves so much of what is missed, and of s. */
static double exact(const Sides *s) {
    return 4 * s->p->round;
}

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

static Look look_along(const Sides *s, Vec3 n, const Look *before) {
    const PartPair *p = s->p;
    Look l = {.n = n, .of_a = before ? before->of_a : 0, .of_b = before ? before->of_b : 0};
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

/* Where a smooth surface is flat, the farthest point moves without bounds as n turns; on such
 * superellipsoids the place is sought, not the direction. */
static bool is_super(const Polyhedron *p) {
    return p->smooth.kind == SCREE_PART_ELLIPSOID && !scr_is_plain_ellipsoid(&p->smooth);
}

static void radii_of(const Sides *s, bool of_b, Vec3 n, const Vec3 across[2], double r[3]) {
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
static Vec3 next_direction(const Sides *s, const Look *l, const Vec3 across[2]) {
    double a[3], b[3];
    radii_of(s, false, l->n, across, a);
    radii_of(s, true, l->n, across, b);
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
static Vec3 next_by_place(const Sides *s, const Look *l, const Vec3 across[2], bool of_b) {
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
    radii_of(s, !of_b, l->n, across, r);
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
static Vec3 propose(const Sides *s, const Look *l) {
    const Vec3 one = perpendicular(l->n), across[2] = {one, cross(l->n, one)};
    bool super_a = is_super(s->p->a), super_b = is_super(s->p->b);
    if (super_a && super_b) {
        double a[3], b[3];
        radii_of(s, false, l->n, across, a);
        radii_of(s, true, l->n, across, b);
        super_b = b[0] + b[2] > a[0] + a[2];
    }
    return super_a || super_b ? next_by_place(s, l, across, super_b) : next_direction(s, l, across);
}

enum { MOST_STEPS = 40, MOST_HALVINGS = 12 };

/* Whether a look is farther up or, where s is level but for rounding, nearer to the top. */
static bool is_better(const Sides *s, const Look *l, const Look *than) {
    double level = exact(s);
    return l->gap > than->gap + level || (l->gap >= than->gap - level && l->off < 0.9 * than->off);
}

static Look climb_smooth(const Sides *s, Look at) {
    for (int step = 0; step < MOST_STEPS && at.off > exact(s); step++) {
        Vec3 to = propose(s, &at);
        bool better = false;
        for (int k = 0; k < MOST_HALVINGS && !better; k++) {
            to = unit(to);
            const Look next = look_along(s, to, &at);
            better = is_better(s, &next, &at);
            at = better ? next : at;
            to = add(at.n, to); /* half as far */
        }
        if (!better) {
            break;
        }
    }
    return at;
}

/* ---------------------------------------------------------------- the points that are met
 *
 * Along a crease a part has many farthest points. Those of either part that are nearest to each other,
 * seen along n, are the points of contact; if they miss each other, n is not yet at the top, and
 * turning towards what they miss leads up. */

static const double on_crease = 1e-9;

static Vec3 nearest_of(const Sides *s, const Polyhedron *p, const SupportSet *set, Vec3 x) {
    Vec3 whole = add_scaled(p->middle, 1 / s->size, sub(x, p->middle));
    Vec3 found = s->size == 1 ? scr_nearest_in_set(p, set, x) : scr_nearest_in_set(p, set, whole);
    return s->size == 1 ? found : add_scaled(p->middle, s->size, sub(found, p->middle));
}

static Vec3 shrunk(const Sides *s, const Polyhedron *p, Vec3 x) {
    return add_scaled(p->middle, s->size, sub(x, p->middle));
}

/* The point of b's line that lies over a's line, seen along n: where the turns below end, if it is
 * inside of both. Parallel lines have none, and the turns do. */
static Vec3 crossing(const Sides *s, const Look *l, const SupportSet *a, const SupportSet *b) {
    const PartPair *p = s->p;
    Vec3 from = shrunk(s, p->a, a->at), along = sub(shrunk(s, p->a, a->to), from);
    Vec3 start = scr_point_from_b(p->pose, shrunk(s, p->b, b->at));
    Vec3 way = sub(scr_point_from_b(p->pose, shrunk(s, p->b, b->to)), start);
    Vec3 across = cross(l->n, along);
    double slope = dot(across, way), share = dot(across, sub(from, start)) / slope;
    bool parallel = !(fabs(slope) > 1e-9 * length(along) * length(way));
    return parallel ? l->on_b : add_scaled(start, scr_min(scr_max(share, 0), 1), way);
}

enum { MOST_ROUNDS = 64 };

/* By turns from one set to the other. Most often one of them is a point, and that is all. */
static void meet(const Sides *s, Look *l) {
    const PartPair *p = s->p;
    const SupportSet a = scr_support_set(p->a, l->n, l->of_a, on_crease);
    const SupportSet b =
        scr_support_set(p->b, scr_turn_to_b(p->pose, scale(-1, l->n)), l->of_b, on_crease);
    Vec3 on_a = l->on_a, on_b = l->on_b;
    double before = INFINITY;
    if (a.kind == SUPPORT_LINE && b.kind == SUPPORT_LINE) {
        on_b = crossing(s, l, &a, &b);
    }
    for (int k = 0; k < MOST_ROUNDS; k++) {
        if (a.kind != SUPPORT_POINT) {
            on_a = nearest_of(s, p->a, &a, add_scaled(on_b, -l->gap, l->n));
        }
        if (b.kind != SUPPORT_POINT) {
            Vec3 own = scr_point_to_b(p->pose, add_scaled(on_a, l->gap, l->n));
            on_b = scr_point_from_b(p->pose, nearest_of(s, p->b, &b, own));
        }
        Vec3 w = sub(on_b, on_a), miss = add_scaled(w, -dot(w, l->n), l->n);
        double off = length(miss);
        l->miss = miss;
        l->off = l->error = off;
        l->on_a = on_a;
        l->on_b = on_b;
        bool ends = off <= 0.25 * exact(s) || off >= before * (1 - 1e-9);
        if (ends || a.kind == SUPPORT_POINT || b.kind == SUPPORT_POINT) {
            break;
        }
        before = off;
    }
}

/* ---------------------------------------------------------------- creases */

/* Directions c k + sqrt(1 - c^2) u, with u across k. */
typedef struct Circle {
    Vec3 axis, from, third; /* u = from cos + third sin */
    double height, radius;
} Circle;

static Look look_on(const Sides *s, const Circle *c, double angle, double *slope,
                    const Look *from) {
    double cosine = scr_cos(angle), sine = scr_sin(angle);
    Vec3 u = add_scaled(scale(cosine, c->from), sine, c->third);
    Look l = look_along(s, unit(add_scaled(scale(c->height, c->axis), c->radius, u)), from);
    Vec3 forward = add_scaled(scale(-sine, c->from), cosine, c->third);
    *slope = dot(sub(l.on_b, l.on_a), forward);
    l.error = fabs(*slope);
    return l;
}

/* The higher one or, of two that are level but for rounding, the more exact one. */
static void take_better(const Sides *s, const Look *l, Look *best) {
    double level = exact(s);
    bool better =
        l->gap > best->gap + level || (l->gap >= best->gap - level && l->error < best->error);
    *best = better ? *l : *best;
}

enum { MOST_NEWTON = 8 };

/* Newton's method on the circle: as the angle grows, the farthest points move by R dn, and the direction
 * forward turns to -u. False: it gets no nearer, as where the slope jumps. */
static bool climb_by_newton(const Sides *s, const Circle *c, double slope, Look *best) {
    double angle = 0, tiny = 0.25 * exact(s);
    for (int k = 0; k < MOST_NEWTON && fabs(slope) > tiny; k++) {
        double cosine = scr_cos(angle), sine = scr_sin(angle), a[3], b[3], next_slope;
        Vec3 u = add_scaled(scale(cosine, c->from), sine, c->third);
        Vec3 forward = add_scaled(scale(-sine, c->from), cosine, c->third);
        const Vec3 across[2] = {forward, cross(best->n, forward)};
        radii_of(s, false, best->n, across, a);
        radii_of(s, true, best->n, across, b);
        double falls = c->radius * (a[0] + b[0]) + dot(sub(best->on_b, best->on_a), u);
        double step = falls > 0 ? slope / falls : 1;
        if (!(fabs(step) < 0.3)) {
            return false;
        }
        const Look next = look_on(s, c, angle + step, &next_slope, best);
        if (!(fabs(next_slope) < 0.5 * fabs(slope))) {
            return false;
        }
        angle += step;
        slope = next_slope;
        *best = next;
    }
    return fabs(slope) <= tiny;
}

/* The top on a circle of directions: where the slope changes its sign, found from `at` by Newton's
 * method, or by steps that grow, and then by the false position (Illinois). */
static Look climb_circle(const Sides *s, Vec3 axis, double height, const Look *at) {
    Circle c = {.axis = axis, .height = height, .radius = sqrt(scr_max(0, 1 - height * height))};
    Vec3 across = add_scaled(at->n, -dot(at->n, axis), axis);
    c.from = length(across) > 1e-12 ? unit(across) : perpendicular(axis);
    c.third = cross(axis, c.from);
    double low = 0, slope_low, high, slope_high;
    Look best = look_on(s, &c, 0, &slope_low, at), next = best;
    double sign = slope_low < 0 ? -1 : 1, tiny = 0.25 * exact(s);
    if (fabs(slope_low) <= tiny || climb_by_newton(s, &c, slope_low, &next)) {
        return next;
    }
    next = best;
    for (high = sign * 1e-3; fabs(high) < M_PI; high *= 2) {
        next = look_on(s, &c, high, &slope_high, &best);
        take_better(s, &next, &best);
        if (!(slope_high * sign > 0)) {
            break;
        }
        low = high;
        slope_low = slope_high;
    }
    int side = 0;
    for (int k = 0; k < 80 && slope_high * slope_low < 0 && best.error > tiny; k++) {
        double share = slope_low / (slope_low - slope_high), slope;
        double angle = k % 4 == 3 ? 0.5 * (low + high) : low + share * (high - low);
        if (angle == low || angle == high) {
            break;
        }
        next = look_on(s, &c, angle, &slope, &best);
        take_better(s, &next, &best);
        if (slope * slope_low > 0) {
            low = angle;
            slope_low = slope;
            slope_high *= side == 1 ? 0.5 : 1;
            side = 1;
        } else {
            high = angle;
            slope_high = slope;
            slope_low *= side == -1 ? 0.5 : 1;
            side = -1;
        }
    }
    return best;
}

/* A direction of the part's own frame, outwards, as one from a to b. */
static Vec3 from_own(const Sides *s, bool of_b, Vec3 d) {
    return of_b ? scale(-1, scr_turn_from_b(s->p->pose, d)) : d;
}

/* The direction of a face or a cap. */
static void take_single(const Sides *s, Vec3 n, const Look *at, Look *best) {
    Look l = look_along(s, n, at);
    meet(s, &l);
    take_better(s, &l, best);
}

static void take_circle(const Sides *s, Vec3 axis, double height, const Look *at, Look *best) {
    Look l = climb_circle(s, axis, height, at);
    meet(s, &l);
    take_better(s, &l, best);
}

static void try_polyhedron(const Sides *s, bool of_b, const Look *at, Look *best) {
    const Polyhedron *p = of_b ? s->p->b : s->p->a;
    int32_t v = of_b ? at->of_b : at->of_a;
    for (int32_t k = p->star_first[v]; k < p->star_first[v + 1]; k++) {
        if (p->star_face[k] >= 0) {
            Vec3 n = from_own(s, of_b, p->face[p->star_face[k]].normal);
            take_single(s, n, at, best);
        }
        take_circle(s, from_own(s, of_b, p->edge[p->star_edge[k]].along), 0, at, best);
    }
}

/* A vertex or an apex close beside a rim: s falls off beside a ridge of directions that is hardly wider than the
 * gap, and no climb along it gets far. The point of the rim that is nearest to it tells the way. */
static void try_rim(const Sides *s, bool of_b, int rim, const Look *at, Look *best) {
    const Polyhedron *part = of_b ? s->p->b : s->p->a;
    const SmoothPart *cone = &part->smooth;
    const RelativePose *pose = s->p->pose;
    Vec3 x = of_b ? scr_point_to_b(pose, at->on_a) : at->on_b, u, n;
    Vec3 middle = shrunk(s, part, scr_rim_point(cone, rim, vec3(0, 0, 0))), w = sub(x, middle);
    if (!(cone->form[rim] > 0) ||
        !direction_of(add_scaled(w, -dot(w, cone->axis[2]), cone->axis[2]), &u) ||
        !direction_of(add_scaled(w, -s->size * cone->form[rim], u), &n)) {
        return;
    }
    n = from_own(s, of_b, n);
    take_single(s, dot(n, at->n) < 0 ? scale(-1, n) : n, at, best);
}

static void try_cone(const Sides *s, bool of_b, const Look *at, Look *best) {
    const SmoothPart *cone = of_b ? &s->p->b->smooth : &s->p->a->smooth;
    Vec3 axis = from_own(s, of_b, cone->axis[2]);
    for (int k = 0; k < 2; k++) {
        take_single(s, scale(k == 0 ? -1 : 1, axis), at, best);
        try_rim(s, of_b, k, at, best);
    }
    double across, along;
    scr_cone_side(cone, &across, &along);
    take_circle(s, axis, along, at, best);
}

static void try_creases(const Sides *s, const Look *at, Look *best) {
    for (int of_b = 0; of_b < 2; of_b++) {
        const Polyhedron *p = of_b ? s->p->b : s->p->a;
        if (!scr_is_smooth(p)) {
            try_polyhedron(s, of_b, at, best);
        } else if (p->smooth.kind == SCREE_PART_CONE) {
            try_cone(s, of_b, at, best);
        }
    }
}

/* Up from a crease: by Newton's step for what the points miss or, where that leads nowhere, straight
 * towards it. */
static bool leave(const Sides *s, Look *at) {
    Vec3 to = propose(s, at);
    for (int k = 0; k < MOST_HALVINGS; k++) {
        const Look l = look_along(s, unit(to), at);
        if (is_better(s, &l, at)) {
            *at = l;
            return true;
        }
        to = add(at->n, unit(to));
    }
    if (!direction_of(at->miss, &to)) {
        return false;
    }
    for (double turn = 0.3; turn > 1e-10; turn *= 0.25) {
        const Look l = look_along(s, unit(add_scaled(at->n, turn, to)), at);
        if (l.gap > at->gap + exact(s)) {
            *at = l;
            return true;
        }
    }
    return false;
}

/* ---------------------------------------------------------------- the whole */

enum { MOST_CLIMBS = 60 };

static Look climb(const Sides *s, Vec3 start) {
    Look at = look_along(s, start, NULL);
    for (int k = 0; k < MOST_CLIMBS; k++) {
        at = climb_smooth(s, at);
        if (at.off <= exact(s)) {
            break;
        }
        Look best = at;
        try_creases(s, &at, &best);
        meet(s, &best);
        at = best;
        if (at.off <= exact(s) || !leave(s, &at)) {
            break;
        }
    }
    return at;
}

static CommonNormal made(const Look *l) {
    return (CommonNormal){l->gap, l->n, l->on_a, l->on_b};
}

CommonNormal scr_seen_along(const PartPair *p, Vec3 normal) {
    const Sides s = {p, 1};
    Look l = look_along(&s, normal, NULL);
    meet(&s, &l);
    return made(&l);
}

double scr_gap_along(const PartPair *p, Vec3 normal) {
    const Sides s = {p, 1};
    return look_along(&s, normal, NULL).gap;
}

CommonNormal scr_normal_from(const PartPair *p, Vec3 start) {
    const Sides s = {p, 1};
    const Look l = climb(&s, start);
    return made(&l);
}

/* From all sides, where not even the smallest parts are apart, or where so much overlaps that a thin or
 * sharp part may have come closer to another side. */
static Look try_all_around(const Sides *s, Look best) {
    for (int k = 0; k < 6; k++) {
        Vec3 start = vec3(0, 0, 0);
        *component_of(&start, k / 2) = k % 2 ? 1 : -1;
        const Look l = climb(s, start);
        take_better(s, &l, &best);
    }
    return best;
}

CommonNormal scr_common_normal(const PartPair *p) {
    static const double smaller[] = {0.999, 0.99, 0.97, 0.9, 0.75, 0.5, 0.25, 0.06};
    const Sides whole = {p, 1};
    Vec3 between = sub(scr_point_from_b(p->pose, p->b->middle), p->a->middle);
    Vec3 start = length(between) > p->round ? unit(between) : vec3(0, 0, 1);
    Look best = climb(&whole, start);
    bool apart = best.gap > 0;
    start = best.n;
    for (size_t k = 0; k < sizeof smaller / sizeof smaller[0] && !apart; k++) {
        const Sides shrunk = {p, smaller[k]};
        const Look l = climb(&shrunk, start);
        apart = l.gap > 0;
        start = l.n;
        if (apart) {
            const Look full = climb(&whole, start);
            take_better(&whole, &full, &best);
        }
    }
    best = apart && best.gap > -4e-4 * p->size ? best : try_all_around(&whole, best);
    return made(&best);
}

#include "narrow/normal_meet.h"

static const double on_crease = 1e-9;

static Vec3 nearest_of(const NormalSides *s, const Polyhedron *p, const SupportSet *set, Vec3 x) {
    Vec3 whole = add_scaled(p->middle, 1 / s->size, sub(x, p->middle));
    Vec3 found = s->size == 1 ? scr_nearest_in_set(p, set, x) : scr_nearest_in_set(p, set, whole);
    return s->size == 1 ? found : add_scaled(p->middle, s->size, sub(found, p->middle));
}

Vec3 scr_shrunk_point(const NormalSides *s, const Polyhedron *p, Vec3 x) {
    return add_scaled(p->middle, s->size, sub(x, p->middle));
}

/* The point of b's line that lies over a's line, seen along n: where the turns below end, if it is
 * inside of both. Parallel lines have none, and the turns do. */
static Vec3 crossing(const NormalSides *s, const NormalLook *l, const SupportSet *a,
                     const SupportSet *b) {
    const PartPair *p = s->p;
    Vec3 from = scr_shrunk_point(s, p->a, a->at),
         along = sub(scr_shrunk_point(s, p->a, a->to), from);
    Vec3 start = scr_point_from_b(p->pose, scr_shrunk_point(s, p->b, b->at));
    Vec3 way = sub(scr_point_from_b(p->pose, scr_shrunk_point(s, p->b, b->to)), start);
    Vec3 across = cross(l->n, along);
    double slope = dot(across, way), share = dot(across, sub(from, start)) / slope;
    bool parallel = !(fabs(slope) > 1e-9 * length(along) * length(way));
    return parallel ? l->on_b : add_scaled(start, scr_min(scr_max(share, 0), 1), way);
}

static void set_points(NormalLook *l, Vec3 on_a, Vec3 on_b) {
    Vec3 w = sub(on_b, on_a);
    l->on_a = on_a;
    l->on_b = on_b;
    l->miss = add_scaled(w, -dot(w, l->n), l->n);
    l->off = l->error = length(l->miss);
}

enum { MOST_ROUNDS = 64 };

/* By turns from one set to the other. Most often one of them is a point, and that is all. */
void scr_meet_look(const NormalSides *s, NormalLook *l) {
    const PartPair *p = s->p;
    const SupportSet a = scr_support_set(p->a, l->n, l->of_a, on_crease);
    const SupportSet b =
        scr_support_set(p->b, scr_turn_to_b(p->pose, scale(-1, l->n)), l->of_b, on_crease);
    Vec3 on_a = l->on_a, on_b = l->on_b;
    l->set[0] = a;
    l->set[1] = b;
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
        set_points(l, on_a, on_b);
        double off = l->off;
        bool ends = off <= 0.25 * scr_look_exact(s) || off >= before * (1 - 1e-9);
        if (ends || a.kind == SUPPORT_POINT || b.kind == SUPPORT_POINT) {
            break;
        }
        before = off;
    }
}

/* ---------------------------------------------------------------- flat places
 *
 * As the normal turns by dn, the points move by R_a dn and -R_b dn, as in normal_look.c; but R is the inverse of the
 * curvature at the place, and an edge or a side may be met anywhere along it. Where one of these is all but without
 * bounds, dn is less than rounding, and the points move nevertheless. */

static const double no_bound = 1e12;

static bool slides(const NormalSides *s, const NormalLook *l, bool of_b) {
    return scr_may_be_flat(of_b ? s->p->b : s->p->a) || l->set[of_b].kind == SUPPORT_LINE;
}

static Vec3 part_point(const NormalSides *s, const NormalLook *l, bool of_b) {
    const Polyhedron *part = of_b ? s->p->b : s->p->a;
    Vec3 x = of_b ? scr_point_to_b(s->p->pose, l->on_b) : l->on_a;
    return add_scaled(part->middle, 1 / s->size, sub(x, part->middle));
}

static void place_radii(const NormalSides *s, const NormalLook *l, bool of_b, const Vec3 across[2],
                        double r[3]) {
    const Polyhedron *part = of_b ? s->p->b : s->p->a;
    const RelativePose *pose = s->p->pose;
    double most = no_bound * part->extent;
    if (scr_may_be_flat(part)) {
        const Vec3 own[2] = {of_b ? scr_turn_to_b(pose, across[0]) : across[0],
                             of_b ? scr_turn_to_b(pose, across[1]) : across[1]};
        double w[3];
        scr_smooth_curvature(&part->smooth, part_point(s, l, of_b), own, w);
        double xx = w[0] + 1 / most, yy = w[2] + 1 / most, det = xx * yy - w[1] * w[1];
        r[0] = s->size * yy / det;
        r[1] = -s->size * w[1] / det;
        r[2] = s->size * xx / det;
        return;
    }
    scr_look_radii(s, of_b, l->n, across, r);
    if (l->set[of_b].kind == SUPPORT_LINE) {
        Vec3 line = unit(sub(l->set[of_b].to, l->set[of_b].at));
        line = of_b ? scr_turn_from_b(pose, line) : line;
        double x = dot(line, across[0]), y = dot(line, across[1]);
        r[0] += most * x * x;
        r[1] += most * x * y;
        r[2] += most * y * y;
    }
}

/* A point moved across n: over a smooth surface, or to the nearest one of a line. */
static Vec3 moved(const NormalSides *s, const NormalLook *l, bool of_b, Vec3 step) {
    const Polyhedron *part = of_b ? s->p->b : s->p->a;
    const RelativePose *pose = s->p->pose;
    Vec3 x = part_point(s, l, of_b), normal;
    x = add_scaled(x, 1 / s->size, of_b ? scr_turn_to_b(pose, step) : step);
    x = scr_may_be_flat(part) ? scr_smooth_onto(&part->smooth, x, &normal)
                              : scr_nearest_in_set(part, &l->set[of_b], x);
    x = s->size == 1 ? x : scr_shrunk_point(s, part, x);
    return of_b ? scr_point_from_b(pose, x) : x;
}

/* False: no nearer to what is met, or no longer the farthest points. */
static bool slide(const NormalSides *s, NormalLook *l) {
    const Vec3 one = perpendicular(l->n), across[2] = {one, cross(l->n, one)};
    double a[3], b[3];
    place_radii(s, l, false, across, a);
    place_radii(s, l, true, across, b);
    double xx = a[0] + b[0] + l->gap, xy = a[1] + b[1], yy = a[2] + b[2] + l->gap;
    double u = dot(l->miss, across[0]), v = dot(l->miss, across[1]), det = xx * yy - xy * xy;
    double x = (yy * u - xy * v) / det, y = (xx * v - xy * u) / det;
    Vec3 on[2] = {l->on_a, l->on_b};
    for (int of_b = 0; of_b < 2; of_b++) {
        const double *r = of_b ? b : a, side = of_b ? -1 : 1;
        Vec3 step = add_scaled(scale(side * (r[0] * x + r[1] * y), across[0]),
                               side * (r[1] * x + r[2] * y), across[1]);
        Vec3 to = slides(s, l, of_b) ? moved(s, l, of_b, step) : on[of_b];
        if (!(side * dot(l->n, sub(to, on[of_b])) >= -scr_look_exact(s))) {
            return false;
        }
        on[of_b] = to;
    }
    const NormalLook before = *l;
    set_points(l, on[0], on[1]);
    bool nearer = l->off < 0.9 * before.off;
    *l = nearer ? *l : before;
    return nearer;
}

enum { MOST_SLIDES = 16 };

void scr_slide_on_flats(const NormalSides *s, NormalLook *l) {
    bool flat = scr_may_be_flat(s->p->a) || scr_may_be_flat(s->p->b);
    for (int k = 0; k < MOST_SLIDES && flat && l->off > 0.25 * scr_look_exact(s); k++) {
        flat = slide(s, l);
    }
}

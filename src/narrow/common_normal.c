#include "narrow/common_normal.h"

#include "narrow/inner_hull.h"
#include "narrow/normal_circle.h"
#include "narrow/normal_meet.h"
#include "narrow/smooth_places.h"

/* ---------------------------------------------------------------- creases */

/* A direction of the part's own frame, outwards, as one from a to b. */
static Vec3 from_own(const NormalSides *s, bool of_b, Vec3 d) {
    return of_b ? scale(-1, scr_turn_from_b(s->p->pose, d)) : d;
}

/* The direction of a face or a cap. */
static void take_single(const NormalSides *s, Vec3 n, const NormalLook *at, NormalLook *best) {
    NormalLook l = scr_look_along(s, n, at);
    scr_meet_look(s, &l);
    scr_take_better_look(s, &l, best);
}

/* What a climb on a circle has come to, another circle or a single direction, is met only nearly there; its own
 * direction is known. */
static void take_circle(const NormalSides *s, Vec3 axis, double height, const NormalLook *at,
                        NormalLook *best) {
    NormalLook l = scr_climb_circle(s, axis, height, at);
    scr_meet_look(s, &l);
    scr_take_better_look(s, &l, best);
    for (int of_b = 0; of_b < 2; of_b++) {
        const Polyhedron *p = of_b ? s->p->b : s->p->a;
        const SupportSet *set = &l.set[of_b];
        double across, other = 0;
        Vec3 n;
        if (set->kind == SUPPORT_FACE || set->kind == SUPPORT_CAP) {
            n = set->kind == SUPPORT_FACE ? p->face[set->place].normal
                                          : scale(set->place == 1 ? 1 : -1, p->smooth.axis[2]);
            take_single(s, from_own(s, of_b, n), &l, best);
        } else if (set->kind == SUPPORT_LINE) {
            bool edge = set->place >= 0;
            Vec3 line = from_own(s, of_b, edge ? p->edge[set->place].along : p->smooth.axis[2]);
            if (!edge) {
                scr_cone_side(&p->smooth, &across, &other);
            }
            if (scr_cross_circles(axis, height, line, other, l.n, &n)) {
                take_single(s, unit(n), &l, best);
            }
        }
    }
}

/* Whether points that nothing is missed between are as far apart as the parts are anywhere: always if these are apart,
 * and where they overlap by no more than this no other way out is shorter by more. */
static bool is_top(const NormalSides *s, const NormalLook *l) {
    return l->off <= scr_look_exact(s) && l->gap > (s->size == 1 ? -1e-11 * s->p->size : 0);
}

/* Faces and caps. Their directions are exact, and what is found along others may only be near to them: so they come
 * first. */
static void try_singles(const NormalSides *s, bool of_b, const NormalLook *at, NormalLook *best) {
    const Polyhedron *p = of_b ? s->p->b : s->p->a;
    if (p->smooth.kind == SCREE_PART_CONE) {
        Vec3 axis = from_own(s, of_b, p->smooth.axis[2]);
        take_single(s, axis, at, best);
        take_single(s, scale(-1, axis), at, best);
    }
    int32_t v = of_b ? at->of_b : at->of_a;
    for (int32_t k = scr_is_smooth(p) ? 0 : p->star_first[v];
         !scr_is_smooth(p) && k < p->star_first[v + 1] && !is_top(s, best); k++) {
        if (p->star_face[k] >= 0) {
            take_single(s, from_own(s, of_b, p->face[p->star_face[k]].normal), at, best);
        }
    }
}

/* Edges, and the sides of cones. */
static void try_circles(const NormalSides *s, bool of_b, const NormalLook *at, NormalLook *best) {
    const Polyhedron *p = of_b ? s->p->b : s->p->a;
    if (p->smooth.kind == SCREE_PART_CONE) {
        double across, along;
        scr_cone_side(&p->smooth, &across, &along);
        take_circle(s, from_own(s, of_b, p->smooth.axis[2]), along, at, best);
    }
    int32_t v = of_b ? at->of_b : at->of_a;
    for (int32_t k = scr_is_smooth(p) ? 0 : p->star_first[v];
         !scr_is_smooth(p) && k < p->star_first[v + 1] && !is_top(s, best); k++) {
        take_circle(s, from_own(s, of_b, p->edge[p->star_edge[k]].along), 0, at, best);
    }
}

/* A vertex or an apex close beside a rim: s falls off beside a ridge of directions that is hardly wider than the
 * gap, and no climb along it gets far. The point of the rim that is nearest to it tells the way. */
static void try_rim(const NormalSides *s, bool of_b, int rim, const NormalLook *at,
                    NormalLook *best) {
    const Polyhedron *part = of_b ? s->p->b : s->p->a;
    const SmoothPart *cone = &part->smooth;
    const RelativePose *pose = s->p->pose;
    Vec3 x = of_b ? scr_point_to_b(pose, at->on_a) : at->on_b, u, n;
    Vec3 middle = scr_shrunk_point(s, part, scr_rim_point(cone, rim, vec3(0, 0, 0))),
         w = sub(x, middle);
    if (!(cone->form[rim] > 0) ||
        !direction_of(add_scaled(w, -dot(w, cone->axis[2]), cone->axis[2]), &u) ||
        !direction_of(add_scaled(w, -s->size * cone->form[rim], u), &n)) {
        return;
    }
    n = from_own(s, of_b, n);
    take_single(s, dot(n, at->n) < 0 ? scale(-1, n) : n, at, best);
}

static void try_rims(const NormalSides *s, bool of_b, const NormalLook *at, NormalLook *best) {
    for (int k = 0; k < 2 && (of_b ? s->p->b : s->p->a)->smooth.kind == SCREE_PART_CONE; k++) {
        try_rim(s, of_b, k, at, best);
    }
}

static void try_creases(const NormalSides *s, const NormalLook *at, NormalLook *best) {
    static void (*const try[])(const NormalSides *, bool, const NormalLook *,
                               NormalLook *) = {try_singles, try_circles, try_rims};
    for (int k = 0; k < 6 && !is_top(s, best); k++) {
        try[k / 2](s, k % 2 == 1, at, best);
    }
}

/* Up from a crease: by Newton's step for what the points miss or, where that leads nowhere, straight
 * towards it. */
static bool leave(const NormalSides *s, NormalLook *at) {
    Vec3 to = scr_next_look(s, at);
    for (int k = 0; k < MOST_HALVINGS; k++) {
        const NormalLook l = scr_look_along(s, unit(to), at);
        if (scr_is_better_look(s, &l, at)) {
            *at = l;
            return true;
        }
        to = add(at->n, unit(to));
    }
    if (!direction_of(at->miss, &to)) {
        return false;
    }
    for (double turn = 0.3; turn > 1e-10; turn *= 0.25) {
        const NormalLook l = scr_look_along(s, unit(add_scaled(at->n, turn, to)), at);
        if (l.gap > at->gap + scr_look_exact(s)) {
            *at = l;
            return true;
        }
    }
    return false;
}

/* A point just beside a face: what it misses is too short to tell the direction across the edge that it is nearest to,
 * but the edges around the face do. */
static bool leave_face(const NormalSides *s, NormalLook *at) {
    NormalLook best = *at;
    for (int of_b = 0; of_b < 2; of_b++) {
        const Polyhedron *p = of_b ? s->p->b : s->p->a;
        const PolyhedronFace *face =
            at->set[of_b].kind == SUPPORT_FACE ? &p->face[at->set[of_b].place] : NULL;
        for (int32_t k = 0; face != NULL && k < face->count; k++) {
            int32_t edge = p->loop_edge[face->first + k];
            take_circle(s, from_own(s, of_b, p->edge[edge].along), 0, at, &best);
        }
    }
    bool left = scr_is_better_look(s, &best, at);
    *at = left ? best : *at;
    return left;
}

/* ---------------------------------------------------------------- the whole */

enum { MOST_CLIMBS = 60 };

static NormalLook climb(const NormalSides *s, Vec3 start) {
    NormalLook at = scr_look_along(s, start, NULL);
    for (int k = 0; k < MOST_CLIMBS; k++) {
        at = scr_climb_smooth(s, at, k == 0 ? FEW_HALVINGS : MOST_HALVINGS);
        if (at.off <= scr_look_exact(s)) {
            break;
        }
        NormalLook best = at;
        try_creases(s, &at, &best);
        scr_meet_look(s, &best);
        scr_slide_on_flats(s, &best);
        at = best;
        if (at.off <= scr_look_exact(s) || !(leave(s, &at) || leave_face(s, &at))) {
            break;
        }
    }
    return at;
}

static CommonNormal made(const NormalLook *l) {
    return (CommonNormal){l->gap, l->n, l->on_a, l->on_b};
}

CommonNormal scr_seen_along(const PartPair *p, Vec3 normal) {
    const NormalSides s = {p, 1};
    NormalLook l = scr_look_along(&s, normal, NULL);
    scr_meet_look(&s, &l);
    scr_slide_on_flats(&s, &l);
    return made(&l);
}

double scr_gap_along(const PartPair *p, Vec3 normal) {
    const NormalSides s = {p, 1};
    return scr_look_along(&s, normal, NULL).gap;
}

CommonNormal scr_normal_from(const PartPair *p, Vec3 start) {
    const NormalSides s = {p, 1};
    const NormalLook l = climb(&s, start);
    return made(&l);
}

/* ---------------------------------------------------------------- the shortest way out
 *
 * The differences of points of a and of b fill a convex body about the origin, whose distance from its surface is the
 * depth: s(n) is minus how far it reaches along n. Several places of the surface may be about as near, as where an
 * edge, a rim or a tip is in another one, and a climb ends at any of them. So the surface is looked at all around,
 * from the hull of what is known of it: where that is nearer than the way out in hand, there may be a shorter one. */

static const double nothing =
    1e-11; /* ways out that differ by no more are as short; part of the size */

static Vec3 reach(const NormalLook *l) {
    return sub(l->on_a, l->on_b);
}

static bool begin_hull(const NormalSides *s, InnerHull *h) {
    static const Vec3 corner[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    Vec3 point[4];
    for (int k = 0; k < 4; k++) {
        const NormalLook l = scr_look_along(s, unit(corner[k]), NULL);
        point[k] = reach(&l);
    }
    return scr_inner_hull_begin(point, scr_look_exact(s), h);
}

static NormalLook try_all_ways(const NormalSides *s, NormalLook best) {
    const double level = nothing * s->p->size;
    InnerHull h;
    InnerFace *face = begin_hull(s, &h) ? scr_inner_hull_nearest(&h) : NULL;
    while (face != NULL && face->offset < -best.gap - level && h.points < INNER_HULL_POINTS) {
        const NormalLook l = scr_look_along(s, face->normal, &best);
        if (l.gap > best.gap + level) {
            const NormalLook top = climb(s, l.n);
            scr_take_better_look(s, &top, &best);
        }
        face->final = true; /* if it stays: the surface is no farther out */
        scr_inner_hull_add(&h, reach(&l));
        face = scr_inner_hull_nearest(&h);
    }
    return best;
}

/* Whether the points of parts that are apart face each other. Where they do not, beside an edge or on a flat place, a
 * climb has come to its end too early; it ends elsewhere when it comes from smaller parts. */
static bool is_settled(const NormalSides *s, const NormalLook *l) {
    return l->gap <= 0 || l->off <= scr_look_exact(s);
}

CommonNormal scr_common_normal(const PartPair *p) {
    static const double smaller[] = {0.999, 0.99, 0.97, 0.9, 0.75, 0.5, 0.25, 0.06};
    const NormalSides whole = {p, 1};
    Vec3 between = sub(scr_point_from_b(p->pose, p->b->middle), p->a->middle);
    Vec3 start = length(between) > p->round ? unit(between) : vec3(0, 0, 1);
    NormalLook best = climb(&whole, start);
    best = best.gap < -nothing * p->size ? try_all_ways(&whole, best) : best;
    start = best.n;
    for (size_t k = 0; k < sizeof smaller / sizeof smaller[0] && !is_settled(&whole, &best); k++) {
        const NormalSides shrunk = {p, smaller[k]};
        const NormalLook l = climb(&shrunk, start);
        start = l.n;
        if (l.gap > 0) {
            const NormalLook full = climb(&whole, start);
            scr_take_better_look(&whole, &full, &best);
        }
    }
    return made(&best);
}

#include "narrow/local_points.h"

#include "narrow/part_level.h"
#include "narrow/way_behind.h"

/* In parts of the smaller diameter. */
static const double hollow = 0.01;  /* see SightLimits */
static const double step_up = 1e-5; /* as in part_points.c: lower steps are no obstacles */
static const double at_once = 1e-3; /* how far two sides of one body may seem to be in each other */
static const double error = 1e-12;  /* gaps that differ by less are equal */
static const double on_axis = 0.955; /* cosine */
static const double opposite = -0.1; /* cosine */

/* All pairs of a step, and where gaps are compared: now, or at the end of the step. */
typedef struct Judging {
    const LocalParts *parts;
    const PartPair *now, *then;
    const PointRules *rules;
    SightLimits limits;
    double deepest; /* a pair that is seen only later is no deeper than this now */
    LocalWork *work;
    SolidPoints *points;
} Judging;

static double roundings(const PartPair *p) {
    return p->a->rounding + p->b->rounding;
}

static double depth_limit(const PartPair *p, const PointRules *rules) {
    return scr_max(DEEPEST_OVERLAP * p->size, scr_min(2 * rules->motion, 0.5 * p->size));
}

static SightLimits listed(const PartPair *p, const PointRules *rules, double turn) {
    SightLimits limits = scr_point_limits(p, rules);
    limits.low = -depth_limit(p, rules);
    limits.high = scr_farthest_listed(p, rules, true);
    limits.beyond = 0.5 * ONE_PLACE * p->size; /* names of the step before are held so far */
    limits.slide = rules->motion;
    limits.turn = turn;
    limits.hollow = hollow * p->size;
    limits.over = true;
    return limits;
}

/* ---------------------------------------------------------------- outsides */

/* Whether a direction out of a body is so at a feature: not more into it than out of it. A blunt
 * vertex is seen from behind at hardly more tilt than from the front. */
static bool shows_outside(const Polyhedron *p, ElementKind kind, int32_t number, Vec3 out) {
    Vec3 inward = vec3(0, 0, 0);
    if (kind == ELEMENT_EDGE) {
        inward = add(p->edge[number].inward[0], p->edge[number].inward[1]);
    }
    for (int32_t k = p->star_first[number]; kind == ELEMENT_VERTEX && k < p->star_first[number + 1];
         k++) {
        const int32_t *end = p->edge[p->star_edge[k]].vertex;
        Vec3 d = sub(scr_vertex(p, end[end[0] == number ? 1 : 0]), scr_vertex(p, number));
        inward = add_scaled(inward, 1 / length(d), d);
    }
    return kind == ELEMENT_FACE || dot(inward, out) <= 0;
}

/* The surface of a patch is thin, and has an outside on either side, unless one is known to be the inside. */
static bool is_thin(const Judging *j) {
    return j->parts->mute[0] != NULL && j->parts->closed == NULL;
}

static bool show_outsides(const Judging *j, const SeenPair *s) {
    bool patch = is_thin(j);
    Vec3 n = s->now.normal, back = scr_turn_to_b(j->now->pose, scale(-1, n));
    return shows_outside(j->now->a, s->pair.kind_a, s->pair.a, n) &&
           (patch || shows_outside(j->now->b, s->pair.kind_b, s->pair.b, back));
}

/* ---------------------------------------------------------------- now and later */

/* How deep pairs that face each other strictly are now; what is deeper than `at_once` may be the far
 * side of a body. */
static double overlap_now(const Judging *j) {
    double depth = 0;
    for (size_t i = 0; i < j->work->seen; i++) {
        const SeenPair *s = &j->points->seen[i];
        if (s->strict && s->now.gap > -at_once * j->now->size) {
            depth = scr_max(depth, -s->now.gap);
        }
    }
    return depth;
}

/* True: the end of the step counts. */
static bool see_all_now(Judging *j) {
    double least = INFINITY;
    for (size_t i = 0; i < j->work->seen; i++) {
        SeenPair *s = &j->points->seen[i];
        scr_see_now(j->now, &j->limits, s);
        s->seen = s->seen && show_outsides(j, s);
        s->strict = s->strict && s->seen;
        least = s->seen ? scr_min(least, s->now.gap) : least;
    }
    j->deepest = -2 * overlap_now(j) - step_up * j->now->size;
    return j->rules->motion > 0 && least <= scr_passing_zone(j->now, j->rules);
}

/* A pair that is seen only at the end of the step must not tell of an overlap that is not there, and neither must one
 * that takes the direction that it will have then: a vertex that passes an edge is behind it before. */
static void see_all_later(Judging *j) {
    double zone = scr_passing_zone(j->now, j->rules);
    for (size_t i = 0; i < j->work->seen; i++) {
        SeenPair *s = &j->points->seen[i];
        bool before = s->seen && scr_has_own_normal(s->pair);
        scr_see_later(j->now, j->then, &j->limits, zone, s);
        s->seen = s->seen && (before || s->now.gap >= j->deepest) && show_outsides(j, s);
        s->strict = s->strict && s->seen;
    }
}

/* ---------------------------------------------------------------- ghosts */

static bool is_aimless(const PartPair *p, const SeenPair *s) {
    return !scr_has_own_normal(s->pair) && s->now.gap <= 1e-9 * p->size;
}

/* Whether the feet of q leave its features when the bodies are moved out of r. What lies outside
 * already, behind a hollow edge, must not go farther. */
static bool ends_with(const Judging *j, const SeenPair *q, const SeenPair *r) {
    SightLimits anywhere = j->limits;
    anywhere.tilt = 2;
    anywhere.hollow = 0;
    anywhere.beyond = scr_has_own_normal(q->pair) ? INFINITY : anywhere.beyond;
    RelativePose moved = *j->then->pose;
    double way = scr_max(0, -r->later) + step_up * j->now->size;
    moved.shift = add_scaled(moved.shift, way, r->now.normal);
    const PartPair after = scr_part_pair(j->now->a, j->now->b, &moved);
    FeatureSight at, then;
    if (!scr_see_features(&after, q->pair, &anywhere, &then)) {
        return true;
    }
    if (!scr_has_own_normal(q->pair)) {
        return dot(then.normal, q->now.normal) < on_axis;
    }
    double before = scr_see_features(j->then, q->pair, &anywhere, &at) ? at.beyond : -INFINITY;
    return then.beyond > j->limits.beyond && then.beyond > before + 0.1 * step_up * j->now->size;
}

/* A deep pair whose features lie on the far sides of the two bodies, seen from r. */
static bool is_behind(const Judging *j, const SeenPair *q, const SeenPair *r) {
    double size = j->now->size, slack = at_once * size + 2 * scr_max(0, -r->later);
    Vec3 n = r->now.normal, on_a = sub(q->now.foot, r->now.foot);
    Vec3 on_b = sub(add_scaled(q->now.foot, q->now.gap, q->now.normal),
                    add_scaled(r->now.foot, r->now.gap, n));
    return -q->later > 2 * slack + 2 * j->rules->motion && dot(n, on_a) <= slack &&
           dot(n, on_b) >= -slack;
}

/* Bodies that are apart have no way out of each other: whatever faces the other one strictly is as near as it seems. */
static bool is_ghost_of(const Judging *j, const SeenPair *q, const SeenPair *r) {
    double cosine = dot(q->now.normal, r->now.normal);
    bool apart = q->strict && q->later > step_up * j->now->size;
    if (cosine >= on_axis || q->later >= r->later - error * j->now->size || apart) {
        return false;
    }
    return cosine < opposite ? is_behind(j, q, r) : ends_with(j, q, r);
}

/* The other way around: a pair ahead that is seen from below a surface that is touched, as the back
 * of a step's side from the floor above it. */
static bool is_below(const Judging *j, const SeenPair *q, const SeenPair *r) {
    double cosine = dot(q->now.normal, r->now.normal);
    return cosine < on_axis && cosine >= opposite && r->later <= step_up * j->now->size &&
           q->later > r->later && ends_with(j, q, r) && !ends_with(j, r, q);
}

static bool is_within(const Judging *j, const SeenPair *s) {
    return s->seen && s->now.gap <= j->rules->reach + roundings(j->now) &&
           s->now.gap >= -depth_limit(j->now, j->rules);
}

/* Whether a place lies behind a closed surface of triangles, seen from the body; without memory it counts as one that
 * does. */
static bool is_behind_surface(const Judging *j, Vec3 x) {
    const LocalParts *parts = j->parts;
    int32_t winding;
    return !scr_mesh_winding(parts->closed, x, parts->room, &winding) ||
           (winding != 0) != parts->within;
}

/* How far it is through the second body from a point of its surface, along a direction into it; no more than `most`. A
 * closed surface is looked behind at two places. */
static double way_through(const Judging *j, const SeenPair *s, Vec3 on_b, Vec3 into, double most) {
    if (j->parts->closed == NULL) {
        return scr_way_behind(j->now, false, s->pair.kind_b, s->pair.b, on_b, into, most);
    }
    bool solid = is_behind_surface(j, add_scaled(on_b, 0.5 * most, into)) &&
                 is_behind_surface(j, add_scaled(on_b, most, into));
    return solid ? most : 0;
}

/* An overlap of more than half of what is there was not entered from that side: a thin plate that
 * lies on a wall is not deep in it from below. */
static bool is_from_behind(const Judging *j, const SeenPair *s) {
    const PartPair *p = j->now;
    double depth = -s->now.gap;
    if (!(depth > at_once * p->size + 2 * j->rules->motion)) {
        return false;
    }
    Vec3 back = scale(-1, s->now.normal), on_b = add_scaled(s->now.foot, -depth, s->now.normal);
    double of_a = scr_way_behind(p, true, s->pair.kind_a, s->pair.a, s->now.foot, back, 2 * depth);
    double of_b = way_through(j, s, scr_point_to_b(p->pose, on_b),
                              scr_turn_to_b(p->pose, s->now.normal), 2 * depth);
    return 2 * depth > of_a + of_b;
}

/* A place at the depth t below an edge, along a direction n out of it, is t n . m below its face with the normal m:
 * hardly at all where n is nearly the normal of the other face. The least of both faces, over t. */
static double below_edge(const Polyhedron *p, ElementKind kind, int32_t number, Vec3 out) {
    double least = 1;
    for (int k = 0; kind == ELEMENT_EDGE && k < 2; k++) {
        const int32_t face = p->edge[number].face[k];
        least = face >= 0 ? scr_min(least, dot(p->face[face].normal, out)) : least;
    }
    return least;
}

/* Whether a place is in a body, without its rounding, by more than what bodies that lie on each other are; or, below
 * an edge, by half of what is to be expected there. */
static bool is_in(const Polyhedron *p, Vec3 x, double depth, double below) {
    const double part = below > 0 ? scr_min(0.01, 0.5 * below) : 0.01;
    return scr_part_level(p, x) + p->rounding < -part * depth;
}

static bool is_in_second(const Judging *j, const SeenPair *s, Vec3 x, double depth) {
    const Polyhedron *b = j->now->b;
    if (j->parts->closed != NULL) {
        return is_behind_surface(j, x);
    }
    Vec3 out = scr_turn_to_b(j->now->pose, scale(-1, s->now.normal));
    return is_in(b, x, depth, below_edge(b, s->pair.kind_b, s->pair.b, out));
}

/* An overlap of which neither foot is in the other body is none: two arms of stars that reach past each other. Walls of
 * triangles have no inside, unless they are closed. */
static bool is_hollow(const Judging *j, const SeenPair *s) {
    const PartPair *p = j->now;
    double depth = -s->now.gap;
    if (is_thin(j) || !(depth > at_once * p->size)) {
        return false;
    }
    const Vec3 n = s->now.normal, on_b = add_scaled(s->now.foot, -depth, n);
    const double in_a = below_edge(p->a, s->pair.kind_a, s->pair.a, n);
    const Vec3 foot = scr_point_to_b(p->pose, s->now.foot);
    return !is_in_second(j, s, foot, depth) && !is_in(p->a, on_b, depth, in_a);
}

static void drop(SeenPair *s) {
    s->seen = s->strict = false;
}

static void drop_those_from_behind(const Judging *j) {
    for (size_t i = 0; i < j->work->seen; i++) {
        SeenPair *s = &j->points->seen[i];
        if (is_within(j, s) && (is_from_behind(j, s) || is_hollow(j, s))) {
            drop(s);
        }
    }
}

static bool tells_the_way(const Judging *j, const SeenPair *r) {
    return r->seen && r->strict && !is_aimless(j->now, r);
}

/* Those that may be dropped, or tell that others are to be, in the order of their gaps at the end of the step, the
 * greatest first: a pair can be a ghost only of one before it. */
static bool rank_pairs(const Judging *j, size_t *count) {
    LocalWork *w = j->work;
    const SeenPair *seen = j->points->seen;
    if (!SCR_RESERVE(w, rank, w->seen + 1) || !SCR_RESERVE(w, teller, w->seen + 1)) {
        return false;
    }
    size_t n = 0;
    for (size_t i = 0; i < w->seen; i++) {
        if (!is_within(j, &seen[i]) && !tells_the_way(j, &seen[i])) {
            continue;
        }
        size_t k = n++;
        for (; k > 0 && seen[w->rank[k - 1]].later < seen[i].later; k--) {
            w->rank[k] = w->rank[k - 1];
        }
        w->rank[k] = i;
    }
    *count = n;
    return true;
}

static void drop_those_below(const Judging *j) {
    SeenPair *seen = j->points->seen;
    size_t *teller = j->work->teller, tellers = 0;
    for (size_t k = 0; k < j->work->seen; k++) {
        if (tells_the_way(j, &seen[k])) {
            teller[tellers++] = k;
        }
    }
    for (size_t i = 0; i < j->work->seen; i++) {
        for (size_t k = 0; k < tellers && is_within(j, &seen[i]); k++) {
            const SeenPair *r = &seen[teller[k]];
            if (teller[k] != i && tells_the_way(j, r) && is_below(j, &seen[i], r)) {
                drop(&seen[i]);
            }
        }
    }
}

static bool drop_ghosts(const Judging *j) {
    drop_those_from_behind(j);
    size_t count, tellers = 0;
    if (!rank_pairs(j, &count)) {
        return false;
    }
    SeenPair *seen = j->points->seen;
    size_t *teller = j->work->teller;
    for (size_t i = 0; i < count; i++) {
        SeenPair *q = &seen[j->work->rank[i]];
        for (size_t k = 0; k < tellers && is_within(j, q); k++) {
            if (is_ghost_of(j, q, &seen[teller[k]])) {
                drop(q);
            }
        }
        if (tells_the_way(j, q)) {
            teller[tellers++] = j->work->rank[i];
        }
    }
    drop_those_below(j);
    return true;
}

/* ---------------------------------------------------------------- points */

static bool is_mute(const LocalParts *p, FeaturePair pair) {
    return p->mute[0] != NULL && p->mute[pair.kind_b][pair.b];
}

static bool add_seen(const Judging *j) {
    for (size_t i = 0; i < j->work->seen; i++) {
        const SeenPair *s = &j->points->seen[i];
        if (is_within(j, s) && !is_mute(j->parts, s->pair) &&
            !scr_add_solid_point(j->now, s, j->rules->old, j->points)) {
            return false;
        }
    }
    return true;
}

/* A name of the step before whose foot has moved a little out of its feature: see hold_names in
 * part_points.c. */
static bool hold_names(const Judging *j, size_t first) {
    size_t last = j->points->count;
    SightLimits limits = j->limits;
    limits.beyond = 0.5 * ONE_PLACE * j->now->size;
    for (size_t i = 0; i < j->work->seen; i++) {
        SeenPair s = j->points->seen[i];
        if (s.seen || !scr_has_own_normal(s.pair) || !scr_is_old(j->rules->old, s.name)) {
            continue;
        }
        scr_see_now(j->now, &limits, &s);
        s.strict = false;
        if (is_within(j, &s) && scr_is_at_a_point(j->now, &s.now, j->points, first, last) &&
            !scr_add_solid_point(j->now, &s, j->rules->old, j->points)) {
            return false;
        }
    }
    return true;
}

double scr_local_reach(const PartPair *now, const PointRules *rules, double turn) {
    const SightLimits limits = listed(now, rules, turn);
    return scr_local_far(now, &limits);
}

/* The feet of a pair that overlaps are as far apart as it is deep. So if it is not one, the pair that
 * tells so is no farther than that. */
static bool list_pairs(const LocalParts *parts, SightLimits limits, LocalWork *work,
                       SolidPoints *points) {
    if (!scr_list_local(parts, &limits, work, points)) {
        return false;
    }
    double deepest = 0;
    for (size_t i = 0; i < work->seen; i++) {
        deepest = scr_max(deepest, -points->seen[i].now.gap);
    }
    if (deepest <= limits.high) {
        return true;
    }
    limits.high = deepest;
    return scr_list_local(parts, &limits, work, points);
}

ScreeStatus scr_local_points(const LocalParts *parts, LaterPose *later, const PointRules *rules,
                             double turn, LocalWork *work, SolidPoints *points) {
    const PartPair *now = parts->now;
    const SightLimits limits = listed(now, rules, turn);
    if (!list_pairs(parts, limits, work, points)) {
        return SCREE_NO_MEMORY;
    }
    Judging j = {parts, now, now, rules, scr_point_limits(now, rules), 0, work, points};
    j.limits.hollow = hollow * now->size;
    j.limits.over = true;
    PartPair then = *now;
    if (see_all_now(&j)) {
        then = scr_part_pair(now->a, now->b, scr_later_of(later));
        j.then = &then;
        see_all_later(&j);
    }
    size_t first = points->count;
    return drop_ghosts(&j) && add_seen(&j) && hold_names(&j, first) ? SCREE_OK : SCREE_NO_MEMORY;
}

/* Bodies of every kind with one another, and with walls, through the same call that a step makes: the
 * least gap that it tells is the distance, no pair is missed, and overlaps are parted along the shortest
 * way. The proof needs nothing of the search: no two convex parts are nearer than they are apart along
 * any direction, nor farther than two of their points are. */
#include "narrow/smooth_rig.h"
#include "narrow/narrow.h"
#include "narrow/smooth_wall.h"
#include "shape/wall.h"

static RigBody a, b;
static RigTouch t;

/* ---------------------------------------------------------------- bodies */

enum { POLYHEDRA = 20, COMPOUNDS = 3, KINDS = SMOOTH + POLYHEDRA + COMPOUNDS };

/* A cone with a box at its foot, two cylinders that cross, an ellipsoid on a rod with round ends. */
static void rig_compound(RigBody *body, int kind) {
    const Vec3 up[2] = {{0, 0, -0.1}, {0, 0, 0.4}}, along[2] = {{-0.4, 0, 0}, {0.4, 0, 0}};
    const Vec3 half[4] = {{0, 0, 0.3}, {0.2, 0, 0.3}, {0, 0.15, 0.3}, {0, 0, 0.45}};
    const Vec3 rod[2] = {{0, 0, -0.4}, {0, 0, 0.3}};
    if (kind == 0) {
        rig_smooth_part(body, 0, SCREE_PART_CONE, up, 0.2, 0.05, 0);
        rig_box_part(body, 1, vec3(0, 0, -0.15), vec3(0.25, 0.2, 0.1), 0.02);
    } else if (kind == 1) {
        rig_smooth_part(body, 0, SCREE_PART_CONE, up, 0.1, 0.1, 0);
        rig_smooth_part(body, 1, SCREE_PART_CONE, along, 0.08, 0.08, 0.01);
    } else {
        rig_smooth_part(body, 0, SCREE_PART_ELLIPSOID, half, 2, 2, 0);
        rig_hull_part(body, 1, rod, 2, 0.06);
    }
    rig_finish(body, 2);
}

static void rig_body(RigBody *body, int kind) {
    if (kind < SMOOTH) {
        rig_any_smooth(body, kind);
    } else if (kind < SMOOTH + POLYHEDRA) {
        rig_any(body, kind - SMOOTH, kind % 2 == 0 ? 0 : 0.03);
    } else {
        rig_compound(body, kind - SMOOTH - POLYHEDRA);
    }
    rig_turn_at_random(body);
}

/* ---------------------------------------------------------------- along a direction */

/* The farthest point of a part, without its rounding, by looking at all of its vertices. */
static Vec3 farthest(const RigBody *body, int part, Vec3 n) {
    const Polyhedron *p = &body->part[part];
    Vec3 own = scr_into_frame(&body->placed, n), best = vec3(0, 0, 0);
    if (scr_is_smooth(p)) {
        best = scr_smooth_support(&p->smooth, own);
    }
    double most = -INFINITY;
    for (int32_t v = 0; v < p->vertices && !scr_is_smooth(p); v++) {
        double up = dot(own, scr_vertex(p, v));
        best = up > most ? scr_vertex(p, v) : best;
        most = fmax(most, up);
    }
    return add(body->x, scr_out_of_frame(&body->placed, best));
}

static int part_of(const RigBody *body, int32_t element) {
    return (int)(scr_element(&body->solid, element).part - body->part);
}

/* How far two parts are apart along n, with their roundings. */
static double apart(int i, int j, Vec3 n) {
    double gap = dot(n, sub(farthest(&b, j, scale(-1, n)), farthest(&a, i, n)));
    return gap - a.part[i].rounding - b.part[j].rounding;
}

/* By how much a point, moved inwards by the rounding, is outside of a part of its body. */
static double outside(const RigBody *body, int part, Vec3 x, Vec3 outwards) {
    const Polyhedron *p = &body->part[part];
    Vec3 core = add_scaled(sub(x, body->x), -p->rounding, outwards);
    Vec3 own = scr_into_frame(&body->placed, core);
    if (p->faces == 0 && p->vertices == 2 && !scr_is_smooth(p)) {
        Vec3 from = scr_vertex(p, 0), way = sub(scr_vertex(p, 1), from);
        double share = dot(sub(own, from), way) / dot(way, way);
        return length(sub(own, add_scaled(from, fmin(fmax(share, 0), 1), way)));
    }
    return rig_outside(p, own);
}

/* ---------------------------------------------------------------- apart */

/* The point with the least gap. Points of caps and edges that are tilted against each other are told
 * no nearer than the distance, so several may have it: the one whose normal proves it. */
static const OutlineTouch *nearest(void) {
    const OutlineTouch *best = NULL;
    double least = rig_least(&t), most = -INFINITY;
    for (size_t k = 0; k < t.touches.count; k++) {
        const OutlineTouch *at = &t.touches.item[k];
        int i = part_of(&a, scr_feature_a(at->feature)),
            j = part_of(&b, scr_feature_b(at->feature));
        double along = at->gap <= least + 1e-14 ? apart(i, j, at->normal) : -INFINITY;
        best = best == NULL || along > most ? at : best;
        most = fmax(most, along);
    }
    return best;
}

/* Puts b beside a so that they are `gap` apart: no two parts come nearer than that on the way. */
static bool put_beside(double gap) {
    const Vec3 side = rig_direction();
    a.x = scale(3, rig_direction());
    b.x = add_scaled(a.x, 2.5, side);
    for (int k = 0; k < 2; k++) {
        rig_touch(&t, &a, &b, 5);
        const OutlineTouch *at = nearest();
        if (at == NULL) {
            return false;
        }
        b.x = add_scaled(b.x, gap - at->gap, at->normal);
    }
    return true;
}

/* The greatest distance along directions near n that trying them finds. */
static double best_apart(int i, int j, Vec3 n) {
    double best = apart(i, j, n), width = 0.3;
    for (int k = 0; k < 400; k++) {
        Vec3 m = unit(add(n, rig_step(0, width)));
        double found = apart(i, j, m);
        n = found > best ? m : n;
        width = found > best ? width : 0.97 * width;
        best = fmax(best, found);
    }
    return best;
}

static bool others_are_no_nearer(int i, int j, double gap) {
    bool ok = true;
    for (int k = 0; k < a.solid.parts; k++) {
        for (int l = 0; l < b.solid.parts; l++) {
            Vec3 way = unit(sub(rig_vertex(&b, l, 0), rig_vertex(&a, k, 0)));
            ok = ok && ((k == i && l == j) || best_apart(k, l, way) > gap - 1e-10 ||
                        best_apart(k, l, nearest()->normal) > gap - 1e-10);
        }
    }
    return ok;
}

static double worst;

/* Whether the least gap is that of its two parts: from below along its normal, from above at its points. */
static bool is_proved(double expected) {
    const OutlineTouch *at = nearest();
    if (at == NULL) {
        return false;
    }
    int i = part_of(&a, scr_feature_a(at->feature)), j = part_of(&b, scr_feature_b(at->feature));
    Vec3 on_a = add(a.x, add_scaled(at->arm, -0.5 * at->gap, at->normal));
    Vec3 on_b = add_scaled(on_a, at->gap, at->normal);
    /* rounding turns the direction between two vertices by so much, and the far ends of bodies with it */
    double blurred = fmax(0, fabs(apart(i, j, at->normal) - at->gap) - 3e-16 / at->gap);
    double error = fmax(blurred, fabs(at->gap - expected));
    /* beside the normal, a point counts as over a face or a cap if it is by no more than 1e-9 */
    double off =
        fmax(outside(&a, i, on_a, at->normal), outside(&b, j, on_b, scale(-1, at->normal)));
    worst = fmax(worst, error);
    return error <= 1e-10 && off <= 1e-9 && others_are_no_nearer(i, j, at->gap);
}

/* The next pair of these kinds. */
static bool has_a_proved_gap(int pair, int one, int other) {
    rig_body(&a, one);
    rig_body(&b, other);
    double gap = rig_any_size(1e-9, 0.3);
    bool ok = put_beside(gap);
    rig_touch(&t, &a, &b, gap + 1e-3);
    ok = ok && is_proved(gap);
    if (!ok) {
        printf("    pair %d, kinds %d and %d: not proved at gap %g\n", pair, one, other, gap);
    }
    rig_touch(&t, &a, &b, gap * (1 - 1e-6) - 1e-11);
    CHECK(t.touches.count == 0);
    rig_free(&a);
    rig_free(&b);
    return ok;
}

static void gaps_of_every_kind_are_distances(void) {
    int bad = 0, n = rig_pairs(2 * KINDS * KINDS);
    worst = 0;
    for (int k = 0; k < n && bad < 10; k++) {
        bad += rig_begin(k) && !has_a_proved_gap(k, k % KINDS, k / KINDS % KINDS);
    }
    printf("    %d pairs, worst %.1e\n", n, worst);
    CHECK(bad == 0);
}

/* An edge over a superellipsoid that is flat along one direction: as the normal turns by no more than rounding, its
 * farthest point moves by a hundredth of its size, and was once taken from beside the edge. */
static void edges_over_flat_places_are_met(void) {
    static const int seed[] = {30, 34, 93}, pair[] = {160, 1380, 198};
    for (int i = 0; i < 3; i++) {
        rig_begin_at((uint64_t)seed[i], pair[i]);
        CHECK(has_a_proved_gap(pair[i], pair[i] % KINDS, pair[i] / KINDS % KINDS));
    }
}

/* ---------------------------------------------------------------- overlapping */

/* Sharp corners may have passed each other: then there is a direction along which the bodies are as far apart as was
 * asked for. Any one proves it, also that of the points farther away. */
static bool are_apart(void) {
    rig_touch(&t, &a, &b, 5);
    const OutlineTouch *at = nearest();
    return at != NULL && apart(0, 0, at->normal) > 1e-3 - 1e-12;
}

/* No direction, near this one or anywhere, leads out on a shorter way than was told, and one point is
 * as deep as that along its own normal. */
static bool is_shortest(Vec3 before) {
    const OutlineTouch *at = nearest();
    if (at == NULL) {
        return are_apart();
    }
    double best = best_apart(0, 0, before), told = -INFINITY, most = best;
    Vec3 way = before;
    for (int k = 0; k < 200; k++) {
        Vec3 n = rig_direction();
        double found = apart(0, 0, n);
        way = found > most ? n : way;
        most = fmax(most, found);
    }
    best = fmax(best, best_apart(0, 0, at->normal));
    best = fmax(best, best_apart(0, 0, way));
    for (size_t k = 0; k < t.touches.count; k++) {
        const OutlineTouch *one = &t.touches.item[k];
        double blur = 1e-10 + 3e-16 / fabs(one->gap);
        bool leads_out = fabs(apart(0, 0, one->normal) - one->gap) <= blur;
        told = leads_out ? fmax(told, one->gap) : told;
    }
    double error = fmax(0, best - told);
    worst = fmax(worst, error);
    return error <= 1e-10;
}

enum { CONVEX = SMOOTH + POLYHEDRA };

/* The next pair of these kinds. */
static bool is_parted(int pair, int one, int other) {
    rig_body(&a, one);
    rig_body(&b, other);
    double depth = rig_any_size(1e-9, 1e-2);
    bool ok = put_beside(1e-6);
    rig_touch(&t, &a, &b, 1e-3);
    const OutlineTouch *at = nearest();
    const Vec3 normal = at != NULL ? at->normal : vec3(0, 0, 1);
    b.x = add_scaled(b.x, -1e-6 - depth, normal);
    rig_touch(&t, &a, &b, 1e-3);
    ok = ok && is_shortest(normal);
    if (!ok) {
        printf("    pair %d, kinds %d and %d: depth %g, told %g\n", pair, one, other, depth,
               -rig_least(&t));
    }
    rig_free(&a);
    rig_free(&b);
    return ok;
}

static void overlaps_of_every_kind_are_parted_on_the_shortest_way(void) {
    int bad = 0, n = rig_pairs(CONVEX * CONVEX);
    worst = 0;
    for (int k = 0; k < n && bad < 10; k++) {
        bad += rig_begin(k) && !is_parted(k, k % CONVEX, k / CONVEX % CONVEX);
    }
    printf("    %d pairs, worst %.1e\n", n, worst);
    CHECK(bad == 0);
}

/* A tip in a disc, thin rods in each other, tetrahedra in thin ellipsoids: there are other ways out, longer by a part in
 * ten thousand to a sixth, at which a search from the sides that face each other, or from six sides, ends. */
static void ways_out_that_are_nearly_as_short_are_not_taken(void) {
    static const int seed[] = {1, 50, 34, 30}, pair[] = {3304, 330, 3116, 2092};
    for (int i = 0; i < 4; i++) {
        rig_begin_at((uint64_t)seed[i], pair[i]);
        CHECK(is_parted(pair[i], pair[i] % CONVEX, pair[i] / CONVEX % CONVEX));
    }
}

/* Corners that have passed each other: apart by less than 1e-9, where a vertex has no direction from an edge, they once
 * passed for as deep as the nearest features that have one. */
static void corners_that_have_passed_are_apart(void) {
    static const int seed[] = {15, 55, 80, 84, 100, 144};
    static const int pair[] = {3788, 2718, 2454, 2782, 3788, 396};
    for (int i = 0; i < 6; i++) {
        rig_begin_at((uint64_t)seed[i], pair[i]);
        CHECK(is_parted(pair[i], pair[i] % CONVEX, pair[i] / CONVEX % CONVEX));
    }
}

/* ---------------------------------------------------------------- walls */

/* Some point of a part, from the surface of its core or beside it. */
static Vec3 some_point(const RigBody *body, int part) {
    const Polyhedron *p = &body->part[part];
    if (!scr_is_smooth(p)) {
        return sub(rig_vertex(body, part, (int32_t)(rig_unit() * p->vertices)), body->x);
    }
    int rows = scr_smooth_rows(&p->smooth, 0, 64), row = (int)(rig_unit() * rows);
    Vec3 own = scr_smooth_row_point(&p->smooth, 0, 64, row, rig_between(0, 2 * M_PI));
    return scr_out_of_frame(&body->placed, own);
}

static ScreeWallDef some_wall(int kind) {
    ScreeWallDef wall = scree_wall_def_default();
    wall.shape = kind == 0 ? SCREE_WALL_PLANE : SCREE_WALL_CYLINDER;
    wall.normal = rig_direction();
    wall.axis = rig_direction();
    wall.radius = rig_between(0.7, 3);
    wall.inside = true;
    return wall;
}

/* The next body of this kind: the found gap is that of a point of it, and no other point of it has a smaller one. */
static bool is_met_by_its_deepest_point(int body, int kind, int wall_kind) {
    const ScreeWorldDef def = scree_world_def_default();
    rig_body(&a, kind);
    const ScreeWallDef wall = some_wall(wall_kind);
    const SolidAtWall at = {&def, &wall, &a.placed, scale(0.2, rig_direction())};
    CHECK(scr_touch_solid_wall(&at, &rig_rest, 10, &t.touches) == SCREE_OK);
    const OutlineTouch *found = NULL;
    for (size_t i = 0; i < t.touches.count; i++) {
        const OutlineTouch *one = &t.touches.item[i];
        found = found == NULL || one->gap < found->gap ? one : found;
    }
    bool ok = found != NULL;
    int part = ok ? part_of(&a, scr_feature_a(found->feature)) : 0;
    a.x = vec3(0, 0, 0);
    if (ok) {
        Vec3 on = add_scaled(found->arm, -0.5 * found->gap, found->normal);
        ok = outside(&a, part, on, found->normal) <= 1e-9;
    }
    for (int i = 0; i < 400 && ok; i++) {
        int of = i % a.solid.parts;
        const Touch touch =
            scr_touch_wall(&def, &wall, add(at.seen, some_point(&a, of)), a.part[of].rounding);
        ok = touch.gap >= found->gap - 1e-10;
    }
    if (!ok) {
        printf("    body %d of kind %d, wall %d\n", body, kind, wall_kind);
    }
    rig_free(&a);
    return ok;
}

static void walls_are_met_by_the_deepest_point(void) {
    int n = rig_pairs(8 * KINDS), bad = 0;
    for (int k = 0; k < n && bad < 10; k++) {
        bad += rig_begin(k) && !is_met_by_its_deepest_point(k, k % KINDS, k / KINDS % 2);
    }
    CHECK(bad == 0);
}

/* A flat side has a top at either end, both between two looks of the search. */
static void flat_sides_in_a_tube_are_met_at_both_ends(void) {
    static const int seed[] = {109, 145}, body[] = {3400, 2349};
    for (int i = 0; i < 2; i++) {
        rig_begin_at((uint64_t)seed[i], body[i]);
        CHECK(is_met_by_its_deepest_point(body[i], body[i] % KINDS, body[i] / KINDS % 2));
    }
}

/* A body of which the deepest point lies where its outline bends sharply, between two looks of the search. */
static void sharp_bends_in_a_tube_are_met(void) {
    const ScreeWorldDef def = scree_world_def_default();
    ScreeWallDef wall = some_wall(1);
    wall.axis = unit(vec3(-0.44991946696483004, 0.83312430726198561, 0.3216774190012715));
    wall.radius = 1.5805369223756323;
    rig_ellipsoid(&a, vec3(0.38668191163543464, 0.46881400567700737, 0.49353004353279872), 2,
                  6.8111674146084731);
    a.placed.axis[0] = vec3(0.65015280820073273, 0.68212272259387374, 0.33467882710118146);
    a.placed.axis[1] = vec3(0.75606248006902788, -0.53715207672004528, -0.37394808825185089);
    a.placed.axis[2] = vec3(-0.075305061055498196, 0.49616150374294887, -0.86495832846615439);
    const Vec3 seen = vec3(0.079778896687183867, 0.022966475528754152, 0.18195567769421972);
    const SolidAtWall at = {&def, &wall, &a.placed, seen};
    CHECK(scr_touch_solid_wall(&at, &rig_rest, 10, &t.touches) == SCREE_OK);
    double least = INFINITY;
    for (int i = 0; i < 40000; i++) {
        least = fmin(least, scr_touch_wall(&def, &wall, add(seen, some_point(&a, 0)), 0).gap);
    }
    CHECK(rig_least(&t) <= least + 1e-12 && rig_least(&t) >= least - 1e-3);
    rig_free(&a);
}

int main(int argc, char **argv) {
    CHECK_RUN(sharp_bends_in_a_tube_are_met);
    CHECK_RUN(gaps_of_every_kind_are_distances);
    CHECK_RUN(edges_over_flat_places_are_met);
    CHECK_RUN(overlaps_of_every_kind_are_parted_on_the_shortest_way);
    CHECK_RUN(ways_out_that_are_nearly_as_short_are_not_taken);
    CHECK_RUN(corners_that_have_passed_are_apart);
    CHECK_RUN(walls_are_met_by_the_deepest_point);
    CHECK_RUN(flat_sides_in_a_tube_are_met_at_both_ends);
    rig_touch_free(&t);
    return check_result();
}

#include "narrow/pair_table.h"

#include "narrow/glued.h"

#include "narrow/core_points.h"
#include "narrow/curve_pair.h"
#include "narrow/curve_wall.h"
#include "narrow/immersion.h"
#include "narrow/mesh_pair.h"
#include "narrow/narrow.h"
#include "narrow/outlines.h"
#include "narrow/shell_pair.h"
#include "narrow/solid_methods.h"
#include "state/rotation.h"

/* ---------------------------------------------------------------- balls */

static Touch touch_round(const PlacedPair *p) {
    return p->wall != NULL ? scr_touch_wall(p->def, p->wall, p->x, p->radius[0])
                           : scr_touch_balls(p->d, p->radius[0], p->radius[1]);
}

static ScreeStatus round_point(const PlacedPair *p, const StepMotion *motion, double reach,
                               OutlineTouches *touches) {
    (void)motion;
    const Touch touch = touch_round(p);
    const OutlineTouch found = {
        .gap = touch.gap,
        .normal = touch.normal,
        .arm = scale(p->radius[0] + 0.5 * touch.gap, touch.normal),
    };
    touches->count = 0;
    return touch.gap > reach || scr_add_touch(touches, &found) ? SCREE_OK : SCREE_NO_MEMORY;
}

static double round_gap(const PlacedPair *p, Vec3 normal, int32_t feature) {
    (void)normal, (void)feature;
    return touch_round(p).gap;
}

/* ---------------------------------------------------------------- outlines */

static ScreeStatus outline_points(const PlacedPair *p, const StepMotion *motion, double reach,
                                  OutlineTouches *touches) {
    return scr_touch_outlines(p->a, p->b, p->d, motion, reach, touches);
}

static double outline_gap(const PlacedPair *p, Vec3 normal, int32_t feature) {
    return scr_outline_gap(p->a, p->b, p->d, normal, feature);
}

static ScreeStatus curve_points(const PlacedPair *p, const StepMotion *motion, double reach,
                                OutlineTouches *touches) {
    (void)motion;
    return scr_touch_curves(p->a, p->b, p->d, reach, touches);
}

static double curve_gap(const PlacedPair *p, Vec3 normal, int32_t feature) {
    (void)normal;
    return scr_curves_gap(p->a, p->b, p->d, feature);
}

static ScreeStatus enter_outline(const PlacedPair *p, double reach, Penetrations *list) {
    return scr_penetrate_outlines(p->a, p->b, p->d, reach, list);
}

/* ---------------------------------------------------------------- planes and hollow cylinders
 *
 * They are met by corners only, and by the places of a curve that are nearest to them. */

/* Of one corner, given from the centre of its body. */
static Touch touch_corner(const PlacedPair *p, Vec3 corner, double rounding) {
    return scr_touch_wall(p->def, p->wall, add(p->seen, corner), rounding);
}

static ScreeStatus corner_points(const PlacedPair *p, const StepMotion *motion, double reach,
                                 OutlineTouches *touches) {
    (void)motion;
    const Outline *o = p->a;
    touches->count = 0;
    for (int32_t i = 0; i < o->parts; i++) {
        const OutlinePart *part = &o->part[i];
        for (int32_t k = part->first; k < part->first + part->count; k++) {
            Vec3 corner = vec3(o->corner[k].x, o->corner[k].y, 0);
            Touch touch = touch_corner(p, corner, part->rounding);
            if (o->corner[k].reflex || touch.gap > reach) {
                continue;
            }
            Vec3 arm = add_scaled(corner, part->rounding + 0.5 * touch.gap, touch.normal);
            const OutlineTouch found = {touch.gap, touch.normal, arm, scr_feature(2 * k, 1), false};
            if (!scr_add_touch(touches, &found)) {
                return SCREE_NO_MEMORY;
            }
        }
    }
    return SCREE_OK;
}

static double corner_gap(const PlacedPair *p, Vec3 normal, int32_t feature) {
    (void)normal;
    const Outline *o = p->a;
    int32_t k = scr_feature_a(feature) / 2;
    double rounding = scr_rounding_at(o->part, o->parts, k);
    return touch_corner(p, vec3(o->corner[k].x, o->corner[k].y, 0), rounding).gap;
}

static ScreeStatus curve_wall_points(const PlacedPair *p, const StepMotion *motion, double reach,
                                     OutlineTouches *touches) {
    (void)motion;
    return scr_touch_curve_wall(p->def, p->wall, p->seen, p->a, reach, touches);
}

static double curve_wall_gap(const PlacedPair *p, Vec3 normal, int32_t feature) {
    (void)normal;
    return scr_curve_wall_gap(p->def, p->wall, p->seen, p->a, feature);
}

static ScreeStatus enter_plane(const PlacedPair *p, double reach, Penetrations *list) {
    return scr_penetrate_surface(p->def, p->a, p->seen, p->wall, reach, list);
}

/* A tube of finite length is thin and has two sides; a body is on the one where its centre is. */
static ScreeStatus enter_tube(const PlacedPair *p, double reach, Penetrations *list) {
    if (p->wall->length > 0 && dot(p->d, p->d) >= p->wall->radius * p->wall->radius) {
        return enter_outline(p, reach, list);
    }
    ScreeWallDef endless = *p->wall;
    endless.length = 0;
    return scr_penetrate_surface(p->def, p->a, p->seen, &endless, reach, list);
}

/* ---------------------------------------------------------------- the table */

/* A ball and whatever is known by its distance from a point: balls and walls. */
static const PairMethods round_pair = {round_point,    round_gap,      scr_round_arms,
                                       scr_round_loss, scr_only_point, enter_outline};
static const PairMethods ball_at_plane = {round_point,    round_gap,      scr_round_arms,
                                          scr_round_loss, scr_only_point, enter_plane};
static const PairMethods ball_in_tube = {round_point,    round_gap,      scr_round_arms,
                                         scr_round_loss, scr_only_point, enter_tube};

/* Outlines with corners and edges; a ball is an outline of one rounded corner. */
static const PairMethods outlines = {outline_points, outline_gap,     scr_named_arms,
                                     scr_edge_loss,  scr_same_corner, enter_outline};

/* Outlines of which one at least is a curve. */
static const PairMethods curves = {curve_points,     curve_gap,        scr_named_arms,
                                   scr_rolling_loss, scr_nearest_node, enter_outline};

/* Corners at a plane, and in a tube. */
static const PairMethods corners_at_plane = {corner_points, corner_gap,      scr_named_arms,
                                             scr_edge_loss, scr_same_corner, enter_plane};
static const PairMethods corners_in_tube = {corner_points, corner_gap,      scr_named_arms,
                                            scr_edge_loss, scr_same_corner, enter_tube};

/* The same of a curve. */
static const PairMethods curve_at_plane = {curve_wall_points, curve_wall_gap,   scr_named_arms,
                                           scr_rolling_loss,  scr_nearest_node, enter_plane};
static const PairMethods curve_in_tube = {curve_wall_points, curve_wall_gap,   scr_named_arms,
                                          scr_rolling_loss,  scr_nearest_node, enter_tube};

/* Solids in space. Of those the soft engine takes what has a core and a rounding. */
static const PairMethods solids = {scr_solid_points, scr_solid_gap,    scr_solid_arms,
                                   scr_solid_loss,   scr_solid_before, scr_penetrate_cores};
static const PairMethods solid_at_wall = {scr_solid_points, scr_solid_gap,    scr_solid_arms,
                                          scr_solid_loss,   scr_solid_before, scr_penetrate_wall};
static const PairMethods vertices_at_wall = {scr_vertex_points, scr_vertex_gap,
                                             scr_vertex_arms,   scr_vertex_loss,
                                             scr_vertex_before, scr_penetrate_wall};

/* Walls of triangles. The soft engine takes none. */
static const PairMethods ball_on_mesh = {scr_ball_mesh_points, scr_ball_mesh_gap,    scr_round_arms,
                                         scr_round_loss,       scr_ball_mesh_before, NULL};
static const PairMethods solid_on_mesh = {scr_mesh_points, scr_mesh_gap,    scr_mesh_arms,
                                          scr_mesh_loss,   scr_mesh_before, NULL};

/* Cones, and plates with holes. A hollow cylinder with ends is a cone for solids. */
static const PairMethods ball_at_shell = {scr_ball_shell_points, scr_ball_shell_gap,
                                          scr_round_arms,        scr_round_loss,
                                          scr_ball_mesh_before,  NULL};

static const PairMethods solid_at_shell = {scr_shell_points, scr_shell_gap,    scr_shell_arms,
                                           scr_shell_loss,   scr_shell_before, scr_penetrate_wall};

static const PairMethods *const table[BODY_KINDS][SURFACE_KINDS] = {
    [SURFACE_BALL] =
        {
            [SURFACE_BALL] = &round_pair,
            [SURFACE_POLYGON] = &outlines,
            [SURFACE_CURVE] = &curves,
            [SURFACE_SOLID] = &solids,
            [SURFACE_PLANE] = &ball_at_plane,
            [SURFACE_SEGMENT] = &round_pair,
            [SURFACE_BLOCK] = &round_pair,
            [SURFACE_ROD] = &round_pair,
            [SURFACE_TUBE] = &ball_in_tube,
            [SURFACE_SLEEVE] = &ball_in_tube,
            [SURFACE_MESH] = &ball_on_mesh,
            [SURFACE_SHELL] = &ball_at_shell,
        },
    [SURFACE_POLYGON] =
        {
            [SURFACE_BALL] = &outlines,
            [SURFACE_POLYGON] = &outlines,
            [SURFACE_CURVE] = &curves,
            [SURFACE_PLANE] = &corners_at_plane,
            [SURFACE_SEGMENT] = &outlines,
            [SURFACE_BLOCK] = &outlines,
            [SURFACE_ROD] = &outlines,
            [SURFACE_TUBE] = &corners_in_tube,
            [SURFACE_SLEEVE] = &corners_in_tube,
        },
    [SURFACE_CURVE] =
        {
            [SURFACE_BALL] = &curves,
            [SURFACE_POLYGON] = &curves,
            [SURFACE_CURVE] = &curves,
            [SURFACE_PLANE] = &curve_at_plane,
            [SURFACE_SEGMENT] = &curves,
            [SURFACE_BLOCK] = &curves,
            [SURFACE_ROD] = &curves,
            [SURFACE_TUBE] = &curve_in_tube,
            [SURFACE_SLEEVE] = &curve_in_tube,
        },
    [SURFACE_SOLID] =
        {
            [SURFACE_BALL] = &solids,
            [SURFACE_SOLID] = &solids,
            [SURFACE_PLANE] = &vertices_at_wall,
            [SURFACE_BLOCK] = &solid_at_wall,
            [SURFACE_ROD] = &solid_at_wall,
            [SURFACE_TUBE] = &vertices_at_wall,
            [SURFACE_SLEEVE] = &solid_at_shell,
            [SURFACE_MESH] = &solid_on_mesh,
            [SURFACE_SHELL] = &solid_at_shell,
        },
};

/* What finds out how deep a solid is in another surface where contact points may not tell; the other way around if
 * the other is the solid. */
static ScreeStatus (*const immersion[SURFACE_KINDS])(const PlacedPair *pair, double *depth) = {
    [SURFACE_BALL] = scr_solid_immersion,  [SURFACE_SOLID] = scr_solid_immersion,
    [SURFACE_BLOCK] = scr_solid_immersion, [SURFACE_ROD] = scr_solid_immersion,
    [SURFACE_PLANE] = scr_wall_immersion,  [SURFACE_TUBE] = scr_wall_immersion,
    [SURFACE_MESH] = scr_mesh_immersion,   [SURFACE_SLEEVE] = scr_wall_immersion,
    [SURFACE_SHELL] = scr_wall_immersion,
};

const PairMethods *scr_pair_methods(SurfaceKind body, SurfaceKind other) {
    return table[body][other];
}

/* ---------------------------------------------------------------- through the table */

static const PairMethods *methods_of(const PlacedPair *p) {
    return table[p->kind[0]][p->kind[1]];
}

/* As the state has the bodies. */
static inline void place_now(const State *s, const Placed *placed, int32_t a, int32_t b,
                             PlacedPair *p) {
    const Vec3 *x = s->bodies.position;
    scr_place_pair(s, placed, a, b, x[a], x[b >= 0 ? b : a], p);
}

ScreeStatus scr_pair_points(const State *s, const Placed *placed, int32_t a, int32_t b,
                            OldPoints old, const StepMotion *motion, double reach, PairWork *work) {
    PlacedPair p;
    place_now(s, placed, a, b, &p);
    p.old = old;
    p.work = &work->solids;
    return methods_of(&p)->points(&p, motion, reach, &work->touches);
}

ScreeStatus scr_pair_overlap(const State *s, const Placed *placed, int32_t a, int32_t b,
                             PairWork *work, double *depth) {
    const StepMotion none = {.shift = {0, 0, 0}};
    const OldPoints no_points = {NULL, 0};
    ScreeStatus status = scr_pair_points(s, placed, a, b, no_points, &none, 0, work);
    *depth = 0;
    for (size_t i = 0; i < work->touches.count; i++) {
        *depth = scr_max(*depth, -work->touches.item[i].gap);
    }
    return status;
}

ScreeStatus scr_pair_immersion(const State *s, const Placed *placed, int32_t a, int32_t b,
                               PairWork *work, double *depth) {
    PlacedPair p;
    place_now(s, placed, a, b, &p);
    p.work = &work->solids;
    *depth = 0;
    bool solid = p.kind[0] == SURFACE_SOLID || p.kind[1] == SURFACE_SOLID;
    return solid && immersion[p.kind[1]] != NULL ? immersion[p.kind[1]](&p, depth) : SCREE_OK;
}

ScreeStatus scr_moved_points(const State *s, const Placed *placed, int32_t a, int32_t b,
                             const StepMotion *motion, PairWork *work, Vec3 *d) {
    const StepMotion none = {.shift = {0, 0, 0}};
    SolidKept *kept = work->solids.kept;
    PlacedPair p;
    if (!scr_place_moved(s, placed, a, b, motion, &work->moved, &p)) {
        return SCREE_NO_MEMORY;
    }
    p.work = &work->solids;
    *d = p.d;
    work->solids.kept = NULL; /* what is kept belongs to the pair as it is */
    ScreeStatus status = methods_of(&p)->points(&p, &none, 0, &work->touches);
    work->solids.kept = kept;
    return status;
}

void scr_pair_work_free(PairWork *work) {
    scr_block_free(&work->touches.block);
    scr_moved_pair_free(&work->moved);
    scr_solid_work_free(&work->solids);
}

double scr_pair_gap(const State *s, const Placed *placed, const Contact *c) {
    if (c->feature == SCR_GLUED) {
        return scr_glued_gap(s, c);
    }
    PlacedPair p;
    place_now(s, placed, c->a, c->b, &p);
    return methods_of(&p)->gap(&p, c->normal, c->feature);
}

int32_t scr_name_again(const State *s, int32_t a, int32_t b, int32_t feature) {
    bool named = s->def.dimension == 3 && feature > 0 && /* triangles have names of their own */
                 (b >= 0 || s->walls.item[scr_wall_of(b)].now.shape != SCREE_WALL_MESH);
    return named ? scr_another_name(scr_solid_of(s, (size_t)a),
                                    b >= 0 ? scr_solid_of(s, (size_t)b) : NULL, feature)
                 : 0;
}

ScreeStatus scr_pair_penetrate(const PlacedPair *p, double reach, Penetrations *list) {
    return methods_of(p)->penetrate(p, reach, list);
}

/* The kinds of the two bodies of a pair. */
typedef struct Kinds {
    const PairMethods *methods;
    const Surface *side[2];
} Kinds;

static Kinds kinds_of(const State *s, int32_t a, int32_t b) {
    SurfaceKind one = scr_surface_kind(s, a), other = scr_surface_kind(s, b);
    return (Kinds){table[one][other], {&scr_surface[one], &scr_surface[other]}};
}

Arms scr_pair_arms(const State *s, const Contact *c) {
    if (c->feature == SCR_GLUED) {
        return scr_glued_arms(s, c);
    }
    const Kinds k = kinds_of(s, c->a, c->b);
    return k.methods->arms(s, c, k.side);
}

double scr_pair_loss(const State *s, const Contact *c, const StepMotion *m) {
    if (c->feature == SCR_GLUED) {
        return 0;
    }
    const Kinds k = kinds_of(s, c->a, c->b);
    return k.methods->loss(s, c, k.side, m);
}

const Contact *scr_point_before(const State *s, int32_t a, int32_t b, OldPoints old,
                                int32_t feature) {
    const Kinds k = kinds_of(s, a, b);
    const PairSides pair = {{a, b}, {k.side[0], k.side[1]}};
    return old.count > 0 ? k.methods->before(s, &pair, old, feature) : NULL;
}

/* Solids at cones, rings, discs and plates.
 *
 * Flat walls, and cones from inside, are met by vertices, and by the places of smooth parts that are
 * farthest along their normals: the distance from them is a convex function of the place. From outside
 * a cone bulges, and is a smooth part itself. Where the wall ends, its rims and edges are curves
 * (wall_curve.h). A convex part is on the side of the wall on which its middle is, seen from the point that
 * is asked about; of others, each vertex is judged by its edges. */
#include "narrow/shell_pair.h"

#include "narrow/funnel.h"
#include "narrow/patch_choice.h"
#include "narrow/patch_shell.h"
#include "narrow/shell_curves.h"
#include "narrow/smooth_places.h"
#include "shape/wall.h"
#include "state/rotation.h"

#include <stdlib.h>

/* ---------------------------------------------------------------- touches */

static bool add_touch(const AtShell *at, const Polyhedron *part, Vec3 own, int32_t number,
                      double reach, OutlineTouches *touches) {
    const OverSurface s = scr_is_smooth(part) ? scr_over_surface(at, part, own)
                                              : scr_vertex_over_surface(at, part, number);
    double gap = s.gap - part->rounding;
    if (!s.within || gap > reach || gap < -DEEPEST_AT_SHELL * scr_size_at_shell(part) ||
        (scr_bulges(at->wall) && !s.inside)) {
        return true;
    }
    Vec3 arm = add_scaled(scr_out_of_frame(at->solid, own), part->rounding + 0.5 * gap, s.normal);
    const OutlineTouch found = {.gap = gap,
                                .normal = s.normal,
                                .arm = arm,
                                .feature = scr_feature(part->first_element + number, ON_SURFACE)};
    return scr_join_touch(touches, &found, 1e-9 * at->solid->solid->radius);
}

/* ---------------------------------------------------------------- smooth parts */

enum { LOOKS = 32 };

static int32_t sector_place(int rim, double turns) {
    int sector = (int)((turns - floor(turns)) * SECTORS);
    return PLACE_SECTOR + (rim == 1 ? SECTORS : 0) + (sector < SECTORS ? sector : 0);
}

static bool touch_cone_around(const AtShell *at, const Polyhedron *part, int rim, double reach,
                              OutlineTouches *touches) {
    const Facing f = scr_facing(at);
    double before, ahead;
    bool ok = true, found = false;
    scr_farthest_at(at, part, &f, rim, 0, &before);
    for (int k = 1; k <= LOOKS && ok; k++) {
        double low = (double)(k - 1) / LOOKS, high = (double)k / LOOKS;
        scr_farthest_at(at, part, &f, rim, high, &ahead);
        if (before > 0 && !(ahead > 0)) {
            Vec3 x = scr_farthest_between(at, part, &f, rim, low, high);
            ok = add_touch(at, part, x, sector_place(rim, low), reach, touches);
            found = true;
        }
        before = ahead;
    }
    for (int k = 0; k < 3 && ok && !found; k++) { /* it stands upright in the middle */
        double turns = k / 3.0;
        Vec3 x = scr_farthest_at(at, part, &f, rim, turns, &ahead);
        ok = add_touch(at, part, x, sector_place(rim, turns), reach, touches);
    }
    return ok;
}

/* ---------------------------------------------------------------- all around a funnel */

/* Round parts that sit in a funnel touch all around, as in a hole (wall_curve.h). */
static bool touch_lines(const AtShell *at, const Polyhedron *part, int32_t number, double reach,
                        OutlineTouches *touches) {
    const Facing f = scr_facing(at);
    bool ok = true;
    for (int k = 0; k < LINES && ok; k++) {
        double turns = (double)k / LINES;
        Vec3 own = scr_towards_line(at, part, &f, number, turns);
        const OverSurface s = scr_over_line(at, part, &f, own, turns);
        double gap = s.gap - part->rounding;
        Vec3 arm =
            add_scaled(scr_out_of_frame(at->solid, own), part->rounding + 0.5 * gap, s.normal);
        const OutlineTouch found = {.gap = gap,
                                    .normal = s.normal,
                                    .arm = arm,
                                    .feature =
                                        scr_feature(part->first_element + number, ON_LINE + k)};
        if (s.within && gap <= reach && gap >= -DEEPEST_AT_SHELL * scr_size_at_shell(part)) {
            ok = scr_join_touch(touches, &found, 1e-9 * at->solid->solid->radius);
        }
    }
    return ok;
}

static bool touch_all_around(const AtShell *at, const Polyhedron *part, double reach,
                             OutlineTouches *touches) {
    const SurfaceSight middle = scr_surface_at(at->wall, scr_world_of(at, part->middle));
    bool smooth = scr_is_smooth(part), ok = true;
    if (!scr_bulges(at->wall) || middle.height > 0 || !(smooth || part->rounding > 0) ||
        -middle.height > part->extent + part->rounding + reach) {
        return true;
    }
    int32_t rims = smooth && part->smooth.kind == SCREE_PART_CONE ? 2 : 1;
    for (int32_t k = 0; k < (smooth ? rims : part->vertices) && ok; k++) {
        ok = touch_lines(at, part, smooth ? PLACE_SECTOR + k * SECTORS : k, reach, touches);
    }
    return ok;
}

static bool touch_flat(const AtShell *at, const Polyhedron *part, const StepMotion *m, double reach,
                       OutlineTouches *touches) {
    const SurfaceSight s = scr_surface_at(at->wall, scr_world_of(at, part->middle));
    Vec3 down = scale(s.height < 0 ? 1 : -1, s.normal);
    Vec3 along = add_scaled(m->shift, -dot(m->shift, down), down);
    bool moves = length(along) > 1e-6 * length(m->shift);
    const OverPlane over = {part, scr_into_frame(at->solid, down),
                            scr_into_frame(at->solid, scale(moves ? -1 : 0, along)),
                            scr_tilt_of_turn(length(sub(m->turn_b, m->turn_a)))};
    int32_t place[MOST_PLANE_PLACES];
    int count = scr_places_at_plane(&over, place);
    bool ok = true;
    for (int k = 0; k < count && ok; k++) {
        Vec3 own = scr_place_at_plane(&part->smooth, place[k], over.down);
        ok = add_touch(at, part, own, place[k], reach, touches);
    }
    return ok;
}

static bool touch_surface(const AtShell *at, const Polyhedron *part, const StepMotion *m,
                          double reach, OutlineTouches *touches) {
    bool ok = true;
    if (scr_is_smooth(part)) {
        bool cone = part->smooth.kind == SCREE_PART_CONE;
        return !scr_bulges(at->wall) ? touch_flat(at, part, m, reach, touches)
               : !cone               ? touch_cone_around(at, part, -1, reach, touches)
                                     : touch_cone_around(at, part, 0, reach, touches) &&
                             touch_cone_around(at, part, 1, reach, touches);
    }
    for (int32_t v = 0; v < part->vertices && ok; v++) {
        ok = add_touch(at, part, scr_vertex(part, v), v, reach, touches);
    }
    return ok;
}

/* ---------------------------------------------------------------- the outside of a cone */

static void outside_solid(const ScreeWallDef *w, WallSolid *s) {
    bool tip_first = w->radius < w->end_radius; /* the wider end comes first, as of bodies */
    const double radii[2] = {scr_max(w->radius, w->end_radius), scr_min(w->radius, w->end_radius)};
    Vec3 axis = unit(quat_rotate_back(w->orientation, w->axis));
    Vec3 start = vec3(0, 0, 0), end = scale(w->length, axis);
    scr_cone_solid(tip_first ? end : start, tip_first ? start : end, radii, &s->cone);
    scr_place_solid(&s->cone.solid, w->orientation, &s->placed);
}

static bool is_outside(const AtShell *at, Vec3 own) {
    return scr_cone_surface(at->wall, scr_world_of(at, own)).height > 0;
}

/* Of a part that is not convex any vertex counts: if all are inside, so is all of it. Of a surface of patches, any corner
 * of a cell. */
static bool any_outside(const AtShell *at) {
    const Solid *solid = at->solid->solid;
    bool any = false;
    for (int32_t k = 0; k < solid->parts; k++) {
        const Polyhedron *p = &solid->part[k];
        const Patchwork *patches = scr_is_patchwork(p) ? p->smooth.patchwork : NULL;
        for (int32_t n = 0; patches != NULL && n < patches->nodes && !any; n++) {
            any = is_outside(at, patches->node[n]);
        }
        any = any || (p->convex && is_outside(at, p->middle));
        for (int32_t v = 0; v < p->vertices && !p->convex && !any; v++) {
            any = is_outside(at, scr_vertex(p, v));
        }
    }
    return any;
}

static ScreeStatus touch_outside(const PlacedPair *p, const AtShell *at, const StepMotion *m,
                                 double reach, OutlineTouches *touches) {
    WallSolid cone;
    SolidKept *kept = p->work->kept;
    outside_solid(at->wall, &cone);
    p->work->kept = NULL; /* what is kept belongs to the pair as a whole */
    ScreeStatus status = scr_touch_solids(at->solid, &cone.placed, sub(at->wall->point, at->seen),
                                          m, reach, (OldPoints){NULL, 0}, p->work, touches);
    p->work->kept = kept;
    size_t count = 0;
    for (size_t i = 0; i < touches->count && status == SCREE_OK; i++) {
        OutlineTouch t = touches->item[i];
        if (scr_is_outside_cone(at, &t)) {
            t.feature =
                scr_feature(scr_feature_a(t.feature), ON_OUTSIDE + scr_feature_b(t.feature));
            touches->item[count++] = t;
        }
    }
    touches->count = count;
    return status;
}

/* ---------------------------------------------------------------- the whole */

static bool touch_part(const AtShell *at, const Polyhedron *part, const StepMotion *m, double reach,
                       OutlineTouches *touches) {
    double tilt = scr_tilt_of_turn(length(sub(m->turn_b, m->turn_a)));
    bool ok = scr_is_patchwork(part) ? scr_touch_patch_shell(at, part, tilt, reach, touches)
                                     : touch_surface(at, part, m, reach, touches) &&
                                           touch_all_around(at, part, reach, touches);
    return ok && scr_touch_shell_curves(at, part, tilt, reach, touches);
}

ScreeStatus scr_shell_points(const PlacedPair *p, const StepMotion *m, double reach,
                             OutlineTouches *touches) {
    ScreeWallDef room;
    const AtShell at = {scr_as_shell(p->wall, &room), p->solid[0], p->seen};
    const Solid *solid = p->solid[0]->solid;
    ScreeStatus status = SCREE_OK;
    touches->count = 0;
    if (scr_bulges(at.wall) && any_outside(&at)) {
        status = touch_outside(p, &at, m, reach, touches);
    }
    for (int32_t k = 0; k < solid->parts && status == SCREE_OK; k++) {
        bool ok = touch_part(&at, &solid->part[k], m, reach, touches);
        status = ok ? SCREE_OK : SCREE_NO_MEMORY;
    }
    return status;
}

/* ---------------------------------------------------------------- one point again */

/* The point of a part that a name means at the surface, from the normal that the contact had. */
static Vec3 surface_point(const AtShell *at, const Element *e, Vec3 normal) {
    if (e->kind != ELEMENT_PLACE) {
        return scr_vertex(e->part, e->number);
    }
    if (e->number < PLACE_SECTOR || e->number >= PLACE_CROSSING) {
        return scr_place_at_plane(&e->part->smooth, e->number, scr_into_frame(at->solid, normal));
    }
    bool cone = e->part->smooth.kind == SCREE_PART_CONE;
    int rim = cone ? (e->number - PLACE_SECTOR) / SECTORS : -1;
    const Facing f = scr_facing(at);
    double turns = scr_atan2(dot(normal, f.third), dot(normal, f.from)) / (2 * M_PI), ahead;
    scr_farthest_at(at, e->part, &f, rim, turns, &ahead);
    double sign = ahead > 0 ? 1 : -1, near = turns, far = turns, step = 1e-3 / (2 * M_PI);
    for (int k = 0; k < 12 && ahead * sign > 0; k++, step *= 2) {
        near = far;
        far += sign * step;
        scr_farthest_at(at, e->part, &f, rim, far, &ahead);
    }
    return scr_farthest_between(at, e->part, &f, rim, scr_min(near, far), scr_max(near, far));
}

static ShellPoint over(const AtShell *at, const Polyhedron *part, Vec3 own, OverSurface s) {
    double gap = s.gap - part->rounding;
    return (ShellPoint){
        gap, add_scaled(scr_out_of_frame(at->solid, own), part->rounding + 0.5 * gap, s.normal)};
}

static ShellPoint named(const AtShell *at, Vec3 normal, int32_t feature) {
    const Element e = scr_element(at->solid->solid, scr_feature_a(feature));
    int32_t name = scr_feature_b(feature);
    if (name >= ON_CURVE) {
        return scr_shell_curve_point(at, e.part, e.number, name, normal);
    }
    if (name >= ON_LINE) {
        const Facing f = scr_facing(at);
        double turns = (double)(name - ON_LINE) / LINES;
        Vec3 own = scr_towards_line(at, e.part, &f, e.number, turns);
        return over(at, e.part, own, scr_over_line(at, e.part, &f, own, turns));
    }
    if (name >= ON_OUTSIDE) {
        WallSolid cone;
        outside_solid(at->wall, &cone);
        int32_t own = scr_feature(scr_feature_a(feature), name - ON_OUTSIDE);
        Vec3 d = sub(at->wall->point, at->seen);
        return (ShellPoint){scr_solids_gap(at->solid, &cone.placed, d, normal, own),
                            scr_solids_arm(at->solid, &cone.placed, d, normal, own)};
    }
    if (scr_is_patchwork(e.part)) {
        return scr_patch_shell_point(at, e.part, e.number, normal);
    }
    Vec3 own = surface_point(at, &e, normal);
    return over(at, e.part, own,
                e.kind == ELEMENT_VERTEX ? scr_vertex_over_surface(at, e.part, e.number)
                                         : scr_over_surface(at, e.part, own));
}

double scr_shell_gap(const PlacedPair *p, Vec3 normal, int32_t feature) {
    ScreeWallDef room;
    const AtShell at = {scr_as_shell(p->wall, &room), p->solid[0], p->seen};
    return named(&at, normal, feature).gap;
}

static AtShell contact_now(const State *s, const Contact *c, PlacedSolid *solid,
                           ScreeWallDef *room) {
    const ScreeWallDef *wall = &s->walls.item[scr_wall_of(c->b)].now;
    scr_place_solid(scr_solid_of(s, (size_t)c->a), s->bodies.orientation[c->a], solid);
    Vec3 seen = sub(wall->point, scr_between(s, c->a, c->b));
    return (AtShell){scr_as_shell(wall, room), solid, seen};
}

Arms scr_shell_arms(const State *s, const Contact *c, const Surface *const unused[2]) {
    (void)unused;
    PlacedSolid solid;
    ScreeWallDef room;
    const AtShell at = contact_now(s, c, &solid, &room);
    Vec3 arm = named(&at, c->normal, c->feature).arm;
    return (Arms){arm, sub(arm, scr_between(s, c->a, c->b))};
}

/* The motion is given to the body alone, so that the wall stays where it is. What a hollow wall adds as
 * a point slides along it is found elsewhere (scr_wall_sag). */
double scr_shell_loss(const State *s, const Contact *c, const Surface *const unused[2],
                      const StepMotion *m) {
    (void)unused;
    PlacedSolid solid;
    ScreeWallDef room;
    AtShell at = contact_now(s, c, &solid, &room);
    Vec3 d = scr_between(s, c->a, c->b);
    const ShellPoint now = named(&at, c->normal, c->feature);
    double expected = scr_forecast(c, now.arm, sub(now.arm, d), m);
    const Quat back = quat_from_turn(scale(-1, m->turn_b));
    Vec3 moved = sub(d, quat_rotate(back, add(d, m->shift)));
    Vec3 slid = add(moved, cross(sub(m->turn_a, m->turn_b), now.arm));
    int32_t name = scr_feature_b(c->feature);
    bool inside = name == ON_SURFACE || (name >= ON_LINE && name < ON_CURVE);
    double sag = inside ? scr_wall_sag(at.wall, add(at.seen, now.arm), slid) : 0;
    scr_turn_placed(&solid, m->turn_a);
    for (int k = 0; k < 3; k++) {
        solid.axis[k] = quat_rotate(back, solid.axis[k]);
    }
    at.seen = add(at.seen, moved);
    return expected - named(&at, c->normal, c->feature).gap - sag;
}

static bool is_sector(int32_t name) {
    return name >= ON_CURVE && (name - ON_CURVE) % PLACE_NAMES < CURVE_SECTORS;
}

/* How far apart two elements of a part are that stand for each other as the body rolls on; -1: they do not. */
static double apart(const Element *e, const Element *was) {
    if (was->part != e->part || e->kind != ELEMENT_PLACE) {
        return -1;
    }
    return scr_is_patchwork(e->part)
               ? scr_cells_apart(e->part->smooth.patchwork, e->number, was->number)
               : scr_places_apart(e->number, was->number);
}

/* The point of the same name, or else one of the same part of the body at the same kind of place. */
const Contact *scr_shell_before(const State *s, const PairSides *pair, OldPoints old,
                                int32_t feature) {
    const Solid *solid = scr_solid_of(s, (size_t)pair->body[0]);
    const Element own = scr_element(solid, scr_feature_a(feature));
    const bool patches = scr_is_patchwork(own.part);
    const Contact *like = NULL;
    for (size_t i = 0; i < old.count; i++) {
        int32_t other = old.item[i].feature;
        if (other == feature) {
            return &old.item[i];
        }
        bool curves =
            !patches && is_sector(scr_feature_b(other)) && is_sector(scr_feature_b(feature));
        bool beside = abs(scr_feature_b(other) - scr_feature_b(feature)) <= 1 &&
                      (curves || scr_feature_b(other) == scr_feature_b(feature));
        const Element was = scr_element(solid, scr_feature_a(other));
        bool near = own.kind != ELEMENT_PLACE || curves || apart(&own, &was) >= 0;
        bool same = curves ? own.part == was.part : own.kind == ELEMENT_PLACE;
        like = was.part == own.part && beside && near && same ? &old.item[i] : like;
    }
    return like;
}

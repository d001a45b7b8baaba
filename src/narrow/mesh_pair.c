#include "narrow/mesh_pair.h"

#include "base/status.h"
#include "narrow/mesh_patch.h"
#include "narrow/part_level.h"
#include "narrow/patch_points.h"
#include "narrow/smooth_local.h"
#include "narrow/smooth_places.h"
#include "state/rotation.h"

PlacedSolid scr_mesh_frame(const ScreeWallDef *wall) {
    PlacedSolid frame;
    scr_place_solid(NULL, wall->orientation, &frame);
    return frame;
}

int32_t scr_most_elements(const Mesh *m) {
    return (int32_t)((INT32_MAX - 1) / scr_mesh_elements(m));
}

/* ---------------------------------------------------------------- points */

static PointRules mesh_rules(const PlacedSolid *a, Vec3 d, const StepMotion *m, double reach,
                             OldPoints old) {
    double radius = a->solid->radius + reach;
    double turning = length(m->turn_a) * radius + length(m->turn_b) * (length(d) + radius);
    return (PointRules){.reach = reach,
                        .tilt = scr_tilt_of_turn(length(sub(m->turn_b, m->turn_a))),
                        .motion = length(m->shift) + turning,
                        .old = old};
}

/* Which side of a closed surface a part is on that is not convex, by places inside of it; its back, if it is within
 * normals that lead outwards. Of several pieces some may lie in others, so what is within them sees both sides, and
 * convex parts are judged well by both. */
static ScreeStatus side_of_part(const Mesh *m, const Polyhedron *part, const RelativePose *pose,
                                MeshTriangles *room, MeshSides *side) {
    Vec3 at[INNER_POINTS];
    int within = 0, count = 0;
    *side = MESH_BOTH;
    if (m->outward == 0 || part->convex || scr_is_smooth(part)) {
        return SCREE_OK;
    }
    for (int k = scr_inner_points(part, at) - 1; k >= 0; k--, count++) {
        int32_t winding;
        if (!scr_mesh_winding(m, scr_point_to_b(pose, at[k]), room, &winding)) {
            return SCREE_NO_MEMORY;
        }
        within += winding != 0;
    }
    if (count > 0 && (within == 0 || (within == count && m->pieces == 1))) {
        *side = (within == 0) == (m->outward > 0) ? MESH_FRONT : MESH_BACK;
    }
    return SCREE_OK;
}

static ScreeStatus touch_part(const PlacedPair *pair, const Polyhedron *part,
                              const RelativePose *pose, const PointRules *rules, double turn,
                              LaterPose *later) {
    SolidWork *work = pair->work;
    MeshPatch *patch = &work->patch;
    const ScreeWallDef *wall = pair->wall;
    patch->part = scr_empty_patch(wall->mesh);
    const PartPair now = scr_part_pair(part, &patch->part, pose);
    double far = scr_local_reach(&now, rules, turn);
    MeshSides side;
    SCR_TRY(side_of_part(wall->mesh, part, pose, &patch->near, &side));
    if (!scr_make_patch(wall->mesh, wall->part, side, part, pose, far, patch)) {
        return SCREE_NO_MEMORY;
    }
    if (patch->part.faces == 0) {
        return SCREE_OK;
    }
    const LocalParts parts = {
        .now = &now,
        .sharp = patch->sharp,
        .element = {patch->element[0], patch->element[1], patch->element[2]},
        .mute = {patch->mute[0], patch->mute[1], patch->mute[2]},
        .names = pair->solid[0]->solid->elements,
        .closed = side != MESH_BOTH ? wall->mesh : NULL,
        .within = (side == MESH_BACK) == (wall->mesh->outward > 0),
        .room = &patch->near,
    };
    return scr_is_patchwork(part) ? scr_patch_points(&parts, rules, &work->points)
           : scr_is_smooth(part)
               ? scr_smooth_local_points(&parts, later, rules, &work->points)
               : scr_local_points(&parts, later, rules, turn, &work->local, &work->points);
}

/* In the order of the body's elements, as at a plane: however the wall is cut into triangles, sweeps
 * go the same way. */
static int32_t rank_of(const SolidPoint *p, const Solid *solid) {
    const Element e = scr_element(solid, scr_patch_element(p->name, solid->elements));
    return e.part->first_element + (e.kind == ELEMENT_PLACE && !scr_is_patchwork(e.part)
                                        ? scr_place_rank(e.number)
                                        : e.number);
}

static bool comes_before(const SolidPoint *one, const SolidPoint *other, const Solid *solid) {
    int32_t a = rank_of(one, solid), b = rank_of(other, solid);
    return a != b ? a < b : one->name < other->name;
}

static void sort_points(SolidPoints *points, const Solid *solid) {
    for (size_t i = 1; i < points->count; i++) {
        const SolidPoint p = points->item[i];
        size_t k = i;
        for (; k > 0 && comes_before(&p, &points->item[k - 1], solid); k--) {
            points->item[k] = points->item[k - 1];
        }
        points->item[k] = p;
    }
}

ScreeStatus scr_mesh_points(const PlacedPair *p, const StepMotion *motion, double reach,
                            OutlineTouches *touches) {
    const PlacedSolid *a = p->solid[0], b = scr_mesh_frame(p->wall);
    const RelativePose now = scr_relative_pose(a, &b, p->d);
    const PointRules rules = mesh_rules(a, p->d, motion, reach, p->old);
    double turn = length(sub(motion->turn_b, motion->turn_a));
    LaterPose later = {.a = a, .b = &b, .d = p->d, .motion = motion};
    SolidPoints *points = &p->work->points;
    points->count = touches->count = 0;
    for (int32_t k = 0; k < a->solid->parts; k++) {
        SCR_TRY(touch_part(p, &a->solid->part[k], &now, &rules, turn, &later));
    }
    scr_thin_points(points);
    sort_points(points, a->solid);
    return scr_give_points(a, points, touches) ? SCREE_OK : SCREE_NO_MEMORY;
}

/* ---------------------------------------------------------------- one point again */

typedef struct NamedPlace {
    FeaturePlace place;
    double rounding;
} NamedPlace;

static NamedPlace place_named(const PlacedSolid *a, const PlacedSolid *b, const Mesh *mesh, Vec3 d,
                              Vec3 normal, int32_t feature, bool here) {
    const RelativePose pose = scr_relative_pose(a, b, d);
    const Element e = scr_element(a->solid, scr_patch_element(feature, a->solid->elements));
    MeshFeature on;
    scr_mesh_feature(mesh, scr_patch_of_mesh(feature, a->solid->elements), &on);
    const PartPair p = scr_part_pair(e.part, &on.part, &pose);
    const FeaturePair pair = {e.kind, on.kind, e.number, 0};
    const SmoothName name = {e.number, on.kind, 0};
    Vec3 own = scr_into_frame(a, normal);
    if (scr_is_patchwork(e.part)) {
        const PatchName patch = {e.number,
                                 scr_element_of(&on.part, on.kind, 0) - on.part.first_element};
        return (NamedPlace){scr_place_patch(&p, patch, own), 0};
    }
    return (NamedPlace){e.kind == ELEMENT_PLACE ? scr_place_smooth_local(&p, name, own, here)
                                                : scr_place_features(&p, pair, own),
                        e.part->rounding};
}

double scr_mesh_gap(const PlacedPair *p, Vec3 normal, int32_t feature) {
    const PlacedSolid b = scr_mesh_frame(p->wall);
    const NamedPlace at = place_named(p->solid[0], &b, p->wall->mesh, p->d, normal, feature, false);
    return at.place.gap - at.rounding;
}

/* From the centre of the body to the middle of the gap. */
static Vec3 arm_of(const PlacedSolid *a, const NamedPlace *at) {
    double up = 0.5 * (at->place.gap + at->rounding);
    return scr_out_of_frame(a, add_scaled(at->place.foot, up, at->place.normal));
}

/* A contact as the state has it. */
typedef struct MeshContact {
    const ScreeWallDef *wall;
    PlacedSolid a, b;
    Vec3 d, arm;
    double gap;
} MeshContact;

static MeshContact contact_now(const State *s, const Contact *c) {
    MeshContact k = {.wall = &s->walls.item[scr_wall_of(c->b)].now,
                     .d = scr_between(s, c->a, c->b)};
    scr_place_solid(scr_solid_of(s, (size_t)c->a), s->bodies.orientation[c->a], &k.a);
    k.b = scr_mesh_frame(k.wall);
    const NamedPlace at = place_named(&k.a, &k.b, k.wall->mesh, k.d, c->normal, c->feature, true);
    k.arm = arm_of(&k.a, &at);
    return k;
}

Arms scr_mesh_arms(const State *s, const Contact *c, const Surface *const unused[2]) {
    (void)unused;
    const MeshContact k = contact_now(s, c);
    return (Arms){k.arm, sub(k.arm, k.d)};
}

double scr_mesh_loss(const State *s, const Contact *c, const Surface *const unused[2],
                     const StepMotion *m) {
    (void)unused;
    MeshContact k = contact_now(s, c);
    double expected = scr_forecast(c, k.arm, sub(k.arm, k.d), m);
    scr_turn_placed(&k.a, m->turn_a);
    scr_turn_placed(&k.b, m->turn_b);
    const NamedPlace at =
        place_named(&k.a, &k.b, k.wall->mesh, add(k.d, m->shift), c->normal, c->feature, false);
    return expected - (at.place.gap - at.rounding);
}

/* The point of the same name, or else one that shares a vertex, an edge or a face of the body with
 * it: the body has slid on to other features of the wall. */
const Contact *scr_mesh_before(const State *s, const PairSides *pair, OldPoints old,
                               int32_t feature) {
    const Solid *solid = scr_solid_of(s, (size_t)pair->body[0]);
    int32_t elements = solid->elements, own = scr_patch_element(feature, elements);
    const Contact *like = NULL;
    for (size_t i = 0; i < old.count; i++) {
        if (old.item[i].feature == feature) {
            return &old.item[i];
        }
        like = scr_patch_element(old.item[i].feature, elements) == own ? &old.item[i] : like;
    }
    return like;
}

#include "narrow/solid_pair.h"

#include "base/status.h"
#include "narrow/part_axes.h"
#include "narrow/part_distance.h"

void scr_solid_work_free(SolidWork *work) {
    scr_feature_list_free(&work->list);
    scr_solid_points_free(&work->points);
}

/* ---------------------------------------------------------------- two parts */

/* Two solids where they are, and where they are expected to be after the step. */
typedef struct SolidPair {
    const PlacedSolid *a, *b;
    RelativePose now, later;
    PointRules rules;
    double turn; /* of one relative to the other, in the step */
    SolidWork *work;
} SolidPair;

/* The balls that hold the parts do not come within the reach. */
static bool balls_are_far(const PartPair *p, double reach) {
    Vec3 d = sub(scr_point_from_b(p->pose, p->b->middle), p->a->middle);
    double far = p->a->extent + p->b->extent + p->a->rounding + p->b->rounding + reach;
    return dot(d, d) > far * far;
}

/* Some axis on which two parts that overlap do so as little as possible, and how far they are apart
 * along it. A normal of the step before is most often the best one. */
static double parting_axis(const SolidPair *s, const PartPair *p, Vec3 *axis) {
    double best = -INFINITY;
    for (size_t i = 0; i < s->rules.old.count; i++) {
        const Contact *old = &s->rules.old.item[i];
        Vec3 normal = scr_into_frame(s->a, old->normal);
        double gap = scr_is_of_parts(p, old->feature) ? scr_apart_along(p, normal) : -INFINITY;
        if (gap > best) {
            *axis = normal;
            best = gap;
        }
    }
    if (best >= -0.02 * p->size) {
        return best;
    }
    const PartAxis out = scr_part_axis(p);
    if (out.gap > best) {
        *axis = out.normal;
        best = out.gap;
    }
    if (!(best > -INFINITY)) { /* balls and rods that meet at their centre lines */
        *axis = vec3(1, 0, 0);
        best = scr_apart_along(p, *axis);
    }
    return best;
}

/* Lists the pairs of features of two parts that may face each other, now or at the end of the step.
 * `far`: the parts are farther apart than the reach. */
static ScreeStatus list_parts(const SolidPair *s, const PartPair *p, FeatureList *list, bool *far) {
    double reach = s->rules.reach + p->a->rounding + p->b->rounding;
    const PartDistance d = scr_part_distance(p, reach);
    list->count = 0;
    *far = d.are == PARTS_FAR;
    if (*far) {
        return SCREE_OK;
    }
    Vec3 axis = d.normal;
    double apart = d.are == PARTS_APART ? d.gap : parting_axis(s, p, &axis);
    SightLimits limits = scr_point_limits(p, &s->rules);
    limits.high = scr_points_need(p, &s->rules, apart);
    limits.low = -limits.high;
    if (apart <= 2 * scr_passing_zone(p, &s->rules)) {
        limits.slide = s->rules.motion;
        limits.turn = s->turn;
    }
    return scr_list_features(p, axis, &limits, list) ? SCREE_OK : SCREE_NO_MEMORY;
}

static ScreeStatus touch_parts(const SolidPair *s, const Polyhedron *a, const Polyhedron *b,
                               double *near) {
    const PartPair now = scr_part_pair(a, b, &s->now), later = scr_part_pair(a, b, &s->later);
    if (balls_are_far(&now, s->rules.reach)) {
        return SCREE_OK;
    }
    FeatureList *list = &s->work->list;
    bool far = false;
    double gap;
    SCR_TRY(list_parts(s, &now, list, &far));
    if (far) {
        return SCREE_OK;
    }
    SCR_TRY(
        scr_part_points(&now, &later, list->name, list->count, &s->rules, &s->work->points, &gap));
    *near = scr_max(*near, ONE_PLACE * now.size);
    return SCREE_OK;
}

/* ---------------------------------------------------------------- the whole */

/* A step turns by less than this, as a sine; normals farther off have nothing to do with it. */
static const double most_tilt = 0.5, least_tilt = 0.01;

static double turn_between(const SolidMotion *m) {
    return length(sub(m->turn_b, m->turn_a));
}

PointRules scr_solid_rules(const PlacedSolid *a, const PlacedSolid *b, const SolidMotion *m,
                           double reach, OldPoints old) {
    double turning = length(m->turn_a) * (a->solid->radius + reach) +
                     length(m->turn_b) * (b->solid->radius + reach);
    return (PointRules){.reach = reach,
                        .tilt = scr_min(scr_max(least_tilt, 4 * turn_between(m)), most_tilt),
                        .motion = length(m->shift) + turning,
                        .old = old};
}

ScreeStatus scr_touch_solids(const PlacedSolid *a, const PlacedSolid *b, Vec3 d,
                             const SolidMotion *motion, double reach, OldPoints old,
                             SolidWork *work, OutlineTouches *touches) {
    const SolidPair s = {a,
                         b,
                         scr_relative_pose(a, b, d),
                         scr_later_pose(a, b, d, motion),
                         scr_solid_rules(a, b, motion, reach, old),
                         turn_between(motion),
                         work};
    double near = 0;
    work->points.count = touches->count = 0;
    for (int32_t i = 0; i < a->solid->parts; i++) {
        for (int32_t j = 0; j < b->solid->parts; j++) {
            SCR_TRY(touch_parts(&s, &a->solid->part[i], &b->solid->part[j], &near));
        }
    }
    scr_thin_points(&work->points, near);
    for (size_t i = 0; i < work->points.count; i++) {
        const SolidPoint *p = &work->points.item[i];
        const OutlineTouch touch = {.gap = p->gap,
                                    .normal = scr_out_of_frame(a, p->normal),
                                    .arm = scr_out_of_frame(a, p->middle),
                                    .feature = p->name};
        if (!scr_add_touch(touches, &touch)) {
            return SCREE_NO_MEMORY;
        }
    }
    return SCREE_OK;
}

/* ---------------------------------------------------------------- one point again */

/* The parts of a named point, and where it is. */
static FeaturePlace place_named(const PlacedSolid *a, const PlacedSolid *b, Vec3 d, Vec3 normal,
                                int32_t feature, const Polyhedron *part[2]) {
    const RelativePose pose = scr_relative_pose(a, b, d);
    part[0] = scr_element(a->solid, scr_feature_a(feature)).part;
    part[1] = scr_element(b->solid, scr_feature_b(feature)).part;
    const PartPair p = scr_part_pair(part[0], part[1], &pose);
    return scr_place_features(&p, scr_pair_of_name(&p, feature), scr_into_frame(a, normal));
}

double scr_solids_gap(const PlacedSolid *a, const PlacedSolid *b, Vec3 d, Vec3 normal,
                      int32_t feature) {
    const Polyhedron *part[2];
    const FeaturePlace place = place_named(a, b, d, normal, feature, part);
    return place.gap - part[0]->rounding - part[1]->rounding;
}

Vec3 scr_solids_arm(const PlacedSolid *a, const PlacedSolid *b, Vec3 d, Vec3 normal,
                    int32_t feature) {
    const Polyhedron *part[2];
    const FeaturePlace place = place_named(a, b, d, normal, feature, part);
    double up = 0.5 * (place.gap + part[0]->rounding - part[1]->rounding);
    return scr_out_of_frame(a, add_scaled(place.foot, up, place.normal));
}

/* How much of one another two names have: 3 all, 2 a vertex, 1 an edge or a face, 0 nothing. */
static int likeness(const Solid *a, const Solid *b, int32_t one, int32_t other) {
    if (one == other) {
        return 3;
    }
    bool same_a = scr_feature_a(one) == scr_feature_a(other);
    bool same_b = scr_feature_b(one) == scr_feature_b(other);
    if ((same_a && scr_element(a, scr_feature_a(one)).kind == ELEMENT_VERTEX) ||
        (same_b && scr_element(b, scr_feature_b(one)).kind == ELEMENT_VERTEX)) {
        return 2;
    }
    return same_a || same_b ? 1 : 0;
}

const Contact *scr_same_elements(const Solid *a, const Solid *b, OldPoints old, int32_t feature) {
    const Contact *best = NULL;
    int most = 0;
    for (size_t i = 0; i < old.count; i++) {
        int like = likeness(a, b, old.item[i].feature, feature);
        best = like > most ? &old.item[i] : best;
        most = like > most ? like : most;
    }
    return best;
}

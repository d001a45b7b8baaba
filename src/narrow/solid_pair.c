#include "narrow/solid_pair.h"

#include "base/status.h"
#include "narrow/part_axes.h"
#include "narrow/part_distance.h"
#include "narrow/patch_points.h"
#include "narrow/smooth_local.h"
#include "narrow/smooth_points.h"
#include "narrow/smooth_start.h"

void scr_solid_work_free(SolidWork *work) {
    scr_feature_list_free(&work->list);
    scr_solid_points_free(&work->points);
    scr_local_work_free(&work->local);
    scr_mesh_patch_free(&work->patch);
}

/* ---------------------------------------------------------------- lists */

/* Two solids where they are. */
typedef struct SolidPair {
    const PlacedSolid *a, *b;
    RelativePose now;
    PointRules rules;
    double turn; /* of one relative to the other, in the step */
    SolidWork *work;
} SolidPair;

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

/* How far the balls that hold two parts are apart, roundings included. */
static double balls_apart(const PartPair *p) {
    Vec3 d = sub(scr_point_from_b(p->pose, p->b->middle), p->a->middle);
    return length(d) - p->a->extent - p->b->extent - p->a->rounding - p->b->rounding;
}

/* Which pairs are within the reach is told by their features, not by the search. */
static double margin(const PartPair *p) {
    return 1e-9 * p->size;
}

/* How deep two parts that are `apart` as far as that may overlap, at least for a while. Of a single
 * pair a little more than now; if it becomes more, the list is made anew. */
static double depth_for_now(const SolidPair *s, const KeptRange *r, double apart) {
    bool single = s->a->solid->parts == 1 && s->b->solid->parts == 1;
    return single ? scr_max(0, -apart) + 0.2 * r->slack : scr_max(0, r->slack - apart);
}

/* The limits of a list that holds in the range. It must have the pair that tells the distance, too. */
static SightLimits list_limits(const PartPair *p, const KeptRange *r, double apart, double depth) {
    SightLimits limits = scr_point_limits(p, &r->rules);
    bool passing = apart - r->slack <= 2 * scr_passing_zone(p, &r->rules);
    double farthest = scr_farthest_listed(p, &r->rules, passing);
    limits.high = scr_max(farthest, apart + r->slack) + margin(p);
    limits.low = -scr_deepest_listed(p, depth) - margin(p);
    limits.slide = r->slack;
    limits.turn = r->slack / r->arm;
    if (passing) {
        limits.slide += r->rules.motion;
        limits.turn += r->turn;
    }
    return limits;
}

/* Appends the pairs of features of two parts that may face each other in the range, now or at the
 * end of the step. Where there are none, `range` may be longer than was asked for: `clear` is how far
 * the surfaces are apart, at least. */
static ScreeStatus list_parts(const SolidPair *s, const PartPair *p, KeptRange *range,
                              FeatureList *list, double *clear) {
    double roundings = p->a->rounding + p->b->rounding;
    double far = range->rules.reach + range->slack + margin(p);
    *clear = balls_apart(p);
    if (*clear > far) {
        return SCREE_OK;
    }
    if (scr_has_smooth(p)) { /* if near, they are looked at anew in every step */
        *clear = scr_max(*clear, scr_smooth_apart(p));
        if (*clear > far) {
            return SCREE_OK;
        }
        *clear = scr_min(*clear, range->rules.reach);
        return scr_list_name(list, scr_nearest_name(p)) ? SCREE_OK : SCREE_NO_MEMORY;
    }
    const PartDistance d = scr_part_distance(p, far + roundings);
    *clear = d.are == PARTS_TOUCHING ? -INFINITY : d.gap - roundings;
    if (d.are == PARTS_FAR) {
        return SCREE_OK;
    }
    Vec3 axis = d.normal;
    double apart = d.are == PARTS_APART ? d.gap : parting_axis(s, p, &axis);
    range->depth = depth_for_now(s, range, apart);
    const SightLimits limits = list_limits(p, range, apart, range->depth);
    return scr_list_features(p, axis, &limits, list) ? SCREE_OK : SCREE_NO_MEMORY;
}

/* ---------------------------------------------------------------- points */

static ScreeStatus points_of(const SolidPair *s, const PartPair *p, LaterPose *later,
                             const int32_t *name, size_t count, double *depth) {
    const LocalParts alone = {.now = p};
    *depth = 0;
    return scr_has_patches(p) ? scr_patch_points(&alone, &s->rules, &s->work->points)
           : scr_has_smooth(p)
               ? scr_smooth_points(p, later, &s->rules, &s->work->points)
               : scr_part_points(p, later, name, count, &s->rules, &s->work->points, depth);
}

/* The parts of a named point. */
static PartPair parts_of_name(const PlacedSolid *a, const PlacedSolid *b, int32_t feature,
                              const RelativePose *pose) {
    return scr_part_pair(scr_element(a->solid, scr_feature_a(feature)).part,
                         scr_element(b->solid, scr_feature_b(feature)).part, pose);
}

/* A kept list has the names of all parts one after the other. `holds`: it goes as deep as it must. */
static ScreeStatus touch_kept(const SolidPair *s, const SolidKept *kept, LaterPose *later,
                              bool *holds) {
    bool single = s->a->solid->parts == 1 && s->b->solid->parts == 1;
    FeatureList *list = &s->work->list;
    if (!scr_kept_names(kept, list)) {
        return SCREE_NO_MEMORY;
    }
    for (size_t k = 0; k < list->count;) {
        size_t first = k;
        const PartPair p = parts_of_name(s->a, s->b, list->name[k], &s->now);
        while (k < list->count && scr_is_of_parts(&p, list->name[k])) {
            k++;
        }
        double depth;
        SCR_TRY(points_of(s, &p, later, list->name + first, k - first, &depth));
        *holds = *holds && (!single || depth <= kept->depth);
    }
    return SCREE_OK;
}

/* Parts of which one is not convex. */
static ScreeStatus touch_local(const SolidPair *s, const PartPair *p, LaterPose *later) {
    if (balls_apart(p) > s->rules.reach + margin(p)) {
        return SCREE_OK;
    }
    const LocalParts parts = {.now = p, .base_is_a = p->b->convex};
    if (scr_has_patches(p)) {
        return scr_patch_points(&parts, &s->rules, &s->work->points);
    }
    if (scr_has_smooth(p)) {
        return scr_smooth_local_points(&parts, later, &s->rules, &s->work->points);
    }
    return scr_local_points(&parts, later, &s->rules, s->turn, &s->work->local, &s->work->points);
}

/* Searches, and keeps the list if there is a place for it. The range of a list without names is
 * as wide as the bodies are apart. */
static ScreeStatus touch_anew(const SolidPair *s, KeptRange *range, SolidKept *kept,
                              LaterPose *later) {
    FeatureList *list = &s->work->list;
    double least = INFINITY;
    list->count = 0;
    for (int32_t i = 0; i < s->a->solid->parts; i++) {
        for (int32_t j = 0; j < s->b->solid->parts; j++) {
            const PartPair p = scr_part_pair(&s->a->solid->part[i], &s->b->solid->part[j], &s->now);
            double clear;
            size_t first = list->count;
            if (!p.a->convex || !p.b->convex) {
                SCR_TRY(touch_local(s, &p, later));
                continue;
            }
            SCR_TRY(list_parts(s, &p, range, list, &clear));
            least = scr_min(least, clear);
            if (clear <= s->rules.reach + margin(&p)) {
                const size_t count = list->count - first; /* none where the axes of rods cross */
                double depth;
                SCR_TRY(
                    points_of(s, &p, later, count > 0 ? list->name + first : NULL, count, &depth));
            }
        }
    }
    if (kept != NULL) {
        KeptRange made = *range;
        made.slack =
            list->count == 0 ? scr_max(range->slack, least - range->rules.reach) : range->slack;
        scr_keep(list, &s->now, &made, kept);
    }
    return SCREE_OK;
}

/* ---------------------------------------------------------------- the whole */

static bool is_convex(const Solid *solid) {
    bool all = true;
    for (int32_t k = 0; k < solid->parts; k++) {
        all = all && solid->part[k].convex;
    }
    return all;
}

static double turn_between(const StepMotion *m) {
    return length(sub(m->turn_b, m->turn_a));
}

PointRules scr_solid_rules(const PlacedSolid *a, const PlacedSolid *b, const StepMotion *m,
                           double reach, OldPoints old) {
    double turning = length(m->turn_a) * (a->solid->radius + reach) +
                     length(m->turn_b) * (b->solid->radius + reach);
    return (PointRules){.reach = reach,
                        .tilt = scr_tilt_of_turn(turn_between(m)),
                        .motion = length(m->shift) + turning,
                        .old = old};
}

bool scr_give_points(const PlacedSolid *a, const SolidPoints *points, OutlineTouches *touches) {
    for (size_t i = 0; i < points->count; i++) {
        const SolidPoint *p = &points->item[i];
        const OutlineTouch touch = {.gap = p->gap,
                                    .normal = scr_out_of_frame(a, p->normal),
                                    .arm = scr_out_of_frame(a, p->middle),
                                    .feature = p->name};
        if (!scr_add_touch(touches, &touch)) {
            return false;
        }
    }
    return true;
}

ScreeStatus scr_touch_solids(const PlacedSolid *a, const PlacedSolid *b, Vec3 d,
                             const StepMotion *motion, double reach, OldPoints old, SolidWork *work,
                             OutlineTouches *touches) {
    SolidKept *kept = is_convex(a->solid) && is_convex(b->solid) ? work->kept : NULL;
    const SolidPair s = {a,
                         b,
                         scr_relative_pose(a, b, d),
                         scr_solid_rules(a, b, motion, reach, old),
                         turn_between(motion),
                         work};
    LaterPose later = {.a = a, .b = b, .d = d, .motion = motion};
    double size = 2 * scr_min(a->solid->radius, b->solid->radius);
    work->points.count = touches->count = 0;
    bool holds = kept != NULL && scr_kept_holds(kept, &s.now, &s.rules, s.turn);
    bool too_long = holds && kept->state == KEPT_TOO_LONG;
    if (holds && !too_long) {
        SCR_TRY(touch_kept(&s, kept, &later, &holds));
    }
    if (!holds || too_long) {
        bool keeps = kept != NULL && !too_long && scr_is_worth_keeping(&s.rules, size);
        KeptRange range = keeps ? scr_kept_range(&s.rules, s.turn, size, b->solid->radius)
                                : scr_no_range(&s.rules, s.turn);
        work->points.count = 0;
        SCR_TRY(touch_anew(&s, &range, keeps ? kept : NULL, &later));
    }
    scr_thin_points(&work->points);
    return scr_give_points(a, &work->points, touches) ? SCREE_OK : SCREE_NO_MEMORY;
}

/* ---------------------------------------------------------------- one point again */

/* A smooth part with one that is not convex. */
static FeaturePlace place_locally(const PartPair *p, int32_t feature, Vec3 own, bool here) {
    bool smooth_a = scr_is_smooth(p->a);
    SmoothName name;
    int32_t of_a = scr_feature_a(feature), of_b = scr_feature_b(feature);
    name.place = smooth_a ? of_a - p->a->first_element : of_b - p->b->first_element;
    scr_kind_of_element(smooth_a ? p->b : p->a, smooth_a ? of_b : of_a, &name.kind, &name.number);
    return scr_place_smooth_local(p, name, own, here);
}

/* `here`: the normal is that of now. */
static FeaturePlace place_of(const PartPair *p, int32_t feature, Vec3 own, bool here) {
    if (scr_has_patches(p)) {
        return scr_place_patch(p, scr_patch_name_of(p, feature), own);
    }
    if (!scr_has_smooth(p)) {
        return scr_place_features(p, scr_pair_of_name(p, feature), own);
    }
    return !p->a->convex || !p->b->convex ? place_locally(p, feature, own, here)
           : here                         ? scr_smooth_here(p, feature, own)
                                          : scr_place_smooth(p, feature, own);
}

double scr_solids_gap(const PlacedSolid *a, const PlacedSolid *b, Vec3 d, Vec3 normal,
                      int32_t feature) {
    const RelativePose pose = scr_relative_pose(a, b, d);
    const PartPair p = parts_of_name(a, b, feature, &pose);
    return place_of(&p, feature, scr_into_frame(a, normal), false).gap - p.a->rounding -
           p.b->rounding;
}

Vec3 scr_solids_arm(const PlacedSolid *a, const PlacedSolid *b, Vec3 d, Vec3 normal,
                    int32_t feature) {
    const RelativePose pose = scr_relative_pose(a, b, d);
    const PartPair p = parts_of_name(a, b, feature, &pose);
    const FeaturePlace place = place_of(&p, feature, scr_into_frame(a, normal), true);
    double up = 0.5 * (place.gap + p.a->rounding - p.b->rounding);
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

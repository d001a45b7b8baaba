#include "narrow/part_points.h"

#include "narrow/part_axes.h"
#include "narrow/part_distance.h"

/* In parts of the smaller diameter. */
static const double contained = 1e-12; /* feet may lie this much outside of faces and edges */
static const double in_region = 1e-12; /* the same of vertices beside edges */
static const double tied = 1e-10;      /* distances along two axes that are equal */
static const double touching = 1e-9; /* bodies this near have no direction from one to the other */
static const double step_up = 1e-5;  /* a pair of later that is this deep now is no obstacle */
/* Cosines. */
static const double on_axis = 0.955;
static const double same_normal = 0.98;

/* Gaps in one place that agree so well that the name of the step before is kept; part of the place. */
static const double same_gap = 1e-4;

void scr_solid_points_free(SolidPoints *points) {
    SCR_FREE_BLOCKS(&points->item_block, &points->seen_block);
    *points = (SolidPoints){0};
}

static double roundings(const PartPair *p) {
    return p->a->rounding + p->b->rounding;
}

static double rounding_error(const PartPair *p) {
    return in_region * p->size + 10 * p->round;
}

double scr_passing_zone(const PartPair *p, const PointRules *rules) {
    return scr_max(1.5 * rules->motion, 1e-9 * p->size);
}

/* The pair that is nearest later is no farther now than the zone and two motions. */
double scr_farthest_listed(const PartPair *p, const PointRules *rules, bool passing) {
    double later = passing ? 4 * rules->motion : 0;
    return scr_max(rules->reach + roundings(p), later) + 2 * contained * p->size;
}

/* Points may be twice as deep as the axis, which is at most twice as deep as the overlap, but for a
 * step up. */
double scr_deepest_listed(const PartPair *p, double depth) {
    return 4 * depth + (2 * step_up + 2 * contained) * p->size;
}

SightLimits scr_point_limits(const PartPair *p, const PointRules *rules) {
    return (SightLimits){.low = -INFINITY,
                         .high = INFINITY,
                         .beyond = contained * p->size,
                         .region = rounding_error(p),
                         .tilt = rules->tilt};
}

/* ---------------------------------------------------------------- the axis */

typedef struct Axis {
    double now, later; /* how far the parts are apart along it */
    double sure;       /* now, less what its pair may lie outside of its normal cones */
    double depth;      /* of the overlap as it is now, along whichever axis; 0: apart */
    Vec3 normal;       /* in the frame of a */
    FeaturePair pair;
} Axis;

bool scr_is_old(OldPoints old, int32_t name) {
    for (size_t i = 0; i < old.count; i++) {
        if (old.item[i].feature == name) {
            return true;
        }
    }
    return false;
}

/* A vertex so near to an edge or a vertex that its direction means nothing. */
static bool is_aimless(const PartPair *p, FeaturePair pair, double gap) {
    return !scr_has_own_normal(pair) && gap <= touching * p->size;
}

static bool may_be_axis(const PartPair *p, const SeenPair *s, Vec3 about, double deepest) {
    return s->strict && dot(s->now.normal, about) >= -0.1 && s->now.gap >= deepest &&
           !is_aimless(p, s->pair, s->now.gap);
}

/* Of the pairs inside the normal cones the one with the greatest gap at the end of the step, or one
 * of the step before that is as good. One that will be in its cone only later may be deep now,
 * although the bodies are apart: it must be no deeper than `deepest`, so that no overlap is told of
 * that there is not. A step up of some rounding errors is let pass, as at the seams of a floor.
 * `about` has no axis against it: a body that moves farther than another is thick does not come out
 * of it on the other side. */
static bool choose_axis(const PartPair *p, const SolidPoints *points, size_t count, OldPoints old,
                        Vec3 about, double deepest, Axis *axis) {
    const SeenPair *best = NULL;
    for (size_t i = 0; i < count; i++) {
        const SeenPair *s = &points->seen[i];
        best = may_be_axis(p, s, about, deepest) && (best == NULL || s->later > best->later) ? s
                                                                                             : best;
    }
    if (best == NULL) {
        return false;
    }
    double most = best->later;
    for (size_t i = 0; i < count && old.count > 0 && !scr_is_old(old, best->name); i++) {
        const SeenPair *s = &points->seen[i];
        bool as_good = s->later >= most - tied * p->size && scr_is_old(old, s->name);
        best = as_good && may_be_axis(p, s, about, deepest) ? s : best;
    }
    /* a normal that leaves a cone by an angle is off by as much of the size at the other end */
    double sure = best->now.gap - scr_max(0, best->now.tilt) * p->size;
    *axis = (Axis){best->now.gap, most, sure, 0, best->now.normal, best->pair};
    return true;
}

/* Where rounding hides the pair that tells the distance (nearly parallel edges, centres of balls
 * that coincide). False: farther than the reach. */
static bool search_axis(const PartPair *p, double reach, Axis *axis) {
    const PartDistance d = scr_part_distance(p, reach);
    if (d.are == PARTS_FAR) {
        return false;
    }
    if (d.are == PARTS_APART) {
        *axis = (Axis){d.gap, d.gap, d.gap, 0, d.normal, d.pair};
        return true;
    }
    const PartAxis out = scr_part_axis(p);
    if (out.gap > -INFINITY) {
        *axis = (Axis){out.gap, out.gap, out.gap, 0, out.normal, out.pair};
        return true;
    }
    /* balls and rods whose centre lines meet: any direction across them parts them */
    Vec3 along = p->a->edges > 0   ? p->a->edge[0].along
                 : p->b->edges > 0 ? scr_turn_from_b(p->pose, p->b->edge[0].along)
                                   : vec3(0, 0, 1);
    Vec3 normal = perpendicular(along);
    *axis = (Axis){0, 0, 0, 0, normal, {ELEMENT_VERTEX, ELEMENT_VERTEX, 0, 0}};
    axis->pair.kind_a = p->a->edges > 0 ? ELEMENT_EDGE : ELEMENT_VERTEX;
    axis->pair.kind_b = p->b->edges > 0 ? ELEMENT_EDGE : ELEMENT_VERTEX;
    return true;
}

/* ---------------------------------------------------------------- now and later */

void scr_see_now(const PartPair *p, const SightLimits *limits, SeenPair *s) {
    s->seen = scr_see_features(p, s->pair, limits, &s->now);
    s->strict = s->seen && s->now.tilt <= s->now.blur;
    s->later = s->now.gap;
}

/* `clear` is how far a vertex is from an edge or a vertex that it faces, if that is too near for a direction: the
 * bodies are apart by no less. -INFINITY: none is. */
static bool see_now(const PartPair *p, const int32_t *name, size_t count, const PointRules *rules,
                    SolidPoints *points, double *clear) {
    *clear = -INFINITY;
    if (!SCR_RESERVE(points, seen, count)) {
        return false;
    }
    const SightLimits limits = scr_point_limits(p, rules);
    for (size_t i = 0; i < count; i++) {
        SeenPair *s = &points->seen[i];
        *s = (SeenPair){.name = name[i], .pair = scr_pair_of_name(p, name[i])};
        scr_see_now(p, &limits, s);
        if (s->strict && is_aimless(p, s->pair, s->now.gap) && s->now.tilt < -s->now.blur) {
            *clear = scr_max(*clear, s->now.gap);
        }
    }
    return true;
}

/* A vertex and a face, or two edges, keep the normal that they have now. They count where their feet
 * are inside now, or will be. */
static void foresee_own_normal(const PartPair *now, const PartPair *later,
                               const SightLimits *limits, bool seen_later, SeenPair *s) {
    SightLimits anywhere = *limits;
    anywhere.beyond = INFINITY;
    if (seen_later) {
        s->seen = s->seen || scr_see_features(now, s->pair, &anywhere, &s->now);
        s->strict = s->strict && s->seen;
    } else if (s->seen) {
        s->later = scr_place_features(later, s->pair, s->now.normal).gap;
    }
}

/* A vertex beside an edge or a vertex takes the direction that it will have, if it is so near that
 * they may pass each other. */
static void foresee_direction(const PartPair *now, const FeatureSight *sight, double zone,
                              bool seen_later, SeenPair *s) {
    if (!seen_later) {
        s->seen = s->seen && s->now.gap > zone;
        return;
    }
    const FeaturePlace place = scr_place_features(now, s->pair, sight->normal);
    s->now = *sight;
    s->now.gap = place.gap;
    s->now.foot = place.foot;
    s->seen = true;
}

void scr_see_later(const PartPair *now, const PartPair *later, const SightLimits *limits,
                   double zone, SeenPair *s) {
    FeatureSight sight;
    bool seen = scr_see_features(later, s->pair, limits, &sight);
    s->strict = seen && sight.tilt <= sight.blur;
    s->later = seen ? sight.gap : s->now.gap;
    if (scr_has_own_normal(s->pair)) {
        foresee_own_normal(now, later, limits, seen, s);
    } else {
        foresee_direction(now, &sight, zone, seen, s);
    }
}

static void see_later(const PartPair *now, const PartPair *later, size_t count,
                      const PointRules *rules, SolidPoints *points) {
    const SightLimits limits = scr_point_limits(now, rules);
    double zone = scr_passing_zone(now, rules);
    for (size_t i = 0; i < count; i++) {
        scr_see_later(now, later, &limits, zone, &points->seen[i]);
    }
}

/* ---------------------------------------------------------------- points */

bool scr_put_solid_point(SolidPoints *points, const SolidPoint *point) {
    if (!SCR_RESERVE_KEEPING(points, item, points->count + 1, points->count)) {
        return false;
    }
    points->item[points->count++] = *point;
    return true;
}

bool scr_add_solid_point(const PartPair *p, const SeenPair *s, OldPoints old, SolidPoints *points) {
    double gap = s->now.gap, up = 0.5 * (gap + p->a->rounding - p->b->rounding);
    const SolidPoint point = {.gap = gap - roundings(p),
                              .normal = s->now.normal,
                              .middle = add_scaled(s->now.foot, up, s->now.normal),
                              .near = ONE_PLACE * p->size,
                              .name = s->name,
                              .own = scr_has_own_normal(s->pair),
                              .strict = s->strict,
                              .within = gap < 0,
                              .aimless = is_aimless(p, s->pair, gap),
                              .old = scr_is_old(old, s->name)};
    return scr_put_solid_point(points, &point);
}

/* A point off the axis that would be nearer than the bodies will be: it is seen across an edge. */
static bool is_ghost(const PartPair *p, const Axis *axis, Vec3 normal, double later) {
    double error = rounding_error(p);
    return dot(normal, axis->normal) < on_axis &&
           (axis->later < -error || later < axis->later - error);
}

static bool within(const PartPair *p, const PointRules *rules, const Axis *axis, double gap) {
    double deepest = 2 * scr_min(-axis->depth, axis->now) - touching * p->size;
    return gap <= rules->reach + roundings(p) && gap >= deepest;
}

static bool add_seen(const PartPair *p, size_t count, const PointRules *rules, const Axis *axis,
                     SolidPoints *points) {
    for (size_t i = 0; i < count; i++) {
        const SeenPair *s = &points->seen[i];
        if (s->seen && within(p, rules, axis, s->now.gap) &&
            !is_ghost(p, axis, s->now.normal, s->later) &&
            !scr_add_solid_point(p, s, rules->old, points)) {
            return false;
        }
    }
    return true;
}

/* The pair of the axis itself, if nothing in the list is as near. */
static bool add_axis(const PartPair *p, size_t first, const PointRules *rules, const Axis *axis,
                     SolidPoints *points) {
    double least = INFINITY, gap = axis->now - roundings(p);
    for (size_t i = first; i < points->count; i++) {
        least = scr_min(least, points->item[i].gap);
    }
    if (gap > rules->reach || least <= gap + rounding_error(p)) {
        return true;
    }
    const FeaturePlace place = scr_place_features(p, axis->pair, axis->normal);
    const SeenPair seen = {.now = {.gap = axis->now, .normal = axis->normal, .foot = place.foot},
                           .pair = axis->pair,
                           .name = scr_name_of_pair(p, axis->pair),
                           .strict = true};
    return scr_add_solid_point(p, &seen, rules->old, points);
}

/* Whether one of the points from `first` to `last` is where the sight is. */
bool scr_is_at_a_point(const PartPair *p, const FeatureSight *sight, const SolidPoints *points,
                       size_t first, size_t last) {
    double near = ONE_PLACE * p->size, gap = sight->gap - roundings(p);
    Vec3 middle = add_scaled(sight->foot, 0.5 * (sight->gap + p->a->rounding - p->b->rounding),
                             sight->normal);
    for (size_t i = first; i < last; i++) {
        const SolidPoint *t = &points->item[i];
        Vec3 d = sub(t->middle, middle);
        if (dot(d, d) <= near * near && fabs(t->gap - gap) <= same_gap * near &&
            dot(t->normal, sight->normal) > same_normal) {
            return true;
        }
    }
    return false;
}

/* A name of the step before whose foot has moved a little out of its feature is held as long as it
 * stands for a point of now. Otherwise names would change at every step where features coincide, as
 * those of a block on a block. */
static bool hold_names(const PartPair *p, size_t first, const PointRules *rules, const Axis *axis,
                       SolidPoints *points) {
    size_t last = points->count;
    SightLimits limits = scr_point_limits(p, rules);
    limits.beyond = 0.5 * ONE_PLACE * p->size;
    for (size_t k = 0; k < rules->old.count; k++) {
        int32_t name = rules->old.item[k].feature;
        bool there = !scr_is_of_parts(p, name);
        for (size_t i = first; i < last && !there; i++) {
            there = points->item[i].name == name;
        }
        if (there) {
            continue;
        }
        SeenPair s = {.pair = scr_pair_of_name(p, name), .name = name};
        if (scr_has_own_normal(s.pair) && scr_see_features(p, s.pair, &limits, &s.now) &&
            within(p, rules, axis, s.now.gap) &&
            scr_is_at_a_point(p, &s.now, points, first, last) &&
            !scr_add_solid_point(p, &s, rules->old, points)) {
            return false;
        }
    }
    return true;
}

/* Of bodies that are apart no point is nearer than that. */
static void keep_clear(double clear, size_t first, SolidPoints *points) {
    for (size_t i = first; i < points->count && clear > -INFINITY; i++) {
        points->item[i].gap = scr_max(points->item[i].gap, clear);
    }
}

/* ---------------------------------------------------------------- the whole */

const RelativePose *scr_later_of(LaterPose *later) {
    if (!later->known) {
        later->pose = scr_later_pose(later->a, later->b, later->d, later->motion);
        later->known = true;
    }
    return &later->pose;
}

ScreeStatus scr_part_points(const PartPair *now, LaterPose *later, const int32_t *name,
                            size_t count, const PointRules *rules, SolidPoints *points,
                            double *depth) {
    double reach = rules->reach + roundings(now);
    size_t first = points->count;
    double clear;
    *depth = 0;
    if (!see_now(now, name, count, rules, points, &clear)) {
        return SCREE_NO_MEMORY;
    }
    Axis axis;
    const Vec3 any = vec3(0, 0, 0);
    bool told = choose_axis(now, points, count, rules->old, any, -INFINITY, &axis);
    if ((!told && !search_axis(now, reach, &axis)) || axis.now > reach) {
        return SCREE_OK;
    }
    *depth = scr_max(0, -axis.sure);
    if (rules->motion > 0 && axis.now <= scr_passing_zone(now, rules)) {
        const PartPair then = scr_part_pair(now->a, now->b, scr_later_of(later));
        see_later(now, &then, count, rules, points);
        double deepest = -2 * *depth - step_up * now->size;
        if (!choose_axis(now, points, count, rules->old, axis.normal, deepest, &axis)) {
            axis.later = scr_place_features(&then, axis.pair, axis.normal).gap;
        }
    }
    axis.depth = *depth;
    bool made = add_seen(now, count, rules, &axis, points) &&
                add_axis(now, first, rules, &axis, points) &&
                hold_names(now, first, rules, &axis, points);
    keep_clear(clear - roundings(now), first, points);
    return made ? SCREE_OK : SCREE_NO_MEMORY;
}

/* Of two points in one place: whether the first stays. Of pairs in both normal cones the least gap is
 * the distance, and the least depth the way out; others are never nearer than the distance, and of
 * an overlap they tell nothing. A name of the step before stays if it says the same; of others that
 * do, one whose normal stays as the bodies slide. */
static bool first_stays(const SolidPoint *one, const SolidPoint *other, double near) {
    if (one->aimless != other->aimless) {
        return other->aimless;
    }
    if (one->old != other->old && fabs(one->gap - other->gap) <= same_gap * near) {
        return one->old;
    }
    if (one->strict != other->strict) {
        return one->strict;
    }
    if (one->own != other->own && fabs(one->gap - other->gap) <= 1e-9 * near) {
        return one->own;
    }
    return one->within && other->within ? one->gap >= other->gap : one->gap <= other->gap;
}

/* Whether two points are in one place, seen along the normal of the first. */
static bool seems_there(const SolidPoint *one, const SolidPoint *other, double near) {
    Vec3 d = sub(one->middle, other->middle);
    d = add_scaled(d, -dot(d, one->normal), one->normal);
    return dot(d, d) <= near * near;
}

/* Whether two points are in one place and push the same way; the same whichever comes first. */
static bool are_one(const SolidPoint *one, const SolidPoint *other, double near) {
    bool aimless = one->aimless != other->aimless;
    return seems_there(one, other, near) &&
           (aimless || dot(one->normal, other->normal) >= same_normal) &&
           seems_there(other, one, near);
}

/* Of each two points in one place one is beaten. False: none is. */
static bool mark_beaten(SolidPoint *item, size_t count) {
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count && !item[i].gone; j++) {
            double near = scr_min(item[i].near, item[j].near);
            if (!item[j].gone && are_one(&item[i], &item[j], near)) {
                item[first_stays(&item[i], &item[j], near) ? j : i].beaten = true;
                any = true;
            }
        }
    }
    return any;
}

static bool is_unbeaten(const SolidPoint *point) {
    return !point->gone && !point->beaten;
}

/* Those that are beaten by one that stays go. True: one did, and there are others that are beaten. */
static bool drop_beaten(SolidPoint *item, size_t count) {
    bool any = false, left = false;
    for (size_t j = 0; j < count; j++) {
        for (size_t i = 0; i < count && item[j].beaten && !item[j].gone; i++) {
            double near = scr_min(item[i].near, item[j].near);
            item[j].gone = is_unbeaten(&item[i]) && are_one(&item[i], &item[j], near);
            any = any || item[j].gone;
        }
        left = left || (item[j].beaten && !item[j].gone);
    }
    return any && left;
}

/* What is beaten by one that goes itself is looked at again: so it does not count who comes first. */
void scr_thin_points(SolidPoints *points) {
    SolidPoint *item = points->item;
    while (mark_beaten(item, points->count) && drop_beaten(item, points->count)) {
        for (size_t i = 0; i < points->count; i++) {
            item[i].beaten = false;
        }
    }
    size_t kept = 0;
    for (size_t i = 0; i < points->count; i++) {
        if (!item[i].gone) {
            item[kept++] = item[i];
        }
    }
    points->count = kept;
}

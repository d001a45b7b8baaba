#include "narrow/smooth_points.h"

#include "narrow/common_normal.h"

/* The point on a, where the parts without their roundings are nearest to each other. */
static Vec3 foot_of(const PartPair *p, const CommonNormal *c) {
    bool on_a = p->a->smooth.kind == SCREE_PART_ELLIPSOID;
    return on_a ? c->on_a : add_scaled(c->on_b, -c->gap, c->normal);
}

static bool add_point(const PartPair *p, double gap, Vec3 normal, Vec3 foot, int32_t name,
                      const PointRules *rules, SolidPoints *points) {
    double up = 0.5 * (gap + p->a->rounding - p->b->rounding);
    const SolidPoint point = {.gap = gap - p->a->rounding - p->b->rounding,
                              .normal = normal,
                              .middle = add_scaled(foot, up, normal),
                              .near = ONE_PLACE * p->size,
                              .name = name,
                              .own = true,
                              .strict = true,
                              .within = gap < 0,
                              .old = scr_is_old(rules->old, name)};
    return point.gap > rules->reach || scr_put_solid_point(points, &point);
}

/* Whether a plane across the line between their middles keeps them farther apart. */
static bool is_far(const PartPair *p, double reach) {
    Vec3 between = sub(scr_point_from_b(p->pose, p->b->middle), p->a->middle), along;
    double roundings = p->a->rounding + p->b->rounding;
    return direction_of(between, &along) && scr_gap_along(p, along) - roundings > reach;
}

ScreeStatus scr_smooth_points(const PartPair *p, LaterPose *later, const PointRules *rules,
                              SolidPoints *points) {
    (void)later;
    if (is_far(p, rules->reach)) {
        return SCREE_OK;
    }
    const CommonNormal c = scr_common_normal(p);
    bool ok = add_point(p, c.gap, c.normal, foot_of(p, &c), scr_nearest_name(p), rules, points);
    return ok ? SCREE_OK : SCREE_NO_MEMORY;
}

FeaturePlace scr_smooth_here(const PartPair *p, int32_t name, Vec3 normal) {
    (void)name;
    const CommonNormal c = scr_seen_along(p, normal);
    return (FeaturePlace){c.gap, c.normal, foot_of(p, &c)};
}

FeaturePlace scr_place_smooth(const PartPair *p, int32_t name, Vec3 normal) {
    (void)name;
    const CommonNormal c = scr_normal_from(p, normal);
    return (FeaturePlace){c.gap, c.normal, foot_of(p, &c)};
}

#include "narrow/smooth_start.h"

#include "narrow/feature_list.h"

double scr_smooth_apart(const PartPair *p) {
    Vec3 between = sub(scr_point_from_b(p->pose, p->b->middle), p->a->middle), along;
    double roundings = p->a->rounding + p->b->rounding;
    return direction_of(between, &along) ? scr_gap_along(p, along) - roundings : -INFINITY;
}

/* The normal of the step before is near the common one. Where so little overlaps, the top that it leads
 * to is the right one; else it is sought from all sides. */
CommonNormal scr_find_normal(const PartPair *p, const LaterPose *later, OldPoints old) {
    double most = -INFINITY;
    Vec3 start = vec3(0, 0, 0);
    for (size_t i = 0; i < old.count; i++) {
        if (scr_is_of_parts(p, old.item[i].feature)) {
            Vec3 n = scr_into_frame(later->a, old.item[i].normal);
            double gap = scr_gap_along(p, n);
            start = gap > most ? n : start;
            most = scr_max(most, gap);
        }
    }
    if (most > -INFINITY) {
        const CommonNormal c = scr_normal_from(p, start);
        if (c.gap > -4e-4 * p->size) {
            return c;
        }
    }
    return scr_common_normal(p);
}

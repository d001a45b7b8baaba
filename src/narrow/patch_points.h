/* Contact points of two parts of which one at least is a surface of patches, convex or not: with
 * another one, with smooth parts, and with the features of polyhedra, convex or not, and of surfaces of
 * triangles. */
#ifndef SCREE_NARROW_PATCH_POINTS_H
#define SCREE_NARROW_PATCH_POINTS_H

#include "narrow/local_list.h"

static inline bool scr_has_patches(const PartPair *p) {
    return scr_is_patchwork(p->a) || scr_is_patchwork(p->b);
}

/* Appends the points. Of `parts`, only a surface of triangles needs more than the pair. */
ScreeStatus scr_patch_points(const LocalParts *parts, const PointRules *rules, SolidPoints *points);

/* An element of a surface of patches and one of the other part, counted in their parts. */
typedef struct PatchName {
    int32_t of_surface, of_other;
} PatchName;

/* Where a named point is, from the normal that it had. Roundings are not taken off the gap, and `foot` is
 * the point on a without its rounding. */
FeaturePlace scr_place_patch(const PartPair *parts, PatchName name, Vec3 normal);

/* The two elements of a feature of two solids. */
PatchName scr_patch_name_of(const PartPair *parts, int32_t feature);

#endif

/* The direction along which two convex parts, of which one is smooth at least, are farthest apart.
 *
 * Along a unit vector n, from a to b, the parts are apart by
 *
 *     s(n) = n.(x_b - x_a),
 *
 * where x_a is the point of a that is farthest along n, and x_b that of b farthest against it. The
 * greatest s is the distance or, if they overlap, minus the shortest way out. Its gradient is
 * x_b - x_a, so at the top this is along n: both surfaces have n as a normal. Where parts are apart
 * s has no other top; any climb ends at the right one. Whatever n is found, s(n) is never more than
 * the distance, and errors of n count with their square.
 *
 * Smooth surfaces, rims and vertices are climbed by Newton's method, with their radii of curvature.
 * Edges, faces, caps and the sides of cones are creases of s: the top may lie on a circle of
 * directions, or be a single one. Those beside the place that was reached are tried after each climb. */
#ifndef SCREE_NARROW_COMMON_NORMAL_H
#define SCREE_NARROW_COMMON_NORMAL_H

#include "narrow/part_pair.h"

typedef struct CommonNormal {
    double gap;      /* between the parts without their roundings; negative: they overlap */
    Vec3 normal;     /* unit, from a to b, in the frame of a */
    Vec3 on_a, on_b; /* the farthest points: some of them, where there are several */
} CommonNormal;

/* From any pose. Of an overlap the shortest way out. */
CommonNormal scr_common_normal(const PartPair *parts);

/* The top that is reached from a direction. */
CommonNormal scr_normal_from(const PartPair *parts, Vec3 start);

/* How far the parts are apart along a direction. */
double scr_gap_along(const PartPair *parts, Vec3 normal);

/* The farthest points along a common normal, and there those where the parts meet. */
CommonNormal scr_seen_along(const PartPair *parts, Vec3 normal);

#endif

/* A rim, or a point, over an edge or over the side of a cone.
 *
 * Along an edge, and along a line from rim to rim on the side of a cone, a part shows the same points to
 * all directions n on a circle about it. Where the other part's rim is nearest, n is also the normal of
 * that rim: there what the two miss each other by, along the circle, is 0. So both ends of a line that
 * lies along another have their own place and normal, however little the two lines are askew. */
#ifndef SCREE_NARROW_SMOOTH_LINES_H
#define SCREE_NARROW_SMOOTH_LINES_H

#include "narrow/feature_sight.h"

/* All in the frame of a. The directions n, from a to b, are those with n . axis = height. */
typedef struct CreaseLine {
    Vec3 at, axis;         /* a point of the edge, or the middle of a cap */
    double height, radius; /* of the cap; 0: an edge */
    bool is_b;
} CreaseLine;

/* A circle of the other part; with the radius 0 a point. */
typedef struct RimCircle {
    Vec3 middle, axis;
    double radius;
} RimCircle;

/* The place next to n where the rim is nearest to the line. */
FeaturePlace scr_rim_over_line(const CreaseLine *line, const RimCircle *rim, Vec3 n, double tiny);

#endif

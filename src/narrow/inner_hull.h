/* The convex hull of points on the surface of a convex body that is known by its farthest points alone, point by
 * point. A face of it is nowhere farther out than the surface: so where the body is left on the shortest way from the
 * origin, it is left no sooner than the hull. */
#ifndef SCREE_NARROW_INNER_HULL_H
#define SCREE_NARROW_INNER_HULL_H

#include "math/vec.h"

enum { INNER_HULL_POINTS = 160, INNER_HULL_FACES = 2 * INNER_HULL_POINTS };

typedef struct InnerFace {
    int corner[3];
    Vec3 normal;   /* unit, outwards */
    double offset; /* of its plane from the origin */
    bool final;    /* the surface is no farther out */
} InnerFace;

typedef struct InnerHull {
    int points, faces;
    double blur; /* what lies no higher above a face lies in it */
    Vec3 point[INNER_HULL_POINTS];
    InnerFace face[INNER_HULL_FACES];
} InnerHull;

/* False: the four points lie in one plane. */
bool scr_inner_hull_begin(const Vec3 point[4], double blur, InnerHull *hull);

/* The face with the least offset of those that are not final; NULL: all are. */
InnerFace *scr_inner_hull_nearest(InnerHull *hull);

/* Nothing changes if it lies nowhere above the hull. There must be room for it. */
void scr_inner_hull_add(InnerHull *hull, Vec3 point);

#endif

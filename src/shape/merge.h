/* Coplanar triangles of a closed surface merged into faces. */
#ifndef SCREE_SHAPE_MERGE_H
#define SCREE_SHAPE_MERGE_H

#include "shape/triangles.h"

/* Faces are convex polygons. A plane group of triangles that is not one, or that surrounds a hole,
 * is cut along sides of its triangles. Vertices within the tolerance of the straight line between
 * their neighbours are left out where only two faces meet. Each loop begins with its smallest
 * number, and loops are sorted. `group` receives the plane groups, [triangles->count]. False when
 * out of memory. */
bool scr_merge_triangles(const Vec3 *point, int32_t points, const Triangles *triangles,
                         double tolerance, int32_t *group, FaceLoops *made);

#endif

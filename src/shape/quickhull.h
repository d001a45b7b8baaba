/* The convex hull of points as a surface of triangles, without error: quickhull (Barber, Dobkin,
 * Huhdanpaa, ACM Trans. Math. Softw. 22 (1996) 469) with exact signs. A triangle is seen from a
 * point only if the point lies strictly outside of its plane, so that points within a face or an
 * edge of the hull are left out, and no triangle has points in a line. Coplanar neighbours remain,
 * and corners of theirs may have come to lie within the face that they make together. */
#ifndef SCREE_SHAPE_QUICKHULL_H
#define SCREE_SHAPE_QUICKHULL_H

#include "shape/triangles.h"

/* The hull of points (at least four, fewer than 2^29) that are not in a plane: `first` names four
 * of them that span a volume, whichever way round. Coordinates as scr_orient wants them. False when
 * out of memory. */
bool scr_quickhull(const Vec3 *point, int32_t points, const int32_t first[4], Triangles *made);

#endif

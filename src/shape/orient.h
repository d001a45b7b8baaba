/* On which side of a plane a point lies, without error: the sign of a determinant of coordinate
 * differences. A sum in doubles decides where its error bound allows it; elsewhere the determinant
 * is computed as an expansion, an unevaluated sum of doubles that do not overlap, after J. Shewchuk,
 * Discrete Comput. Geom. 18 (1997) 305. */
#ifndef SCREE_SHAPE_ORIENT_H
#define SCREE_SHAPE_ORIENT_H

#include "math/vec.h"

/* Coordinates must be 0 or between 2^-250 and 2^250, so that no product falls out of range. 1 when
 * d lies on the side from which a, b, c run counterclockwise, -1 on the other, 0 in their plane. */
int scr_orient(Vec3 a, Vec3 b, Vec3 c, Vec3 d);

/* Coordinates for it: scaled by a power of two such that the largest is below 1, and zero where they
 * are smaller than that by 2^-250. Returns the factor. */
double scr_scale_points(const Vec3 *point, size_t points, Vec3 *scaled);

#endif

/* Coplanar triangles of a surface. A group is grown from its largest triangle over neighbours whose
 * vertices all lie within the tolerance of that triangle's plane: never of one another's, so that a
 * surface that bends little by little is not flattened. */
#ifndef SCREE_SHAPE_PLANE_GROUPS_H
#define SCREE_SHAPE_PLANE_GROUPS_H

#include "shape/triangles.h"

/* The group of each triangle, [triangles->count] numbers from 0; false when out of memory. Where the
 * surface ends, neighbours are -1. */
bool scr_plane_groups(const Vec3 *point, const Triangles *triangles, double tolerance,
                      int32_t *group);

#endif

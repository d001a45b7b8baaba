/* How far a place lies from the surface of a part: what tells that bodies are in each other however deep
 * they are, where their features no longer face each other. */
#ifndef SCREE_NARROW_PART_LEVEL_H
#define SCREE_NARROW_PART_LEVEL_H

#include "shape/polyhedron.h"

/* Negative inside, and no place nearer than this is on the surface; so from place to place it changes by no
 * more than the way between them. It is the distance, but outside of sharp convex polyhedra, and for
 * superellipsoids: there the distance may be more. */
double scr_part_level(const Polyhedron *part, Vec3 x);

/* The distance of a place from a polyhedron with faces, negative inside, and the unit normal out of it there: that of
 * the nearest face, or, outside, the direction from the nearest edge or vertex. */
double scr_polyhedron_sight(const Polyhedron *polyhedron, Vec3 x, Vec3 *normal);

/* The surface is no nearer than this; of patches much cheaper than the level. */
double scr_part_clear(const Polyhedron *part, Vec3 x);

/* How thick a part is from the point x of its surface along a direction that leads into it: 0 where the
 * direction leads out, and of a surface of triangles. Roundings are not included; not for patches. Feet
 * may lie outside of a face by `within`. */
double scr_part_thickness(const Polyhedron *part, Vec3 x, Vec3 into, double within);

enum { INNER_POINTS = 8 };

/* Some places inside a part, half of its thickness below the surface; how many. */
int scr_inner_points(const Polyhedron *part, Vec3 point[INNER_POINTS]);

#endif

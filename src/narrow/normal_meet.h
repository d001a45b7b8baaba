/* The points of two convex parts that are met along a direction.
 *
 * Along a crease a part has many farthest points. Those of either part that are nearest to each other, seen along
 * n, are the points of contact; if they miss each other, n is not yet at the top, and turning towards what they miss
 * leads up. */
#ifndef SCREE_NARROW_NORMAL_MEET_H
#define SCREE_NARROW_NORMAL_MEET_H

#include "narrow/normal_look.h"

/* The points that are met, and what they miss. */
void scr_meet_look(const NormalSides *sides, NormalLook *look);

/* Where a superellipsoid is flat, the farthest point moves without bounds as n turns by no more than rounding: so it
 * may be any within a wide stretch, and miss what it meets. Then of these, which are all equally far, the one that
 * is met is taken. */
void scr_slide_on_flats(const NormalSides *sides, NormalLook *look);

/* A point of a part, as it is of that size. */
Vec3 scr_shrunk_point(const NormalSides *sides, const Polyhedron *part, Vec3 x);

#endif

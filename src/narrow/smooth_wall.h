/* Smooth parts at planes and in hollow cylinders.
 *
 * A plane is met by a superellipsoid in one point, the farthest one along its normal, and by a cone in
 * points of its two rims. A hollow cylinder is met where a surface or a rim is locally farthest
 * from its axis. */
#ifndef SCREE_NARROW_SMOOTH_WALL_H
#define SCREE_NARROW_SMOOTH_WALL_H

#include "narrow/smooth_places.h"
#include "narrow/solid_pair.h"

/* A part of a body at a wall. `seen` is the centre of the body, `shift` how far the wall is expected to
 * move in the step relative to it, and `tilt` how far from flat a cap still lies on it. */
typedef struct SmoothAtWall {
    const ScreeWorldDef *def;
    const ScreeWallDef *wall;
    const PlacedSolid *solid;
    const Polyhedron *part;
    Vec3 seen, shift;
    double tilt;
} SmoothAtWall;

/* Appends the contact points. False when out of memory. */
bool scr_touch_smooth_wall(const SmoothAtWall *at, double reach, OutlineTouches *touches);

/* The point of the part, without its rounding, that the name of a place means where the body stands, from the
 * centre of the body. `normal` is that of the contact, into the wall. */
Vec3 scr_smooth_wall_point(const SmoothAtWall *at, int32_t name, Vec3 normal);

#endif

/* Walls as shapes: where the surface is nearest to a point, and how a wall moves. */
#ifndef SCREE_SHAPE_WALL_H
#define SCREE_SHAPE_WALL_H

#include "math/vec.h"

/* The nearest point of a wall's surface as seen from a point: `distance` to it (negative behind the
 * surface) and the unit `normal` from the point into the wall. */
typedef struct WallSight {
    double distance;
    Vec3 normal;
} WallSight;

WallSight scr_wall_sight(const ScreeWallDef *wall, Vec3 p);

/* Along a hollow surface a straight step leads into the wall. This is how far a body at p must go
 * off the surface, while it moves by `motion` along it, to be at the end where it was: the height
 * of the arc over its chord. 0 for flat and convex surfaces, where a straight step leads away. */
double scr_wall_sag(const ScreeWallDef *wall, Vec3 p, Vec3 motion);

/* Velocity of the wall's material at a point of space. */
static inline Vec3 scr_wall_velocity_at(const ScreeWallDef *wall, Vec3 p) {
    return add(wall->velocity, cross(wall->spin, sub(p, wall->pivot)));
}

/* Moves the wall at a velocity, and turns it by its spin, over a time. */
void scr_wall_advance(ScreeWallState *wall, Vec3 velocity, double time);

/* Curvature of the wall where a grain at p touches it: positive when it bulges towards the grain, 0
 * for flat ones. */
double scr_wall_curvature(const ScreeWallDef *wall, Vec3 p);

/* NULL when the definition is sound, else what is wrong with it. */
const char *scr_wall_fault(const ScreeWallDef *def, int dimension);

/* Fills in what the definition leaves open (pivot, piston direction) and makes unit vectors. */
void scr_wall_complete(ScreeWallDef *def, int dimension);

#endif

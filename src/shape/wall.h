/* Walls as shapes: where their surface is nearest to a point, and how they move. */
#ifndef SCREE_SHAPE_WALL_H
#define SCREE_SHAPE_WALL_H

#include "shape/wall_sight.h"

WallSight scr_wall_sight(const ScreeWallDef *wall, Vec3 p);

/* Whether it has a surface of its own, besides those of the bodies that it holds. */
static inline bool scr_has_surface(const ScreeWallDef *wall) {
    return wall->shape != SCREE_WALL_HOLDER;
}

/* Along a hollow surface a straight step leads into the wall. This is how far a body at p has to
 * move away from the surface, while it moves by `motion` along it, to end up as near as it was: the
 * height of the arc above its chord. 0 for flat and convex surfaces, where a straight step leads
 * away. */
double scr_wall_sag(const ScreeWallDef *wall, Vec3 p, Vec3 motion);

/* The part of a piston's velocity across its direction: no force changes it. */
static inline Vec3 scr_sliding(const ScreeWallDef *piston) {
    const Vec3 v = piston->velocity, d = piston->direction;
    return add_scaled(v, -dot(v, d), d);
}

/* Twice the kinetic energy of a piston: that along its direction, which alone it is free in. */
static inline double scr_piston_energy(const ScreeWallDef *piston) {
    const double along = dot(piston->velocity, piston->direction);
    return piston->mass * along * along;
}

/* Velocity of the wall's material at a point in space. */
static inline Vec3 scr_wall_velocity_at(const ScreeWallDef *wall, Vec3 p) {
    return add(wall->velocity, cross(wall->spin, sub(p, wall->pivot)));
}

/* Moves the wall for some time at the given velocity, and rotates it by its spin. */
void scr_wall_advance(ScreeWallState *wall, Vec3 velocity, double time);

/* Curvature of the wall where a grain at p touches it: positive when it bulges towards the grain, 0
 * if it is flat. */
double scr_wall_curvature(const ScreeWallDef *wall, Vec3 p);

/* What is wrong with the definition, or NULL. */
const char *scr_wall_fault(const ScreeWallDef *def, int dimension);

/* Fills in what the definition leaves open (pivot, piston direction) and makes unit vectors. */
void scr_wall_complete(ScreeWallDef *def, int dimension);

#endif

/* Walls with round openings: cones, rings and discs, and plates with round holes. They are thin, and
 * both of their sides are solid. In the plane through the axis of a cone, with the distance `out` from
 * the axis and the height `up` along it, the wall is a straight line between its two rims. */
#ifndef SCREE_SHAPE_WALL_SHELL_H
#define SCREE_SHAPE_WALL_SHELL_H

#include "shape/wall_sight.h"

static inline bool scr_is_shell(const ScreeWallDef *w) {
    return w->shape == SCREE_WALL_CONE || w->shape == SCREE_WALL_PLATE;
}

WallSight scr_shell_sight(const ScreeWallDef *shell, Vec3 p);
WallSight scr_cone_sight(const ScreeWallDef *cone, Vec3 p);
WallSight scr_plate_sight(const ScreeWallDef *plate, Vec3 p);

/* The points of the wall that a ball at p may lie on: the nearest one first, and where the wall is hollow
 * two more, a third of the way around to either side. A ball that sits in a hole or a funnel touches all
 * around, and would roll away from one point alone. Returns how many there are. */
enum { SHELL_POINTS = 3 };
int scr_shell_sights(const ScreeWallDef *shell, Vec3 p, WallSight sight[SHELL_POINTS]);

/* The nearest point of the line, or of the hole's rim, that lies in the direction of `normal` from the
 * axis; where the wall is not hollow, the nearest one of all. */
WallSight scr_shell_sight_along(const ScreeWallDef *shell, Vec3 p, Vec3 normal);

/* As scr_wall_sag and scr_wall_curvature. */
double scr_shell_sag(const ScreeWallDef *shell, Vec3 p, Vec3 motion);
double scr_shell_curvature(const ScreeWallDef *shell, Vec3 p);

/* ---------------------------------------------------------------- rims */

/* A circle where the wall ends, and the unit vectors across its axis from which angles are counted. */
typedef struct WallRim {
    Vec3 centre, axis, from, third;
    double radius;
    double out, up; /* unit, from the rim into the wall: across the axis and along it */
} WallRim;

/* How many rims a wall has: of a cone two, of a plate one for each hole. Those of radius 0 are points. */
int32_t scr_rim_count(const ScreeWallDef *shell);
WallRim scr_wall_rim(const ScreeWallDef *shell, int32_t rim);

/* The hole that is nearest to a point, in the plane of the plate; -1: there is none. */
int32_t scr_nearest_hole(const ScreeWallDef *plate, Vec3 p);

/* The holes whose middles lie within a distance of a point along x and y: from and to, along both. */
void scr_holes_near(const ScreeWallDef *plate, Vec3 p, double far, int32_t from[2], int32_t to[2]);

const char *scr_cone_fault(const ScreeWallDef *cone);
const char *scr_plate_fault(const ScreeWallDef *plate);

#endif

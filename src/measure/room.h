/* Round rooms that walls enclose: a disk in the plane, a cylinder in space, with ends or endless. */
#ifndef SCREE_MEASURE_ROOM_H
#define SCREE_MEASURE_ROOM_H

#include "math/vec.h"

/* The smallest cylinder, seen from inside, that has all bodies of the sample in it, cut off by planes
 * and discs across its axis. Its radius is 0 if there is none. */
ScreeRoom scr_room_find(const ScreeSample *sample, const ScreeWallState *wall, size_t walls);

/* The box around it, infinite where it has no end. */
void scr_room_box(const ScreeRoom *room, int dimension, double low[3], double high[3]);

/* The volume that it shares with a box, in the plane an area; infinite if that is. Exact if the axis
 * is one of x, y and z, else to about 1e-7. */
double scr_room_in_box(const ScreeRoom *room, int dimension, const double low[3],
                       const double high[3]);

/* The volume that it shares with a cylinder whose axis is parallel to its own, and which reaches
 * from `begin` to `end` along it, seen from `centre`. */
double scr_room_in_cylinder(const ScreeRoom *room, int dimension, Vec3 centre, Vec3 along,
                            double radius, double begin, double end);

/* Whether axes are parallel, in either sense. */
static inline bool scr_room_is_along(const ScreeRoom *room, Vec3 along) {
    return fabs(dot(room->axis, along)) > 1 - 1e-12;
}

#endif

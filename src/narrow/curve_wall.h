/* Contact points of a curve with a plane or with the inside of a cylinder: the local minima, along
 * the curve, of the distance from the wall, and corners and ends of sides as in curve_pair.h. */
#ifndef SCREE_NARROW_CURVE_WALL_H
#define SCREE_NARROW_CURVE_WALL_H

#include "narrow/outline_touch.h"

/* `position` is the periodic image of the body's centre that is nearest to the wall. */
ScreeStatus scr_touch_curve_wall(const ScreeWorldDef *def, const ScreeWallDef *wall, Vec3 position,
                                 const Outline *curve, double reach, OutlineTouches *touches);

/* The gap of one contact point after the body has moved. */
double scr_curve_wall_gap(const ScreeWorldDef *def, const ScreeWallDef *wall, Vec3 position,
                          const Outline *curve, int32_t feature);

#endif

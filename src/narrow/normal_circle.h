/* Circles of directions, on which the distance of two parts along a direction has its creases: those across an edge or
 * the side of a cone (common_normal.h). */
#ifndef SCREE_NARROW_NORMAL_CIRCLE_H
#define SCREE_NARROW_NORMAL_CIRCLE_H

#include "narrow/normal_look.h"

/* The higher one or, of two that are level but for rounding, the more exact one. */
void scr_take_better_look(const NormalSides *sides, const NormalLook *look, NormalLook *best);

/* The top on the circle n.axis = height: where the slope changes its sign, found from `at` by Newton's
 * method, or by steps that grow, and then by the false position (Illinois). */
NormalLook scr_climb_circle(const NormalSides *sides, Vec3 axis, double height,
                            const NormalLook *at);

/* Of the two directions where circles n.k = h and n.l = g cross, the one nearest to another one; false: they do not
 * cross. */
bool scr_cross_circles(Vec3 k, double h, Vec3 l, double g, Vec3 near, Vec3 *n);

#endif

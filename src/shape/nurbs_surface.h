/* NURBS surfaces cut at their knots into rational Bezier patches. */
#ifndef SCREE_SHAPE_NURBS_SURFACE_H
#define SCREE_SHAPE_NURBS_SURFACE_H

#include "shape/patchwork.h"

/* What is wrong with the numbers of a surface; patches may still not close. The message begins with
 * "point 3: ", "weight 3: " or "knot u 3: ". */
ScreeStatus scr_nurbs_surface_check(const ScreeNurbsSurface *def, char *message);

/* Of sound numbers: how many patches there are. */
size_t scr_nurbs_surface_patches(const ScreeNurbsSurface *def);

/* Control points and weights of the patches, patch by patch: the first `room` of them. */
void scr_nurbs_surface_cut(const ScreeNurbsSurface *def, Vec3 *point, double *weight, size_t room);

#endif

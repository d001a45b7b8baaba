/* Surfaces of patches as parts of solids: what is wrong with them, and those that are polyhedra. */
#ifndef SCREE_SHAPE_SOLID_PATCHES_H
#define SCREE_SHAPE_SOLID_PATCHES_H

#include "shape/surface.h"

/* Patches of degree 1 as faces: their corners, those in one place as one. Zero-initialise it. */
typedef struct PlanePatches {
    Vec3 *vertex;
    int32_t *corners, *corner;
    Block vertex_block, corners_block, corner_block;
} PlanePatches;

/* Of degree 1: whether all are plane, but for rounding. */
bool scr_patches_are_plane(const SurfaceDef *def, double size);

/* The faces, in the arrays of `made`; false when out of memory. */
bool scr_plane_patches(const SurfaceDef *def, double size, PlanePatches *made, SurfaceDef *as);

/* Refuses, with a message that names part, patch, and control point or side, surfaces that are open,
 * turned over or inside out, have edges or tips, cross themselves as far as triangles between the
 * corners of cells tell, or have no volume. */
ScreeStatus scr_patches_check(const SurfaceDef *def, const ScreeSolidPart *given, char *message);

#endif

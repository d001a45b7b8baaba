/* Vertices of solids that have a name: see scree/solids.h. */
#ifndef SCREE_SHAPE_NAMED_SOLIDS_H
#define SCREE_SHAPE_NAMED_SOLIDS_H

#include "math/vec.h"

void scr_make_box(Vec3 sides, Vec3 *vertex);
size_t scr_make_regular(int32_t faces, double radius, Vec3 *vertex);
void scr_make_prism(int32_t sides, double radius, double height, Vec3 *vertex);

#endif

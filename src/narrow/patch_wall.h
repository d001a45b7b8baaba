/* Contact points of a surface of patches at a plane or in a hollow cylinder. */
#ifndef SCREE_NARROW_PATCH_WALL_H
#define SCREE_NARROW_PATCH_WALL_H

#include "narrow/smooth_wall.h"

/* As those of smooth_wall.h. */
bool scr_touch_patch_wall(const SmoothAtWall *at, double reach, OutlineTouches *touches);
Vec3 scr_patch_wall_point(const SmoothAtWall *at, int32_t element, Vec3 normal);

#endif

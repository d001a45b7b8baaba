/* The outline of a part of a shape as a closed curve to be drawn: its corners or, where it is
 * rounded, arcs made of short lines. */
#ifndef SCREE_SHAPE_DRAW_H
#define SCREE_SHAPE_DRAW_H

#include "base/memory.h"
#include "math/vec.h"

/* Points counterclockwise; the last is joined to the first. Zero-initialise it. */
typedef struct Drawing {
    Vec3 *point;
    size_t count;
    Block block;
} Drawing;

/* Draws everything that lies within the part's rounding of the polygon of its corners, which run
 * counterclockwise; holes that it may enclose are not drawn. False when out of memory. */
bool scr_draw_part(const ScreeShapePart *part, const Vec3 *corner, Drawing *drawing);

#endif

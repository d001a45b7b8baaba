/* A part of a solid as triangles to be drawn: its faces and, where it is rounded, pieces of cylinders
 * along its edges and of balls at its vertices. */
#ifndef SCREE_SHAPE_DRAW_SOLID_H
#define SCREE_SHAPE_DRAW_SOLID_H

#include "shape/polyhedron.h"

/* Triangles are counterclockwise seen from outside. Pieces have points of their own: two that meet
 * have them in the same places. Zero-initialise it. */
typedef struct SolidDrawing {
    Vec3 *point;
    int32_t *triangle; /* three each */
    size_t points, triangles;
    Block point_block, triangle_block;
} SolidDrawing;

/* Lines of an arc to a half circle. */
enum { HALF_CIRCLE = 12 };

/* False when out of memory. */
bool scr_draw_point(SolidDrawing *surface, Vec3 at);

/* Triangles between two rows of points with `lines` lines each: the second row lies to the left of
 * the first, seen from outside. It may be a single point. */
bool scr_draw_band(SolidDrawing *surface, size_t row, size_t left, int lines, bool point);

/* draw_smooth.c */
bool scr_draw_smooth(const Polyhedron *part, SolidDrawing *surface);

bool scr_draw_polyhedron(const Polyhedron *polyhedron, SolidDrawing *surface);
void scr_solid_drawing_free(SolidDrawing *surface);

#endif

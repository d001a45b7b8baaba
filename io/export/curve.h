/* The outline of a part of a shape as a closed curve to draw: its corners or, where it is rounded,
 * arcs made of short lines. */
#ifndef SCREE_IO_EXPORT_CURVE_H
#define SCREE_IO_EXPORT_CURVE_H

#include <stdbool.h>
#include <stddef.h>

/* Points x, y, counterclockwise; the last one is joined to the first. */
typedef struct Curve {
    double *point;
    size_t count, capacity;
} Curve;

/* The points within `rounding` of the polygon of `count` corners (three numbers each, of which the
 * third is not used), which run counterclockwise; holes that the rounding may enclose are not
 * drawn. False when out of memory. */
bool curve_outline(const double *corner, size_t count, double rounding, Curve *curve);

void curve_free(Curve *curve);

#endif

/* Solids as measures need them. */
#ifndef SCREE_MEASURE_SOLID_H
#define SCREE_MEASURE_SOLID_H

#include "math/vec.h"

/* How far a solid reaches along the axes, turned like its body and seen from its centre. */
void scr_solid_reach(const ScreeSolid *solid, Quat orientation, double low[3], double high[3]);

/* Volume of the solid within [low, high], seen from its centre; bounds may be infinite. Exact up to
 * rounding for sharp polyhedra, convex or not. A rounded part is cut in the same proportion as the
 * polyhedron within it, or, where that has no volume, as the balls about its vertices, and a smooth one
 * as a polyhedron with 24 corners to half a circle. Where parts overlap, all are scaled to the volume
 * of the whole. */
double scr_solid_in_box(const ScreeSolid *solid, Quat orientation, const double low[3],
                        const double high[3]);

/* The highest point of a solid along the unit vector `up`, from its centre. */
double scr_solid_height(const ScreeSolid *solid, Quat orientation, Vec3 up);

/* How much of a solid lies beyond the plane n.x = d, and the section in which the plane cuts it, as
 * exact as above. */
typedef struct SolidCut {
    double beyond;  /* volume */
    double section; /* area */
    Vec3 moment;    /* integral of the place, from the centre, over the section */
} SolidCut;

SolidCut scr_solid_cut(const ScreeSolid *solid, Quat orientation, Vec3 n, double d);

#endif

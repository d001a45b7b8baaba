/* Bodies seen from above, for the free surface. */
#ifndef SCREE_MEASURE_CAP_H
#define SCREE_MEASURE_CAP_H

#include "measure/region.h"

/* The upper side of a body, along two horizontal axes and the vertical. */
typedef struct Cap {
    double u[2], height;    /* of its centre */
    double up, reach[2][2]; /* how far it reaches from there: upwards; along each axis to the lower
                               and to the higher side */
} Cap;

/* The second of the horizontal axes is zero in two dimensions. */
Cap scr_cap_of(const Region *region, size_t body, Vec3 up, const Vec3 across[2]);

/* The highest point of a cap above the box [low, high], and where that is: -INFINITY when the cap is
 * beside it. Exact for disks and spheres. Other forms are taken as half ellipsoids that reach as far
 * as they do: right at the highest point, and a bit too high beside it, but so everywhere on a
 * surface, which changes no slope. */
double scr_cap_above(const Cap *cap, const double low[2], const double high[2], double at[2]);

#endif

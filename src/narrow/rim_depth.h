/* Outlines that lie deep in each other. */
#ifndef SCREE_NARROW_RIM_DEPTH_H
#define SCREE_NARROW_RIM_DEPTH_H

#include "shape/outline.h"

/* How deep nodes of one outline lie in the other, or the middle of both parts in both; 0 when none
 * does. For bodies that lie in each other so far that their rims no longer face each other, which
 * have no contact points, or lie on each other. */
double scr_rims_depth(const Outline *a, const Outline *b, Vec3 d);

#endif

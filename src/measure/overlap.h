/* What a box cuts out of a disk, a ball and a shape: exact up to rounding. */
#ifndef SCREE_MEASURE_OVERLAP_H
#define SCREE_MEASURE_OVERLAP_H

#include "math/vec.h"

/* Everything is seen from the centre of the body; bounds of the box may be infinite. */

/* Area of the disk of radius r within [low, high]. */
double scr_disk_in_box(double r, const double low[2], const double high[2]);

/* Volume of the ball of radius r within [low, high]. */
double scr_ball_in_box(double r, const double low[3], const double high[3]);

/* Area of a shape within [low, high], rotated like its body; where parts overlap each counts, as in
 * the shape's area. */
double scr_shape_in_box(const ScreeShape *shape, double cosine, double sine, const double low[2],
                        const double high[2]);

#endif

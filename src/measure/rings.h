/* What circles and cylinders cut out of disks and balls. */
#ifndef SCREE_MEASURE_RINGS_H
#define SCREE_MEASURE_RINGS_H

/* The area that two disks share whose centres are d apart. */
double scr_disk_in_disk(double r, double d, double radius);

/* The volume of a ball of radius r in a cylinder whose axis passes at the distance d; [low, high] are the
 * ends of the cylinder along its axis, seen from the centre of the ball. To 1e-12 of the ball. */
double scr_ball_in_cylinder(double r, double d, double radius, double low, double high);

#endif

/* The contact points of two parts of which one is not convex, or is a patch of a surface of
 * triangles.
 *
 * No single axis parts such bodies: a block in a groove touches its floor and both of its walls. So
 * each pair of features that face each other is judged by itself. Apart, every such pair is a place
 * where the distance is least, and counts. Where the bodies overlap a little, a pair may also be seen
 * from behind: a block that stands at the brink of a step has its foot inside of the step's side as
 * well, by as little as it has entered the floor. Such a pair is no obstacle if the shorter way out
 * of another one ends it: moved that far, its feet no longer lie on its features. In a groove they
 * still do. */
#ifndef SCREE_NARROW_LOCAL_POINTS_H
#define SCREE_NARROW_LOCAL_POINTS_H

#include "narrow/local_list.h"

/* Appends the points; `turn` is that of one body against the other in the step. */
ScreeStatus scr_local_points(const LocalParts *parts, LaterPose *later, const PointRules *rules,
                             double turn, LocalWork *work, SolidPoints *points);

/* Features farther apart than this are not looked at. */
double scr_local_reach(const PartPair *now, const PointRules *rules, double turn);

/* Overlaps deeper than this are not seen; part of the smaller diameter. */
#define DEEPEST_OVERLAP 0.1

#endif

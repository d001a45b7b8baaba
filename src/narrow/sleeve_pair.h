/* Solids at hollow cylinders with ends. Those of convex parts meet them as cones (shell_pair.h), rims included; the
 * others with their vertices and the corners of their cells alone. */
#ifndef SCREE_NARROW_SLEEVE_PAIR_H
#define SCREE_NARROW_SLEEVE_PAIR_H

#include "narrow/placed.h"

/* ---- what the table of pairs (pair_table.h) has for them */

ScreeStatus scr_sleeve_points(const PlacedPair *pair, const StepMotion *motion, double reach,
                              OutlineTouches *touches);
double scr_sleeve_gap(const PlacedPair *pair, Vec3 normal, int32_t feature);
Arms scr_sleeve_arms(const State *state, const Contact *contact, const Surface *const side[2]);
double scr_sleeve_loss(const State *state, const Contact *contact, const Surface *const side[2],
                       const StepMotion *motion);
const Contact *scr_sleeve_before(const State *state, const PairSides *pair, OldPoints old,
                                 int32_t feature);

#endif

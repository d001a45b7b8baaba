/* Contact points of bodies with cones, rings, discs and plates with holes (shape/wall_shell.h). */
#ifndef SCREE_NARROW_SHELL_PAIR_H
#define SCREE_NARROW_SHELL_PAIR_H

#include "narrow/placed.h"

/* ---- balls, whose features are -1 less the number of a sight: rows of round bodies are enough */

ScreeStatus scr_ball_shell_points(const PlacedPair *pair, const StepMotion *motion, double reach,
                                  OutlineTouches *touches);
double scr_ball_shell_gap(const PlacedPair *pair, Vec3 normal, int32_t feature);

/* ---- solids, also at hollow cylinders with ends, which are cones: what the table of pairs (pair_table.h) has for them */

ScreeStatus scr_shell_points(const PlacedPair *pair, const StepMotion *motion, double reach,
                             OutlineTouches *touches);
double scr_shell_gap(const PlacedPair *pair, Vec3 normal, int32_t feature);
Arms scr_shell_arms(const State *state, const Contact *contact, const Surface *const side[2]);
double scr_shell_loss(const State *state, const Contact *contact, const Surface *const side[2],
                      const StepMotion *motion);
const Contact *scr_shell_before(const State *state, const PairSides *pair, OldPoints old,
                                int32_t feature);

#endif

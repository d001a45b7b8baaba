/* What the table of pairs (pair_table.h) has for solids: two of them, or one with a ball or a block,
 * and their vertices with planes and hollow cylinders. A hollow cylinder is met by vertices only: the
 * distance from its axis is a convex function, so no inner point of an edge or a face is farther out
 * than all of its vertices. */
#ifndef SCREE_NARROW_SOLID_METHODS_H
#define SCREE_NARROW_SOLID_METHODS_H

#include "narrow/placed.h"

/* ---- two solids, of which one may be a ball or a block */

ScreeStatus scr_solid_points(const PlacedPair *pair, const StepMotion *motion, double reach,
                             OutlineTouches *touches);
double scr_solid_gap(const PlacedPair *pair, Vec3 normal, int32_t feature);
Arms scr_solid_arms(const State *state, const Contact *contact, const Surface *const side[2]);

/* The gap is known exactly at the end of the motion: what the law expects there, less that. */
double scr_solid_loss(const State *state, const Contact *contact, const Surface *const side[2],
                      const StepMotion *motion);

const Contact *scr_solid_before(const State *state, const PairSides *pair, OldPoints old,
                                int32_t feature);

/* Another name for the place of a smooth part that moves over its surface; 0: there is none. `b` is
 * NULL at a wall. */
int32_t scr_another_name(const Solid *a, const Solid *b, int32_t feature);

/* ---- vertices at a plane or in a hollow cylinder */

ScreeStatus scr_vertex_points(const PlacedPair *pair, const StepMotion *motion, double reach,
                              OutlineTouches *touches);
double scr_vertex_gap(const PlacedPair *pair, Vec3 normal, int32_t feature);
Arms scr_vertex_arms(const State *state, const Contact *contact, const Surface *const side[2]);
double scr_vertex_loss(const State *state, const Contact *contact, const Surface *const side[2],
                       const StepMotion *motion);
const Contact *scr_vertex_before(const State *state, const PairSides *pair, OldPoints old,
                                 int32_t feature);

#endif

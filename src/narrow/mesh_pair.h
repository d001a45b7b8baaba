/* Contact points of bodies with walls of triangles. */
#ifndef SCREE_NARROW_MESH_PAIR_H
#define SCREE_NARROW_MESH_PAIR_H

#include "narrow/placed.h"

/* The frame of a wall. */
PlacedSolid scr_mesh_frame(const ScreeWallDef *wall);

/* ---- solids: what the table of pairs (pair_table.h) has for them */

ScreeStatus scr_mesh_points(const PlacedPair *pair, const StepMotion *motion, double reach,
                            OutlineTouches *touches);
double scr_mesh_gap(const PlacedPair *pair, Vec3 normal, int32_t feature);
Arms scr_mesh_arms(const State *state, const Contact *contact, const Surface *const side[2]);
double scr_mesh_loss(const State *state, const Contact *contact, const Surface *const side[2],
                     const StepMotion *motion);
const Contact *scr_mesh_before(const State *state, const PairSides *pair, OldPoints old,
                               int32_t feature);

/* ---- balls, whose features are -1 less an element of the mesh: rows of round bodies are enough */

ScreeStatus scr_ball_mesh_points(const PlacedPair *pair, const StepMotion *motion, double reach,
                                 OutlineTouches *touches);
double scr_ball_mesh_gap(const PlacedPair *pair, Vec3 normal, int32_t feature);
const Contact *scr_ball_mesh_before(const State *state, const PairSides *pair, OldPoints old,
                                    int32_t feature);

/* Whether a ball touches a plane of the mesh, not an edge or a vertex. */
bool scr_is_on_plane(const Mesh *mesh, int32_t feature);

/* The most elements that a solid may have on a wall of this mesh: names must have room for both. */
int32_t scr_most_elements(const Mesh *mesh);

#endif

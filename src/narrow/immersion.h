/* Whether bodies are in each other, however deep.
 *
 * Contact points are where features face each other. Of bodies that are not convex, and of surfaces of
 * patches, only features that are near see each other (DEEPEST_OVERLAP): those that are deeper in each
 * other have no points, and would pass for bodies that do not touch. Here they are told by places that lie in
 * both. About a place that is as deep as r in one body and as deep as s in the other there are balls of these
 * radii in them, so the bodies have to be moved by r + s at least to part.
 *
 * Such places are sought on the surface of one of the two, in ever smaller pieces: a piece is left alone if the
 * surface of the other is farther from its middle than the piece reaches. Bodies that coincide have no surface
 * in each other; so some places below the surface are looked at too. Overlaps that are found are there. What is
 * shallower than a twentieth of the smaller body may not be found: contact points tell it. */
#ifndef SCREE_NARROW_IMMERSION_H
#define SCREE_NARROW_IMMERSION_H

#include "narrow/placed.h"

/* How far two solids must be moved to part, at least; 0: none is in the other, or their contact points tell. */
ScreeStatus scr_solid_immersion(const PlacedPair *pair, double *depth);

/* The same at a plane and in a hollow cylinder, and at a wall of triangles. */
ScreeStatus scr_wall_immersion(const PlacedPair *pair, double *depth);
ScreeStatus scr_mesh_immersion(const PlacedPair *pair, double *depth);

#endif

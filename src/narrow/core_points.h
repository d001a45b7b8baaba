/* How far rounded solids have gone into each other, for forces that grow with it. A part is a core, one
 * vertex, a line, a polygon or a convex polyhedron, and all within its rounding; the overlap at a
 * place is the sum of the two roundings less the distance of the cores, g.
 *
 *   - Two balls have one contact point. A ball meets any other core at the point of it that is nearest
 *     to its centre.
 *   - Of two other cores each vertex is a contact point, with the point of the other core that is
 *     nearest: that is a smooth function of where the bodies are. Two tips that face each other are
 *     two points, as two corners are in the plane (penetration.h).
 *   - Edges that cross are nearer to each other than their ends are to the other body. Then they are a
 *     contact point, and the deepest of the four ends is not: with U(g) the energy of a spring, what
 *     the edges add is U(g) - U(g of that end), which grows from zero where the edges begin to cross.
 *     An end that is the deepest of several pairs of edges is taken off as often, less one.
 *
 * So the energy of the springs does not jump wherever the bodies go, its gradient is the sum of the
 * forces, and where a pair touches at a single place, it has one spring.
 *
 * Cores that meet have no distance, and the overlap would be as large as the roundings. */
#ifndef SCREE_NARROW_CORE_POINTS_H
#define SCREE_NARROW_CORE_POINTS_H

#include "narrow/penetration.h"
#include "narrow/placed.h"

/* Appends all points with a gap below `reach` (at least 0). SCREE_TOO_CROWDED: two cores meet. */
ScreeStatus scr_penetrate_cores(const PlacedPair *pair, double reach, Penetrations *list);

/* The same of a solid at a wall. Balls meet every kind with their nearest point; other cores planes and
 * the inside of cylinders with their vertices, and blocks as solids. */
ScreeStatus scr_penetrate_wall(const PlacedPair *pair, double reach, Penetrations *list);

/* Whether all parts of a solid have a core and a rounding; and whether all are balls. */
bool scr_has_cores(const Solid *solid);
bool scr_is_clump(const Solid *solid);

/* Whether one point may continue as another in the next step: a vertex has become an edge that crosses
 * another, or such an edge has come to another one. `b` is NULL at a wall. */
bool scr_core_continues_as(const Solid *a, const Solid *b, int32_t feature, int32_t other);

#endif

/* All contact points of two outlines.
 *
 * The bodies stay apart as long as every convex corner of each stays outside of the other. So a
 * contact is a corner v of one facing an edge e of the other, or two corners facing each other:
 *
 *   corner and edge    v projects onto the inside of e. The gap is the signed distance from the
 *                      line of the edge, less the roundings; the normal is that of the edge. v must
 *                      show its outside to e: both edges at v lead away from e, up to a tilt of a
 *                      few degrees, so that two nearly parallel edges meet at both ends of the
 *                      stretch that they have in common. A corner that is behind e and faces away
 *                      from it belongs to the other side of a thin body.
 *   corner and corner  each lies beyond the ends of the other's edges. The normal is the direction
 *                      between them. When two sharp corners nearly coincide, that direction is
 *                      nothing but rounding error. The normal is then the one, of those that
 *                      separate the two corners (between the normals of the edges of one, and
 *                      opposite to those of the other), along which they will be farthest apart at
 *                      the end of the step. So a corner that slides along a row of blocks does not
 *                      catch at their seams, and an overlap of rounding size does not flip a
 *                      normal.
 *
 * A corner near a reflex corner touches both of its edges; near a convex corner exactly one contact
 * remains. A corner deep inside belongs to the edge that it will be nearest to at the end of the
 * step, among those that it shows its outside to and has come through. Two corners, each inside the
 * other's body, describe the same overlap twice: unless their edges are nearly parallel, the less
 * deep one stands for both, and convex bodies are parted in a single direction. Edges that cross
 * without a corner inside are parted where the least deep corner behind one of them is.
 *
 * Two edges lying on each other give two contacts, at the ends of the stretch that they have in
 * common; where both end at the same point, that is one contact of two corners. A part of two
 * corners without rounding is a thin wall with two sides: a body that straddles it belongs to
 * the side where more of it is. */
#ifndef SCREE_NARROW_OUTLINES_H
#define SCREE_NARROW_OUTLINES_H

#include "narrow/outline_touch.h"

/* All contact points with a gap of at most `reach` of outlines whose centres differ by d = x_b -
 * x_a; the list is emptied first. SCREE_NO_MEMORY leaves it incomplete. Their order, and the bits
 * of every number, depend on nothing but the arguments. */
ScreeStatus scr_touch_outlines(const Outline *a, const Outline *b, Vec3 d, const StepMotion *motion,
                               double reach, OutlineTouches *touches);

/* The gap of one contact point after the bodies have moved; of two corners along `normal`. */
double scr_outline_gap(const Outline *a, const Outline *b, Vec3 d, Vec3 normal, int32_t feature);

#endif

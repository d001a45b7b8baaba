/* Contact points of two outlines of which one is a curve: from nodes to the boundary of the other, as in
 * Lim, "A contact dynamics formulation", sections 4.1 and 4.2, and from there to the nearest
 * points.
 *
 * Each body in turn is the slave. A node x of the slave has its foot y on the master's boundary, the
 * nearest one whose outward normal n faces the slave there, and the gap g = (x - y).n. Along the
 * slave g has local minima, one for each place where the bodies are near each other. With the
 * slave's unit tangent t, at the arc length s,
 *
 *     dg/ds = t.n,    d2g/ds2 = k_s + k_m / (1 + k_m g),
 *
 * with the curvatures k of slave and master, so from the lowest node a few Newton steps lead to
 * the place itself: t.n = 0, the two normals are opposite, and the gap is that of the curves, not
 * of their nodes. Both bodies are slave once, since a sharp body may touch a flat one between two
 * nodes that are far apart; what both find is one contact.
 *
 * Nodes that are corners, or ends of sides, are contacts also while the other surface is tilted
 * against theirs by a few degrees, like the corners of polygons (see outlines.h): a body that lies
 * on a side is held at both ends. Such a contact goes when the place where the bodies are nearest
 * is close to it.
 *
 * Where both are nearly flat the place that is nearest moves far with a small turn. A step that
 * knows that place alone could turn them at no cost, until they overlap. So there are flanks, too:
 * nodes to either side where the gap has grown by a few drawing errors d at most. With g(s) = g + k
 * s^2 / 2 a turn f takes f s off the flank's gap at s: it ends at f = k s / 2, with an overlap of d
 * / 4 between the two. Bodies that are rounder, 1 / k below twice their size, have no flanks and
 * roll freely.
 *
 * An overlap that is deeper than a drawing error counts if both bodies hold the other's point.
 * Bodies that overlap without any such contact have sunk into each other: see hull_overlap.h. */
#ifndef SCREE_NARROW_CURVE_PAIR_H
#define SCREE_NARROW_CURVE_PAIR_H

#include "narrow/outline_touch.h"
#include "narrow/curve_contact.h"

/* As scr_touch_outlines. */
ScreeStatus scr_touch_curves(const Outline *a, const Outline *b, Vec3 d, double reach,
                             OutlineTouches *touches);

/* The gap of one contact point after the bodies have moved. */
double scr_curves_gap(const Outline *a, const Outline *b, Vec3 d, int32_t feature);

#endif

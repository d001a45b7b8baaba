/* Contact points of two outlines of which at least one is a curve. They are found from nodes to the
 * boundary of the other, as in Lim, "A contact dynamics formulation", sections 4.1 and 4.2, and
 * from there to the points where the curves are nearest.
 *
 * Each body in turn is the slave. A node x of the slave has its foot y on the boundary of the
 * master: the nearest point there whose outward normal n faces the slave. The gap is g = (x - y).n.
 * Along the slave g has local minima, one for each spot where the bodies are near each other. With
 * the unit tangent t of the slave and its arc length s,
 *
 *     dg/ds = t.n,    d2g/ds2 = k_s + k_m / (1 + k_m g),
 *
 * with the curvatures k of slave and master. So a few Newton steps lead from the lowest node to the
 * minimum itself, where t.n = 0: the two normals are opposite, and the gap is that of the curves,
 * not of their nodes. Each body is the slave once, since a sharp body may touch a flat one between
 * two nodes that are far apart. What both searches find is one contact.
 *
 * Nodes that are corners, or ends of straight sides, remain contacts while the other surface is
 * tilted against theirs by a few degrees, like the corners of polygons (see outlines.h): a body
 * that lies on a side is supported at both of its ends. Such a contact is dropped when the point
 * where the bodies are nearest is close to it.
 *
 * Where both bodies are nearly flat, the nearest point moves far when they turn a little. A step
 * that knew only that point could turn them at no cost until they overlap. So there are flanks,
 * too: nodes to either side where the gap is larger by a few drawing errors d at most. With g(s) =
 * g + k s^2 / 2 a turn f takes f s off the gap of a flank at s. It stops at f = k s / 2, with an
 * overlap of d / 4 between the two. Rounder bodies, with 1 / k below twice their size, have no
 * flanks and roll freely.
 *
 * An overlap deeper than a drawing error counts if each body contains the point of the other.
 * Bodies that overlap without any such contact touch by their hulls: see hull_overlap.h. */
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

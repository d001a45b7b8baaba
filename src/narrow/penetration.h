/* How far two outlines have gone into each other, for forces that grow with it (Muth, Mueller,
 * Eberhard and Luding, "Contacts between many bodies", section 3).
 *
 * Every corner x_s of one that is inside of the other is a contact point with the nearest segment
 * x_m1 x_m2 there:
 *
 *     t = (x_m2 - x_m1) / L,   xi = t.(x_s - x_m1) / L,   g = distance from the segment,     (1, 2,
 * 4)
 *
 * with the normal n across the segment (3), or, where xi is cut to 0 or 1, towards its end.
 * "Inside" is found by ray crossing, and only for corners in the box around the other. So g is the
 * distance from the boundary: a continuous function of where the bodies are, whose gradient is n. A
 * spring at every such corner therefore has a potential, and keeps the energy.
 *
 * A corner that is rounded, or meets a rounded edge, touches before it is inside: at every segment
 * or convex corner that is the nearest one around. The overlap is then the sum of the roundings
 * less the distance; inside, it is their sum and the depth.
 *
 *   - Reflex corners enter nothing: whatever meets one has itself a corner inside.
 *   - A disk in a notch touches both sides. In a shallow one their overlaps run into each other,
 * when it also covers the corner between them: the overlap there is in both and has to be taken off
 *     (1/2 k g^2 of each side, less that of the corner, has no jump where one of them ends).
 *   - A disk is met at its centre alone, which is its one corner. Corners of others do not enter
 * it.
 *   - Two corners that face each other are both inside of the other: two contact points.
 *   - Nothing is inside of a segment or of the middle line of a rod. A corner has gone through it
 *     when the outline crosses it there, and lies on the side on which the outline reaches less
 * far.
 */
#ifndef SCREE_NARROW_PENETRATION_H
#define SCREE_NARROW_PENETRATION_H

#include "narrow/outline_touch.h"

/* One contact point. */
typedef struct Penetration {
    double gap;  /* negative is overlap */
    Vec3 normal; /* unit, from a to b */
    Vec3 arm;    /* from the centre of a to the middle of the overlap */
    int32_t feature;
    double distance; /* between two corners along the normal; 0: a corner and an edge */
    double lever;    /* from a's side of it to the middle of the overlap */
    bool surplus;    /* what two others count twice, to be taken off */
} Penetration;

typedef struct Penetrations {
    size_t count;
    Penetration *item;
    Block block;
} Penetrations;

/* Appends all contact points with a gap below `reach` (at least 0) of outlines whose centres differ
 * by d = x_b - x_a. SCREE_NO_MEMORY leaves the list incomplete.
 *
 * The feature is made of the corner that enters and of what it meets: see scr_goes_on_as. */
ScreeStatus scr_penetrate_outlines(const Outline *a, const Outline *b, Vec3 d, double reach,
                                   Penetrations *list);

/* The same of a body, whose centre the wall sees at `seen`, and a plane or a hollow cylinder without
 * ends: what enters these are the body's corners. */
ScreeStatus scr_penetrate_surface(const ScreeWorldDef *def, const Outline *body, Vec3 seen,
                                  const ScreeWallDef *wall, double reach, Penetrations *list);

/* Two corners that face each other stand in the list twice, since each enters the other. So a
 * corner of a that one of b has entered has a name of its own, this much farther than its edge. */
enum { ENTERED_CORNER = MOST_CORNERS / 2 };

/* Whether one contact point may go on as another: the same corner has come from an edge to its end,
 * or from there to an edge. */
bool scr_goes_on_as(int32_t feature, int32_t other);

#endif

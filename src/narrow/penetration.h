/* How far two outlines have gone into each other, for forces that grow with it (Muth, Mueller,
 * Eberhard and Luding, "Contacts between many bodies", section 3).
 *
 * Every corner x_s of one body that is inside the other is a contact point with the nearest segment
 * x_m1 x_m2 there (their equations 1, 2 and 4):
 *
 *     t = (x_m2 - x_m1) / L,   xi = t.(x_s - x_m1) / L,   g = distance from the segment,
 *
 * with the normal n across the segment (equation 3), or, where xi is cut to 0 or 1, towards its
 * end. Whether a corner is inside is found by ray crossing, and only for corners in the box around
 * the other body. So g is the distance from the boundary: a continuous function of where the bodies
 * are, whose gradient is n. A spring at every such corner therefore has a potential and conserves
 * energy.
 *
 * A corner that is rounded, or meets a rounded edge, touches before it is inside: at every segment
 * or convex corner that is locally the nearest one. The overlap is then the sum of the roundings
 * less the distance; inside, it is their sum plus the depth.
 *
 *   - Reflex corners enter nothing: whatever meets one has itself a corner inside.
 *   - A disk in a notch touches both sides. If the notch is shallow and the disk covers the corner
 *     between them as well, the two overlaps merge: the overlap at that corner is counted in both
 *     and has to be subtracted. (1/2 k g^2 of each side, less that of the corner, does not jump
 *     where one of the sides ends.)
 *   - A disk has one corner, its centre, and is met by that alone. Corners of others do not enter
 *     it.
 *   - Two corners that face each other are both inside the other body: two contact points.
 *   - Nothing is inside a segment or the middle line of a rod. A corner has gone through it when
 *     the outline crosses it there and the corner lies on the side on which the outline reaches
 *     less far. */
#ifndef SCREE_NARROW_PENETRATION_H
#define SCREE_NARROW_PENETRATION_H

#include "narrow/outline_touch.h"

/* One contact point. */
typedef struct Penetration {
    double gap;  /* negative is overlap */
    Vec3 normal; /* unit, from a to b */
    Vec3 arm;    /* from the centre of a to the middle of the overlap */
    int32_t feature;
    double
        distance; /* between two corners, or centres, along the normal; 0: something else meets */
    double lever; /* from the corner or edge of a to the middle of the overlap */
    bool surplus; /* an overlap that two others both contain: to be subtracted */
    int32_t counted; /* while solids are compared: minus how many others stand for it */
} Penetration;

typedef struct Penetrations {
    size_t count;
    Penetration *item;
    Block block;
} Penetrations;

/* Appends all contact points with a gap below `reach` (at least 0) of outlines whose centres differ
 * by d = x_b - x_a. SCREE_NO_MEMORY leaves the list incomplete.
 *
 * The feature is made of the corner that enters and of what it meets: see scr_continues_as. */
ScreeStatus scr_penetrate_outlines(const Outline *a, const Outline *b, Vec3 d, double reach,
                                   Penetrations *list);

/* The same for a body and a plane or an endless hollow cylinder, which corners of the body enter.
 * `seen` is the periodic image of the body's centre that is nearest to the wall. */
ScreeStatus scr_penetrate_surface(const ScreeWorldDef *def, const Outline *body, Vec3 seen,
                                  const ScreeWallDef *wall, double reach, Penetrations *list);

/* Two corners that face each other are in the list twice, since each enters the other body.
 * So a corner of a that one of b has entered needs a name of its own: the number of its edge
 * plus this. */
enum { ENTERED_CORNER = MOST_CORNERS / 2 };

/* Whether one contact point may continue as another in the next step: the same corner has moved
 * from an edge to its end, or from there to an edge. */
bool scr_continues_as(int32_t feature, int32_t other);

#endif

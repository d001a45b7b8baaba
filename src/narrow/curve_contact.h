/* A contact on a curve, found again by the name of its element: where it is, how the curve bends
 * there, and how much of its gap is lost in a step that turns the bodies. */
#ifndef SCREE_NARROW_CURVE_CONTACT_H
#define SCREE_NARROW_CURVE_CONTACT_H

#include "narrow/outline_touch.h"

/* The element of a curve that touches: the number of a span, or of the node that the contact lies
 * on. Bit 0 is set when the partner determines where the contact is, bit 1 when it lies on the
 * node. */
static inline int32_t scr_curve_element(int32_t k, bool at_node, bool defines) {
    return 4 * k + 2 * at_node + !defines;
}
_Static_assert(4 * MOST_NODES == 1 << FEATURE_BITS, "each node and span has a number");

/* The point of a curve that a contact names, and the radius of curvature there, which is 0 on a
 * node. `element` is even; `normal` points outwards. */
typedef struct CurvePoint {
    Vec3 at; /* from the centre of its body */
    double radius;
} CurvePoint;

CurvePoint scr_curve_point(const Outline *curve, int32_t element, Vec3 normal);

/* The curvature at the foot of a point, which is searched from the span of an odd element. */
double scr_curve_bend(const Outline *curve, int32_t element, Vec3 point);

/* How much of the gap a step loses, to second order, that the linear law does not see. At the
 * contact the bodies a and b are circles of radii r_a and r_b about their centres of curvature.
 * When they turn by f_a and f_b, and the surfaces shift along each other by w,
 *
 *     loss = -1/2 f_a^2 (h_a - r_a) - 1/2 f_b^2 (h_b - r_b)
 *            - 1/2 (w + f_a r_a + f_b r_b)^2 / (r_a + r_b + g),
 *
 * where h is the distance of the surface from the body's centre along its own outward normal. It is
 * written so that one radius may be infinite. */
typedef struct CurveLoss {
    double turn[2], height[2];
    double radius;    /* of the body of number 0, finite */
    double curvature; /* of the other */
    double slide, gap;
} CurveLoss;

double scr_curve_loss(const CurveLoss *loss);

#endif

/* A contact on a curve again, by the name of its element: where it is, how the curve
 * bends there, and what a step that turns the bodies loses of its gap. */
#ifndef SCREE_NARROW_CURVE_CONTACT_H
#define SCREE_NARROW_CURVE_CONTACT_H

#include "narrow/outline_touch.h"

/* What touches in a curve: the number of a span, or of a node where the contact lies on it. Bit 0:
 * the partner says where the contact is; bit 1: on the node. */
static inline int32_t scr_curve_element(int32_t k, bool at_node, bool defines) {
    return 4 * k + 2 * at_node + !defines;
}
_Static_assert(4 * MOST_NODES == 1 << FEATURE_BITS, "each node and span has a number");

/* A point of a curve that a contact names, and the radius of curvature there: 0 on a node.
 * `element` is even; `normal` points outwards. */
typedef struct CurvePoint {
    Vec3 at; /* from the centre of its body */
    double radius;
} CurvePoint;

CurvePoint scr_curve_point(const Outline *curve, int32_t element, Vec3 normal);

/* The curvature at the foot of a point, from the span of an odd element on. */
double scr_curve_bend(const Outline *curve, int32_t element, Vec3 point);

/* How much of the gap a step loses, to second order, that the linear law does not see. Along the
 * normal n, bodies a and b are circles of radii r_a, r_b about the centres of curvature. Turned by
 * f_a and f_b, and with the surfaces shifted along each other by w,
 *
 *     loss = -1/2 f_a^2 (h_a - r_a) - 1/2 f_b^2 (h_b - r_b) - 1/2 (w + f_a r_a + f_b r_b)^2 / (r_a
 * + r_b + g),
 *
 * where h is how far the surface is from the body's centre along its own outward normal. It is
 * written so that one radius may be infinite. */
typedef struct CurveLoss {
    double turn[2], height[2];
    double radius;    /* of the body of number 0, finite */
    double curvature; /* of the other */
    double slide, gap;
} CurveLoss;

double scr_curve_loss(const CurveLoss *loss);

#endif

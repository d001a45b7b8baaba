/* Where a surface of patches meets a feature of another body: the place from a cell of the surface where
 * both have a normal in common.
 *
 * All is seen in the frame of the surface. At its point x, with the outward normal n, it turns by dn = W dx
 * as x moves. A feature y with the signed gap g = n.(y - x) is met where nothing is missed across n:
 *
 *   a point, or the farthest point of a smooth convex body against n, with the radii R:
 *                    (1 + (R + g) W) dx = miss
 *   a plane, or a hollow cylinder or cone, whose own direction is d and turns by C dx:
 *                    (W - C) dx = d across n
 *   a straight line, or a line on the side of a cone, along k, where n.k = s:
 *                    k.W dx = s - n.k,  c.(1 + g W) dx = miss along c, with c across both
 *   another surface of patches, with n', W' and nu = n + n' across n:
 *                    (W + W' (1 + g W)) dx = W' miss - nu,  dx' = (1 + g W) dx - miss
 *
 * Gaps keep their sign through contact, and errors of the place count with their square.
 *
 * Where the two fit each other so well that a matrix has a direction without stiffness (a ring that lies on
 * a plane), the place along it is left where it is, in the middle of the cell: a flank, of which a
 * body needs several to lie on. */
#ifndef SCREE_NARROW_PATCH_MEETING_H
#define SCREE_NARROW_PATCH_MEETING_H

#include "narrow/part_pair.h"

typedef enum PartnerKind {
    PARTNER_POINT,
    PARTNER_SMOOTH, /* a superellipsoid */
    PARTNER_RIM,    /* of a cone */
    PARTNER_PLANE,
    PARTNER_TUBE,
    PARTNER_LINE,
    PARTNER_PATCH
} PartnerKind;

/* A feature of the other body. */
typedef struct PatchPartner {
    PartnerKind kind;
    Vec3
        at; /* the point; some point of the plane, of the line or its axis, of the axis of the tube */
    Vec3 along;   /* unit: out of the plane; along the line, or the axis of the cone or tube */
    double slope; /* n.along where a line is met, or a cone from inside */
    double
        radius; /* of the cone where `at` is; of the tube: negative where it is met from outside. A tube with
                   a slope is a cone from inside */
    int rim;
    const Polyhedron *part;   /* smooth bodies and patches, in their own frame */
    const RelativePose *pose; /* and how they stand */
    bool surface_is_a;
    int32_t cell; /* of patches: where the search begins */
} PatchPartner;

typedef struct PatchMeeting {
    PatchAt at;
    Vec3 on;     /* of the feature */
    Vec3 normal; /* out of the surface */
    double gap;
    double soft;  /* the least relative curvature */
    double tilt;  /* what the normals miss, of a flank */
    double far_u; /* how far from the middle of the cell, in halves of its width */
    double other_u;
    bool done; /* the search has ended at a place */
} PatchMeeting;

/* From the middle of a cell. Directions in which the relative curvature is below `soft` are left alone. */
PatchMeeting scr_meet_partner(const Patchwork *surface, int32_t cell, const PatchPartner *partner,
                              double soft);

/* Whether the place lies in the cell, and in that of the partner. */
static inline bool scr_is_in_cells(const PatchMeeting *m) {
    return m->done && m->far_u <= 1 + 1e-5 && m->other_u <= 1 + 1e-5;
}

#endif

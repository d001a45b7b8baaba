/* Volume, first and second moments of bodies, and what follows from them: centroid, inertia,
 * principal axes. */
#ifndef SCREE_SHAPE_MOMENTS_H
#define SCREE_SHAPE_MOMENTS_H

#include "shape/polyhedron.h"

/* Integrals over a body of 1, x and x x^T. */
typedef struct Moments {
    double volume;
    Vec3 first;
    Sym3 second;
} Moments;

static inline void scr_moments_add(Moments *sum, double sign, const Moments *m) {
    const Sym3 *s = &m->second;
    Sym3 *to = &sum->second;
    sum->volume += sign * m->volume;
    sum->first = add_scaled(sum->first, sign, m->first);
    *to = (Sym3){to->xx + sign * s->xx, to->xy + sign * s->xy, to->xz + sign * s->xz,
                 to->yy + sign * s->yy, to->yz + sign * s->yz, to->zz + sign * s->zz};
}

/* The tetrahedron between the origin and a triangle; negative if that shows the origin its outside. */
void scr_moments_add_tetrahedron(Moments *sum, Vec3 a, Vec3 b, Vec3 c);

/* What has, about `centre`, these integrals of 1, t and t^2 along the unit vector u, and of the square
 * of either coordinate across it. */
void scr_moments_add_round(Moments *sum, Vec3 centre, Vec3 u, double volume, double along,
                           double square, double across);

/* A smooth part about its origin: exact but for the last places. */
Moments scr_smooth_moments(const SmoothPart *part, double rounding);

/* The same of a surface of patches, to about 1e-14. */
Moments scr_patchwork_moments(const Patchwork *surface);

/* Everything within the rounding of a polyhedron, about its origin: exact but for the last places.
 * With a rounding it must be convex. */
Moments scr_polyhedron_moments(const Polyhedron *p);

/* Inertia over mass about the centroid, as principal moments, and the rotation that turns the
 * coordinate axes into the principal ones. Products of inertia that are nothing but rounding count
 * as none, so that a body with equal moments keeps its own axes. */
void scr_principal_axes(const Moments *m, Vec3 *gyration, Quat *axes);

/* NULL, or why no body has these principal moments of inertia: each must be positive, and at most
 * as large as the other two together, since Jx + Jy - Jz = 2 integral of z^2. */
const char *scr_inertia_fault(Vec3 moments);

#endif

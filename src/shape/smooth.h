/* Smooth convex parts of solids. They are told by support functions: for every direction the point
 * that is farthest along it.
 *
 * Superellipsoids are the images of (|x|^p + |y|^p)^(q/p) + |z|^q <= 1 under three half axes at right
 * angles; p = q = 2 makes an ellipsoid. Cones have two round caps, whose radii may be equal
 * (a cylinder) or of which one may be 0 (an apex). */
#ifndef SCREE_SHAPE_SMOOTH_H
#define SCREE_SHAPE_SMOOTH_H

#include "shape/patchwork.h"

/* Exponents of superellipsoids. Below 2 their curvature has no bound, and below 1 they are not convex;
 * above 32 nothing tells them from a box, in double precision and at a contact. */
#define LEAST_EXPONENT 2.0
#define MOST_EXPONENT  32.0

typedef struct SmoothPart {
    ScreePartKind kind;         /* SCREE_PART_POLYHEDRON: it is none of these */
    double form[2];             /* exponents q and p, or the radii of the two caps */
    Vec3 centre;                /* of a superellipsoid; of the first cap of a cone */
    Vec3 axis[3];               /* half axes; of a cone unit vectors, the third from cap to cap */
    Vec3 dual[3];               /* axis[i] . dual[j] = 1 if i = j, else 0 */
    double length;              /* of a cone, from cap to cap */
    const Patchwork *patchwork; /* of a surface of patches, which may be not convex */
} SmoothPart;

/* How many vertices tell a part of this kind: the centre and the ends of three half axes, or the
 * centres of two caps. 0: no such kind. */
size_t scr_smooth_vertices(ScreePartKind kind);

/* Whether a part of this kind may have so many: those of patches, (p + 1)(q + 1) for each. */
bool scr_smooth_fits(ScreePartKind kind, const double form[2], size_t vertices);

/* From its vertices. NULL, or what is wrong with them. Not for surfaces of patches. */
const char *scr_smooth_make(ScreePartKind kind, const double form[2], const Vec3 *vertex,
                            double rounding, SmoothPart *made);

/* The point that is farthest along a direction, which need not be a unit vector. On a cap or along
 * a line of points that are equally far, some point. */
Vec3 scr_smooth_support(const SmoothPart *part, Vec3 direction);

/* How the farthest point moves as a unit vector n turns: dx = R dn, with R seen in two directions
 * across n: r = (R_11, R_12, R_22). On caps and along lines R is that of their rim. */
void scr_smooth_radii(const SmoothPart *part, Vec3 n, const Vec3 across[2], double r[3]);

/* The inverse on a superellipsoid: how the normal turns as the point moves, dn = W dx. Unlike R it
 * is bounded, also where the surface is flat. */
void scr_smooth_curvature(const SmoothPart *part, Vec3 x, const Vec3 across[2], double w[3]);

/* On a superellipsoid: the point of the surface beyond or below x, seen from the centre, and its unit
 * normal. */
Vec3 scr_smooth_onto(const SmoothPart *part, Vec3 x, Vec3 *normal);

/* The surface as rows of points from pole to pole, with `lines` lines to a half circle: how many rows
 * there are, and the point of a row at an angle about the third axis. The first and the last row
 * are single points; seen from outside, with the first pole up, angles grow to the right. */
int scr_smooth_rows(const SmoothPart *part, double rounding, int lines);
Vec3 scr_smooth_row_point(const SmoothPart *part, double rounding, int lines, int row,
                          double angle);

/* A convex function of the place that is negative inside. Of a rounded cone it is the distance. */
double scr_smooth_level(const SmoothPart *part, double rounding, Vec3 x);

/* Which stretch of the line along z through (x, y) lies inside; false: none. */
bool scr_smooth_stretch(const SmoothPart *part, double rounding, double x, double y, double *low,
                        double *high);

/* The norm whose unit ball the superellipsoid is, of a point from its centre. */
double scr_ellipsoid_norm(const SmoothPart *part, Vec3 x);

/* The normals of the side of a cone are across u + along k, with u any unit vector across its axis
 * and k the one along it. */
void scr_cone_side(const SmoothPart *cone, double *across, double *along);

/* The middle of a ball that holds the part, and its radius; roundings are not included. */
Vec3 scr_smooth_middle(const SmoothPart *part);
double scr_smooth_extent(const SmoothPart *part);

/* From the origin, no point is farther than this. */
double scr_smooth_radius(const SmoothPart *part);

static inline bool scr_is_plain_ellipsoid(const SmoothPart *p) {
    return p->form[0] == 2 && p->form[1] == 2;
}

#endif

/* Closed curves for the tests. */
#ifndef SCREE_TESTS_NURBS_SHAPES_H
#define SCREE_TESTS_NURBS_SHAPES_H

#include <math.h>
#include <scree/scree.h>
#include <stdint.h>
#include <string.h>

enum { RIG_POINTS = 256 };

typedef struct NurbsRig {
    ScreeNurbs def;
    ScreeVec3 point[RIG_POINTS];
    double weight[RIG_POINTS], knot[RIG_POINTS + 8];
} NurbsRig;

static inline void rig_bind(NurbsRig *r, int32_t degree, size_t points) {
    r->def =
        (ScreeNurbs){degree, points, points + (size_t)degree + 1, r->point, r->weight, r->knot};
}

/* The circle of nine points and four quarters, stretched to half axes a and b, turned and moved. */
static inline void rig_ellipse(NurbsRig *r, double a, double b, double angle, double x, double y) {
    static const double px[9] = {1, 1, 0, -1, -1, -1, 0, 1, 1};
    static const double py[9] = {0, 1, 1, 1, 0, -1, -1, -1, 0};
    static const double knot[12] = {0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4};
    double c = cos(angle), s = sin(angle);
    for (int k = 0; k < 9; k++) {
        double u = a * px[k], v = b * py[k];
        r->point[k] = (ScreeVec3){x + c * u - s * v, y + s * u + c * v, 0};
        r->weight[k] = k % 2 == 0 ? 1 : sqrt(0.5);
    }
    memcpy(r->knot, knot, sizeof knot);
    rig_bind(r, 2, 9);
}

/* A block with sides at x = -a and a and bulging ends: arcs of radius r, lowest and highest at y =
 * -h and h. */
static inline void rig_barrel(NurbsRig *r, double a, double h, double radius) {
    static const double px[9] = {-1, 0, 1, 1, 1, 0, -1, -1, -1};
    static const double knot[12] = {0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4};
    double half = asin(a / radius), end = h - radius * (1 - cos(half));
    const double py[9] = {-1, -1 - a * tan(half) / end, -1, 0, 1, 1 + a * tan(half) / end, 1, 0,
                          -1};
    for (int k = 0; k < 9; k++) {
        r->point[k] = (ScreeVec3){a * px[k], end * py[k], 0};
        r->weight[k] = k == 1 || k == 5 ? cos(half) : 1;
    }
    memcpy(r->knot, knot, sizeof knot);
    rig_bind(r, 2, 9);
}

/* A closed uniform spline: the first `degree` points are repeated at the end. */
static inline void rig_closed(NurbsRig *r, int32_t degree, const ScreeVec3 *point, size_t count) {
    size_t all = count + (size_t)degree;
    for (size_t k = 0; k < all; k++) {
        r->point[k] = point[k % count];
        r->weight[k] = 1;
    }
    for (size_t k = 0; k < all + (size_t)degree + 1; k++) {
        r->knot[k] = (double)k;
    }
    rig_bind(r, degree, all);
}

/* A star with `arms` arms: control points alternate between the radii `out` and `in`. */
static inline void rig_star(NurbsRig *r, int32_t degree, int arms, double out, double in) {
    ScreeVec3 point[RIG_POINTS];
    for (int k = 0; k < 2 * arms; k++) {
        double angle = M_PI * k / arms, radius = k % 2 == 0 ? out : in;
        point[k] = (ScreeVec3){radius * cos(angle), radius * sin(angle), 0};
    }
    rig_closed(r, degree, point, (size_t)(2 * arms));
}

/* A polygon as a curve of degree 1. */
static inline void rig_polygon(NurbsRig *r, const ScreeVec3 *point, size_t count) {
    for (size_t k = 0; k <= count; k++) {
        r->point[k] = point[k % count];
        r->weight[k] = 1;
    }
    for (size_t k = 0; k < count + 3; k++) {
        r->knot[k] = k == 0 ? 0 : k > count ? (double)count : (double)k - 1;
    }
    rig_bind(r, 1, count + 1);
}

/* A deep notch: a thick letter U. */
static inline void rig_notch(NurbsRig *r, int32_t degree) {
    static const ScreeVec3 u[] = {{-2, -2, 0},  {0, -2.4, 0},  {2, -2, 0},   {2.2, 0, 0},
                                  {2, 2, 0},    {1.2, 2.4, 0}, {0.6, 2, 0},  {0.3, 0, 0},
                                  {0, -1.4, 0}, {-0.3, 0, 0},  {-0.6, 2, 0}, {-1.2, 2.4, 0},
                                  {-2, 2, 0},   {-2.2, 0, 0}};
    rig_closed(r, degree, u, sizeof u / sizeof u[0]);
}

/* A closed curve with varied weights and radii of about 1. */
static inline void rig_wavy(NurbsRig *r, int32_t degree, int count, uint64_t seed) {
    ScreeVec3 point[RIG_POINTS];
    double weight[RIG_POINTS];
    for (int k = 0; k < count; k++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        double u = (double)(seed >> 40) / (1 << 24),
               v = (double)((seed >> 16) & 0xFFFFFF) / (1 << 24);
        double angle = 2 * M_PI * k / count, radius = 0.75 + 0.5 * u;
        point[k] = (ScreeVec3){radius * cos(angle), radius * sin(angle), 0};
        weight[k] = 0.5 + v;
    }
    rig_closed(r, degree, point, (size_t)count);
    for (size_t k = 0; k < r->def.points; k++) {
        r->weight[k] = weight[k % (size_t)count];
    }
}

#endif

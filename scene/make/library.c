/* The library of grains: two sets of sixteen outlines, made for Scree.
 *
 * Non-convex: a closed cubic spline that goes at the angles 2 pi k / 20 (all but exactly) through
 * the radius
 *
 *     1 + depth cos(lobes angle + phase) + second cos((lobes + 1) angle - phase),
 *
 * stretched along x. Angular: a convex polygon of four to eight corners on an ellipse, with corners
 * cut by parabolas over `cut` of the shorter side: straight sides, as a curve of degree 2.
 *
 * All are scaled to a mean diameter of 1. The diameter in one direction is the width between two
 * parallel lines; its mean over all directions follows from the support function,
 * 1/pi int h(angle) d angle. */
#include "scene/make/curves.h"

#include "scene/make/angle.h"
#include "math/vec.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

typedef struct Lobed {
    int lobes;
    double depth, second, phase, stretch;
} Lobed;

static const Lobed lobed[LIBRARY_SHAPES] = {
    {2, 0.36, 0.04, 0.0, 1.00}, {2, 0.34, 0.06, 0.7, 0.90}, {2, 0.35, 0.08, 1.3, 1.10},
    {2, 0.37, 0.00, 2.1, 1.05}, {3, 0.20, 0.03, 0.0, 1.00}, {3, 0.22, 0.04, 0.5, 1.10},
    {3, 0.20, 0.05, 1.1, 1.00}, {3, 0.24, 0.00, 2.6, 1.05}, {3, 0.21, 0.03, 3.4, 1.20},
    {4, 0.15, 0.02, 0.0, 1.00}, {4, 0.17, 0.03, 0.9, 1.10}, {4, 0.16, 0.03, 1.8, 1.15},
    {4, 0.18, 0.00, 2.7, 1.00}, {5, 0.12, 0.02, 0.0, 1.00}, {5, 0.14, 0.01, 1.2, 1.10},
    {5, 0.13, 0.02, 2.4, 1.10},
};

/* Steps between the corners' angles, as fractions of their sum. */
typedef struct Cut {
    int corners;
    double step[8], stretch;
} Cut;

static const Cut angular[LIBRARY_SHAPES] = {
    {4, {1.0, 1.2, 0.9, 1.1}, 1.10},
    {4, {0.8, 1.3, 0.9, 1.2}, 1.25},
    {4, {1.0, 0.7, 1.2, 0.9}, 1.05},
    {5, {1.0, 1.0, 0.8, 1.3, 0.9}, 1.00},
    {5, {1.2, 0.7, 1.1, 1.3, 0.8}, 1.15},
    {5, {0.9, 1.2, 1.0, 0.7, 1.4}, 1.30},
    {5, {1.3, 0.9, 0.8, 1.0, 1.2}, 1.05},
    {6, {1.0, 1.2, 0.8, 1.1, 0.9, 1.0}, 1.10},
    {6, {0.7, 1.3, 1.0, 0.8, 1.2, 1.1}, 1.20},
    {6, {1.2, 0.8, 0.9, 1.4, 0.7, 1.0}, 1.00},
    {6, {0.9, 0.9, 1.3, 1.0, 0.8, 1.3}, 1.35},
    {7, {1.0, 0.8, 1.2, 0.9, 1.1, 1.0, 1.2}, 1.10},
    {7, {1.3, 0.7, 1.0, 1.1, 0.8, 1.2, 0.9}, 1.25},
    {7, {0.8, 1.1, 1.4, 0.7, 1.0, 0.9, 1.2}, 1.00},
    {8, {1.0, 1.2, 0.8, 1.1, 0.9, 1.0, 1.3, 0.7}, 1.15},
    {8, {0.9, 1.3, 0.7, 1.2, 1.0, 0.8, 1.1, 1.0}, 1.30},
};

static bool make_lobed(SceneArena *arena, const Lobed *l, ScreeNurbs *curve) {
    enum { RING = 20, DEGREE = 3 };
    /* in the spline a wave of m periods in the points is lower by (2 + cos(2 pi m / n)) / 3 */
    double depth = 3 * l->depth / (2 + scene_trig(2 * pi * l->lobes / RING).c);
    double second = 3 * l->second / (2 + scene_trig(2 * pi * (l->lobes + 1) / RING).c);
    if (!scene_new_curve(arena, DEGREE, RING + DEGREE, curve)) {
        return false;
    }
    ScreeVec3 *point = (ScreeVec3 *)curve->point;
    for (int k = 0; k < RING + DEGREE; k++) {
        double angle = 2 * pi * (k % RING) / RING;
        double radius = 1 + depth * scene_trig(l->lobes * angle + l->phase).c +
                        second * scene_trig((l->lobes + 1) * angle - l->phase).c;
        SceneTrig t = scene_trig(angle);
        point[k] = (ScreeVec3){l->stretch * radius * t.c, radius * t.s, 0};
        ((double *)curve->weight)[k] = 1;
    }
    for (size_t k = 0; k < curve->knots; k++) {
        ((double *)curve->knot)[k] = (double)k;
    }
    return true;
}

/* Four control points for each corner: where its side ends, the corner, where the next side begins,
 * and the middle of that side. Every other one lies on the curve. */
static bool make_angular(SceneArena *arena, const Cut *c, ScreeNurbs *curve) {
    const double cut = 0.4;
    ScreeVec3 corner[8];
    double sum = 0, at = 0;
    for (int k = 0; k < c->corners; k++) {
        sum += c->step[k];
    }
    for (int k = 0; k < c->corners; k++) {
        SceneTrig t = scene_trig(2 * pi * at / sum);
        corner[k] = (ScreeVec3){c->stretch * t.c, t.s, 0};
        at += c->step[k];
    }
    size_t pieces = 2 * (size_t)c->corners;
    if (!scene_new_curve(arena, 2, 2 * pieces + 1, curve)) {
        return false;
    }
    ScreeVec3 *point = (ScreeVec3 *)curve->point;
    for (int k = 0; k < c->corners; k++) {
        ScreeVec3 here = corner[k], next = corner[(k + 1) % c->corners];
        ScreeVec3 before = corner[(k + c->corners - 1) % c->corners];
        ScreeVec3 in = sub(before, here), out = sub(next, here);
        double a = sqrt(dot(in, in)), b = sqrt(dot(out, out)), trim = cut * scr_min(a, b);
        point[4 * k] = add(here, scale(trim / a, in));
        point[4 * k + 1] = here;
        point[4 * k + 2] = add(here, scale(trim / b, out));
    }
    point[2 * pieces] = point[0];
    for (int k = 0; k < c->corners; k++) {
        point[4 * k + 3] = scale(0.5, add(point[4 * k + 2], point[4 * k + 4]));
    }
    for (size_t k = 0; k < curve->points; k++) {
        ((double *)curve->weight)[k] = 1;
    }
    for (size_t k = 0; k < curve->knots; k++) {
        size_t u = k < 3 ? 0 : (k - 1) / 2;
        ((double *)curve->knot)[k] = (double)(u < pieces ? u : pieces);
    }
    return true;
}

static double mean_diameter(const ScreeShape *shape) {
    enum { DIRECTIONS = 720 };
    double sum = 0;
    for (int i = 0; i < DIRECTIONS; i++) {
        SceneTrig t = scene_trig(2 * pi * i / DIRECTIONS);
        double most = -INFINITY;
        for (int32_t k = 0; k < shape->def.part[0].corners; k++) {
            ScreeVec3 p = sub(shape->def.corner[k], shape->centroid);
            most = scr_max(most, p.x * t.c + p.y * t.s);
        }
        sum += most;
    }
    return 2 * sum / DIRECTIONS;
}

bool scene_library_curve(SceneArena *arena, SceneLibrary set, int number, ScreeNurbs *curve) {
    ScreeNurbs drawn;
    ScreeShape shape;
    char unused[SCREE_MESSAGE_SIZE];
    bool made = set == LIBRARY_NONCONVEX ? make_lobed(arena, &lobed[number], &drawn)
                                         : make_angular(arena, &angular[number], &drawn);
    if (!made || scene_measure_curve(arena, &drawn, &shape, unused) != SCREE_OK) {
        return false;
    }
    for (size_t k = 0; k < drawn.points; k++) {
        ((ScreeVec3 *)drawn.point)[k] = sub(drawn.point[k], shape.centroid);
    }
    return scene_copy_curve(arena, &drawn, 1 / mean_diameter(&shape), curve);
}

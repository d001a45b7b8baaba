/* Points, rotations and surfaces for the tests of solids. */
#ifndef SCREE_TESTS_SOLID_POINTS_H
#define SCREE_TESTS_SOLID_POINTS_H

#include "base/random.h"
#include "check.h"
#include "shape/hull.h"
#include "shape/polyhedron.h"

enum { MOST_POINTS = 12000 };

typedef struct Points {
    size_t count;
    Vec3 point[MOST_POINTS];
} Points;

static inline double drawn(uint64_t *state, double low, double high) {
    return low + (high - low) * scr_random_unit(scr_random_key(7, 1, 2), (*state)++);
}

static inline Vec3 drawn_in_cube(uint64_t *state) {
    double x = drawn(state, -1, 1), y = drawn(state, -1, 1);
    return vec3(x, y, drawn(state, -1, 1));
}

static inline Vec3 drawn_direction(uint64_t *state) {
    Vec3 a = drawn_in_cube(state);
    while (dot(a, a) > 1 || dot(a, a) < 0.01) {
        a = drawn_in_cube(state);
    }
    return unit(a);
}

static inline Quat drawn_rotation(uint64_t *state) {
    double angle = drawn(state, 0, 3);
    return quat_from_turn(scale(angle, drawn_direction(state)));
}

/* A cube of n x n x n points, from -1 to 1. */
static inline void fill_grid(Points *p, int n) {
    p->count = 0;
    for (int i = 0; i < n * n * n; i++) {
        p->point[p->count++] = vec3(2.0 * (i % n) / (n - 1) - 1, 2.0 * (i / n % n) / (n - 1) - 1,
                                    2.0 * (i / n / n) / (n - 1) - 1);
    }
}

static inline void turn_points(Points *p, Quat q, double size, Vec3 shift) {
    for (size_t k = 0; k < p->count; k++) {
        p->point[k] = add(shift, scale(size, quat_rotate(q, p->point[k])));
    }
}

/* The hull as a polyhedron. */
static inline ScreeStatus build_hull(const Points *p, const Hull *hull, Polyhedron *made) {
    static Vec3 vertex[MOST_POINTS];
    for (int32_t k = 0; k < hull->vertices; k++) {
        vertex[k] = p->point[hull->vertex[k]];
    }
    const PolyhedronDef def = {.vertices = (size_t)hull->vertices,
                               .faces = (size_t)hull->face.faces,
                               .vertex = vertex,
                               .corners = hull->face.corners,
                               .corner = hull->face.corner,
                               .rounding = 0};
    return scr_polyhedron_build(&def, made, NULL);
}

#endif

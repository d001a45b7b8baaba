/* Outlines for tests: a definition that holds its own corners. */
#ifndef SCREE_TESTS_OUTLINE_SHAPES_H
#define SCREE_TESTS_OUTLINE_SHAPES_H

#include "base/random.h"
#include "check.h"
#include "shape/outline.h"

#define SHAPE_PI 3.14159265358979323846

enum { SHAPE_MOST = 256, SHAPE_PARTS = 8 };

typedef struct Shape {
    ScreeShapePart part[SHAPE_PARTS];
    Vec3 corner[SHAPE_MOST];
    size_t parts, corners;
} Shape;

static inline ScreeShapeDef def_of(const Shape *s) {
    return (ScreeShapeDef){s->part, s->parts, s->corner};
}

/* Appends a part whose corners are given as x, y, x, y, ... */
static inline void add_part(Shape *s, double rounding, int count, const double *xy) {
    s->part[s->parts++] = (ScreeShapePart){count, rounding};
    for (int k = 0; k < count; k++) {
        s->corner[s->corners++] = vec3(xy[2 * k], xy[2 * k + 1], 0);
    }
}
static inline Shape outline(double rounding, int count, const double *xy) {
    Shape s = {.parts = 0};
    add_part(&s, rounding, count, xy);
    return s;
}
#define OUTLINE(rounding, ...)                                                                     \
    outline((rounding), (int)(sizeof((double[]){__VA_ARGS__}) / (2 * sizeof(double))),             \
            (double[]){__VA_ARGS__})

static inline Shape rectangle(double width, double height, double rounding) {
    double x = width / 2, y = height / 2;
    return OUTLINE(rounding, -x, -y, x, -y, x, y, -x, y);
}

/* n tips at the radius `outer` with corners at `inner` between them; a regular polygon for inner =
 * 0. */
static inline Shape star(int n, double outer, double inner, double rounding) {
    Shape s = {.parts = 1};
    for (int k = 0; k < n; k++) {
        double t = 2 * SHAPE_PI * k / n, u = t + SHAPE_PI / n;
        s.corner[s.corners++] = vec3(outer * cos(t), outer * sin(t), 0);
        if (inner > 0) {
            s.corner[s.corners++] = vec3(inner * cos(u), inner * sin(u), 0);
        }
    }
    s.part[0] = (ScreeShapePart){(int32_t)s.corners, rounding};
    return s;
}

/* Corners at rising angles and random radii about the origin: simple, mostly not convex. */
static inline Shape random_star(uint64_t key, int n, double least, double most, double rounding) {
    Shape s = {.parts = 1};
    for (int k = 0; k < n; k++) {
        double t = 2 * SHAPE_PI * (k + 0.7 * scr_random_unit(key, 2 * (uint64_t)k)) / n;
        double r = least + (most - least) * scr_random_unit(key, 2 * (uint64_t)k + 1);
        s.corner[s.corners++] = vec3(r * cos(t), r * sin(t), 0);
    }
    s.part[0] = (ScreeShapePart){n, rounding};
    return s;
}

/* Corners on an ellipse at random angles: convex. */
static inline Shape random_convex(uint64_t key, int n, double width, double height,
                                  double rounding) {
    Shape s = {.parts = 1};
    for (int k = 0; k < n; k++) {
        double t = 2 * SHAPE_PI * (k + 0.8 * scr_random_unit(key, (uint64_t)k)) / n;
        s.corner[s.corners++] = vec3(width * cos(t), height * sin(t), 0);
    }
    s.part[0] = (ScreeShapePart){n, rounding};
    return s;
}

/* x' = shift + size R(angle) x */
static inline Shape moved(Shape s, double size, double angle, Vec3 shift) {
    for (size_t k = 0; k < s.corners; k++) {
        Vec3 c = s.corner[k];
        s.corner[k] = vec3(shift.x + size * (cos(angle) * c.x - sin(angle) * c.y),
                           shift.y + size * (sin(angle) * c.x + cos(angle) * c.y), 0);
    }
    for (size_t p = 0; p < s.parts; p++) {
        s.part[p].rounding *= size;
    }
    return s;
}

/* The corners of a shape of one part, numbered from `first` on, or backwards from there. */
static inline Shape renumbered(const Shape *s, size_t first, bool backwards) {
    Shape r = *s;
    for (size_t k = 0; k < s->corners; k++) {
        size_t from = backwards ? first + s->corners - k : first + k;
        r.corner[k] = s->corner[from % s->corners];
    }
    return r;
}

static inline Shape joined(Shape a, const Shape *b) {
    const Vec3 *corner = b->corner;
    for (size_t p = 0; p < b->parts; p++) {
        a.part[a.parts++] = b->part[p];
        for (int32_t k = 0; k < b->part[p].corners; k++) {
            a.corner[a.corners++] = *corner++;
        }
    }
    return a;
}

static inline ScreeShape measured(const Shape *s) {
    ScreeShapeDef def = def_of(s);
    char message[SCREE_MESSAGE_SIZE] = "";
    CHECK(scr_outline_check(&def, message) == SCREE_OK);
    if (message[0] != '\0') {
        fprintf(stderr, "    %s\n", message);
    }
    return scr_outline_measure(&def);
}

#endif

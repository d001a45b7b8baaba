/* Solids as triangles: closed surfaces around the right volume, at the right distance. */
#include "check.h"

#include "shape/draw_solid.h"

#include <stdlib.h>
#include <string.h>

static Polyhedron built(const Vec3 *vertex, size_t vertices, const int32_t *corners, size_t faces,
                        const int32_t *corner, double rounding) {
    const PolyhedronDef def = {.vertices = vertices,
                               .faces = faces,
                               .vertex = vertex,
                               .corners = corners,
                               .corner = corner,
                               .rounding = rounding};
    Polyhedron p = {0};
    CHECK(scr_polyhedron_build(&def, &p, NULL) == SCREE_OK);
    return p;
}

static double volume(const SolidDrawing *s) {
    double sum = 0;
    for (size_t t = 0; t < s->triangles; t++) {
        const int32_t *c = &s->triangle[3 * t];
        sum += dot(s->point[c[0]], cross(s->point[c[1]], s->point[c[2]]));
    }
    return sum / 6;
}

static size_t at_place(const SolidDrawing *s, Vec3 x) {
    for (size_t i = 0; i < s->points; i++) {
        if (length(sub(s->point[i], x)) < 1e-12) {
            return i;
        }
    }
    return 0;
}

/* Every edge of a triangle has its opposite, up to triangles that are lines. */
static bool closed(const SolidDrawing *s) {
    size_t n = 3 * s->triangles;
    size_t *from = calloc(n, sizeof *from), *to = calloc(n, sizeof *to);
    bool ok = from && to;
    for (size_t k = 0; ok && k < n; k++) {
        from[k] = at_place(s, s->point[s->triangle[k]]);
    }
    for (size_t k = 0; ok && k < n; k++) {
        to[k] = from[k / 3 * 3 + (k + 1) % 3];
    }
    for (size_t k = 0; ok && k < n; k++) {
        long balance = 0;
        for (size_t i = 0; i < n; i++) {
            balance +=
                (from[i] == from[k] && to[i] == to[k]) - (from[i] == to[k] && to[i] == from[k]);
        }
        ok = balance == 0;
    }
    free(from);
    free(to);
    return ok;
}

/* The drawn surface has its points on the true one, and lies inside it where that is convex: the
 * error of an arc of pi / 12 is (pi / 12)^2 / 6 of the round parts at most. */
static void check_surface(const Polyhedron *p, double sharp, double round) {
    SolidDrawing s = {0};
    CHECK(scr_draw_polyhedron(p, &s));
    CHECK(closed(&s));
    double v = volume(&s), total = sharp + round;
    CHECK(v <= total * (1 + 1e-12) && v >= total - 0.035 * round - 1e-12 * total);
    scr_solid_drawing_free(&s);
}

static const int32_t four[6] = {4, 4, 4, 4, 4, 4};
static const int32_t box_corner[24] = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4,
                                       2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};

/* Steiner's formula for what lies within r of a box: planes, quarter cylinders, a ball. */
static void boxes_are_closed(void) {
    const double a = 2, b = 1, c = 0.5;
    for (int k = 0; k < 2; k++) {
        Vec3 vertex[8];
        double r = 0.3 * k;
        for (int i = 0; i < 8; i++) {
            vertex[i] = vec3(i & 1 ? a : 0, i & 2 ? b : 0, i & 4 ? c : 0);
        }
        Polyhedron p = built(vertex, 8, four, 6, box_corner, r);
        check_surface(&p, a * b * c + 2 * r * (a * b + b * c + c * a),
                      M_PI * r * r * (a + b + c) + 4 * M_PI / 3 * r * r * r);
        scr_polyhedron_free(&p);
    }
}

static void balls_rods_and_plates_are_closed(void) {
    const Vec3 ends[2] = {{1, 2, 3}, {1.5, 2, 4}};
    double r = 0.4, l = length(sub(ends[1], ends[0])), ball = 4 * M_PI / 3 * r * r * r;
    Polyhedron one = built(ends, 1, NULL, 0, NULL, r), two = built(ends, 2, NULL, 0, NULL, r);
    check_surface(&one, 0, ball);
    check_surface(&two, 0, ball + M_PI * r * r * l);
    const Vec3 flat[4] = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {0, 1, 0}};
    const int32_t loops[8] = {0, 1, 2, 3, 3, 2, 1, 0};
    Polyhedron plate = built(flat, 4, four, 2, loops, r);
    check_surface(&plate, 2 * 2 * r, M_PI * r * r * 3 + ball);
    scr_polyhedron_free(&one);
    scr_polyhedron_free(&two);
    scr_polyhedron_free(&plate);
}

/* A sharp L: its two large faces are not convex, and fans would not do. */
static void notches_are_not_filled(void) {
    const double outline[6][2] = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}};
    const int32_t corners[8] = {6, 6, 4, 4, 4, 4, 4, 4};
    Vec3 vertex[12];
    int32_t corner[36], *c = corner;
    for (int i = 0; i < 12; i++) {
        vertex[i] = vec3(outline[i % 6][0], outline[i % 6][1], i / 6);
    }
    for (int i = 0; i < 6; i++) {
        c[i] = 5 - i;
        c[6 + i] = 6 + (i + 3) % 6; /* begins at the notch's side */
    }
    for (int i = 0; i < 6; i++) {
        const int32_t side[4] = {i, (i + 1) % 6, 6 + (i + 1) % 6, 6 + i};
        memcpy(&c[12 + 4 * i], side, sizeof side);
    }
    Polyhedron p = built(vertex, 12, corners, 8, corner, 0);
    SolidDrawing s = {0};
    CHECK(scr_draw_polyhedron(&p, &s) && closed(&s));
    CHECK_CLOSE(volume(&s), 5.0, 1e-14);
    double area = 0; /* triangles that lie over each other would add to it */
    for (size_t t = 0; t < s.triangles; t++) {
        const int32_t *k = &s.triangle[3 * t];
        area +=
            length(cross(sub(s.point[k[1]], s.point[k[0]]), sub(s.point[k[2]], s.point[k[0]]))) / 2;
    }
    CHECK_CLOSE(area, 2 * 5.0 + 12.0, 1e-14);
    scr_solid_drawing_free(&s);
    scr_polyhedron_free(&p);
}

int main(int argc, char **argv) {
    CHECK_RUN(boxes_are_closed);
    CHECK_RUN(balls_rods_and_plates_are_closed);
    CHECK_RUN(notches_are_not_filled);
    return check_result();
}

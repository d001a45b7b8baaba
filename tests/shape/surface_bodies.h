/* NURBS surfaces for tests: exact balls, ellipsoids, rings, and cubes of degree 1. */
#ifndef SCREE_TESTS_SHAPE_SURFACE_BODIES_H
#define SCREE_TESTS_SHAPE_SURFACE_BODIES_H

#include "check.h"
#include "math/vec.h"

enum { SURFACE_MOST = 24, SURFACE_VERTICES = 4096 };

/* A surface, and the patches that it is cut into. */
typedef struct SurfaceBody {
    Vec3 point[SURFACE_MOST * SURFACE_MOST];
    double weight[SURFACE_MOST * SURFACE_MOST], knot[2][2 * SURFACE_MOST];
    ScreeNurbsSurface def;
    Vec3 vertex[SURFACE_VERTICES];
    double vertex_weight[SURFACE_VERTICES];
    ScreeSolidPart part;
    ScreeSolidDef solid;
} SurfaceBody;

static inline void surface_cut(SurfaceBody *s) {
    char message[SCREE_MESSAGE_SIZE] = "";
    s->part = (ScreeSolidPart){.vertices = SURFACE_VERTICES,
                               .kind = SCREE_PART_NURBS,
                               .form = {s->def.degree[0], s->def.degree[1]},
                               .weight = s->vertex_weight};
    CHECK(scree_solid_cut_nurbs(&s->def, s->vertex, s->vertex_weight, &s->part.vertices, message) ==
          SCREE_OK);
    CHECK(s->part.vertices <= SURFACE_VERTICES);
    s->solid = (ScreeSolidDef){&s->part, 1, s->vertex, NULL, NULL};
}

/* Quarter arcs of degree 2: points on a square around the circle, weights 1 and cos(45 deg). */
static inline double arc_point(int k, double *x, double *y) {
    static const double cosine[8] = {1, 1, 0, -1, -1, -1, 0, 1},
                        sine[8] = {0, 1, 1, 1, 0, -1, -1, -1};
    *x = cosine[k & 7];
    *y = sine[k & 7];
    return k % 2 ? sqrt(0.5) : 1;
}

static inline void arc_knots(double *knot, int arcs) {
    for (int k = 0; k < 2 * arcs + 4; k++) {
        knot[k] = k < 3 ? 0 : k > 2 * arcs ? arcs : (k - 1) / 2;
    }
}

/* The meridian goes around (away, 0) with the radius r, through `arcs` quarters from quarter `first` on;
 * it is turned about z, and the body is stretched. */
static inline void surface_turned(SurfaceBody *s, double away, double r, int first, int arcs,
                                  Vec3 stretch, Vec3 at) {
    *s = (SurfaceBody){.def = {.degree = {2, 2}, .points = {9, (size_t)(2 * arcs + 1)}}};
    for (int i = 0; i < 9; i++) {
        double x, y, wu = arc_point(i, &x, &y);
        for (int j = 0; j <= 2 * arcs; j++) {
            double c, z, wv = arc_point(2 * first + j + 8, &c, &z);
            int k = i * (2 * arcs + 1) + j;
            double out = away + r * c;
            s->point[k] = vec3(at.x + stretch.x * out * x, at.y + stretch.y * out * y,
                               at.z + stretch.z * r * z);
            s->weight[k] = wu * wv;
        }
    }
    arc_knots(s->knot[0], 4);
    arc_knots(s->knot[1], arcs);
    s->def.point = s->point;
    s->def.weight = s->weight;
    s->def.knot[0] = s->knot[0];
    s->def.knot[1] = s->knot[1];
    surface_cut(s);
}

/* Poles at the ends of z. */
static inline void surface_ellipsoid(SurfaceBody *s, double a, double b, double c, Vec3 at) {
    surface_turned(s, 0, 1, -1, 2, vec3(a, b, c), at);
}

/* About z. */
static inline void surface_ring(SurfaceBody *s, double away, double r, Vec3 at) {
    surface_turned(s, away, r, 0, 4, vec3(1, 1, 1), at);
}

/* Sides along the axes, as one surface of degree 1 with two poles: bottom, sides, top. */
static inline void surface_box(SurfaceBody *s, double x, double y, double z, Vec3 at) {
    static const double side[5][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
    *s = (SurfaceBody){.def = {.degree = {1, 1}, .points = {5, 4}}};
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 4; j++) {
            double wide = j == 0 || j == 3 ? 0 : 1;
            s->point[4 * i + j] =
                vec3(at.x + 0.5 * x * wide * side[i][0], at.y + 0.5 * y * wide * side[i][1],
                     at.z + 0.5 * z * (j < 2 ? -1 : 1));
            s->weight[4 * i + j] = 1;
        }
    }
    for (int k = 0; k < 7; k++) {
        s->knot[0][k] = k < 1 ? 0 : k > 5 ? 4 : k - 1;
        s->knot[1][k] = k < 1 ? 0 : k > 4 ? 3 : k - 1;
    }
    s->def.point = s->point;
    s->def.weight = s->weight;
    s->def.knot[0] = s->knot[0];
    s->def.knot[1] = s->knot[1];
    surface_cut(s);
}

/* A ring of `around` control points times a ring of `across`, uniform and periodic, of degree 3: some bent
 * sausage without any symmetry. */
static inline void surface_sausage(SurfaceBody *s, int around, int across, double wave) {
    int rows = around + 3, columns = across + 3;
    *s = (SurfaceBody){.def = {.degree = {3, 3}, .points = {(size_t)rows, (size_t)columns}}};
    for (int i = 0; i < rows; i++) {
        double a = 2 * M_PI * (i % around) / around;
        for (int j = 0; j < columns; j++) {
            double b = 2 * M_PI * (j % across) / across;
            double r = 0.35 * (1 + wave * cos(3 * a) * cos(b + 0.4)), out = 1 + r * cos(b);
            s->point[i * columns + j] = vec3(out * cos(a), out * sin(a) * (1 + 0.3 * wave),
                                             r * sin(b) + wave * 0.5 * sin(2 * a + 0.3));
            s->weight[i * columns + j] = 1 + 0.5 * wave * sin(a + 2 * b);
        }
    }
    for (int k = 0; k < rows + 4; k++) {
        s->knot[0][k] = k;
    }
    for (int k = 0; k < columns + 4; k++) {
        s->knot[1][k] = k;
    }
    s->def.point = s->point;
    s->def.weight = s->weight;
    s->def.knot[0] = s->knot[0];
    s->def.knot[1] = s->knot[1];
    surface_cut(s);
}

#endif

/* Volume, centroid and inertia of solids. */
#include "shape/solid_bodies.h"

static Body body;

/* ---------------------------------------------------------------- closed forms */

/* A body with equal moments, or a box: known in its own frame, measured in any. */
static void check_anywhere(double volume, Vec3 gyration, Vec3 centre, double tolerance) {
    uint64_t state = 10;
    static Body start;
    start = body;
    for (int n = 0; n < 8; n++) {
        body = start;
        Quat q = n == 0 ? (Quat){1, 0, 0, 0} : drawn_rotation(&state);
        double size = n < 2 ? 1 : ldexp(1, 11 * n - 40);
        Vec3 shift = scale(n < 5 ? 0 : 3 * size, drawn_in_cube(&state)), at;
        move_body(&body, q, size, shift);
        Solid solid = built(&body, &at);
        CHECK_CLOSE(solid.volume, volume * size * size * size, tolerance);
        check_point(at, add(shift, scale(size, quat_rotate(q, centre))), 4 * tolerance * size);
        Sym3 expected = turned(q, sym3_diagonal(gyration.x, gyration.y, gyration.z));
        expected = sym3_scale(size * size, expected);
        check_tensor(tensor_of(&solid), expected, tolerance);
        scr_solid_free(&solid);
    }
    body = start;
}

static void boxes(void) {
    const Vec3 half[4] = {{1, 1, 1}, {0.5, 1, 2}, {3, 0.1, 0.2}, {1, 1e-3, 10}};
    for (int k = 0; k < 4; k++) {
        clear(&body);
        Vec3 h = half[k], centre = vec3(0.3, -0.2, 0.1);
        put_box(&body, centre, h, 0);
        double x = h.x * h.x / 3, y = h.y * h.y / 3, z = h.z * h.z / 3;
        check_anywhere(8 * h.x * h.y * h.z, vec3(y + z, x + z, x + y), centre,
                       k < 3 ? 1e-14 : 1e-12);
    }
}

/* A box along the axes keeps them, in their order; so does a cube, however it is turned. */
static void own_axes_are_kept(void) {
    uint64_t state = 20;
    Vec3 at;
    clear(&body);
    put_box(&body, vec3(1, 2, 3), vec3(3, 1, 2), 0);
    Solid solid = built(&body, &at);
    CHECK(solid.axes.w == 1);
    CHECK_CLOSE(solid.gyration.x, 5.0 / 3, 1e-15);
    CHECK_CLOSE(solid.gyration.y, 13.0 / 3, 1e-15);
    CHECK_CLOSE(solid.gyration.z, 10.0 / 3, 1e-15);
    scr_solid_free(&solid);
    for (int n = 0; n < 20; n++) {
        clear(&body);
        put_box(&body, vec3(0, 0, 0), vec3(1, 1, 1), 0);
        const Quat turn = drawn_rotation(&state);
        move_body(&body, turn, 1, drawn_in_cube(&state));
        solid = built(&body, &at);
        CHECK(solid.axes.w == 1);
        scr_solid_free(&solid);
    }
}

/* About the centroid a tetrahedron has the second moments of four points, each with a twentieth of
 * its volume. */
static void tetrahedra(void) {
    uint64_t state = 30;
    for (int n = 0; n < 200; n++) {
        Vec3 v[4], at, c = vec3(0, 0, 0);
        clear(&body);
        begin_part(&body, 0);
        for (int k = 0; k < 4; k++) {
            v[k] = drawn_in_cube(&state);
            c = add_scaled(c, 0.25, v[k]);
            put_vertex(&body, v[k]);
        }
        double volume = fabs(dot(sub(v[1], v[0]), cross(sub(v[2], v[0]), sub(v[3], v[0])))) / 6;
        if (volume < 0.05) {
            continue;
        }
        Sym3 s = {0};
        for (int k = 0; k < 4; k++) {
            Sym3 d = sym3_dyad(1.0 / 20, sub(v[k], c));
            s = (Sym3){s.xx + d.xx, s.xy + d.xy, s.xz + d.xz,
                       s.yy + d.yy, s.yz + d.yz, s.zz + d.zz};
        }
        Solid solid = built(&body, &at);
        CHECK_CLOSE(solid.volume, volume, 1e-14);
        check_point(at, c, 1e-14);
        check_tensor(tensor_of(&solid),
                     (Sym3){s.yy + s.zz, -s.xy, -s.xz, s.xx + s.zz, -s.yz, s.xx + s.yy}, 2e-14);
        scr_solid_free(&solid);
    }
}

static void put_signs(Body *b, double x, double y, double z) {
    for (int k = 0; k < 8; k++) {
        if ((x != 0 || !(k & 1)) && (y != 0 || !(k & 2)) && (z != 0 || !(k & 4))) {
            put_vertex(b, vec3(k & 1 ? -x : x, k & 2 ? -y : y, k & 4 ? -z : z));
        }
    }
}

/* Inertia over mass of the regular solids with edge 1: 1/20, 1/10, phi^2 / 10 and
 * (39 phi + 28) / 150. */
static void regular_solids(void) {
    const double phi = (1 + sqrt(5)) / 2;
    clear(&body);
    begin_part(&body, 0);
    for (int k = 0; k < 4; k++) {
        double s = 1 / (2 * sqrt(2));
        put_vertex(&body, vec3(k & 1 ? s : -s, k & 2 ? s : -s, k == 1 || k == 2 ? -s : s));
    }
    check_anywhere(1 / (6 * sqrt(2)), vec3(0.05, 0.05, 0.05), vec3(0, 0, 0), 1e-14);
    clear(&body);
    begin_part(&body, 0);
    double s = 1 / sqrt(2);
    put_signs(&body, s, 0, 0);
    put_signs(&body, 0, s, 0);
    put_signs(&body, 0, 0, s);
    check_anywhere(sqrt(2) / 3, vec3(0.1, 0.1, 0.1), vec3(0, 0, 0), 1e-14);
    clear(&body);
    begin_part(&body, 0);
    put_signs(&body, 0, 0.5, phi / 2);
    put_signs(&body, 0.5, phi / 2, 0);
    put_signs(&body, phi / 2, 0, 0.5);
    double j = phi * phi / 10;
    check_anywhere(5 * (3 + sqrt(5)) / 12, vec3(j, j, j), vec3(0, 0, 0), 1e-14);
    clear(&body);
    begin_part(&body, 0);
    put_signs(&body, phi / 2, phi / 2, phi / 2);
    put_signs(&body, 0, 0.5, phi * phi / 2);
    put_signs(&body, 0.5, phi * phi / 2, 0);
    put_signs(&body, phi * phi / 2, 0, 0.5);
    j = (39 * phi + 28) / 150;
    check_anywhere((15 + 7 * sqrt(5)) / 4, vec3(j, j, j), vec3(0, 0, 0), 1e-14);
}

/* A regular prism of n sides, circumradius 1 and height h: about its axis (2 + cos(2 pi/n)) / 6. */
static void prisms(void) {
    for (int n = 3; n <= 200; n = 2 * n - 1) {
        clear(&body);
        begin_part(&body, 0);
        double h = 0.7, turn = 2 * 3.14159265358979323846 / n;
        for (int k = 0; k < 2 * n; k++) {
            put_vertex(&body,
                       vec3(scr_cos(k / 2 * turn), scr_sin(k / 2 * turn), k % 2 ? h / 2 : -h / 2));
        }
        double axial = (2 + cos(turn)) / 6, side = axial / 2 + h * h / 12;
        check_anywhere(h * n * sin(turn) / 2, vec3(side, side, axial), vec3(0, 0, 0),
                       n < 10 ? 1e-14 : 3e-14);
    }
}

/* ---------------------------------------------------------------- rounded bodies */

/* Integral of x^2, and volume, of a box of half sides a, b, c within the distance r. Its section at
 * x is the rectangle 2b x 2c within the distance s, where s = r up to |x| = a, then
 * s^2 = r^2 - (|x| - a)^2. */
static double rounded_square(double a, double b, double c, double r, double *volume) {
    const double pi = 3.14159265358979323846;
    double full = 4 * b * c + 4 * (b + c) * r + pi * r * r;
    double one[3] = {r, r * r / 2, r * r * r / 3};
    double root[3] = {pi * r * r / 4, r * r * r / 3, pi * pow(r, 4) / 16};
    double square[3] = {2 * r * r * r / 3, pow(r, 4) / 4, 2 * pow(r, 5) / 15};
    double cap[3];
    for (int k = 0; k < 3; k++) { /* integrals of t^k times the section */
        cap[k] = 4 * b * c * one[k] + 4 * (b + c) * root[k] + pi * square[k];
    }
    *volume = 2 * (a * full + cap[0]);
    return 2 * (a * a * a / 3 * full + a * a * cap[0] + 2 * a * cap[1] + cap[2]);
}

static void check_rounded(Vec3 h, double r, double tolerance) {
    double volume, x = rounded_square(h.x, h.y, h.z, r, &volume),
                   y = rounded_square(h.y, h.z, h.x, r, &volume),
                   z = rounded_square(h.z, h.x, h.y, r, &volume);
    check_anywhere(volume, vec3((y + z) / volume, (x + z) / volume, (x + y) / volume),
                   vec3(0, 0, 0), tolerance);
}

/* A plate is kept with its two sides, which make a plate again. */
static void plates_are_made_again(void) {
    Vec3 at;
    clear(&body);
    begin_part(&body, 0.2);
    for (int k = 0; k < 5; k++) {
        put_vertex(&body, vec3(cos(1.2566370614 * k), sin(1.2566370614 * k), 0.5));
    }
    Solid first = built(&body, &at);
    const Polyhedron *p = &first.part[0];
    CHECK(p->faces == 2);
    clear(&body);
    begin_part(&body, 0.2);
    for (int32_t v = 0; v < p->vertices; v++) {
        put_vertex(&body, scr_vertex(p, v));
    }
    for (int32_t f = 0; f < p->faces; f++) {
        put_face(&body, p->face[f].count, p->loop_vertex + p->face[f].first);
    }
    Solid again = built(&body, &at);
    CHECK(again.part[0].faces == 2);
    CHECK_CLOSE(again.volume, first.volume, 1e-14);
    scr_solid_free(&first);
    scr_solid_free(&again);
}

/* Boxes, plates, rods and balls are one family. */
static void rounded_boxes(void) {
    const Vec3 half[7] = {{1, 1, 1}, {0.5, 1, 2}, {2, 1, 0}, {0.3, 0, 0.7},
                          {1, 0, 0}, {0, 0, 2},   {0, 0, 0}};
    const double r[4] = {1, 0.1, 3, 1e-3};
    for (int k = 0; k < 28; k++) {
        clear(&body);
        put_box(&body, vec3(0, 0, 0), half[k / 4], r[k % 4]);
        check_rounded(half[k / 4], r[k % 4], 2e-14);
        Vec3 at;
        Solid solid = built(&body, &at);
        const Polyhedron *p = &solid.part[0];
        CHECK_CLOSE(solid.radius, length(half[k / 4]) + r[k % 4], 1e-15);
        int sides = (half[k / 4].x > 0) + (half[k / 4].y > 0) + (half[k / 4].z > 0);
        CHECK(p->vertices == 1 << sides && p->faces == (sides == 3 ? 6 : sides == 2 ? 2 : 0));
        scr_solid_free(&solid);
    }
}

/* How far p is from the tetrahedron: the least over its corners, edges and faces. */
static double distance_to(const Vec3 v[4], Vec3 p) {
    double best = INFINITY;
    bool inside = true;
    for (int k = 0; k < 4; k++) {
        Vec3 a = v[k], b = v[(k + 1) % 4], c = v[(k + 2) % 4], d = v[(k + 3) % 4];
        Vec3 n = unit(cross(sub(b, a), sub(c, a)));
        n = dot(n, sub(d, a)) > 0 ? scale(-1, n) : n;
        double off = dot(n, sub(p, a));
        inside = inside && off <= 0;
        Vec3 foot = add_scaled(p, -off, n);
        Vec3 one = cross(sub(b, a), sub(foot, a)), two = cross(sub(c, b), sub(foot, b)),
             three = cross(sub(a, c), sub(foot, c));
        if (dot(one, two) >= 0 && dot(two, three) >= 0 && dot(one, three) >= 0) {
            best = scr_min(best, fabs(off));
        }
        for (int j = 0; j < 4; j++) {
            if (j != k) {
                best = scr_min(best, scr_distance_to_segment(p, v[k], v[j]));
            }
        }
    }
    return inside ? 0 : best;
}

/* A tetrahedron within the distance r, against a count of points on a lattice; the error of a
 * volume counted so falls as 1/n^2. */
static void rounded_tetrahedra(void) {
    const Vec3 v[4] = {{0, 0, 0}, {1.1, 0.1, 0}, {0.2, 0.9, 0.1}, {0.3, 0.2, 0.8}};
    const double r = 0.4;
    clear(&body);
    begin_part(&body, r);
    for (int k = 0; k < 4; k++) {
        put_vertex(&body, v[k]);
    }
    Moments sum = {0};
    enum { N = 110 / CHECK_STRIDE };
    double cell = 2.0 / N;
    for (int i = 0; i < N * N * N; i++) {
        Vec3 p = vec3(-0.42 + cell * (i % N + 0.5), -0.42 + cell * (i / N % N + 0.5),
                      -0.42 + cell * (i / N / N + 0.5));
        if (distance_to(v, p) <= r) {
            Moments one = {cell * cell * cell, scale(cell * cell * cell, p),
                           sym3_dyad(cell * cell * cell, p)};
            scr_moments_add(&sum, 1, &one);
        }
    }
    Vec3 at, gyration;
    Quat axes;
    Solid solid = built(&body, &at), counted = {0};
    scr_principal_axes(&sum, &gyration, &axes);
    counted.gyration = gyration;
    counted.axes = axes;
    CHECK_CLOSE(solid.volume, sum.volume, 1e-3 * CHECK_STRIDE);
    check_point(at, scale(1 / sum.volume, sum.first), 5e-4 * CHECK_STRIDE);
    check_tensor(tensor_of(&solid), tensor_of(&counted), 5e-4 * CHECK_STRIDE);
    scr_solid_free(&solid);
}

int main(int argc, char **argv) {
    CHECK_RUN(plates_are_made_again);
    CHECK_RUN(boxes);
    CHECK_RUN(own_axes_are_kept);
    CHECK_RUN(tetrahedra);
    CHECK_RUN(regular_solids);
    CHECK_RUN(prisms);
    CHECK_RUN(rounded_boxes);
    CHECK_RUN(rounded_tetrahedra);
    return check_result();
}

/* Masses of solids whose parts overlap: what belongs to several parts counts once. */
#include "shape/solid_bodies.h"
#include "shape/solid_moments.h"

static Body body, other;

/* Two descriptions of the same body have the same measures. */
static void check_same(double tolerance) {
    Vec3 at, there;
    Solid a = built(&body, &at), b = built(&other, &there);
    CHECK_CLOSE(a.volume, b.volume, tolerance);
    check_point(at, there, tolerance * b.radius);
    check_tensor(tensor_of(&a), tensor_of(&b), tolerance);
    scr_solid_free(&a);
    scr_solid_free(&b);
}

/* ---------------------------------------------------------------- sharp parts */

/* Two cubes that share a box: three boxes that do not. */
static void overlapping_cubes(void) {
    uint64_t state = 1;
    for (int n = 0; n < 20; n++) {
        Quat q = n == 0 ? (Quat){1, 0, 0, 0} : drawn_rotation(&state);
        double shift = n == 1 ? 0 : drawn(&state, 0, 1.9);
        clear(&body);
        put_box(&body, vec3(0, 0, 0), vec3(1, 1, 1), 0);
        put_box(&body, vec3(shift, 0, 0), vec3(1, 1, 1), 0);
        clear(&other);
        put_box(&other, vec3(shift / 2, 0, 0), vec3(1 + shift / 2, 1, 1), 0);
        move_body(&body, q, 1, vec3(0.1, 0.2, 0.3));
        move_body(&other, q, 1, vec3(0.1, 0.2, 0.3));
        check_same(1e-14);
    }
}

/* A cube of side 2 with others shifted by 1 along x, y and z: 8 + 3 x 4 unit cubes are in all. */
static void four_cubes_around_a_corner(void) {
    Vec3 at;
    clear(&body);
    clear(&other);
    put_box(&body, vec3(0, 0, 0), vec3(1, 1, 1), 0);
    for (int k = 0; k < 3; k++) {
        put_box(&body, vec3(k == 0, k == 1, k == 2), vec3(1, 1, 1), 0);
    }
    int cells = 0;
    for (int k = 0; k < 27; k++) {
        int x = k % 3, y = k / 3 % 3, z = k / 9;
        if ((x == 2) + (y == 2) + (z == 2) <= 1) {
            put_box(&other, vec3(x - 0.5, y - 0.5, z - 0.5), vec3(0.5, 0.5, 0.5), 0);
            cells++;
        }
    }
    CHECK(cells == 20);
    check_same(1e-14);
    Solid solid = built(&body, &at);
    CHECK_CLOSE(solid.volume, 20.0, 1e-14);
    scr_solid_free(&solid);
}

/* A star of two tetrahedra, the corners of a cube: half its volume; their overlap is an octahedron. */
static void stella_octangula(void) {
    uint64_t state = 2;
    for (int n = 0; n < 10; n++) {
        clear(&body);
        for (int side = 0; side < 2; side++) {
            begin_part(&body, 0);
            for (int k = 0; k < 4; k++) {
                double s = side ? -1 : 1;
                put_vertex(&body, vec3(k & 1 ? s : -s, k & 2 ? s : -s, k == 0 || k == 3 ? s : -s));
            }
        }
        move_body(&body, n == 0 ? (Quat){1, 0, 0, 0} : drawn_rotation(&state), 1, vec3(0, 0, 0));
        Vec3 at;
        Solid solid = built(&body, &at);
        CHECK_CLOSE(solid.volume, 4.0, 1e-14);
        /* tetrahedra of edge sqrt(8): 2 x 8/3 x 8/20; the octahedron of edge sqrt(2): 4/3 x 2/10 */
        double moment = (2 * 8.0 / 3 * 8 / 20 - 4.0 / 3 * 2 / 10) / 4;
        check_tensor(tensor_of(&solid), sym3_diagonal(moment, moment, moment), 1e-14);
        scr_solid_free(&solid);
    }
}

/* Many parts, one inside of the other, and the same part twice. */
static void parts_within_parts(void) {
    uint64_t state = 3;
    clear(&other);
    put_box(&other, vec3(0, 0, 0), vec3(2, 2, 2), 0);
    clear(&body);
    for (int k = 0; k < 6; k++) {
        begin_part(&body, 0);
        for (int j = 0; j < 10; j++) {
            put_vertex(&body, drawn_in_cube(&state));
        }
    }
    put_box(&body, vec3(0, 0, 0), vec3(2, 2, 2), 0);
    put_box(&body, vec3(0, 0, 0), vec3(2, 2, 2), 0);
    check_same(1e-14);
}

/* Random hulls, against columns: an independent method. */
static void random_hulls_agree_with_columns(void) {
    uint64_t state = 4;
    for (int n = 0; n < 6; n++) {
        clear(&body);
        for (int k = 0; k < 4; k++) {
            begin_part(&body, 0);
            for (int j = 0; j < 8; j++) {
                put_vertex(&body, add_scaled(drawn_in_cube(&state), 0.4, vec3(k, k % 2, 0)));
            }
        }
        Vec3 at;
        Solid solid = built(&body, &at);
        Moments sharp = {0}, columns = {0};
        bool done = false;
        const int32_t all[4] = {0, 1, 2, 3};
        CHECK(scr_overlap_of_sharp(&solid, all, 4, &sharp, &done) == SCREE_OK && done);
        CHECK(scr_overlap_by_columns(&solid, all, 4, &columns) == SCREE_OK);
        CHECK_CLOSE(columns.volume, sharp.volume, 1e-5);
        check_point(columns.first, sharp.first, 1e-5 * sharp.volume);
        check_tensor(columns.second, sharp.second, 1e-5);
        scr_solid_free(&solid);
    }
}

/* An L that is not convex, given as a surface, with a box across its arm. */
static void put_angle(Body *b) {
    const double outline[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    begin_part(b, 0);
    for (int k = 0; k < 12; k++) {
        put_vertex(b, vec3(outline[k % 6][0], outline[k % 6][1], k / 6));
    }
    const int32_t below[6] = {5, 4, 3, 2, 1, 0}, above[6] = {6, 7, 8, 9, 10, 11};
    put_face(b, 6, below);
    put_face(b, 6, above);
    for (int32_t k = 0; k < 6; k++) {
        const int32_t side[4] = {k, (k + 1) % 6, (k + 1) % 6 + 6, k + 6};
        put_face(b, 4, side);
    }
}

static void parts_that_are_not_convex(void) {
    uint64_t state = 5;
    for (int n = 0; n < 12; n++) {
        Quat q = n < 2 ? (Quat){1, 0, 0, 0} : drawn_rotation(&state);
        clear(&body);
        if (n % 2 == 0) {
            put_angle(&body);
        }
        put_box(&body, vec3(1, 1, 0.5), vec3(1, 1, 0.5), 0); /* fills the notch */
        if (n % 2 == 1) {
            put_angle(&body);
        }
        clear(&other);
        put_box(&other, vec3(1, 1, 0.5), vec3(1, 1, 0.5), 0);
        move_body(&body, q, 1, vec3(0, 0, 0));
        move_body(&other, q, 1, vec3(0, 0, 0));
        check_same(2e-14);
        clear(&body);
        put_angle(&body);
        put_box(&body, vec3(1.5, 1.5, 0.5), vec3(1, 1, 0.25), 0);
        move_body(&body, q, 1, vec3(0, 0, 0));
        Vec3 at;
        Solid solid = built(&body, &at);
        CHECK_CLOSE(solid.volume, 3 + 2 - 0.5 * (2 * 0.5 + 0.25), 1e-14);
        scr_solid_free(&solid);
    }
}

/* ---------------------------------------------------------------- balls */

/* Two balls: a lens of two caps counts once. */
static void snowmen(void) {
    const double pi = 3.14159265358979323846;
    uint64_t state = 6;
    for (int n = 0; n < 20; n++) {
        double r = 1, s = drawn(&state, 0.3, 1), d = drawn(&state, 1.01 - s + 0.02, r + s - 0.01);
        Vec3 u = n == 0 ? vec3(1, 0, 0) : drawn_direction(&state), at;
        clear(&body);
        begin_part(&body, r);
        put_vertex(&body, vec3(0, 0, 0));
        begin_part(&body, s);
        put_vertex(&body, scale(d, u));
        /* sections across the axis, integrated by Simpson's rule, exact for polynomials of degree
         * 3: three ranges would do for the volume; many for the rest */
        double cut = (d * d + r * r - s * s) / (2 * d), volume = 0, first = 0, square = 0,
               across = 0;
        enum { STEPS = 4000 };
        for (int side = 0; side < 2; side++) {
            double from = side == 0 ? -r : cut, to = side == 0 ? cut : d + s;
            double radius = side == 0 ? r : s, centre = side == 0 ? 0 : d, h = (to - from) / STEPS;
            for (int k = 0; k <= STEPS; k++) {
                double x = from + k * h, weight = (k == 0 || k == STEPS ? 1
                                                   : k % 2              ? 4
                                                                        : 2) *
                                                  h / 3;
                double area = pi * (radius * radius - (x - centre) * (x - centre));
                volume += weight * area;
                first += weight * area * x;
                square += weight * area * x * x;
                across += weight * area * area / (4 * pi);
            }
        }
        Solid solid = built(&body, &at);
        CHECK_CLOSE(solid.volume, volume, 1e-12);
        check_point(at, scale(first / volume, u), 1e-12);
        double c = first / volume, axial = 2 * across / volume,
               side = (across + square) / volume - c * c;
        Sym3 expected = sym3_dyad(axial - side, u);
        expected.xx += side;
        expected.yy += side;
        expected.zz += side;
        check_tensor(tensor_of(&solid), expected, 1e-11);
        scr_solid_free(&solid);
    }
}

/* A ball within a ball, balls in a row, and a third ball that is one of the two. */
static void rows_of_balls(void) {
    clear(&body);
    clear(&other);
    begin_part(&body, 1);
    put_vertex(&body, vec3(0, 0, 0));
    begin_part(&body, 0.3);
    put_vertex(&body, vec3(0.2, 0.3, 0.1));
    begin_part(&other, 1);
    put_vertex(&other, vec3(0, 0, 0));
    check_same(1e-15);
    clear(&body);
    clear(&other);
    for (int k = 0; k < 3; k++) {
        begin_part(&body, 1);
        put_vertex(&body, vec3(1.3 * (k % 2), 0, 0)); /* the third is the first */
        if (k < 2) {
            begin_part(&other, 1);
            put_vertex(&other, vec3(1.3 * k, 0, 0));
        }
    }
    check_same(1e-5);
    const double pi = 3.14159265358979323846;
    clear(&body);
    for (int k = 0; k < 5; k++) {
        begin_part(&body, 1);
        put_vertex(&body, vec3(1.5 * k, 0, 0));
    }
    Vec3 at;
    Solid solid = built(&body, &at);
    double lens = pi * (4 + 1.5) * (2 - 1.5) * (2 - 1.5) / 12;
    CHECK_CLOSE(solid.volume, 5 * 4 * pi / 3 - 4 * lens, 1e-14);
    check_point(at, vec3(3, 0, 0), 1e-14);
    scr_solid_free(&solid);
}

/* ---------------------------------------------------------------- rounded parts */

/* Two crossed rods share the solid of Steinmetz, 16/3 r^3, whose square of the height is 16/15 r^5. */
static void crossed_rods(void) {
    const double pi = 3.14159265358979323846, r = 0.5, l = 4;
    for (int n = 0; n < 3; n++) { /* across columns, and along them */
        clear(&body);
        for (int k = 0; k < 2; k++) {
            begin_part(&body, r);
            int axis = (n + k) % 3;
            Vec3 half = vec3(axis == 0 ? l / 2 : 0, axis == 1 ? l / 2 : 0, axis == 2 ? l / 2 : 0);
            put_vertex(&body, half);
            put_vertex(&body, scale(-1, half));
        }
        Vec3 at;
        Solid solid = built(&body, &at);
        double one = pi * r * r * l + 4 * pi / 3 * r * r * r, both = 16.0 / 3 * r * r * r;
        CHECK_CLOSE(solid.volume, 2 * one - both, 1e-5 * both / one);
        check_point(at, vec3(0, 0, 0), 1e-6);
        scr_solid_free(&solid);
    }
}

/* The two halves of a rounded box, cut anywhere, with an overlap: the whole box. */
static void rounded_halves(void) {
    for (int n = 0; n < 3; n += CHECK_STRIDE) {
        Vec3 half = vec3(n == 0 ? 1.5 : 0.5, n == 1 ? 1.5 : 0.6, n == 2 ? 1.5 : 0.7),
             step = vec3(n == 0, n == 1, n == 2);
        clear(&body);
        clear(&other);
        put_box(&other, vec3(0, 0, 0), half, 0.3);
        Vec3 cut = sub(half, scale(0.5, step));
        put_box(&body, scale(0.5, step), cut, 0.3);
        put_box(&body, scale(-0.5, step), cut, 0.3);
        check_same(1e-5);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(overlapping_cubes);
    CHECK_RUN(four_cubes_around_a_corner);
    CHECK_RUN(stella_octangula);
    CHECK_RUN(parts_within_parts);
    CHECK_RUN(random_hulls_agree_with_columns);
    CHECK_RUN(parts_that_are_not_convex);
    CHECK_RUN(snowmen);
    CHECK_RUN(rows_of_balls);
    CHECK_RUN(crossed_rods);
    CHECK_RUN(rounded_halves);
    return check_result();
}

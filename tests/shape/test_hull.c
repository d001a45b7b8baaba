/* Convex hulls of points in any position. */
#include "shape/solid_points.h"

#include "shape/orient.h"

#include <stdlib.h>

static Points set;

/* ---------------------------------------------------------------- signs */

__extension__ typedef __int128 Wide;

static int sign_of_integers(const long long v[4][3]) {
    Wide d[3][3];
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            d[r][c] = v[r + 1][c] - v[0][c];
        }
    }
    Wide det = d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) -
               d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
               d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
    return det > 0 ? 1 : det < 0 ? -1 : 0;
}

/* Integers of up to 38 bits, whose determinant an integer of 128 bits holds; points moved off the
 * plane of the others by one unit or none, where sums in doubles are wrong. */
static void signs_are_exact(void) {
    uint64_t state = 0;
    int zeros = 0, wrong_in_doubles = 0;
    for (int n = 0; n < 20000; n++) {
        long long v[4][3];
        for (int k = 0; k < 9; k++) {
            v[k / 3][k % 3] = (long long)drawn(&state, -0x1p36, 0x1p36);
        }
        int s = (int)drawn(&state, -2, 3), t = (int)drawn(&state, -2, 3);
        int off = n % 3 == 0 ? 0 : 1;
        for (int c = 0; c < 3; c++) {
            v[3][c] = v[0][c] + s * (v[1][c] - v[0][c]) + t * (v[2][c] - v[0][c]);
            v[3][c] += off == 0 ? 0 : (long long)drawn(&state, -1.5, 2);
        }
        Vec3 p[4];
        double scaling = ldexp(1, (int)drawn(&state, -200, 180));
        for (int k = 0; k < 4; k++) {
            p[k] = vec3(scaling * (double)v[k][0], scaling * (double)v[k][1],
                        scaling * (double)v[k][2]);
        }
        int expected = sign_of_integers((const long long(*)[3])v);
        CHECK(scr_orient(p[0], p[1], p[2], p[3]) == expected);
        Vec3 a = sub(p[1], p[0]), b = sub(p[2], p[0]), c = sub(p[3], p[0]);
        double plain = dot(cross(a, b), c);
        zeros += expected == 0;
        wrong_in_doubles += (plain > 0) - (plain < 0) != expected;
    }
    CHECK(zeros > 5000); /* the cases are hard ones */
    CHECK(wrong_in_doubles > 1000);
}

/* ---------------------------------------------------------------- what must always hold */

/* A closed convex surface, all points within, no flat edge. */
static void check_hull(const Points *p, HullKind kind, int vertices, int faces) {
    Hull hull = {0};
    Polyhedron made = {0};
    CHECK(scr_hull(p->point, p->count, &hull));
    CHECK(hull.kind == kind);
    if (vertices > 0) {
        CHECK(hull.vertices == vertices);
    }
    if (faces > 0) {
        CHECK(hull.face.faces == faces);
    }
    CHECK(build_hull(p, &hull, &made) == SCREE_OK);
    if (kind == HULL_SOLID && made.faces > 0) {
        CHECK(made.vertices - made.edges + made.faces == 2);
        CHECK(made.convex);
        double most = -INFINITY;
        for (size_t k = 0; k < p->count; k++) {
            for (int32_t f = 0; f < made.faces; f++) {
                most = scr_max(most, dot(made.face[f].normal, p->point[k]) - made.face[f].offset);
            }
        }
        CHECK(most <= 2 * hull.tolerance);
        for (int32_t v = 0; v < made.vertices; v++) {
            CHECK(made.star_first[v + 1] - made.star_first[v] >= 3);
        }
    }
    scr_polyhedron_free(&made);
    scr_hull_free(&hull);
}

/* ---------------------------------------------------------------- against all triples */

/* Every triple of points is a side of the hull if no point lies outside of it. */
static void hulls_of_few_points_are_those_of_all_triples(void) {
    uint64_t state = 100;
    for (int n = 0; n < 300; n++) {
        set.count = (size_t)drawn(&state, 4, 14);
        for (size_t k = 0; k < set.count; k++) {
            set.point[k] = drawn_in_cube(&state);
        }
        bool corner[14] = {false};
        int sides = 0;
        for (size_t i = 0; i < set.count; i++) {
            for (size_t j = 0; j < set.count; j++) {
                for (size_t k = j + 1; k < set.count && i < j; k++) {
                    Vec3 a = set.point[i], b = sub(set.point[j], a), c = sub(set.point[k], a);
                    int above = 0, below = 0;
                    for (size_t l = 0; l < set.count; l++) {
                        double d = dot(cross(b, c), sub(set.point[l], a));
                        above += l != i && l != j && l != k && d > 0;
                        below += l != i && l != j && l != k && d < 0;
                    }
                    if (above == 0 || below == 0) {
                        corner[i] = corner[j] = corner[k] = true;
                        sides++;
                    }
                }
            }
        }
        Hull hull = {0};
        CHECK(scr_hull(set.point, set.count, &hull));
        CHECK(hull.face.faces == sides);
        int32_t at = 0;
        for (int32_t k = 0; k < (int32_t)set.count; k++) {
            bool named = at < hull.vertices && hull.vertex[at] == k;
            CHECK(named == corner[k]);
            at += named;
        }
        scr_hull_free(&hull);
    }
}

/* ---------------------------------------------------------------- regular sets */

static void cubes_of_points_have_six_faces(void) {
    uint64_t state = 200;
    for (int n = 2; n <= 12; n += 2) {
        for (int turned = 0; turned < 6; turned++) {
            fill_grid(&set, n);
            Vec3 far = scale(turned < 4 ? 0 : 1e5, drawn_in_cube(&state));
            double size = turned % 2 == 0 ? 1 : turned == 1 ? 1e-30 : 1e25;
            if (turned > 0) {
                turn_points(&set, drawn_rotation(&state), size, scale(size, far));
            }
            check_hull(&set, HULL_SOLID, 8, 6);
        }
    }
}

static void noise_below_the_tolerance_is_none(void) {
    uint64_t state = 300;
    for (int n = 0; n < 8; n++) {
        fill_grid(&set, 7);
        turn_points(&set, drawn_rotation(&state), 1, vec3(0.3, 0.2, 0.1));
        for (size_t k = 0; k < set.count; k++) {
            set.point[k] = add_scaled(set.point[k], 3e-11 * n, drawn_in_cube(&state));
        }
        check_hull(&set, HULL_SOLID, 8, 6);
    }
}

/* Whatever the noise, the surface closes around the points. */
static void noise_of_any_size_leaves_a_closed_surface(void) {
    uint64_t state = 400;
    for (int n = 0; n < 60; n++) {
        fill_grid(&set, 5);
        turn_points(&set, drawn_rotation(&state), 1, vec3(0, 0, 0));
        double noise = ldexp(1, -54 + n % 30);
        for (size_t k = 0; k < set.count; k++) {
            set.point[k] = add_scaled(set.point[k], noise, drawn_in_cube(&state));
        }
        check_hull(&set, HULL_SOLID, 0, 0);
    }
}

static void points_on_a_sphere_are_all_vertices(void) {
    uint64_t state = 500;
    for (int n = 4; n <= 2048; n *= 2) {
        set.count = (size_t)n;
        for (int k = 0; k < n; k++) {
            set.point[k] = drawn_direction(&state);
        }
        check_hull(&set, HULL_SOLID, n, 2 * n - 4);
    }
}

/* Rings of n points, in single precision: two faces and n sides of four corners, which are flat to
 * 1e-7 only, or each of two triangles; in double precision all have four. */
static void prisms_have_two_faces_and_their_sides(void) {
    uint64_t state = 600;
    for (int n = 3; n <= 400; n = 2 * n + 1) {
        Quat q = drawn_rotation(&state);
        set.count = (size_t)(2 * n);
        for (int k = 0; k < n; k++) {
            double angle = 2 * 3.14159265358979323846 * k / n;
            set.point[k] = vec3(scr_cos(angle), scr_sin(angle), -0.5);
            set.point[n + k] = vec3(scr_cos(angle), scr_sin(angle), 0.5);
        }
        turn_points(&set, q, 1, vec3(0, 0, 0));
        check_hull(&set, HULL_SOLID, 2 * n, n + 2);
        for (int k = 0; k < 2 * n; k++) {
            Vec3 p = set.point[k];
            set.point[k] = vec3((float)p.x, (float)p.y, (float)p.z);
        }
        check_hull(&set, HULL_SOLID, 2 * n, 0);
    }
}

/* ---------------------------------------------------------------- flat and long sets */

/* Stretching by powers of two turns no sign: the same vertices and the same faces. */
static void flat_and_long_sets_have_the_hull_of_round_ones(void) {
    uint64_t state = 700;
    for (int n = 0; n < 200; n++) {
        set.count = 20;
        for (size_t k = 0; k < set.count; k++) {
            set.point[k] = drawn_in_cube(&state);
        }
        Hull round = {0}, thin = {0};
        CHECK(scr_hull(set.point, set.count, &round));
        double x = n % 2 == 0 ? 1 : 0x1p-20;
        for (size_t k = 0; k < set.count; k++) {
            set.point[k].x *= x;
            set.point[k].z *= 0x1p-20;
        }
        CHECK(scr_hull(set.point, set.count, &thin));
        CHECK(thin.kind == HULL_SOLID);
        CHECK(thin.vertices == round.vertices && thin.face.faces == round.face.faces);
        CHECK(thin.face.corner_count == round.face.corner_count &&
              memcmp(thin.face.corner, round.face.corner,
                     (size_t)thin.face.corner_count * sizeof *thin.face.corner) == 0);
        scr_hull_free(&round);
        scr_hull_free(&thin);
    }
    fill_grid(&set, 8); /* a plank of 1e6 : 1 : 1, turned */
    for (size_t k = 0; k < set.count; k++) {
        set.point[k].x *= 1e6;
    }
    turn_points(&set, drawn_rotation(&state), 1, vec3(0, 0, 0));
    check_hull(&set, HULL_SOLID, 8, 6);
}

static void points_that_span_no_volume_are_told_apart(void) {
    uint64_t state = 800;
    for (int n = 0; n < 40; n++) {
        Quat q = n == 0 ? (Quat){1, 0, 0, 0} : drawn_rotation(&state);
        double size = ldexp(1, 5 * (n % 20) - 50);
        Vec3 shift = scale(n < 20 ? 0 : 1e4 * size, drawn_in_cube(&state));
        fill_grid(&set, 6); /* a plate of 36 points, each six times */
        for (size_t k = 0; k < set.count; k++) {
            set.point[k].z = 0;
        }
        turn_points(&set, q, size, shift);
        check_hull(&set, HULL_PLANE, 4, 2);
        fill_grid(&set, 6);
        for (size_t k = 0; k < set.count; k++) {
            set.point[k].z = set.point[k].x = 0;
        }
        turn_points(&set, q, size, shift);
        Vec3 end[2] = {add(shift, scale(size, quat_rotate(q, vec3(0, -1, 0)))),
                       add(shift, scale(size, quat_rotate(q, vec3(0, 1, 0))))};
        Hull hull = {0};
        CHECK(scr_hull(set.point, set.count, &hull));
        CHECK(hull.kind == HULL_LINE && hull.vertices == 2);
        double far = 0;
        for (int k = 0; k < 2; k++) {
            Vec3 p = set.point[hull.vertex[k]];
            far = scr_max(far, scr_min(length(sub(p, end[0])), length(sub(p, end[1]))));
        }
        CHECK(far <= hull.tolerance);
        for (size_t k = 0; k < set.count; k++) {
            set.point[k] = shift;
        }
        CHECK(scr_hull(set.point, set.count, &hull));
        CHECK(hull.kind == HULL_POINT && hull.vertices == 1 && hull.vertex[0] == 0);
        scr_hull_free(&hull);
    }
}

/* A regular polygon with points on its sides: only its corners are left. */
static void plates_have_their_corners_only(void) {
    uint64_t state = 900;
    for (int n = 3; n < 200; n = 2 * n + 1) {
        set.count = (size_t)(3 * n);
        for (int k = 0; k < n; k++) {
            double a = 2 * 3.14159265358979323846 * k / n,
                   b = 2 * 3.14159265358979323846 * (k + 1) / n;
            Vec3 one = vec3(scr_cos(a), scr_sin(a), 0), other = vec3(scr_cos(b), scr_sin(b), 0);
            set.point[3 * k] = one;
            set.point[3 * k + 1] = add(scale(0.5, one), scale(0.5, other));
            set.point[3 * k + 2] = scale(0.5, one);
        }
        turn_points(&set, drawn_rotation(&state), 1, vec3(1, 2, 3));
        check_hull(&set, HULL_PLANE, n, 2);
        Hull hull = {0};
        CHECK(scr_hull(set.point, set.count, &hull));
        for (int32_t k = 0; k < hull.vertices; k++) {
            CHECK(hull.vertex[k] == 3 * k);
        }
        scr_hull_free(&hull);
    }
}

/* ---------------------------------------------------------------- order, doubles */

/* The same points in another order, and twice, have the same vertices and faces. */
static void order_and_repetition_do_not_matter(void) {
    uint64_t state = 1000;
    static Points other;
    for (int n = 0; n < 50; n++) {
        set.count = 40;
        for (size_t k = 0; k < set.count; k++) {
            set.point[k] = n % 2 == 0 ? drawn_in_cube(&state) : drawn_direction(&state);
        }
        other.count = 2 * set.count;
        for (size_t k = 0; k < set.count; k++) {
            size_t to = (k * 17 + (size_t)n) % set.count;
            other.point[to] = other.point[set.count + to] = set.point[k];
        }
        Hull one = {0}, two = {0};
        CHECK(scr_hull(set.point, set.count, &one) && scr_hull(other.point, other.count, &two));
        CHECK(one.vertices == two.vertices && one.face.faces == two.face.faces);
        for (int32_t k = 0; k < one.vertices; k++) {
            size_t to = ((size_t)one.vertex[k] * 17 + (size_t)n) % set.count;
            bool found = false;
            for (int32_t j = 0; j < two.vertices; j++) {
                found = found || (size_t)two.vertex[j] == to;
            }
            CHECK(found);
        }
        scr_hull_free(&one);
        scr_hull_free(&two);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(signs_are_exact);
    CHECK_RUN(hulls_of_few_points_are_those_of_all_triples);
    CHECK_RUN(cubes_of_points_have_six_faces);
    CHECK_RUN(noise_below_the_tolerance_is_none);
    CHECK_RUN(noise_of_any_size_leaves_a_closed_surface);
    CHECK_RUN(points_on_a_sphere_are_all_vertices);
    CHECK_RUN(prisms_have_two_faces_and_their_sides);
    CHECK_RUN(flat_and_long_sets_have_the_hull_of_round_ones);
    CHECK_RUN(points_that_span_no_volume_are_told_apart);
    CHECK_RUN(plates_have_their_corners_only);
    CHECK_RUN(order_and_repetition_do_not_matter);
    return check_result();
}

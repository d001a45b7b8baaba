/* What a box cuts out of disks, balls and shapes: closed forms, sums over divided boxes, and plain
 * numerical integration. */
#include "measure/overlap.h"

#include "check.h"
#include "math/elementary.h"
#include "measure/curve.h"

#include <stdint.h>

static uint64_t seed = 1;
static double random_number(double low, double high) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

/* ---------------------------------------------------------------- closed forms */

static void disks_in_boxes_have_closed_forms(void) {
    const double far[2] = {INFINITY, INFINITY}, none[2] = {-INFINITY, -INFINITY};
    const double origin[2] = {0, 0};
    CHECK_CLOSE(scr_disk_in_box(2, none, far), 4 * M_PI, 1e-15);
    CHECK_CLOSE(scr_disk_in_box(2, origin, far), M_PI, 1e-15);
    for (double d = -1.9; d < 2; d += 0.1) { /* a segment: r^2 acos(d / r) - d sqrt(r^2 - d^2) */
        const double low[2] = {d, -INFINITY};
        CHECK_NEAR(scr_disk_in_box(2, low, far), 4 * acos(d / 2) - d * sqrt(4 - d * d), 1e-14);
    }
    const double low[2] = {-0.1, -0.2}, high[2] = {0.3, 0.4};
    CHECK_CLOSE(scr_disk_in_box(2, low, high), 0.4 * 0.6, 1e-13); /* the box is inside */
    const double away[2] = {1.5, 1.5};
    CHECK_NEAR(scr_disk_in_box(2, away, far), 0, 1e-15); /* the corner is outside of the disk */
    /* a corner at (a, a) inside: by integration of sqrt(r^2 - x^2) - a from a to sqrt(r^2 - a^2) */
    double a = 1, b = sqrt(3.0);
    const double corner[2] = {a, a};
    double expected = 0.5 * (b * a - a * b) + 2 * (asin(b / 2) - asin(a / 2)) - a * (b - a);
    CHECK_CLOSE(scr_disk_in_box(2, corner, far), expected, 1e-13);
}

/* Boxes with a side that touches the disk, from outside and from inside, along each axis in both
 * directions: the disk then counts not at all, or entirely. Odd offsets test the rounding. */
static void disk_that_touches_a_side_is_out_or_in(void) {
    for (int k = 0; k < 400; k++) {
        double r = 0.5 + 0.37 * k, far = 40 * r;
        for (int axis = 0; axis < 2; axis++) {
            double low[2] = {-far, -far}, high[2] = {far, far};
            high[axis] = -r;
            CHECK_NEAR(scr_disk_in_box(r, low, high), 0, 1e-13 * r * r);
            high[axis] = r;
            CHECK_CLOSE(scr_disk_in_box(r, low, high), M_PI * r * r, 1e-13);
            low[axis] = -r;
            CHECK_CLOSE(scr_disk_in_box(r, low, high), M_PI * r * r, 1e-13);
            high[axis] = far;
            CHECK_CLOSE(scr_disk_in_box(r, low, high), M_PI * r * r, 1e-13);
            low[axis] = r;
            CHECK_NEAR(scr_disk_in_box(r, low, high), 0, 1e-13 * r * r);
        }
    }
}

static void balls_in_boxes_have_closed_forms(void) {
    const double far[3] = {INFINITY, INFINITY, INFINITY};
    const double none[3] = {-INFINITY, -INFINITY, -INFINITY}, origin[3] = {0, 0, 0};
    double whole = 4.0 / 3 * M_PI * 27;
    CHECK_CLOSE(scr_ball_in_box(3, none, far), whole, 1e-15);
    CHECK_CLOSE(scr_ball_in_box(3, origin, far), whole / 8, 1e-14);
    for (int axis = 0; axis < 3; axis++) {
        for (double d = -2.9; d < 3; d += 0.1) { /* a cap: pi (r - d)^2 (2 r + d) / 3 */
            double low[3] = {-INFINITY, -INFINITY, -INFINITY};
            low[axis] = d;
            CHECK_NEAR(scr_ball_in_box(3, low, far), M_PI / 3 * (3 - d) * (3 - d) * (6 + d),
                       1e-13 * whole);
        }
    }
    const double low[3] = {-0.1, -0.2, -0.3}, high[3] = {0.3, 0.4, 0.5};
    CHECK_CLOSE(scr_ball_in_box(3, low, high), 0.4 * 0.6 * 0.8, 1e-11);
    const double slab_low[3] = {-3, -INFINITY, -3}, slab_high[3] = {-1, 3, INFINITY};
    CHECK_CLOSE(scr_ball_in_box(3, slab_low, slab_high), M_PI / 3 * 4 * 7, 1e-13); /* it touches */
    const double sliver[3] = {0, 1e-9, -1e-9};
    CHECK_CLOSE(scr_ball_in_box(3, sliver, far), whole / 8, 1e-8);
    const double away[3] = {1.8, 1.8, 1.8};
    CHECK_NEAR(scr_ball_in_box(3, away, far), 0, 1e-13);
    /* a cube into which the ball just fits, and one that just fits into the ball */
    const double in[3] = {-3, -3, -3}, out[3] = {3, 3, 3};
    CHECK_CLOSE(scr_ball_in_box(3, in, out), whole, 1e-15);
    double s = sqrt(3.0);
    const double small_low[3] = {-s, -s, -s}, small_high[3] = {s, s, s};
    CHECK_CLOSE(scr_ball_in_box(3, small_low, small_high), 8 * s * s * s, 1e-13);
}

/* ---------------------------------------------------------------- sums and integrals */

/* A box cut into eight at a random point. */
static void parts_of_a_ball_add_up(void) {
    for (int round = 0; round < 2000; round++) {
        double low[3], cut[3], high[3], sum = 0, r = random_number(0.5, 2);
        for (int k = 0; k < 3; k++) {
            low[k] = random_number(-2, 1);
            high[k] = low[k] + random_number(0, 3);
            cut[k] = round % 5 == 0 ? 0.5 * (low[k] + high[k]) : random_number(low[k], high[k]);
        }
        for (int part = 0; part < 8; part++) {
            double from[3], to[3];
            for (int k = 0; k < 3; k++) {
                from[k] = part & (1 << k) ? cut[k] : low[k];
                to[k] = part & (1 << k) ? high[k] : cut[k];
            }
            sum += scr_ball_in_box(r, from, to);
        }
        CHECK_NEAR(sum, scr_ball_in_box(r, low, high), 1e-13 * r * r * r * 30);
    }
}

/* Disks stacked along an axis: Simpson's rule in the angle t of z = r sin t, in which slices are
 * smooth except for kinks; the error of the rule is measured by halving the step. */
static double ball_by_slices(double r, const double low[3], const double high[3], int axis,
                             int slices) {
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double from[2] = {low[u], low[v]}, to[2] = {high[u], high[v]};
    double begin = asin(fmax(-1, fmin(1, low[axis] / r)));
    double end = asin(fmax(-1, fmin(1, high[axis] / r))), sum = 0;
    for (int k = 0; k <= 2 * slices; k++) {
        double t = begin + (end - begin) * k / (2.0 * slices), rho = r * cos(t);
        double weight = k == 0 || k == 2 * slices ? 1 : k % 2 == 1 ? 4 : 2;
        sum += weight * (rho > 0 ? scr_disk_in_box(rho, from, to) * rho : 0);
    }
    return sum * (end - begin) / (6.0 * slices);
}

static void balls_match_integrated_slices(void) {
    for (int round = 0; round < 60; round++) {
        double low[3], high[3], r = random_number(0.5, 2);
        for (int k = 0; k < 3; k++) {
            low[k] = random_number(-2, 1);
            high[k] = low[k] + random_number(0, 3);
        }
        double exact = scr_ball_in_box(r, low, high);
        for (int axis = 0; axis < 3; axis++) {
            double coarse = ball_by_slices(r, low, high, axis, 400);
            double fine = ball_by_slices(r, low, high, axis, 1600);
            CHECK_NEAR(exact, fine, 1e-11 + fabs(fine - coarse));
            CHECK_NEAR(exact, fine, 1e-6);
        }
    }
}

/* ---------------------------------------------------------------- shapes */

static ScreeShape made(const ScreeShapeDef *def, ScreeVec3 *corner) {
    ScreeShape shape;
    ScreeStatus status = scree_shape_def_measure(def, &shape, NULL);
    CHECK(status == SCREE_OK);
    for (size_t k = 0; k < shape.corners; k++) {
        corner[k] = (ScreeVec3){def->corner[k].x - shape.centroid.x,
                                def->corner[k].y - shape.centroid.y, 0};
    }
    shape.def.corner = corner;
    return shape;
}

static double shape_in(const ScreeShape *s, double angle, double x1, double y1, double x2,
                       double y2) {
    const double low[2] = {x1, y1}, high[2] = {x2, y2};
    return scr_shape_in_box(s, cos(angle), sin(angle), low, high);
}

/* A hook with a reflex corner, and a rod: sharp and rounded. */
static const ScreeVec3 hook[] = {{0, 0, 0}, {4, 0, 0}, {4, 1, 0}, {1, 1, 0}, {1, 3, 0}, {0, 3, 0}};
static const ScreeVec3 rod[] = {{-1, 0, 0}, {1, 0, 0}};

static void shapes_in_boxes_have_closed_forms(void) {
    const ScreeShapePart sharp = {6, 0}, soft = {6, 0.25}, bar = {2, 0.5};
    ScreeVec3 room[6];
    ScreeShapeDef def = {&sharp, 1, hook};
    ScreeShape s = made(&def, room);
    double x = s.centroid.x, y = s.centroid.y;
    CHECK_CLOSE(shape_in(&s, 0.3, -9, -9, 9, 9), 6.0, 1e-14);
    CHECK_CLOSE(shape_in(&s, 0, 0.5 - x, 0.5 - y, 2 - x, 2 - y), 0.5 * 1.5 + 0.5 * 1, 1e-13);
    /* 6 + perimeter r + a quarter of a disk at each of the five convex corners, less r^2 where two
     * strips overlap at the reflex one */
    def.part = &soft;
    ScreeShape t = made(&def, room);
    double r = 0.25;
    CHECK_CLOSE(shape_in(&t, 0, -9, -9, 9, 9), 6 + 14 * r + 5 * M_PI / 4 * r * r - r * r, 1e-13);
    CHECK_CLOSE(shape_in(&t, 1.1, -9, -9, 9, 9), t.area, 1e-13);
    def = (ScreeShapeDef){&bar, 1, rod};
    ScreeShape u = made(&def, room);
    CHECK_CLOSE(shape_in(&u, 0, -9, -9, 9, 9), 2 + M_PI / 4, 1e-14);
    CHECK_CLOSE(shape_in(&u, 0, 1, -9, 9, 9), M_PI / 8, 1e-13); /* the round end */
    CHECK_CLOSE(shape_in(&u, M_PI / 2, -9, 0, 9, 9), 1 + M_PI / 8, 1e-13);
    CHECK_CLOSE(shape_in(&u, 0, -0.5, 0, 0.5, 9), 0.5, 1e-13);
}

static void parts_of_a_shape_add_up(void) {
    const ScreeShapePart soft = {6, 0.25};
    ScreeVec3 room[6];
    const ScreeShapeDef def = {&soft, 1, hook};
    ScreeShape s = made(&def, room);
    for (int round = 0; round < 500; round++) {
        double angle = random_number(-4, 4), x = random_number(-3, 3), y = random_number(-3, 3);
        double sum = shape_in(&s, angle, -9, -9, x, y) + shape_in(&s, angle, x, -9, 9, y) +
                     shape_in(&s, angle, -9, y, x, 9) + shape_in(&s, angle, x, y, 9, 9);
        CHECK_CLOSE(sum, s.area, 1e-12);
    }
}

/* Whether a point lies within r of the hook, from its two bars. */
static bool in_hook(double x, double y, double r) {
    double dx = fmax(fmax(-x, x - 4), 0), dy = fmax(fmax(-y, y - 1), 0);
    double ex = fmax(fmax(-x, x - 1), 0), ey = fmax(fmax(-y, y - 3), 0);
    return dx * dx + dy * dy <= r * r || ex * ex + ey * ey <= r * r;
}

/* Points on a fine grid: the error is of the order of the perimeter times the spacing. */
static void shapes_match_counted_points(void) {
    const ScreeShapePart soft = {6, 0.25};
    ScreeVec3 room[6];
    const ScreeShapeDef def = {&soft, 1, hook};
    ScreeShape s = made(&def, room);
    for (int round = 0; round < 8; round++) {
        double angle = random_number(-4, 4), c = scr_cos(angle), w = scr_sin(angle);
        double x1 = random_number(-2, 0), x2 = random_number(0, 2);
        double y1 = random_number(-2, 0), y2 = random_number(0, 2);
        enum { POINTS = 700 };
        double inside = 0;
        for (int i = 0; i < POINTS * POINTS; i++) {
            double x = x1 + (x2 - x1) * (i % POINTS + 0.5) / POINTS;
            double y = y1 + (y2 - y1) * (i / POINTS + 0.5) / POINTS;
            inside += in_hook(c * x + w * y + s.centroid.x, c * y - w * x + s.centroid.y, 0.25);
        }
        double area = inside / POINTS / POINTS * (x2 - x1) * (y2 - y1);
        CHECK_NEAR(shape_in(&s, angle, x1, y1, x2, y2), area, 2e-3);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(disks_in_boxes_have_closed_forms);
    CHECK_RUN(disk_that_touches_a_side_is_out_or_in);
    CHECK_RUN(balls_in_boxes_have_closed_forms);
    CHECK_RUN(parts_of_a_ball_add_up);
    CHECK_RUN(balls_match_integrated_slices);
    CHECK_RUN(shapes_in_boxes_have_closed_forms);
    CHECK_RUN(parts_of_a_shape_add_up);
    CHECK_RUN(shapes_match_counted_points);
    return check_result();
}

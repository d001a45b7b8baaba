/* Area, centroid, gyration and radius of outlines: against closed forms, against an independent
 * line-by-line integration, and under everything that must not change them. */
#include "shape/outline_shapes.h"

#include <stdlib.h>

/* ---------------------------------------------------------------- closed forms */

/* Sums over simple pieces: area, first moments, polar moment about the origin. */
typedef struct Sum {
    double area, x, y, polar;
} Sum;

static void add_piece(Sum *sum, double area, double x, double y, double gyration) {
    sum->area += area;
    sum->x += area * x;
    sum->y += area * y;
    sum->polar += area * (gyration + x * x + y * y);
}
static void add_box(Sum *sum, double sign, double x0, double y0, double x1, double y1) {
    double w = x1 - x0, h = y1 - y0;
    add_piece(sum, sign * w * h, (x0 + x1) / 2, (y0 + y1) / 2, (w * w + h * h) / 12);
}
/* The sector of a disk about (x, y), of half-angle h about the direction `angle`: its centroid lies
 * at 2 r sin h / 3 h from the corner, its gyration about the corner is r^2 / 2. */
static void add_sector(Sum *sum, double x, double y, double r, double angle, double h) {
    double out = 2 * r * sin(h) / (3 * h);
    add_piece(sum, r * r * h, x + out * cos(angle), y + out * sin(angle), r * r / 2 - out * out);
}

static void check_sum(Shape shape, const Sum *sum, double radius) {
    ScreeShape m = measured(&shape);
    double x = sum->x / sum->area, y = sum->y / sum->area;
    CHECK_CLOSE(m.area, sum->area, 1e-13);
    CHECK_NEAR(m.centroid.x, x, 1e-13);
    CHECK_NEAR(m.centroid.y, y, 1e-13);
    CHECK(m.centroid.z == 0);
    CHECK_CLOSE(m.gyration, sum->polar / sum->area - x * x - y * y, 1e-12);
    CHECK_CLOSE(m.radius, radius, 1e-13);
}

static void simple_shapes_have_closed_forms(void) {
    const double r = 0.21, q = SHAPE_PI / 4;
    Sum sum = {0};
    add_box(&sum, 1, -1.5, -0.5, 1.5, 0.5);
    check_sum(rectangle(3, 1, 0), &sum, sqrt(2.5));

    sum = (Sum){0}; /* a triangle of sides a, b, c: gyration (a^2 + b^2 + c^2) / 36 */
    add_piece(&sum, 0.5 * (4 * 3 - 1 * 0), 5.0 / 3, 1, ((16 + 0) + (9 + 9) + (1 + 9)) / 36.0);
    check_sum(OUTLINE(0, 0, 0, 4, 0, 1, 3), &sum, sqrt(49 + 9) / 3);

    sum = (Sum){0}; /* L: a foot and a stem */
    add_box(&sum, 1, 0, 0, 3, 1);
    add_box(&sum, 1, 0, 1, 1, 4);
    double x = sum.x / sum.area, y = sum.y / sum.area;
    check_sum(OUTLINE(0, 0, 0, 3, 0, 3, 1, 1, 1, 1, 4, 0, 4), &sum, hypot(x, 4 - y));

    add_box(&sum, 1, 0, -r, 3, 0); /* the same, rounded: strips along the edges, */
    add_box(&sum, 1, 3, 0, 3 + r, 1);
    add_box(&sum, 1, 1, 1, 3, 1 + r);
    add_box(&sum, 1, 1, 1, 1 + r, 4);
    add_box(&sum, -1, 1, 1, 1 + r, 1 + r); /* two of which share a square in the notch, */
    add_box(&sum, 1, 0, 4, 1, 4 + r);
    add_box(&sum, 1, -r, 0, 0, 4);
    /* and a quarter of a disk at each of the five other corners */
    add_sector(&sum, 0, 0, r, 5 * q, q);
    add_sector(&sum, 3, 0, r, -q, q);
    add_sector(&sum, 3, 1, r, q, q);
    add_sector(&sum, 1, 4, r, q, q);
    add_sector(&sum, 0, 4, r, 3 * q, q);
    x = sum.x / sum.area;
    y = sum.y / sum.area;
    check_sum(OUTLINE(r, 0, 0, 3, 0, 3, 1, 1, 1, 1, 4, 0, 4), &sum, hypot(x, 4 - y) + r);

    sum = (Sum){0};
    add_box(&sum, 1, -1, -0.5, 1, 0.5);
    add_box(&sum, 1, -1 - r, -0.5, -1, 0.5);
    add_box(&sum, 1, 1, -0.5, 1 + r, 0.5);
    add_box(&sum, 1, -1, -0.5 - r, 1, -0.5);
    add_box(&sum, 1, -1, 0.5, 1, 0.5 + r);
    for (int k = 0; k < 4; k++) {
        add_sector(&sum, k == 0 || k == 3 ? 1 : -1, k < 2 ? 0.5 : -0.5, r, (2 * k + 1) * q, q);
    }
    check_sum(rectangle(2, 1, r), &sum, hypot(1, 0.5) + r);

    sum = (Sum){0}; /* a rod */
    add_box(&sum, 1, -1, -r, 1, r);
    add_sector(&sum, 1, 0, r, 0, 2 * q);
    add_sector(&sum, -1, 0, r, 4 * q, 2 * q);
    check_sum(OUTLINE(r, -1, 0, 1, 0), &sum, 1 + r);

    sum = (Sum){0}; /* a disk */
    add_piece(&sum, SHAPE_PI * r * r, 3, -2, r * r / 2);
    check_sum(OUTLINE(r, 3, -2), &sum, r);
}

/* Triangles from the centre to the sides: the gyration of a regular polygon is R^2 (2 + cos 2 pi /
 * n) / 6; that of a star with tips P and notches Q is (P^2 + P.Q + Q^2) / 6. */
static void regular_polygons_and_stars_have_closed_forms(void) {
    for (int n = 3; n <= 40; n++) {
        double a = 2 * SHAPE_PI / n, half = SHAPE_PI / n, outer = 1.3, inner = 0.5;
        Sum sum = {0};
        add_piece(&sum, n * outer * outer * sin(a) / 2, 0, 0, outer * outer * (2 + cos(a)) / 6);
        check_sum(star(n, outer, 0, 0), &sum, outer);
        sum = (Sum){0};
        add_piece(&sum, n * outer * inner * sin(half), 0, 0,
                  (outer * outer + outer * inner * cos(half) + inner * inner) / 6);
        if (inner < outer * cos(half)) {
            check_sum(star(n, outer, inner, 0), &sum, outer);
        }
        /* a rounded convex polygon has the area A + r P + pi r^2 (Steiner) */
        double r = 0.3, side = 2 * outer * sin(half);
        Shape s = star(n, outer, 0, r);
        CHECK_CLOSE(measured(&s).area,
                    n * outer * outer * sin(a) / 2 + r * n * side + SHAPE_PI * r * r, 1e-13);
        CHECK_CLOSE(measured(&s).radius, outer + r, 1e-13);
    }
}

/* C: a ring of n trapezia with one of them missing. */
static void broken_ring_is_a_sum_of_trapezia(void) {
    enum { N = 24 };
    Shape s = {.parts = 1, .corners = 2 * N};
    s.part[0] = (ScreeShapePart){2 * N, 0};
    double a = 2 * SHAPE_PI / N, outer = 2, inner = 1.5;
    for (int k = 0; k < N; k++) {
        s.corner[k] = vec3(outer * cos(a * k), outer * sin(a * k), 0);
        s.corner[2 * N - 1 - k] = vec3(inner * cos(a * k), inner * sin(a * k), 0);
    }
    Sum sum = {0};
    for (int k = 0; k + 1 < N; k++) {
        for (int ring = 0; ring < 2; ring++) { /* the triangle to the centre, outer less inner */
            double R = ring == 0 ? outer : inner, area = R * R * sin(a) / 2;
            double out = 2.0 / 3 * R * cos(a / 2), middle = a * (k + 0.5);
            add_piece(&sum, ring == 0 ? area : -area, out * cos(middle), out * sin(middle),
                      R * R * (2 + cos(a)) / 6 - out * out);
        }
    }
    double x = sum.x / sum.area, y = sum.y / sum.area, radius = 0;
    for (int k = 0; k < N; k++) {
        radius = fmax(radius, hypot(s.corner[k].x - x, s.corner[k].y - y));
    }
    check_sum(s, &sum, radius);
}

/* ---------------------------------------------------------------- line by line */

typedef struct Interval {
    double from, to;
} Interval;

static int by_start(const void *a, const void *b) {
    double x = ((const Interval *)a)->from, y = ((const Interval *)b)->from;
    return (x > y) - (x < y);
}

static void widen(Interval *i, double x) {
    i->from = fmin(i->from, x);
    i->to = fmax(i->to, x);
}

/* Where the segment p q meets the height y. */
static void widen_by_segment(Interval *i, Vec3 p, Vec3 q, double y) {
    if ((p.y > y) != (q.y > y)) {
        widen(i, p.x + (q.x - p.x) * (y - p.y) / (q.y - p.y));
    }
}

/* The points within r of the segment p q at the height y: a convex set, so one interval, between
 * the outermost points of two disks and a rectangle. */
static Interval capsule(Vec3 p, Vec3 q, double r, double y) {
    Interval i = {INFINITY, -INFINITY};
    const Vec3 end[2] = {p, q};
    for (int k = 0; k < 2; k++) {
        double h = r * r - (y - end[k].y) * (y - end[k].y);
        if (h > 0) {
            widen(&i, end[k].x - sqrt(h));
            widen(&i, end[k].x + sqrt(h));
        }
    }
    double l = hypot(q.x - p.x, q.y - p.y);
    Vec3 n = l > 0 ? vec3(r * (q.y - p.y) / l, -r * (q.x - p.x) / l, 0) : vec3(0, 0, 0);
    widen_by_segment(&i, add(p, n), add(q, n), y);
    widen_by_segment(&i, sub(p, n), sub(q, n), y);
    widen_by_segment(&i, add(p, n), sub(p, n), y);
    widen_by_segment(&i, add(q, n), sub(q, n), y);
    return i;
}

/* The union of the polygon and of a capsule about every edge, at the height y. */
static int line_through(const Shape *s, double y, Interval *interval) {
    int count = 0, crossings = 0, n = (int)s->corners;
    double x[SHAPE_MOST];
    for (int k = 0; k < n; k++) {
        Vec3 p = s->corner[k], q = s->corner[(k + 1) % n];
        Interval hit = {INFINITY, -INFINITY};
        widen_by_segment(&hit, p, q, y);
        if (hit.from <= hit.to) {
            int at = crossings++;
            for (; at > 0 && x[at - 1] > hit.from; at--) {
                x[at] = x[at - 1];
            }
            x[at] = hit.from;
        }
        if (s->part[0].rounding > 0) {
            Interval c = capsule(p, q, s->part[0].rounding, y);
            if (c.from < c.to) {
                interval[count++] = c;
            }
        }
    }
    for (int k = 0; k + 1 < crossings; k += 2) {
        interval[count++] = (Interval){x[k], x[k + 1]};
    }
    qsort(interval, (size_t)count, sizeof *interval, by_start);
    int kept = 0;
    for (int k = 0; k < count; k++) {
        if (kept > 0 && interval[k].from <= interval[kept - 1].to) {
            interval[kept - 1].to = fmax(interval[kept - 1].to, interval[k].to);
        } else {
            interval[kept++] = interval[k];
        }
    }
    return kept;
}

static Sum integrated(const Shape *s, int lines) {
    double low = INFINITY, high = -INFINITY, r = s->part[0].rounding;
    for (size_t k = 0; k < s->corners; k++) {
        low = fmin(low, s->corner[k].y - r);
        high = fmax(high, s->corner[k].y + r);
    }
    Sum sum = {0};
    double h = (high - low) / lines;
    for (int i = 0; i < lines; i++) {
        Interval interval[2 * SHAPE_MOST];
        double y = low + (i + 0.5) * h;
        int count = line_through(s, y, interval);
        for (int k = 0; k < count; k++) {
            double a = interval[k].from, b = interval[k].to;
            sum.area += h * (b - a);
            sum.x += h * (b * b - a * a) / 2;
            sum.y += h * (b - a) * y;
            sum.polar += h * ((b * b * b - a * a * a) / 3 + (b - a) * y * y);
        }
    }
    return sum;
}

/* The sums converge at least as h^1.5 (because of the root at the top of an arc). */
static void random_outlines_match_line_integration(void) {
    const int stride = CHECK_STRIDE == 1 ? 1 : 5; /* all numbers of corners, convex or not */
    int tried = 0, notched = 0;
    for (uint64_t trial = 0; trial < 60; trial += (uint64_t)stride) {
        uint64_t key = scr_random_key(11, trial, 0);
        double r = trial % 3 == 0 ? 0 : 0.2 * scr_random_unit(key, 1000);
        Shape s = trial % 4 == 3 ? random_convex(key, 3 + (int)(trial % 7), 1, 0.6, r)
                                 : random_star(key, 4 + (int)(trial % 9), 0.35, 1.2, r);
        ScreeShapeDef def = def_of(&s);
        char message[SCREE_MESSAGE_SIZE];
        if (scr_outline_check(&def, message) != SCREE_OK) {
            continue; /* its rounding closes a notch */
        }
        tried++;
        notched += trial % 4 != 3;
        ScreeShape m = measured(&s);
        Sum fine = integrated(&s, 20000);
        double x = fine.x / fine.area, y = fine.y / fine.area;
        CHECK_CLOSE(m.area, fine.area, 2e-6);
        CHECK_NEAR(m.centroid.x, x, 2e-6);
        CHECK_NEAR(m.centroid.y, y, 2e-6);
        CHECK_CLOSE(m.gyration, fine.polar / fine.area - x * x - y * y, 4e-6);
        double coarse = fabs(integrated(&s, 200).area - m.area);
        CHECK(fabs(fine.area - m.area) < coarse * 0.01 + 1e-8);
    }
    CHECK(tried * stride > 35 && notched * stride > 20);
}

/* ---------------------------------------------------------------- what changes nothing */

static void check_same(const Shape *s, const ScreeShape *m, double size, double angle, Vec3 shift,
                       double tolerance) {
    ScreeShape n = measured(s);
    double x = cos(angle) * m->centroid.x - sin(angle) * m->centroid.y;
    double y = sin(angle) * m->centroid.x + cos(angle) * m->centroid.y;
    CHECK_CLOSE(n.area, size * size * m->area, tolerance);
    CHECK_CLOSE(n.gyration, size * size * m->gyration, tolerance);
    CHECK_CLOSE(n.radius, size * m->radius, tolerance);
    CHECK_NEAR(n.centroid.x, shift.x + size * x, size * tolerance);
    CHECK_NEAR(n.centroid.y, shift.y + size * y, size * tolerance);
}

static void motion_numbering_and_size_change_nothing(void) {
    const Vec3 none = {0, 0, 0};
    for (uint64_t trial = 0; trial < 40; trial++) {
        uint64_t key = scr_random_key(12, trial, 0);
        Shape s = random_star(key, 5 + (int)(trial % 8), 0.5, 1, trial % 2 ? 0.05 : 0);
        ScreeShape m = measured(&s);
        double angle = 6 * scr_random_unit(key, 500);
        for (int backwards = 0; backwards < 2; backwards++) {
            Shape other = renumbered(&s, trial % s.corners, backwards == 1);
            check_same(&other, &m, 1, 0, none, 1e-13);
            other = moved(other, 1, angle, vec3(0.3, -2, 0));
            check_same(&other, &m, 1, angle, vec3(0.3, -2, 0), 1e-13);
        }
        const double sizes[] = {1e-9, 1e9};
        for (int k = 0; k < 2; k++) {
            Shape other = moved(s, sizes[k], angle, none);
            check_same(&other, &m, sizes[k], angle, none, 1e-12);
            /* a million sizes away: the corners are rounded to 1e-10 of the size */
            Vec3 away = vec3(1e6 * sizes[k], -7e5 * sizes[k], 0);
            other = moved(s, sizes[k], angle, away);
            check_same(&other, &m, sizes[k], angle, away, 2e-9);
        }
    }
}

/* Parts add up: masses, first moments, and inertia by the parallel axis theorem. */
static void measures_of_parts_add_up(void) {
    Shape a = star(5, 1, 0.5, 0.02), b = OUTLINE(0.3, 2, 0, 3, 1), c = OUTLINE(0.7, -1, 2);
    b = moved(b, 1, 0.3, vec3(0, 1, 0));
    Shape all = joined(joined(a, &b), &c);
    Sum sum = {0};
    const Shape *part[] = {&a, &b, &c};
    for (int k = 0; k < 3; k++) {
        ScreeShape m = measured(part[k]);
        add_piece(&sum, m.area, m.centroid.x, m.centroid.y, m.gyration);
    }
    double x = sum.x / sum.area, y = sum.y / sum.area, radius = hypot(-1 - x, 2 - y) + 0.7;
    for (size_t k = 0; k < all.corners; k++) {
        double r = k < 10 ? 0.02 : k < 12 ? 0.3 : 0.7;
        radius = fmax(radius, hypot(all.corner[k].x - x, all.corner[k].y - y) + r);
    }
    check_sum(all, &sum, radius);
    CHECK(measured(&all).corners == 13);
    /* two copies, side by side or on top of each other, weigh twice as much */
    Shape twice = joined(a, &a);
    CHECK_CLOSE(measured(&twice).area, 2 * measured(&a).area, 1e-14);
    CHECK_CLOSE(measured(&twice).gyration, measured(&a).gyration, 1e-13);
}

/* ---------------------------------------------------------------- corners and edges */

static void normalised_outlines_are_centred_and_counterclockwise(void) {
    for (uint64_t trial = 0; trial < 60; trial++) {
        uint64_t key = scr_random_key(13, trial, 0);
        double size = trial % 3 == 0 ? 1e-9 : trial % 3 == 1 ? 1 : 1e9;
        Shape s = random_star(key, 4 + (int)(trial % 6), 0.3, 1, 0);
        Shape disk = OUTLINE(0.2, 0.4, 0.1);
        s = joined(renumbered(&s, 0, trial % 2 == 1), &disk);
        s = moved(s, size, 0, vec3(trial % 4 == 0 ? 1e6 * size : 0, 3 * size, 0));
        ScreeShapeDef def = def_of(&s);
        ScreeShape m = measured(&s);
        Shape n = s;
        scr_outline_normalise(&def, m.centroid, n.corner);
        ScreeShape again = measured(&n);
        CHECK_NEAR(again.centroid.x, 0, 1e-15 * size);
        CHECK_NEAR(again.centroid.y, 0, 1e-15 * size);
        CHECK_CLOSE(again.area, m.area, 1e-13);
        CHECK_CLOSE(again.gyration, m.gyration, 1e-13);
        /* the first corner stays the first, and the area is positive: the outline is
         * counterclockwise */
        CHECK_NEAR(n.corner[0].x, s.corner[0].x - m.centroid.x, 1e-9 * size);
        double area = 0;
        int32_t count = n.part[0].corners;
        for (int32_t k = 0; k < count; k++) {
            Vec3 p = n.corner[k], q = n.corner[(k + 1) % count];
            area += (p.x * q.y - p.y * q.x) / 2;
        }
        CHECK(area > 0);
    }
    /* a square keeps its corners to the bit */
    Shape s = rectangle(1, 1, 0);
    Vec3 corner[4];
    ScreeShapeDef def = def_of(&s);
    scr_outline_normalise(&def, measured(&s).centroid, corner);
    for (int k = 0; k < 4; k++) {
        CHECK(fabs(corner[k].x) == 0.5 && fabs(corner[k].y) == 0.5);
    }
}

static void edges_and_boxes_follow_the_turning(void) {
    Shape s = OUTLINE(0.1, -1, -1, 1, -1, 1, 0, 0, 0, 0, 1, -1, 1); /* L: corner 3 is reflex */
    Shape rod = OUTLINE(0.3, 2, 0, 2, 1), disk = OUTLINE(0.5, 0, -3);
    s = joined(joined(s, &rod), &disk);
    OutlinePart part[3] = {{0, 6, 0.1}, {6, 2, 0.3}, {8, 1, 0.5}};
    Corner edge[9], to[9];
    scr_outline_edges(part, 3, s.corner, edge);
    for (int k = 0; k < 9; k++) {
        CHECK(edge[k].reflex == (k == 3));
        int next = k < 6 ? (k + 1) % 6 : k == 6 ? 7 : 6;
        if (k < 8) {
            CHECK_NEAR(edge[k].x + edge[k].length * edge[k].tx, s.corner[next].x, 1e-15);
            CHECK_NEAR(edge[k].y + edge[k].length * edge[k].ty, s.corner[next].y, 1e-15);
        }
    }
    CHECK(edge[8].tx == 0 && edge[8].ty == 0 && edge[8].length == 0);
    for (int k = 0; k < 100; k++) {
        double angle = 0.0777 * k, low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
        Outline o;
        scr_outline_turn(edge, part, 3, quat_from_turn(vec3(0, 0, angle)), to, &o);
        CHECK(o.corner == to && o.part == part && o.parts == 3);
        for (int i = 0; i < 9; i++) {
            double r = i < 6 ? 0.1 : i < 8 ? 0.3 : 0.5;
            double x = cos(angle) * s.corner[i].x - sin(angle) * s.corner[i].y;
            double y = sin(angle) * s.corner[i].x + cos(angle) * s.corner[i].y;
            CHECK_NEAR(to[i].x, x, 4e-15);
            CHECK_NEAR(to[i].y, y, 4e-15);
            CHECK_NEAR(to[i].tx, cos(angle) * edge[i].tx - sin(angle) * edge[i].ty, 2e-15);
            CHECK_NEAR(to[i].ty, sin(angle) * edge[i].tx + cos(angle) * edge[i].ty, 2e-15);
            CHECK(to[i].length == edge[i].length && to[i].reflex == edge[i].reflex);
            low[0] = fmin(low[0], x - r);
            low[1] = fmin(low[1], y - r);
            high[0] = fmax(high[0], x + r);
            high[1] = fmax(high[1], y + r);
        }
        for (int i = 0; i < 2; i++) {
            CHECK_NEAR(o.low[i], low[i], 4e-15);
            CHECK_NEAR(o.high[i], high[i], 4e-15);
        }
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(simple_shapes_have_closed_forms);
    CHECK_RUN(regular_polygons_and_stars_have_closed_forms);
    CHECK_RUN(broken_ring_is_a_sum_of_trapezia);
    CHECK_RUN(random_outlines_match_line_integration);
    CHECK_RUN(motion_numbering_and_size_change_nothing);
    CHECK_RUN(measures_of_parts_add_up);
    CHECK_RUN(normalised_outlines_are_centred_and_counterclockwise);
    CHECK_RUN(edges_and_boxes_follow_the_turning);
    return check_result();
}

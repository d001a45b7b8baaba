/* The curves that are drawn for rounded outlines. */
#include "check.h"

#include <scree/scree.h>

#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* The drawn points, as pairs of numbers. */
typedef struct Curve {
    double *point;
    size_t count;
} Curve;

static bool draw(const double *corner, size_t count, double rounding, Curve *curve) {
    enum { ROOM = 4096 };
    static ScreeVec3 given[64], drawn[ROOM];
    const ScreeShapePart part = {(int32_t)count, rounding};
    memcpy(given, corner, count * sizeof *given);
    curve->count = 7; /* room for a few only at first: their total number is returned */
    size_t *points = &curve->count;
    bool ok = scree_shape_part_draw(&part, given, drawn, points) == SCREE_OK;
    size_t all = *points;
    *points = ROOM;
    ok = ok && scree_shape_part_draw(&part, given, drawn, points) == SCREE_OK && *points == all;
    free(curve->point);
    curve->point = malloc(2 * (all + 1) * sizeof *curve->point);
    for (size_t i = 0; ok && i < all && i < ROOM; i++) {
        curve->point[2 * i] = drawn[i].x;
        curve->point[2 * i + 1] = drawn[i].y;
    }
    return ok && all <= ROOM;
}

static double distance_to_edge(const double *a, const double *b, const double *p) {
    double x = b[0] - a[0], y = b[1] - a[1], square = x * x + y * y;
    double s = square > 0 ? ((p[0] - a[0]) * x + (p[1] - a[1]) * y) / square : 0;
    s = fmin(fmax(s, 0), 1);
    return hypot(p[0] - a[0] - s * x, p[1] - a[1] - s * y);
}

static double distance_to_polygon(const double *corner, size_t count, const double *p) {
    double least = INFINITY;
    for (size_t i = 0; i < count; i++) {
        least = fmin(least, distance_to_edge(&corner[3 * i], &corner[3 * ((i + 1) % count)], p));
    }
    return least;
}

static double area_of(const double *point, size_t count, size_t width) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        const double *p = &point[width * i], *q = &point[width * ((i + 1) % count)];
        sum += 0.5 * (p[0] * q[1] - p[1] * q[0]);
    }
    return sum;
}

/* Every point of the curve is at the distance of the rounding from the polygon, up to the sagitta
 * of the short lines that make the arcs. */
static void follows(const double *corner, size_t count, double rounding, const Curve *curve) {
    double flat = rounding * (1 - cos(pi / 48)) + 1e-12;
    for (size_t i = 0; i < curve->count; i++) {
        double away = distance_to_polygon(corner, count, &curve->point[2 * i]);
        CHECK(away >= rounding - flat && away <= rounding + 1e-12);
    }
}

/* Area of an arc made of lines: a turn by `turn` in lines of at most pi / 24 each. */
static double fan(double turn) {
    double lines = ceil(turn / pi * 24 - 1e-9);
    return 0.5 * lines * sin(turn / lines);
}

/* Area of all points within r: that of the polygon, r along all edges, r^2 / 2 times the turn at
 * left turns, and less r^2 tan(turn / 2) at right turns, which two edges cover twice. */
static double rounded_area(const double *corner, size_t count, double r) {
    double sum = area_of(corner, count, 3);
    for (size_t i = 0; i < count; i++) {
        const double *a = &corner[3 * i], *b = &corner[3 * ((i + 1) % count)],
                     *c = &corner[3 * ((i + 2) % count)];
        double in[2] = {b[0] - a[0], b[1] - a[1]}, out[2] = {c[0] - b[0], c[1] - b[1]};
        double turn = atan2(in[0] * out[1] - in[1] * out[0], in[0] * out[0] + in[1] * out[1]);
        turn = count == 2 ? pi : turn;
        sum += r * hypot(in[0], in[1]) + r * r * (turn > 0 ? fan(turn) : -tan(-turn / 2));
    }
    return sum;
}

static void rounded(const double *corner, size_t count, double rounding) {
    Curve curve = {0};
    CHECK(draw(corner, count, rounding, &curve));
    follows(corner, count, rounding, &curve);
    CHECK_CLOSE(area_of(curve.point, curve.count, 2), rounded_area(corner, count, rounding), 1e-12);
    free(curve.point);
}

static const double square[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
static const double rod[] = {-1, 0.5, 0, 2, 1, 0};
static const double hook[] = {0, 0, 0, 2, 0, 0, 2, 1, 0, 1, 1, 0, 1, 2, 0, 0, 2, 0};
static const double star[] = {2,  0, 0, 0.5, 0.5, 0, 0,   2,    0, -0.5, 0.5,  0,
                              -2, 0, 0, -1,  -1,  0, 0.1, -1.9, 0, 0.7,  -0.6, 0};

static void rounded_corners_are_drawn_as_arcs(void) {
    for (int k = 1; k < 6; k++) {
        rounded(square, 4, 0.1 * k);
        rounded(rod, 2, 0.3 * k);
        rounded(hook, 6, 0.07 * k);
        rounded(star, 8, 0.04 * k);
    }
}

static void sharp_corners_stay_and_disks_are_round(void) {
    static const double centre[3] = {3, -4, 0};
    Curve curve = {0};
    CHECK(draw(hook, 6, 0, &curve) && curve.count == 6);
    CHECK(area_of(curve.point, curve.count, 2) == 3);
    CHECK(draw(centre, 1, 2.5, &curve) && curve.count == 48);
    follows(centre, 1, 2.5, &curve);
    CHECK_CLOSE(area_of(curve.point, curve.count, 2), 2 * fan(pi) * 2.5 * 2.5, 1e-12);
    free(curve.point);
}

/* A U whose slot, one wide and two deep, is filled by a rounding of more than one half: the outline
 * is that of the rounded square around it except for a notch between the two round tips. Each tip
 * reaches over the middle; under its arc from there to the top, x from 0 to 1/2, the height
 * sqrt(r^2 - x^2) is missing from r. */
static void closing_slots_are_filled(void) {
    static const double slotted[] = {0, 0, 0, 3, 0, 0, 3, 3, 0, 2, 3, 0,
                                     2, 1, 0, 1, 1, 0, 1, 3, 0, 0, 3, 0};
    static const double whole[] = {0, 0, 0, 3, 0, 0, 3, 3, 0, 0, 3, 0};
    for (double r = 0.55; r < 0.9; r += 0.1) {
        Curve curve = {0};
        CHECK(draw(slotted, 8, r, &curve));
        follows(slotted, 8, r, &curve);
        double under = 0.25 * sqrt(r * r - 0.25) + 0.5 * r * r * asin(0.5 / r);
        double notch = 2 * (0.5 * r - under);
        CHECK_CLOSE(area_of(curve.point, curve.count, 2), rounded_area(whole, 4, r) - notch, 1e-3);
        free(curve.point);
    }
}

/* Triangles of a curve drawn around a polygon, all counterclockwise; their area together. */
static double filled_area(const double *corner, int32_t count, double rounding, size_t *points,
                          size_t *triangles) {
    enum { ROOM = 512 };
    ScreeVec3 given[8], point[ROOM];
    int32_t triangle[3 * ROOM];
    double sum = 0;
    memcpy(given, corner, (size_t)count * sizeof *given);
    *points = ROOM;
    CHECK(scree_shape_part_draw(&(ScreeShapePart){count, rounding}, given, point, points) ==
          SCREE_OK);
    CHECK(*points <= ROOM && scree_outline_fill(point, *points, triangle, triangles) == SCREE_OK);
    for (size_t t = 0; t < *triangles; t++) {
        double own[6];
        for (int k = 0; k < 3; k++) {
            own[2 * k] = point[triangle[3 * t + (size_t)k]].x;
            own[2 * k + 1] = point[triangle[3 * t + (size_t)k]].y;
        }
        CHECK(area_of(own, 3, 2) > 0);
        sum += area_of(own, 3, 2);
    }
    return sum;
}

/* Triangles that lie over each other or outside would add to the area. */
static void outlines_are_filled_once(void) {
    const struct {
        const double *corner;
        int32_t count;
        double rounding;
    } drawn[] = {{square, 4, 0}, {square, 4, 0.3}, {hook, 6, 0},   {hook, 6, 0.1},
                 {star, 8, 0},   {star, 8, 0.04},  {star, 8, 0.2}, {rod, 2, 0.5}};
    for (size_t i = 0; i < sizeof drawn / sizeof drawn[0]; i++) {
        size_t points, triangles;
        Curve curve = {0};
        double area =
            filled_area(drawn[i].corner, drawn[i].count, drawn[i].rounding, &points, &triangles);
        CHECK(triangles == points - 2);
        CHECK(draw(drawn[i].corner, (size_t)drawn[i].count, drawn[i].rounding, &curve));
        CHECK_CLOSE(area, area_of(curve.point, curve.count, 2), 1e-13);
        free(curve.point);
    }
}

/* A corner on a straight side has a triangle of its own, or the neighbour that it has there would
 * show a crack. */
static void straight_corners_are_not_cut_off_flat(void) {
    const double roof[] = {1, 2, 0, 0, 0, 0,
                           1, 0, 0, 2, 0, 0}; /* the apex first, an ear to cut last */
    size_t points, triangles;
    CHECK_CLOSE(filled_area(roof, 4, 0, &points, &triangles), 2.0, 1e-14);
    CHECK(triangles == 2);
}

/* Whatever a damaged file holds, something is drawn. */
static void damaged_outlines_are_drawn_somehow(void) {
    const double bad[] = {0, 0, 0, NAN, 1, 0, INFINITY, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0};
    const double crossed[] = {0, 0, 0, 1, 1, 0, 1, 0, 0, 0, 1, 0};
    Curve curve = {0};
    CHECK(draw(bad, 6, 0.2, &curve) && curve.count > 0);
    CHECK(draw(bad, 6, NAN, &curve) && curve.count == 6);
    CHECK(draw(bad, 2, -1, &curve) && curve.count == 2);
    CHECK(draw(crossed, 4, 0.1, &curve) && curve.count > 0);
    CHECK(draw(square, 4, INFINITY, &curve) && curve.count > 0);
    free(curve.point);
    size_t points, triangles;
    filled_area(bad, 6, 0, &points, &triangles);
    CHECK(triangles < 4);
    filled_area(crossed, 4, 0, &points, &triangles);
    CHECK(triangles < 2);
    filled_area(square, 2, 0, &points, &triangles);
    CHECK(triangles == 0);
}

int main(int argc, char **argv) {
    CHECK_RUN(rounded_corners_are_drawn_as_arcs);
    CHECK_RUN(sharp_corners_stay_and_disks_are_round);
    CHECK_RUN(closing_slots_are_filled);
    CHECK_RUN(outlines_are_filled_once);
    CHECK_RUN(straight_corners_are_not_cut_off_flat);
    CHECK_RUN(damaged_outlines_are_drawn_somehow);
    return check_result();
}

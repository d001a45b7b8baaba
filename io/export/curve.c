#include "io/export/curve.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;
/* In units of a line's length; points nearer than this differ by rounding only. */
static const double tolerance = 1e-9;
enum { ARC_LINES = 24 }; /* lines for half a circle */

static bool add(Curve *curve, double x, double y) {
    if (curve->count == curve->capacity) {
        size_t larger = 2 * curve->capacity + 32;
        double *moved = realloc(curve->point, 2 * larger * sizeof *moved);
        if (moved == NULL) {
            return false;
        }
        curve->point = moved;
        curve->capacity = larger;
    }
    curve->point[2 * curve->count] = x;
    curve->point[2 * curve->count + 1] = y;
    curve->count++;
    return true;
}

void curve_free(Curve *curve) {
    free(curve->point);
    *curve = (Curve){0};
}

/* An arc from the direction `begin` on over the angle `turn`, both ends included. */
static bool add_arc(Curve *curve, const double *centre, double radius, double begin, double turn) {
    int lines = (int)ceil(turn / pi * ARC_LINES);
    lines = lines > 0 ? lines : 1;
    for (int i = 0; i <= lines; i++) {
        double angle = begin + turn * i / lines;
        if (!add(curve, centre[0] + radius * cos(angle), centre[1] + radius * sin(angle))) {
            return false;
        }
    }
    return true;
}

/* The edges moved outwards, with arcs at corners that turn left. Where a corner turns right, the
 * two edges cross, and the curve makes a loop inside the outline, within `rounding` of the
 * corner. */
static bool add_moved_edges(const double *corner, size_t count, double rounding, Curve *curve,
                            bool *loops) {
    for (size_t i = 0; i < count; i++) {
        const double *here = &corner[3 * i], *before = &corner[3 * ((i + count - 1) % count)],
                     *after = &corner[3 * ((i + 1) % count)];
        double in[2] = {here[0] - before[0], here[1] - before[1]};
        double out[2] = {after[0] - here[0], after[1] - here[1]};
        double turn = atan2(in[0] * out[1] - in[1] * out[0], in[0] * out[0] + in[1] * out[1]);
        double begin = atan2(-in[0], in[1]); /* direction of the outward normal (y, -x) */
        turn = count == 2 ? pi : turn;       /* the end of a rod */
        bool ok = true;
        if (turn > 0) {
            ok = add_arc(curve, here, rounding, begin, turn);
        } else {
            double end = begin + turn;
            ok = add(curve, here[0] + rounding * cos(begin), here[1] + rounding * sin(begin)) &&
                 add(curve, here[0] + rounding * cos(end), here[1] + rounding * sin(end));
            *loops = true;
        }
        if (!ok) {
            return false;
        }
    }
    return true;
}

/* ---------------------------------------------------------------- loops */

/* Whether line j of a curve crosses line i from the inside to the right of it, and where on each,
 * from 0 to 1. */
static bool crossing(const Curve *curve, size_t i, size_t j, double *on_i, double *on_j) {
    const double *p = curve->point, *a = &p[2 * i], *b = &p[2 * ((i + 1) % curve->count)],
                 *c = &p[2 * j], *d = &p[2 * ((j + 1) % curve->count)];
    double u[2] = {b[0] - a[0], b[1] - a[1]}, v[2] = {d[0] - c[0], d[1] - c[1]};
    double w[2] = {c[0] - a[0], c[1] - a[1]};
    double area = u[0] * v[1] - u[1] * v[0];
    if (!(area < 0)) {
        return false;
    }
    *on_i = (w[0] * v[1] - w[1] * v[0]) / area;
    *on_j = (w[0] * u[1] - w[1] * u[0]) / area;
    return *on_i <= 1 && *on_j >= 0 && *on_j < 1;
}

static size_t lowest(const Curve *curve) {
    size_t best = 0;
    for (size_t i = 1; i < curve->count; i++) {
        const double *p = &curve->point[2 * i], *q = &curve->point[2 * best];
        best = p[1] < q[1] || (p[1] == q[1] && p[0] < q[0]) ? i : best;
    }
    return best;
}

/* The outermost path along a curve that crosses itself and has nothing outside: it begins at the
 * lowest point and always takes the first turn to the right. */
static bool add_outside(const Curve *from, Curve *curve) {
    size_t start = lowest(from), line = start;
    double at = 0;
    for (size_t steps = 0; steps < 4 * from->count; steps++) {
        double best = 2, other = 0;
        size_t next = (line + 1) % from->count;
        for (size_t j = 0; j < from->count; j++) {
            double on_line, on_j;
            if (crossing(from, line, j, &on_line, &on_j) && on_line >= at - tolerance &&
                on_line < best) {
                best = on_line;
                other = on_j;
                next = j;
            }
        }
        line = next;
        at = other;
        const double *a = &from->point[2 * line], *b = &from->point[2 * ((line + 1) % from->count)];
        if (!add(curve, a[0] + at * (b[0] - a[0]), a[1] + at * (b[1] - a[1]))) {
            return false;
        }
        if (line == start && at == 0) {
            return true;
        }
    }
    curve->count = 0; /* not a sound outline: left as it is */
    for (size_t i = 0; i < from->count; i++) {
        if (!add(curve, from->point[2 * i], from->point[2 * i + 1])) {
            return false;
        }
    }
    return true;
}

bool curve_outline(const double *corner, size_t count, double rounding, Curve *curve) {
    curve->count = 0;
    bool ok = true, loops = false;
    if (!(rounding > 0)) {
        for (size_t i = 0; ok && i < count; i++) {
            ok = add(curve, corner[3 * i], corner[3 * i + 1]);
        }
        return ok;
    }
    if (count == 1) {
        ok = add_arc(curve, corner, rounding, 0, 2 * pi);
        curve->count -= ok; /* it ends where it began */
        return ok;
    }
    ok = add_moved_edges(corner, count, rounding, curve, &loops);
    if (ok && loops) {
        Curve moved = *curve;
        *curve = (Curve){0};
        ok = add_outside(&moved, curve);
        curve_free(&moved);
    }
    return ok;
}

#include "shape/draw.h"

static const double same_position = 1e-9; /* in lengths of a line: a difference by rounding only */
enum { ARC_LINES = 24 };                  /* for half a circle */

static bool add_point(Drawing *d, Vec3 point) {
    size_t size = sizeof *d->point;
    if ((d->count + 1) * size > d->block.bytes &&
        !scr_block_reserve(&d->block, 2 * d->count + 32, size, d->count * size)) {
        return false;
    }
    d->point = d->block.data;
    d->point[d->count++] = point;
    return true;
}

static Vec3 around(Vec3 centre, double radius, double angle) {
    return vec3(centre.x + radius * scr_cos(angle), centre.y + radius * scr_sin(angle), 0);
}

/* An arc that starts in direction `begin` and turns by `turn`, both ends included. */
static bool add_arc(Drawing *d, Vec3 centre, double radius, double begin, double turn) {
    double lines = ceil(turn / M_PI * ARC_LINES);
    lines = lines > 0 ? lines : 1; /* one to the right, or if it is not a number */
    for (int i = 0; i <= lines; i++) {
        if (!add_point(d, around(centre, radius, begin + turn * i / lines))) {
            return false;
        }
    }
    return true;
}

/* The edges shifted outwards, with arcs at corners that turn left. Where a corner turns right, the
 * two edges cross, and the curve makes a loop inside the outline, within the rounding of the
 * corner. */
static bool add_moved_edges(const Vec3 *corner, size_t count, double rounding, Drawing *d,
                            bool *loops) {
    for (size_t i = 0; i < count; i++) {
        Vec3 here = corner[i];
        Vec3 in = sub(here, corner[(i + count - 1) % count]);
        Vec3 out = sub(corner[(i + 1) % count], here);
        double turn = scr_atan2(in.x * out.y - in.y * out.x, in.x * out.x + in.y * out.y);
        turn = count == 2 ? M_PI : turn;                                 /* the end of a rod */
        if (!add_arc(d, here, rounding, scr_atan2(-in.x, in.y), turn)) { /* outward is (y, -x) */
            return false;
        }
        *loops = *loops || !(turn > 0);
    }
    return true;
}

/* ---------------------------------------------------------------- loops */

/* Where line i of a curve crosses line j, if that leads right: the positions along both, from
 * 0 to 1. False when there is no such crossing. */
static bool crossing(const Drawing *d, size_t i, size_t j, double *on_i, double *on_j) {
    Vec3 a = d->point[i], b = d->point[(i + 1) % d->count];
    Vec3 c = d->point[j], e = d->point[(j + 1) % d->count];
    Vec3 u = sub(b, a), v = sub(e, c), w = sub(c, a);
    double area = u.x * v.y - u.y * v.x;
    if (!(area < 0)) {
        return false;
    }
    *on_i = (w.x * v.y - w.y * v.x) / area;
    *on_j = (w.x * u.y - w.y * u.x) / area;
    return *on_i <= 1 && *on_j >= 0 && *on_j < 1;
}

static size_t lowest(const Drawing *d) {
    size_t best = 0;
    for (size_t i = 1; i < d->count; i++) {
        Vec3 p = d->point[i], q = d->point[best];
        best = p.y < q.y || (p.y == q.y && p.x < q.x) ? i : best;
    }
    return best;
}

/* The outermost path along a curve that crosses itself and has nothing outside: it begins at the
 * lowest point and takes every first turn to the right. An outline that is not sound may have no
 * such path; it is drawn as it is. */
static bool add_outside(const Drawing *from, Drawing *d) {
    size_t start = lowest(from), line = start;
    double position = 0;
    for (size_t steps = 0; steps < 4 * from->count; steps++) {
        double best = 2, other = 0;
        size_t next = (line + 1) % from->count;
        for (size_t j = 0; j < from->count; j++) {
            double on_line, on_j;
            if (crossing(from, line, j, &on_line, &on_j) && on_line >= position - same_position &&
                on_line < best) {
                best = on_line;
                other = on_j;
                next = j;
            }
        }
        line = next;
        position = other;
        Vec3 a = from->point[line], b = from->point[(line + 1) % from->count];
        if (!add_point(d, add_scaled(a, position, sub(b, a)))) {
            return false;
        }
        if (line == start && position == 0) {
            return true;
        }
    }
    d->count = 0;
    for (size_t i = 0; i < from->count; i++) {
        if (!add_point(d, from->point[i])) {
            return false;
        }
    }
    return true;
}

bool scr_draw_part(const ScreeShapePart *part, const Vec3 *corner, Drawing *d) {
    size_t count = (size_t)part->corners;
    bool ok = true, loops = false;
    d->count = 0;
    if (!(part->rounding > 0)) {
        for (size_t i = 0; ok && i < count; i++) {
            ok = add_point(d, vec3(corner[i].x, corner[i].y, 0));
        }
        return ok;
    }
    if (count == 1) {
        ok = add_arc(d, corner[0], part->rounding, 0, 2 * M_PI);
        d->count -= ok; /* it ends where it began */
        return ok;
    }
    ok = add_moved_edges(corner, count, part->rounding, d, &loops);
    if (ok && loops) {
        const Drawing moved = *d;
        Block block = moved.block;
        *d = (Drawing){0};
        ok = add_outside(&moved, d);
        scr_block_free(&block);
    }
    return ok;
}

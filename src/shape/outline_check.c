/* What is wrong with the definition of a shape. */
#include "shape/outline.h"

#include "base/status.h"

#include <float.h>
#include <stdarg.h>
#include <stdio.h>

/* One part, counterclockwise or clockwise. Distances up to `tolerance` count as zero: a
 * ten-thousand-millionth of the size, or the rounding of the coordinates of a shape far away. */
typedef struct Ring {
    const Vec3 *corner;
    int32_t count, part;
    double rounding, tolerance, side; /* side: 1 counterclockwise, -1 clockwise */
    char *message;
} Ring;

__attribute__((format(printf, 3, 4))) static bool refuse(const Ring *ring, int32_t corner,
                                                         const char *format, ...) {
    int used =
        snprintf(ring->message, SCREE_MESSAGE_SIZE, "part %d, corner %d: ", ring->part, corner);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(ring->message + used, (size_t)(SCREE_MESSAGE_SIZE - used), format, arguments);
    va_end(arguments);
    return false;
}

static bool refuse_part(const Ring *ring, const char *text) {
    snprintf(ring->message, SCREE_MESSAGE_SIZE, "part %d: %s", ring->part, text);
    return false;
}

static Vec3 corner_at(const Ring *ring, int32_t k) {
    return ring->corner[k < 0 ? k + ring->count : k < ring->count ? k : k - ring->count];
}
static double cross_z(Vec3 a, Vec3 b) {
    return a.x * b.y - a.y * b.x;
}

/* ---------------------------------------------------------------- corners alone */

static bool numbers_are_sound(Ring *ring) {
    if (ring->count < 1) {
        return refuse_part(ring, "has no corner");
    }
    if (!(ring->rounding >= 0 && isfinite(ring->rounding))) {
        return refuse_part(ring, "its rounding must be a finite number, 0 or more");
    }
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int32_t k = 0; k < ring->count; k++) {
        Vec3 c = ring->corner[k];
        if (!is_finite(c)) {
            return refuse(ring, k, "its coordinates are not finite");
        }
        if (c.z != 0) {
            return refuse(ring, k, "shapes lie in the plane: its z must be 0");
        }
        scr_box_add(low, high, c.x, c.y, 0);
    }
    if (ring->count < 3 && ring->rounding == 0) {
        return refuse_part(ring, ring->count == 1
                                     ? "one corner makes a disk, which needs a rounding: its radius"
                                     : "two corners make a rod, which needs a rounding");
    }
    double size = scr_max(scr_max(high[0] - low[0], high[1] - low[1]), ring->rounding);
    double away =
        scr_max(scr_max(fabs(low[0]), fabs(low[1])), scr_max(fabs(high[0]), fabs(high[1])));
    if (!(size < 1e70 && (size == 0 || size > 1e-70) && away < 1e140)) {
        return refuse_part(ring, "its size must lie between 1e-70 and 1e70");
    }
    ring->tolerance = scr_max(1e-10 * size, 8 * DBL_EPSILON * away);
    return true;
}

/* The least height of the triangle formed by a corner and its neighbours tells whether it is a
 * corner at all. */
static bool corners_are_corners(const Ring *ring) {
    for (int32_t k = 0; k < ring->count; k++) {
        for (int32_t j = k + 1; j < ring->count; j++) {
            Vec3 d = sub(corner_at(ring, j), corner_at(ring, k));
            if (fabs(d.x) <= ring->tolerance && fabs(d.y) <= ring->tolerance) {
                return refuse(ring, j, "repeats corner %d", k);
            }
        }
    }
    bool any = ring->count < 3;
    int32_t straight = -1, back = -1;
    for (int32_t k = 0; k < ring->count && ring->count >= 3; k++) {
        Vec3 in = sub(corner_at(ring, k), corner_at(ring, k - 1));
        Vec3 out = sub(corner_at(ring, k + 1), corner_at(ring, k));
        Vec3 over = add(in, out);
        double longest = scr_max(length(over), scr_max(length(in), length(out)));
        if (fabs(cross_z(in, out)) > ring->tolerance * longest) {
            any = true;
        } else if (dot(in, out) > 0) {
            straight = straight < 0 ? k : straight;
        } else {
            back = back < 0 ? k : back;
        }
    }
    if (!any) {
        return refuse(ring, straight < 0 ? back : straight,
                      "the outline has no area: all its corners lie on one line");
    }
    if (back >= 0) {
        return refuse(ring, back, "the outline turns back on itself");
    }
    return straight < 0 ||
           refuse(ring, straight, "lies on the straight line between its neighbours");
}

/* ---------------------------------------------------------------- edges against edges */

static double distance_to_edge(Vec3 p, Vec3 from, Vec3 to) {
    Vec3 along = sub(to, from), w = sub(p, from);
    double t = dot(w, along) / dot(along, along);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return length(add_scaled(w, -t, along));
}

static bool edges_are_apart(const Ring *ring, int32_t i, int32_t j) {
    Vec3 a = corner_at(ring, i), b = corner_at(ring, i + 1);
    Vec3 c = corner_at(ring, j), d = corner_at(ring, j + 1);
    const struct {
        Vec3 p, from, to;
        int32_t corner, edge;
    } end[4] = {{a, c, d, i, j},
                {b, c, d, (i + 1) % ring->count, j},
                {c, a, b, j, i},
                {d, a, b, (j + 1) % ring->count, i}};
    for (int k = 0; k < 4; k++) {
        if (distance_to_edge(end[k].p, end[k].from, end[k].to) <= ring->tolerance) {
            return refuse(ring, end[k].corner,
                          "the outline touches itself, at its edge from corner %d to corner %d",
                          end[k].edge, (end[k].edge + 1) % ring->count);
        }
    }
    Vec3 e = sub(b, a), f = sub(d, c);
    bool crossing = (cross_z(e, sub(c, a)) > 0) != (cross_z(e, sub(d, a)) > 0) &&
                    (cross_z(f, sub(a, c)) > 0) != (cross_z(f, sub(b, c)) > 0);
    return !crossing ||
           refuse(ring, i,
                  "the outline crosses itself: the edge from here to corner %d and the one from "
                  "corner %d to corner %d",
                  (i + 1) % ring->count, j, (j + 1) % ring->count);
}

/* Compares every edge with all but its neighbours; most are far from its box. */
static bool outline_is_simple(const Ring *ring) {
    for (int32_t i = 0; i + 2 < ring->count; i++) {
        Vec3 a = ring->corner[i], b = ring->corner[i + 1];
        double left = scr_min(a.x, b.x) - ring->tolerance,
               right = scr_max(a.x, b.x) + ring->tolerance;
        double low = scr_min(a.y, b.y) - ring->tolerance,
               high = scr_max(a.y, b.y) + ring->tolerance;
        for (int32_t j = i + 2; j < ring->count - (i == 0); j++) {
            Vec3 c = ring->corner[j], d = corner_at(ring, j + 1);
            bool apart = (c.x < left && d.x < left) || (c.x > right && d.x > right) ||
                         (c.y < low && d.y < low) || (c.y > high && d.y > high);
            if (!apart && !edges_are_apart(ring, i, j)) {
                return false;
            }
        }
    }
    return true;
}

/* ---------------------------------------------------------------- rounding */

/* A corner as the outline passes it: unit directions of its two edges, counterclockwise. */
typedef struct Bend {
    Vec3 at, in, out;
    double in_length, out_length;
    bool reflex;
} Bend;

static Bend bend_at(const Ring *ring, int32_t k) {
    int32_t step = ring->side > 0 ? 1 : -1;
    Vec3 c = corner_at(ring, k);
    Vec3 in = sub(c, corner_at(ring, k - step)), out = sub(corner_at(ring, k + step), c);
    Bend bend = {c, unit(in), unit(out), length(in), length(out), false};
    bend.reflex = cross_z(bend.in, bend.out) < 0;
    return bend;
}

/* Rounding cuts r tan(turn / 2) off both edges of a reflex corner. */
static double taken(const Bend *bend, double r) {
    return bend->reflex ? r * sqrt(scr_max(0, 1 - dot(bend->in, bend->out)) /
                                   scr_max(1e-300, 1 + dot(bend->in, bend->out)))
                        : 0;
}

/* Whether the unit vector n lies between the outward normals of the two edges of a corner. */
static bool faces(const Bend *bend, Vec3 n) {
    return dot(n, bend->in) >= -1e-9 && dot(n, bend->out) <= 1e-9;
}

/* As the rounding grows, the rounded outline first touches itself where two of its pieces meet
 * head-on: halfway between a corner and an edge that the corner faces, or between two corners that
 * face each other. */
static bool stays_open(const Ring *ring, int32_t k, const Bend *bend, int32_t j) {
    int32_t step = ring->side > 0 ? 1 : -1;
    double most = 2 * ring->rounding + ring->tolerance;
    Vec3 from = corner_at(ring, j), w = sub(bend->at, from);
    if (j == k || fabs(w.x) > most || fabs(w.y) > most) {
        /* the corner at the start of the edge is far away, but the edge's inside may be near */
    } else {
        double distance = length(w);
        Vec3 n = scale(-1 / distance, w);
        Bend other = bend_at(ring, j);
        if (distance <= most && faces(bend, n) && !other.reflex && faces(&other, scale(-1, n))) {
            return refuse(ring, k,
                          "the rounding closes the notch between this corner and corner %d", j);
        }
    }
    Vec3 to = corner_at(ring, j + step), along = sub(to, from);
    double l = length(along), s = cross_z(w, along) / l, xi = dot(w, along) / l;
    Vec3 n = vec3(along.y / l, -along.x / l, 0);
    if (s > ring->tolerance && s <= most && xi >= 0 && xi <= l && faces(bend, scale(-1, n))) {
        return refuse(ring, k,
                      "the rounding closes the notch between this corner and the edge from corner "
                      "%d to corner %d",
                      j, (j + step + ring->count) % ring->count);
    }
    return true;
}

static bool rounding_fits(const Ring *ring) {
    bool any = false;
    for (int32_t k = 0; k < ring->count; k++) {
        Bend bend = bend_at(ring, k);
        any = any || bend.reflex;
        if (!bend.reflex) {
            continue;
        }
        int32_t step = ring->side > 0 ? 1 : -1;
        Bend before = bend_at(ring, k - step), after = bend_at(ring, k + step);
        double here = taken(&bend, ring->rounding) + ring->tolerance;
        if (here + taken(&before, ring->rounding) >= bend.in_length ||
            here + taken(&after, ring->rounding) >= bend.out_length) {
            return refuse(ring, k, "the rounding is too large for the edges of this notch");
        }
    }
    for (int32_t k = 0; k < ring->count && any; k++) {
        Bend bend = bend_at(ring, k);
        for (int32_t j = 0; j < ring->count && !bend.reflex; j++) {
            if (!stays_open(ring, k, &bend, j)) {
                return false;
            }
        }
    }
    return true;
}

/* ---------------------------------------------------------------- all */

static bool ring_is_sound(Ring *ring) {
    if (!numbers_are_sound(ring) || !corners_are_corners(ring) || !outline_is_simple(ring)) {
        return false;
    }
    double area = 0;
    for (int32_t k = 1; k + 1 < ring->count; k++) {
        area += cross_z(sub(ring->corner[k], ring->corner[0]),
                        sub(ring->corner[k + 1], ring->corner[0]));
    }
    ring->side = area < 0 ? -1 : 1;
    return ring->rounding == 0 || ring->count < 3 || rounding_fits(ring);
}

ScreeStatus scr_outline_check(const ScreeShapeDef *def, char *message) {
    if (def->parts == 0 || def->part == NULL || def->corner == NULL) {
        return scr_fail(message, SCREE_BAD_ARGUMENT, "a shape needs at least one part");
    }
    size_t corners = 0;
    for (size_t p = 0; p < def->parts; p++) {
        corners += def->part[p].corners > 0 ? (size_t)def->part[p].corners : 0;
        if (corners > MOST_CORNERS || p >= MOST_CORNERS) {
            return scr_fail(message, SCREE_BAD_ARGUMENT, "part %zu: a shape has at most %d corners",
                            p, (int)MOST_CORNERS);
        }
    }
    const Vec3 *corner = def->corner;
    for (size_t p = 0; p < def->parts; p++) {
        Ring ring = {.corner = corner,
                     .count = def->part[p].corners,
                     .part = (int32_t)p,
                     .rounding = def->part[p].rounding,
                     .message = message};
        if (!ring_is_sound(&ring)) {
            return SCREE_BAD_ARGUMENT;
        }
        corner += ring.count;
    }
    return SCREE_OK;
}

#include "shape/outline.h"

#include <float.h>

static Vec3 shifted(Vec3 p, Vec3 origin) {
    return vec3(p.x - origin.x, p.y - origin.y, 0);
}
static double cross_z(Vec3 a, Vec3 b) {
    return a.x * b.y - a.y * b.x;
}

/* ---------------------------------------------------------------- measures */

/* Twice the signed area, computed from the first corner. */
static double winding(const Vec3 *corner, int32_t count) {
    double sum = 0;
    for (int32_t k = 1; k + 1 < count; k++) {
        sum += cross_z(shifted(corner[k], corner[0]), shifted(corner[k + 1], corner[0]));
    }
    return sum;
}

/* Corner k of a part (k from -1 to count) as if it ran counterclockwise: a clockwise one is read
 * backwards, starting from the same first corner. */
static Vec3 corner_of(const Vec3 *corner, int32_t count, bool backwards, int32_t k) {
    k = (k + count) % count;
    return corner[backwards && k > 0 ? count - k : k];
}

/* Area, first moment, and polar second moment about a point. */
typedef struct Moments {
    double area, polar;
    Vec3 first;
} Moments;

/* Adds the triangle between the origin and p, q, with its signed area. */
static void add_triangle(Moments *m, Vec3 p, Vec3 q) {
    double twice = cross_z(p, q);
    m->area += twice / 2;
    m->first = add_scaled(m->first, twice / 6, add(p, q));
    m->polar += twice / 12 * (dot(p, p) + dot(p, q) + dot(q, q));
}

/* Adds the sector of radius r about c, in which an outline turns left by `angle` from the direction
 * `in` to `out`. Its first moment about c is r^3/3 (in - out). */
static void add_sector(Moments *m, Vec3 c, double r, double angle, Vec3 in, Vec3 out) {
    double area = r * r * angle / 2;
    Vec3 first = scale(r * r * r / 3, sub(in, out));
    m->area += area;
    m->first = add(m->first, add_scaled(first, area, c));
    m->polar += r * r * area / 2 + 2 * dot(c, first) + area * dot(c, c);
}

static double turn_angle(Vec3 in, Vec3 out) {
    double angle = scr_atan2(cross_z(in, out), dot(in, out));
    return angle < -3 ? -angle : angle; /* the end of a rod: half a turn, to the left */
}

/* A rounded outline is bounded by the edges, shifted outwards by r, and by an arc at every corner
 * where it turns left. Where it turns right, the two shifted edges meet at c + r (n + n') / (1 + n
 * n'). So the area is that of a polygon through the ends of the shifted edges, which at a left turn
 * dips into the corner itself, plus that of the sectors there. */
static Moments part_moments(const Vec3 *corner, int32_t count, double r, Vec3 origin) {
    Moments m = {0};
    if (count == 1) {
        add_sector(&m, shifted(corner[0], origin), r, 2 * M_PI, vec3(0, 0, 0), vec3(0, 0, 0));
        return m;
    }
    bool backwards = winding(corner, count) < 0;
    Vec3 c = shifted(corner_of(corner, count, backwards, 0), origin);
    Vec3 in = unit(sub(c, shifted(corner_of(corner, count, backwards, -1), origin)));
    Vec3 start = c, last = c; /* of the polygon */
    for (int32_t k = 0; k < count; k++) {
        Vec3 next = shifted(corner_of(corner, count, backwards, k + 1), origin);
        Vec3 out = unit(sub(next, c));
        Vec3 n = vec3(in.y, -in.x, 0), n_next = vec3(out.y, -out.x, 0);
        double angle = turn_angle(in, out);
        Vec3 entry = add_scaled(c, r, n), leave = add_scaled(c, r, n_next);
        if (angle > 0) {
            add_triangle(&m, entry, c);
            add_triangle(&m, c, leave);
            add_sector(&m, c, r, angle, in, out);
        } else {
            entry = leave = add_scaled(c, r / (1 + dot(n, n_next)), add(n, n_next));
        }
        if (k == 0) {
            start = entry;
        } else {
            add_triangle(&m, last, entry);
        }
        last = leave;
        c = next;
        in = out;
    }
    add_triangle(&m, last, start);
    return m;
}

static Moments moments(const ScreeShapeDef *def, Vec3 origin) {
    Moments sum = {0};
    const Vec3 *corner = def->corner;
    for (size_t p = 0; p < def->parts; p++) {
        Moments m = part_moments(corner, def->part[p].corners, def->part[p].rounding, origin);
        sum.area += m.area;
        sum.polar += m.polar;
        sum.first = add(sum.first, m.first);
        corner += def->part[p].corners;
    }
    return sum;
}

/* The centre, computed from a point near it; the second pass, about the centre just found, removes
 * the cancellation of the first. */
static Vec3 centre_from(const ScreeShapeDef *def, Vec3 origin) {
    Moments m = moments(def, origin);
    return scale(1 / m.area, m.first);
}

ScreeShape scr_outline_measure(const ScreeShapeDef *def) {
    Vec3 origin = shifted(def->corner[0], vec3(0, 0, 0));
    ScreeShape shape = {.def = *def};
    shape.centroid = add(origin, centre_from(def, origin));
    shape.centroid = add(shape.centroid, centre_from(def, shape.centroid));
    Moments m = moments(def, shape.centroid);
    shape.area = m.area;
    /* about the true centre, which differs from the rounded one when the shape is far away */
    shape.gyration = m.polar / m.area - dot(m.first, m.first) / (m.area * m.area);
    const Vec3 *corner = def->corner;
    for (size_t p = 0; p < def->parts; p++) {
        for (int32_t k = 0; k < def->part[p].corners; k++) {
            double r = length(shifted(*corner++, shape.centroid)) + def->part[p].rounding;
            shape.radius = scr_max(shape.radius, r);
        }
        shape.corners += (size_t)def->part[p].corners;
    }
    return shape;
}

/* A centroid far from the origin is rounded like the coordinates there, so its remainder is
 * subtracted, too. */
void scr_outline_normalise(const ScreeShapeDef *def, Vec3 centroid, Vec3 *corner) {
    Vec3 rest = centre_from(def, centroid);
    double size = length(shifted(def->corner[0], centroid)) + def->part[0].rounding;
    rest = length(rest) > 8 * DBL_EPSILON * size ? rest : vec3(0, 0, 0);
    const Vec3 *from = def->corner;
    for (size_t p = 0; p < def->parts; p++) {
        int32_t count = def->part[p].corners;
        bool backwards = winding(from, count) < 0;
        for (int32_t k = 0; k < count; k++) {
            *corner++ = sub(shifted(corner_of(from, count, backwards, k), centroid), rest);
        }
        from += count;
    }
}

/* ---------------------------------------------------------------- corners and edges */

void scr_outline_edges(const OutlinePart *part, int32_t parts, const Vec3 *corner, Corner *edge) {
    for (int32_t p = 0; p < parts; p++) {
        int32_t first = part[p].first, count = part[p].count;
        for (int32_t k = 0; k < count; k++) {
            Vec3 c = corner[first + k];
            Vec3 along = sub(corner[first + (k + 1) % count], c), t = unit(along);
            edge[first + k] = (Corner){c.x, c.y, t.x, t.y, length(along), false};
        }
        for (int32_t k = 0; k < count && count > 2; k++) {
            const Corner *in = &edge[first + (k + count - 1) % count];
            Corner *out = &edge[first + k];
            out->reflex = in->tx * out->ty - in->ty * out->tx < 0;
        }
    }
}

void scr_outline_turn(const Corner *from, const OutlinePart *part, int32_t parts, Quat orientation,
                      Corner *to, Outline *outline) {
    double w = orientation.w, z = orientation.z, square = w * w + z * z;
    double c = (w * w - z * z) / square, s = 2 * w * z / square;
    *outline = (Outline){.corner = to,
                         .part = part,
                         .parts = parts,
                         .low = {INFINITY, INFINITY},
                         .high = {-INFINITY, -INFINITY},
                         .cosine = c,
                         .sine = s};
    for (int32_t p = 0; p < parts; p++) {
        double r = part[p].rounding;
        for (int32_t k = part[p].first; k < part[p].first + part[p].count; k++) {
            const Corner *f = &from[k];
            double x = c * f->x - s * f->y, y = s * f->x + c * f->y;
            to[k] =
                (Corner){x, y, c * f->tx - s * f->ty, s * f->tx + c * f->ty, f->length, f->reflex};
            scr_box_add(outline->low, outline->high, x, y, r);
        }
    }
}

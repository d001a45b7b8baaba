#include "narrow/point_sight.h"

#include "narrow/common_normal.h"
#include "narrow/feature_sight.h"
#include "narrow/part_level.h"
#include "shape/simple_solids.h"

/* ---------------------------------------------------------------- cones
 *
 * In the half plane of the distance from the axis and the height along it, a cone is a trapezoid: inside,
 * the nearest of its three sides counts, outside the nearest point of them. */

/* One side of it. */
typedef struct Side {
    double from[2], to[2], normal[2];
} Side;

static void see_side(const Side *s, const double x[2], double *height, double *square,
                     double off[2]) {
    double d[2] = {x[0] - s->from[0], x[1] - s->from[1]};
    double along[2] = {s->to[0] - s->from[0], s->to[1] - s->from[1]};
    double length2 = along[0] * along[0] + along[1] * along[1];
    double t = length2 > 0 ? (d[0] * along[0] + d[1] * along[1]) / length2 : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    off[0] = d[0] - t * along[0];
    off[1] = d[1] - t * along[1];
    *height = d[0] * s->normal[0] + d[1] * s->normal[1];
    *square = off[0] * off[0] + off[1] * off[1];
}

static PointSight cone_sight(const SmoothPart *c, Vec3 x) {
    Vec3 d = sub(x, c->centre), outward = c->axis[0];
    const double flat[2] = {dot(d, c->axis[0]), dot(d, c->axis[1])};
    const double at[2] = {scr_hypot(flat[0], flat[1]), dot(d, c->axis[2])};
    if (at[0] > 0) {
        outward = add_scaled(scale(flat[0] / at[0], c->axis[0]), flat[1] / at[0], c->axis[1]);
    }
    double across, along, best[2] = {0, 1}, high = -INFINITY, least = INFINITY, off[2] = {0, 1};
    scr_cone_side(c, &across, &along);
    const double r0 = c->form[0], r1 = c->form[1], l = c->length;
    const Side side[3] = {
        {{0, 0}, {r0, 0}, {0, -1}}, {{0, l}, {r1, l}, {0, 1}}, {{r0, 0}, {r1, l}, {across, along}}};
    for (int k = 0; k < 3; k++) {
        double height, square, own[2];
        see_side(&side[k], at, &height, &square, own);
        if (height > high) {
            high = height;
            best[0] = side[k].normal[0];
            best[1] = side[k].normal[1];
        }
        if (square < least) {
            least = square;
            off[0] = own[0];
            off[1] = own[1];
        }
    }
    double distance = sqrt(least);
    if (high > 0 && distance > 0) {
        best[0] = off[0] / distance;
        best[1] = off[1] / distance;
        high = distance;
    }
    return (PointSight){high, add_scaled(scale(best[0], outward), best[1], c->axis[2])};
}

/* ---------------------------------------------------------------- ellipsoids
 *
 * The nearest point of the surface with half axes a has the coordinates a^2 y / (a^2 + t), with t the root
 * of sum (a y / (a^2 + t))^2 = 1 above minus the least a^2 (Eberly). The sum falls with t and is convex, so
 * that Newton's steps from below never pass the root. */

static double fall(const double a[3], const double y[3], double t, double *slope) {
    double sum = -1;
    *slope = 0;
    for (int k = 0; k < 3; k++) {
        double q = a[k] * y[k] / (a[k] * a[k] + t);
        sum += q * q;
        *slope -= 2 * q * q / (a[k] * a[k] + t);
    }
    return sum;
}

static PointSight ellipsoid_sight(const SmoothPart *e, Vec3 x) {
    Vec3 d = sub(x, e->centre), unit_axis[3];
    double a[3], y[3], low = -INFINITY, high = 0, slope;
    for (int k = 0; k < 3; k++) {
        a[k] = length(e->axis[k]);
        unit_axis[k] = scale(1 / a[k], e->axis[k]);
        y[k] = dot(d, unit_axis[k]);
        /* the sum is at least one where any of its terms is, and at most one where all three are a third */
        low = scr_max(low, a[k] * fabs(y[k]) - a[k] * a[k]);
        high = scr_max(high, sqrt(3) * a[k] * fabs(y[k]) - a[k] * a[k]);
    }
    double t = low;
    for (int k = 0; k < 100; k++) {
        double f = fall(a, y, t, &slope), next = slope < 0 ? t - f / slope : 0.5 * (t + high);
        next = next > high ? high : next;
        if (!(next > t)) {
            break;
        }
        t = next;
    }
    Vec3 nearest = vec3(0, 0, 0), out = nearest;
    for (int k = 0; k < 3; k++) {
        double at = a[k] * a[k] * y[k] / (a[k] * a[k] + t);
        nearest = add_scaled(nearest, at, unit_axis[k]);
        out = add_scaled(out, at / (a[k] * a[k]), unit_axis[k]);
    }
    if (!direction_of(out, &out)) {
        out = unit_axis[0];
    }
    return (PointSight){dot(sub(d, nearest), out), out};
}

/* ---------------------------------------------------------------- any smooth part */

static PointSight smooth_sight(const Polyhedron *part, Vec3 x) {
    const RelativePose here = {.column = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    FeaturePart point;
    scr_point_part(x, &point);
    const PartPair pair = scr_part_pair(part, &point.part, &here);
    Vec3 start;
    CommonNormal c = {.gap = -1};
    if (direction_of(sub(x, part->middle), &start)) {
        c = scr_normal_from(&pair, start);
    }
    if (!(c.gap > 0)) { /* only outside any climb ends at the right place */
        c = scr_common_normal(&pair);
    }
    return (PointSight){c.gap, c.normal};
}

/* ---------------------------------------------------------------- polyhedra */

/* Outside, a point over a face whose foot lies within it has no nearer place; else an edge has it. Inside,
 * the nearest plane counts. */
static PointSight solid_sight(const Polyhedron *p, Vec3 x) {
    PointSight face = {-INFINITY, {0, 0, 1}};
    for (int32_t f = 0; f < p->faces; f++) {
        double height = dot(p->face[f].normal, x) - p->face[f].offset;
        if (height > face.gap) {
            face = (PointSight){height, p->face[f].normal};
        }
        if (height > 0 && scr_beyond_face(p, f, x, 0) <= 0) {
            return (PointSight){height, p->face[f].normal};
        }
    }
    if (p->faces > 0 && face.gap <= 0) {
        return face;
    }
    Vec3 off = sub(x, scr_vertex(p, 0)), n;
    double least = dot(off, off);
    for (int32_t e = 0; e < p->edges; e++) {
        const PolyhedronEdge *edge = &p->edge[e];
        Vec3 d = sub(x, scr_vertex(p, edge->vertex[0]));
        double s = dot(d, edge->along);
        s = s < 0 ? 0 : s > edge->length ? edge->length : s;
        d = add_scaled(d, -s, edge->along);
        if (dot(d, d) < least) {
            least = dot(d, d);
            off = d;
        }
    }
    return direction_of(off, &n) ? (PointSight){sqrt(least), n} : (PointSight){0, face.normal};
}

PointSight scr_point_sight(const Polyhedron *p, Vec3 x) {
    if (!scr_is_smooth(p) && !p->convex) {
        PointSight s;
        s.gap = scr_polyhedron_sight(p, x, &s.normal);
        return s;
    }
    if (!scr_is_smooth(p)) {
        return solid_sight(p, x);
    }
    if (p->smooth.kind == SCREE_PART_CONE) {
        return cone_sight(&p->smooth, x);
    }
    /* in the middle of one, every direction is as good, and the formula has no root */
    bool middle = length(sub(x, p->smooth.centre)) < 1e-6 * p->extent;
    return scr_is_plain_ellipsoid(&p->smooth) && !middle ? ellipsoid_sight(&p->smooth, x)
                                                         : smooth_sight(p, x);
}

#include "shape/wall_shell.h"

/* ---------------------------------------------------------------- rims */

static Vec3 hole_centre(const ScreeWallDef *w, int32_t hole) {
    const int32_t i = hole % w->holes[0], j = hole / w->holes[0];
    return vec3((i - 0.5 * (w->holes[0] - 1)) * w->spacing[0],
                (j - 0.5 * (w->holes[1] - 1)) * w->spacing[1], 0);
}

/* Of a row of holes, the one that is nearest to x. */
static int32_t nearest_in_row(int32_t count, double spacing, double x) {
    double at = spacing > 0 ? floor(x / spacing + 0.5 * (count - 1) + 0.5) : 0;
    return (int32_t)scr_min(scr_max(at, 0), count - 1);
}

static int32_t nearest_hole(const ScreeWallDef *w, Vec3 own) {
    if (w->holes[0] == 0) {
        return -1;
    }
    return nearest_in_row(w->holes[0], w->spacing[0], own.x) +
           w->holes[0] * nearest_in_row(w->holes[1], w->spacing[1], own.y);
}

static Vec3 into_plate(const ScreeWallDef *w, Vec3 p) {
    return quat_rotate_back(w->orientation, sub(p, w->point));
}

int32_t scr_nearest_hole(const ScreeWallDef *w, Vec3 p) {
    return nearest_hole(w, into_plate(w, p));
}

void scr_holes_near(const ScreeWallDef *w, Vec3 p, double far, int32_t from[2], int32_t to[2]) {
    Vec3 own = into_plate(w, p);
    const double at[2] = {own.x, own.y};
    for (int k = 0; k < 2; k++) {
        from[k] = nearest_in_row(w->holes[k], w->spacing[k], at[k] - far);
        to[k] = nearest_in_row(w->holes[k], w->spacing[k], at[k] + far);
    }
}

int32_t scr_rim_count(const ScreeWallDef *w) {
    return w->shape == SCREE_WALL_CONE ? 2 : w->holes[0] * w->holes[1];
}

WallRim scr_wall_rim(const ScreeWallDef *w, int32_t rim) {
    if (w->shape == SCREE_WALL_PLATE) {
        const Quat q = w->orientation;
        return (WallRim){add(w->point, quat_rotate(q, hole_centre(w, rim))),
                         quat_rotate(q, vec3(0, 0, 1)),
                         quat_rotate(q, vec3(1, 0, 0)),
                         quat_rotate(q, vec3(0, 1, 0)),
                         w->radius,
                         1,
                         0};
    }
    double wider = w->end_radius - w->radius, slant = scr_hypot(wider, w->length);
    double sign = rim == 0 ? 1 : -1;
    /* it turns with the wall */
    Vec3 axis = quat_rotate_back(w->orientation, w->axis), from = perpendicular(axis);
    WallRim r = {.centre = add_scaled(w->point, rim * w->length, w->axis),
                 .axis = w->axis,
                 .from = quat_rotate(w->orientation, from),
                 .radius = rim == 0 ? w->radius : w->end_radius,
                 .out = sign * wider / slant,
                 .up = sign * w->length / slant};
    r.third = cross(r.axis, r.from);
    return r;
}

/* ---------------------------------------------------------------- seen from a point */

/* From p to a point of the wall; where they are one, `fallback`. */
static WallSight sight_to(Vec3 p, Vec3 target, Vec3 fallback) {
    Vec3 d = sub(target, p);
    double distance = length(d);
    return (WallSight){distance, distance > 0 ? scale(1 / distance, d) : fallback};
}

/* A point seen from an axis. */
typedef struct Around {
    double up, out;
    Vec3 outward;
} Around;

static Around around(Vec3 point, Vec3 axis, Vec3 p) {
    Vec3 d = sub(p, point);
    double up = dot(d, axis);
    Vec3 across = add_scaled(d, -up, axis);
    double out = length(across);
    return (Around){up, out, out > 0 ? scale(1 / out, across) : perpendicular(axis)};
}

/* The share of the way from rim to rim of the point nearest to (out, up). */
static double share_of(const ScreeWallDef *w, double out, double up) {
    double wider = w->end_radius - w->radius, square = wider * wider + w->length * w->length;
    double t = ((out - w->radius) * wider + up * w->length) / square;
    return scr_min(scr_max(t, 0), 1);
}

/* The point of the line of a cone in a direction across its axis that is nearest to p. */
static WallSight line_sight(const ScreeWallDef *w, Vec3 p, Vec3 outward) {
    Vec3 d = sub(p, w->point);
    double t = share_of(w, dot(d, outward), dot(d, w->axis));
    double out = w->radius + t * (w->end_radius - w->radius);
    Vec3 target = add_scaled(add_scaled(w->point, t * w->length, w->axis), out, outward);
    return sight_to(p, target, outward);
}

WallSight scr_cone_sight(const ScreeWallDef *w, Vec3 p) {
    return line_sight(w, p, around(w->point, w->axis, p).outward);
}

/* The hole over which a point of the plate's frame lies, or -1. */
static int32_t hole_over(const ScreeWallDef *w, Vec3 own) {
    int32_t hole = nearest_hole(w, own);
    if (hole < 0) {
        return -1;
    }
    Vec3 centre = hole_centre(w, hole);
    return scr_hypot(own.x - centre.x, own.y - centre.y) < w->radius ? hole : -1;
}

static double clamp(double x, double limit) {
    return x < -limit ? -limit : x > limit ? limit : x;
}

static WallSight rim_sight(const WallRim *r, Vec3 p, Vec3 outward) {
    return sight_to(p, add_scaled(r->centre, r->radius, outward), outward);
}

WallSight scr_plate_sight(const ScreeWallDef *w, Vec3 p) {
    Vec3 own = into_plate(w, p);
    int32_t hole = hole_over(w, own);
    if (hole >= 0) {
        const WallRim r = scr_wall_rim(w, hole);
        return rim_sight(&r, p, around(r.centre, r.axis, p).outward);
    }
    Vec3 target = vec3(clamp(own.x, w->half.x), clamp(own.y, w->half.y), 0);
    const WallSight s = sight_to(own, target, vec3(0, 0, 1));
    return (WallSight){s.distance, quat_rotate(w->orientation, s.normal)};
}

WallSight scr_shell_sight(const ScreeWallDef *w, Vec3 p) {
    return w->shape == SCREE_WALL_CONE ? scr_cone_sight(w, p) : scr_plate_sight(w, p);
}

/* Where a wall is hollow about an axis: the axis, and the wall seen from there. */
typedef struct Hollow {
    Vec3 point, axis;
    WallRim rim; /* of a hole */
} Hollow;

/* False: it is not hollow here, but flat or bulging. */
static bool find_hollow(const ScreeWallDef *w, Vec3 p, Hollow *h) {
    *h = (Hollow){w->point, w->axis, {.radius = 0}};
    if (w->shape == SCREE_WALL_PLATE) {
        int32_t hole = hole_over(w, into_plate(w, p));
        if (hole >= 0) {
            h->rim = scr_wall_rim(w, hole);
            h->point = h->rim.centre;
            h->axis = h->rim.axis;
        }
        return hole >= 0;
    }
    const Around a = around(w->point, w->axis, p);
    /* the point lies nearer to the axis than what it is nearest to */
    double t = share_of(w, a.out, a.up);
    return a.out < (w->radius + t * (w->end_radius - w->radius)) * (1 - 1e-12);
}

int scr_shell_sights(const ScreeWallDef *w, Vec3 p, WallSight sight[SHELL_POINTS]) {
    Hollow h;
    sight[0] = scr_shell_sight(w, p);
    if (!find_hollow(w, p, &h)) {
        return 1;
    }
    const double cosine = -0.5, sine = 0.86602540378443865;
    Vec3 outward = around(h.point, h.axis, p).outward, third = cross(h.axis, outward);
    for (int k = 1; k < SHELL_POINTS; k++) {
        Vec3 to = add_scaled(scale(cosine, outward), k == 1 ? sine : -sine, third);
        sight[k] = w->shape == SCREE_WALL_CONE ? line_sight(w, p, to) : rim_sight(&h.rim, p, to);
    }
    return SHELL_POINTS;
}

WallSight scr_shell_sight_along(const ScreeWallDef *w, Vec3 p, Vec3 normal) {
    Hollow h;
    Vec3 outward;
    if (!find_hollow(w, p, &h) ||
        !direction_of(add_scaled(normal, -dot(normal, h.axis), h.axis), &outward)) {
        return scr_shell_sight(w, p);
    }
    return w->shape == SCREE_WALL_CONE ? line_sight(w, p, outward) : rim_sight(&h.rim, p, outward);
}

/* The share of the arc's height that lies along the normal is that of the normal across the axis. */
double scr_shell_sag(const ScreeWallDef *w, Vec3 p, Vec3 motion) {
    Hollow h;
    if (!find_hollow(w, p, &h)) {
        return 0;
    }
    const Around a = around(h.point, h.axis, p);
    double moved = scr_min(fabs(dot(motion, cross(h.axis, a.outward))), a.out);
    return scr_max(0, dot(scr_shell_sight(w, p).normal, a.outward)) *
           (a.out - sqrt(a.out * a.out - moved * moved));
}

/* On the side of a cone at the distance s from its axis, whose normal leans by an angle: cos / s.
 * Rims and plates have none. */
double scr_shell_curvature(const ScreeWallDef *w, Vec3 p) {
    if (w->shape == SCREE_WALL_PLATE) {
        return 0;
    }
    const Around a = around(w->point, w->axis, p);
    double wider = w->end_radius - w->radius, slant = scr_hypot(wider, w->length);
    double t = share_of(w, a.out, a.up), surface = w->radius + t * wider;
    double curvature = t > 0 && t < 1 && surface > 0 ? w->length / slant / surface : 0;
    return a.out < surface ? -curvature : curvature;
}

/* ---------------------------------------------------------------- faults */

const char *scr_cone_fault(const ScreeWallDef *w) {
    if (!(w->radius >= 0 && w->end_radius >= 0 && w->length >= 0) ||
        !(w->radius + w->end_radius > 0)) {
        return "a cone needs two radii and a length that are at least zero, and not both radii "
               "zero";
    }
    if (w->length == 0 && w->radius == w->end_radius) {
        return "a cone without length is a ring, and needs two different radii";
    }
    return length(w->axis) > 0 ? NULL : "a cone needs an axis other than zero";
}

/* Half of what a row of holes covers. */
static double half_row(int32_t holes, double spacing, double radius) {
    return 0.5 * (holes - 1) * spacing + radius;
}

const char *scr_plate_fault(const ScreeWallDef *w) {
    const int32_t *n = w->holes;
    if (!(w->half.x > 0 && w->half.y > 0)) {
        return "a plate needs half sides greater than zero along x and y";
    }
    if (n[0] < 0 || n[1] < 0 || (n[0] == 0) != (n[1] == 0) || (double)n[0] * n[1] > 1e6) {
        return "the holes of a plate are counted along x and y: both at least one, or none, and no "
               "more than a million in all";
    }
    if (n[0] == 0) {
        return NULL;
    }
    if (!(w->radius > 0)) {
        return "the holes of a plate need a radius greater than zero";
    }
    if ((n[0] > 1 && !(w->spacing[0] > 2 * w->radius)) ||
        (n[1] > 1 && !(w->spacing[1] > 2 * w->radius))) {
        return "the holes of a plate must be farther apart than they are wide";
    }
    return half_row(n[0], w->spacing[0], w->radius) < w->half.x &&
                   half_row(n[1], w->spacing[1], w->radius) < w->half.y
               ? NULL
               : "the holes of a plate must lie within it";
}

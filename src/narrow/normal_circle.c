#include "narrow/normal_circle.h"

/* Directions c k + sqrt(1 - c^2) u, with u across k. */
typedef struct Circle {
    Vec3 axis, from, third; /* u = from cos + third sin */
    double height, radius;
} Circle;

static NormalLook look_on(const NormalSides *s, const Circle *c, double angle, double *slope,
                          const NormalLook *from) {
    double cosine = scr_cos(angle), sine = scr_sin(angle);
    Vec3 u = add_scaled(scale(cosine, c->from), sine, c->third);
    NormalLook l =
        scr_look_along(s, unit(add_scaled(scale(c->height, c->axis), c->radius, u)), from);
    Vec3 forward = add_scaled(scale(-sine, c->from), cosine, c->third);
    *slope = dot(sub(l.on_b, l.on_a), forward);
    l.error = fabs(*slope);
    return l;
}

void scr_take_better_look(const NormalSides *s, const NormalLook *l, NormalLook *best) {
    double level = scr_look_exact(s);
    bool better =
        l->gap > best->gap + level || (l->gap >= best->gap - level && l->error < best->error);
    *best = better ? *l : *best;
}

enum { MOST_NEWTON = 8 };

/* Newton's method on the circle: as the angle grows, the farthest points move by R dn, and the direction
 * forward turns to -u. False: it gets no nearer, as where the slope jumps. */
static bool climb_by_newton(const NormalSides *s, const Circle *c, double slope, NormalLook *best) {
    double angle = 0, tiny = 0.25 * scr_look_exact(s);
    for (int k = 0; k < MOST_NEWTON && fabs(slope) > tiny; k++) {
        double cosine = scr_cos(angle), sine = scr_sin(angle), a[3], b[3], next_slope;
        Vec3 u = add_scaled(scale(cosine, c->from), sine, c->third);
        Vec3 forward = add_scaled(scale(-sine, c->from), cosine, c->third);
        const Vec3 across[2] = {forward, cross(best->n, forward)};
        scr_look_radii(s, false, best->n, across, a);
        scr_look_radii(s, true, best->n, across, b);
        double falls = c->radius * (a[0] + b[0]) + dot(sub(best->on_b, best->on_a), u);
        double step = falls > 0 ? slope / falls : 1;
        if (!(fabs(step) < 0.3)) {
            return false;
        }
        const NormalLook next = look_on(s, c, angle + step, &next_slope, best);
        if (!(fabs(next_slope) < 0.5 * fabs(slope))) {
            return false;
        }
        angle += step;
        slope = next_slope;
        *best = next;
    }
    return fabs(slope) <= tiny;
}

NormalLook scr_climb_circle(const NormalSides *s, Vec3 axis, double height, const NormalLook *at) {
    Circle c = {.axis = axis, .height = height, .radius = sqrt(scr_max(0, 1 - height * height))};
    Vec3 across = add_scaled(at->n, -dot(at->n, axis), axis);
    c.from = length(across) > 1e-12 ? unit(across) : perpendicular(axis);
    c.third = cross(axis, c.from);
    double low = 0, slope_low, high, slope_high;
    NormalLook best = look_on(s, &c, 0, &slope_low, at), next = best;
    double sign = slope_low < 0 ? -1 : 1, tiny = 0.25 * scr_look_exact(s);
    if (fabs(slope_low) <= tiny || climb_by_newton(s, &c, slope_low, &next)) {
        return next;
    }
    next = best;
    for (high = sign * 1e-3; fabs(high) < M_PI; high *= 2) {
        next = look_on(s, &c, high, &slope_high, &best);
        scr_take_better_look(s, &next, &best);
        if (!(slope_high * sign > 0)) {
            break;
        }
        low = high;
        slope_low = slope_high;
    }
    int side = 0;
    for (int k = 0; k < 80 && slope_high * slope_low < 0 && best.error > tiny; k++) {
        double share = slope_low / (slope_low - slope_high), slope;
        double angle = k % 4 == 3 ? 0.5 * (low + high) : low + share * (high - low);
        if (angle == low || angle == high) {
            break;
        }
        next = look_on(s, &c, angle, &slope, &best);
        scr_take_better_look(s, &next, &best);
        if (slope * slope_low > 0) {
            low = angle;
            slope_low = slope;
            slope_high *= side == 1 ? 0.5 : 1;
            side = 1;
        } else {
            high = angle;
            slope_high = slope;
            slope_low *= side == -1 ? 0.5 : 1;
            side = -1;
        }
    }
    return best;
}

/* n = x k + y l + z k x l,   x + y c = h,   x c + y = g,   c = k.l. */
bool scr_cross_circles(Vec3 k, double h, Vec3 l, double g, Vec3 near, Vec3 *n) {
    Vec3 third = cross(k, l);
    double c = dot(k, l), square = dot(third, third);
    double x = (h - g * c) / square, y = (g - h * c) / square;
    Vec3 flat = add_scaled(scale(x, k), y, l);
    double rest = (1 - dot(flat, flat)) / square;
    *n = add_scaled(flat, copysign(sqrt(scr_max(0, rest)), dot(near, third)), third);
    return square > 1e-12 && rest > 0;
}

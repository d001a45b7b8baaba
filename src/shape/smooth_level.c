#include "shape/smooth.h"

/* ---------------------------------------------------------------- cones
 *
 * In the half plane of the distance from the axis and the height, a cone is a quadrangle with two
 * corners off the axis. */

/* The distance of (r, z) from the line between two points. */
static double from_segment(double r, double z, double r0, double z0, double r1, double z1) {
    double dr = r1 - r0, dz = z1 - z0, all = dr * dr + dz * dz;
    double share = all > 0 ? ((r - r0) * dr + (z - z0) * dz) / all : 0;
    share = scr_min(scr_max(share, 0), 1);
    return scr_hypot(r - r0 - share * dr, z - z0 - share * dz);
}

static double cone_level(const SmoothPart *s, Vec3 x) {
    Vec3 d = sub(x, s->centre);
    double z = dot(d, s->axis[2]), r = length(add_scaled(d, -z, s->axis[2])), across, along;
    scr_cone_side(s, &across, &along);
    double inside = scr_max(scr_max(-z, z - s->length), across * (r - s->form[0]) + along * z);
    if (inside <= 0) {
        return inside;
    }
    double caps = scr_min(from_segment(r, z, 0, 0, s->form[0], 0),
                          from_segment(r, z, 0, s->length, s->form[1], s->length));
    return scr_min(caps, from_segment(r, z, s->form[0], 0, s->form[1], s->length));
}

double scr_smooth_level(const SmoothPart *s, double rounding, Vec3 x) {
    return s->kind == SCREE_PART_CONE ? cone_level(s, x) - rounding : scr_ellipsoid_norm(s, x) - 1;
}

/* ---------------------------------------------------------------- along a line */

static double level_at(const SmoothPart *s, double rounding, double x, double y, double z) {
    return scr_smooth_level(s, rounding, vec3(x, y, z));
}

/* Between a height inside and one outside. */
static double bisect(const SmoothPart *s, double rounding, double x, double y, double in,
                     double out) {
    for (int k = 0; k < 40; k++) {
        double middle = 0.5 * (in + out);
        bool inside = level_at(s, rounding, x, y, middle) <= 0;
        in = inside ? middle : in;
        out = inside ? out : middle;
    }
    return 0.5 * (in + out);
}

/* The level is convex along a line: the search for its least value narrows the stretch until it
 * finds the inside, or nothing. */
static bool find_inside(const SmoothPart *s, double rounding, double x, double y, double low,
                        double high, double *at) {
    for (int k = 0; k < 40; k++) {
        double one = low + (high - low) / 3, other = high - (high - low) / 3;
        double level = level_at(s, rounding, x, y, one),
               level2 = level_at(s, rounding, x, y, other);
        if (level <= 0 || level2 <= 0) {
            *at = level <= level2 ? one : other;
            return true;
        }
        low = level > level2 ? one : low;
        high = level > level2 ? high : other;
    }
    return false;
}

/* |y + t w|^2 = 1 with y and w in half axes. */
static bool meet_ellipsoid(const SmoothPart *s, double x, double y, double *low, double *high) {
    Vec3 d = sub(vec3(x, y, s->centre.z), s->centre);
    Vec3 at = vec3(dot(s->dual[0], d), dot(s->dual[1], d), dot(s->dual[2], d));
    Vec3 up = vec3(s->dual[0].z, s->dual[1].z, s->dual[2].z);
    double square = dot(up, up), half = dot(at, up) / square;
    double rest = half * half - (dot(at, at) - 1) / square;
    if (!(rest > 0)) {
        return false;
    }
    *low = s->centre.z - half - sqrt(rest);
    *high = s->centre.z - half + sqrt(rest);
    return true;
}

bool scr_smooth_stretch(const SmoothPart *s, double rounding, double x, double y, double *low,
                        double *high) {
    if (s->kind == SCREE_PART_ELLIPSOID && scr_is_plain_ellipsoid(s)) {
        return meet_ellipsoid(s, x, y, low, high);
    }
    double bottom = scr_smooth_support(s, vec3(0, 0, -1)).z - rounding,
           top = scr_smooth_support(s, vec3(0, 0, 1)).z + rounding, at;
    if (!find_inside(s, rounding, x, y, bottom, top, &at)) {
        return false;
    }
    *low = bisect(s, rounding, x, y, at, bottom);
    *high = bisect(s, rounding, x, y, at, top);
    return *low < *high;
}

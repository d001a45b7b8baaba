#include "shape/smooth.h"

static Vec3 around(const SmoothPart *s, double angle) {
    return add_scaled(scale(scr_cos(angle), s->axis[0]), scr_sin(angle), s->axis[1]);
}

/* Along rays of equal angles from the centre, in half axes. */
static Vec3 ellipsoid_point(const SmoothPart *s, int lines, int row, double angle) {
    double down = M_PI * row / lines, across = row == 0 || row == lines ? 0 : scr_sin(down);
    Vec3 ray =
        add_scaled(add_scaled(s->centre, across, around(s, angle)), scr_cos(down), s->axis[2]);
    return add_scaled(s->centre, 1 / scr_ellipsoid_norm(s, ray), sub(ray, s->centre));
}

/* Lines of the arc of one rim. */
static int arc_lines(double rounding, int lines) {
    return rounding > 0 ? (lines + 1) / 2 : 0;
}

/* The upper pole, the upper rim from its cap to the side, the lower rim from the side to its cap, and
 * the lower pole. Up is the third axis. */
static Vec3 cone_point(const SmoothPart *s, double rounding, int lines, int row, double angle) {
    int arc = arc_lines(rounding, lines), last = scr_smooth_rows(s, rounding, lines) - 1;
    if (row == 0 || row == last) {
        return add_scaled(s->centre, row == 0 ? s->length + rounding : -rounding, s->axis[2]);
    }
    int rim = row <= arc + 1 ? 1 : 0;
    double across, along, share = arc > 0 ? (double)(rim ? row - 1 : row - arc - 2) / arc : 0;
    scr_cone_side(s, &across, &along);
    double side = scr_atan2(along, across);
    double tilt = rim ? M_PI / 2 + share * (side - M_PI / 2) : side + share * (-M_PI / 2 - side);
    double r = s->form[rim] + rounding * scr_cos(tilt),
           z = rim * s->length + rounding * scr_sin(tilt);
    return add_scaled(add_scaled(s->centre, z, s->axis[2]), r, around(s, angle));
}

int scr_smooth_rows(const SmoothPart *s, double rounding, int lines) {
    return s->kind == SCREE_PART_CONE ? 2 * arc_lines(rounding, lines) + 4 : lines + 1;
}

Vec3 scr_smooth_row_point(const SmoothPart *s, double rounding, int lines, int row, double angle) {
    return s->kind == SCREE_PART_CONE ? cone_point(s, rounding, lines, row, angle)
                                      : ellipsoid_point(s, lines, row, angle);
}

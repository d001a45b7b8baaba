#include "measure/rings.h"
#include "measure/gauss.h"

#include "math/vec.h"

/* The segment that a chord at distance x from the centre cuts off a disk; x < 0: more than half of it. */
static double segment(double r, double x) {
    const double height = sqrt(scr_max((r - x) * (r + x), 0));
    return r * r * scr_atan2(height, x) - x * height;
}

/* The circles cross on the chord at x = (d^2 + r^2 - R^2) / (2 d) from the centre of the first. */
double scr_disk_in_disk(double r, double d, double radius) {
    if (d >= r + radius) {
        return 0;
    }
    if (d <= fabs(r - radius)) {
        const double least = scr_min(r, radius);
        return M_PI * least * least;
    }
    const double x = 0.5 * (d + (r - radius) * (r + radius) / d);
    return segment(r, x) + segment(radius, d - x);
}

/* The integral over z from a to b of the area of the ball's section, a disk, in the cylinder's. That area
 * begins and ends as the power 3/2 of z, and a section shrinks as its root; z = a + (b - a)(3 u^2 - 2 u^3)
 * makes all of them smooth. */
static double crossing_sections(double r, double d, double radius, double a, double b) {
    enum { PANELS = 16 };
    double sum = 0;
    for (int k = 0; k < PANELS && b > a; k++) {
        for (int i = 0; i < GAUSS_POINTS; i++) {
            const double u = (k + gauss_node[i]) / PANELS;
            const double z = a + (b - a) * u * u * (3 - 2 * u);
            const double section = sqrt(scr_max((r - z) * (r + z), 0));
            sum += gauss_weight[i] / PANELS * (b - a) * 6 * u * (1 - u) *
                   scr_disk_in_disk(section, d, radius);
        }
    }
    return sum;
}

/* The part of [a, b] within [low, high]. */
static double part(double a, double b, double low, double high, double *from, double *to) {
    *from = scr_max(a, low);
    *to = scr_min(b, high);
    return scr_max(*to - *from, 0);
}

/* The integral of pi (r^2 - z^2). */
static double whole_sections(double r, double from, double to) {
    return to > from ? M_PI * (to - from) * (r * r - (to * to + to * from + from * from) / 3) : 0;
}

/* Sections smaller than |R - d| lie within the cylinder's or outside of it, those larger than R + d hold it. */
double scr_ball_in_cylinder(double r, double d, double radius, double low, double high) {
    const double inner = fabs(radius - d), outer = radius + d;
    const double far = inner < r ? sqrt((r - inner) * (r + inner)) : 0;
    const double near = outer < r ? sqrt((r - outer) * (r + outer)) : 0;
    double sum = M_PI * radius * radius, from, to;
    sum *= part(-near, near, low, high, &from, &to);
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? 1 : -1;
        const double a = scr_min(sign * near, sign * far), b = scr_max(sign * near, sign * far);
        part(a, b, low, high, &from, &to);
        sum += crossing_sections(r, d, radius, from, to);
        if (d < radius) {
            part(scr_min(sign * far, sign * r), scr_max(sign * far, sign * r), low, high, &from,
                 &to);
            sum += whole_sections(r, from, to);
        }
    }
    return sum;
}

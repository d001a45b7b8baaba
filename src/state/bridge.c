#include "state/bridge.h"

#include "math/elementary.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static double radians(double degrees) {
    return degrees * (pi / 180);
}

double scr_bridge_reach(const ScreeLaw *law) {
    return scr_has_bridges(law)
               ? (1 + 0.5 * radians(law->bridge_angle)) * scr_cbrt(law->bridge_volume)
               : 0;
}

Bridge scr_bridge(const ScreeLaw *law, double reduced) {
    const double radius = 2 * reduced;
    if (!scr_has_bridges(law)) {
        return (Bridge){0, 0, 0};
    }
    return (Bridge){
        .force = 2 * pi * radius * law->bridge_tension * scr_cos(radians(law->bridge_angle)),
        .decay = 0.5 * sqrt(radius / law->bridge_volume),
        .reach = scr_bridge_reach(law),
    };
}

double scr_bridge_force(const Bridge *b, double gap) {
    const double x = b->decay * scr_max(gap, 0);
    return gap < b->reach ? b->force / (1 + x * (2.1 + 10 * x)) : 0;
}

/* The integral of 1 / (1 + 2.1 x + 10 x^2) from 0 is 2/q (atan((20 x + 2.1) / q) - atan(2.1 / q))
 * with q^2 = 40 - 2.1^2, and the difference of the two is one angle, that of 10 q x / (20 + 21 x). */
double scr_bridge_energy(const Bridge *b, double gap) {
    const double x = b->decay * scr_min(scr_max(gap, 0), b->reach), q = sqrt(40 - 2.1 * 2.1);
    return x > 0 ? b->force / b->decay * (2 / q) * scr_atan(10 * q * x / (20 + 21 * x)) : 0;
}

/* Rolling and torsion friction of the soft-sphere engine: springs with memory and dashpots, cut
 * back to the bounds of (BUW 1.40). The relative spin is that of b relative to a, and the torque
 * acts on b. */
#ifndef SCREE_SOFT_FORCE_TORQUE_H
#define SCREE_SOFT_FORCE_TORQUE_H

#include "math/root.h"
#include "soft/force/tangential.h"

/* Largest rolling torque at the pressure P: (length + hertz (r* P)^(1/3)) P, in the plane ^(1/2)
 * (BUW 1.41 to 1.45); `length` holds rolling r* + rolling_length, `hertz` is rolling_hertz. */
static inline double scr_rolling_limit(int dimension, double length, double hertz, double reach,
                                       double pressure) {
    double load = hertz > 0 ? reach * pressure : 0;
    return (length + hertz * (dimension == 2 ? sqrt(load) : scr_cbrt(load))) * pressure;
}

/* The torque of a spring that has already been cut and of its dashpot, together within the
 * limit. */
static inline Vec3 scr_rolling_torque(Vec3 spring, double stiffness, Vec3 spin, double damping,
                                      double limit) {
    Vec3 torque = scale(-1, add_scaled(scale(stiffness, spring), damping, spin));
    scr_force_cut(&torque, limit);
    return torque;
}

/* Cuts an angle back. Returns the signed angle that slid away. */
static inline double scr_angle_cut(double *angle, double stiffness, double limit) {
    double most = limit / stiffness, before = *angle;
    *angle = scr_max(-most, scr_min(most, before));
    return before - *angle;
}

static inline double scr_torsion_torque(double angle, double stiffness, double spin, double damping,
                                        double limit) {
    double torque = -(stiffness * angle + damping * spin);
    return scr_max(-limit, scr_min(limit, torque));
}

#endif

/* Tangential forces of the soft-sphere engine. The slip velocity is that of b relative to a, and
 * the force acts on b. A spring is the vector by which b has been displaced along a since the two
 * touched, as far as friction allowed (after Cundall and Strack). */
#ifndef SCREE_SOFT_FORCE_TANGENTIAL_H
#define SCREE_SOFT_FORCE_TANGENTIAL_H

#include "math/vec.h"

/* Turns a spring with the contact: the normal has changed from n - dn to n, and the pair has turned
 * by `angle` about it. The smallest rotation that takes the old normal m to n takes a vector s
 * across m to s - (s.n) (m + n) / (1 + m.n), and s - (s.n) (n - dn/2) is the same to second order.
 * So the spring keeps its length, while plain projection would shorten it in every step. */
static inline Vec3 scr_spring_turn(Vec3 s, Vec3 n, Vec3 half_dn, double angle) {
    double along = dot(s, n);
    s = add_scaled(add_scaled(s, -along, n), along, half_dn);
    return add_scaled(scale(1 - 0.5 * angle * angle, s), angle, cross(n, s));
}

/* The same when the old normal is not known: laid into the new tangent plane without changing its
 * length. */
static inline Vec3 scr_spring_lay(Vec3 s, Vec3 n, double angle) {
    double along = dot(s, n), square = dot(s, s), rest = square - along * along;
    s = add_scaled(s, -along, n);
    if (along != 0 && rest > 0) {
        s = scale(sqrt(square / rest), s);
    }
    return add_scaled(scale(1 - 0.5 * angle * angle, s), angle, cross(n, s));
}

/* Cuts a spring back to the force that friction can bear, which is not negative. Returns the
 * fraction that slid away. */
static inline double scr_spring_cut(Vec3 *s, double stiffness, double limit) {
    double square = dot(*s, *s);
    if (square * stiffness * stiffness <= limit * limit) {
        return 0;
    }
    double kept = limit / (stiffness * sqrt(square));
    *s = scale(kept, *s);
    return 1 - kept;
}

/* Energy lost when a spring was stretched from `before` to `trial` and part of that slid away,
 * leaving `after`: the mean of the forces at both ends times the distance slid. This is the work by
 * the trapezoidal rule less what the spring has stored, so the balance of a step closes. */
static inline double scr_spring_loss(double stiffness, Vec3 before, Vec3 trial, Vec3 after,
                                     double part) {
    return 0.5 * stiffness * part * dot(add(before, after), trial);
}

/* Limits a force to a given length. Returns whether it had to be cut. */
static inline bool scr_force_cut(Vec3 *force, double limit) {
    double square = dot(*force, *force);
    if (square <= limit * limit) {
        return false;
    }
    *force = limit > 0 ? scale(limit / sqrt(square), *force) : vec3(0, 0, 0);
    return true;
}

/* RC1: T = -min(gamma |v|, mu N) v / |v| (RSDW 2). */
static inline Vec3 scr_viscous_friction(Vec3 slip, double gamma, double limit, bool *slides) {
    Vec3 force = scale(-gamma, slip);
    *slides = scr_force_cut(&force, limit);
    return force;
}

#endif

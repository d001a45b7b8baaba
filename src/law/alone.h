/* Contacts with laws beyond rigid Coulomb friction that are updated one by one: friction and torques together,
 * whatever couples them (law/rolling.h), and rolling friction that grows with the area of contact. */
#ifndef SCREE_LAW_ALONE_H
#define SCREE_LAW_ALONE_H

#include "law/rolling.h"
#include "law/terms.h"
#include "math/cube_root.h"

/* The largest rolling torque at the pressure P >= 0, see LawRow. */
LAW_INLINE double law_most_rolling(bool space, double rolling, double hertz, double pressure) {
    const double width = hertz > 0.0 ? hertz * pressure : 0.0;
    return (rolling + (space ? cube_root(width) : sqrt(width))) * pressure;
}

/* 1 / mass, and 0 for what cannot move. */
LAW_INLINE double law_inverse(double mass) {
    return mass > 0.0 ? 1.0 / mass : 0.0;
}

/* Friction and torque between disks, T along z, and y = T; `spin` is w. */
LAW_INLINE void law_roll_alone_plane(double mu, double mass_t, double rt, const LawRolls *r,
                                     double slip, double spin, double pressure, double most_roll,
                                     double *new_t, double *new_torque) {
    const double a = law_inverse(mass_t), c = law_inverse(r->mass_o), k = r->coupling;
    const double torque = r->torque.twist;
    law_rolling_plane(a, k, c, slip - a * rt - k * torque, spin - k * rt - c * torque,
                      mu * pressure, most_roll, new_t, new_torque);
}

/* The same between spheres, in a frame (n, t1, t2), where y = T x n = (T2, -T1). */
LAW_INLINE void law_roll_alone_space(double mu, double mass_t, RealVec3 n, RealVec3 rt,
                                     const LawRolls *r, RealVec3 slip, RealVec3 spin,
                                     double pressure, double most_roll, RealVec3 *new_t,
                                     LawTorque *torque) {
    const double a = law_inverse(mass_t), c = law_inverse(r->mass_o), k = r->coupling;
    const double normal[3] = {n.x, n.y, n.z};
    double f1[3], f2[3];
    law_frame3(normal, f1, f2);
    RealVec3 t1 = {f1[0], f1[1], f1[2]}, t2 = {f2[0], f2[1], f2[2]};
    const double old[2] = {real_dot(rt, t1), real_dot(rt, t2)};
    const double y[2] = {real_dot(r->torque.roll, t1), real_dot(r->torque.roll, t2)};
    const double qx[2] = {real_dot(slip, t1) - a * old[0] - k * y[0],
                          real_dot(slip, t2) - a * old[1] - k * y[1]};
    const double qy[2] = {real_dot(spin, t2) - k * old[0] - c * y[0],
                          -real_dot(spin, t1) - k * old[1] - c * y[1]};
    double x[2], z[2];
    law_rolling_space(a, k, c, qx, qy, mu * pressure, most_roll, x, z);
    torque->twist = law_torsion(c, real_dot(spin, n) - c * r->torque.twist, r->torsion * pressure);
    *new_t = real_add3(real_scale3(x[0], t1), real_scale3(x[1], t2));
    torque->roll = real_add3(real_scale3(z[0], t1), real_scale3(z[1], t2));
}

#endif

/* The normal impulse of one contact with cohesion of finite range and with compliance (Brendel,
 * Unger and Wolf, fig 1.9b; Lim, eq 4.13).
 *
 * Plotted against the opening velocity, the impulse is a staircase that never rises. For a bond
 * across a gap g > 0, read from right to left: while the gap opens, the impulse is the full tension
 * (R = least); at rest it is anything between that and `most_at_rest`, which is 0; while the gap
 * closes there is no impulse; and where it would close by more than g within the step, any push is
 * possible. A closed contact, or one without a bond, has most_at_rest = least, so that the first
 * two steps coincide: this is Signorini's law, shifted by the tension. */
#ifndef SCREE_LAW_NORMAL_H
#define SCREE_LAW_NORMAL_H

#include "law/real.h"

#include <math.h>

/* `at_rest` is the impulse that would leave the gap as it is, `closing` the one that would just
 * close it (with compliance: up to the overlap that belongs to the impulse). */
LAW_INLINE Real law_normal(Real at_rest, Real closing, Real least, Real most_at_rest) {
    return real_max(real_max(real_min(at_rest, most_at_rest), least), closing);
}

/* A contact that may have a bond and a spring. */
typedef struct LawNormal {
    Real adhesion; /* tension of the bond times the time step */
    Real least, most_at_rest;
    Real soft;            /* [velocity/impulse] compliance of the spring, 1 / (k dt^2); 0: rigid */
    Real mass, mass_soft; /* 1 / W_nn, and 1 / (W_nn + soft) */
} LawNormal;

/* The new normal impulse, from the present one. `un` is the velocity at which the contact opens;
 * `gap` is the same plus the bias, so that it is zero when the gap just closes within the step. */
LAW_INLINE Real law_normal_update(const LawNormal *l, Real un, Real gap, Real rn) {
    Real at_rest = real_msub(rn, l->mass, un);
    Real closing = real_msub(rn, l->mass_soft, real_madd(gap, l->soft, real_add(rn, l->adhesion)));
    return law_normal(at_rest, closing, l->least, l->most_at_rest);
}

/* The same where there is no bond, and where there is no spring. */
LAW_INLINE Real law_spring_update(const LawNormal *l, Real gap, Real rn) {
    return real_positive(real_msub(rn, l->mass_soft, real_madd(gap, l->soft, rn)));
}
LAW_INLINE Real law_bond_update(const LawNormal *l, Real un, Real gap, Real rn) {
    Real at_rest = real_msub(rn, l->mass, un), closing = real_msub(rn, l->mass, gap);
    return law_normal(at_rest, closing, l->least, l->most_at_rest);
}

/* What the bounds of friction and torques are proportional to: the bond presses the partners
 * together in addition to the normal impulse. */
LAW_INLINE Real law_pressure(Real rn, Real adhesion) {
    return real_positive(real_add(rn, adhesion));
}

/* The velocity that friction opposes when a tangential spring takes up part of the slip. `bias` is
 * what restitution and the present deflection of the spring contribute. */
LAW_INLINE RealVec3 law_spring_slip(RealVec3 ut, RealVec3 bias, Real soft, RealVec3 rt) {
    return real_madd3(real_add3(ut, bias), soft, rt);
}

/* The tension, as an impulse, that uses up the remaining energy `left` of a bond within one step.
 * The pair separates at the velocity `before` when the step begins, and without the bond would
 * separate at `free` when it ends; `w` is the change of velocity per impulse. The work of the bond,
 * j (before + free - w j) / 2, is exactly the kinetic energy that it takes, so whether an impact
 * breaks the bond does not depend on the time step. If the energy is not used up, this returns
 * `most`, the full force times the time step. */
LAW_INLINE double law_bond_tension(double before, double free, double w, double most, double left) {
    double hold = w > 0.0 ? free / w : 0.0;
    double full = law_min(most, law_max(hold, 0.0));
    double sum = before + free;
    if (!(0.5 * full * (sum - w * full) >= left)) {
        return most;
    }
    double root = sqrt(law_max(sum * sum - 8.0 * w * left, 0.0));
    return law_min(most, 4.0 * left / (sum + root));
}

#endif

/* The normal impulse of one contact with cohesion of finite range and with compliance (Brendel,
 * Unger and Wolf, fig 1.9b; Lim, eq 4.13).
 *
 * The graph of impulse against opening velocity is a staircase that never rises. For a bond that is
 * open by g > 0, from the right to the left: while it opens, the full tension (R = least); at rest
 * anything from there to `held` = 0; while it closes, nothing; and where it would close by more
 * than g within the step, any push. A closed contact, or one without a bond, has held = least, and
 * the first two steps fall together: Signorini's law, shifted by the tension. */
#ifndef SCREE_LAW_NORMAL_H
#define SCREE_LAW_NORMAL_H

#include "law/real.h"

#include <math.h>

/* `keep` is the impulse that would keep the gap as it is, `push` the one that would just close it
 * (with compliance: close it by the overlap that belongs to the impulse). */
LAW_INLINE Real law_normal(Real keep, Real push, Real least, Real held) {
    return real_max(real_max(real_min(keep, held), least), push);
}

/* A contact with a bond or a spring. The spring's compliance is a velocity for each impulse,
 * 1 / (k dt^2), or 0 for a rigid contact. */
typedef struct LawNormal {
    Real adhesion; /* the bond's tension as an impulse */
    Real least, held;
    Real soft;            /* compliance */
    Real mass, mass_soft; /* 1 / W_nn, and 1 / (W_nn + soft) */
} LawNormal;

/* The new normal impulse from the present one. `un` is the velocity at which the contact opens,
 * `gap` the same with the bias, zero where the gap just closes. */
LAW_INLINE Real law_normal_update(const LawNormal *l, Real un, Real gap, Real rn) {
    Real keep = real_msub(rn, l->mass, un);
    Real push = real_msub(rn, l->mass_soft, real_madd(gap, l->soft, real_add(rn, l->adhesion)));
    return law_normal(keep, push, l->least, l->held);
}

/* What bounds friction and torques: the normal impulse, and with it what the bond pulls. */
LAW_INLINE Real law_pressure(Real rn, Real adhesion) {
    return real_positive(real_add(rn, adhesion));
}

/* The velocity that friction opposes where a tangential spring takes a share of the slip. `bias`:
 * what restitution and the spring's memory ask for. */
LAW_INLINE RealVec3 law_spring_slip(RealVec3 ut, RealVec3 bias, Real soft, RealVec3 rt) {
    return real_madd3(real_add3(ut, bias), soft, rt);
}

/* Tension impulse that uses up the energy `left` of a bond within a step, when a pair that parts at
 * the velocity `before` would at its end part at `free` without the bond, and `w` is the change of
 * velocity per impulse. The bond's work j (before + free - w j) / 2 is exactly the kinetic energy
 * that it takes, so whether a blow breaks it does not depend on the time step. `most` when it does
 * not come to that: force times time step. */
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

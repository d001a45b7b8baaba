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

#include "law/coulomb.h"

/* `keep` is the impulse that would keep the gap as it is, `push` the one that would just close it
 * (with compliance: close it by the overlap that belongs to the impulse). */
LAW_INLINE double law_normal(double keep, double push, double least, double held) {
    return law_max(law_max(law_min(keep, held), least), push);
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

/* Cohesion with a range (BUW, section 1.8) for the soft-sphere engine.
 *
 * The rigid law lets a bond carry any tension up to F while it is open by 0 <= g <= d; it opens
 * further only under F, it is not pulled back, and it closes only when it is pushed. Here a bond is
 * a thread with a spring: `opening` p is the length by which it has yielded so far, and at the gap
 * g it pulls with k (g - p), at most F. At F it yields; when the grains come nearer than p the
 * thread is taken up, so that it never pulls them back by more than the stretch F / k. It tears
 * when the work done on it, F p + F^2 / (2 k), has reached F d, whatever the time step. */
#ifndef SCREE_SOFT_FORCE_BOND_H
#define SCREE_SOFT_FORCE_BOND_H

#include "math/elementary.h"

#include <math.h>
#include <stdbool.h>

typedef struct Bond {
    double strength; /* F */
    double range;    /* d */
    double stiffness;
} Bond;

typedef struct BondPull {
    double tension; /* of the spring, not negative */
    double energy;  /* stored in it */
    double lost;    /* energy spent in yielding and in tearing */
    bool torn;
} BondPull;

/* The widest gap that a bond can span. */
static inline double scr_bond_reach(const Bond *bond) {
    double stretch = bond->strength / bond->stiffness;
    return scr_max(bond->range + 0.5 * stretch, stretch);
}

/* For a gap that is not negative. */
static inline BondPull scr_bond_pull(const Bond *bond, double gap, double *opening) {
    double stretch = bond->strength / bond->stiffness, whole = gap - stretch;
    BondPull pull = {0};
    if (whole > *opening) {
        double torn_at = scr_max(0, bond->range - 0.5 * stretch);
        pull.torn = whole >= torn_at;
        double yielded = scr_min(whole, torn_at) - *opening;
        pull.lost = bond->strength * (scr_max(yielded, 0) + (pull.torn ? 0.5 * stretch : 0));
        *opening = whole;
    }
    *opening = scr_min(*opening, gap);
    if (!pull.torn) {
        pull.tension = bond->stiffness * (gap - *opening);
        pull.energy = 0.5 * pull.tension * (gap - *opening);
    }
    return pull;
}

#endif

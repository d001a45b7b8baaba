/* Capillary bridges: the pull of the liquid between two round surfaces, as it depends on their gap.
 *
 * Willett, Adams, Johnson and Seville (Langmuir 16 (2000) 9396) fitted the solutions of the Laplace
 * and Young equation for small volumes by
 *
 *     F(g) = F0 / (1 + 2.1 x + 10 x^2),    F0 = 2 pi R tension cos(angle),    x = g/2 sqrt(R / V),
 *
 * with R = 2 r_a r_b / (r_a + r_b), the mean of Derjaguin (twice the reduced radius; at a plane 2 r).
 * The bridge breaks at the gap d = (1 + angle/2) V^(1/3) of Lian, Thornton and Adams (J. Colloid
 * Interface Sci. 161 (1993) 138). */
#ifndef SCREE_STATE_BRIDGE_H
#define SCREE_STATE_BRIDGE_H

#include <scree/scree.h>

typedef struct Bridge {
    double force; /* where the surfaces touch */
    double decay; /* [1/length] x over the gap */
    double reach; /* [length] it breaks at this gap; 0: there can be none */
} Bridge;

static inline bool scr_has_bridges(const ScreeLaw *law) {
    return law->bridge_volume > 0 && law->bridge_tension > 0;
}

double scr_bridge_reach(const ScreeLaw *law);

/* For surfaces with this reduced radius r* = 1 / (1/r_a + 1/r_b). */
Bridge scr_bridge(const ScreeLaw *law, double reduced);

/* What it pulls with at a gap; at an overlap as at no gap, from its reach on with nothing. */
double scr_bridge_force(const Bridge *bridge, double gap);

/* The work that has drawn it out from no gap to this one. */
double scr_bridge_energy(const Bridge *bridge, double gap);

#endif

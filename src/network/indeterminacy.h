/* How large a set of force networks is (network/force_set.h): what balance alone determines, the
 * smallest and the largest value of each force, and members of the set from random starts. */
#ifndef SCREE_NETWORK_INDETERMINACY_H
#define SCREE_NETWORK_INDETERMINACY_H

#include "network/force_set.h"
#include "interior/point.h"

typedef struct ForceRank {
    size_t unknowns, equations, rank;
} ForceRank;

/* loose[c] tells whether some component of contact c can change within H r + f = 0, whatever the
 * cones say. False when out of memory. */
bool scr_force_rank(const ForceSet *set, ForceRank *rank, bool *loose);

typedef struct ForceExtreme {
    double value;   /* of the normal force; infinite: unbounded */
    double error;   /* how far it may be off, from the duality gap */
    double balance; /* largest |H r + f| of the network that attains it */
} ForceExtreme;

/* The smallest or (`most`) the largest normal force of a contact over the set, by a convex
 * programme,
 *     min w . r  with  H r + f = 0, r in K,  w = 1 or -1 at the normal of the contact,
 * which is the associated contact problem without masses and with the velocities w. r [m] gets the
 * network. False when out of memory. */
bool scr_force_extreme(InteriorWork *work, ForceSet *set, size_t contact, bool most, double *r,
                       ForceExtreme *extreme);

/* Which normal forces have no upper bound: those that occur in networks y in K that balance by
 * themselves, H y = 0. They are found all at once from
 *     max sum y_n  with  H y = 0,  sum y_n + slack = number of contacts.
 * Contacts that hardly take part in one are left to scr_force_extreme. False when out of memory. */
bool scr_force_unbounded(const ForceSet *set, bool *unbounded);

/* Gives the freedoms their masses and makes the local form, both for scr_force_sample. */
Fault scr_force_set_moving(ForceSet *set);

/* Random impulses r to start from: normal ones from an exponential distribution with the mean
 * `amplitude`, not unlike that of real packings, tangential ones anywhere within their bounds. */
void scr_force_random_start(const ForceSet *set, double amplitude, uint64_t key, double *r);

/* A member of the set: sweeps solve the contact problem M v = H r + f, u = H^T v from random
 * impulses until nothing moves. Coulomb's problem may also have solutions in which something does
 * move; sweeps of the associated law, which has none of those, then continue from there. False when
 * no member was reached. */
bool scr_force_sample(const ForceSet *set, double amplitude, double tolerance, uint64_t key,
                      double *r);

#endif

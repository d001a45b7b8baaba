/* How large a set of force networks is (network/force_set.h): what balance alone determines, the
 * least and the most of each force, and members of the set from random starts. */
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
    double value;   /* of the normal force; infinite: without bound */
    double error;   /* how far it may be off, by the gap between the two sides of the programme */
    double balance; /* largest |H r + f| of the network that has it */
} ForceExtreme;

/* The least or the most normal force of a contact over the set: a convex programme,
 *     least of w . r  with  H r + f = 0, r in K,  w = 1 or -1 at the normal of the contact,
 * which is the associated contact problem without masses and with the velocities w. r [m] gets the
 * network. False when out of memory. */
bool scr_force_extreme(InteriorWork *work, ForceSet *set, size_t contact, bool most, double *r,
                       ForceExtreme *extreme);

/* Which normal forces have no upper bound: those of networks y in K that balance by themselves,
 * H y = 0, found all at once as
 *     most of sum y_n  with  H y = 0,  sum y_n + slack = number of contacts.
 * Contacts that are hardly part of one are left to scr_force_extreme. False when out of memory. */
bool scr_force_unbounded(const ForceSet *set, bool *unbounded);

/* Gives the freedoms their masses, and makes the local form, for scr_force_sample. */
const char *scr_force_set_moving(ForceSet *set);

/* A member of the set: the contact problem M v = H r + f, u = H^T v by sweeps from random impulses,
 * until nothing moves. Coulomb's problem may have other solutions, in which something does; then
 * sweeps of the associated law go on from there, which has none. False when it was not reached. */
bool scr_force_sample(const ForceSet *set, double amplitude, double tolerance, uint64_t key,
                      double *r);

#endif

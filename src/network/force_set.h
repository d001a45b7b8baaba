/* The set of force networks that are compatible with one state of motion, as a contact problem
 * without masses (matrix/problem.h, global form):
 *     H r + f = 0,   r in K.
 * A row of H is the balance of a body along one freedom, a column is one component of a force, and
 * f is minus the sum of the known network. The force of a sliding contact has a fixed direction, so
 * its columns are combined into that of the normal, and it has no friction. */
#ifndef SCREE_NETWORK_FORCE_SET_H
#define SCREE_NETWORK_FORCE_SET_H

#include "base/status.h"
#include "math/vec.h"
#include "matrix/problem.h"

/* Zero-initialise it. */
typedef struct ForceSet {
    MatrixProblem problem; /* f, w and mu are set; no masses; in units of `unit` */
    double *now;           /* [m] the known network, a member of the set */
    double *mass;          /* [n] masses of the freedoms over their mean, for iterations */
    int32_t *contact;      /* [contacts] their numbers in the sample, or in the larger set */
    int32_t *state;        /* [contacts] SCREE_CONTACT_STICK or _SLIP */
    int32_t *owner;        /* [n] 6 times the body of each freedom plus its axis (x, y, z and the
                              rotations about them); -1: of a piston */
    double unit;           /* [force] the mean normal force; 1 if there is none */
    double mass_unit;      /* [mass] the mean mass of the freedoms */
    Block vector_block, index_block;
} ForceSet;

/* Makes the set of a sample. Refuses laws that cannot be part of such a set. */
Fault scr_force_set_make(ForceSet *set, const ScreeSample *sample, const ScreeSurroundings *around,
                         double still);

/* All contacts that something movable has, for the motions that the law allows
 * (network/motions.h): open ones too, with state SCREE_CONTACT_OPEN, and each with all components of
 * its force, the first tangent in space along the slip. problem.w gets the velocities that the law
 * sees in the present motion [length/time]; a sliding contact is one that the law let slide. */
Fault scr_force_set_make_moving(ForceSet *set, const ScreeSample *sample,
                                const ScreeSurroundings *around, double still);

/* The set for some of the contacts, while the forces of the others stay as they are; freedoms that
 * none of them touches are left out. False when out of memory. */
bool scr_force_set_choose(const ForceSet *set, const bool *chosen, ForceSet *part);

/* Whether component k of contact c is an unknown: all of them with friction, else only the normal
 * one. */
static inline bool scr_force_unknown(const ForceSet *set, size_t c, int k) {
    return k == 0 || set->problem.mu[c] > 0;
}

void scr_force_set_free(ForceSet *set);

#endif

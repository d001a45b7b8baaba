/* The set of force networks that go with one state of motion, as a contact problem without masses
 * (matrix_problem.h, global form):
 *     H r + f = 0,   r in K.
 * A row of H is the balance of a body along one freedom, a column one component of a force; f is
 * minus what the known network sums up to. A sliding contact has its force along one line, so its
 * columns are drawn together into that of the normal, and it has no friction. */
#ifndef SCREE_NETWORK_FORCE_SET_H
#define SCREE_NETWORK_FORCE_SET_H

#include "math/vec.h"
#include "matrix/problem.h"

/* Zero-initialise it. */
typedef struct ForceSet {
    MatrixProblem problem; /* f, w and mu are set; no masses; in units of `unit` */
    double *now;           /* [m] the network that is known, a member of the set */
    double *mass;          /* [n] masses of the freedoms over their mean, for iterations */
    int32_t *contact;      /* [contacts] its number in the sample, or in the larger set */
    int32_t *state;        /* [contacts] SCREE_CONTACT_STICK or _SLIP */
    double unit;           /* [force] mean of the normal forces; 1 if there are none */
    Block vector_block, index_block;
} ForceSet;

/* The set of a sample. NULL when it is made; else why not, in words: out of memory, or a law that
 * has no place in it. */
const char *scr_force_set_make(ForceSet *set, const ScreeSample *sample,
                               const ScreeSurroundings *around, double still);

/* The set of some of the contacts, the forces of the others being as they are; freedoms that these
 * do not touch are left out. False when out of memory. */
bool scr_force_set_choose(const ForceSet *set, const bool *chosen, ForceSet *part);

/* Whether component k of contact c is an unknown: all of a contact with friction, else the normal.
 */
static inline bool scr_force_unknown(const ForceSet *set, size_t c, int k) {
    return k == 0 || set->problem.mu[c] > 0;
}

void scr_force_set_free(ForceSet *set);

#endif

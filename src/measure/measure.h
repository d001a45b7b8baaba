/* Numbers that describe a state. */
#ifndef SCREE_MEASURE_MEASURE_H
#define SCREE_MEASURE_MEASURE_H

#include "base/threads.h"
#include "state/state.h"

/* That of all bodies and pistons. */
double scr_kinetic_energy(const State *state);

/* Mean number of active contacts, including those with walls, per body that has any. */
double scr_coordination(const State *state);

/* Longest side of the bounding box of the largest cluster of bodies joined by active contacts; 0 if
 * there is none. `work` holds two numbers per body. Negative when out of memory. */
double scr_cluster_length(const State *state, Block *work, Threads *threads);

#endif

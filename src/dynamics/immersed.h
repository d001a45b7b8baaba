/* Bodies that are so deep in each other that they have no contact points: the certificate must tell of them, though
 * nothing parts them. */
#ifndef SCREE_DYNAMICS_IMMERSED_H
#define SCREE_DYNAMICS_IMMERSED_H

#include "dynamics/engine.h"

/* How deep pairs of the list, and bodies at walls, are in each other at least, as they stand; the outlines are placed.
 * Bodies come so deep into each other where they begin, or jump: each time a list is made anew is often enough. */
double scr_deepest_immersion(const StepTask *task, Outlines *outlines);

#endif

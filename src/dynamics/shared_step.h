/* How a step of a world that processes share begins and ends. */
#ifndef SCREE_DYNAMICS_SHARED_STEP_H
#define SCREE_DYNAMICS_SHARED_STEP_H

#include "dynamics/engine.h"

/* Why processes cannot each make their part of a step alone, in words; NULL: they can. What needs all
 * bodies at once is made by every process for itself: matrices, impacts that follow from one another,
 * orders other than boxes. */
const char *scr_why_whole(const State *whole, int32_t processes);

/* Whether the processes that there are can. */
bool scr_is_shareable(const State *whole, const Engine *engine);

/* Whether many grains are about as large as boxes of the sweep, or larger. */
bool scr_has_many_large(const State *whole);

/* The share of this process as the whole state is now, which is then put away. */
ScreeStatus scr_share_join(Engine *engine, State *whole);

/* Takes over what the step has made, or goes back to what was before it. */
void scr_share_leave(Engine *engine, State *whole, bool made, int64_t sweeps);

/* A step of the whole state follows: it has all bodies, and a list of its own. */
ScreeStatus scr_share_dissolve(Engine *engine, State *whole);

#endif

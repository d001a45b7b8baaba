/* Cutting a step where a contact stops sliding. */
#ifndef SCREE_DYNAMICS_CUT_H
#define SCREE_DYNAMICS_CUT_H

#include "dynamics/engine.h"

/* After the solution, while the contacts have what they had before: where forces jump within the
 * step, solves it again piece by piece. The rows then have the impulses of the last piece, and the
 * velocities are those at the end. */
ScreeStatus scr_cut_step(const State *state, Engine *engine, ScreeReport *report);

/* After scr_collect: adds the impulses of the pieces before the last one. */
void scr_join_pieces(State *state, Engine *engine, ScreeReport *report);

#endif

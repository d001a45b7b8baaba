/* A static increment in strides, where outlines would come to lie in each other. */
#ifndef SCREE_STATICS_STRIDES_H
#define SCREE_STATICS_STRIDES_H

#include "dynamics/engine.h"

/* Before the first stride of a step. */
void scr_begin_strides(Strides *strides);

/* The part of the solved motion that stride number `stride` of a step, from 1, can follow: 1 but in
 * statics with outlines. */
ScreeStatus scr_part_to_follow(const State *state, Engine *engine, int stride, double *part);

/* Makes the solved step a shorter one, with the same velocities and forces. Its time step is then
 * in the definition. Where bodies and walls are is kept, in case that the rest fails. */
ScreeStatus scr_shorten_step(State *state, Engine *engine, double part);

/* After such a step has been made: what its contacts remember until the next one. Tangential
 * springs have gone a part of their way only, and sliding has lifted contacts. */
ScreeStatus scr_keep_memory(State *state, const Engine *engine, double part);

/* After the problem has been assembled: with associated friction all strides of a step lift a
 * contact by as much as one would. */
void scr_lower_rows(const State *state, Engine *engine);

/* Adds the certificate of a stride to that of the step. */
void scr_join_reports(ScreeReport *report, const ScreeReport *one, int stride);

/* Bodies and walls to where they were before the step. */
void scr_undo_strides(State *state, const Strides *strides);

void scr_strides_free(Strides *strides);

#endif

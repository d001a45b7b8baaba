/* What a step needs that is made in strides, one after the other: where everything was before the
 * first, and one certificate for all of them. */
#ifndef SCREE_DYNAMICS_JOIN_H
#define SCREE_DYNAMICS_JOIN_H

#include "state/state.h"

/* Zero-initialise it. */
typedef struct Before {
    Block block;
    size_t bonds;   /* how many there were */
    int64_t broken; /* and how many had broken */
    bool made;      /* it is that of this step */
} Before;

/* Bodies, walls, bonds and the periodic cell as they are before anything moves, in case that a later stride
 * fails; only the first call of a step takes them. And back there. */
ScreeStatus scr_remember_before(State *state, Before *before);
void scr_bring_back(State *state, const Before *before);

/* Adds the certificate of stride number `stride`, from 1, to that of those before it. */
void scr_join_reports(ScreeReport *report, const ScreeReport *one, int stride);

#endif

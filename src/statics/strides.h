/* A static increment in strides, where outlines would come to lie in each other. */
#ifndef SCREE_STATICS_STRIDES_H
#define SCREE_STATICS_STRIDES_H

#include "dynamics/join.h"
#include "dynamics/shaped_pairs.h"

/* Zero-initialise it. */
typedef struct Strides {
    Before before;  /* the increment, in case that a stride fails */
    Arena ahead;    /* and after a part of the motion */
    Block motion;   /* Vec3 [bodies] of the stride before */
    double longest; /* [1] the longest part of a motion that is followed */
    double reach;   /* [time] the longest stride that is worth trying with the exact law; 0: no more
                       is to be gained by short ones */
    double widest;  /* [time] its first value in this increment */
    double deepest; /* [length] overlap of outlines after the stride; 0: was not looked for */
} Strides;

/* Before the first stride of an increment. */
void scr_begin_strides(Strides *strides);

/* The part of the solved motion that stride number `stride` of an increment, from 1, can follow. */
ScreeStatus scr_part_to_follow(const StepTask *task, Outlines *outlines, Strides *strides,
                               int stride, double *part);

/* Makes the solved problem that of a part of its time, with the same velocities and forces. */
void scr_shorten_rows(Problem *problem, double part);

/* After such a part has been made: what its contacts remember until the next one. Tangential
 * springs have gone a part of their way only, and sliding has lifted contacts. */
ScreeStatus scr_remember_sliding(const StepTask *task, State *state, double part);

void scr_strides_free(Strides *strides);

#endif

/* A step of the quasi-static engine. */
#ifndef SCREE_STATICS_INCREMENT_H
#define SCREE_STATICS_INCREMENT_H

#include "dynamics/engine.h"
#include "statics/static_solver.h"
#include "statics/strides.h"

/* Work space besides that of dynamics. Zero-initialise it. */
typedef struct Statics {
    Strides strides;
    StaticTerms terms;
} Statics;

/* One increment of loads and walls. `message` has SCREE_MESSAGE_SIZE bytes. */
ScreeStatus scr_static_increment(State *state, Engine *engine, Statics *statics,
                                 ScreeReport *report, char *message);

void scr_statics_free(Statics *statics);

#endif

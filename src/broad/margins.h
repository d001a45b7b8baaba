/* How far each body may go before the neighbour list is made again. */
#ifndef SCREE_BROAD_MARGINS_H
#define SCREE_BROAD_MARGINS_H

#include "base/threads.h"
#include "state/state.h"

typedef struct MarginRules {
    double aim;    /* number of steps for which the first list is made */
    double cost;   /* of making a list, per body, in pairs that a step looks at */
    double least;  /* [length] margin that every body gets at least */
    double coming; /* [1] fraction of the coming step for which every margin must suffice */
    bool outrun;   /* the last list was used up, so how long it lasted tells something */
    Threads *threads;
} MarginRules;

/* Sets the margins of all bodies. On entry bodies.margin holds how far each moves in a step. */
void scr_choose_margins(State *state, const MarginRules *rules);

/* To be called whenever a list has been made. */
void scr_note_list(State *state, size_t pairs);

#endif

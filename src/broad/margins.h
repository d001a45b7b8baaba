/* How far each body may go before the neighbour list is made again. */
#ifndef SCREE_BROAD_MARGINS_H
#define SCREE_BROAD_MARGINS_H

#include "state/state.h"

typedef struct MarginRules {
    double aim;    /* steps for which a list is first made */
    double cost;   /* of making a list, for each body, in pairs that a step looks at */
    double least;  /* [length] margin that every body needs */
    double coming; /* [1] part of the coming step for which every margin must suffice */
    bool outrun;   /* the last list was used up: its life tells something */
} MarginRules;

/* Sets the margins of all bodies from what they move in a step, which stands in bodies.margin. */
void scr_choose_margins(State *state, const MarginRules *rules);

/* To be called when a list was made anew. */
void scr_note_list(State *state, size_t pairs);

#endif

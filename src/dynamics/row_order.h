/* Where the rows of a step are stored, and in which order the sweep visits them. */
#ifndef SCREE_DYNAMICS_ROW_ORDER_H
#define SCREE_DYNAMICS_ROW_ORDER_H

#include "base/arena.h"
#include "dynamics/held.h"

/* Index of the second body of a contact, or of its wall, in the problem. */
static inline int32_t scr_partner_index(const StepTask *t, const Contact *c) {
    return c->b >= 0 ? scr_acted_index(t, c->b) : scr_wall_index(t->state, scr_wall_of(c->b));
}

/* Fills task->order from the contacts, in a frame of the arena. Where processes share a step, it also
 * decides which contacts this one keeps. */
ScreeStatus scr_choose_order(StepTask *task, Arena *arena);

/* The boxes of the sweep in a cell that is not oblique; whether some body is larger than one of them. */
Boxes scr_lay_step_boxes(const StepTask *task, uint64_t key, bool *giants);

/* The radius from which on a body is larger than a box of the sweep where gaps are small. */
double scr_largest_whole(int dimension, double mean_radius);

#endif

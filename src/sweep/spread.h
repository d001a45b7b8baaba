/* Rows that are spread among processes: each has those of its own boxes, and no others. Which process
 * has a body in a row, of boxes of which parity, tells what must be sent after each group. */
#ifndef SCREE_SWEEP_SPREAD_H
#define SCREE_SWEEP_SPREAD_H

#include "sweep/domain.h"

typedef struct SpreadInput {
    const ScreeProcesses *with;
    uint64_t key;                          /* of the order */
    size_t bodies;                         /* that several processes have */
    const int32_t *by_name;                /* [bodies] in an order that all processes have */
    const int32_t *rank;                   /* in the problem */
    const uint16_t (*uses)[DOMAIN_GROUPS]; /* [ranks] by parity: process, plus 1; 0: none */
    size_t splits; /* bodies that may be split, the same in all processes, in the same order */
    const int32_t *split; /* [splits] in the problem */
} SpreadInput;

/* To be called when the order is made and before copies are: these get their number among all
 * processes. False when out of memory. */
bool scr_spread_make(Domain *domain, Problem *problem, Order *order, const SpreadInput *input);

/* Boxes of a group, in all processes. */
size_t scr_boxes_among(const Order *order, size_t group);

/* Gives a cell the rate that its copies have on average, in all boxes of a group. */
void scr_gather_cell(CellBody *cell, const Order *order, size_t group);

/* Gives each split body the mean of its copies in all processes. */
void scr_gather_spread(const Domain *domain, const Problem *problem, const Order *order,
                       size_t group);

#endif

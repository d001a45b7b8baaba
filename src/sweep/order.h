/* The order in which rows are stored and visited. */
#ifndef SCREE_SWEEP_ORDER_H
#define SCREE_SWEEP_ORDER_H

#include "base/memory.h"
#include "problem/problem.h"
#include "sweep/order_input.h"

/* A copy of a split body for one box. */
typedef struct OrderCopy {
    int32_t body;
    int32_t among; /* number of copies of this body in the group */
    int32_t next;  /* one of them; -1: none */
    bool leads;    /* it is the first of them */
} OrderCopy;

/* Where each contact is stored, and which stored rows may be worked on together: rows form runs,
 * runs form boxes, boxes form groups. A run is cut into packets of PACKET_ROWS, starting at its
 * first row. The rows of a packet share no body, and neither do the boxes of a group. Boxes and
 * groups are in the order of visit. */
typedef struct Order {
    int32_t *slot;              /* [count] where contact i is stored */
    int32_t *run_end;           /* [runs] in rows */
    int32_t *box_end;           /* [boxes] in runs */
    int32_t *row_end;           /* [boxes] in rows */
    int32_t *group_end;         /* [groups] in boxes */
    size_t runs, boxes, groups; /* all 0 when no rows may be worked on together */
    uint32_t *place;            /* [boxes] in the grid, when boxed */
    uint32_t grid[3];           /* boxes along each axis */
    int32_t walls_from;         /* as in the input */
    double *cell_rate; /* [9 boxes] likewise, of a cell that deforms; NULL: there is none */
    double *box_sum;   /* [PROBLEM_SUMS boxes] work space of the sweep and of the residual */

    size_t copies;
    OrderCopy *copy;       /* [copies] */
    int32_t *copy_end;     /* [groups] in copies */
    int32_t (*copy_of)[2]; /* [count] copies for a and b of contact i; -1: none. NULL: no copies */
    const struct Domain
        *spread; /* rows of other boxes are in other processes (spread.h); NULL: none */
    Block slot_block, run_block, box_block, sum_block, copy_block, copy_of_block, cell_rate_block;
    Block used_block; /* [bodies] bits: the packets or colours that contain a body */
} Order;

/* Bytes of scratch memory for ordering `count` contacts in boxes; the caller provides them in
 * `scratch`. */
size_t scr_order_scratch(size_t count, const Boxes *boxes);

/* As found: slot[i] = i. */
bool scr_order_plain(const OrderInput *input, Order *order);

/* Greedy colours over all contacts; rows of one colour share no body. */
bool scr_order_coloured(const OrderInput *input, Order *order);

/* Boxes of space with a random offset, see order.c. */
bool scr_order_boxed(const OrderInput *input, Order *order);

/* The boxes of such an order alone, where a device has the contacts and packs them: from `size`, how many contacts each box
 * has by its place in the grid, which then tells where its rows begin. */
bool scr_order_sizes(const Boxes *boxes, uint64_t key, uint32_t *size, size_t walls_from,
                     Order *order);

/* The parities of boxes in the order of visit. */
void scr_parity_order(uint64_t key, int32_t parity[8]);

/* Boxes of one parity are visited by how many rows they have: those with at most so many and more than
 * the next number, then those with at most that, down to 0. */
static inline uint32_t scr_next_size(uint32_t most) {
    return most >= 4 ? most / 2 : most - 1;
}

/* Where a row stands in the order that one process would visit all rows in: of two that stop at the same
 * time the one before the other counts as the first. The group of its box, how full that is beside the
 * `largest`, and the box. */
double scr_place_in_order(const Order *order, size_t row, double largest);

/* A permutation of 0 .. count-1 drawn from a key. */
void scr_shuffle(int32_t *item, size_t count, uint64_t key);

void scr_order_free(Order *order);

#endif

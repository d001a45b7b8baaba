/* In which order rows are stored and visited. */
#ifndef SCREE_SOLVE_ORDER_H
#define SCREE_SOLVE_ORDER_H

#include "base/memory.h"
#include "math/vec.h"

/* What an order needs to know of a contact. */
typedef struct OrderContact {
    Vec3 point;
    int32_t a, b; /* places of bodies in the problem; at or past `shared_from` are walls */
} OrderContact;

typedef struct OrderInput {
    size_t count;
    const OrderContact *contact;
    int32_t shared_from; /* bodies from here on are read by many and do not order the rows that
                            touch them */
    const bool *alone; /* [walls] the rows of such a wall are kept apart from all others, because it
                          moves */
    double box_side;   /* [length] of the boxed order; contact points of one body are less than this
                          apart */
    double period[3];  /* [length] of periodic directions, 0 for others */
    uint64_t key;      /* of the random draws of this time step */
    void *scratch;     /* scr_order_scratch(count) bytes */
} OrderInput;

/* Where each contact is stored, and which stored rows may be worked on together: rows make runs,
 * runs make boxes, boxes make groups. Rows of a run share no body; boxes of a group share no body;
 * boxes and groups come in the order of visit. */
typedef struct Order {
    int32_t *slot;              /* [count] where contact i is stored */
    int32_t *run_end;           /* [runs] in rows */
    int32_t *box_end;           /* [boxes] in runs */
    int32_t *group_end;         /* [groups] in boxes */
    double *box_change;         /* [boxes] work space of the sweep */
    size_t runs, boxes, groups; /* all 0 when nothing is known */
    Block slot_block, run_block, box_block, change_block;
    Block used_block; /* [bodies] colours that a body has */
} Order;

/* Bytes of scratch memory that ordering `count` contacts needs; the caller lends them in `scratch`.
 */
size_t scr_order_scratch(size_t count);

/* As found: slot[i] = i. */
bool scr_order_plain(const OrderInput *input, Order *order);

/* Greedy colours over all contacts; rows of one colour share no body. */
bool scr_order_coloured(const OrderInput *input, Order *order);

/* Boxes of space with a random offset. See order.c. */
bool scr_order_boxed(const OrderInput *input, Order *order);

/* A permutation of 0 .. count-1 drawn from a key. */
void scr_shuffle(int32_t *item, size_t count, uint64_t key);

void scr_order_free(Order *order);

#endif

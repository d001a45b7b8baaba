/* In which order rows are stored and visited. */
#ifndef SCREE_SOLVE_ORDER_H
#define SCREE_SOLVE_ORDER_H

#include "base/memory.h"
#include "math/vec.h"

/* What an order needs to know of a contact. */
typedef struct OrderContact {
    Vec3 point;
    int32_t a, b; /* places of bodies in the problem; at or past `shared_from` are walls, which
                     anyone may read */
} OrderContact;

typedef struct OrderInput {
    size_t count;
    const OrderContact *contact;
    int32_t shared_from; /* bodies from here on do not order the rows that touch them */
    double box_side;     /* [length] of the boxed order */
    uint64_t key;        /* of the random draws of this time step */
    void *scratch;       /* scr_order_scratch(count) bytes */
} OrderInput;

/* Results and work space, kept from step to step. */
typedef struct Order {
    int32_t *slot; /* [count] where contact i is stored */
    Block slot_block;
    int32_t *run_end; /* [runs] ends of the runs of rows that share no body before `shared_from` */
    size_t runs;      /* 0 when nothing is known */
    Block run_block;
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

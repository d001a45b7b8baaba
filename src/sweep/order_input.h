/* What an order is made from. */
#ifndef SCREE_SWEEP_ORDER_INPUT_H
#define SCREE_SWEEP_ORDER_INPUT_H

#include "base/threads.h"
#include "sweep/boxes.h"

/* How many rows are worked on together, at most. This is the same on every machine, however many
 * its vectors hold. */
enum { PACKET_ROWS = 8 };

/* Contacts that are computed differently, or take different times: like is packed with like. */
typedef enum OrderKind {
    ORDER_HOLDS,
    ORDER_SLIDES, /* it did in the last step: costs a root and a division */
    ORDER_OPEN,   /* it was in the last step: usually nothing to do */
    ORDER_LAW,    /* has a law of its own, or a full block */
    ORDER_LAW_ROLLS,
    ORDER_LAW_SLIDES,
    ORDER_LAW_OPEN,
    ORDER_SHAPE, /* bodies of any shape: a full block */
    ORDER_SHAPE_SLIDES,
    ORDER_SHAPE_OPEN,
    ORDER_KINDS
} OrderKind;

/* What an order needs to know about a contact. */
typedef struct OrderContact {
    /* Indices of bodies in the problem; from `walls_from` on they are walls. -1 - index: the body
     * reaches so far that it is split, see order.c. */
    int32_t a, b;
    uint32_t kind; /* OrderKind */
    uint32_t box;  /* the one that holds its contact point */
    uint64_t name; /* tells it from all others, wherever it and its bodies lie in memory */
} OrderContact;

typedef struct OrderInput {
    size_t count;
    const OrderContact *contact; /* in any order */
    size_t bodies;               /* in the problem, including walls */
    int32_t walls_from; /* bodies from here on are read by many rows, but written by none */
    /* For the boxed order; contact points of a whole body are less than a side apart. */
    Boxes boxes;
    bool spread;   /* other processes have contacts of other boxes */
    uint64_t key;  /* for the random draws of this time step */
    void *scratch; /* scr_order_scratch(count) bytes */
    Threads *threads;
} OrderInput;

#endif

/* What an order is made from. */
#ifndef SCREE_SWEEP_ORDER_INPUT_H
#define SCREE_SWEEP_ORDER_INPUT_H

#include "base/threads.h"
#include "sweep/boxes.h"

/* Rows that are worked on together, at most. The same on every machine, whatever it can do at a
 * time. */
enum { PACKET_ROWS = 8 };

/* Contacts that are computed differently, or take another time: like are kept with like. */
typedef enum OrderKind {
    ORDER_HOLDS,
    ORDER_SLIDES, /* did in the step before: a root and a division */
    ORDER_OPEN,   /* was in the step before: mostly nothing to do */
    ORDER_LAW,    /* has a law of its own, or a full block */
    ORDER_SHAPE,
    ORDER_KINDS
} OrderKind;

/* What an order needs to know of a contact. */
typedef struct OrderContact {
    int32_t a, b; /* places of bodies in the problem; at or past `walls_from` are walls. -1 - place:
                     the body touches so many others that it is split, see order.c */
    uint32_t kind; /* OrderKind */
    uint32_t box;  /* of its point */
} OrderContact;

typedef struct OrderInput {
    size_t count;
    const OrderContact *contact;
    size_t bodies;      /* of the problem, walls included */
    int32_t walls_from; /* bodies from here on are read by many rows, and written by none */
    Boxes boxes;        /* of the boxed order; the contact points of a body that is not split are
                           less than a side apart */
    uint64_t key;       /* of the random draws of this time step */
    void *scratch;      /* scr_order_scratch(count) bytes */
    Threads *threads;
} OrderInput;

#endif

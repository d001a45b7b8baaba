/* What sweeping a box needs, whatever the laws of its rows. */
#ifndef SCREE_SWEEP_SWEEPING_H
#define SCREE_SWEEP_SWEEPING_H

#include "sweep/packet.h"
#include "sweep/row_momentum.h"

#include <string.h>

/* Stands in for rows that a packet does not have, and for bodies that must not be written: walls
 * are read by many rows at once, in several threads. */
typedef struct Nothing {
    ProblemBody body;
    GeneralRow general;
} Nothing;

/* Bodies first .. first + count - 1. */
typedef struct Walls {
    uint32_t first, count;
} Walls;

static Walls walls_of(const Problem *p, const Order *order) {
    return (Walls){(uint32_t)order->walls_from,
                   (uint32_t)(p->bodies - order->copies) - (uint32_t)order->walls_from};
}

WIDE_INLINE bool is_wall(Walls walls, int32_t body) {
    return (uint32_t)body - walls.first < walls.count;
}

/* Sums of |dR|^2 by the lane of a row in its packet, so that they are the same for every vector
 * width. */
typedef struct Change {
    Wide lane[PACKET_ROWS / WIDE];
    double rest; /* of rows that are updated one by one */
} Change;

static double total(const Change *change) {
    double sum = change->rest, lane[PACKET_ROWS];
    memcpy(lane, change->lane, sizeof lane);
    for (int k = 0; k < PACKET_ROWS; k++) {
        sum += lane[k];
    }
    return sum;
}

_Static_assert((int)MOMENTUM_LANES == (int)PACKET_ROWS, "a lane for each row of a packet");

static inline bool creeps(const RowMomentum *momentum) {
    return momentum != NULL && momentum->creep > 0;
}

/* What sweeping a box needs. */
typedef struct Sweeping {
    Problem *problem;
    Walls walls;
    bool columns;
    const RowMomentum *momentum; /* NULL: none */
    Nothing nothing;
    Change change;
    double square[MOMENTUM_LANES];
} Sweeping;

/* The bodies of the next `count` rows, at most WIDE. */
WIDE_INLINE Pairs pairs_of(Sweeping *s, const double *c, size_t count) {
    ProblemBody *body = s->problem->body;
    const BodyIndex *index = body_indices(c);
    Pairs pairs;
    double *none = (double *)&s->nothing.body;
    for (size_t k = 0; k < WIDE; k++) {
        pairs.a[k] = k < count ? (double *)&body[index[2 * k]] : none;
        pairs.b[k] = k < count ? (double *)&body[index[2 * k + 1]] : none;
        pairs.to[k] = k < count && !is_wall(s->walls, index[2 * k + 1]) ? pairs.b[k] : none;
    }
    return pairs;
}

#endif

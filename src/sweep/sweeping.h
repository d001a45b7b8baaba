/* What sweeping a box needs, whatever the laws of its rows. */
#ifndef SCREE_SWEEP_SWEEPING_H
#define SCREE_SWEEP_SWEEPING_H

#include "sweep/packet.h"
#include "sweep/row_momentum.h"
#include "sweep/walls.h"

#include <string.h>

/* Stands in for rows that a packet does not have, and for bodies that must not be written: walls
 * are read by many rows at once, in several threads. */
typedef struct Nothing {
    ProblemBody body;
    GeneralRow general;
} Nothing;

/* Sums of |dR|^2 by the lane of a row in its packet, so that they are the same for every vector
 * width. */
typedef struct Change {
    Wide lane[PACKET_ROWS / WIDE];
    double rest; /* of rows that are updated one by one */
} Change;

static inline double total(const Change *change) {
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

/* The bodies of the next `count` rows, at most WIDE. `nothing` stands in for those that are missing. */
WIDE_INLINE Pairs find_pairs(ProblemBody *body, Walls walls, ProblemBody *nothing, const double *c,
                             size_t count) {
    const BodyIndex *index = body_indices(c);
    Pairs pairs;
    double *none = (double *)nothing;
    for (size_t k = 0; k < WIDE; k++) {
        pairs.a[k] = k < count ? (double *)&body[index[2 * k]] : none;
        pairs.b[k] = k < count ? (double *)&body[index[2 * k + 1]] : none;
        pairs.to[k] = k < count && !is_wall(walls, index[2 * k + 1]) ? pairs.b[k] : none;
    }
    return pairs;
}

WIDE_INLINE Pairs pairs_of(Sweeping *s, const double *c, size_t count) {
    return find_pairs(s->problem->body, s->walls, &s->nothing.body, c, count);
}

#endif

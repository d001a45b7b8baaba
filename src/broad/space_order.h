/* The order along space.
 *
 * A body of reach s = radius + margin belongs to the level whose cells are just wide enough, at
 * least 2 s; levels differ by a factor of two. Bodies are sorted by level and then along the Z
 * curve through the cells, so that neighbours in space are near each other in memory. The place in
 * this order is a body's rank. It is a function of positions and reaches alone: it makes lists the
 * same for every method of search. The default method uses the cells too. */
#ifndef SCREE_BROAD_SPACE_ORDER_H
#define SCREE_BROAD_SPACE_ORDER_H

#include "broad/near.h"

enum { MOST_LEVELS = 64 };

typedef struct Level {
    double size[3];    /* width of a cell along each axis */
    double inverse[3]; /* 1 / size */
    int64_t cells[3];  /* number of cells after which the indices begin again */
    bool narrow;       /* fewer than three cells along some periodic axis */
    size_t bodies;     /* on it */
    double reach;      /* of the largest of them */
} Level;

typedef struct Space {
    const BroadInput *in;
    int axes; /* 2 or 3 */
    bool periodic;
    int bits;         /* of a cell index along one axis */
    double origin[3]; /* where the cells begin */
    double base;      /* reach up to which a body belongs to the finest level */
    int levels;
    Level level[MOST_LEVELS];
    uint64_t *key;  /* [bodies] of cells, sorted */
    int32_t *order; /* [bodies] from rank to body */
    Spot *spot;     /* [bodies] for the method to fill */
} Space;

/* Sorts the bodies and sets their ranks; false when out of memory. `cell` is the width of the
 * smallest cells; with 0, which chooses it, this is the order that all lists have. */
bool scr_space_order(const BroadInput *input, double cell, Neighbours *neighbours, Space *space);

/* A method fills nb->pair with pairs of bodies, each pair once and in any order; but for the
 * default one, whose pairs are of ranks and come in order. */
typedef ScreeStatus BroadMethod(const Space *space, Neighbours *neighbours);

BroadMethod scr_hierarchical_grid, scr_linked_cell, scr_verlet_list, scr_linked_linear_list;

/* A part in 1024 more than needed covers rounding: a position is less than 2^40 cells from the
 * origin, so that its place among them is known to 2^-12. */
#define SPACE_MARGIN (1 + 0x1p-10)

/* Cell along one axis, before indices begin again. Rises with x, rounding included. Bodies farther
 * than 2^40 cells count as being there. */
static inline int64_t scr_space_cell(const Space *s, const Level *level, int axis, double x) {
    double at = floor((x - s->origin[axis]) * level->inverse[axis]);
    if (s->in->def->periodic[axis] && fabs(at) >= 0x1p40) { /* any number of periods away */
        at = fmod(at, (double)level->cells[axis]);
    }
    return (int64_t)fmax(-0x1p40, fmin(0x1p40, at));
}

/* The index in the range from which keys are made. Far away, cells share a key: this costs a few
 * comparisons more, and no body can be too far away. */
static inline int64_t scr_space_wrap(const Space *s, const Level *level, int axis, int64_t cell) {
    int64_t n = level->cells[axis];
    if (!s->in->def->periodic[axis]) {
        return cell & (n - 1); /* a power of two */
    }
    if (cell < 0 || cell >= n) {
        cell %= n;
        cell += cell < 0 ? n : 0;
    }
    return cell;
}

/* The part of a key that one axis makes. */
uint64_t scr_space_part(const Space *space, int axis, int64_t index);

static inline uint64_t scr_space_level_key(int level) {
    return (uint64_t)level << 58;
}

#endif

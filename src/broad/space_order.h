/* The order along space.
 *
 * A body of reach s = radius + margin belongs to the level whose cells are just wide enough, at
 * least 2 s; levels differ by factors of two. Bodies are sorted by level and then along the Z curve
 * through the cells, so that neighbours in space are near each other in memory. The position of a
 * body in this order is its rank. It is a function of positions and reaches alone, which makes
 * lists the same for every method of search. The default method uses the cells too. */
#ifndef SCREE_BROAD_SPACE_ORDER_H
#define SCREE_BROAD_SPACE_ORDER_H

#include "broad/near.h"

enum { MOST_LEVELS = 64 };

typedef struct Level {
    double size[3];    /* width of a cell along each axis */
    double inverse[3]; /* 1 / size */
    int64_t cells[3];  /* number of cells after which indices start over */
    bool narrow;       /* fewer than three cells along some periodic axis */
    size_t bodies;     /* bodies on this level */
    double reach;      /* the largest of them */
} Level;

typedef struct Space {
    const BroadInput *in;
    int axes; /* 2 or 3 */
    bool periodic;
    int bits;         /* bits of a cell index along one axis */
    double origin[3]; /* where the cells begin */
    double largest;   /* reach of any body */
    double base;      /* largest reach that belongs to the finest level */
    int levels;
    Level level[MOST_LEVELS];
    uint64_t *key;  /* [bodies] the keys of their cells, sorted */
    int32_t *order; /* [bodies] from rank to body */
    Spot *spot;     /* [bodies] room for the method to fill */
} Space;

/* Sorts the bodies and sets their ranks; false when out of memory. `cell` is the width of the
 * smallest cells. With 0 the width is chosen here, and this is the order that all lists have. */
bool scr_space_order(const BroadInput *input, double cell, Neighbours *neighbours, Space *space);

/* A method fills nb->pair with pairs of bodies, each pair once, in any order. The default method is
 * the exception: its pairs are of ranks, and sorted. */
typedef ScreeStatus BroadMethod(const Space *space, Neighbours *neighbours);

BroadMethod scr_hierarchical_grid, scr_linked_cell, scr_verlet_list, scr_linked_linear_list;

/* Cells are a 1024th wider than needed, which covers rounding: a position is less than 2^40 cells
 * from the origin, so where it lies among them is known to 2^-12 of a cell. */
#define SPACE_MARGIN (1 + 0x1p-10)

/* The cell along one axis, before indices start over. Never decreases with x, rounding included.
 * Bodies farther than 2^40 cells away count as being there. */
static inline int64_t scr_space_cell(const Space *s, const Level *level, int axis, double x) {
    double at = floor((x - s->origin[axis]) * level->inverse[axis]);
    if (s->in->def->periodic[axis] && fabs(at) >= 0x1p40) { /* any number of periods away */
        at = fmod(at, (double)level->cells[axis]);
    }
    return (int64_t)scr_max(-0x1p40, scr_min(0x1p40, at));
}

/* The cell index in the range from which keys are made. Cells far away share a key, which costs a
 * few more comparisons; in return no body can be too far away. */
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

/* The part that one axis contributes to a key. */
uint64_t scr_space_part(const Space *space, int axis, int64_t index);

static inline uint64_t scr_space_level_key(int level) {
    return (uint64_t)level << 58;
}

#endif

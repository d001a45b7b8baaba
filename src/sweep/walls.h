/* Which bodies of a problem are walls: these are read by many rows at once, and written by none. */
#ifndef SCREE_SWEEP_WALLS_H
#define SCREE_SWEEP_WALLS_H

#include "problem/problem.h"
#include "sweep/order.h"

/* Bodies first .. first + count - 1. */
typedef struct Walls {
    uint32_t first, count;
} Walls;

static inline Walls walls_of(const Problem *p, const Order *order) {
    return (Walls){(uint32_t)order->walls_from,
                   (uint32_t)(p->bodies - order->copies) - (uint32_t)order->walls_from};
}

static inline bool is_wall(Walls walls, int32_t body) {
    return (uint32_t)body - walls.first < walls.count;
}

#endif

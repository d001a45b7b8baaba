/* The sweep's update of a packet of rows in space between bodies of any shape, with scalar masses and
 * any inertia: the full block of three, solved exactly (law/block.h). */
#ifndef SCREE_SWEEP_BLOCKS_H
#define SCREE_SWEEP_BLOCKS_H

#include "problem/problem.h"
#include "sweep/order.h"
#include "sweep/walls.h"

/* `c` and `g`: the rows and their general rows as columns, of which the first `count` are there; what
 * lies behind must be zero. Adds |dR|^2 of each row to `change`. */
void scr_update_blocks(const Problem *problem, Walls walls, double *c, const double *g,
                       size_t count, double change[PACKET_ROWS]);

#endif

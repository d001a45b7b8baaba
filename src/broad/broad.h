/* The broad phase: which pairs of bodies may come into touch soon.
 *
 * Every body i has a margin m_i. A pair is found when its gap is at most m_i + m_j, so the list
 * stays complete until some body has moved farther than its margin. Fast bodies get wide margins,
 * so one of them does not make the list of all the others long.
 *
 * One interface, four methods. All of them give the same list in the same order, bit for bit: which
 * pair is near is decided by one comparison (near.h), and the order is that along space
 * (space_order.h), which no method has a say in. */
#ifndef SCREE_BROAD_BROAD_H
#define SCREE_BROAD_BROAD_H

#include "broad/neighbours.h"

/* Makes the list. SCREE_TOO_CROWDED past the limit: the last of the list is then a pair that was
 * found last. */
ScreeStatus scr_find_neighbours(const BroadInput *input, Neighbours *neighbours);

void scr_neighbours_free(Neighbours *neighbours);
size_t scr_neighbours_body_bytes(const Neighbours *neighbours);

#endif

/* The broad phase: which pairs of bodies may touch soon.
 *
 * Every body i has a margin m_i. A pair is listed when its gap is at most m_i + m_j, so the list
 * stays complete until some body has moved farther than its margin. Fast bodies get wide margins of
 * their own, so that one of them does not make everyone else's list long.
 *
 * One interface, four methods. They all give the same list in the same order, bit for bit: one
 * comparison decides which pairs are near (near.h), and the list is ordered along space
 * (space_order.h), whatever the method. */
#ifndef SCREE_BROAD_BROAD_H
#define SCREE_BROAD_BROAD_H

#include "broad/neighbours.h"

/* Makes the list. SCREE_TOO_CROWDED when it would exceed the limit; its last pair is then the one
 * at which the search gave up. */
ScreeStatus scr_find_neighbours(const BroadInput *input, Neighbours *neighbours);

void scr_neighbours_free(Neighbours *neighbours);
size_t scr_neighbours_body_bytes(const Neighbours *neighbours);

#endif

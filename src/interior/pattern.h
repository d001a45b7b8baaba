/* Where the entries of the linear system go. Made anew when H and M, or W, have other places than
 * the last time. */
#ifndef SCREE_INTERIOR_PATTERN_H
#define SCREE_INTERIOR_PATTERN_H

#include "interior/equations.h"

/* Fills what the system has about its pattern, and the dense rows of H. False when out of memory.
 */
bool scr_interior_pattern(InteriorSystem *system);

#endif

/* Where the entries of the linear system go. The pattern is made again when that of H and M, or of
 * W, differs from the last one. */
#ifndef SCREE_INTERIOR_PATTERN_H
#define SCREE_INTERIOR_PATTERN_H

#include "interior/equations.h"

/* Sets everything about the pattern of the system, and the dense rows of H. False when out of
 * memory. */
bool scr_interior_pattern(InteriorSystem *system);

#endif

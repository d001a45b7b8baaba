/* The solids of a world in its snapshot. */
#ifndef SCREE_STATE_SNAPSHOT_SOLIDS_H
#define SCREE_STATE_SNAPSHOT_SOLIDS_H

#include "base/bytes.h"
#include "state/shapes.h"

void scr_put_solids(ByteWriter *writer, const Shapes *shapes);

/* The solids follow in the order of the shapes that are one. False when out of memory. */
bool scr_get_solids(ByteReader *reader, Shapes *shapes);

#endif

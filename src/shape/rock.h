/* Convex rocks drawn at random: see ScreeRockDef. */
#ifndef SCREE_SHAPE_ROCK_H
#define SCREE_SHAPE_ROCK_H

#include "base/memory.h"
#include "math/vec.h"

/* Zero-initialise it. */
typedef struct Rock {
    int32_t vertices;
    Vec3 *vertex;
    Block vertex_block;
} Rock;

ScreeStatus scr_make_rock(const ScreeRockDef *def, Rock *made, char *message);

#endif

/* Where two bodies, or a body and a wall, are glued: at their contact points, taken together. */
#ifndef SCREE_API_GLUE_PLACE_H
#define SCREE_API_GLUE_PLACE_H

#include "api/world.h"
#include "narrow/pair_table.h"

/* Outlines of shapes, and room for the contact points of a pair. Zero-initialise it; place outlines first. */
typedef struct GlueSight {
    Placed placed;
    PairWork work;
} GlueSight;

typedef struct GluePlace {
    bool touches;
    double gap;
    Vec3 normal; /* unit, from a to b */
    Vec3 arm;    /* from the centre of a to the middle of the face */
    double
        radius; /* of a disc as large as the face, in the plane half of the edge; 0: they touch in points that
                      span none */
} GluePlace;

/* Of two bodies, or of a body and the code of a wall, up to a gap of `within`. */
ScreeStatus scr_find_glue_place(const State *state, GlueSight *sight, int32_t a, int32_t b,
                                double within, GluePlace *place);

#endif

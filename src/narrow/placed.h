/* Bodies and walls as outlines in their places. Outlines exist in two dimensions only. */
#ifndef SCREE_NARROW_PLACED_H
#define SCREE_NARROW_PLACED_H

#include "narrow/surface.h"
#include "shape/outline.h"

/* The outlines of all bodies, turned as the bodies are; a round body is an outline of one corner.
 * Empty while the world has no shapes. */
typedef struct Placed {
    Outline *outline; /* [bodies] */
    Block outline_block, corner_block, ball_block;
} Placed;

/* Turns all outlines as the bodies stand; false when out of memory. */
bool scr_place_outlines(const State *state, Placed *placed);

/* The same with orientations [bodies] of the caller's. */
bool scr_place_turned(const State *state, const Quat *orientation, Placed *placed);
void scr_placed_free(Placed *placed);

/* A pair where it is: a body with another, or with a wall. What is not needed is left unset. */
typedef struct PlacedPair {
    SurfaceKind kind[2];
    const ScreeWorldDef *def;
    /* NULL while the world has no shapes. A wall that is met from outside is an outline, too, about
     * its `point`. */
    const Outline *a, *b;
    double radius[2];         /* of bodies */
    const ScreeWallDef *wall; /* NULL between bodies */
    Vec3 x, seen;             /* the centre of a; its image that is nearest to the wall */
    Vec3 d;                   /* from `seen` to the centre of b, or to the wall's `point` */
    Corner wall_corner[4];    /* what b is made of, at a wall */
    OutlinePart wall_part;
    Outline wall_outline;
} PlacedPair;

/* Body a, whose centre is at xa, with body b at xb or, when b is the code of one, with a wall. */
void scr_place_pair(const State *state, const Placed *placed, int32_t a, int32_t b, Vec3 xa,
                    Vec3 xb, PlacedPair *pair);

/* A body of some shape alone, and a wall. */
void scr_place_at_wall(const ScreeWorldDef *def, SurfaceKind kind, const Outline *body, Vec3 x,
                       const ScreeWallDef *wall, PlacedPair *pair);

#endif

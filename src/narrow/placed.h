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

/* A pair where it is: a body with another, or with a wall. */
typedef struct PlacedPair {
    SurfaceKind kind[2];
    const Outline *a, *b;     /* NULL while the world has no shapes */
    double radius[2];         /* of bodies */
    Vec3 d;                   /* from the centre of a to that of b, or to the wall's `point` */
    const ScreeWallDef *wall; /* NULL between bodies, and then all that follows is unset */
    const ScreeWorldDef *def;
    Vec3 x, seen;          /* the centre of a, and its image that is nearest to the wall */
    Corner wall_corner[4]; /* a wall that is met from outside is an outline, too: b */
    OutlinePart wall_part;
    Outline wall_outline;
} PlacedPair;

/* A body of some shape alone, and a wall. */
void scr_place_at_wall(const ScreeWorldDef *def, SurfaceKind kind, const Outline *body, Vec3 x,
                       const ScreeWallDef *wall, PlacedPair *pair);

/* Body a and the wall of a code. */
void scr_place_by_code(const State *state, const Placed *placed, int32_t a, int32_t code, Vec3 xa,
                       PlacedPair *pair);

/* Body a, whose centre is at xa, with body b at xb or, when b is the code of one, with a wall. */
static inline void scr_place_pair(const State *s, const Placed *placed, int32_t a, int32_t b,
                                  Vec3 xa, Vec3 xb, PlacedPair *p) {
    const Outline *outline = placed->outline;
    if (b < 0) {
        scr_place_by_code(s, placed, a, b, xa, p);
        return;
    }
    p->kind[0] = scr_surface_kind(s, a);
    p->kind[1] = scr_surface_kind(s, b);
    p->a = outline != NULL ? &outline[a] : NULL;
    p->b = outline != NULL ? &outline[b] : NULL;
    p->radius[0] = s->bodies.radius[a];
    p->radius[1] = s->bodies.radius[b];
    p->d = scr_nearest_image(&s->def, sub(xb, xa));
    p->wall = NULL;
}

#endif

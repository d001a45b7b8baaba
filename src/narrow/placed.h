/* Bodies and walls in their places: outlines in the plane, solids in space. */
#ifndef SCREE_NARROW_PLACED_H
#define SCREE_NARROW_PLACED_H

#include "narrow/named_point.h"
#include "narrow/solid_pair.h"
#include "shape/outline.h"
#include "shape/simple_solids.h"

/* All bodies, turned as they are: in the plane their outlines, and in space solids. A round body is
 * an outline of one corner, or a solid of one vertex. Empty while the world has no shapes. */
typedef struct Placed {
    Outline *outline;   /* [bodies]; NULL in space */
    PlacedSolid *solid; /* [bodies]; NULL in the plane */
    Block outline_block, corner_block, ball_block, solid_block;
} Placed;

/* Turns all as the bodies stand; false when out of memory. */
bool scr_place_outlines(const State *state, Placed *placed);

/* The same with orientations [bodies] of the caller's. */
bool scr_place_turned(const State *state, const Quat *orientation, Placed *placed);
void scr_placed_free(Placed *placed);

/* A solid turned like this. */
void scr_place_solid(const Solid *solid, Quat orientation, PlacedSolid *placed);

/* Turns it further, by a rotation vector. */
void scr_turn_placed(PlacedSolid *placed, Vec3 turn);

/* The gap that the law expects after the motion. */
double scr_forecast(const Contact *contact, Vec3 arm_a, Vec3 arm_b, const StepMotion *motion);

/* A wall as a solid. */
typedef struct WallSolid {
    PlacedSolid placed;
    union {
        BoxSolid box;
        ConeSolid cone;
    };
} WallSolid;

/* A block, or a cylinder from outside; one without ends is as long as matters to a body of this
 * radius that lies at -d. */
void scr_place_wall_solid(const ScreeWallDef *wall, Vec3 d, double radius, WallSolid *solid);

/* A pair where it is: a body with another, or with a wall. */
typedef struct PlacedPair {
    SurfaceKind kind[2];
    const Outline *a, *b;        /* NULL while the world has no shapes, and in space */
    const PlacedSolid *solid[2]; /* in space; NULL while the world has no shapes */
    OldPoints old;               /* the points that the pair had in the step before */
    SolidWork *work;             /* in space; only finding points needs it */
    double radius[2];            /* of bodies */
    Vec3 d;                      /* from the centre of a to that of b, or to the wall's `point` */
    const ScreeWallDef *wall;    /* NULL between bodies, and then all that follows is unset */
    const ScreeWorldDef *def;
    Vec3 x, seen;          /* the centre of a, and its image that is nearest to the wall */
    Corner wall_corner[4]; /* a wall that is met from outside is an outline, too: b */
    OutlinePart wall_part;
    Outline wall_outline;
    WallSolid wall_solid; /* a block in space, or a cylinder that is met from outside */
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
    const PlacedSolid *solid = placed->solid;
    p->old = (OldPoints){NULL, 0};
    p->work = NULL;
    if (b < 0) {
        scr_place_by_code(s, placed, a, b, xa, p);
        return;
    }
    p->kind[0] = scr_surface_kind(s, a);
    p->kind[1] = scr_surface_kind(s, b);
    p->a = outline != NULL ? &outline[a] : NULL;
    p->b = outline != NULL ? &outline[b] : NULL;
    p->solid[0] = solid != NULL ? &solid[a] : NULL;
    p->solid[1] = solid != NULL ? &solid[b] : NULL;
    p->radius[0] = s->bodies.radius[a];
    p->radius[1] = s->bodies.radius[b];
    p->d = scr_nearest_image(&s->def, sub(xb, xa));
    p->wall = NULL;
}

/* Room for the two of a pair as they will have turned. Zero-initialise it. */
typedef struct MovedPair {
    PlacedSolid solid[2];
    Outline outline[2];
    OutlinePart ball[2];
    Block corner_block[2];
    ScreeWallDef wall;
} MovedPair;

/* The pair after a motion, as it is seen from the centre of a, or from a wall's `point`; it lives in
 * `moved`. False when out of memory. */
bool scr_place_moved(const State *state, const Placed *placed, int32_t a, int32_t b,
                     const StepMotion *motion, MovedPair *moved, PlacedPair *pair);
void scr_moved_pair_free(MovedPair *moved);

#endif

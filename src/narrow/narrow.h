/* The narrow phase: gap and normal of a pair. It knows shapes, and no laws. */
#ifndef SCREE_NARROW_NARROW_H
#define SCREE_NARROW_NARROW_H

#include "state/state.h"

/* Where two surfaces are nearest. */
typedef struct Touch {
    double gap;      /* negative is overlap */
    Vec3 normal;     /* unit, from the first body to its partner */
    int32_t feature; /* which point of a shaped pair; 0 between round bodies */
} Touch;

/* Two round bodies at difference d = x_b - x_a. Coincident centres get the x axis as normal. */
static inline Touch scr_touch_balls(Vec3 d, double radius_a, double radius_b) {
    double distance = sqrt(dot(d, d));
    Vec3 n = distance > 0 ? scale(1 / distance, d) : vec3(1, 0, 0);
    return (Touch){distance - (radius_a + radius_b), n, 0};
}

/* The periodic image of a position that is nearest to a wall. A plane has no position of its own,
 * so there it is the position itself. */
Vec3 scr_seen_by_wall(const ScreeWorldDef *def, const ScreeWallDef *wall, Vec3 position);

/* A round body and a wall. */
Touch scr_touch_wall(const ScreeWorldDef *def, const ScreeWallDef *wall, Vec3 position,
                     double radius);

/* A pair (b is a body or the code of a wall), as if each body were the circle that encloses it. */
static inline Touch scr_touch_round(const State *s, int32_t a, int32_t b) {
    const Bodies *k = &s->bodies;
    if (b < 0) {
        return scr_touch_wall(&s->def, &s->walls.item[scr_wall_of(b)].now, k->position[a],
                              k->radius[a]);
    }
    Vec3 d = scr_nearest_image(&s->def, sub(k->position[b], k->position[a]));
    return scr_touch_balls(d, k->radius[a], k->radius[b]);
}

#endif

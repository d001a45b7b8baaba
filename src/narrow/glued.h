/* The contact of two bodies of some shape, or of one with a wall, that are glued (state/bonds.h). While the bond holds they have this one
 * point, where it was made, whatever surfaces there are; its normal turns with the first body. */
#ifndef SCREE_NARROW_GLUED_H
#define SCREE_NARROW_GLUED_H

#include "narrow/narrow.h"
#include "narrow/named_point.h"

/* Its feature, which no point of surfaces has. */
enum { SCR_GLUED = INT32_MAX };

/* From the point of a to that of b, body or wall, which lay on each other when the bond was made. */
Vec3 scr_glued_apart(const State *state, const ScreeBond *bond, int32_t a, int32_t b);

Touch scr_glued_touch(const State *state, const ScreeBond *bond, int32_t a, int32_t b);

/* To the middle between the two points; of a contact whose bond is gone, as of round bodies. */
Arms scr_glued_arms(const State *state, const Contact *contact);

/* As the bodies are now. */
double scr_glued_gap(const State *state, const Contact *contact);

#endif

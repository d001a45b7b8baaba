/* How a pair is expected to move in a step. */
#ifndef SCREE_NARROW_STEP_MOTION_H
#define SCREE_NARROW_STEP_MOTION_H

#include "math/vec.h"

/* The shift of the centre of b relative to that of a, and the rotation vectors by which the two
 * turn; in the plane these are along z. */
typedef struct StepMotion {
    Vec3 shift, turn_a, turn_b;
} StepMotion;

#endif

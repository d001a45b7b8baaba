/* Moving one body. */
#ifndef SCREE_DYNAMICS_DISPLACE_H
#define SCREE_DYNAMICS_DISPLACE_H

#include "state/state.h"

/* Back into the periodic cell; the anchor goes along, so that the distance moved since the list was
 * built stays true. */
static inline void scr_wrap(const ScreeWorldDef *def, Vec3 *position, Vec3 *anchor) {
    Vec3 middle = scale(0.5, add(def->cell_min, def->cell_max));
    Vec3 from_middle = sub(*position, middle);
    Vec3 shift = sub(scr_nearest_image(def, from_middle), from_middle);
    if (shift.x != 0 || shift.y != 0 || shift.z != 0) {
        *position = add(*position, shift);
        *anchor = add(*anchor, shift);
    }
}

/* Moves a body by `by` and turns it by the rotation vector `turn`. */
static inline void scr_shift_body(Bodies *b, size_t i, Vec3 by, Vec3 turn) {
    b->position[i] = add(b->position[i], by);
    if (turn.x != 0 || turn.y != 0 || turn.z != 0) {
        b->orientation[i] =
            quat_renormalise(quat_multiply(quat_from_turn(turn), b->orientation[i]));
    }
}

/* The same, and back into the cell. */
static inline void scr_displace(State *s, size_t i, Vec3 by, Vec3 turn, bool periodic) {
    Bodies *b = &s->bodies;
    scr_shift_body(b, i, by, turn);
    if (s->def.deform.unfolded) {
        return; /* until the end of the step */
    }
    if (s->def.deform.tilted) {
        scr_cell_wrap(&s->def, &s->cell, &b->position[i], &b->anchor[i]);
    } else if (periodic) {
        scr_wrap(&s->def, &b->position[i], &b->anchor[i]);
    }
}

#endif

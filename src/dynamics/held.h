/* Bodies that walls hold: the grains of a rough plate.
 *
 * Such a body has no motion of its own. Where its wall is fixed or moved as prescribed it is a frozen
 * body with the velocity of the wall at its place. Where the wall is a piston, rows have the piston in
 * its place: whatever pushes the body pushes the piston, which then takes it along. Either way what acts
 * on it is summed into the load of the wall. Walls never meet each other, and neither do the bodies that
 * they hold. */
#ifndef SCREE_DYNAMICS_HELD_H
#define SCREE_DYNAMICS_HELD_H

#include "dynamics/step_task.h"

/* The piston that holds a body, or -1. */
static inline int32_t scr_holding_piston(const State *s, int32_t body) {
    int32_t wall = s->holder != NULL ? s->holder[body] : -1;
    bool piston = wall >= 0 && s->walls.item[wall].now.motion == SCREE_WALL_PISTON;
    return piston ? wall : -1;
}

/* Index in the problem of what a contact acts on where it touches a body: the body, or its piston. */
static inline int32_t scr_acted_index(const StepTask *t, int32_t body) {
    int32_t piston = scr_holding_piston(t->state, body);
    return piston >= 0 ? scr_wall_index(t->state, (size_t)piston)
                       : t->list->neighbours.rank[scr_origin(t->state, body)];
}

/* Gives held bodies the velocities with which they go through a step of this length, before it. Those
 * of walls that turn are the ones along the chords of their arcs, which end where the arcs do. */
void scr_lead_held(State *state, double time_step);

/* Once the impulses are known: the motions of pistons for the bodies that they hold, and those of originals for
 * their images. */
void scr_follow_pistons(StepTask *task);

/* Takes the bodies that a wall holds along, just before the wall moves by its motion, and gives them its
 * velocity. */
void scr_carry_held(const StepTask *task, State *state, size_t wall, Vec3 motion);

/* Takes the places on a wall along to which bodies are glued, likewise. */
void scr_carry_glue(State *state, size_t wall, Vec3 motion, double time_step);

/* Zero of bodies, and of walls that do not turn. */
Vec3 scr_spin_of_wall(const State *state, int32_t partner);

/* A body that goes with a wall that turns comes along a tangent in a step: the way from there to the arc of the wall.
 * Zero where a contact is with another body. */
Vec3 scr_bend_at_wall(const StepParams *with, const State *state, const Contact *contact);

/* A position as a wall sees it: the image that is nearest to its pivot. */
Vec3 scr_seen_from_pivot(const ScreeWorldDef *def, const ScreeWallDef *wall, Vec3 position);

#endif

/* One impact of a chain: when, and what it does (strike.c). */
#ifndef SCREE_DYNAMICS_STRIKE_H
#define SCREE_DYNAMICS_STRIKE_H

#include "dynamics/chain.h"

/* When a contact closes at the present velocities, INFINITY: not within the step. `gap` is what it
 * is `now`. */
double scr_closing_time(const Cascade *cascade, size_t contact, double now, double *gap);

/* The difference of two round bodies that fly straight, at some time after their last impacts. */
Vec3 scr_apart(const Cascade *cascade, size_t contact, double time);

/* By how much the gap at the end of the step is larger than it must be. */
double scr_room_left(const Cascade *cascade, size_t contact);

/* Whether an impact at the velocity given, negative when bodies approach, has restitution. */
bool scr_is_restituting(const ScreeLaw *law, double speed);

/* Notes a row that will change. False when out of memory. */
bool scr_need_hit(const Cascade *cascade, size_t contact);

/* Gives the row of two round bodies another normal. */
void scr_turn_row(const Cascade *cascade, size_t contact, Vec3 towards);

/* The impact of a contact whose bodies are flyers; `sound` is false when it is none to which
 * Newton's law of restitution applies. */
ScreeStatus scr_strike(const Cascade *cascade, size_t contact, double time, bool *sound);

#endif

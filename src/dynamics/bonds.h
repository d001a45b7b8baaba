/* Bonds in a contact dynamics step.
 *
 * A bond holds two bodies as they stood to each other when it was made: the gap g0 between them, the
 * two points of their surfaces that lay on each other, and their orientations. By how far they have
 * come from there, e, a step brings them back:  u + e / dt = 0  for the normal, the tangential and the
 * relative angular velocity. So errors do not add up, however far the bodies go and turn. (Of a pair
 * that turns about its centre with the spin w, a step makes the gap wider by w^2 dt^2 / 2 of the
 * distance, and the next takes that back: it is the acceleration towards the centre.)
 *
 * What it takes is bounded by the law of cohesive contacts that roll (law/normal.h, law/rolling.h), whose
 * tension F is that of the bond: N >= -F, and with P = N + F
 *     |shear| <= (S / F) P     |bending| <= (B / F) P     |torsion| <= (T / F) P.
 * The cone of bending is the largest stress of a bent section in tension (Potyondy and Cundall, Int. J.
 * Rock Mech. Min. 41 (2004) 1329, eq 14), -N / A + |M| R / I <= F / A. Where a bound is reached, the
 * bond gives way, and is gone after the step; so it is where shear and torsion together reach the
 * strength of the section to shear. */
#ifndef SCREE_DYNAMICS_BONDS_H
#define SCREE_DYNAMICS_BONDS_H

#include "dynamics/step_task.h"

/* Begins a step: nothing has been found of any bond yet. False when out of memory. */
bool scr_begin_bonds(State *state);

/* The law of the row of a bonded contact. */
void scr_apply_bond(StepTask *task, size_t contact, const ScreeBond *bond);

/* The load that the solution puts on the bond of a contact; nothing where it has none. */
void scr_judge_bond(const StepTask *task, State *state, size_t contact);

/* After all loads are known: takes out the bonds that have broken. */
void scr_break_bonds(State *state, ScreeReport *report);

#endif

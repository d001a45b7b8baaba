/* Capillary bridges in a step (state/bridge.h has the force).
 *
 * A bridge pulls through the whole step with the force of the gap at its beginning, and takes
 * F(g) (g' - g) from the motion. The energy U that it holds is concave, since F falls with the gap,
 * so U(g') - U(g) <= F(g) (g' - g) whether the gap opens or closes: however long the step, a bridge
 * takes no less than it comes to hold and gives no more than it held. What it takes too much is lost
 * to the time stepping, and first order in it. (With the force at the end of the step it would be the
 * other way round.)
 *
 * It is there when surfaces touch, and until the gap reaches d. What it held is lost then, to
 * cohesion: the work of all gaps from 0 to d. In a step that begins below d and would end beyond it
 * even at full pull, it therefore pulls no longer than that work takes. */
#ifndef SCREE_DYNAMICS_BRIDGES_H
#define SCREE_DYNAMICS_BRIDGES_H

#include "dynamics/step_task.h"
#include "state/bridge.h"

/* Of two bodies, or a body and a wall, as they stand; without reach where their law has none. */
Bridge scr_contact_bridge(const State *state, const Contact *contact);

/* What all bridges hold, by the gaps that contacts remember. */
double scr_energy_of_bridges(const State *state);

/* The velocity at the end of a step over the motion w in which rows are written is what follows from
 * w = theta u' + (1 - theta) u. */
typedef struct BridgeStep {
    double time_step, theta;
    double gap;    /* at the beginning */
    double before; /* velocities at which it opens: at the beginning, */
    double free;   /* and the motion w without any impulse at this contact */
    double mass;   /* impulse per change of w */
    double gained; /* [length] gap that round surfaces get in the step as they pass by each other */
} BridgeStep;

/* The impulse with which it pulls. */
double scr_bridge_pull(const Bridge *bridge, const BridgeStep *step);

/* The velocity at which a pair leaves an impact with the coefficient `restitution`, which pays for what its
 * bridge holds then. A pair that cannot pay for the gap at which it is, closes it as far as it must:
 * up to the gap that it can pay for, or to none. `bridged`: its bridge was there before. */
double scr_wet_rebound(const Bridge *bridge, const BridgeStep *step, double restitution,
                       bool bridged);

/* The gap of the bridge after the solved step, or -1: there is none. */
double scr_bridge_after(const StepTask *task, size_t contact, double opening);

/* What a contact with a bridge, before or after the step, has taken from the motion. */
typedef struct BridgeTaken {
    double scheme;   /* its work, less what the others have of it */
    double pressed;  /* its work where surfaces overlap: a part of the pressure, which took that */
    double broken;   /* all that it held when it broke */
    double made;     /* what an impact has left in a new one */
    double held;     /* at the end */
    double straight; /* held more than by the linear gap: round surfaces that pass by each other */
} BridgeTaken;

/* `gap`: after the motion, which the contact then remembers. A `spring` has the work of its bridge
 * itself. */
BridgeTaken scr_certify_bridge(const StepTask *task, State *state, size_t contact, double gap,
                               bool spring);

#endif

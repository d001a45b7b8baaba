#include "measure/measure.h"

#include "math/reduce.h"
#include "shape/wall.h"
#include "state/rotation.h"

double scr_kinetic_energy(const State *state) {
    const Bodies *b = &state->bodies;
    ExactSum sum; /* so that it depends neither on the order of bodies nor on who has them */
    scr_exact_clear(&sum);
    for (size_t i = 0; i < scr_counted(state); i++) {
        if (scr_holder(state, (int32_t)i) < 0) { /* else it is part of its wall */
            scr_exact_add(&sum, b->mass[i] * dot(b->velocity[i], b->velocity[i]));
            scr_exact_add(&sum, scr_turning_energy(state, i));
        }
    }
    scr_sum_over_processes(state->spread, &sum, 1);
    double twice = scr_exact_total(&sum);
    for (size_t i = 0; i < state->walls.count; i++) {
        const ScreeWallState *w = &state->walls.item[i];
        if (w->present && w->now.motion == SCREE_WALL_PISTON) {
            twice += scr_piston_energy(&w->now);
        }
    }
    return 0.5 * twice;
}

double scr_coordination(const State *state) {
    double ends = 0, touched = 0;
    int32_t last_a = -1, last_b = -1;
    const Contacts *contacts = &state->contacts;
    Block block = {0};
    if (!scr_block_reserve_exact(&block, state->bodies.count + 1, sizeof(bool), 0)) {
        return NAN;
    }
    bool *seen = block.data;
    for (size_t i = 0; i < state->bodies.count; i++) {
        seen[i] = false;
    }
    for (size_t i = 0; i < contacts->count; i++) {
        const Contact *c = &contacts->item[i];
        if (c->state == SCREE_CONTACT_OPEN) {
            continue;
        }
        /* another contact point of the same pair; round bodies have one with each image */
        const bool again = c->a == last_a && c->b == last_b && c->feature != 0;
        last_a = c->a;
        last_b = c->b;
        ends += again ? 0 : c->b >= 0 ? 2 : 1;
        touched += seen[c->a] ? 0 : 1;
        seen[c->a] = true;
        if (c->b >= 0) {
            touched += seen[c->b] ? 0 : 1;
            seen[c->b] = true;
        }
    }
    scr_block_free(&block);
    return touched > 0 ? ends / touched : 0;
}

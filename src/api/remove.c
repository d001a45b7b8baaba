/* Public functions on bodies that leave, and on what those that stay are called. */
#include "api/world.h"
#include "dynamics/bridges.h"

#include <string.h>

/* Marks the bodies that leave. */
static ScreeStatus mark(ScreeWorld *world, const ScreeBodyId *bodies, size_t count, uint8_t *gone) {
    const size_t all = world->state.bodies.count;
    memset(gone, 0, all);
    for (size_t i = 0; i < count; i++) {
        const int32_t body = bodies[i].index;
        if (body < 0 || (size_t)body >= all) {
            return scr_fail(world->message, SCREE_BAD_ID, "no body %d", body);
        }
        if (gone[body]) {
            return scr_fail(world->message, SCREE_BAD_ARGUMENT,
                            "body %d cannot be removed twice in one call", body);
        }
        gone[body] = 1;
    }
    return SCREE_OK;
}

ScreeStatus scree_world_remove_bodies(ScreeWorld *world, const ScreeBodyId *bodies, size_t count) {
    Block block = {0};
    SCR_TRY(scree_world_gather(world));
    if (count == 0) {
        return SCREE_OK;
    }
    if (!scr_block_reserve(&block, world->state.bodies.count + 1, 1, 0)) {
        return scr_no_memory(world->message);
    }
    ScreeStatus status = mark(world, bodies, count, block.data);
    if (status == SCREE_OK && world->soft != NULL) {
        status = scr_soft_let_go(&world->state, world->soft);
    }
    if (status == SCREE_OK && !scr_remove_bodies(&world->state, block.data)) {
        status = SCREE_NO_MEMORY;
    }
    world->state.contacts.elastic[2] = scr_energy_of_bridges(&world->state);
    scr_block_free(&block);
    return status == SCREE_NO_MEMORY ? scr_no_memory(world->message) : status;
}

int32_t scree_body_get_identity(const ScreeWorld *world, ScreeBodyId body) {
    const State *s = &world->state;
    const bool there = body.index >= 0 && (size_t)body.index < s->bodies.count;
    return !there ? -1 : s->identity != NULL ? s->identity[body.index] : body.index;
}

/* Identities rise. */
ScreeBodyId scree_world_find_body(const ScreeWorld *world, int32_t identity) {
    size_t low = 0, high = world->state.bodies.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const ScreeBodyId body = {(int32_t)middle};
        if (scree_body_get_identity(world, body) < identity) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const ScreeBodyId found = {(int32_t)low};
    return identity >= 0 && scree_body_get_identity(world, found) == identity ? found
                                                                              : SCREE_NO_BODY;
}

int64_t scree_world_get_identity_count(const ScreeWorld *world) {
    const State *s = &world->state;
    return s->identity != NULL ? s->identities : (int64_t)s->bodies.count;
}

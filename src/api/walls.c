/* Public functions on walls. */
#include "api/world.h"

#include "shape/wall.h"

#include <string.h>

ScreeStatus scree_add_wall(ScreeWorld *world, const ScreeWallDef *def, int32_t *id) {
    Walls *w = &world->state.walls;
    const char *fault = scr_wall_fault(def, world->state.def.dimension);
    if (fault == NULL && def->material != -1 && !scr_is_material(world, def->material)) {
        fault = "no such material";
    }
    if (fault != NULL) {
        return scr_fail(world->message, SCREE_BAD_ARGUMENT, "wall %zu: %s", w->count, fault);
    }
    if (!scr_block_reserve(&w->block, w->count + 1, sizeof *w->item, w->count * sizeof *w->item)) {
        return scr_no_memory(world->message);
    }
    w->item = w->block.data;
    ScreeWallState *wall = &w->item[w->count];
    memset(wall, 0, sizeof *wall);
    wall->present = true;
    wall->now = *def;
    scr_wall_complete(&wall->now, world->state.def.dimension);
    if (id != NULL) {
        *id = (int32_t)w->count;
    }
    w->count++;
    world->state.list_stale = true;
    return SCREE_OK;
}

/* The wall, or NULL with a message. */
static ScreeWallState *wall_or_null(ScreeWorld *world, int32_t wall) {
    if (wall < 0 || (size_t)wall >= world->state.walls.count ||
        !world->state.walls.item[wall].present) {
        scr_fail(world->message, SCREE_BAD_ID, "no wall %d, or it was removed", wall);
        return NULL;
    }
    return &world->state.walls.item[wall];
}

/* A wall that goes takes its contacts along, so that none is left that speaks of it. */
ScreeStatus scree_remove_wall(ScreeWorld *world, int32_t wall) {
    ScreeWallState *w = wall_or_null(world, wall);
    if (w == NULL) {
        return SCREE_BAD_ID;
    }
    w->present = false;
    w->load = w->load_torque = vec3(0, 0, 0);
    Contacts *contacts = &world->state.contacts;
    size_t kept = 0;
    for (size_t i = 0; i < contacts->count; i++) {
        if (contacts->item[i].b != -1 - wall) {
            contacts->item[kept] = contacts->item[i];
            if (contacts->extra != NULL) {
                contacts->extra[kept] = contacts->extra[i];
            }
            kept++;
        }
    }
    contacts->count = kept;
    world->state.list_stale = true;
    return SCREE_OK;
}

ScreeStatus scree_set_wall_velocity(ScreeWorld *world, int32_t wall, ScreeVec3 velocity,
                                    ScreeVec3 spin) {
    ScreeWallState *w = wall_or_null(world, wall);
    if (w == NULL) {
        return SCREE_BAD_ID;
    }
    if (w->now.motion == SCREE_WALL_PISTON) {
        return scr_fail(world->message, SCREE_BAD_ARGUMENT,
                        "wall %d is a piston: it is moved by its force", wall);
    }
    if (!scr_is_polar(world, velocity) || !scr_is_axial(world, spin)) {
        return scr_fail(world->message, SCREE_BAD_ARGUMENT,
                        "wall %d: values must be finite, and in two dimensions lie in the plane",
                        wall);
    }
    if (w->now.motion == SCREE_WALL_FIXED) {
        w->now.motion = SCREE_WALL_MOVED;
        world->state.list_stale = true; /* fixed walls are in the list, moved ones are not */
    }
    w->now.velocity = velocity;
    w->now.spin = spin;
    return SCREE_OK;
}

ScreeStatus scree_set_wall_force(ScreeWorld *world, int32_t wall, ScreeVec3 force) {
    ScreeWallState *w = wall_or_null(world, wall);
    if (w == NULL) {
        return SCREE_BAD_ID;
    }
    if (w->now.motion != SCREE_WALL_PISTON || !is_finite(force)) {
        return scr_fail(world->message, SCREE_BAD_ARGUMENT,
                        "wall %d: only a piston carries a force, and it must be finite", wall);
    }
    w->now.force = force;
    w->now.stress = 0;
    return SCREE_OK;
}

ScreeStatus scree_set_wall_stress(ScreeWorld *world, int32_t wall, double stress) {
    ScreeWallState *w = wall_or_null(world, wall);
    if (w == NULL) {
        return SCREE_BAD_ID;
    }
    ScreeWallDef def = w->now;
    def.stress = stress;
    const char *fault = scr_wall_fault(&def, world->state.def.dimension);
    if (fault != NULL) {
        return scr_fail(world->message, SCREE_BAD_ARGUMENT, "wall %d: %s", wall, fault);
    }
    w->now.stress = stress;
    return SCREE_OK;
}

size_t scree_wall_count(const ScreeWorld *world) {
    return world->state.walls.count;
}

ScreeStatus scree_wall(const ScreeWorld *world, int32_t wall, ScreeWallState *state) {
    if (wall < 0 || (size_t)wall >= world->state.walls.count) {
        return SCREE_BAD_ID;
    }
    *state = world->state.walls.item[wall];
    return SCREE_OK;
}

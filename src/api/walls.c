/* Public functions on walls. */
#include "api/world.h"

#include "shape/wall.h"

#include <string.h>

ScreeStatus scree_world_add_wall(ScreeWorld *world, const ScreeWallDef *def, ScreeWallId *id) {
    Walls *w = &world->state.walls;
    const char *fault = def->cookie != SCR_COOKIE
                            ? SCR_NO_COOKIE(ScreeWallDef, scree_wall_def_default)
                            : scr_wall_fault(def, world->state.def.dimension);
    if (fault == NULL && def->material.index != -1 && !scr_is_material(world, def->material)) {
        fault = "no such material";
    }
    if (fault != NULL) {
        return scr_fail(world->message, SCREE_BAD_ARGUMENT, "wall %zu: %s", w->count, fault);
    }
    if (!scr_block_reserve(&w->block, w->count + 1, sizeof *w->item, w->count * sizeof *w->item)) {
        return scr_no_memory(world->message);
    }
    w->item = w->block.data;
    const Mesh *mesh = NULL;
    if (def->shape == SCREE_WALL_MESH) {
        mesh = scr_meshes_take(&world->state.meshes, def->mesh);
        if (mesh == NULL) {
            return scr_no_memory(world->message);
        }
    }
    ScreeWallState *wall = &w->item[w->count];
    memset(wall, 0, sizeof *wall);
    wall->present = true;
    wall->now = *def;
    wall->now.mesh = mesh;
    scr_wall_complete(&wall->now, world->state.def.dimension);
    if (id != NULL) {
        id->index = (int32_t)w->count;
    }
    w->count++;
    world->state.list_stale = true;
    return SCREE_OK;
}

double scree_wall_def_get_distance(const ScreeWallDef *wall, ScreeVec3 point) {
    return scr_wall_sight(wall, point).distance;
}

static ScreeStatus find_wall(ScreeWorld *world, ScreeWallId id, ScreeWallState **wall) {
    const Walls *walls = &world->state.walls;
    if (id.index < 0 || (size_t)id.index >= walls->count || !walls->item[id.index].present) {
        return scr_fail(world->message, SCREE_BAD_ID, "no wall %d, or it was removed", id.index);
    }
    *wall = &walls->item[id.index];
    return SCREE_OK;
}

/* Removing a wall removes its contacts, so that none remains that refers to it. */
ScreeStatus scree_wall_remove(ScreeWorld *world, ScreeWallId wall) {
    ScreeWallState *w = NULL;
    SCR_TRY(find_wall(world, wall, &w));
    SCR_TRY(scr_world_whole(world));
    for (size_t i = 0; world->state.holder != NULL && i < world->state.bodies.count; i++) {
        if (world->state.holder[i] == wall.index) {
            SCR_TRY(scree_body_set_holder(world, (ScreeBodyId){(int32_t)i}, SCREE_NO_WALL));
        }
    }
    w->present = false;
    w->load = w->load_torque = vec3(0, 0, 0);
    Contacts *contacts = &world->state.contacts;
    size_t kept = 0;
    for (size_t i = 0; i < contacts->count; i++) {
        if (contacts->item[i].b != scree_partner_from_wall(wall).code) {
            contacts->item[kept] = contacts->item[i];
            if (contacts->extra != NULL) {
                contacts->extra[kept] = contacts->extra[i];
            }
            kept++;
        }
    }
    contacts->count = kept;
    Bonds *bonds = &world->state.bonds;
    for (size_t i = 0; i < bonds->count; i++) {
        if (bonds->item[i].b.code == scree_partner_from_wall(wall).code) {
            bonds->item[i].load = INFINITY;
        }
    }
    (void)scr_bonds_take_out(bonds);
    world->state.list_stale = true;
    return SCREE_OK;
}

/* The velocity of a piston with another one across its direction. */
static Vec3 across(const ScreeWallDef *piston, Vec3 velocity) {
    const Vec3 d = piston->direction;
    return add_scaled(velocity, dot(sub(piston->velocity, velocity), d), d);
}

ScreeStatus scree_wall_set_velocity(ScreeWorld *world, ScreeWallId wall, ScreeVec3 velocity,
                                    ScreeVec3 spin) {
    ScreeWallState *w = NULL;
    SCR_TRY(find_wall(world, wall, &w));
    if (w->now.motion == SCREE_WALL_PISTON && (spin.x != 0 || spin.y != 0 || spin.z != 0)) {
        return scr_fail(world->message, SCREE_BAD_ARGUMENT, "wall %d is a piston: it does not turn",
                        wall.index);
    }
    if (!scr_is_polar(world, velocity) || !scr_is_axial(world, spin)) {
        return scr_fail(world->message, SCREE_BAD_ARGUMENT,
                        "wall %d: values must be finite, and in two dimensions lie in the plane",
                        wall.index);
    }
    if (w->now.motion == SCREE_WALL_FIXED) {
        w->now.motion = SCREE_WALL_MOVED;
        world->state.list_stale = true; /* fixed walls are in the list, moving ones are not */
    }
    w->now.velocity = w->now.motion == SCREE_WALL_PISTON ? across(&w->now, velocity) : velocity;
    w->now.spin = spin;
    return SCREE_OK;
}

ScreeStatus scree_wall_make_piston(ScreeWorld *world, ScreeWallId wall, double mass,
                                   ScreeVec3 direction) {
    ScreeWallState *w = NULL;
    SCR_TRY(find_wall(world, wall, &w));
    ScreeWallDef def = w->now;
    def.motion = SCREE_WALL_PISTON;
    def.mass = mass;
    def.direction = direction;
    def.force = vec3(0, 0, 0);
    def.stress = 0;
    const char *fault = scr_wall_fault(&def, world->state.def.dimension);
    if (fault != NULL) {
        return scr_fail(world->message, SCREE_BAD_ARGUMENT, "wall %d: %s", wall.index, fault);
    }
    scr_wall_complete(&def, world->state.def.dimension);
    world->state.list_stale = world->state.list_stale || w->now.motion == SCREE_WALL_FIXED;
    w->now = def;
    return SCREE_OK;
}

ScreeStatus scree_wall_make_moved(ScreeWorld *world, ScreeWallId wall) {
    ScreeWallState *w = NULL;
    SCR_TRY(find_wall(world, wall, &w));
    if (w->now.motion != SCREE_WALL_PISTON) {
        return scr_fail(world->message, SCREE_BAD_ARGUMENT, "wall %d is no piston", wall.index);
    }
    w->now.motion = SCREE_WALL_MOVED;
    w->now.velocity = w->now.spin = vec3(0, 0, 0);
    w->now.force = vec3(0, 0, 0);
    w->now.stress = 0;
    return SCREE_OK;
}

ScreeStatus scree_wall_set_force(ScreeWorld *world, ScreeWallId wall, ScreeVec3 force) {
    ScreeWallState *w = NULL;
    SCR_TRY(find_wall(world, wall, &w));
    if (w->now.motion != SCREE_WALL_PISTON || !is_finite(force)) {
        return scr_fail(world->message, SCREE_BAD_ARGUMENT,
                        "wall %d: only a piston carries a force, and it must be finite",
                        wall.index);
    }
    w->now.force = force;
    w->now.stress = 0;
    return SCREE_OK;
}

ScreeStatus scree_wall_set_stress(ScreeWorld *world, ScreeWallId wall, double stress) {
    ScreeWallState *w = NULL;
    SCR_TRY(find_wall(world, wall, &w));
    ScreeWallDef def = w->now;
    def.stress = stress;
    const char *fault = scr_wall_fault(&def, world->state.def.dimension);
    if (fault != NULL) {
        return scr_fail(world->message, SCREE_BAD_ARGUMENT, "wall %d: %s", wall.index, fault);
    }
    w->now.stress = stress;
    return SCREE_OK;
}

size_t scree_world_get_wall_count(const ScreeWorld *world) {
    return world->state.walls.count;
}

ScreeStatus scree_wall_get_state(const ScreeWorld *world, ScreeWallId wall, ScreeWallState *state) {
    if (wall.index < 0 || (size_t)wall.index >= world->state.walls.count) {
        return SCREE_BAD_ID;
    }
    *state = world->state.walls.item[wall.index];
    return SCREE_OK;
}

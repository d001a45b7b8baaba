/* Public functions on bodies. */
#include "api/world.h"

static const char *body_fault(const ScreeWorld *world, const ScreeBodyDef *d) {
    if (d->cookie != SCR_COOKIE) {
        return SCR_NO_COOKIE(ScreeBodyDef, scree_body_def_default);
    }
    if (!is_finite(d->position) || !is_finite(d->velocity) || !is_finite(d->spin) ||
        !is_finite(d->force) || !is_finite(d->torque)) {
        return "position, velocity, spin, force and torque must be finite";
    }
    const Quat q = d->orientation;
    double norm = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (!(norm > 0) || !isfinite(norm)) {
        return "the orientation must be a quaternion other than zero";
    }
    if (d->shape.index < -1 || d->shape.index >= (int32_t)world->state.shapes.count) {
        return "no such shape (SCREE_NO_SHAPE, -1: round)";
    }
    if (SCREE_IS_NULL(d->shape) && (!(d->radius > 0) || !isfinite(d->radius))) {
        return "the radius must be greater than zero";
    }
    if (!SCREE_IS_NULL(d->shape) && world->state.def.dimension == 2 && (q.x != 0 || q.y != 0)) {
        return "a shape in the plane turns about z only";
    }
    if (!SCREE_IS_NULL(d->shape) && world->state.def.dimension == 3 && d->inertia != 0) {
        return "the inertia of a solid follows from its mass: leave it at zero";
    }
    if (!(d->mass >= 0) || !isfinite(d->mass) || !(d->inertia >= 0) || !isfinite(d->inertia)) {
        return "mass and inertia must be at least zero (zero: from density and radius)";
    }
    if (!scr_is_material(world, d->material)) {
        return "no such material";
    }
    if (d->frozen > SCREE_FREEZE_ALL) {
        return "unknown bits in frozen";
    }
    if (world->state.def.dimension == 2 &&
        (d->velocity.z != 0 || d->spin.x != 0 || d->spin.y != 0 || d->force.z != 0 ||
         d->torque.x != 0 || d->torque.y != 0)) {
        return "in two dimensions bodies move in x, y and turn about z";
    }
    return NULL;
}

/* In two dimensions frozen axes keep bodies in the plane. */
static uint32_t with_plane(const ScreeWorld *world, uint32_t frozen) {
    return world->state.def.dimension == 3
               ? frozen
               : frozen | SCREE_FREEZE_Z | SCREE_FREEZE_ROTATION_X | SCREE_FREEZE_ROTATION_Y;
}

const char *scr_narrow_cell(const ScreeWorldDef *d, double radius, bool round) {
    const double least = round ? 2 : scr_narrowest_cell;
    const double side[3] = {d->cell_max.x - d->cell_min.x, d->cell_max.y - d->cell_min.y,
                            d->cell_max.z - d->cell_min.z};
    const double height = d->deform.tilted ? scr_cell_height(d) : INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        double width = d->deform.tilted ? height : side[axis];
        if (d->periodic[axis] && width < least * radius) {
            return round ? "a periodic cell must be at least as wide as the largest grain"
                         : "a periodic cell must be at least as wide as the largest radius";
        }
    }
    return NULL;
}

/* What follows from a body's size: the radius of the circle that encloses it, its volume (area in
 * two dimensions), and its inertia over mass. */
typedef struct Size {
    double radius, volume, gyration;
} Size;

static Size size_of(const ScreeWorld *world, const ScreeBodyDef *d) {
    if (!SCREE_IS_NULL(d->shape)) {
        const ShapeRecord *s = &world->state.shapes.shape[d->shape.index];
        return (Size){s->radius, s->area, s->gyration};
    }
    const double pi = 3.14159265358979323846, r = d->radius;
    return world->state.def.dimension == 2 ? (Size){r, pi * r * r, 0.5 * r * r}
                                           : (Size){r, 4.0 / 3.0 * pi * r * r * r, 0.4 * r * r};
}

static void store_body(ScreeWorld *world, size_t i, const ScreeBodyDef *d) {
    Bodies *b = &world->state.bodies;
    const Size size = size_of(world, d);
    double density = world->state.materials.item[d->material.index].density;
    b->position[i] = b->anchor[i] = d->position;
    b->orientation[i] = quat_normalise(d->orientation);
    b->velocity[i] = d->velocity;
    b->spin[i] = d->spin;
    b->force[i] = d->force;
    b->torque[i] = d->torque;
    b->radius[i] = size.radius;
    b->mass[i] = d->mass > 0 ? d->mass : size.volume * density;
    b->inertia[i] = d->inertia > 0 ? d->inertia : b->mass[i] * size.gyration;
    b->shape[i] = d->shape.index;
    b->material[i] = d->material.index;
    b->frozen[i] = with_plane(world, d->frozen);
    b->margin[i] = 0;
    if (world->state.def.dimension == 2) {
        b->position[i].z = 0;
    }
}

ScreeStatus scree_world_add_bodies(ScreeWorld *world, const ScreeBodyDef *defs, size_t count,
                                   ScreeBodyId *first) {
    Bodies *b = &world->state.bodies;
    SCR_TRY(scr_world_whole(world));
    for (size_t i = 0; i < count; i++) {
        const char *fault = body_fault(world, &defs[i]);
        fault = fault != NULL ? fault
                              : scr_narrow_cell(&world->state.def, size_of(world, &defs[i]).radius,
                                                SCREE_IS_NULL(defs[i].shape));
        if (fault != NULL) {
            return scr_fail(world->message, SCREE_BAD_ARGUMENT, "body %zu: %s", b->count + i,
                            fault);
        }
    }
    if (count > (size_t)INT32_MAX / 4 - b->count) {
        return scr_fail(world->message, SCREE_BAD_ARGUMENT, "at most %d bodies", INT32_MAX / 4);
    }
    if (count > (size_t)(INT32_MAX - scree_world_get_identity_count(world))) {
        return scr_fail(world->message, SCREE_BAD_ARGUMENT, "at most %d bodies in all its time",
                        INT32_MAX);
    }
    if (!(b->count > 0 ? scr_bodies_grow : scr_bodies_reserve)(b, b->count + count) ||
        (world->state.identity != NULL && !scr_name_bodies(&world->state, b->count + count)) ||
        (world->state.holder != NULL && !scr_reserve_holders(&world->state, b->count + count))) {
        return scr_no_memory(world->message);
    }
    for (size_t i = 0; i < count; i++) {
        store_body(world, b->count + i, &defs[i]);
        if (!(b->mass[b->count + i] > 0 && isfinite(b->mass[b->count + i]) &&
              b->inertia[b->count + i] > 0 && isfinite(b->inertia[b->count + i]))) {
            return scr_fail(world->message, SCREE_BAD_ARGUMENT,
                            "body %zu: its mass or inertia is zero or infinite in double precision",
                            b->count + i);
        }
    }
    if (first != NULL) {
        first->index = (int32_t)b->count;
    }
    for (size_t i = 0; i < count && world->state.identity != NULL; i++) {
        world->state.identity[b->count + i] = (int32_t)world->state.identities++;
    }
    b->count += count;
    world->state.list_stale = true;
    return SCREE_OK;
}

static ScreeStatus check_body(ScreeWorld *world, ScreeBodyId body, bool finite) {
    if (body.index < 0 || (size_t)body.index >= world->state.bodies.count) {
        return scr_fail(world->message, SCREE_BAD_ID, "no body %d", body.index);
    }
    return finite
               ? scr_world_whole(world)
               : scr_fail(world->message, SCREE_BAD_ARGUMENT,
                          "body %d: values must be finite, and in two dimensions lie in the plane",
                          body.index);
}

ScreeStatus scree_body_set_position(ScreeWorld *world, ScreeBodyId body, ScreeVec3 position) {
    SCR_TRY(check_body(world, body, scr_is_polar(world, position)));
    world->state.bodies.position[body.index] = position;
    world->state.list_stale = true;
    return SCREE_OK;
}

ScreeStatus scree_body_set_orientation(ScreeWorld *world, ScreeBodyId body, ScreeQuat q) {
    double norm = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    bool sound =
        norm > 0 && isfinite(norm) && (world->state.def.dimension == 3 || (q.x == 0 && q.y == 0));
    SCR_TRY(check_body(world, body, sound));
    world->state.bodies.orientation[body.index] = quat_normalise(q);
    world->state.list_stale = world->state.list_stale || world->state.bodies.shape[body.index] >= 0;
    return SCREE_OK;
}

ScreeStatus scree_body_set_velocity(ScreeWorld *world, ScreeBodyId body, ScreeVec3 velocity,
                                    ScreeVec3 spin) {
    SCR_TRY(check_body(world, body, scr_is_polar(world, velocity) && scr_is_axial(world, spin)));
    world->state.bodies.velocity[body.index] = velocity;
    world->state.bodies.spin[body.index] = spin;
    return SCREE_OK;
}

ScreeStatus scree_body_set_force(ScreeWorld *world, ScreeBodyId body, ScreeVec3 force,
                                 ScreeVec3 torque) {
    SCR_TRY(check_body(world, body, scr_is_polar(world, force) && scr_is_axial(world, torque)));
    world->state.bodies.force[body.index] = force;
    world->state.bodies.torque[body.index] = torque;
    return SCREE_OK;
}

ScreeStatus scree_body_set_size(ScreeWorld *world, ScreeBodyId body, double radius, double mass,
                                double inertia) {
    Bodies *b = &world->state.bodies;
    SCR_TRY(check_body(world, body, true));
    const size_t i = (size_t)body.index;
    ScreeBodyDef def = scree_body_def_default();
    def.radius = radius;
    def.mass = mass;
    def.inertia = inertia;
    def.material.index = b->material[i];
    const char *fault =
        b->shape[i] >= 0 ? "the size of a shape cannot change" : body_fault(world, &def);
    fault = fault != NULL ? fault : scr_narrow_cell(&world->state.def, radius, true);
    const Size size = size_of(world, &def);
    mass = mass > 0 ? mass : size.volume * world->state.materials.item[b->material[i]].density;
    inertia = inertia > 0 ? inertia : mass * size.gyration;
    if (fault == NULL && !(mass > 0 && isfinite(mass) && inertia > 0 && isfinite(inertia))) {
        fault = "its mass or inertia is zero or infinite in double precision";
    }
    if (fault != NULL) {
        return scr_fail(world->message, SCREE_BAD_ARGUMENT, "body %d: %s", body.index, fault);
    }
    b->radius[i] = radius;
    b->mass[i] = mass;
    b->inertia[i] = inertia;
    world->state.list_stale = true;
    return SCREE_OK;
}

ScreeStatus scree_body_set_frozen(ScreeWorld *world, ScreeBodyId body, uint32_t frozen) {
    SCR_TRY(check_body(world, body, frozen <= SCREE_FREEZE_ALL));
    if (scr_holder(&world->state, body.index) >= 0) {
        return scr_fail(world->message, SCREE_BAD_ARGUMENT,
                        "body %d: a wall holds it: let it go first (scree_body_set_holder)",
                        body.index);
    }
    world->state.bodies.frozen[body.index] = with_plane(world, frozen);
    return SCREE_OK;
}

ScreeStatus scree_body_set_holder(ScreeWorld *world, ScreeBodyId body, ScreeWallId wall) {
    State *s = &world->state;
    SCR_TRY(check_body(world, body, true));
    const bool held = wall.index != -1;
    if (held && (wall.index < 0 || (size_t)wall.index >= s->walls.count ||
                 !s->walls.item[wall.index].present)) {
        return scr_fail(world->message, SCREE_BAD_ID, "no wall %d, or it was removed", wall.index);
    }
    if (wall.index == scr_holder(s, body.index)) {
        return SCREE_OK;
    }
    if (s->holder == NULL && !scr_reserve_holders(s, s->bodies.count)) {
        return scr_no_memory(world->message);
    }
    s->holder[body.index] = wall.index;
    s->bodies.frozen[body.index] = held ? SCREE_FREEZE_ALL : with_plane(world, 0);
    s->list_stale = true;
    return SCREE_OK;
}

ScreeBodyView scree_world_get_bodies(const ScreeWorld *world) {
    (void)scr_world_whole(world);
    const Bodies *b = &world->state.bodies;
    return (ScreeBodyView){
        .count = b->count,
        .position = b->position,
        .orientation = b->orientation,
        .velocity = b->velocity,
        .spin = b->spin,
        .force = b->force,
        .torque = b->torque,
        .radius = b->radius,
        .mass = b->mass,
        .inertia = b->inertia,
        .material = scr_material_ids(b->material),
        .frozen = b->frozen,
        .shape = scr_shape_ids(b->shape),
        .identity = world->state.identity,
        .holder = scr_wall_ids(world->state.holder),
    };
}

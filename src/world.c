/* The public functions: check the arguments, then call the part that does the work. */
#include "engine/engine.h"
#include "measure/measure.h"
#include "narrow/narrow.h"
#include "shape/wall.h"
#include "state/snapshot.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ScreeWorld {
    State state;
    Engine engine;
    char message[SCREE_MESSAGE_SIZE];
};

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)

const char *scree_version(void) {
    return TEXT(SCREE_VERSION_MAJOR) "." TEXT(SCREE_VERSION_MINOR) "." TEXT(SCREE_VERSION_PATCH);
}

const char *scree_status_text(ScreeStatus status) {
    static const char *const text[] = {
#define X(name, words) words,
        SCREE_STATUS_MAP(X)
#undef X
    };
    return status >= 0 && status < SCREE_STATUS_COUNT ? text[status] : "unknown status";
}

const char *scree_message(const ScreeWorld *world) {
    return world->message;
}

/* Keeps the words and gives back the status. */
__attribute__((format(printf, 3, 4))) static ScreeStatus
fail(char *message, ScreeStatus status, const char *format, ...) {
    if (message != NULL) {
        va_list args;
        va_start(args, format);
        vsnprintf(message, SCREE_MESSAGE_SIZE, format, args);
        va_end(args);
    }
    return status;
}

static ScreeStatus no_memory(char *message) {
    return fail(message, SCREE_NO_MEMORY, "out of memory");
}

/* ---------------------------------------------------------------- defaults */

ScreeSolverDef scree_default_solver(void) {
    return (ScreeSolverDef){.tolerance = 1e-6, .iterations = 5000, .warm_start = true};
}

ScreeWorldDef scree_default_world(void) {
    return (ScreeWorldDef){
        .dimension = 3, .seed = 1, .threads = 1, .solver = scree_default_solver()};
}

ScreeMaterialDef scree_default_material(void) {
    return (ScreeMaterialDef){.density = 1};
}

ScreeLaw scree_default_law(void) {
    return (ScreeLaw){0};
}

ScreeBodyDef scree_default_body(void) {
    return (ScreeBodyDef){.orientation = {1, 0, 0, 0}};
}

ScreeWallDef scree_default_wall(void) {
    return (ScreeWallDef){.orientation = {1, 0, 0, 0}, .axis = {0, 0, 1}, .material = -1};
}

/* ---------------------------------------------------------------- world */

static const char *solver_fault(const ScreeSolverDef *s) {
    if (s->order < 0 || s->order >= SCREE_ORDER_COUNT) {
        return "unknown order of the sweep";
    }
    if (s->criterion < 0 || s->criterion >= SCREE_CRITERION_COUNT) {
        return "unknown convergence criterion";
    }
    if (!(s->tolerance >= 0) || !isfinite(s->tolerance)) {
        return "the tolerance must be a number of at least zero";
    }
    if (!(s->small_force >= 0) || !isfinite(s->small_force)) {
        return "small_force must be a number of at least zero";
    }
    return s->iterations >= 1 ? NULL : "at least one iteration is needed";
}

static const char *cell_fault(const ScreeWorldDef *d) {
    const double low[3] = {d->cell_min.x, d->cell_min.y, d->cell_min.z};
    const double high[3] = {d->cell_max.x, d->cell_max.y, d->cell_max.z};
    for (int axis = 0; axis < 3; axis++) {
        if (d->periodic[axis] && !(isfinite(high[axis] - low[axis]) && high[axis] > low[axis])) {
            return "a periodic direction needs a cell with max greater than min";
        }
    }
    return d->dimension == 2 && d->periodic[2] ? "a two-dimensional world is not periodic along z"
                                               : NULL;
}

static const char *world_fault(const ScreeWorldDef *d) {
    if (d->dimension != 2 && d->dimension != 3) {
        return "the dimension must be 2 or 3";
    }
    if (!(d->time_step > 0) || !isfinite(d->time_step)) {
        return "the time step must be greater than zero and finite";
    }
    if (!is_finite(d->gravity)) {
        return "gravity must be finite";
    }
    if (d->dimension == 2 && d->gravity.z != 0) {
        return "in two dimensions gravity lies in x, y";
    }
    if (!(d->skin >= 0) || !isfinite(d->skin)) {
        return "the skin must be a length of at least zero";
    }
    if (d->threads < 1) {
        return "at least one thread is needed";
    }
    const char *fault = cell_fault(d);
    return fault != NULL ? fault : solver_fault(&d->solver);
}

ScreeStatus scree_create_world(const ScreeWorldDef *def, ScreeWorld **world, char *message) {
    *world = NULL;
    const char *fault = world_fault(def);
    if (fault != NULL) {
        return fail(message, SCREE_BAD_ARGUMENT, "%s", fault);
    }
    ScreeWorld *w = calloc(1, sizeof *w);
    if (w == NULL) {
        return no_memory(message);
    }
    w->state.def = *def;
    w->state.list_stale = true;
    *world = w;
    return SCREE_OK;
}

void scree_destroy_world(ScreeWorld *world) {
    if (world != NULL) {
        scr_state_free(&world->state);
        scr_engine_free(&world->engine);
        free(world);
    }
}

ScreeWorldDef scree_world_def(const ScreeWorld *world) {
    return world->state.def;
}

double scree_time(const ScreeWorld *world) {
    return world->state.time;
}

uint64_t scree_steps(const ScreeWorld *world) {
    return world->state.step;
}

/* Takes a changed definition if it is sound. */
static ScreeStatus redefine(ScreeWorld *world, const ScreeWorldDef *def) {
    const char *fault = world_fault(def);
    if (fault != NULL) {
        return fail(world->message, SCREE_BAD_ARGUMENT, "%s", fault);
    }
    world->state.def = *def;
    return SCREE_OK;
}

ScreeStatus scree_set_gravity(ScreeWorld *world, ScreeVec3 gravity) {
    ScreeWorldDef def = world->state.def;
    def.gravity = gravity;
    return redefine(world, &def);
}

ScreeStatus scree_set_time_step(ScreeWorld *world, double time_step) {
    ScreeWorldDef def = world->state.def;
    def.time_step = time_step;
    ScreeStatus status = redefine(world, &def);
    if (status == SCREE_OK) {
        world->state.time_base = world->state.time;
        world->state.step_base = world->state.step;
    }
    return status;
}

ScreeStatus scree_set_solver(ScreeWorld *world, const ScreeSolverDef *solver) {
    ScreeWorldDef def = world->state.def;
    def.solver = *solver;
    return redefine(world, &def);
}

ScreeStatus scree_set_threads(ScreeWorld *world, int threads) {
    ScreeWorldDef def = world->state.def;
    def.threads = threads;
    return redefine(world, &def);
}

/* ---------------------------------------------------------------- materials */

static bool is_friction(double mu) {
    return mu >= 0 && isfinite(mu);
}

ScreeStatus scree_add_material(ScreeWorld *world, const ScreeMaterialDef *def, int32_t *id) {
    if (!(def->density > 0) || !isfinite(def->density)) {
        return fail(world->message, SCREE_BAD_ARGUMENT, "a density must be greater than zero");
    }
    if (!is_friction(def->friction)) {
        return fail(world->message, SCREE_BAD_ARGUMENT, "friction must be a number of at least zero");
    }
    if (world->state.materials.count >= 4096) {
        return fail(world->message, SCREE_BAD_ARGUMENT, "at most 4096 materials");
    }
    if (!scr_materials_add(&world->state.materials, def)) {
        return no_memory(world->message);
    }
    if (id != NULL) {
        *id = (int32_t)world->state.materials.count - 1;
    }
    return SCREE_OK;
}

static bool is_material(const ScreeWorld *world, int32_t id) {
    return id >= 0 && (size_t)id < world->state.materials.count;
}

ScreeStatus scree_set_law(ScreeWorld *world, int32_t a, int32_t b, const ScreeLaw *law) {
    if (!is_material(world, a) || !is_material(world, b)) {
        return fail(world->message, SCREE_BAD_ID, "no material %d or %d", a, b);
    }
    if (!is_friction(law->friction)) {
        return fail(world->message, SCREE_BAD_ARGUMENT, "friction must be a number of at least zero");
    }
    Materials *m = &world->state.materials;
    m->law[(size_t)a * m->count + (size_t)b] = *law;
    m->law[(size_t)b * m->count + (size_t)a] = *law;
    return SCREE_OK;
}

ScreeStatus scree_get_law(const ScreeWorld *world, int32_t a, int32_t b, ScreeLaw *law) {
    if (!is_material(world, a) || !is_material(world, b)) {
        return SCREE_BAD_ID;
    }
    *law = *scr_law(&world->state.materials, a, b);
    return SCREE_OK;
}

/* ---------------------------------------------------------------- bodies */

static const char *body_fault(const ScreeWorld *world, const ScreeBodyDef *d) {
    if (!is_finite(d->position) || !is_finite(d->velocity) || !is_finite(d->spin) ||
        !is_finite(d->force) || !is_finite(d->torque)) {
        return "position, velocity, spin, force and torque must be finite";
    }
    const Quat q = d->orientation;
    double norm = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (!(norm > 0) || !isfinite(norm)) {
        return "the orientation must be a quaternion other than zero";
    }
    if (!(d->radius > 0) || !isfinite(d->radius)) {
        return "the radius must be greater than zero";
    }
    if (!(d->mass >= 0) || !isfinite(d->mass) || !(d->inertia >= 0) || !isfinite(d->inertia)) {
        return "mass and inertia must be at least zero (zero: from density and radius)";
    }
    if (!is_material(world, d->material)) {
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

/* In two dimensions the plane is held by frozen axes. */
static uint32_t with_plane(const ScreeWorld *world, uint32_t frozen) {
    return world->state.def.dimension == 3
               ? frozen
               : frozen | SCREE_FREEZE_Z | SCREE_FREEZE_ROTATION_X | SCREE_FREEZE_ROTATION_Y;
}

/* Nearest images are unique only when the cell is wider than twice the distance of any two that may touch. */
static const char *narrow_cell(const ScreeWorldDef *d, double radius) {
    const double side[3] = {d->cell_max.x - d->cell_min.x, d->cell_max.y - d->cell_min.y,
                            d->cell_max.z - d->cell_min.z};
    for (int axis = 0; axis < 3; axis++) {
        if (d->periodic[axis] && side[axis] < 4.5 * radius) {
            return "a periodic cell must be at least 4.5 times as wide as the largest radius";
        }
    }
    return NULL;
}

static void store_body(ScreeWorld *world, size_t i, const ScreeBodyDef *d) {
    Bodies *b = &world->state.bodies;
    bool flat = world->state.def.dimension == 2;
    const double pi = 3.14159265358979323846, r = d->radius;
    double volume = flat ? pi * r * r : 4.0 / 3.0 * pi * r * r * r;
    b->position[i] = b->anchor[i] = d->position;
    b->orientation[i] = quat_normalise(d->orientation);
    b->velocity[i] = d->velocity;
    b->spin[i] = d->spin;
    b->force[i] = d->force;
    b->torque[i] = d->torque;
    b->radius[i] = r;
    b->mass[i] =
        d->mass > 0 ? d->mass : volume * world->state.materials.item[d->material].density;
    b->inertia[i] = d->inertia > 0 ? d->inertia : (flat ? 0.5 : 0.4) * b->mass[i] * r * r;
    b->material[i] = d->material;
    b->frozen[i] = with_plane(world, d->frozen);
    b->margin[i] = 0;
    if (flat) {
        b->position[i].z = 0;
    }
}

ScreeStatus scree_add_bodies(ScreeWorld *world, const ScreeBodyDef *defs, size_t count,
                             int32_t *first) {
    Bodies *b = &world->state.bodies;
    for (size_t i = 0; i < count; i++) {
        const char *fault = body_fault(world, &defs[i]);
        fault = fault != NULL ? fault : narrow_cell(&world->state.def, defs[i].radius);
        if (fault != NULL) {
            return fail(world->message, SCREE_BAD_ARGUMENT, "body %zu: %s", b->count + i, fault);
        }
    }
    if (count > (size_t)INT32_MAX / 4 - b->count) {
        return fail(world->message, SCREE_BAD_ARGUMENT, "at most %d bodies", INT32_MAX / 4);
    }
    if (!scr_bodies_reserve(b, b->count + count)) {
        return no_memory(world->message);
    }
    for (size_t i = 0; i < count; i++) {
        store_body(world, b->count + i, &defs[i]);
        if (!(b->mass[b->count + i] > 0 && isfinite(b->mass[b->count + i]) &&
              b->inertia[b->count + i] > 0 && isfinite(b->inertia[b->count + i]))) {
            return fail(world->message, SCREE_BAD_ARGUMENT,
                        "body %zu: its mass or inertia is zero or infinite in double precision",
                        b->count + i);
        }
    }
    if (first != NULL) {
        *first = (int32_t)b->count;
    }
    b->count += count;
    world->state.list_stale = true;
    return SCREE_OK;
}

static ScreeStatus check_body(ScreeWorld *world, int32_t body, bool finite) {
    if (body < 0 || (size_t)body >= world->state.bodies.count) {
        return fail(world->message, SCREE_BAD_ID, "no body %d", body);
    }
    return finite ? SCREE_OK
                  : fail(world->message, SCREE_BAD_ARGUMENT,
                         "body %d: values must be finite, and in two dimensions lie in the plane",
                         body);
}

/* In two dimensions a vector lies in the plane, an axial one along z. */
static bool in_space(const ScreeWorld *world, Vec3 v) {
    return is_finite(v) && (world->state.def.dimension == 3 || v.z == 0);
}

static bool axial(const ScreeWorld *world, Vec3 v) {
    return is_finite(v) && (world->state.def.dimension == 3 || (v.x == 0 && v.y == 0));
}

ScreeStatus scree_set_body_position(ScreeWorld *world, int32_t body, ScreeVec3 position) {
    ScreeStatus status = check_body(world, body, in_space(world, position));
    if (status == SCREE_OK) {
        world->state.bodies.position[body] = position;
        world->state.list_stale = true;
    }
    return status;
}

ScreeStatus scree_set_body_velocity(ScreeWorld *world, int32_t body, ScreeVec3 velocity,
                                    ScreeVec3 spin) {
    ScreeStatus status = check_body(world, body, in_space(world, velocity) && axial(world, spin));
    if (status == SCREE_OK) {
        world->state.bodies.velocity[body] = velocity;
        world->state.bodies.spin[body] = spin;
    }
    return status;
}

ScreeStatus scree_set_body_force(ScreeWorld *world, int32_t body, ScreeVec3 force,
                                 ScreeVec3 torque) {
    ScreeStatus status = check_body(world, body, in_space(world, force) && axial(world, torque));
    if (status == SCREE_OK) {
        world->state.bodies.force[body] = force;
        world->state.bodies.torque[body] = torque;
    }
    return status;
}

ScreeStatus scree_set_body_frozen(ScreeWorld *world, int32_t body, uint32_t frozen) {
    ScreeStatus status = check_body(world, body, frozen <= SCREE_FREEZE_ALL);
    if (status == SCREE_OK) {
        world->state.bodies.frozen[body] = with_plane(world, frozen);
    }
    return status;
}

ScreeBodyView scree_bodies(const ScreeWorld *world) {
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
        .material = b->material,
        .frozen = b->frozen,
    };
}

/* ---------------------------------------------------------------- walls */

ScreeStatus scree_add_wall(ScreeWorld *world, const ScreeWallDef *def, int32_t *id) {
    Walls *w = &world->state.walls;
    const char *fault = scr_wall_fault(def, world->state.def.dimension);
    if (fault == NULL && def->material != -1 && !is_material(world, def->material)) {
        fault = "no such material";
    }
    if (fault != NULL) {
        return fail(world->message, SCREE_BAD_ARGUMENT, "wall %zu: %s", w->count, fault);
    }
    if (!scr_block_reserve(&w->block, w->count + 1, sizeof *w->item, w->count * sizeof *w->item)) {
        return no_memory(world->message);
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
        fail(world->message, SCREE_BAD_ID, "no wall %d, or it was removed", wall);
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
            contacts->item[kept++] = contacts->item[i];
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
        return fail(world->message, SCREE_BAD_ARGUMENT,
                    "wall %d is a piston: it is moved by its force", wall);
    }
    if (!in_space(world, velocity) || !axial(world, spin)) {
        return fail(world->message, SCREE_BAD_ARGUMENT,
                    "wall %d: values must be finite, and in two dimensions lie in the plane", wall);
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
        return fail(world->message, SCREE_BAD_ARGUMENT,
                    "wall %d: only a piston carries a force, and it must be finite", wall);
    }
    w->now.force = force;
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

/* ---------------------------------------------------------------- contacts and measures */

ScreeContactView scree_contacts(const ScreeWorld *world) {
    const Contacts *c = &world->state.contacts;
    return (ScreeContactView){c->count, c->item, c->time_step};
}

ScreeVec3 scree_contact_point(const ScreeWorld *world, const ScreeContact *contact) {
    const Bodies *b = &world->state.bodies;
    return add_scaled(b->position[contact->a], b->radius[contact->a] + 0.5 * contact->gap,
                      contact->normal);
}

double scree_coordination(const ScreeWorld *world) {
    return scr_coordination(&world->state);
}

double scree_kinetic_energy(const ScreeWorld *world) {
    return scr_kinetic_energy(&world->state);
}

/* ---------------------------------------------------------------- stepping */

ScreeStatus scree_step(ScreeWorld *world, ScreeReport *report) {
    ScreeReport own;
    world->message[0] = '\0';
    ScreeStatus status = scr_contact_dynamics_step(&world->state, &world->engine,
                                                   report != NULL ? report : &own, world->message);
    if (status != SCREE_OK && world->message[0] == '\0') {
        fail(world->message, status, "%s", scree_status_text(status));
    }
    return status;
}

/* An overlap of rounding size is none. */
static void note_overlap(ScreeOverlap *found, double gap, double radius, int32_t a, int32_t b) {
    if (gap < -1e-9 * radius) {
        found->count++;
        if (-gap > found->depth) {
            found->depth = -gap;
            found->a = a;
            found->b = b;
        }
    }
}

static void wall_overlaps(const State *s, ScreeOverlap *found) {
    for (size_t w = 0; w < s->walls.count; w++) {
        const ScreeWallState *wall = &s->walls.item[w];
        for (size_t i = 0; i < s->bodies.count && wall->present; i++) {
            double r = s->bodies.radius[i];
            double gap = scr_touch_wall(&wall->now, s->bodies.position[i], r).gap;
            note_overlap(found, gap, r, (int32_t)i, -1 - (int32_t)w);
        }
    }
}

ScreeStatus scree_find_overlaps(ScreeWorld *world, ScreeOverlap *overlap) {
    const State *s = &world->state;
    Neighbours pairs = {0};
    Block zero = {0};
    *overlap = (ScreeOverlap){.a = -1, .b = -1};
    if (!scr_block_reserve_exact(&zero, s->bodies.count + 1, sizeof(double), 0)) {
        return no_memory(world->message);
    }
    memset(zero.data, 0, zero.bytes);
    const BroadInput input = {
        .def = &s->def,
        .count = s->bodies.count,
        .position = s->bodies.position,
        .radius = s->bodies.radius,
        .margin = zero.data,
        .pair_limit = 1000000,
    };
    ScreeStatus status = scr_broad_grid(&input, &pairs);
    for (size_t i = 0; i < pairs.count; i++) {
        Pair p = pairs.pair[i];
        double ra = s->bodies.radius[p.a], rb = s->bodies.radius[p.b];
        Vec3 d = scr_nearest_image(&s->def, sub(s->bodies.position[p.b], s->bodies.position[p.a]));
        note_overlap(overlap, scr_touch_balls(d, ra, rb).gap, fmin(ra, rb), p.a, p.b);
    }
    scr_neighbours_free(&pairs);
    scr_block_free(&zero);
    if (status == SCREE_NO_MEMORY) {
        return no_memory(world->message);
    }
    wall_overlaps(s, overlap);
    return SCREE_OK;
}

ScreeCost scree_cost(const ScreeWorld *world) {
    const Engine *e = &world->engine;
    return (ScreeCost){
        .seconds_total = e->seconds_total,
        .seconds_solver = e->seconds_solver,
        .updates = e->updates,
        .bytes_bodies = scr_bodies_bytes(&world->state.bodies) +
                        scr_neighbours_body_bytes(&e->neighbours) + e->body_block.bytes +
                        e->speed_block.bytes + e->tensor_of_block.bytes + e->tensor_block.bytes +
                        e->order.used_block.bytes + e->cluster_block.bytes,
        .bytes_contacts = world->state.contacts.block.bytes + e->row_block.bytes +
                          e->neighbours.pair_block.bytes + e->wall_pair_block.bytes +
                          e->order.slot_block.bytes + e->sequence_block.bytes +
                          e->general_block.bytes + e->general_of_block.bytes,
        .contacts = e->most_contacts,
    };
}

/* ---------------------------------------------------------------- saving */

ScreeStatus scree_save(const ScreeWorld *world, void *buffer, size_t *size) {
    return scr_snapshot_save(&world->state, buffer, size);
}

ScreeStatus scree_load(const void *buffer, size_t size, ScreeWorld **world, char *message) {
    *world = NULL;
    ScreeWorld *w = calloc(1, sizeof *w);
    if (w == NULL) {
        return no_memory(message);
    }
    const char *why = "";
    ScreeStatus status = scr_snapshot_load(buffer, size, &w->state, &why);
    if (status != SCREE_OK) {
        free(w);
        return fail(message, status, "%s", why);
    }
    *world = w;
    return SCREE_OK;
}

uint64_t scree_hash(const ScreeWorld *world) {
    return scr_snapshot_hash(&world->state);
}

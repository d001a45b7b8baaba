/* Bodies and contacts of one world taken over by another: a packing goes on under other conditions,
 * or is laid side by side with itself. */
#include "api/world.h"
#include "dynamics/bridges.h"

#include "state/snapshot.h"

#include <string.h>

/* ---------------------------------------------------------------- what is asked */

static size_t copies_of(const ScreeTakeDef *def) {
    return (size_t)def->copies[0] * (size_t)def->copies[1] * (size_t)def->copies[2];
}

/* The cell is repeated where it is periodic. */
static const char *copies_fault(const ScreeWorldDef *from, const ScreeTakeDef *def) {
    enum { MOST = 1 << 20 };
    double all = 1;
    for (int axis = 0; axis < 3; axis++) {
        if (def->copies[axis] < 1) {
            return "at least one copy is needed along each axis";
        }
        const Vec3 edge = from->deform.vector[axis];
        const bool aslant =
            from->periodic[axis] && length(edge) > fabs(component(edge, axis)) * (1 + 1e-15);
        if (aslant && copies_of(def) > 1) {
            return "an oblique cell cannot be multiplied";
        }
        if (def->copies[axis] > 1 && !from->periodic[axis]) {
            return "only what is periodic along an axis can be copied along it";
        }
        all *= def->copies[axis];
    }
    return all <= MOST ? NULL : "too many copies";
}

static const char *take_fault(const State *to, const State *from, const ScreeTakeDef *def) {
    if (def->cookie != SCR_COOKIE) {
        return SCR_NO_COOKIE(ScreeTakeDef, scree_take_def_default);
    }
    if (to->def.dimension != from->def.dimension) {
        return "the two worlds have different dimensions";
    }
    return copies_fault(&from->def, def);
}

static const char *material_fault(const State *to, const State *from, const ScreeTakeDef *def) {
    for (size_t i = 0; i < from->bodies.count; i++) {
        int32_t was = from->bodies.material[i];
        int32_t is = def->material != NULL ? def->material[was].index : was;
        if (is < 0 || (size_t)is >= to->materials.count) {
            return "a body has a material that is not in this world";
        }
    }
    return NULL;
}

static const char *bodies_fault(const State *to, const State *from, const ScreeTakeDef *def) {
    if (to->bodies.count > 0 || to->shapes.count > 0) {
        return "the world that takes bodies over must have neither bodies nor shapes yet";
    }
    if (from->bodies.count > (size_t)INT32_MAX / 4 / copies_of(def)) {
        return "too many bodies";
    }
    const char *fault = material_fault(to, from, def);
    for (size_t i = 0; i < from->bodies.count && fault == NULL; i++) {
        fault = scr_narrow_cell(&to->def, from->bodies.radius[i], from->bodies.shape[i] < 0);
    }
    return fault;
}

/* ---------------------------------------------------------------- bodies */

static Vec3 sides_of(const ScreeWorldDef *d) {
    return vec3(d->periodic[0] ? d->cell_max.x - d->cell_min.x : 0,
                d->periodic[1] ? d->cell_max.y - d->cell_min.y : 0,
                d->periodic[2] ? d->cell_max.z - d->cell_min.z : 0);
}

/* By how much copy number c is displaced. */
static Vec3 offset_of(const ScreeTakeDef *def, Vec3 side, size_t c) {
    const size_t nx = (size_t)def->copies[0], ny = (size_t)def->copies[1];
    return vec3((double)(c % nx) * side.x, (double)(c / nx % ny) * side.y,
                (double)(c / (nx * ny)) * side.z);
}

/* A body of another density is heavier in proportion, whatever its mass was. */
static void change_material(const State *from, State *to, const ScreeTakeDef *def, size_t i) {
    Bodies *b = &to->bodies;
    const int32_t was = b->material[i], is = def->material != NULL ? def->material[was].index : was;
    const double before = from->materials.item[was].density, now = to->materials.item[is].density;
    b->material[i] = is;
    if (now != before) {
        b->mass[i] *= now / before;
        b->inertia[i] *= now / before;
    }
}

static void copy_bodies(const State *from, State *to, const ScreeTakeDef *def) {
    const Bodies *f = &from->bodies;
    Bodies *b = &to->bodies;
    const size_t copies = copies_of(def);
    const Vec3 side = sides_of(&from->def);
    for (size_t k = 0; k < f->count * copies; k++) {
        const size_t i = k / copies;
#define X(type, name) b->name[k] = f->name[i];
        BODY_FIELDS(X)
#undef X
        b->position[k] = add(f->position[i], offset_of(def, side, k % copies));
        b->anchor[k] = b->position[k];
        b->margin[k] = 0;
        change_material(from, to, def, k);
    }
    b->count = f->count * copies;
}

ScreeStatus scree_world_take_bodies(ScreeWorld *world, const ScreeWorld *from,
                                    const ScreeTakeDef *def) {
    State *to = &world->state;
    SCR_TRY(scr_world_whole(world));
    SCR_TRY(scr_world_whole(from));
    SCR_TRY(scr_fail_if(world->message, take_fault(to, &from->state, def)));
    SCR_TRY(scr_fail_if(world->message, bodies_fault(to, &from->state, def)));
    if (!scr_bodies_reserve(&to->bodies, from->state.bodies.count * copies_of(def)) ||
        !scr_snapshot_copy_shapes(&from->state.shapes, &to->shapes)) {
        return scr_no_memory(world->message);
    }
    copy_bodies(&from->state, to, def);
    to->list_stale = true;
    return SCREE_OK;
}

/* ---------------------------------------------------------------- contacts */

/* Which copy of b is the one that copy c of a touches: its image may lie in the next cell. `way` leads there; NULL:
 * the nearest. */
static size_t partner_copy(const State *from, const ScreeTakeDef *def, int32_t a, int32_t b,
                           const Vec3 *way, size_t c) {
    const Vec3 side = sides_of(&from->def);
    const Vec3 straight = sub(from->bodies.position[b], from->bodies.position[a]);
    const Vec3 shift = sub(way != NULL ? *way : scr_nearest_image(&from->def, straight), straight);
    const double cells[3] = {side.x > 0 ? nearbyint(shift.x / side.x) : 0,
                             side.y > 0 ? nearbyint(shift.y / side.y) : 0,
                             side.z > 0 ? nearbyint(shift.z / side.z) : 0};
    size_t at = 0, stride = 1, rest = c;
    for (int axis = 0; axis < 3; axis++) {
        const int32_t n = def->copies[axis];
        const int32_t moved = (int32_t)fmod(cells[axis], n) + (int32_t)(rest % (size_t)n);
        at += (size_t)((moved % n + n) % n) * stride;
        stride *= (size_t)n;
        rest /= (size_t)n;
    }
    return at;
}

/* The pair as it is called here. False when it is of no use: with a wall that is gone, or of a body
 * with an image of itself whose copies come in the other order. */
static bool rename_pair(const State *from, const State *to, const ScreeTakeDef *def, size_t c,
                        const Vec3 *way, int32_t *a, int32_t *b) {
    const int32_t copies = (int32_t)copies_of(def);
    const int32_t was_a = *a, was_b = *b;
    *a = was_a * copies + (int32_t)c;
    if (was_b >= 0) {
        *b = was_b * copies + (int32_t)partner_copy(from, def, was_a, was_b, way, c);
        return *a < *b || (*a == *b && way != NULL);
    }
    const size_t wall = scr_wall_of(was_b);
    const int32_t is = def->wall != NULL ? def->wall[wall].index : (int32_t)wall;
    *b = scr_wall_code((size_t)(is >= 0 ? is : 0));
    return is >= 0 && to->walls.item[is].present;
}

static const char *walls_fault(const State *to, const State *from, const ScreeTakeDef *def) {
    for (size_t i = 0; i < from->walls.count; i++) {
        const int32_t is = def->wall != NULL ? def->wall[i].index : (int32_t)i;
        if (is >= 0 && (size_t)is >= to->walls.count) {
            return "a wall that contacts are to be with is not in this world";
        }
    }
    return to->bodies.count < from->bodies.count * copies_of(def)
               ? "the bodies of these contacts have not been taken over"
               : NULL;
}

static bool take_rigid(const State *from, State *to, const ScreeTakeDef *def) {
    const Contacts *f = &from->contacts;
    Contacts *k = &to->contacts;
    const size_t copies = copies_of(def), most = f->count * copies;
    if (!scr_block_reserve(&k->block, most + 1, sizeof *k->item, 0) ||
        (f->extra != NULL && !scr_block_reserve(&k->extra_block, most + 1, sizeof *k->extra, 0))) {
        return false;
    }
    const bool told = from->branches > 0 && from->branches == f->count;
    if (told && !SCR_RESERVE(to, branch, most + 1)) {
        return false;
    }
    k->item = k->block.data;
    k->extra = f->extra != NULL ? k->extra_block.data : NULL;
    k->count = 0;
    for (size_t i = 0; i < f->count; i++) {
        for (size_t c = 0; c < copies; c++) {
            Contact *made = &k->item[k->count];
            *made = f->item[i];
            if (told) {
                to->branch[k->count] = from->branch[i];
            }
            if (rename_pair(from, to, def, c, told ? &from->branch[i].way : NULL, &made->a,
                            &made->b)) {
                if (f->extra != NULL) {
                    k->extra[k->count] = f->extra[i];
                }
                k->count++;
            }
        }
    }
    to->branches = told ? k->count : 0;
    k->time_step = f->time_step;
    k->elastic[0] = f->elastic[0] * (double)copies;
    k->elastic[1] = f->elastic[1] * (double)copies;
    k->elastic[2] = scr_energy_of_bridges(to);
    k->ratio = f->ratio;
    k->steady = f->steady;
    return true;
}

/* A place on a wall is as far from a copy as it was from the body. */
static void move_place(const State *from, const State *to, const ScreeBond *bond, ScreeBond *copy) {
    if (bond->b.code < 0) {
        const Vec3 was = from->bodies.position[bond->a.index];
        copy->arm_b = add(bond->arm_b, sub(to->bodies.position[copy->a.index], was));
    }
}

/* With the same numbers where there is one copy. */
static bool take_bonds(const State *from, State *to, const ScreeTakeDef *def) {
    const Bonds *f = &from->bonds;
    Bonds *k = &to->bonds;
    const size_t copies = copies_of(def);
    if (f->made == 0) {
        return true;
    }
    if (!scr_bonds_reserve(k, k->count + f->count * copies)) {
        return false;
    }
    for (size_t i = 0; i < f->count; i++) {
        for (size_t c = 0; c < copies; c++) {
            ScreeBond *made = &k->item[k->count];
            *made = f->item[i];
            made->number += (int64_t)c * f->made;
            if (rename_pair(from, to, def, c, NULL, &made->a.index, &made->b.code)) {
                move_place(from, to, &f->item[i], made);
                k->count++;
            }
        }
    }
    k->made = f->made * (int64_t)copies;
    k->broken = f->broken * (int64_t)copies;
    k->reach = f->reach;
    scr_bonds_sort(k);
    return true;
}

static void copy_soft_bodies(const SoftState *f, SoftState *k, size_t copies) {
    for (size_t i = 0; i < f->bodies * copies; i++) {
#define X(type, name) k->name[i] = f->name[i / copies];
        SOFT_BODY_FIELDS(X)
        if (k->displacement != NULL) {
            SOFT_VERLET_FIELDS(X)
        }
#undef X
    }
}

/* The springs of the soft engine. Its forces are found anew where laws have changed. */
static bool take_soft(const State *from, State *to, const ScreeTakeDef *def) {
    const SoftState *f = from->soft;
    const size_t copies = copies_of(def);
    const bool verlet = to->def.soft.integrator == SCREE_INTEGRATOR_VERLET;
    SoftState *k = scr_soft_state_new();
    if (k == NULL || !scr_soft_state_reserve(k, to->bodies.count, verlet && f->displacement) ||
        !scr_soft_state_reserve_memory(k, f->contacts * copies)) {
        scr_soft_state_destroy(k);
        return false;
    }
    copy_soft_bodies(f, k, copies);
    for (size_t i = 0; i < f->contacts; i++) {
        for (size_t c = 0; c < copies; c++) {
            SoftMemory *made = &k->memory[k->contacts];
            *made = f->memory[i];
            k->contacts += rename_pair(from, to, def, c, NULL, &made->a, &made->b);
        }
    }
    k->elastic = f->elastic * (double)copies;
    for (int i = 0; i < LOSSES; i++) {
        k->power[i] = f->power[i] * (double)copies;
    }
    k->advised = f->advised;
    k->time_step = f->time_step;
    k->new_constants = true;
    scr_soft_state_destroy(to->soft);
    to->soft = k;
    return true;
}

ScreeStatus scree_world_take_contacts(ScreeWorld *world, const ScreeWorld *from,
                                      const ScreeTakeDef *def) {
    State *to = &world->state;
    const bool soft = world->soft != NULL && from->soft != NULL;
    SCR_TRY(scr_world_whole(world));
    SCR_TRY(scr_world_whole(from));
    SCR_TRY(scr_fail_if(world->message, take_fault(to, &from->state, def)));
    SCR_TRY(scr_fail_if(world->message, walls_fault(to, &from->state, def)));
    if (from->soft != NULL && scr_soft_collect(&from->state, from->soft) != SCREE_OK) {
        return scr_no_memory(world->message);
    }
    if (soft && from->state.soft == NULL) {
        return SCREE_OK; /* it has made no step */
    }
    const bool taken = soft ? take_soft(&from->state, to, def)
                       : world->soft == NULL
                           ? take_rigid(&from->state, to, def) && take_bonds(&from->state, to, def)
                           : true;
    to->list_stale = true;
    return taken ? SCREE_OK : scr_no_memory(world->message);
}

/* ---------------------------------------------------------------- contacts as told */

static const char *contact_fault(const State *s, const ScreeContact *c) {
    const int32_t b = c->b.code;
    if (c->a.index < 0 || (size_t)c->a.index >= s->bodies.count ||
        (b >= 0 && ((size_t)b >= s->bodies.count ||
                    (b == c->a.index ? !scr_is_small_cell(s) : b < c->a.index))) ||
        (b < 0 && (size_t)scr_wall_of(b) >= s->walls.count)) {
        return "a contact of bodies or walls that are not there, or not in ascending order";
    }
    if (c->state < SCREE_CONTACT_OPEN || c->state > SCREE_CONTACT_SLIP || !is_finite(c->normal) ||
        !isfinite(c->gap) || !isfinite(c->normal_impulse) || !is_finite(c->tangential_impulse)) {
        return "the values of a contact must be finite, and its state one that there is";
    }
    return NULL;
}

static const char *view_fault(const ScreeWorld *world, const ScreeContactView *view) {
    if (world->soft != NULL) {
        return "the soft engine keeps springs instead of contacts";
    }
    if (!(view->time_step >= 0) || !isfinite(view->time_step)) {
        return "the time step of contacts must be at least zero and finite";
    }
    const char *fault = NULL;
    for (size_t i = 0; i < view->count && fault == NULL; i++) {
        fault = contact_fault(&world->state, &view->contact[i]);
        if (fault == NULL && view->extra != NULL &&
            !(is_finite(view->extra[i].torque_impulse) && isfinite(view->extra[i].opening))) {
            fault = "the values of a contact must be finite";
        }
    }
    return fault;
}

ScreeStatus scree_world_set_contacts(ScreeWorld *world, const ScreeContactView *view) {
    SCR_TRY(scr_world_whole(world));
    SCR_TRY(scr_fail_if(world->message, view_fault(world, view)));
    Contacts *k = &world->state.contacts;
    if (!scr_block_reserve(&k->block, view->count + 1, sizeof *k->item, 0) ||
        (view->extra != NULL &&
         !scr_block_reserve(&k->extra_block, view->count + 1, sizeof *k->extra, 0))) {
        return scr_no_memory(world->message);
    }
    k->item = k->block.data;
    k->extra = view->extra != NULL ? k->extra_block.data : NULL;
    k->count = view->count;
    if (view->count > 0) {
        memcpy(k->item, view->contact, view->count * sizeof *k->item);
        if (view->extra != NULL) {
            memcpy(k->extra, view->extra, view->count * sizeof *k->extra);
        }
    }
    k->time_step = view->time_step;
    k->elastic[0] = k->elastic[1] = k->ratio = 0;
    k->elastic[2] = scr_energy_of_bridges(&world->state);
    k->steady = false;
    world->state.branches = 0;
    world->state.list_stale = true;
    return SCREE_OK;
}

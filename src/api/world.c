/* The public functions check their arguments, then call the part that does the work. Here are those
 * on the world as a whole; bodies, materials and walls have files of their own. */
#include "api/world.h"

#include "base/status.h"
#include "measure/measure.h"
#include "narrow/narrow.h"
#include "state/snapshot.h"

#include <stdlib.h>
#include <string.h>

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)

const char *scree_get_version(void) {
    return TEXT(SCREE_VERSION_MAJOR) "." TEXT(SCREE_VERSION_MINOR) "." TEXT(SCREE_VERSION_PATCH);
}

const char *scree_status_get_text(ScreeStatus status) {
    static const char *const text[] = {
#define X(name, words) words,
        SCREE_STATUS_MAP(X)
#undef X
    };
    return status >= 0 && status < SCREE_STATUS_COUNT ? text[status] : "unknown status";
}

const char *scree_world_get_message(const ScreeWorld *world) {
    return world->message;
}

/* ---------------------------------------------------------------- world */

static const char *solver_fault(const ScreeSolverDef *s) {
    if (s->cookie != SCR_COOKIE) {
        return SCR_NO_COOKIE(ScreeSolverDef, scree_solver_def_default);
    }
    if (s->method < 0 || s->method >= SCREE_METHOD_COUNT) {
        return "unknown method of the solver";
    }
    if (s->order < 0 || s->order >= SCREE_ORDER_COUNT) {
        return "unknown order of the sweep";
    }
    if (s->criterion < 0 || s->criterion >= SCREE_CRITERION_COUNT) {
        return "unknown convergence criterion";
    }
    if (!(s->tolerance >= 0) || !isfinite(s->tolerance)) {
        return "the tolerance must be a number of at least zero";
    }
    if (!(s->overlap > 0)) {
        return "the overlap that a step may add must be greater than zero";
    }
    if (!(s->small_force >= 0) || !isfinite(s->small_force)) {
        return "small_force must be a number of at least zero";
    }
    if (!(s->projection >= 0 && s->projection <= 1)) {
        return "projection must be between 0 and 1";
    }
    if (s->cuts < 0) {
        return "the number of cuts must be at least zero";
    }
    if (s->method == SCREE_METHOD_ACCELERATED &&
        (s->order == SCREE_ORDER_RANDOM || s->order == SCREE_ORDER_ALTERNATING)) {
        return "the accelerated method needs an order that stays the same from sweep to sweep: "
               "boxed, fixed "
               "or coloured";
    }
    if (scr_is_matrix_method(s) && s->criterion != SCREE_CRITERION_RESIDUAL) {
        return "the methods newton and interior_point end by the residual: criterion residual";
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
    if (d->cookie != SCR_COOKIE) {
        return SCR_NO_COOKIE(ScreeWorldDef, scree_world_def_default);
    }
    if (d->dimension != 2 && d->dimension != 3) {
        return "the dimension must be 2 or 3";
    }
    if (d->engine < 0 || d->engine >= SCREE_ENGINE_COUNT) {
        return "unknown engine";
    }
    bool chosen = d->engine == SCREE_ENGINE_SOFT && d->time_step == 0;
    if ((!(d->time_step > 0) && !chosen) || !isfinite(d->time_step)) {
        return "the time step must be greater than zero and finite";
    }
    if (!(d->theta >= 0.5 && d->theta <= 1)) {
        return "theta must lie between 1/2 and 1: below, the steps are unstable";
    }
    if (d->engine == SCREE_ENGINE_QUASISTATIC && d->theta != 1) {
        return "theta is of dynamics: the quasi-static engine has no inertia";
    }
    if (!(d->variational.tolerance > 0) || d->variational.iterations < 1 ||
        !(d->variational.range >= 0) || !isfinite(d->variational.range)) {
        return "the variational engines need a tolerance greater than zero, at least one iteration "
               "and a range of at least zero";
    }
    if (d->soft.integrator < 0 || d->soft.integrator >= SCREE_INTEGRATOR_COUNT ||
        d->soft.friction < 0 || d->soft.friction >= SCREE_SOFT_FRICTION_COUNT) {
        return "unknown setting of the soft engine";
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
    if (!(d->cell >= 0) || !isfinite(d->cell)) {
        return "the cell size of the search must be a length of at least zero";
    }
    if (d->search < 0 || d->search >= SCREE_SEARCH_COUNT) {
        return "unknown method of search";
    }
    if (d->threads < 1) {
        return "at least one thread is needed";
    }
    const char *fault = cell_fault(d);
    fault = fault != NULL ? fault : scr_deform_fault(d);
    return fault != NULL ? fault : solver_fault(&d->solver);
}

/* Hands out a world, with the work space that its engine needs. */
static ScreeStatus complete(ScreeWorld *w, ScreeWorld **world, char *message) {
    if (w->state.def.engine == SCREE_ENGINE_SOFT) {
        w->soft = scr_soft_create(&w->state);
        if (w->soft == NULL) {
            scree_world_destroy(w);
            return scr_no_memory(message);
        }
    }
    *world = w;
    return SCREE_OK;
}

ScreeStatus scree_world_create(const ScreeWorldDef *def, ScreeWorld **world, char *message) {
    *world = NULL;
    SCR_TRY(scr_fail_if(message, world_fault(def)));
    ScreeWorld *w = calloc(1, sizeof *w);
    if (w == NULL) {
        return scr_no_memory(message);
    }
    w->state.def = *def;
    w->state.def.signed_gap = def->signed_gap || scr_is_variational(def);
    w->state.list_stale = true;
    scr_cell_complete(&w->state.def);
    if (w->state.def.deform.tilted) {
        (void)scr_cell_reduce(&w->state.def,
                              &w->state.cell); /* the shortest edges that there are */
    }
    return complete(w, world, message);
}

void scree_world_destroy(ScreeWorld *world) {
    if (world != NULL) {
        scr_state_free(&world->state);
        scr_engine_free(&world->engine);
        scr_images_free(&world->images);
        scr_statics_free(&world->statics);
        scr_soft_destroy(world->soft);
        free(world);
    }
}

const char *scree_engine_get_name(int32_t engine) {
    static const char *const name[SCREE_ENGINE_COUNT] = {"contact_dynamics", "soft", "variational",
                                                         "quasistatic"};
    return engine >= 0 && engine < SCREE_ENGINE_COUNT ? name[engine] : NULL;
}

const char *scree_method_get_name(int32_t method) {
    static const char *const name[SCREE_METHOD_COUNT] = {"auto", "gauss_seidel", "accelerated",
                                                         "newton", "interior_point"};
    return method >= 0 && method < SCREE_METHOD_COUNT ? name[method] : NULL;
}

ScreeWorldDef scree_world_get_def(const ScreeWorld *world) {
    return world->state.def;
}

double scree_world_get_time(const ScreeWorld *world) {
    return world->state.time;
}

uint64_t scree_world_get_step_count(const ScreeWorld *world) {
    return world->state.step;
}

/* Takes over a changed definition if it is sound. */
static ScreeStatus redefine(ScreeWorld *world, const ScreeWorldDef *def) {
    SCR_TRY(scr_fail_if(world->message, world_fault(def)));
    world->state.def = *def;
    scr_cell_complete(&world->state.def);
    return SCREE_OK;
}

ScreeStatus scree_world_set_gravity(ScreeWorld *world, ScreeVec3 gravity) {
    ScreeWorldDef def = world->state.def;
    def.gravity = gravity;
    return redefine(world, &def);
}

ScreeStatus scree_world_set_time_step(ScreeWorld *world, double time_step) {
    ScreeWorldDef def = world->state.def;
    def.time_step = time_step;
    SCR_TRY(redefine(world, &def));
    world->state.time_base = world->state.time;
    world->state.step_base = world->state.step;
    return SCREE_OK;
}

double scree_world_advise_time_step(const ScreeWorld *world) {
    return world->soft != NULL ? scr_soft_advised_step(&world->state) : 0;
}

ScreeStatus scree_world_set_solver(ScreeWorld *world, const ScreeSolverDef *solver) {
    ScreeWorldDef def = world->state.def;
    def.solver = *solver;
    return redefine(world, &def);
}

ScreeStatus scree_world_set_threads(ScreeWorld *world, int threads) {
    ScreeWorldDef def = world->state.def;
    def.threads = threads;
    return redefine(world, &def);
}

/* ---------------------------------------------------------------- contacts and measures */

/* The soft engine makes its contacts only when they are asked for. */
static ScreeStatus find_contacts(const ScreeWorld *world, Contacts *contacts) {
    SCR_TRY(scr_world_whole(world));
    *contacts = world->state.contacts;
    return world->soft != NULL ? scr_soft_view(&world->state, world->soft, contacts) : SCREE_OK;
}

ScreeContactView scree_world_get_contacts(const ScreeWorld *world) {
    Contacts c;
    const ScreeStatus status = find_contacts(world, &c);
    return (ScreeContactView){c.count, scr_public_contacts(c.item), c.extra, c.time_step, status};
}

/* The number of a contact of the view in a small cell, where it is known; else -1. */
static ptrdiff_t number_with_branch(const State *s, const ScreeContact *shown) {
    const Contacts *k = &s->contacts;
    const uintptr_t first = (uintptr_t)k->item, at = (uintptr_t)shown;
    const bool known = s->branches > 0 && s->branches == k->count && at >= first &&
                       at < first + k->count * sizeof *k->item;
    return known ? (ptrdiff_t)((at - first) / sizeof *k->item) : -1;
}

static Vec3 contact_point(const State *s, const Contact *contact) {
    Vec3 x = s->bodies.position[contact->a];
    if (contact->feature > 0) {
        return add(x, scr_pair_arms(s, contact).a);
    }
    if (contact->feature < 0) { /* a ball on triangles */
        const Placed none = {0};
        double gap = scr_pair_gap(s, &none, contact);
        return add_scaled(x, s->bodies.radius[contact->a] + 0.5 * gap, contact->normal);
    }
    const Touch touch = scr_touch_round(s, contact->a, contact->b); /* as the bodies stand now */
    return add_scaled(x, s->bodies.radius[contact->a] + 0.5 * touch.gap, touch.normal);
}

ScreeVec3 scree_contact_get_point(const ScreeWorld *world, const ScreeContact *shown) {
    (void)scr_world_whole(world);
    const State *s = &world->state;
    Contact contact;
    memcpy(&contact, shown, sizeof contact);
    const ptrdiff_t number = number_with_branch(s, shown);
    return number >= 0 ? add(s->bodies.position[contact.a], s->branch[number].arm)
                       : contact_point(s, &contact);
}

double scree_world_get_coordination(const ScreeWorld *world) {
    Share *share = &((ScreeWorld *)(uintptr_t)world)->engine.share;
    double shared = NAN;
    if (scr_share_is_ahead(share)) {
        return scr_share_coordination(share, &shared) == SCREE_OK ? shared : NAN;
    }
    State seen = world->state;
    return find_contacts(world, &seen.contacts) == SCREE_OK ? scr_coordination(&seen) : NAN;
}

double scree_world_get_kinetic_energy(const ScreeWorld *world) {
    const Share *share = &world->engine.share;
    if (world->engine.there.device != NULL && scr_world_whole(world) != SCREE_OK) {
        return NAN;
    }
    return scr_kinetic_energy(scr_share_is_ahead(share) ? &share->local : &world->state);
}

/* ---------------------------------------------------------------- stepping */

static ScreeStatus step_of_engine(ScreeWorld *w, ScreeReport *report) {
    switch (w->state.def.engine) {
    case SCREE_ENGINE_SOFT:
        return scr_soft_step(&w->state, w->soft, report, w->message);
    case SCREE_ENGINE_QUASISTATIC:
        return scr_static_increment(&w->state, &w->engine, &w->statics, report, w->message);
    default:
        return scr_contact_dynamics_step(&w->state, &w->engine, report, w->message);
    }
}

/* While the cell is still unfolded. */
static bool note_points(State *s) {
    if (!scr_reserve_branches(s)) {
        return false;
    }
    for (size_t i = 0; i < s->contacts.count; i++) {
        const Contact *c = &s->contacts.item[i];
        s->branch[i].arm = sub(contact_point(s, c), s->bodies.position[c->a]);
    }
    return true;
}

/* While the processor goes on without bodies, a cell can become small only where it deforms, where grains grow, or where
 * somebody has changed it. */
static bool is_small_cell(const ScreeWorld *w) {
    const State *s = &w->state;
    const Share *share = &w->engine.share;
    if (!scr_share_is_ahead(share)) {
        return w->engine.there.device == NULL && scr_is_small_cell(s);
    }
    const bool may = s->def.deform.deforms || s->materials.grow || s->list_stale;
    return may && scr_any_periodic(&s->def) &&
           scr_is_too_small_for(&s->def, scr_share_largest(share));
}

/* What the step before has left of images does not hold after a step without. */
static ScreeStatus make_step(ScreeWorld *w, ScreeReport *report) {
    State *s = &w->state;
    bool listed;
    SCR_TRY(scr_check_step(w));
    if (!is_small_cell(w)) {
        w->engine.list.built = w->engine.list.built && w->images.bodies == 0;
        w->images.bodies = s->branches = 0;
        return step_of_engine(w, report);
    }
    SCR_TRY(scr_world_whole(w));
    if (!scr_unfold(s, &w->images, &listed)) {
        return SCREE_NO_MEMORY;
    }
    w->engine.list.built = w->engine.list.built && listed;
    const ScreeStatus status = step_of_engine(w, report);
    const bool noted = status != SCREE_OK || note_points(s);
    const bool folded = scr_fold(s, &w->images, status != SCREE_OK) && noted;
    return status != SCREE_OK || folded ? status : SCREE_NO_MEMORY;
}

ScreeStatus scree_world_step(ScreeWorld *world, ScreeReport *report) {
    ScreeReport own;
    world->message[0] = '\0';
    world->engine.miss = (ScreeMiss){NULL, 0, 0};
    const uint64_t parts = world->engine.parts;
    ScreeStatus status = make_step(world, report != NULL ? report : &own);
    const ScreeProcesses *with = world->engine.processes;
    world->engine.wholes += with != NULL && with->count > 1 && world->engine.parts == parts;
    if (status != SCREE_OK && world->message[0] == '\0') {
        scr_fail(world->message, status, "%s", scree_status_get_text(status));
    }
    return status;
}

static ScreeCost soft_cost(const State *s, const Soft *w) {
    return (ScreeCost){
        .seconds_total = w->seconds_total,
        .seconds_solver = w->seconds_forces,
        .updates = w->updates,
        .bytes_bodies = scr_bodies_bytes(&s->bodies) + scr_soft_body_bytes(w) +
                        (s->soft != NULL ? scr_soft_state_bytes(s->soft) : 0),
        .bytes_contacts =
            scr_soft_contact_bytes(w) + (s->soft != NULL ? s->soft->memory_block.bytes : 0),
        .contacts = w->most_contacts,
    };
}

ScreeMiss scree_world_get_miss(const ScreeWorld *world) {
    return world->engine.miss;
}

ScreeCost scree_world_get_cost(const ScreeWorld *world) {
    const Engine *e = &world->engine;
    const StepTask *t = &e->task;
    if (world->soft != NULL) {
        return soft_cost(&world->state, world->soft);
    }
    return (ScreeCost){
        .seconds_total = e->seconds,
        .seconds_solver = e->work.seconds,
        .updates = e->work.updates,
        .bytes_bodies = scr_bodies_bytes(&world->state.bodies) +
                        scr_bodies_bytes(&e->share.local.bodies) +
                        scr_neighbours_body_bytes(&e->list.neighbours) + e->free.block.bytes +
                        t->body_block.bytes + t->reach_block.bytes + t->tensor_of_block.bytes +
                        t->tensor_block.bytes + t->order.used_block.bytes,
        .bytes_contacts = world->state.contacts.block.bytes + e->arena.block.bytes +
                          e->list.neighbours.pair_block.bytes + e->list.wall_pair_block.bytes +
                          t->order.slot_block.bytes + t->order.run_block.bytes +
                          t->order.box_block.bytes + t->order.sum_block.bytes +
                          e->work.sequence_block.bytes + t->general_block.bytes +
                          t->general_of_block.bytes,
        .contacts = e->most_contacts,
    };
}

/* ---------------------------------------------------------------- saving */

/* The soft engine keeps the memory of its contacts in its work space until a snapshot needs it. */
static ScreeStatus bring_up_to_date(const ScreeWorld *world) {
    SCR_TRY(scr_world_whole(world));
    return world->soft != NULL ? scr_soft_collect(&world->state, world->soft) : SCREE_OK;
}

ScreeStatus scree_world_save(const ScreeWorld *world, void *buffer, size_t *size) {
    SCR_TRY(bring_up_to_date(world));
    return scr_snapshot_save(&world->state, buffer, size);
}

ScreeStatus scree_world_load(const void *buffer, size_t size, ScreeWorld **world, char *message) {
    *world = NULL;
    ScreeWorld *w = calloc(1, sizeof *w);
    if (w == NULL) {
        return scr_no_memory(message);
    }
    const char *why = "";
    ScreeStatus status = scr_snapshot_load(buffer, size, &w->state, &why);
    if (status != SCREE_OK) {
        free(w);
        return scr_fail(message, status, "%s", why);
    }
    return complete(w, world, message);
}

uint64_t scree_world_hash(const ScreeWorld *world) {
    (void)bring_up_to_date(world);
    State seen = world->state;
    /* no result depends on how neighbours are found */
    seen.def.search = SCREE_SEARCH_HIERARCHICAL_GRID;
    seen.def.cell = 0;
    return scr_snapshot_hash(&seen);
}

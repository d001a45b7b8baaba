/* Bodies that come and go between steps: who they are, what their contacts keep, and that nothing of a
 * world remembers those that have left. */
#include "physics/rig.h"

#include "api/world.h"

typedef struct Kind {
    const char *name;
    int dimension;
    ScreeEngine engine;
    ScreeIntegrator integrator;
    ScreeSearch search;
    double stiffness; /* of contact dynamics too; infinite: rigid */
    bool periodic;
} Kind;

static const Kind kinds[] = {
    {"plane", 2, SCREE_ENGINE_CONTACT_DYNAMICS, 0, 0, INFINITY, false},
    {"space", 3, SCREE_ENGINE_CONTACT_DYNAMICS, 0, 0, INFINITY, true},
    {"springs", 2, SCREE_ENGINE_CONTACT_DYNAMICS, 0, 0, 2e4, false},
    {"sorted ends", 2, SCREE_ENGINE_CONTACT_DYNAMICS, 0, SCREE_SEARCH_LINKED_LINEAR_LIST, INFINITY,
     true},
    {"soft", 3, SCREE_ENGINE_SOFT, SCREE_INTEGRATOR_VELOCITY_VERLET, 0, 2e4, false},
    {"Verlet", 2, SCREE_ENGINE_SOFT, SCREE_INTEGRATOR_VERLET, 0, 2e4, true},
};
enum { KINDS = sizeof kinds / sizeof kinds[0], ACROSS = 8 };

static void furnish(ScreeWorld *world, const Kind *k) {
    for (int i = 0; i < 2; i++) {
        ScreeMaterialDef material = scree_material_def_default();
        material.law.friction = 0.3 + 0.3 * i;
        material.law.stiffness = k->stiffness;
        material.law.stiffness_tangential = k->stiffness;
        material.law.restitution = k->engine == SCREE_ENGINE_SOFT ? 0.4 : 0;
        rig_must(scree_world_add_material(world, &material, NULL), "material");
    }
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    for (int axis = 0; axis < 3 && !k->periodic; axis += 2) {
        if (axis == 0 || k->dimension == 3) {
            const ScreeVec3 e = rig_vec(axis == 0, 0, axis == 2);
            rig_add_plane(world, rig_vec(0, 0, 0), e);
            rig_add_plane(world, rig_scale(ACROSS, e), rig_scale(-1, e));
        }
    }
}

static ScreeWorld *empty(const Kind *k, int threads) {
    ScreeWorldDef def = scree_world_def_default();
    def.dimension = k->dimension;
    def.engine = k->engine;
    def.soft.integrator = k->integrator;
    def.search = k->search;
    def.time_step = k->engine == SCREE_ENGINE_SOFT ? 1e-3 : 1e-2;
    def.gravity = rig_vec(0, -10, 0);
    def.threads = threads;
    def.periodic[0] = k->periodic;
    def.periodic[2] = k->periodic && k->dimension == 3;
    def.cell_max = rig_vec(ACROSS, 1, ACROSS);
    ScreeWorld *world = rig_create(&def);
    furnish(world, k);
    return world;
}

/* Drops `count` balls on a lattice whose lowest layer is at `height`. */
static void drop(ScreeWorld *world, size_t count, double height, uint64_t *random) {
    const bool flat = scree_world_get_def(world).dimension == 2;
    for (size_t i = 0; i < count; i++) {
        const size_t layer = flat ? ACROSS : ACROSS * ACROSS, in = i % layer;
        const double x = (double)(in % ACROSS) + 0.5, z = flat ? 0 : (double)(in / ACROSS) + 0.5;
        const ScreeVec3 at = rig_vec(x, height + (double)(i / layer), z);
        ScreeBodyDef ball = rig_ball(at, 0.35 + 0.14 * rig_random(random), 1);
        ball.velocity.x = 0.4 * rig_random(random) - 0.2;
        ball.velocity.y = -1 - rig_random(random);
        ball.material.index = (int32_t)(i % 2);
        rig_add_body(world, &ball);
    }
}

static void remove_some(ScreeWorld *world, double part, uint64_t *random) {
    const size_t n = scree_world_get_bodies(world).count;
    ScreeBodyId *gone = malloc((n + 1) * sizeof *gone);
    size_t count = 0;
    for (size_t i = n; i-- > 0;) { /* in falling order: any is allowed */
        if (rig_random(random) < part) {
            gone[count++].index = (int32_t)i;
        }
    }
    rig_must(scree_world_remove_bodies(world, gone, count), "remove");
    free(gone);
}

/* Steps, with a few bodies that leave and a few that come every so often. */
static void live(ScreeWorld *world, int steps, uint64_t *random) {
    for (int step = 0; step < steps; step++) {
        if (step % 15 == 14) {
            remove_some(world, 0.1, random);
            drop(world, 5, 12, random);
        }
        rig_step(world);
    }
}

/* ---------------------------------------------------------------- identities */

static void identities_are_never_given_twice(void) {
    uint64_t random = 5;
    ScreeWorld *world = empty(&kinds[0], 1);
    drop(world, 5, 1, &random);
    CHECK(scree_world_get_bodies(world).identity == NULL);
    CHECK(scree_body_get_identity(world, (ScreeBodyId){4}) == 4);
    rig_must(scree_world_remove_bodies(world, (ScreeBodyId[]){{3}, {1}}, 2), "remove");
    const int32_t left[3] = {0, 2, 4};
    CHECK(scree_world_get_bodies(world).count == 3);
    for (int i = 0; i < 3; i++) {
        CHECK(scree_world_get_bodies(world).identity[i] == left[i]);
        CHECK(scree_world_find_body(world, left[i]).index == i);
    }
    CHECK(SCREE_IS_NULL(scree_world_find_body(world, 1)));
    CHECK(SCREE_IS_NULL(scree_world_find_body(world, 5)));
    CHECK(SCREE_IS_NULL(scree_world_find_body(world, -1)));
    CHECK(scree_body_get_identity(world, (ScreeBodyId){3}) == -1);
    rig_must(scree_world_remove_bodies(world, (ScreeBodyId[]){{0}, {1}, {2}}, 3), "remove");
    CHECK(scree_world_get_bodies(world).count == 0 && scree_world_get_identity_count(world) == 5);
    drop(world, 2, 1, &random);
    CHECK(scree_body_get_identity(world, (ScreeBodyId){0}) == 5);
    CHECK(scree_world_find_body(world, 6).index == 1);
    rig_step(world);
    scree_world_destroy(world);
}

static void what_is_not_there_cannot_leave(void) {
    uint64_t random = 5;
    ScreeWorld *world = empty(&kinds[0], 1);
    drop(world, 5, 1, &random);
    const uint64_t before = scree_world_hash(world);
    CHECK(scree_world_remove_bodies(world, (ScreeBodyId[]){{0}, {5}}, 2) == SCREE_BAD_ID);
    CHECK(scree_world_remove_bodies(world, (ScreeBodyId[]){{-1}}, 1) == SCREE_BAD_ID);
    CHECK(scree_world_remove_bodies(world, (ScreeBodyId[]){{2}, {2}}, 2) == SCREE_BAD_ARGUMENT);
    CHECK(strstr(scree_world_get_message(world), "body 2") != NULL);
    CHECK(scree_world_remove_bodies(world, NULL, 0) == SCREE_OK);
    CHECK(scree_world_hash(world) == before);
    scree_world_destroy(world);
}

/* ---------------------------------------------------------------- what stays */

/* Every contact of two that stay is the same, bit for bit, but for the numbers of its bodies. */
static void contacts_of_those_who_stay_are_kept(void) {
    uint64_t random = 17;
    for (int n = 0; n < KINDS; n++) {
        ScreeWorld *world = empty(&kinds[n], 1);
        drop(world, 40, 0.5, &random);
        for (int step = 0; step < (kinds[n].engine == SCREE_ENGINE_SOFT ? 600 : 80); step++) {
            rig_step(world);
        }
        const ScreeContactView seen = scree_world_get_contacts(world);
        ScreeContact *before = malloc((seen.count + 1) * sizeof *before);
        memcpy(before, seen.contact, seen.count * sizeof *before);
        const size_t count = seen.count, bodies = scree_world_get_bodies(world).count;
        remove_some(world, 0.2, &random);
        const ScreeContactView now = scree_world_get_contacts(world);
        size_t kept = 0, active = 0;
        for (size_t i = 0; i < count; i++) {
            ScreeContact c = before[i]; /* nothing had been removed: numbers are identities */
            c.a = scree_world_find_body(world, c.a.index);
            const bool body = c.b.code >= 0;
            c.b.code = body ? scree_world_find_body(world, c.b.code).index : c.b.code;
            if (c.a.index >= 0 && (!body || c.b.code >= 0)) {
                CHECK(kept < now.count && memcmp(&c, &now.contact[kept], sizeof c) == 0);
                kept++;
                active += c.normal_impulse > 0;
            }
        }
        CHECK(kept == now.count && kept < count && active > 10);
        CHECK(scree_world_get_bodies(world).count < bodies);
        free(before);
        scree_world_destroy(world);
    }
}

/* What the springs of those who leave held leaves with them, and the balance of the others stays. */
static void energy_is_balanced_after_a_removal(void) {
    for (int n = 2; n < KINDS; n += n == 2 ? 2 : 1) { /* those with springs */
        uint64_t random = 23;
        ScreeWorld *world = empty(&kinds[n], 1);
        ScreeSolverDef solver = scree_world_get_def(world).solver;
        solver.tolerance = 1e-10;
        solver.iterations = 20000;
        solver.projection = 0;
        rig_must(scree_world_set_solver(world, &solver), "solver");
        drop(world, 40, 0.5, &random);
        for (int step = 0; step < (kinds[n].engine == SCREE_ENGINE_SOFT ? 2000 : 150); step++) {
            rig_step(world);
        }
        const ScreeReport before = rig_step(world);
        remove_some(world, 0.3, &random);
        const ScreeReport after = rig_step(world), later = rig_step(world);
        CHECK(before.energy_elastic > 0);
        CHECK_NEAR(after.energy_error, 0,
                   10 * fabs(later.energy_error) + 1e-3 * before.energy_elastic);
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- against a fresh world */

/* A world that never had any but the bodies of this one, which have the same names. */
static ScreeWorld *made_afresh(const ScreeWorld *old, const Kind *k) {
    ScreeWorld *world = empty(k, 1);
    const ScreeBodyView b = scree_world_get_bodies(old);
    for (size_t i = 0; i < b.count; i++) {
        ScreeBodyDef def = rig_ball(b.position[i], b.radius[i], b.mass[i]);
        def.orientation = b.orientation[i];
        def.velocity = b.velocity[i];
        def.spin = b.spin[i];
        def.material = b.material[i];
        rig_add_body(world, &def);
        world->state.bodies.orientation[i] = b.orientation[i]; /* not normalised again */
    }
    const ScreeContactView contacts = scree_world_get_contacts(old);
    rig_must(scree_world_set_contacts(world, &contacts), "contacts");
    State *s = &world->state;
    s->name = b.identity;
    s->time = old->state.time;
    s->step = old->state.step;
    s->step_base = old->state.step_base;
    s->time_base = old->state.time_base;
    s->list = old->state.list;
    s->contacts.ratio = old->state.contacts.ratio;
    s->contacts.steady = old->state.contacts.steady;
    memcpy(s->contacts.elastic, old->state.contacts.elastic, sizeof s->contacts.elastic);
    return world;
}

static bool same_bodies(const ScreeWorld *one, const ScreeWorld *other) {
    const Bodies *a = &one->state.bodies, *b = &other->state.bodies;
    bool same = a->count == b->count;
#define X(type, field) same = same && memcmp(a->field, b->field, a->count * sizeof(type)) == 0;
    BODY_FIELDS(X)
#undef X
    return same;
}

static void nothing_remembers_those_who_left(void) {
    for (int n = 0; n < KINDS && kinds[n].engine == SCREE_ENGINE_CONTACT_DYNAMICS; n++) {
        uint64_t random = 31 + (uint64_t)n;
        ScreeWorld *world = empty(&kinds[n], 1);
        drop(world, 60, 0.5, &random);
        live(world, 100, &random);
        remove_some(world, 0.1, &random);
        ScreeWorld *fresh = made_afresh(world, &kinds[n]);
        for (int step = 0; step < 12; step++) {
            const ScreeReport a = rig_step(world), b = rig_step(fresh);
            CHECK(memcmp(&a, &b, sizeof a) == 0 && same_bodies(world, fresh));
            CHECK(a.active > 8);
        }
        scree_world_destroy(fresh);
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- bits */

/* Saved right after bodies have left and come, and some steps later; and with other threads. */
static void restarts_go_on_bit_for_bit(void) {
    for (int n = 0; n < KINDS; n++) {
        for (int wait = 0; wait < 2; wait++) {
            uint64_t random = 41 + (uint64_t)n;
            ScreeWorld *world = empty(&kinds[n], 1);
            drop(world, 60, 0.5, &random);
            live(world, 60, &random);
            remove_some(world, 0.1, &random);
            drop(world, 3, 14, &random);
            for (int step = 0; step < 4 * wait; step++) {
                rig_step(world);
            }
            ScreeWorld *copy = rig_reload(world);
            rig_must(scree_world_set_threads(copy, 3), "threads");
            CHECK(scree_world_get_identity_count(copy) == scree_world_get_identity_count(world));
            uint64_t same = random;
            live(world, 40, &random);
            live(copy, 40, &same);
            CHECK(scree_world_hash(world) == scree_world_hash(copy));
            scree_world_destroy(copy);
            scree_world_destroy(world);
        }
    }
}

/* Cut anywhere, or with identities out of order, it is refused. */
static void damaged_identities_are_refused(void) {
    uint64_t random = 3;
    ScreeWorld *world = empty(&kinds[0], 1), *copy = NULL;
    drop(world, 6, 0.5, &random);
    rig_must(scree_world_remove_bodies(world, (ScreeBodyId[]){{2}}, 1), "remove");
    world->state.identity[1] = 4; /* of body 3, too */
    size_t size = 0;
    unsigned char *data = rig_save(world, &size);
    CHECK(scree_world_load(data, size, &copy, NULL) == SCREE_BAD_SNAPSHOT && copy == NULL);
    free(data);
    world->state.identity[1] = 1;
    data = rig_save(world, &size);
    for (size_t cut = 1; cut < 60; cut++) {
        CHECK(scree_world_load(data, size - cut, &copy, NULL) == SCREE_BAD_SNAPSHOT);
    }
    free(data);
    scree_world_destroy(world);
}

int main(int argc, char **argv) {
    CHECK_RUN(identities_are_never_given_twice);
    CHECK_RUN(what_is_not_there_cannot_leave);
    CHECK_RUN(contacts_of_those_who_stay_are_kept);
    CHECK_RUN(energy_is_balanced_after_a_removal);
    CHECK_RUN(nothing_remembers_those_who_left);
    CHECK_RUN(restarts_go_on_bit_for_bit);
    CHECK_RUN(damaged_identities_are_refused);
    return check_result();
}

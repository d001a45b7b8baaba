/* The array of disks of Radjai, Schafer, Dippel and Wolf (1997) with its end blocks: pistons of
 * mass 1e-9 that neither turn nor rise, with their own friction mu''. Compared with the exact
 * motion (array_exact.h): from rest the first converged step carries the steady forces; from given
 * spins every contact changes its state within three steps of the exact time, and between the
 * events the friction of the plane agrees to 1e-8. */
#include "array_exact.h"

enum { PLANE, PUSHING, BRAKING }; /* walls */

typedef struct Scene {
    Array a;
    double static_part; /* static over dynamic coefficient; 1: a single coefficient */
    double dt, v;
    const double *w; /* spins; NULL: at rest */
    int dimension;   /* 3: spheres with the inertia of disks move like disks */
    int cuts, threads;
} Scene;

static ScreeMaterialId pair_law(ScreeWorld *world, double mu, double static_part) {
    ScreeMaterialDef def = scree_material_def_default();
    def.law.friction = mu;
    def.law.friction_static = static_part > 1 ? static_part * mu : 0;
    ScreeMaterialId id = SCREE_NO_MATERIAL;
    rig_must(scree_world_add_material(world, &def, &id), "material");
    rig_must(scree_law_set(world, (ScreeMaterialId){0}, id, &def.law), "law");
    return id;
}

static ScreeWorld *make_world(const Scene *s) {
    const Array *a = &s->a;
    ScreeWorldDef def = rig_def(s->dimension, s->dt, rig_vec(0, -1, 0));
    def.solver.tolerance = 1e-13;
    def.solver.iterations = 400000;
    def.solver.cuts = s->cuts;
    def.threads = s->threads;
    ScreeWorld *world = rig_create(&def);
    pair_law(world, a->mu, s->static_part);
    ScreeWallDef wall = rig_plane(rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    wall.material = pair_law(world, a->mu_plane, s->static_part);
    rig_add_wall(world, &wall);
    wall.material = pair_law(world, a->mu_block, 1); /* as in the paper */
    wall.motion = SCREE_WALL_PISTON;
    wall.mass = 1e-9;
    wall.velocity = rig_vec(s->v, 0, 0);
    for (int side = -1; side <= 1; side += 2) {
        wall.normal = rig_vec(-side, 0, 0);
        wall.point = rig_vec(side * a->count, 0, 0);
        wall.force = rig_vec(side < 0 ? a->push : -a->brake, 0, 0);
        rig_add_wall(world, &wall);
    }
    for (int i = 0; i < a->count; i++) {
        ScreeBodyDef disk = rig_ball(rig_vec(2 * i + 1 - a->count, 1, 0), 1, 1);
        disk.inertia = 0.5;
        disk.velocity = rig_vec(s->v, 0, 0);
        disk.spin = rig_vec(0, 0, s->w == NULL ? 0 : s->w[i]);
        rig_add_body(world, &disk);
    }
    return world;
}

/* The number of a contact in array_exact.h, and the sign that turns its impulse on b, taken along x
 * at the plane and along y elsewhere, into t there. */
static int exact_number(const ScreeContact *c, int L, double *sign) {
    *sign = -1; /* the force on the wall */
    const int32_t wall = scree_partner_get_wall(c->b).index;
    if (wall == PLANE) {
        return c->a.index;
    }
    if (wall >= 0) {
        return wall == PUSHING ? 2 * L - 1 : 2 * L;
    }
    *sign = c->b.code > c->a.index ? 1 : -1;
    return L + (c->a.index < c->b.code ? c->a.index : c->b.code);
}

/* t_c / N_c and state of every contact of the last step. */
static void read_contacts(const ScreeWorld *world, int L, double *ratio, double *normal,
                          int *state) {
    ScreeContactView view = scree_world_get_contacts(world);
    for (int c = 0; c < 2 * L + 1; c++) {
        state[c] = SCREE_CONTACT_OPEN;
        ratio[c] = normal[c] = 0;
    }
    for (size_t i = 0; i < view.count; i++) {
        const ScreeContact *k = &view.contact[i];
        double sign;
        int c = exact_number(k, L, &sign);
        if (c >= 2 * L - 1 && k->a.index != (c == 2 * L ? L - 1 : 0)) {
            CHECK(k->state == SCREE_CONTACT_OPEN); /* a candidate out of reach */
            continue;
        }
        double t = c < L ? k->tangential_impulse.x : k->tangential_impulse.y;
        state[c] = k->state;
        normal[c] = k->normal_impulse / view.time_step;
        ratio[c] = sign * t / k->normal_impulse;
    }
}

/* ---------------------------------------------------------------- from rest */

static void run_rest(const Array *a, double published) {
    Scene s = {*a, 1, 0.01, 0, NULL, 2, 8, 1};
    ScreeWorld *world = make_world(&s);
    ScreeReport report = rig_step(world);
    ArrayExact e = exact_create(a);
    double *none = exact_numbers((size_t)a->count);
    exact_start(&e, 0, none);
    double mu_g = rig_wall(world, PLANE).load.x / a->count;
    CHECK(report.residual <= 1e-12);
    CHECK(e.valid);
    CHECK_NEAR(exact_mu_g(&e), published, 5.1e-9); /* to the published digits */
    CHECK_CLOSE(mu_g, exact_mu_g(&e), 1e-6);
    CHECK_CLOSE(mu_g, published, 1e-6);
    CHECK(exact_next(&e) == INFINITY); /* steady from the start */
    printf("       %d disks, N_L %g: mu_g %.9f, exactly %.9f, %lld sweeps\n", a->count, a->push,
           mu_g, exact_mu_g(&e), (long long)report.iterations);
    for (int n = 0; n < 3; n++) {
        rig_step(world);
        CHECK_CLOSE(rig_wall(world, PLANE).load.x / a->count, published, 1e-6);
    }
    CHECK_CLOSE(rig_wall(world, PUSHING).load.x, -a->push, 1e-6);
    CHECK_CLOSE(rig_wall(world, BRAKING).load.x, a->brake, 1e-6);
    CHECK_CLOSE(scree_world_get_bodies(world).velocity[a->count / 2].x, 4 * 0.01 * e.acceleration,
                1e-6);
    exact_destroy(&e);
    free(none);
    scree_world_destroy(world);
}

static void ten_disks_start_with_the_steady_forces(void) {
    const Array a = {10, 2.5, 0.01, 0.1, 0.2, 0};
    run_rest(&a, 0.16395168);
}
static void thirty_disks_start_with_the_steady_forces(void) {
    static const double push[] = {1, 3, 5}, published[] = {0.02803511, 0.07451841, 0.09354283};
    for (int i = 0; i < 3; i++) {
        const Array a = {30, push[i], 0.01, 0.04, 0.1, 0.001};
        run_rest(&a, published[i]);
    }
}
static void eighty_disks_start_with_the_steady_forces(void) {
    const Array a = {80, 14, 0.01, 0.006, 0.1, 0.001};
    run_rest(&a, 0.08859859);
}

/* ---------------------------------------------------------------- from given spins
 *
 * A plain step has the forces of its end, so that an event leaves errors of dt times the jump of
 * the accelerations in the velocities. Where another velocity approaches zero much more slowly than
 * that, its event comes late by more steps, however short they are. Cuts repair that. The starts
 * include those of the first sixty that would have such an event without cuts; a start was only
 * left out when a contact opens in it. */

/* The exact history: phase k lasts from time[k] on. */
typedef struct History {
    int phases, contacts;
    double *time, *mu_g;
    int *sense; /* contacts numbers per phase */
    bool opens;
} History;

static History exact_history(const Array *a, double v, const double *w, double end) {
    enum { MOST = 1000 };
    ArrayExact e = exact_create(a);
    History h = {.contacts = e.contacts};
    h.time = exact_numbers(MOST);
    h.mu_g = exact_numbers(MOST);
    h.sense = calloc((size_t)(MOST * e.contacts), sizeof *h.sense);
    exact_start(&e, v, w);
    while (h.sense != NULL && h.phases < MOST) {
        h.time[h.phases] = e.time;
        h.mu_g[h.phases] = exact_mu_g(&e);
        memcpy(h.sense + h.phases * e.contacts, e.sense, (size_t)e.contacts * sizeof *e.sense);
        h.phases++;
        h.opens = e.least_normal < 1e-3;
        CHECK(h.opens || e.valid);
        double next = exact_next(&e);
        if (h.opens || !(next < end)) {
            break;
        }
        exact_advance(&e, next);
    }
    exact_destroy(&e);
    return h;
}
static void free_history(History *h) {
    free(h->time);
    free(h->mu_g);
    free(h->sense);
}

/* The phase at a time. */
static int phase_at(const History *h, double time) {
    int k = 0;
    while (k + 1 < h->phases && h->time[k + 1] <= time) {
        k++;
    }
    return k;
}

typedef struct Verdict {
    long steps, compared;      /* all steps, and those away from all events */
    long states, wrong_states; /* states of contacts away from their own events */
    double worst;              /* relative deviation of mu_g */
    double sweeps;
    long cuts, uncut;
} Verdict;

/* Compares one step with the history from three steps before it to three steps after it. */
static void judge_step(const ScreeWorld *world, const Scene *s, const History *h, double *ratio,
                       int *state, Verdict *verdict) {
    const int L = s->a.count;
    double middle = scree_world_get_time(world) - 0.5 * s->dt,
           mu_g = rig_wall(world, PLANE).load.x / L;
    int first = phase_at(h, middle - 3.5 * s->dt), last = phase_at(h, middle + 3.5 * s->dt);
    verdict->steps++;
    if (first == last) {
        double exact = h->mu_g[first];
        verdict->compared++;
        verdict->worst =
            fmax(verdict->worst, fabs(mu_g - exact) / fmax(fabs(exact), 0.1 * s->a.mu_plane));
    }
    read_contacts(world, L, ratio, ratio + h->contacts, state);
    for (int c = 0; c < h->contacts; c++) {
        int sense = h->sense[first * h->contacts + c];
        bool steady = true;
        for (int k = first + 1; k <= last; k++) {
            steady = steady && h->sense[k * h->contacts + c] == sense;
        }
        int found = state[c] == SCREE_CONTACT_STICK  ? 0
                    : state[c] != SCREE_CONTACT_SLIP ? 9
                    : ratio[c] < 0                   ? 1
                                                     : -1;
        bool frictionless = c >= 2 * L - 1 && s->a.mu_block == 0;
        verdict->states += steady && !frictionless;
        verdict->wrong_states += steady && !frictionless && found != sense;
    }
}

typedef struct Start {
    uint64_t seed;
    double v, spread; /* spins within +-spread */
} Start;

/* One step: momentum changes by what the walls give, and no energy is lost, cut or not. */
static void balanced_step(ScreeWorld *world, const Scene *s, Verdict *verdict) {
    const int L = s->a.count;
    double before = 0, after = 0, dt = s->dt, load = 0;
    for (int i = 0; i < L; i++) {
        before += scree_world_get_bodies(world).velocity[i].x;
    }
    ScreeReport report = rig_step(world);
    for (int i = 0; i < L; i++) {
        after += scree_world_get_bodies(world).velocity[i].x;
    }
    for (int w = PLANE; w <= BRAKING; w++) {
        load += rig_wall(world, w).load.x;
    }
    CHECK_NEAR(after - before, -dt * load, 1e-13 * L);
    CHECK_NEAR(report.energy_error, 0, 1e-12);
    CHECK(report.residual < 1e-11);
    verdict->sweeps += (double)report.iterations;
    verdict->cuts += report.cuts;
    verdict->uncut += report.uncut;
}

static Verdict run_scene(Scene s, Start start, double end) {
    const Array *a = &s.a;
    const int L = a->count;
    double *w = exact_numbers((size_t)L), *ratio = exact_numbers(2 * (2 * (size_t)L + 1));
    int *state = calloc(2 * (size_t)L + 1, sizeof *state);
    uint64_t random = start.seed * 7919;
    for (int i = 0; i < L; i++) {
        w[i] = start.spread * (2 * rig_random(&random) - 1);
    }
    History h = exact_history(a, start.v, w, end);
    CHECK(!h.opens); /* only starts that open no contact were chosen */
    s.v = start.v;
    s.w = w;
    ScreeWorld *world = make_world(&s);
    Verdict verdict = {0};
    while (scree_world_get_time(world) < end - 0.5 * s.dt && state != NULL) {
        balanced_step(world, &s, &verdict);
        judge_step(world, &s, &h, ratio, state, &verdict);
    }
    printf("       %d disks, N_L %g: %d events, %ld cuts, mu_g within %.1e in %ld of %ld steps, "
           "%ld of %ld states wrong, %.0f sweeps a step\n",
           L, a->push, h.phases - 1, verdict.cuts, verdict.worst, verdict.compared, verdict.steps,
           verdict.wrong_states, verdict.states, verdict.sweeps / (double)verdict.steps);
    CHECK(h.phases > 8);
    CHECK(verdict.compared > verdict.steps / 3);
    CHECK(h.mu_g[0] != h.mu_g[h.phases - 1]);
    free_history(&h);
    free(w);
    free(ratio);
    free(state);
    scree_world_destroy(world);
    return verdict;
}

static void run_spins(const Array *a, Start start, double dt, double end) {
    const Scene s = {*a, 1, dt, 0, NULL, 2, 8, 1};
    Verdict verdict = run_scene(s, start, end);
    CHECK(verdict.worst < 1e-8);
    CHECK(verdict.wrong_states == 0);
    CHECK(verdict.cuts > 0 && verdict.cuts < verdict.steps / 8);
}

static const Array ten = {10, 2.5, 0.01, 0.1, 0.2, 0}, ten_held = {10, 2.5, 0.01, 0.1, 0.2, 0.001};

static void ten_spinning_disks_follow_the_exact_motion(void) {
    for (uint64_t seed = 1; seed <= 12; seed++) {
        run_spins(seed % 2 == 0 ? &ten : &ten_held, (Start){seed, 0.3, 0.2}, 1e-3, 6);
    }
    run_spins(&ten_held, (Start){38, 0.3, 0.2}, 1e-3, 6);
}
static void thirty_spinning_disks_follow_the_exact_motion(void) {
    static const double push[] = {1, 3, 3, 5, 5, 5, 3, 5, 3, 5, 5, 5};
    static const Start start[] = {{4, -0.1, 0.1}, {2, 0, 0.4},  {2, 0.2, 0.4},  {4, 0, 0.4},
                                  {2, 0.2, 0.4},  {11, 0, 0.4}, {19, 0, 0.4},   {26, 0.2, 0.4},
                                  {40, 0.2, 0.4}, {41, 0, 0.4}, {44, 0.2, 0.4}, {50, 0.2, 0.4}};
    for (int i = 0; i < 12; i++) {
        const Array a = {30, push[i], 0.01, 0.04, 0.1, 0.001};
        run_spins(&a, start[i], i == 0 ? 1e-3 : 2e-3, i == 0 ? 3 : 8);
    }
}
static void eighty_spinning_disks_follow_the_exact_motion(void) {
    const Array a = {80, 14, 0.01, 0.006, 0.1, 0.001};
    static const uint64_t seed[] = {2, 7, 9, 38};
    for (int i = 0; i < 4; i++) {
        run_spins(&a, (Start){seed[i], 0, 1.6}, 4e-3, 2);
    }
}

/* In space, where friction is a vector, spheres do the same. */
static void spinning_spheres_follow_the_exact_motion(void) {
    static const uint64_t seed[] = {1, 38};
    for (int i = 0; i < 2; i++) {
        const Scene s = {ten_held, 1, 1e-3, 0, NULL, 3, 8, 1};
        Verdict verdict = run_scene(s, (Start){seed[i], 0.3, 0.2}, 6);
        CHECK(verdict.worst < 1e-8 && verdict.wrong_states == 0 && verdict.cuts > 0);
        CHECK(verdict.uncut == 0);
    }
}

/* It is the cuts alone that bring the events to their times; and the certificate tells of steps
 * that would have needed one, also where a few more than permitted would have. */
static void without_cuts_events_come_late(void) {
    const Scene s = {ten_held, 1, 1e-3, 0, NULL, 2, 0, 1};
    Verdict verdict = run_scene(s, (Start){38, 0.3, 0.2}, 6);
    CHECK(verdict.cuts == 0 && verdict.wrong_states > 0);
    CHECK(verdict.uncut > 0 && verdict.uncut < verdict.steps / 8);
}

/* When gravity changes, the forces of the step before mean nothing: no piece may be made with them,
 * or they would throw the disks up. With a gravity that changes in every step contacts stop and
 * begin to slide as usual. */
static void changing_gravity_throws_nothing_up(void) {
    uint64_t random = 38 * 7919;
    double w[10];
    for (int i = 0; i < 10; i++) {
        w[i] = 0.2 * (2 * rig_random(&random) - 1);
    }
    const Scene s = {ten_held, 1, 1e-2, 0.3, w, 2, 8, 1};
    ScreeWorld *world = make_world(&s);
    long cuts = 0;
    for (int step = 0; step < 400; step++) {
        rig_must(scree_world_set_gravity(world, rig_vec(0, step % 2 == 0 ? -1 : -0.6, 0)),
                 "gravity");
        ScreeReport report = rig_step(world);
        cuts += report.cuts;
        CHECK(report.dissipation > -1e-12);
        CHECK_NEAR(report.energy_error, 0, 1e-12);
        for (int i = 0; i < 10; i++) {
            CHECK_NEAR(scree_world_get_bodies(world).velocity[i].y, 0, 1e-11);
        }
    }
    CHECK(cuts > 3);
    scree_world_destroy(world);
}

/* A cut step is the same for any number of threads, and after a restart anywhere before it. */
static void cut_steps_repeat_with_threads_and_restarts(void) {
    uint64_t random = 38 * 7919;
    double w[10];
    for (int i = 0; i < 10; i++) {
        w[i] = 0.2 * (2 * rig_random(&random) - 1);
    }
    Scene s = {ten_held, 1, 1e-2, 0.3, w, 2, 8, 1};
    ScreeWorld *world = make_world(&s);
    s.threads = 3;
    ScreeWorld *other = make_world(&s);
    long cuts = 0;
    for (int step = 0; step < 300; step++) {
        ScreeWorld *loaded = rig_reload(world);
        cuts += rig_step(world).cuts;
        rig_step(other);
        rig_step(loaded);
        CHECK(scree_world_hash(world) == scree_world_hash(other));
        CHECK(scree_world_hash(world) == scree_world_hash(loaded));
        scree_world_destroy(loaded);
    }
    CHECK(cuts > 3);
    scree_world_destroy(world);
    scree_world_destroy(other);
}

/* ---------------------------------------------------------------- two coefficients
 *
 * Static coefficients are three times the dynamic ones. There is no exact solution to compare with,
 * since it is not unique; but every step must be one: a contact that does not slide carries at most
 * mu_s N, one that slides exactly mu_d N against its motion, and in the end nothing changes any
 * more. */
static void check_two(const ScreeWorld *world, const Scene *s, double *ratio, int *state) {
    const int L = s->a.count;
    ScreeBodyView b = scree_world_get_bodies(world);
    read_contacts(world, L, ratio, ratio + 2 * L + 1, state);
    for (int c = 0; c < 2 * L + 1; c++) {
        double slip = c < L            ? b.velocity[c].x + b.spin[c].z
                      : c < 2 * L - 1  ? -(b.spin[c - L].z + b.spin[c - L + 1].z)
                      : c == 2 * L - 1 ? -b.spin[0].z
                                       : b.spin[L - 1].z;
        double mu = c < L ? s->a.mu_plane : c < 2 * L - 1 ? s->a.mu : s->a.mu_block;
        double bound = c < 2 * L - 1 ? s->static_part * mu : mu;
        CHECK(state[c] != SCREE_CONTACT_OPEN && ratio[2 * L + 1 + c] > 0);
        if (state[c] == SCREE_CONTACT_STICK) {
            CHECK_NEAR(slip, 0, 1e-9);
            CHECK(fabs(ratio[c]) <= bound * (1 + 1e-6));
        } else {
            CHECK_NEAR(fabs(ratio[c]), mu, 1e-6 * mu);
            CHECK(ratio[c] * slip <= 1e-12);
        }
    }
}

static double run_two(const Array *a, uint64_t seed, double dt, double end) {
    const int L = a->count;
    double *w = exact_numbers((size_t)L), *ratio = exact_numbers(2 * (2 * (size_t)L + 1));
    int *state = calloc(2 * (size_t)L + 1, sizeof *state);
    for (int i = 0; i < L; i++) {
        w[i] = 0.2 * (2 * rig_random(&seed) - 1);
    }
    Scene s = {*a, 3, dt, 0.3, w, 2, 8, 1};
    ScreeWorld *world = make_world(&s);
    double mu_g = 0;
    long steady = 0;
    while (scree_world_get_time(world) < end && state != NULL) {
        ScreeReport report = rig_step(world);
        CHECK(report.unsettled == 0 && report.residual < 1e-11);
        check_two(world, &s, ratio, state);
        double now = rig_wall(world, PLANE).load.x / L;
        steady = fabs(now - mu_g) < 1e-7 ? steady + 1 : 0;
        mu_g = now;
    }
    CHECK(steady > 200);
    CHECK(rig_restarts(world, 5));
    free(w);
    free(ratio);
    free(state);
    scree_world_destroy(world);
    return mu_g;
}

static void two_coefficients_hold_in_every_step(void) {
    const Array thirty = {30, 5, 0.01, 0.04, 0.1, 0.001};
    for (uint64_t seed = 3; seed < 7; seed++) {
        double mu_g = run_two(&ten_held, seed * 104729, 2e-3, 12);
        printf("       10 disks, start %d: mu_g %.8f\n", (int)seed, mu_g);
        CHECK(mu_g > 0 && mu_g < 0.6);
    }
    printf("       30 disks: mu_g %.8f\n", run_two(&thirty, 104729, 5e-3, 30));
}

int main(int argc, char **argv) {
    CHECK_RUN(ten_disks_start_with_the_steady_forces);
    CHECK_RUN(thirty_disks_start_with_the_steady_forces);
    CHECK_RUN(eighty_disks_start_with_the_steady_forces);
    CHECK_RUN(ten_spinning_disks_follow_the_exact_motion);
    CHECK_RUN(thirty_spinning_disks_follow_the_exact_motion);
    CHECK_RUN(eighty_spinning_disks_follow_the_exact_motion);
    CHECK_RUN(spinning_spheres_follow_the_exact_motion);
    CHECK_RUN(without_cuts_events_come_late);
    CHECK_RUN(changing_gravity_throws_nothing_up);
    CHECK_RUN(cut_steps_repeat_with_threads_and_restarts);
    CHECK_RUN(two_coefficients_hold_in_every_step);
    return check_result();
}

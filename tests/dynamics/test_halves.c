/* Steps that do not converge and are made in halves: each half is a step of half the time, and all of
 * them together are one. */
#include "physics/cell_rig.h"
#include "scenes.h"

#include "api/world.h"
#include "dynamics/halves.h"

/* ---------------------------------------------------------------- two halves are two steps */

/* A step that is made in halves, whether it has to be or not. */
static ScreeReport halve(ScreeWorld *w) {
    State *s = &w->state;
    Engine *e = &w->engine;
    ScreeReport report = {0};
    const StepParams with = scr_step_params(s, e);
    CHECK(scr_copy_contacts(s, &e->before));
    rig_must(scr_find_impulses(&with, s, e, &report, w->message), "impulses");
    const int64_t thrown_away = report.iterations;
    const ScreeStatus status = scr_make_in_halves(s, e, &report, w->message);
    scr_end_step(s, e, status, &report);
    rig_must(status, "halves");
    report.iterations -= thrown_away;
    return report;
}

static ScreeWorld *copy_of(const ScreeWorld *world) {
    size_t size = 0;
    rig_must(scree_world_save(world, NULL, &size), "size");
    void *bytes = malloc(size);
    ScreeWorld *copy = NULL;
    rig_must(scree_world_save(world, bytes, &size), "save");
    rig_must(scree_world_load(bytes, size, &copy, NULL), "load");
    free(bytes);
    return copy;
}

/* To the last bit, or where the forces of the step before were turned into tangent planes twice, to
 * rounding. */
static void check_numbers(const void *a, const void *b, size_t size, double rounding) {
    const double *x = a, *y = b;
    double most = 0, off = 0;
    for (size_t i = 0; i < size / sizeof *x; i++) {
        most = fmax(most, fabs(y[i]));
        off = fmax(off, fabs(x[i] - y[i]));
    }
    CHECK_NEAR(off, 0, rounding * most);
}

static ScreeVec3 mean(ScreeVec3 a, ScreeVec3 b) {
    return rig_scale(0.5, rig_add(a, 1, b));
}

/* Loads are means over the step. */
static void compare_walls(const ScreeWorld *once, const Walls *first, const ScreeWorld *twice,
                          double rounding) {
    for (size_t i = 0; i < first->count; i++) {
        const ScreeWallState *w = &once->state.walls.item[i], *second = &twice->state.walls.item[i];
        const ScreeVec3 load = mean(first->item[i].load, second->load);
        check_numbers(&w->displacement, &second->displacement, sizeof w->displacement, rounding);
        check_numbers(&w->now.velocity, &second->now.velocity, sizeof w->now.velocity, rounding);
        CHECK_NEAR(rig_length(rig_sub(w->load, load)), 0, (1e-15 + rounding) * rig_length(load));
    }
}

static ScreeContact find(const ScreeWorld *world, const ScreeContact *c) {
    ScreeContactView view = scree_world_get_contacts(world);
    for (size_t i = 0; i < view.count; i++) {
        const ScreeContact *k = &view.contact[i];
        if (k->a.index == c->a.index && k->b.code == c->b.code && k->feature == c->feature) {
            return *k;
        }
    }
    return (ScreeContact){.state = SCREE_CONTACT_OPEN};
}

/* Contacts with an impulse that there are none of later. */
static size_t parted(const ScreeWorld *first, const ScreeWorld *twice) {
    const ScreeContactView before = scree_world_get_contacts(first),
                           last = scree_world_get_contacts(twice);
    size_t kept = 0, count = 0;
    for (size_t i = 0; i < before.count; i++) {
        count += before.contact[i].state != SCREE_CONTACT_OPEN;
    }
    for (size_t i = 0; i < last.count; i++) {
        kept += find(first, &last.contact[i]).state != SCREE_CONTACT_OPEN;
    }
    return count - kept;
}

/* Normals turn little in half a step. */
static void compare_contacts(const ScreeWorld *once, const ScreeWorld *first,
                             const ScreeWorld *twice, bool sums, double rounding) {
    ScreeContactView all = scree_world_get_contacts(once), last = scree_world_get_contacts(twice);
    CHECK(all.count == last.count + (sums ? parted(first, twice) : 0));
    CHECK(all.time_step == (sums ? 2 : 1) * last.time_step);
    for (size_t i = 0; i < last.count; i++) {
        const ScreeContact *c = &all.contact[i], *l = &last.contact[i];
        const ScreeContact before = find(first, l);
        const double share = sums ? 1 : 0;
        const ScreeVec3 t = rig_add(l->tangential_impulse, share, before.tangential_impulse);
        CHECK_CLOSE(c->normal_impulse, l->normal_impulse + share * before.normal_impulse,
                    1e-15 + rounding);
        CHECK_NEAR(rig_length(rig_sub(c->tangential_impulse, t)), 0,
                   (sums ? 0.1 : 1e-15) * rig_length(t) + 1e-300);
        CHECK(c->state == (sums && l->state == SCREE_CONTACT_OPEN ? before.state : l->state));
        check_numbers(&c->normal, &l->normal, sizeof c->normal, rounding);
    }
}

static void compare_reports(const ScreeReport *all, const ScreeReport *first,
                            const ScreeReport *last, double rounding) {
    const double pairs[][2] = {
        {all->kinetic_energy, last->kinetic_energy},
        {all->energy_elastic, last->energy_elastic},
        {all->overlap_max, last->overlap_max},
        {all->work_external, first->work_external + last->work_external},
        {all->work_walls, first->work_walls + last->work_walls},
        {all->work_cell, first->work_cell + last->work_cell},
        {all->work_growth, first->work_growth + last->work_growth},
        {all->dissipation, first->dissipation + last->dissipation},
        {all->dissipation_scheme, first->dissipation_scheme + last->dissipation_scheme},
        {all->energy_projected, first->energy_projected + last->energy_projected},
    };
    CHECK(all->strides == 1 && all->converged == 1);
    CHECK(all->glued == last->glued && all->broken == first->broken + last->broken);
    CHECK(all->iterations == first->iterations + last->iterations);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        CHECK_CLOSE(pairs[i][0], pairs[i][1], rounding);
    }
    const double added = first->overlap_added + last->overlap_added; /* next to nothing */
    CHECK_NEAR(all->overlap_added, added, 1e-4 * rounding);
    CHECK_NEAR(all->residual, fmax(first->residual, last->residual), rounding);
}

/* The order of the sweeps must not be drawn, since a drawn one is another in the next step, nor follow
 * from neighbour lists of different ages. A given number of sweeps needs no limits. */
static ScreeReport check_halves(ScreeWorld *once, int steps) {
    ScreeWorldDef def = scree_world_get_def(once);
    def.solver.order = SCREE_ORDER_FIXED;
    def.solver.criterion = SCREE_CRITERION_FIXED;
    def.solver.tolerance = def.solver.overlap = 1e6; /* whatever is found will do */
    rig_must(scree_world_set_solver(once, &def.solver), "solver");
    for (int i = 0; i < steps; i++) {
        rig_step(once);
    }
    once->state.def.skin = 0.5;
    once->state.list_stale = true;
    ScreeWorld *twice = copy_of(once);
    const double time = scree_world_get_time(once);
    rig_must(scree_world_set_time_step(twice, 0.5 * def.time_step), "time step");
    const ScreeReport all = halve(once), half = rig_step(twice);
    ScreeWorld *first = copy_of(twice);
    const ScreeReport last = rig_step(twice);
    const Bodies *a = &once->state.bodies, *b = &twice->state.bodies;
    const bool sums = !scr_laws_remember(&once->state);
    const double rounding = sums && def.dimension == 3 ? 1e-11 : 0;
    check_numbers(a->position, b->position, a->count * sizeof *a->position, rounding);
    check_numbers(a->orientation, b->orientation, a->count * sizeof *a->orientation, rounding);
    check_numbers(a->velocity, b->velocity, a->count * sizeof *a->velocity, rounding);
    check_numbers(a->spin, b->spin, a->count * sizeof *a->spin, rounding);
    check_numbers(a->radius, b->radius, a->count * sizeof *a->radius, 0);
    check_numbers(a->mass, b->mass, a->count * sizeof *a->mass, 0);
    check_numbers(a->inertia, b->inertia, a->count * sizeof *a->inertia, 0);
    compare_walls(once, &first->state.walls, twice, rounding);
    compare_contacts(once, first, twice, sums, rounding);
    compare_reports(&all, &half, &last, rounding);
    CHECK(all.active > 0 && all.step == steps + 1);
    CHECK_CLOSE(all.time, time + def.time_step, 1e-14);
    CHECK_CLOSE(scree_world_get_time(once), scree_world_get_time(twice), 1e-14);
    const ScreeCellReport cell = scree_world_get_cell(once), before = scree_world_get_cell(first),
                          after = scree_world_get_cell(twice);
    check_numbers(cell.vector, after.vector, sizeof cell.vector, 0);
    check_numbers(cell.rate, after.rate, sizeof cell.rate, 0);
    check_numbers(cell.strain, after.strain, sizeof cell.strain, 0);
    for (int k = 0; k < 9; k++) {
        CHECK_NEAR(cell.stress[k], 0.5 * (before.stress[k] + after.stress[k]),
                   1e-14 * fabs(after.stress[k]));
    }
    scree_world_destroy(first);
    scree_world_destroy(twice);
    scree_world_destroy(once);
    return all;
}

static void two_halves_are_two_steps(void) {
    for (int kind = 0; kind < 8; kind++) {
        const Scene scene = {.dimension = 2 + kind % 2,
                             .laws = kind / 2 % 2 == 1,
                             .moving_walls = kind / 4 == 0,
                             .periodic = kind / 4 == 1,
                             .grains = 60};
        check_case = kind;
        check_halves(scene_make(&scene), 60);
    }
}

/* Bars of glued disks fall on each other, and some break, more or fewer with the strength of the glue. */
static void bonds_go_through_halves(void) {
    int64_t broken = 0;
    for (int strength = 0; strength < 4; strength++) {
        ScreeWorldDef def = scree_world_def_default();
        def.dimension = 2;
        def.time_step = 0.01;
        def.gravity = rig_vec(0, -10, 0);
        ScreeWorld *world = rig_create(&def);
        rig_material(world, 0.5);
        rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        for (int i = 0; i < 15; i++) {
            const ScreeVec3 at =
                rig_vec(i % 5 + 0.2 * (i / 5), 0.502 + 1.01 * (i / 5), 0); /* integers */
            ScreeBodyDef disk = rig_ball(at, 0.5, 1);
            disk.velocity = rig_vec(0, i / 5 == 2 ? -3 : 0, 0);
            rig_add_body(world, &disk);
        }
        ScreeBondDef bond = scree_bond_def_default();
        bond.tension = bond.shear = 30 * pow(3, strength);
        bond.bending = 6 * pow(3, strength);
        rig_must(scree_world_add_bonds(world, &bond, NULL), "bonds");
        broken += check_halves(world, 1).broken;
    }
    CHECK(broken > 0);
}

/* Wet balls fall on each other and part again: bridges are made, drawn out and torn. */
static void bridges_go_through_halves(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int bounces = CHECK_STRIDE == 1 ? 0 : dimension - 2; bounces < 2;
             bounces += CHECK_STRIDE) {
            ScreeWorld *world = rig_world(dimension, 0.01, rig_vec(0, -10, 0), 0.3);
            const ScreeMaterialId wet = {0};
            ScreeLaw law;
            rig_must(scree_law_get(world, wet, wet, &law), "law");
            law.bridge_volume = 1e-3;
            law.bridge_tension = 5;
            law.restitution = bounces ? 0.6 : 0;
            rig_must(scree_law_set(world, wet, wet, &law), "law");
            rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
            for (int i = 0; i < 12; i++) {
                ScreeBodyDef ball =
                    rig_ball(rig_vec(i % 4 + 0.3 * (i / 4), 0.5 + 1.02 * (i / 4), 0), 0.5, 1);
                ball.velocity = rig_vec(0, i / 4 == 2 ? -2 : 0, 0);
                rig_add_body(world, &ball);
            }
            check_case = 2 * dimension + bounces;
            CHECK(check_halves(world, 15).bonds > 0);
        }
    }
}

/* A step that is made in halves makes grains as large as one that is not, r (1 + g dt), however often it is halved; masses
 * and inertias go with the radius, and the energy that comes with them is in the balance. */
static void growth_goes_through_halves(void) {
    for (int kind = 0; kind < 4; kind++) {
        const Scene scene = {.dimension = 2 + kind % 2, .moving_walls = true, .grains = 40};
        const bool keeps_mass = kind / 2 == 0;
        ScreeWorld *world = scene_make(&scene);
        ScreeGrowth growth = scree_growth_default();
        growth.rate = 0.5;
        growth.keeps = keeps_mass ? SCREE_GROWTH_KEEPS_MASS : SCREE_GROWTH_KEEPS_DENSITY;
        rig_must(scree_material_set_growth(world, (ScreeMaterialId){0}, &growth), "growth");
        for (int i = 0; i < 20; i++) {
            rig_step(world);
        }
        ScreeWorld *before = copy_of(world);
        const ScreeReport r = halve(world);
        const Bodies *was = &before->state.bodies, *is = &world->state.bodies;
        const double factor = 1 + growth.rate * scree_world_get_def(world).time_step;
        check_case = kind;
        for (size_t i = 0; i < is->count; i++) {
            const double mass = keeps_mass ? 1 : pow(factor, scene.dimension);
            const bool grows = is->material[i] == 0;
            CHECK_CLOSE(is->radius[i], (grows ? factor : 1) * was->radius[i], 1e-14);
            CHECK_CLOSE(is->mass[i], (grows ? mass : 1) * was->mass[i], 1e-13);
            CHECK_CLOSE(is->inertia[i], (grows ? mass * factor * factor : 1) * was->inertia[i],
                        1e-13);
        }
        CHECK(r.work_growth != 0);
        rig_check_energy(&r, r.kinetic_energy + fabs(r.work_walls), __FILE__, __LINE__);
        scree_world_destroy(before);
        scree_world_destroy(world);
    }
}

/* Its rate, edges and stress. */
static void a_cell_that_deforms_goes_through_halves(void) {
    ScreeWorldDef def = cell_def(2, 12);
    def.deform.control[YY] = SCREE_CELL_STRESS;
    def.deform.stress[YY] = 1;
    def.deform.rate[XY] = 0.1;
    def.deform.rate[XX] = -0.3;
    ScreeWorld *world = cell_world(&def, 0.4);
    cell_fill(world, 9, 12);
    check_halves(world, CHECK_STRIDE == 1 ? 60 : 20);
}

/* A ball that bounces off in the first half: the floor has given it twice its momentum, although it is far
 * away in the second. */
static void contacts_that_parted_keep_their_impulse(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        const double m = 1.5, v = 10;
        ScreeWorld *world = rig_world(dimension, 0.01, rig_vec(0, 0, 0), 0.3);
        const ScreeMaterialId stone = {0};
        ScreeLaw law;
        rig_must(scree_law_get(world, stone, stone, &law), "law");
        law.restitution = 1;
        rig_must(scree_law_set(world, stone, stone, &law), "law");
        rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        ScreeBodyDef ball = rig_ball(rig_vec(0, 0.5, 0), 0.5, m);
        ball.velocity = rig_vec(0, -v, 0);
        rig_add_body(world, &ball);
        const ScreeReport report = halve(world);
        const ScreeContact c = rig_contact(world, 0, -1);
        CHECK(report.active == 1 && c.state != SCREE_CONTACT_OPEN);
        CHECK_CLOSE(c.normal_impulse, 2 * m * v, 1e-14);
        CHECK_CLOSE(scree_world_get_bodies(world).velocity[0].y, v, 1e-14);
        rig_step(world);
        CHECK(rig_contact(world, 0, -1).normal_impulse == 0);
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- steps that need it */

static const Scene hard = {.dimension = 2, .grains = 60, .moving_walls = true};

static ScreeWorld *make_hard(int threads) {
    ScreeWorld *world = scene_make(&hard);
    ScreeSolverDef solver = scree_solver_def_default();
    solver.iterations = 9; /* sometimes too few */
    rig_must(scree_world_set_solver(world, &solver), "solver");
    rig_must(scree_world_set_threads(world, threads), "threads");
    return world;
}

/* One step to whoever makes it; the same bits for any number of threads, and after a restart. Fewer
 * steps fail than of those that may not be halved. */
static void a_step_in_halves_is_one_step(void) {
    enum { STEPS = 60 };
    ScreeWorld *world = make_hard(1), *other = make_hard(2), *plain = make_hard(1);
    ScreeSolverDef sweeps = scree_world_get_def(plain).solver;
    sweeps.method = SCREE_METHOD_ACCELERATED; /* as `auto` does, and nothing else */
    rig_must(scree_world_set_solver(plain, &sweeps), "solver");
    int halved = 0, failed = 0, failed_plain = 0;
    for (int i = 0; i < STEPS; i++) {
        const ScreeReport r = rig_step(world), p = rig_step(plain);
        rig_step(other);
        CHECK(r.step == i + 1 && p.strides == 0);
        CHECK_CLOSE(r.time, (i + 1) * 0.01, 1e-14);
        CHECK(scree_world_hash(world) == scree_world_hash(other));
        CHECK(fabs(r.energy_error) <= 1e-12 * (r.kinetic_energy + fabs(r.work_external)));
        halved += r.strides > 0;
        failed += !r.converged;
        failed_plain += !p.converged;
        if (i % 2 == 0) { /* whatever was halved, a loaded world goes on as this one does */
            scree_world_destroy(other);
            other = copy_of(world);
            rig_must(scree_world_set_threads(other, 2), "threads");
        }
    }
    CHECK(halved >= 3);
    CHECK(failed <= failed_plain / 2);
    scree_world_destroy(world);
    scree_world_destroy(other);
    scree_world_destroy(plain);
}

/* A disk between two plates that close in on it by more than it can give way: no step helps, and the
 * certificate says so. An eighth of the step is tried, then the rest in one. */
static void what_no_halves_cure_is_reported(void) {
    ScreeWorldDef def = scree_world_def_default();
    def.dimension = 2;
    def.time_step = 0.01;
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0.3);
    for (int side = -1; side <= 1; side += 2) {
        ScreeWallDef plate = rig_plane(rig_vec(0, side * 0.5, 0), rig_vec(0, -side, 0));
        plate.motion = SCREE_WALL_MOVED;
        plate.velocity = rig_vec(0, -side, 0);
        rig_add_wall(world, &plate);
    }
    rig_add_ball(world, rig_vec(0, 0, 0), 0.5, 1);
    for (int i = 0; i < 3; i++) {
        const ScreeReport r = rig_step(world);
        CHECK(r.converged == 0 && r.strides == 1 && r.step == i + 1);
        CHECK_CLOSE(r.overlap_added, 0.01, 1e-9); /* of the plates' way, on either side */
        CHECK_CLOSE(rig_wall(world, 0).displacement.y, (i + 1) * 0.01, 1e-14);
    }
    scree_world_destroy(world);
}

/* A force that is too strong for doubles in the second half only: the first is taken back. */
static void a_later_half_that_fails_takes_all_back(void) {
    int tried = 0;
    for (int k = 500; k < 530; k++) {
        const Scene scene = {.dimension = 2, .grains = 12};
        ScreeWorld *world = scene_make(&scene);
        world->state.bodies.force[9] = vec3(0, ldexp(1, k), 0); /* away from all others */
        ScreeWorld *half = copy_of(world);
        rig_must(scree_world_set_time_step(half, 0.005), "time step");
        const bool first = scree_world_step(half, NULL) == SCREE_OK,
                   second = scree_world_step(half, NULL) == SCREE_OK;
        if (first && !second) {
            State *s = &world->state;
            Engine *e = &world->engine;
            ScreeReport report = {0};
            const uint64_t before = visible_hash(world);
            CHECK(scr_copy_contacts(s, &e->before));
            const ScreeStatus status = scr_make_in_halves(s, e, &report, world->message);
            scr_end_step(s, e, status, &report);
            CHECK(status != SCREE_OK);
            CHECK(visible_hash(world) == before);
            tried++;
        }
        scree_world_destroy(half);
        scree_world_destroy(world);
    }
    CHECK(tried == 1); /* each force is twice the one before */
}

int main(int argc, char **argv) {
    CHECK_RUN(two_halves_are_two_steps);
    CHECK_RUN(bonds_go_through_halves);
    CHECK_RUN(bridges_go_through_halves);
    CHECK_RUN(growth_goes_through_halves);
    CHECK_RUN(a_cell_that_deforms_goes_through_halves);
    CHECK_RUN(contacts_that_parted_keep_their_impulse);
    CHECK_RUN(a_step_in_halves_is_one_step);
    CHECK_RUN(what_no_halves_cure_is_reported);
    CHECK_RUN(a_later_half_that_fails_takes_all_back);
    return check_result();
}

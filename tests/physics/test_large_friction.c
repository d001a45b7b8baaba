/* Large coefficients of friction, with which sweeps come to cycles instead of solutions: nothing has
 * to be set for the steps to converge. */
#include "rig.h"

enum { SIDE = 5, LAYERS = 8, STEPS = 300 };

/* Balls that fall into a box. */
static ScreeWorld *make_fall(ScreeMethod method, double friction) {
    const double spacing = 1.1, width = SIDE * spacing, radius = 0.5;
    uint64_t random = 1; /* with friction 10, one step needs the last resort */
    ScreeWorldDef def = scree_world_def_default();
    def.time_step = 5e-3;
    def.gravity = rig_vec(0, 0, -9.81);
    def.solver.method = method;
    ScreeWorld *world = rig_create(&def);
    rig_material(world, friction);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 0, 1));
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(1, 0, 0));
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    rig_add_plane(world, rig_vec(width, 0, 0), rig_vec(-1, 0, 0));
    rig_add_plane(world, rig_vec(0, width, 0), rig_vec(0, -1, 0));
    for (int i = 0; i < SIDE * SIDE * LAYERS; i++) {
        const ScreeVec3 cell = rig_vec(i % SIDE + 0.5, i / SIDE % SIDE + 0.5,
                                       1.5 * (i / SIDE / SIDE) + 0.5); /* integers on purpose */
        ScreeVec3 position = rig_add(rig_scale(spacing, cell), 1, rig_random_vec(&random, 0.04, 3));
        rig_add_ball(world, position, radius, 1);
    }
    return world;
}

/* Whatever has solved the step, its impulses are such as Coulomb's law allows, and what they do is
 * all in the balance. */
static void check_impulses(const ScreeWorld *world, double friction, const ScreeReport *report) {
    ScreeContactView view = scree_world_get_contacts(world);
    for (size_t i = 0; i < view.count; i++) {
        const ScreeContact *c = &view.contact[i];
        CHECK(c->normal_impulse >= 0);
        CHECK(rig_length(c->tangential_impulse) <= friction * c->normal_impulse * (1 + 1e-14));
    }
    double passed_on = report->dissipation_normal + report->dissipation_friction;
    CHECK(fabs(report->energy_error) <= 1e-13 * (report->kinetic_energy + passed_on));
}

static int count_failures(ScreeMethod method, double friction) {
    ScreeWorld *world = make_fall(method, friction);
    int failures = 0;
    for (int step = 0; step < STEPS; step++) {
        ScreeReport report = rig_step(world);
        failures += report.converged == 0;
        check_impulses(world, friction, &report);
    }
    scree_world_destroy(world);
    return failures;
}

static void frictions_up_to_ten_converge(void) {
    static const double friction[] = {10, 4, 2, 1};
    for (int k = 0; k < 4; k += CHECK_STRIDE) {
        CHECK(count_failures(SCREE_METHOD_AUTO, friction[k]) == 0);
    }
}

/* So that the test above says something. */
static void plain_sweeps_do_not(void) {
    CHECK(count_failures(SCREE_METHOD_GAUSS_SEIDEL, 4) > 5);
}

int main(int argc, char **argv) {
    CHECK_RUN(frictions_up_to_ten_converge);
    if (CHECK_STRIDE == 1) {
        CHECK_RUN(plain_sweeps_do_not);
    }
    return check_result();
}

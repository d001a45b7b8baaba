/* Live worlds: at rest the mean stress follows from weights and the loads on walls. */
#include "physics/polygon_rig.h"

typedef struct Measured {
    ScreeSample sample;
    ScreeContactForce *contact;
    ScreeShape *form;
    ScreeMeasures numbers;
} Measured;

static Measured measure(const ScreeWorld *world) {
    Measured m = {.contact = calloc(scree_world_get_contacts(world).count + 1, sizeof *m.contact),
                  .form = calloc(scree_world_get_shape_count(world) + 1, sizeof *m.form)};
    const ScreeMeasureDef whole = scree_measure_def_default();
    scree_world_take_sample(world, m.contact, m.form, &m.sample);
    CHECK(scree_sample_measure(&m.sample, &whole, &m.numbers, NULL) == SCREE_OK);
    free(m.contact);
    free(m.form);
    return m;
}

/* Bodies at rest: the sum of force x branch over all contacts is the moment of all other forces.
 * Its vertical part is the sum of m g (height above the floor) when the side walls are smooth, its
 * horizontal part the load of a side wall x the distance of the walls. */
static void stress_of_a_packing_follows_from_weights_and_loads(void) {
    ScreeWorldDef def = rig_def(2, 2e-3, rig_vec(0, -10, 0));
    def.solver.tolerance = 1e-9;
    ScreeWorld *world = rig_create(&def);
    int32_t grain = rig_material(world, 0.4), smooth = rig_material(world, 0);
    (void)grain;
    ScreeWallDef floor_wall = rig_plane(rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    ScreeWallDef left = rig_plane(rig_vec(0, 0, 0), rig_vec(1, 0, 0));
    ScreeWallDef right = rig_plane(rig_vec(4, 0, 0), rig_vec(-1, 0, 0));
    floor_wall.material = left.material = right.material = (ScreeMaterialId){smooth};
    rig_add_wall(world, &floor_wall);
    int32_t at_left = rig_add_wall(world, &left), at_right = rig_add_wall(world, &right);
    uint64_t seed = 5;
    for (int i = 0; i < 40; i++) {
        double r = 0.2 + 0.1 * rig_random(&seed);
        ScreeBodyDef body = rig_ball(rig_vec(0.5 + i % 6 * 0.6, 0.4 + i / 6 * 0.62, 0), r, 0);
        rig_add_body(world, &body);
    }
    for (int i = 0; i < 4000; i++) {
        rig_step(world);
    }
    ScreeBodyView b = scree_world_get_bodies(world);
    double moment = 0, weight = 0;
    for (size_t i = 0; i < b.count; i++) {
        moment += 10 * b.mass[i] * b.position[i].y;
        weight += 10 * b.mass[i];
    }
    Measured m = measure(world);
    ScreeWallState loaded, other;
    rig_must(scree_wall_get_state(world, (ScreeWallId){at_left}, &loaded), "wall");
    rig_must(scree_wall_get_state(world, (ScreeWallId){at_right}, &other), "wall");
    CHECK(scree_world_get_kinetic_energy(world) < 1e-9 * moment);
    CHECK_CLOSE(m.numbers.stress_yy * m.numbers.volume, moment, 1e-4);
    CHECK_CLOSE(m.numbers.stress_xx * m.numbers.volume, 4 * other.load.x, 1e-4);
    CHECK_CLOSE(other.load.x, -loaded.load.x, 1e-4);
    CHECK_NEAR(m.numbers.stress_xy, m.numbers.stress_yx, 1e-4 * m.numbers.stress_yy);
    CHECK(m.numbers.stress_yy > 0 && weight > 0); /* compression is positive */
    CHECK(m.numbers.mobilisation >= 0 && m.numbers.mobilisation <= 1 + 1e-6);
    CHECK_CLOSE(m.numbers.energy_translation + m.numbers.energy_rotation,
                scree_world_get_kinetic_energy(world), 1e-12);
    scree_world_destroy(world);
}

/* A stack of five unit squares: no pores; each pair counts once though it touches at two points;
 * the vertical stress, averaged over the stack, is weight x mean height / area. */
static void stack_of_squares_has_no_pores(void) {
    ScreeWorld *world = rig_world(2, 1e-3, rig_vec(0, -10, 0), 0.5);
    int32_t square = rig_add_rectangle_shape(world, 1, 1);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    for (int i = 0; i < 5; i++) {
        rig_add_shaped(world, square, rig_vec(0.3, 0.5 + i, 0), 0);
    }
    for (int i = 0; i < 50; i++) {
        rig_step(world);
    }
    Measured m = measure(world);
    CHECK_CLOSE(m.numbers.volume, 5.0, 1e-6);
    CHECK_CLOSE(m.numbers.solid_fraction, 1.0, 1e-6);
    CHECK_CLOSE(m.numbers.coordination, 9.0 / 5, 1e-15);
    CHECK(m.numbers.points == 10);
    CHECK_CLOSE(m.numbers.stress_yy, 50 * 2.5 / 5, 1e-6);
    CHECK_CLOSE(scree_world_get_coordination(world), 9.0 / 5, 1e-15);
    scree_world_destroy(world);
}

/* Sums of reports: the energy gained is the energy there is. */
static void energy_gained_is_energy_there(void) {
    ScreeWorld *world = rig_world(3, 1e-3, rig_vec(0, 0, -10), 0.3);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 0, 1));
    ScreeBodyDef ball = rig_ball(rig_vec(0, 0, 2), 0.5, 1);
    ball.velocity = rig_vec(3, 0, 0);
    rig_add_body(world, &ball);
    double before = scree_world_get_kinetic_energy(world);
    ScreeEnergy energy = {0};
    for (int i = 0; i < 2000; i++) {
        ScreeReport report = rig_step(world);
        scree_energy_add(&energy, &report);
    }
    CHECK_CLOSE(energy.work_external, 10 * 1.5, 1e-6); /* the fall */
    CHECK_CLOSE(before + energy.gained, scree_world_get_kinetic_energy(world), 1e-12);
    CHECK(energy.kinetic_energy == scree_world_get_kinetic_energy(world));
    CHECK_CLOSE(energy.carried, before, 1e-12);
    double lost = energy.dissipation_normal + energy.dissipation_friction +
                  energy.dissipation_rolling + energy.dissipation_torsion +
                  energy.dissipation_cohesion + energy.dissipation_scheme;
    CHECK_CLOSE(before + energy.work_external + energy.work_walls,
                scree_world_get_kinetic_energy(world) + lost, 1e-12);
    CHECK(energy.dissipation_normal > 0 && energy.dissipation_friction > 0);
    scree_world_destroy(world);
}

/* Springs, too: two soft balls that are pressed together leave while they rebound. What they take is what
 * they have then, in motion and in their spring; the third one stays as it is. */
static void bodies_that_leave_take_their_energy(void) {
    const ScreeWorldDef def = rig_def(3, 1e-4, rig_vec(0, 0, 0));
    ScreeWorld *world = rig_create(&def);
    ScreeMaterialDef soft = scree_material_def_default();
    soft.law.stiffness = 1e3;
    CHECK(scree_world_add_material(world, &soft, NULL) == SCREE_OK);
    ScreeBodyDef ball = rig_ball(rig_vec(0, 0, 0), 0.5, 1);
    rig_add_body(world, &ball);
    ball.position.x = 1.0;
    ball.velocity.x = -1;
    rig_add_body(world, &ball);
    ball.position.x = 9;
    ball.velocity.x = 2; /* with a mass of 1: 2 of energy */
    rig_add_body(world, &ball);
    ScreeEnergy energy = {0};
    ScreeReport report;
    for (int i = 0; i < 200; i++) {
        report = rig_step(world);
        scree_energy_add(&energy, &report);
    }
    const double there = report.kinetic_energy + report.energy_elastic;
    CHECK(report.energy_elastic > 1e-3);
    CHECK_CLOSE(energy.carried, 0.5 + 2, 1e-9);
    CHECK(scree_world_remove_bodies(world, (ScreeBodyId[]){{0}, {1}}, 2) == SCREE_OK);
    report = rig_step(world);
    scree_energy_add(&energy, &report);
    CHECK_CLOSE(energy.carried, 0.5 + 2 - (there - 2), 1e-9);
    CHECK_CLOSE(energy.gained + energy.carried, 2.0, 1e-9);
    scree_world_destroy(world);
}

static void empty_world_has_undefined_measures(void) {
    ScreeWorld *world = rig_world(3, 1e-3, rig_vec(0, 0, -10), 0.3);
    Measured m = measure(world);
    CHECK(m.sample.bodies == 0 && isnan(m.numbers.coordination));
    rig_add_ball(world, rig_vec(0, 0, 0), 1, 1); /* no step yet: no contacts */
    m = measure(world);
    CHECK(m.numbers.bodies == 1 && m.numbers.coordination == 0);
    CHECK_CLOSE(m.numbers.solid_fraction, RIG_PI / 6, 1e-14);
    scree_world_destroy(world);
}

int main(int argc, char **argv) {
    CHECK_RUN(stress_of_a_packing_follows_from_weights_and_loads);
    CHECK_RUN(stack_of_squares_has_no_pores);
    CHECK_RUN(energy_gained_is_energy_there);
    CHECK_RUN(bodies_that_leave_take_their_energy);
    CHECK_RUN(empty_world_has_undefined_measures);
    return check_result();
}

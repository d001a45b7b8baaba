/* The soft engine at its limits: its own time step, wrong ones, nothing at all, grains inside each
 * other, numbers without bounds. */
#include "soft_rig.h"

#include "scenes.h"

/* ---------------------------------------------------------------- the time step */

static double advised(int dimension, const ScreeLaw *law, double ma, double mb, bool wall,
                      ScreeSoftFriction friction) {
    ScreeWorldDef def = soft_def(dimension, 0, rig_vec(0, 0, 0));
    def.soft.friction = friction;
    ScreeWorld *world = soft_world(&def, law);
    rig_add_ball(world, rig_vec(0, 0, 0), 0.5, ma);
    if (mb > 0) {
        rig_add_ball(world, rig_vec(2, 0, 0), 0.5, mb);
    }
    if (wall) {
        rig_add_plane(world, rig_vec(0, -2, 0), rig_vec(0, 1, 0));
    }
    double step = scree_world_advise_time_step(world);
    scree_world_destroy(world);
    return step;
}

/* A twentieth of the collision of the two lightest bodies. */
static void advised_step_is_a_twentieth_of_a_collision(void) {
    const ScreeSoftFriction spring = SCREE_SOFT_FRICTION_SPRING;
    ScreeLaw law = soft_law(1e4, 1, 0);
    CHECK_CLOSE(advised(3, &law, 2, 3, false, spring), RIG_PI * sqrt(1.2 / 1e4) / 20, 1e-12);
    CHECK_CLOSE(advised(3, &law, 2, 3, true, spring), RIG_PI * sqrt(1.2 / 1e4) / 20, 1e-12);
    CHECK_CLOSE(advised(2, &law, 2, 0, true, spring), RIG_PI * sqrt(2 / 1e4) / 20, 1e-12);
    CHECK_CLOSE(advised(2, &law, 2, 0, false, spring), RIG_PI * sqrt(2 / 1e4) / 20, 1e-12);
    /* damping ends a collision sooner: 2 acos(z) / sqrt(1 - z^2) instead of pi */
    law.damping = 2 * 0.5 * sqrt(1.2 * 1e4);
    CHECK_CLOSE(advised(3, &law, 2, 3, false, spring), soft_phase(0.5) * sqrt(1.2 / 1e4) / 20,
                1e-9);
    law.damping = 0;
    law.restitution = 0;
    CHECK_CLOSE(advised(3, &law, 2, 3, false, spring), 2 * sqrt(1.2 / 1e4) / 20, 1e-9);
    /* a strong dashpot: a fifth of its relaxation time m / c */
    law.damping = 2 * 10 * sqrt(1.2 * 1e4);
    CHECK_CLOSE(advised(3, &law, 2, 3, false, spring), 0.2 * 1.2 / law.damping, 1e-9);
    /* tangential springs: with 2/7 k they are as fast as the normal one for spheres; stiffer ones
     * are faster: m_t = m / 7 for two of mass m */
    law = soft_law(1e4, 1, 0.5);
    CHECK_CLOSE(advised(3, &law, 2, 2, false, spring), RIG_PI * sqrt(1 / 1e4) / 20, 1e-12);
    law.stiffness_tangential = 1e4;
    CHECK_CLOSE(advised(3, &law, 2, 2, false, spring), RIG_PI * sqrt(2.0 / 7 / 1e4) / 20, 1e-9);
    /* a bond has its own critical dashpot: a fifth of m / c, c = 2 sqrt(k m) */
    law = soft_law(1e4, 1, 0);
    law.cohesion = 1;
    law.cohesion_range = 0.01;
    CHECK_CLOSE(advised(3, &law, 2, 2, false, spring), 0.1 * sqrt(1 / 1e4), 1e-9);
    /* viscous friction relaxes at gamma / m_t */
    law = soft_law(1e4, 1, 0.5);
    law.damping_tangential = 1e3;
    CHECK_CLOSE(advised(3, &law, 2, 2, false, SCREE_SOFT_FRICTION_VISCOUS), 0.2 * 2.0 / 7 / 1e3,
                1e-9);
}

/* Several materials: the stiffest and lightest pair that can meet decides. */
static void stiffest_pair_decides_the_advised_step(void) {
    ScreeLaw law = soft_law(1e4, 1, 0);
    ScreeWorldDef def = soft_def(3, 0, rig_vec(0, 0, 0));
    ScreeWorld *world = soft_world(&def, &law);
    CHECK(scree_world_advise_time_step(world) == 0);
    law.stiffness = 4e4;
    soft_material(world, &law); /* with material 0: 2 / (1 / 1e4 + 1 / 4e4) = 1.6e4 */
    law.stiffness = 1e9;
    soft_material(world, &law); /* only a wall is made of it: 2 / (1e-9 + 1e-4) */
    ScreeBodyDef ball = rig_ball(rig_vec(0, 0, 0), 0.5, 3);
    rig_add_body(world, &ball);
    ball.position.x = 2;
    ball.mass = 5;
    rig_add_body(world, &ball);
    ball.position.x = 4;
    ball.material.index = 1;
    ball.mass = 40;
    rig_add_body(world, &ball);
    double same = 1 / (1.0 / 3 + 1.0 / 5) / 1e4, mixed = 1 / (1.0 / 3 + 1.0 / 40) / 1.6e4;
    CHECK_CLOSE(scree_world_advise_time_step(world), RIG_PI * sqrt(fmin(same, mixed)) / 20, 1e-12);
    ScreeWallDef wall = rig_plane(rig_vec(0, -3, 0), rig_vec(0, 1, 0));
    wall.material.index = 2;
    rig_add_wall(world, &wall);
    double hard = 3 / (2 / (1e-9 + 1e-4));
    CHECK_CLOSE(scree_world_advise_time_step(world),
                RIG_PI * sqrt(fmin(hard, fmin(same, mixed))) / 20, 1e-12);
    /* a held body counts as a wall */
    rig_must(scree_body_set_frozen(world, (ScreeBodyId){1}, SCREE_FREEZE_ALL), "frozen");
    CHECK_CLOSE(scree_world_advise_time_step(world),
                RIG_PI * sqrt(fmin(hard, fmin(3e-4, mixed))) / 20, 1e-12);
    scree_world_destroy(world);
    def.engine = SCREE_ENGINE_CONTACT_DYNAMICS;
    def.time_step = 0.01;
    world = rig_create(&def);
    CHECK(scree_world_advise_time_step(world) == 0);
    scree_world_destroy(world);
}

/* The engine follows its own advice in the first step, and records it. */
static void engine_takes_its_own_advice(void) {
    ScreeLaw law = soft_law(1e4, 0.5, 0.3);
    ScreeWorldDef def = soft_def(3, 0, rig_vec(0, -9.81, 0));
    ScreeWorld *world = soft_world(&def, &law);
    ScreeReport report;
    CHECK(scree_world_step(world, &report) == SCREE_BAD_ARGUMENT); /* nothing to choose from */
    CHECK(strstr(scree_world_get_message(world), "time step") != NULL &&
          scree_world_get_step_count(world) == 0);
    rig_add_ball(world, rig_vec(0, 1, 0), 0.5, 1);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    double dt = scree_world_advise_time_step(world);
    report = rig_step(world);
    CHECK(scree_world_get_def(world).time_step == dt && report.time == dt && report.converged == 1);
    for (int i = 0; i < 100; i++) {
        report = rig_step(world);
    }
    CHECK_CLOSE(report.time, 101 * dt, 1e-14);
    rig_must(scree_world_set_time_step(world, 2.1 * dt),
             "step"); /* too long: every report says so */
    CHECK(rig_step(world).converged == 0);
    rig_must(scree_world_set_time_step(world, 1.9 * dt), "step");
    CHECK(rig_step(world).converged == 1);
    rig_must(scree_world_set_time_step(world, 0), "step"); /* its own choice again */
    rig_step(world);
    CHECK_CLOSE(scree_world_get_def(world).time_step, dt, 1e-12);
    CHECK_CLOSE(scree_world_get_time(world), 101 * dt + 2.1 * dt + 1.9 * dt + dt, 1e-12);
    scree_world_destroy(world);
}

/* ---------------------------------------------------------------- too long a step */

/* Ever longer steps: results go wrong, and at some point a step is refused with a message that
 * names a body and the time step; the world is then unchanged, and a good step works. */
static void too_long_steps_are_refused_and_undone(void) {
    int refused = 0;
    for (int k = 0; k < 24; k++) {
        ScreeLaw law = soft_law(1e6, 0.3, 0.5);
        law.modulus = k % 4 == 3 ? 1e8 : 0;
        ScreeWorldDef def =
            soft_def(k % 2 == 0 ? 2 : 3, 1e-4 * pow(10, k / 4), rig_vec(0, -9.81, 0));
        def.soft.integrator = soft_integrators[k / 2 % 2];
        ScreeWorld *world = soft_world(&def, &law);
        for (int i = 0; i < 4; i++) { /* in a box, so that none escapes */
            ScreeVec3 inward = rig_vec(i == 0   ? 1
                                       : i == 1 ? -1
                                                : 0,
                                       i == 2   ? 1
                                       : i == 3 ? -1
                                                : 0,
                                       0);
            rig_add_plane(world, i % 2 == 0 ? rig_vec(-0.5, 0, 0) : rig_vec(4.5, 8, 0), inward);
        }
        for (int i = 0; i < 30; i++) {
            rig_add_ball(world, rig_vec(0.95 * (i % 5), 0.5 + 0.95 * (i / 5), 0), 0.5, 1);
        }
        ScreeStatus status = SCREE_OK;
        uint64_t before = 0;
        for (int i = 0; i < 2000 && status == SCREE_OK; i++) {
            before = visible_hash(world);
            ScreeReport r;
            status = scree_world_step(world, &r);
            CHECK(status != SCREE_OK || (isfinite(r.kinetic_energy) && isfinite(r.energy_error) &&
                                         isfinite(r.dissipation) && isfinite(r.overlap_max)));
        }
        CHECK(status == SCREE_OK || status == SCREE_NOT_FINITE || status == SCREE_TOO_CROWDED);
        if (status == SCREE_NOT_FINITE) {
            refused++;
            CHECK(visible_hash(world) == before);
            CHECK(strstr(scree_world_get_message(world), "body") != NULL &&
                  strstr(scree_world_get_message(world), "time step") != NULL);
            for (int i = 0; i < 30; i++) {
                rig_must(scree_body_set_position(world, (ScreeBodyId){i}, rig_vec(2 * i, 3, 0)),
                         "x");
                rig_must(scree_body_set_velocity(world, (ScreeBodyId){i}, rig_vec(0, 0, 0),
                                                 rig_vec(0, 0, 0)),
                         "v");
            }
            rig_must(scree_world_set_time_step(world, 1e-4), "step");
            CHECK(scree_world_step(world, NULL) == SCREE_OK);
        }
        scree_world_destroy(world);
    }
    CHECK(refused > 0);
}

/* ---------------------------------------------------------------- nothing, and too much */

static void empty_worlds_step(void) {
    ScreeLaw law = soft_law(1e4, 0.5, 0.3);
    ScreeWorldDef def = soft_def(3, 0.01, rig_vec(0, -9.81, 0));
    ScreeWorld *world = rig_create(&def); /* not even a material */
    CHECK(scree_world_get_contacts(world).count == 0 && scree_world_get_coordination(world) == 0);
    ScreeReport r = rig_step(world);
    CHECK(r.step == 1 && r.contacts == 0 && r.kinetic_energy == 0 && r.energy_error == 0);
    CHECK(r.converged == 1 && isfinite(r.sound_speed));
    soft_material(world, &law);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    r = rig_step(world);
    CHECK(r.step == 2 && r.time == 0.02);
    scree_world_destroy(world);
}

static void bad_arguments_are_refused(void) {
    ScreeWorldDef def = soft_def(3, 0.01, rig_vec(0, 0, 0));
    ScreeWorld *world = rig_create(&def);
    ScreeMaterialDef material = scree_material_def_default();
    CHECK(scree_world_add_material(world, &material, NULL) == SCREE_BAD_ARGUMENT); /* rigid */
    ScreeLaw law = soft_law(1e4, 0.5, 0.3);
    soft_material(world, &law);
    const double bad[] = {NAN, INFINITY, -1};
    for (int i = 0; i < 3; i++) {
        material.law = law;
        material.law.damping = bad[i];
        CHECK(scree_world_add_material(world, &material, NULL) == SCREE_BAD_ARGUMENT);
        ScreeBodyDef body = rig_ball(rig_vec(0, 0, 0), 0.5, bad[i]);
        CHECK(scree_world_add_bodies(world, &body, 1, NULL) == SCREE_BAD_ARGUMENT);
        CHECK(scree_world_set_time_step(world, bad[i]) == SCREE_BAD_ARGUMENT);
    }
    ScreeBodyDef body = rig_ball(rig_vec(NAN, 0, 0), 0.5, 1);
    CHECK(scree_world_add_bodies(world, &body, 1, NULL) == SCREE_BAD_ARGUMENT);
    body.position.x = 0;
    rig_add_body(world, &body);
    CHECK(scree_body_set_velocity(world, (ScreeBodyId){0}, rig_vec(NAN, 0, 0), rig_vec(0, 0, 0)) ==
          SCREE_BAD_ARGUMENT);
    CHECK(scree_world_step(world, NULL) == SCREE_OK);
    scree_world_destroy(world);
}

/* Grains at the same place are pushed apart if there are not too many of them. */
static void coincident_grains_are_pushed_apart(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        ScreeLaw law = soft_law(1e4, 0, 0.3);
        ScreeWorldDef def = soft_def(dimension, 0, rig_vec(0, 0, 0));
        ScreeWorld *world = soft_world(&def, &law);
        for (int i = 0; i < 4; i++) {
            rig_add_ball(world, rig_vec(1, 1, 0), 0.5, 1);
        }
        for (int i = 0; i < 2000; i++) {
            CHECK(scree_world_step(world, NULL) == SCREE_OK);
        }
        ScreeOverlap overlap;
        rig_must(scree_world_find_overlaps(world, &overlap), "overlaps");
        CHECK(overlap.count == 0);
        scree_world_destroy(world);
    }
    ScreeLaw law = soft_law(1e4, 0, 0.3);
    ScreeWorldDef def = soft_def(3, 0, rig_vec(0, 0, 0));
    ScreeWorld *world = soft_world(&def, &law);
    for (int i = 0; i < 1000; i++) {
        rig_add_ball(world, rig_vec(1, 1, 0), 0.5, 1);
    }
    CHECK(scree_world_step(world, NULL) == SCREE_TOO_CROWDED);
    CHECK(scree_world_get_message(world)[0] != '\0' && scree_world_get_step_count(world) == 0);
    scree_world_destroy(world);
}

/* Very large and very small numbers: a result or an error, never NaN and never a crash. */
static void huge_and_tiny_numbers_are_survived(void) {
    static const double size[] = {1e-100, 1e-30, 1e-8, 1e8, 1e30, 1e100};
    for (int k = 0; k < 6; k++) {
        for (int m = 0; m < 6; m++) {
            for (int v = 0; v < 6; v++) {
                ScreeLaw law = soft_law(1e4, 0.3, 0.5);
                law.modulus = v % 2 == 1 ? 1e5 : 0;
                ScreeWorldDef def = soft_def(3, v < 3 ? 0 : 1e-3, rig_vec(0, -9.81, 0));
                ScreeWorld *world = soft_world(&def, &law);
                double r = size[k];
                ScreeBodyDef ball = rig_ball(rig_vec(0, r, 0), r, size[m]);
                ball.velocity = rig_vec(0, -size[v], 0);
                ScreeStatus status = scree_world_add_bodies(world, &ball, 1, NULL);
                ball.position.x = 1.9 * r;
                status =
                    status == SCREE_OK ? scree_world_add_bodies(world, &ball, 1, NULL) : status;
                rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
                for (int i = 0; i < 20 && status == SCREE_OK; i++) {
                    ScreeReport report;
                    status = scree_world_step(world, &report);
                    CHECK(status != SCREE_OK ||
                          (isfinite(report.kinetic_energy) && isfinite(report.dissipation)));
                    CHECK(status == SCREE_OK || scree_world_get_message(world)[0] != '\0');
                }
                ScreeBodyView b = scree_world_get_bodies(world);
                for (size_t i = 0; i < b.count; i++) {
                    CHECK(isfinite(b.position[i].x + b.position[i].y + b.velocity[i].y));
                }
                scree_world_destroy(world);
            }
        }
    }
}

/* Bodies and walls that come and go during the run. */
static void bodies_and_walls_may_come_and_go(void) {
    ScreeLaw law = soft_law(1e4, 0.3, 0.5);
    ScreeWorldDef def = soft_def(3, 0, rig_vec(0, -9.81, 0));
    ScreeWorld *world = soft_world(&def, &law);
    int32_t lower = rig_add_plane(world, rig_vec(0, -2, 0), rig_vec(0, 1, 0));
    int32_t upper = rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    rig_add_ball(world, rig_vec(0, 0.5, 0), 0.5, 1);
    while (scree_world_get_time(world) < 1) {
        rig_step(world);
    }
    CHECK_CLOSE(rig_wall(world, upper).load.y, -9.81, 1e-4);
    rig_must(scree_wall_remove(world, (ScreeWallId){upper}), "remove");
    CHECK(scree_world_get_contacts(world).count == 0);
    double time = scree_world_get_time(world);
    ScreeReport r = rig_step(world);
    CHECK(r.contacts == 0 && r.rebuilt == 1);
    double dt = scree_world_get_time(world) - time;
    CHECK_CLOSE(scree_world_get_bodies(world).velocity[0].y, -9.81 * dt,
                1e-3); /* at once, and fully */
    rig_add_ball(world, rig_vec(0.2, 2, 0), 0.5, 1);
    while (scree_world_get_time(world) < 4) {
        rig_step(world);
    }
    CHECK_CLOSE(rig_wall(world, lower).load.y, -2 * 9.81, 1e-3);
    CHECK(rig_wall(world, upper).load.y == 0);
    scree_world_destroy(world);
}

int main(int argc, char **argv) {
    CHECK_RUN(advised_step_is_a_twentieth_of_a_collision);
    CHECK_RUN(stiffest_pair_decides_the_advised_step);
    CHECK_RUN(engine_takes_its_own_advice);
    CHECK_RUN(too_long_steps_are_refused_and_undone);
    CHECK_RUN(empty_worlds_step);
    CHECK_RUN(bad_arguments_are_refused);
    CHECK_RUN(coincident_grains_are_pushed_apart);
    CHECK_RUN(huge_and_tiny_numbers_are_survived);
    CHECK_RUN(bodies_and_walls_may_come_and_go);
    return check_result();
}

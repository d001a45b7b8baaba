/* Pistons: walls with a mass that carry a force along one direction. */
#include "rig.h"

static ScreeWallDef piston(ScreeVec3 point, ScreeVec3 normal, double mass, ScreeVec3 force) {
    ScreeWallDef def = rig_plane(point, normal);
    def.motion = SCREE_WALL_PISTON;
    def.mass = mass;
    def.force = force;
    return def;
}

/* Piston and K grains in a row accelerate together by F / (M + K m). Each contact carries what lies
 * ahead of it. */
static void piston_pushes_a_row(void) {
    const double M = 2.5, m = 0.8, F = 3, dt = 0.01;
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int grains = 1; grains <= 6; grains += 5) {
            for (int turned = 0; turned < 2; turned++) {
                double angle = turned ? 0.83 : 0;
                ScreeVec3 n = rig_rotate_z(angle, rig_vec(1, 0, 0));
                ScreeWorld *world = rig_world(dimension, dt, rig_vec(0, 0, 0), 0.3);
                ScreeWallDef wall = piston(rig_vec(0, 0, 0), n, M, rig_scale(F, n));
                rig_add_wall(world, &wall);
                for (int i = 0; i < grains; i++) {
                    rig_add_ball(world, rig_scale(0.5 + i, n), 0.5, m);
                }
                double a = F / (M + grains * m);
                for (int step = 1; step <= 50; step++) {
                    ScreeReport report = rig_step(world);
                    ScreeWallState w = rig_wall(world, 0);
                    double v = a * step * dt, travel = a * dt * dt * step * (step + 1) / 2;
                    CHECK_VEC(w.now.velocity, rig_scale(v, n), 1e-10 * v);
                    CHECK_VEC(w.displacement, rig_scale(travel, n), 1e-10 * travel);
                    CHECK_VEC(w.now.point, rig_scale(travel, n), 1e-10 * travel + 1e-15);
                    CHECK_VEC(w.load, rig_scale(-grains * m * a, n), 1e-9 * F);
                    for (int i = 0; i < grains; i++) {
                        CHECK_VEC(scree_world_get_bodies(world).velocity[i], rig_scale(v, n),
                                  1e-10 * v);
                    }
                    CHECK_CLOSE(report.kinetic_energy, 0.5 * (M + grains * m) * v * v, 1e-9);
                    CHECK_CLOSE(report.work_external, F * v * dt, 1e-9);
                    CHECK_NEAR(report.energy_error, 0, 1e-13 * F);
                }
                scree_world_destroy(world);
            }
        }
    }
}

/* A column between floor and piston: at rest every contact carries F plus the weight above it. */
static void piston_loads_a_column(void) {
    const double M = 2, m = 0.7, g = 9.81, F = 40, dt = 1e-3;
    for (int dimension = 2; dimension <= 3; dimension++) {
        ScreeWorld *world = rig_world(dimension, dt, rig_vec(0, -g, 0), 0.5);
        int32_t ground = rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        for (int i = 0; i < 5; i++) {
            rig_add_ball(world, rig_vec(0, 0.5 + i, 0), 0.5, m);
        }
        ScreeWallDef wall = piston(rig_vec(0, 5, 0), rig_vec(0, -1, 0), M, rig_vec(0, -F, 0));
        int32_t lid = rig_add_wall(world, &wall);
        for (int step = 0; step < 200; step++) {
            rig_step(world);
        }
        CHECK_CLOSE(rig_wall(world, lid).load.y, F, 1e-10);
        CHECK_CLOSE(rig_wall(world, ground).load.y, -(F + 5 * m * g), 1e-10);
        for (int i = 0; i + 1 < 5; i++) {
            CHECK_CLOSE(rig_contact(world, i, i + 1).normal_impulse / dt, F + (4 - i) * m * g,
                        1e-10);
        }
        CHECK_NEAR(rig_length(rig_wall(world, lid).displacement), 0, 1e-11);

        /* a new force acts at once, and reversing it frees the lid */
        rig_must(scree_wall_set_force(world, (ScreeWallId){lid}, rig_vec(5, -3 * F, 0)), "force");
        rig_step(world);
        CHECK_CLOSE(rig_wall(world, lid).load.y, 3 * F, 1e-9);
        rig_must(scree_wall_set_force(world, (ScreeWallId){lid}, rig_vec(0, F, 0)), "force");
        rig_step(world);
        CHECK_NEAR(rig_wall(world, lid).load.y, 0, 1e-12);
        CHECK_CLOSE(rig_wall(world, lid).now.velocity.y, F / M * dt, 1e-9);
        scree_world_destroy(world);
    }
}

/* A wedge: the plane's normal n and the direction d in which it may move differ, with e = n . d.
 * Without friction the grain moves along n at the speed e w, w that of the piston: a = F / (M + m
 * e^2), N = m e a. With enough friction, and no turning, the grain is carried along d: a = F / (M +
 * m). In between friction slides: T = mu N in the plane, against the grain's motion relative to the
 * piston. */
static void piston_at_an_angle_wedges_the_grain(void) {
    const double M = 1.5, m = 0.8, F = 2, dt = 0.01, lean = 0.7, e = cos(0.7), f = sin(0.7);
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int kind = 0; kind < 3; kind++) {
            const double mu = kind == 0 ? 0 : kind == 1 ? 5 : 0.3;
            ScreeVec3 d = rig_rotate_z(0.4, rig_vec(1, 0, 0)),
                      n = rig_rotate_z(0.4 + lean, rig_vec(1, 0, 0));
            ScreeVec3 t = rig_vec(n.y, -n.x, 0); /* d = e n + f t */
            ScreeWorld *world = rig_world(dimension, dt, rig_vec(0, 0, 0), mu);
            ScreeWallDef wall = piston(rig_vec(0, 0, 0), n, M, rig_scale(F, d));
            wall.direction = rig_scale(3, d); /* of any length */
            wall.force =
                rig_add(wall.force, 7, rig_vec(-d.y, d.x, 0)); /* only the part along d acts */
            rig_add_wall(world, &wall);
            ScreeBodyDef ball = rig_ball(rig_scale(0.5, n), 0.5, m);
            ball.frozen = SCREE_FREEZE_ROTATION;
            rig_add_body(world, &ball);
            /* M a = F - N e - T f; grain: N / m along n, T / m along t; closed: N / m = a e; T = 0,
             * mu N, or T / m = a f */
            double ratio = kind == 0 ? 0 : kind == 1 ? f / e : mu; /* T / N */
            double a = F / (M + m * e * (e + ratio * f)), N = m * e * a;
            for (int step = 1; step <= 20; step++) {
                rig_step(world);
                double v = a * step * dt;
                CHECK_VEC(rig_wall(world, 0).now.velocity, rig_scale(v, d), 1e-10 * v);
                ScreeVec3 grain = rig_scale(N / m * step * dt, rig_add(n, ratio, t));
                CHECK_VEC(scree_world_get_bodies(world).velocity[0], grain, 1e-10 * v);
                CHECK_VEC(rig_wall(world, 0).load, rig_scale(-N, rig_add(n, ratio, t)), 1e-9 * F);
            }
            CHECK(rig_contact(world, 0, -1).state ==
                  (kind == 1 ? SCREE_CONTACT_STICK : SCREE_CONTACT_SLIP));
            scree_world_destroy(world);
        }
    }
}

/* Other shapes as pistons, and an initial velocity: the part along the direction is shared with what
 * it strikes, that across it stays. */
static void block_may_be_a_piston(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        const double M = 4, m = 1, dt = 0.01;
        ScreeWorld *world = rig_world(dimension, dt, rig_vec(0, 0, 0), 0);
        ScreeWallDef wall = scree_wall_def_default();
        wall.shape = SCREE_WALL_BLOCK;
        wall.point = rig_vec(-1, 0, 0);
        wall.half = rig_vec(1, 2, 2);
        wall.motion = SCREE_WALL_PISTON;
        wall.mass = M;
        wall.direction = rig_vec(1, 0, 0);
        wall.velocity = rig_vec(2, 9, 0);
        rig_add_wall(world, &wall);
        rig_add_ball(world, rig_vec(0.5, 0.3, 0), 0.5, m);
        rig_step(world); /* the gap is zero, so the hit ends in this step: inelastic */
        double v = 2 * M / (M + m);
        CHECK_VEC(rig_wall(world, 0).now.velocity, rig_vec(v, 9, 0), 1e-13);
        CHECK_VEC(scree_world_get_bodies(world).velocity[0], rig_vec(v, 0, 0), 1e-13);
        scree_world_destroy(world);
    }
}

/* A heavy lid falls on a grain: piston and grain take two steps to meet, like any two bodies. */
static void falling_piston_meets_a_grain_in_two_steps(void) {
    const double M = 3, m = 1, dt = 0.01, gap = 0.02, v0 = 5;
    ScreeWorld *world = rig_world(3, dt, rig_vec(0, 0, 0), 0.2);
    ScreeWallDef wall = piston(rig_vec(0, 0.5 + gap, 0), rig_vec(0, -1, 0), M, rig_vec(0, 0, 0));
    wall.velocity = rig_vec(0, -v0, 0);
    rig_add_wall(world, &wall);
    rig_add_ball(world, rig_vec(0, 0, 0), 0.5, m);
    rig_step(world);
    double relative =
        rig_wall(world, 0).now.velocity.y - scree_world_get_bodies(world).velocity[0].y;
    CHECK_NEAR(relative, -gap / dt, 1e-12);
    rig_step(world);
    CHECK_NEAR(rig_wall(world, 0).now.velocity.y, -v0 * M / (M + m), 1e-12);
    CHECK_NEAR(scree_world_get_bodies(world).velocity[0].y, -v0 * M / (M + m), 1e-12);
    CHECK_NEAR(rig_wall(world, 0).now.point.y - scree_world_get_bodies(world).position[0].y, 0.5,
               1e-13);
    scree_world_destroy(world);
}

/* 400 spheres under a piston of next to no mass, which presses less than one of them weighs. Sweeps alone pass its
 * force on by a last digit at a time; a few hundred of them, and patches, have to do. */
static void massless_piston_takes_few_sweeps(void) {
    enum { SIDE = 7, SPHERES = 400 };
    ScreeWorldDef def = scree_world_def_default();
    def.time_step = 2e-3;
    def.gravity = rig_vec(0, 0, -9.81);
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0.5);
    uint64_t seed = 5;
    double top = 0;
    const double a = 1.1, width = a * SIDE;
    for (int i = 0; i < SPHERES; i++) {
        const ScreeVec3 place = {i % SIDE + 0.5, i / SIDE % SIDE + 0.5, i / SIDE / SIDE + 0.5};
        const ScreeVec3 at = rig_add(rig_scale(a, place), 1, rig_random_vec(&seed, 0.04, 3));
        rig_add_ball(world, at, 0.4 + 0.1 * rig_random(&seed), 800);
        top = fmax(top, at.z);
    }
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 0, 1));
    for (int side = 0; side < 2; side++) {
        rig_add_plane(world, rig_vec(width * side, 0, 0), rig_vec(1 - 2 * side, 0, 0));
        rig_add_plane(world, rig_vec(0, width * side, 0), rig_vec(0, 1 - 2 * side, 0));
    }
    ScreeWallDef lid = rig_plane(rig_vec(0, 0, top + 0.55), rig_vec(0, 0, -1));
    lid.motion = SCREE_WALL_PISTON;
    lid.mass = 1e-9;
    lid.force = rig_vec(0, 0, -1e3);
    rig_add_wall(world, &lid);
    for (int n = 0; n < 3; n++) {
        const ScreeReport r = rig_step(world);
        CHECK(r.converged && r.iterations < 1000);
        CHECK(n > 0 || r.iterations > 500); /* it stalls indeed */
    }
    scree_world_destroy(world);
}

int main(int argc, char **argv) {
    CHECK_RUN(piston_pushes_a_row);
    CHECK_RUN(piston_loads_a_column);
    CHECK_RUN(piston_at_an_angle_wedges_the_grain);
    CHECK_RUN(block_may_be_a_piston);
    CHECK_RUN(falling_piston_meets_a_grain_in_two_steps);
    CHECK_RUN(massless_piston_takes_few_sweeps);
    return check_result();
}

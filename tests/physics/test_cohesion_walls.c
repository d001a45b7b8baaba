/* Bonds with walls, and the effect of cohesion on friction (BUW 1.8): Coulomb's limit and the
 * bounds of the torques act with N + F_C. */
#include "rig.h"

static const double force_c = 7, range = 0.013;

static ScreeLaw cohesive_law(void) {
    ScreeLaw law = scree_law_default();
    law.cohesion = force_c;
    law.cohesion_range = range;
    return law;
}

/* A ball bonded to the plane through the origin with the normal f.y. */
static ScreeWorld *ball_on_wall(int dimension, RigFrame f, double dt, const ScreeLaw *law, double m,
                                uint32_t frozen) {
    ScreeWorldDef def = rig_def(dimension, dt, rig_scale(-1, f.y));
    ScreeWorld *world = rig_create(&def);
    rig_law(world, law);
    rig_add_plane(world, rig_vec(0, 0, 0), f.y);
    ScreeBodyDef ball = rig_ball(rig_scale(0.5, f.y), 0.5, m);
    ball.frozen = frozen;
    rig_add_body(world, &ball);
    CHECK(rig_step(world).bonds == 1);
    rig_must(scree_world_set_gravity(world, rig_vec(0, 0, 0)), "gravity");
    return world;
}

/* A kick from a wall, with the reduced mass m. */
static void kick_from_a_wall_breaks_by_energy(void) {
    static const double excess[] = {-1e-6, 1e-6};
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++) {
                const double m = 1.3, bond = force_c * range,
                             V = sqrt(2 * bond / m) * (1 + excess[i]);
                RigFrame f = rig_frame(dimension, i + j);
                ScreeLaw law = cohesive_law();
                ScreeWorld *world = ball_on_wall(dimension, f, j == 0 ? 1e-4 : 0.02, &law, m, 0);
                rig_set_motion(world, 0, rig_scale(V, f.y), rig_vec(0, 0, 0));
                ScreeReport report = rig_step(world);
                for (int n = 0; n < 2000; n++) {
                    report = rig_step(world);
                }
                double v = rig_length(scree_world_get_bodies(world).velocity[0]);
                CHECK(report.bonds == 1 - i);
                CHECK_NEAR(0.5 * m * v * v, i == 0 ? 0 : 0.5 * m * V * V - bond, 1e-11 * bond);
                scree_world_destroy(world);
            }
        }
    }
}

/* Under a ceiling that holds its weight, N = -m g, friction is mu (F_C - m g): a block (no turning)
 * holds or slides. Opened a little and left alone, N = 0, it is mu F_C. */
static void run_ceiling(int dimension, int frame, double part, double weight, bool opened) {
    const double m = 1.3, mu = 0.4, dt = 1e-3, limit = mu * (force_c - weight);
    RigFrame f = rig_frame(dimension, frame);
    ScreeLaw law = cohesive_law();
    law.friction = mu;
    ScreeWorld *world = ball_on_wall(dimension, f, dt, &law, m, SCREE_FREEZE_ROTATION);
    if (opened) {
        rig_set_motion(world, 0, rig_scale(sqrt(force_c * range / m), f.y), rig_vec(0, 0, 0));
        for (int n = 0; n < 300; n++) {
            rig_step(world);
        }
    }
    ScreeVec3 start = scree_world_get_bodies(world).position[0];
    CHECK_NEAR(rig_dot(start, f.y), 0.5 + (opened ? 0.5 * range : 0), 0.05 * range);
    ScreeVec3 along = dimension == 3 ? rig_in(f, 0.6, 0, 0.8) : f.x;
    rig_must(scree_world_set_gravity(world, rig_scale(weight / m, f.y)), "gravity");
    rig_must(scree_body_set_force(world, (ScreeBodyId){0}, rig_scale(part * limit, along),
                                  rig_vec(0, 0, 0)),
             "");
    double a = part > 1 ? (part - 1) * limit / m : 0;
    const double fuzz = 1e-16 * m / dt; /* a gap known to 1e-16 */
    for (int n = 1; n <= 50; n++) {
        ScreeReport report = rig_step(world);
        ScreeContact c = rig_contact(world, 0, -1);
        CHECK_NEAR(c.normal_impulse, -weight * dt, 1e-11 * force_c * dt + 4 * fuzz);
        CHECK_VEC(c.tangential_impulse, rig_scale(fmin(part, 1) * limit * dt, along),
                  1e-11 * limit * dt + 4 * fuzz);
        CHECK_VEC(scree_world_get_bodies(world).velocity[0], rig_scale(a * n * dt, along),
                  1e-11 * limit * n * dt + 4 * fuzz);
        CHECK_NEAR(report.dissipation_friction, limit * (n - 0.5) * a * dt * dt, 1e-12 * limit);
        CHECK(c.state == (part > 1 ? SCREE_CONTACT_SLIP : SCREE_CONTACT_STICK));
        CHECK(report.active == 1 && report.bonds == 1);
        CHECK_ENERGY(report, limit);
    }
    CHECK_NEAR(rig_dot(rig_sub(scree_world_get_bodies(world).position[0], start), f.y), 0, 1e-13);
    scree_world_destroy(world);
}

static void cohesion_adds_to_friction(void) {
    static const double part[] = {0.5, 0.9999, 1.0001, 4};
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int i = 0; i < 4; i++) {
            run_ceiling(dimension, i, part[i], 0, false);
            run_ceiling(dimension, i, part[i], 0.7 * force_c, false);
            run_ceiling(dimension, i, part[i], -2, false); /* a floor: mu (F_C + m g) */
            run_ceiling(dimension, i, part[i], 0, true);
            run_ceiling(dimension, i, part[i], 0.5 * force_c, true);
        }
    }
}

/* While the contact opens, N = -F_C leaves nothing for friction. */
static void opening_bond_has_no_friction(void) {
    const double m = 1.3, dt = 1e-3;
    RigFrame f = rig_frame(3, 1);
    ScreeLaw law = cohesive_law();
    law.friction = 2;
    ScreeWorld *world = ball_on_wall(3, f, dt, &law, m, SCREE_FREEZE_ROTATION);
    rig_set_motion(world, 0, rig_scale(0.3, f.x), rig_vec(0, 0, 0));
    rig_must(scree_body_set_force(world, (ScreeBodyId){0}, rig_scale(1.5 * force_c, f.y),
                                  rig_vec(0, 0, 0)),
             "");
    int steps = (int)(sqrt(2 * range * m / (0.5 * force_c)) / dt) - 1;
    for (int n = 1; n <= steps; n++) {
        CHECK(rig_step(world).bonds == 1);
        CHECK_VEC(scree_world_get_bodies(world).velocity[0],
                  rig_in(f, 0.3, 0.5 * force_c / m * n * dt, 0), 1e-11);
    }
    scree_world_destroy(world);
}

/* On a vertical wall the weight exerts the torque r m g, and rolling friction holds with arm
 * F_C. */
static void cohesion_adds_to_rolling_friction(void) {
    const double m = 1.3, dt = 1e-3, g = 4, r = 0.5;
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int i = 0; i < 3; i++) {
            const double part = i == 0 ? 0.9999 : i == 1 ? 1.0001 : 2, k = rig_shape(dimension);
            RigFrame f = rig_frame(dimension, i);
            ScreeLaw law = cohesive_law();
            law.friction = 3;
            law.rolling = m * g / (part * force_c); /* r m g = part arm F_C */
            ScreeWorld *world = ball_on_wall(dimension, f, dt, &law, m, 0);
            rig_must(scree_world_set_gravity(world, rig_scale(g, f.x)), "gravity");
            double a = part > 1 ? (m * g - law.rolling * force_c) / (m * (1 + k)) : 0;
            for (int n = 1; n <= 30; n++) {
                ScreeReport report = rig_step(world);
                CHECK_VEC(scree_world_get_bodies(world).velocity[0], rig_scale(a * n * dt, f.x),
                          1e-11 * g * n * dt + 2e-16 / dt);
                double torque = rig_length(rig_extra(world, 0, -1).torque_impulse);
                CHECK_CLOSE(torque, fmin(part, 1) * law.rolling * r * force_c * dt, 1e-10);
                CHECK_ENERGY(report, m * g * r);
            }
            scree_world_destroy(world);
        }
    }
}

/* Balls hanging one below the other from a ceiling hold if their weight is at most F_C; otherwise
 * they come off together after sqrt(2 d_C / (g - F_C / (n m))). */
static void hanging_chain_holds_or_falls_as_one(void) {
    enum { BALLS = 4 };
    for (int i = 0; i < 2; i++) {
        const double part = i == 0 ? 0.9999 : 1.5, m = 0.8, dt = 1e-3;
        const double g = part * force_c / (BALLS * m);
        ScreeWorldDef def = rig_def(2 + i, dt, rig_vec(0, g, 0));
        ScreeWorld *world = rig_create(&def);
        ScreeLaw law = cohesive_law();
        rig_law(world, &law);
        rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, -1, 0));
        for (int j = 0; j < BALLS; j++) {
            rig_add_ball(world, rig_vec(0, -0.5 - j, 0), 0.5, m);
        }
        rig_step(world); /* gravity presses them up against the ceiling */
        rig_must(scree_world_set_gravity(world, rig_vec(0, -g, 0)), "gravity");
        int last = i == 0 ? 0 : (int)ceil(sqrt(2 * range / (g - force_c / (BALLS * m))) / dt);
        for (int n = 1; n <= (i == 0 ? 50 : last); n++) {
            ScreeReport report = rig_step(world);
            CHECK(report.bonds == BALLS - (i == 1 && n == last));
            CHECK_ENERGY(report, force_c);
            for (int j = 0; j < BALLS && (i == 0 || n < last); j++) {
                double R = rig_contact(world, j, j == 0 ? -1 : j - 1).normal_impulse;
                CHECK_CLOSE(R, -fmin(1, 1 / part) * m * g * (BALLS - j) * dt, 1e-8);
            }
        }
        scree_world_destroy(world);
    }
}

/* Two balls hang from a ceiling; the second also touches a wall. The first is knocked, so that its
 * bond is open by m V^2 / (2 F_C). When the ceiling is removed, the bond with the wall stays
 * whole. */
static void removing_a_wall_keeps_other_bonds(void) {
    const double m = 1, V = 0.2, opened = 0.5 * m * V * V / force_c;
    ScreeWorldDef def = rig_def(2, 1e-3, rig_vec(0, 0, 0));
    ScreeWorld *world = rig_create(&def);
    ScreeLaw law = cohesive_law();
    rig_law(world, &law);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, -1, 0));
    rig_add_plane(world, rig_vec(3, 0, 0), rig_vec(-1, 0, 0));
    rig_add_ball(world, rig_vec(0, -0.5, 0), 0.5, m);
    rig_add_ball(world, rig_vec(2.5, -0.5, 0), 0.5, m);
    rig_set_motion(world, 0, rig_vec(0, -V, 0), rig_vec(0, 0, 0));
    for (int step = 0; step < 100; step++) {
        rig_step(world);
    }
    CHECK_CLOSE(rig_extra(world, 0, -1).opening, opened, 1e-9);
    CHECK_NEAR(rig_extra(world, 1, -2).opening, 0, 1e-12);
    rig_must(scree_wall_remove(world, (ScreeWallId){0}), "remove");
    CHECK(scree_world_get_contacts(world).count == 1);
    CHECK_NEAR(rig_extra(world, 1, -2).opening, 0, 1e-12);
    CHECK(rig_step(world).bonds == 1);
    scree_world_destroy(world);
}

int main(int argc, char **argv) {
    CHECK_RUN(kick_from_a_wall_breaks_by_energy);
    CHECK_RUN(cohesion_adds_to_friction);
    CHECK_RUN(opening_bond_has_no_friction);
    CHECK_RUN(cohesion_adds_to_rolling_friction);
    CHECK_RUN(hanging_chain_holds_or_falls_as_one);
    CHECK_RUN(removing_a_wall_keeps_other_bonds);
    return check_result();
}

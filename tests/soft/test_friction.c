/* Friction of the soft engine against closed forms: slopes, rolling, impacts at an angle, creep of
 * the viscous law, two coefficients. */
#include "soft_rig.h"

static const double g = 9.81, radius = 0.25, mass = 1.7, stiffness = 1e6;

/* A ball that rests on the plane y = 0 at its static overlap, under gravity tilted by an angle. */
static ScreeWorld *on_slope(int dimension, ScreeIntegrator integrator, ScreeSoftFriction friction,
                            const ScreeLaw *law, double angle) {
    ScreeWorldDef def = soft_def(dimension, 0, rig_vec(g * sin(angle), -g * cos(angle), 0));
    def.soft.integrator = integrator;
    def.soft.friction = friction;
    ScreeWorld *world = soft_world(&def, law);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    double overlap = mass * g * cos(angle) / law->stiffness;
    rig_add_ball(world, rig_vec(0, radius - overlap, 0), radius, mass);
    return world;
}

static void run_for(ScreeWorld *world, double time) {
    double end = scree_world_get_time(world) + time;
    while (scree_world_get_time(world) < end) {
        rig_step(world);
    }
}

/* tan a <= mu (1 + k) / k: it rolls with g sin a / (1 + k), else it slides with g (sin a - mu cos
 * a). */
static void incline_rolls_or_slides(void) {
    static const double part[] = {0.3, 0.97, 1.03, 2};
    for (int i = 0; i < 32; i++) {
        int dimension = i % 2 == 0 ? 2 : 3;
        double k = rig_shape(dimension), mu = 0.2;
        bool viscous = i / 16 == 1;
        double angle = atan(part[i / 2 % 4] * mu * (1 + k) / k);
        bool rolls = part[i / 2 % 4] < 1;
        ScreeLaw law = soft_law(stiffness, 0, mu);
        law.damping_tangential = viscous ? 2000 : 100;
        ScreeWorld *world = on_slope(
            dimension, soft_integrators[i / 8 % 2],
            viscous ? SCREE_SOFT_FRICTION_VISCOUS : SCREE_SOFT_FRICTION_SPRING, &law, angle);
        double a = rolls ? g * sin(angle) / (1 + k) : g * (sin(angle) - mu * cos(angle));
        double turn = rolls ? a / radius : mu * g * cos(angle) / (k * radius);
        run_for(world, 0.5);
        double t = scree_world_get_time(world);
        ScreeBodyView b = scree_world_get_bodies(world);
        double tolerance = viscous ? 5e-3 : rolls ? 1e-3 : 4e-3; /* a spring must first be loaded */
        CHECK_CLOSE(b.velocity[0].x, a * t, tolerance);
        CHECK_CLOSE(b.position[0].x, a * t * t / 2, 2 * tolerance);
        CHECK_CLOSE(b.spin[0].z, -turn * t, tolerance);
        ScreeContact c = rig_contact(world, 0, -1);
        CHECK(c.state == (rolls ? SCREE_CONTACT_STICK : SCREE_CONTACT_SLIP));
        CHECK_CLOSE(c.normal_impulse / scree_world_get_contacts(world).time_step,
                    mass * g * cos(angle), 1e-3);
        ScreeReport r = rig_step(world);
        CHECK(r.sliding == !rolls && r.active == 1 && r.contacts == 1);
        scree_world_destroy(world);
    }
}

/* Slides at v0, rolls after v0 / (mu g (1 + 1/k)), at v0 / (1 + k): 5/7 and 2/3. */
static void sliding_ball_begins_to_roll(void) {
    for (int i = 0; i < 8; i++) {
        int dimension = i % 2 == 0 ? 2 : 3;
        double k = rig_shape(dimension), mu = 0.3, v0 = 2;
        bool viscous = i / 4 == 1;
        ScreeLaw law = soft_law(stiffness, 0, mu);
        law.damping_tangential = viscous ? 3000 : 100;
        ScreeWorld *world =
            on_slope(dimension, soft_integrators[i / 2 % 2],
                     viscous ? SCREE_SOFT_FRICTION_VISCOUS : SCREE_SOFT_FRICTION_SPRING, &law, 0);
        rig_must(
            scree_body_set_velocity(world, (ScreeBodyId){0}, rig_vec(v0, 0, 0), rig_vec(0, 0, 0)),
            "v");
        double rolling = v0 / (mu * g * (1 + 1 / k)), dissipated = 0, stopped = 0;
        while (scree_world_get_time(world) < 1.5 * rolling) {
            ScreeReport r = rig_step(world);
            dissipated += r.dissipation_friction;
            stopped = r.sliding > 0 ? r.time : stopped;
        }
        CHECK_CLOSE(stopped, rolling, 0.02);
        CHECK_CLOSE(scree_world_get_bodies(world).velocity[0].x, v0 / (1 + k), 2e-3);
        CHECK_CLOSE(scree_world_get_bodies(world).spin[0].z, -v0 / (1 + k) / radius, 2e-3);
        /* 1/2 m v0^2 becomes 1/2 m (1 + k) (v0 / (1 + k))^2 */
        CHECK_CLOSE(dissipated, 0.5 * mass * v0 * v0 * k / (1 + k), 5e-3);
        scree_world_destroy(world);
    }
}

/* A ball meets a wall at such a flat angle that it slides all the time: the tangential impulse is
 * mu times the normal one, m (1 + e) v_n. */
static void sliding_impact_takes_friction_times_normal(void) {
    for (int i = 0; i < 8; i++) {
        double e = i % 2 == 0 ? 0.8 : 0.4, mu = 0.15, vn = 1, vt = 4;
        ScreeLaw law = soft_law(stiffness, e, mu);
        bool viscous = i / 4 == 1;
        law.damping_tangential = viscous ? 2000 : 0;
        law.stiffness_tangential = 4 * stiffness; /* loaded quickly */
        ScreeWorldDef def = soft_def(3, 0, rig_vec(0, 0, 0));
        def.soft.integrator = soft_integrators[i / 2 % 2];
        def.soft.friction = viscous ? SCREE_SOFT_FRICTION_VISCOUS : SCREE_SOFT_FRICTION_SPRING;
        ScreeWorld *world = soft_world(&def, &law);
        rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        ScreeBodyDef ball = rig_ball(rig_vec(0, radius + 1e-3, 0), radius, mass);
        ball.velocity = rig_vec(0.6 * vt, -vn, 0.8 * vt);
        rig_add_body(world, &ball);
        run_for(world, 0.01);
        ScreeBodyView b = scree_world_get_bodies(world);
        double lost = mu * (1 + e) * vn;
        ScreeVec3 along = rig_vec(0.6, 0, 0.8);
        CHECK(b.position[0].y > radius);
        CHECK_CLOSE(b.velocity[0].y, e * vn, 0.02);
        CHECK_CLOSE(vt - rig_dot(b.velocity[0], along), lost, 0.02);
        CHECK_NEAR(rig_dot(b.velocity[0], rig_vec(0.8, 0, -0.6)), 0, 1e-9);
        ScreeVec3 axis = rig_cross(rig_vec(0, 1, 0), along);
        CHECK_CLOSE(rig_dot(b.spin[0], axis), lost / (0.4 * radius), 0.02);
        scree_world_destroy(world);
    }
}

/* A ball that cannot turn, on a slope that is not too steep: the viscous law lets it creep at m g
 * sin a / gamma, the spring holds it within m g sin a / k_t. */
static void viscous_friction_creeps_and_springs_hold(void) {
    for (int viscous = 0; viscous < 2; viscous++) {
        double angle = 0.1, gamma = 500;
        ScreeLaw law = soft_law(stiffness, 0, 0.3);
        law.damping_tangential = gamma;
        ScreeWorld *world = on_slope(
            3, SCREE_INTEGRATOR_VELOCITY_VERLET,
            viscous ? SCREE_SOFT_FRICTION_VISCOUS : SCREE_SOFT_FRICTION_SPRING, &law, angle);
        rig_must(scree_body_set_frozen(world, (ScreeBodyId){0}, SCREE_FREEZE_ROTATION), "frozen");
        run_for(world, 1);
        double x = scree_world_get_bodies(world).position[0].x;
        run_for(world, 1);
        double travel = scree_world_get_bodies(world).position[0].x - x,
               force = mass * g * sin(angle);
        CHECK_NEAR(travel, viscous ? force / gamma : 0, viscous ? 1e-3 * force / gamma : 1e-12);
        if (!viscous) {
            CHECK_CLOSE(x, force / (2.0 / 7 * stiffness), 1e-6);
        }
        CHECK_CLOSE(rig_wall(world, 0).load.x, force, 1e-6);
        scree_world_destroy(world);
    }
}

/* Two coefficients: a force between mu N and mu_s N does not set a resting ball in motion but keeps
 * a moving one going; once that comes to rest it holds again. */
static void two_coefficients_hold_and_slide(void) {
    const double mu = 0.2, mu_static = 0.5;
    ScreeLaw law = soft_law(stiffness, 0, mu);
    law.friction_static = mu_static;
    law.damping_tangential = 2 * sqrt(2.0 / 7 * stiffness * mass); /* no overshoot */
    for (int moving = 0; moving < 2; moving++) {
        ScreeWorld *world =
            on_slope(3, SCREE_INTEGRATOR_VELOCITY_VERLET, SCREE_SOFT_FRICTION_SPRING, &law, 0);
        rig_must(scree_body_set_frozen(world, (ScreeBodyId){0}, SCREE_FREEZE_ROTATION), "frozen");
        double force = 0.35 * mass * g, v0 = 0.5 * moving;
        rig_must(
            scree_body_set_velocity(world, (ScreeBodyId){0}, rig_vec(v0, 0, 0), rig_vec(0, 0, 0)),
            "v");
        rig_must(
            scree_body_set_force(world, (ScreeBodyId){0}, rig_vec(force, 0, 0), rig_vec(0, 0, 0)),
            "f");
        run_for(world, 0.4);
        double t = scree_world_get_time(world), v = scree_world_get_bodies(world).velocity[0].x;
        double a = 0.35 * g - mu * g;
        CHECK_NEAR(v, moving ? v0 + a * t : 0, moving ? 2e-3 * v : 1e-9);
        CHECK(rig_contact(world, 0, -1).state ==
              (moving ? SCREE_CONTACT_SLIP : SCREE_CONTACT_STICK));
        /* slower, to a stop: the same force no longer moves it */
        rig_must(
            scree_body_set_velocity(world, (ScreeBodyId){0}, rig_vec(1e-3, 0, 0), rig_vec(0, 0, 0)),
            "v");
        rig_must(scree_body_set_force(world, (ScreeBodyId){0}, rig_vec(0, 0, 0), rig_vec(0, 0, 0)),
                 "f");
        run_for(world, 0.1);
        rig_must(
            scree_body_set_force(world, (ScreeBodyId){0}, rig_vec(force, 0, 0), rig_vec(0, 0, 0)),
            "f");
        run_for(world, 0.2);
        CHECK_NEAR(scree_world_get_bodies(world).velocity[0].x, 0, 1e-6);
        CHECK_CLOSE(rig_wall(world, 0).load.x, force, 1e-3);
        /* and more than mu_s N does */
        force = 1.2 * mu_static * mass * g;
        rig_must(
            scree_body_set_force(world, (ScreeBodyId){0}, rig_vec(force, 0, 0), rig_vec(0, 0, 0)),
            "f");
        double before = scree_world_get_bodies(world).position[0].x;
        run_for(world, 0.2);
        double travel = 0.5 * (1.2 * mu_static - mu) * g * 0.04;
        CHECK_CLOSE(scree_world_get_bodies(world).position[0].x - before, travel, 0.03);
        scree_world_destroy(world);
    }
}

/* At the bottom of a turning drum a ball that rolls on the spot keeps doing so. One that is dropped
 * there swings to and fro, and the work of the drum, that of gravity and the losses add up. */
static void ball_in_a_drum_balances_its_energy(void) {
    for (int i = 0; i < 8; i++) {
        int dimension = i % 2 == 0 ? 2 : 3;
        bool dropped = i / 4 == 1;
        ScreeLaw law = soft_law(1e5, 0, 0.5);
        law.damping_tangential = 50;
        ScreeWorldDef def = soft_def(dimension, 0, rig_vec(0, -g, 0));
        def.soft.integrator = soft_integrators[i / 2 % 2];
        ScreeWorld *world = soft_world(&def, &law);
        ScreeWallDef drum = scree_wall_def_default();
        drum.shape = SCREE_WALL_CYLINDER;
        drum.radius = 1;
        drum.inside = true;
        drum.motion = SCREE_WALL_MOVED;
        drum.spin = rig_vec(0, 0, 2);
        rig_add_wall(world, &drum);
        double overlap = mass * g / 1e5, middle = radius - overlap / 2;
        ScreeBodyDef ball = rig_ball(rig_vec(0, -0.75 - overlap, 0), radius, mass);
        ball.spin = rig_vec(0, 0, dropped ? 0 : 2 * (1 + overlap / 2) / middle);
        rig_add_body(world, &ball);
        double start = soft_kinetic(world) + overlap * mass * g / 2, sum = 0, work = 0, end = 0;
        while (scree_world_get_time(world) < 2) {
            ScreeReport r = rig_step(world);
            sum += r.work_walls + r.work_external - r.dissipation;
            work += r.work_walls;
            end = r.kinetic_energy + r.energy_elastic;
        }
        ScreeBodyView b = scree_world_get_bodies(world);
        if (!dropped) {
            CHECK_NEAR(b.position[0].x, 0, 1e-6);
            CHECK_CLOSE(b.position[0].y, -0.75 - overlap, 1e-6);
            CHECK_CLOSE(b.spin[0].z, ball.spin.z, 1e-4);
            CHECK_CLOSE(rig_wall(world, 0).load.y, -mass * g, 1e-4);
            CHECK_NEAR(rig_wall(world, 0).load_torque.z, 0, 1e-4);
        } else {
            CHECK(work > 1 && fabs(b.spin[0].z) > 1);
            CHECK_NEAR(end - start, sum, 2e-3 * work);
        }
        scree_world_destroy(world);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(incline_rolls_or_slides);
    CHECK_RUN(sliding_ball_begins_to_roll);
    CHECK_RUN(sliding_impact_takes_friction_times_normal);
    CHECK_RUN(viscous_friction_creeps_and_springs_hold);
    CHECK_RUN(two_coefficients_hold_and_slide);
    CHECK_RUN(ball_in_a_drum_balances_its_energy);
    return check_result();
}

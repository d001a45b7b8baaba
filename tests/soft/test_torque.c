/* Rolling and torsion friction and cohesion of the soft engine, against the closed forms of the
 * rigid laws as far as springs allow. */
#include "shape_rig.h"

static const double g = 9.81, radius = 0.25, mass = 1.7, stiffness = 1e6;

static ScreeWorld *on_plane(int dimension, ScreeIntegrator integrator, const ScreeLaw *law) {
    ScreeWorldDef def = soft_def(dimension, 0, rig_vec(0, -g, 0));
    def.soft.integrator = integrator;
    ScreeWorld *world = soft_world(&def, law);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    rig_add_ball(world, rig_vec(0, radius - mass * g / stiffness, 0), radius, mass);
    return world;
}

static void run_for(ScreeWorld *world, double time) {
    double end = scree_world_get_time(world) + time;
    while (scree_world_get_time(world) < end) {
        rig_step(world);
    }
}

/* ---------------------------------------------------------------- rolling */

/* The bound on the torque over the weight, for each way to give it. */
static double rolling_length(int dimension, const ScreeLaw *law) {
    double n = radius * mass * g;
    return law->rolling * radius + law->rolling_length +
           law->rolling_hertz * (dimension == 2 ? sqrt(n) : cbrt(n));
}

/* Decelerates by mu_t g / (r (1 + k)) until it stands still. */
static void rolling_slows_down(void) {
    for (int i = 0; i < 16; i++) {
        int dimension = i % 2 == 0 ? 2 : 3;
        double k = rig_shape(dimension), v0 = 0.5;
        ScreeLaw law = soft_law(stiffness, 0.1, 0.8);
        law.damping_tangential = 300;
        law.rolling = i / 2 % 4 == 0 || i / 2 % 4 == 3 ? 0.04 : 0;
        law.rolling_length = i / 2 % 4 == 1 || i / 2 % 4 == 3 ? 0.01 : 0;
        law.rolling_hertz = i / 2 % 4 == 2 || i / 2 % 4 == 3 ? 0.005 : 0;
        ScreeWorld *world = on_plane(dimension, soft_integrators[i / 8], &law);
        ScreeVec3 v = dimension == 2 ? rig_vec(v0, 0, 0) : rig_vec(0.6 * v0, 0, 0.8 * v0);
        ScreeVec3 spin = rig_scale(1 / radius, rig_cross(rig_vec(0, 1, 0), v));
        rig_must(scree_body_set_velocity(world, (ScreeBodyId){0}, v, spin), "velocity");
        double a = rolling_length(dimension, &law) * g / (radius * (1 + k)), stop = v0 / a;
        double lost = 0, energy = soft_kinetic(world);
        while (scree_world_get_time(world) < stop / 2) {
            lost += rig_step(world).dissipation_rolling;
        }
        double t = scree_world_get_time(world), now = v0 - a * t;
        ScreeBodyView b = scree_world_get_bodies(world);
        CHECK_CLOSE(rig_dot(b.velocity[0], v) / v0, now, 1e-2);
        CHECK_CLOSE(rig_length(b.spin[0]) * radius, now, 1e-2);
        CHECK_CLOSE(lost, energy * (1 - now * now / (v0 * v0)), 1e-2);
        run_for(world, stop);
        double travel = rig_length(scree_world_get_bodies(world).position[0]);
        run_for(world, stop);
        CHECK_NEAR(rig_length(scree_world_get_bodies(world).velocity[0]), 0, 1e-6);
        CHECK_NEAR(rig_length(scree_world_get_bodies(world).position[0]), travel, 1e-6);
        CHECK_CLOSE(travel, hypot(radius, v0 * v0 / (2 * a)), 0.02);
        scree_world_destroy(world);
    }
}

/* On a slope it stands as long as tan a <= mu_t / r, and rolls off beyond. */
static void rolling_holds_on_a_slope(void) {
    for (int i = 0; i < 4; i++) {
        ScreeLaw law = soft_law(stiffness, 0, 0.8);
        law.damping_tangential = 300;
        law.rolling = 0.1;
        ScreeWorld *world = on_plane(i % 2 == 0 ? 2 : 3, SCREE_INTEGRATOR_VELOCITY_VERLET, &law);
        double angle = atan(i / 2 == 0 ? 0.09 : 0.11);
        rig_must(scree_world_set_gravity(world, rig_vec(0, -g, 0)), "gravity");
        run_for(world, 0.1);
        for (int n = 1; n <= 20; n++) { /* little by little */
            rig_must(scree_world_set_gravity(
                         world, rig_vec(g * sin(angle * n / 20), -g * cos(angle * n / 20), 0)),
                     "gravity");
            run_for(world, 0.01);
        }
        run_for(world, 0.5);
        double v = scree_world_get_bodies(world).velocity[0].x;
        CHECK(i / 2 == 0 ? fabs(v) < 1e-4 : v > 0.01);
        scree_world_destroy(world);
    }
}

/* A spin about the normal decays at mu_n m g / I, to nothing. */
static void torsion_decays(void) {
    for (int i = 0; i < 4; i++) {
        ScreeLaw law = soft_law(stiffness, 0.1, 0.5);
        law.torsion = i % 2 == 0 ? 0.03 : 0;
        law.torsion_length = i % 2 == 1 ? 0.01 : 0;
        ScreeWorld *world = on_plane(3, soft_integrators[i / 2], &law);
        double w0 = 5, length = law.torsion * radius + law.torsion_length;
        double rate = length * mass * g / (0.4 * mass * radius * radius), stop = w0 / rate;
        rig_must(
            scree_body_set_velocity(world, (ScreeBodyId){0}, rig_vec(0, 0, 0), rig_vec(0, w0, 0)),
            "spin");
        double lost = 0;
        while (scree_world_get_time(world) < stop / 2) {
            lost += rig_step(world).dissipation_torsion;
        }
        double now = w0 - rate * scree_world_get_time(world);
        CHECK_CLOSE(scree_world_get_bodies(world).spin[0].y, now, 5e-3);
        CHECK_CLOSE(lost, 0.2 * mass * radius * radius * (w0 * w0 - now * now), 5e-3);
        ScreeContactView view = scree_world_get_contacts(world);
        CHECK(view.count == 1 && view.extra != NULL);
        CHECK_CLOSE(fabs(view.extra[0].torque_impulse.y), length * mass * g * view.time_step, 1e-6);
        CHECK_CLOSE(fabs(rig_wall(world, 0).load_torque.y), length * mass * g, 1e-3);
        run_for(world, stop);
        CHECK_NEAR(scree_world_get_bodies(world).spin[0].y, 0, 1e-6);
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- cohesion */

static const double strength = 40, range = 0.004;

/* Two balls that just touch, without gravity, glued. */
static ScreeWorld *glued(double modulus, double time_step) {
    ScreeLaw law = soft_law(stiffness, 0.3, 0.4);
    law.cohesion = strength;
    law.cohesion_range = range;
    law.modulus = modulus;
    ScreeWorldDef def = soft_def(3, time_step, rig_vec(0, 0, 0));
    ScreeWorld *world = soft_world(&def, &law);
    rig_add_ball(world, rig_vec(0, 0, 0), radius, mass);
    rig_add_ball(world, rig_vec(2 * radius - 1e-9, 0, 0), radius, mass);
    return world;
}

static double gap_of(const ScreeWorld *world) {
    ScreeBodyView b = scree_world_get_bodies(world);
    return rig_length(rig_sub(b.position[1], b.position[0])) - 2 * radius;
}

static void pull(ScreeWorld *world, double force) {
    for (int i = 0; i < 2; i++) {
        ScreeVec3 f = rig_vec(i == 0 ? -force : force, 0, 0);
        rig_must(scree_body_set_force(world, (ScreeBodyId){i}, f, rig_vec(0, 0, 0)), "force");
    }
}

/* A pull of less than F only stretches the spring; more opens the contact, which tears after sqrt(2
 * d m* / (P - F)). */
static void pulls_open_the_bond_beyond_its_force(void) {
    static const double step[] = {0, 1e-5, 4e-5};
    for (int i = 0; i < 6; i++) {
        double modulus = i / 3 == 0 ? 0 : 3e8;
        ScreeWorld *world = glued(modulus, step[i % 3]);
        double force = 0.9 * strength;
        for (int n = 1; n <= 20; n++) {
            pull(world, force * n / 20);
            run_for(world, 0.002);
        }
        run_for(world, 0.1);
        CHECK(gap_of(world) > 0 && gap_of(world) < 0.1 * range);
        CHECK_CLOSE(-rig_contact(world, 0, 1).normal_impulse,
                    force * scree_world_get_def(world).time_step, 1e-3);
        CHECK(rig_step(world).bonds == 1 && scree_world_get_contacts(world).extra[0].opening >= 0);
        pull(world, 1.5 * strength);
        double begin = scree_world_get_time(world);
        while (rig_step(world).bonds > 0 && scree_world_get_time(world) < begin + 1) {
        }
        CHECK_CLOSE(scree_world_get_time(world) - begin,
                    sqrt(2 * range * 0.5 * mass / (0.5 * strength)), 0.05);
        CHECK(scree_world_get_contacts(world).count == 0);
        scree_world_destroy(world);
    }
}

/* A ball or a block that stands on the floor, `gap` above it, and is pulled up by less than the
 * bonds hold: two corners of a block carry half each. */
static ScreeWorld *standing(bool block, double gap, double force) {
    ScreeLaw law = soft_law(stiffness, 0.3, 0.4);
    law.cohesion = strength;
    law.cohesion_range = range;
    ScreeWorldDef def = soft_def(2, 0, rig_vec(0, 0, 0));
    ScreeWorld *world = soft_world(&def, &law);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    ScreeBodyDef body = block ? shape_body(shape_box(world, radius, radius, 0), rig_vec(0, 0, 0), 0)
                              : rig_ball(rig_vec(0, 0, 0), radius, 0);
    body.mass = mass;
    body.position.y = radius + gap;
    body.force = rig_vec(0, block ? 2 * force : force, 0);
    rig_add_body(world, &body);
    return world;
}

/* What touches at the start is bonded, whether it overlaps, just touches or is apart by rounding:
 * pulled with half the force of the bond it hangs at the gap P / k. What is farther apart is not.
 * Likewise in contact dynamics. */
static void touching_grains_are_bonded_from_the_start(void) {
    static const double gap[] = {-1e-9, 0, 1e-13, 1e-6};
    for (int i = 0; i < 12; i++) {
        bool bonded = i % 4 < 3;
        int kind = i / 4; /* two balls, a ball and a wall, a block and a wall */
        ScreeWorld *world =
            kind == 0 ? glued(0, 0) : standing(kind == 2, gap[i % 4] * radius, 0.5 * strength);
        ScreeVec3 at = rig_vec(2 * radius + gap[i % 4] * radius, 0, 0);
        if (kind == 0) {
            rig_must(scree_body_set_position(world, (ScreeBodyId){1}, at), "position");
            pull(world, 0.5 * strength);
        }
        CHECK(rig_step(world).bonds == (bonded ? (kind == 2 ? 2 : 1) : 0));
        run_for(world, 0.3);
        double end =
            kind == 0 ? gap_of(world) : scree_world_get_bodies(world).position[0].y - radius;
        if (bonded) {
            CHECK_CLOSE(end, 0.5 * strength / stiffness, 1e-3);
        } else {
            CHECK(end > 2 * range);
        }
        scree_world_destroy(world);
    }
}

/* A kick escapes if m* V^2 / 2 > F d, at any time step; otherwise it stops at m* V^2 / (2 F) and is
 * not pulled back. */
static void kicks_break_the_bond_by_energy(void) {
    static const double part[] = {0.25, 0.97, 1.03, 2}, step[] = {1e-6, 1e-5, 4e-5};
    for (int i = 0; i < 12; i++) {
        double p = part[i % 4], work = strength * range, speed = sqrt(2 * p * work / (0.5 * mass));
        ScreeWorld *world = glued(0, step[i / 4]);
        rig_must(scree_body_set_velocity(world, (ScreeBodyId){1}, rig_vec(speed / 2, 0, 0),
                                         rig_vec(0, 0, 0)),
                 "v");
        rig_must(scree_body_set_velocity(world, (ScreeBodyId){0}, rig_vec(-speed / 2, 0, 0),
                                         rig_vec(0, 0, 0)),
                 "v");
        double lost = 0, glue = 0, end = 0;
        while (scree_world_get_time(world) < 0.05) {
            ScreeReport r = rig_step(world);
            lost += r.dissipation;
            glue += r.dissipation_cohesion;
            end = r.kinetic_energy + r.energy_elastic;
        }
        double escaped = p > 1 ? (p - 1) * work : 0;
        CHECK((scree_world_get_contacts(world).count == 0) == (p > 1));
        CHECK_NEAR(end, escaped, 0.02 * work);
        CHECK_NEAR(lost, p * work - escaped, 0.02 * work);
        CHECK(glue > 0.95 * fmin(p, 1) * work);
        if (p < 1) {
            CHECK_NEAR(gap_of(world), p * range, 1.5 * strength / stiffness);
        } else {
            CHECK(gap_of(world) > range);
        }
        scree_world_destroy(world);
    }
}

/* A gap that has opened closes when pushed, and the bond is then as strong as ever. */
static void pushed_together_the_bond_is_renewed(void) {
    ScreeWorld *world = glued(0, 1e-5);
    for (int i = 0; i < 3; i++) {
        double speed = sqrt(2 * 0.8 * strength * range / (0.5 * mass));
        rig_must(scree_body_set_velocity(world, (ScreeBodyId){1}, rig_vec(speed / 2, 0, 0),
                                         rig_vec(0, 0, 0)),
                 "v");
        rig_must(scree_body_set_velocity(world, (ScreeBodyId){0}, rig_vec(-speed / 2, 0, 0),
                                         rig_vec(0, 0, 0)),
                 "v");
        run_for(world, 0.05);
        CHECK_CLOSE(gap_of(world), 0.8 * range, 0.03);
        pull(world, -5);
        run_for(world, 0.1);
        CHECK(gap_of(world) < 0);
        CHECK(rig_step(world).bonds == 1);
        pull(world, 0);
        run_for(world, 0.05);
    }
    scree_world_destroy(world);
}

/* Friction acts with N + F. */
static void cohesion_adds_to_friction(void) {
    for (int i = 0; i < 2; i++) {
        ScreeLaw law = soft_law(stiffness, 0, 0.4);
        law.cohesion = strength;
        law.cohesion_range = range;
        law.damping_tangential = 2 * sqrt(2.0 / 7 * stiffness * mass);
        ScreeWorld *world = on_plane(3, SCREE_INTEGRATOR_VELOCITY_VERLET, &law);
        rig_must(scree_body_set_frozen(world, (ScreeBodyId){0}, SCREE_FREEZE_ROTATION), "frozen");
        run_for(world, 0.05);
        double limit = 0.4 * (mass * g + strength), force = (i == 0 ? 0.97 : 1.2) * limit;
        rig_must(
            scree_body_set_force(world, (ScreeBodyId){0}, rig_vec(force, 0, 0), rig_vec(0, 0, 0)),
            "f");
        run_for(world, 0.2);
        double v = scree_world_get_bodies(world).velocity[0].x;
        CHECK_NEAR(v, i == 0 ? 0 : 0.2 * limit / mass * 0.2, i == 0 ? 1e-6 : 0.03 * v);
        scree_world_destroy(world);
    }
}

/* Hanging from a ceiling: holds if m g <= F. */
static void hanging_ball_holds_up_to_the_bond(void) {
    for (int i = 0; i < 4; i++) {
        double heavy = i % 2 == 0 ? 0.95 * strength / g : 1.05 * strength / g;
        ScreeLaw law = soft_law(stiffness, 0, 0);
        law.cohesion = strength;
        law.cohesion_range = range;
        ScreeWorldDef def = soft_def(i / 2 == 0 ? 2 : 3, 0, rig_vec(0, -g, 0));
        ScreeWorld *world = soft_world(&def, &law);
        rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, -1, 0));
        rig_add_ball(world, rig_vec(0, -radius + 1e-9, 0), radius, heavy);
        run_for(world, 1);
        double y = scree_world_get_bodies(world).position[0].y;
        CHECK(i % 2 == 0 ? y > -radius - 0.05 * range - heavy * g / stiffness : y < -1);
        if (i % 2 == 0) {
            CHECK_CLOSE(rig_wall(world, 0).load.y, -heavy * g, 1e-6);
        }
        scree_world_destroy(world);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(rolling_slows_down);
    CHECK_RUN(rolling_holds_on_a_slope);
    CHECK_RUN(torsion_decays);
    CHECK_RUN(pulls_open_the_bond_beyond_its_force);
    CHECK_RUN(kicks_break_the_bond_by_energy);
    CHECK_RUN(pushed_together_the_bond_is_renewed);
    CHECK_RUN(touching_grains_are_bonded_from_the_start);
    CHECK_RUN(cohesion_adds_to_friction);
    CHECK_RUN(hanging_ball_holds_up_to_the_bond);
    return check_result();
}

/* Two coefficients of friction (RSDW section 3.3, C2): a contact that did not slide holds up to
 * mu_s N, one that slides has mu_d N. So the motion depends on the past: under a force between the
 * two bounds what rests stays at rest, and what moves keeps moving. */
#include "rig.h"

static const double gravity = 9.81, mass = 1.3, weight = 1.3 * 9.81, dt = 1e-3;
static const double mu_s = 0.6, mu_d = 0.4;

static ScreeLaw two_law(void) {
    ScreeLaw law = scree_law_default();
    law.friction = mu_d;
    law.friction_static = mu_s;
    return law;
}

/* A block (a ball that does not turn) or a ball on a plane; everything happens along the direction
 * `along`. */
typedef struct Rig {
    ScreeWorld *world;
    ScreeVec3 along;
} Rig;
static Rig on_plane(int dimension, int frame, const ScreeLaw *law, bool turns) {
    RigFrame f = rig_frame(dimension, frame);
    ScreeWorldDef def = rig_def(dimension, dt, rig_scale(-gravity, f.y));
    Rig r = {rig_create(&def), dimension == 3 ? rig_in(f, 0.6, 0, 0.8) : f.x};
    rig_law(r.world, law);
    rig_add_plane(r.world, rig_vec(0, 0, 0), f.y);
    ScreeBodyDef ball = rig_ball(rig_scale(0.5, f.y), 0.5, mass);
    ball.frozen = turns ? 0 : SCREE_FREEZE_ROTATION;
    rig_add_body(r.world, &ball);
    return r;
}
static void push(const Rig *r, double force) {
    rig_must(scree_body_set_force(r->world, (ScreeBodyId){0}, rig_scale(force, r->along),
                                  rig_vec(0, 0, 0)),
             "");
}
static double speed(const Rig *r) {
    return rig_dot(scree_world_get_bodies(r->world).velocity[0], r->along);
}
/* Friction on the block along the motion, as a fraction of its weight. */
static double friction(const Rig *r) {
    return -rig_dot(rig_contact(r->world, 0, -1).tangential_impulse, r->along) / (weight * dt);
}
/* Where a force reverses the motion within the step, friction acts for a moment along the mean
 * motion: its part is negative, and the scheme's part makes up for it. */
static void check_balance(const ScreeReport *report, bool turned) {
    if (turned) {
        CHECK_NEAR(report->energy_error, 0, 1e-12 * weight);
        CHECK(report->dissipation + report->dissipation_scheme >= -1e-13 * weight);
    } else {
        CHECK_ENERGY(*report, weight);
    }
}
static ScreeReport step(const Rig *r, ScreeContactState state) {
    double before = speed(r);
    ScreeReport report = rig_step(r->world);
    CHECK((ScreeContactState)rig_contact(r->world, 0, -1).state == state);
    double mean = 0.5 * (before + speed(r)); /* what friction takes: force times distance */
    CHECK_NEAR(report.dissipation_friction, -friction(r) * weight * mean * dt, 1e-12);
    CHECK_NEAR(report.dissipation, report.dissipation_friction, 1e-12);
    CHECK(report.converged == 1);
    check_balance(&report, before * friction(r) > 0);
    return report;
}

/* ---------------------------------------------------------------- a force that grows and falls */

static void run_ramp(int dimension, int frame) {
    ScreeLaw law = two_law();
    Rig r = on_plane(dimension, frame, &law, false);
    double v = 0;
    for (int n = 0; n < 60; n++) { /* held up to the static bound */
        double F = mu_s * weight * n / 59.0001;
        push(&r, F);
        step(&r, SCREE_CONTACT_STICK);
        CHECK_NEAR(speed(&r), 0, 1e-13);
        CHECK_NEAR(friction(&r), -F / weight, 1e-11);
    }
    /* once loose, it stays loose */
    static const double part[] = {1.0001 * 0.6, 0.55, 0.41, 0.4, 0.5};
    for (int n = 0; n < 50; n++) {
        double F = part[n / 10] * weight;
        push(&r, F);
        step(&r, SCREE_CONTACT_SLIP);
        v += (F - mu_d * weight) * dt / mass;
        CHECK_NEAR(speed(&r), v, 1e-12);
        CHECK_NEAR(friction(&r), -mu_d, 1e-11);
    }
    push(&r, 0.3 * weight); /* less than mu_d: it slows down and stops */
    while (v > 0.1 * gravity * dt) {
        step(&r, SCREE_CONTACT_SLIP);
        v -= 0.1 * gravity * dt;
        CHECK_NEAR(speed(&r), v, 1e-12);
    }
    step(&r, SCREE_CONTACT_STICK);
    for (int n = 0; n < 40; n++) { /* and holds again, in either direction */
        double F = (n < 20 ? 0.9999 : -0.9999) * mu_s * weight;
        push(&r, F);
        step(&r, SCREE_CONTACT_STICK);
        CHECK_NEAR(speed(&r), 0, 1e-13);
    }
    push(&r, -1.0001 * mu_s * weight);
    step(&r, SCREE_CONTACT_SLIP);
    CHECK_NEAR(speed(&r), -(1.0001 * mu_s - mu_d) * gravity * dt, 1e-12);
    scree_world_destroy(r.world);
}

static void block_holds_to_static_and_slides_at_dynamic_friction(void) {
    for (int frame = 0; frame < RIG_FRAMES; frame++) {
        run_ramp(2, frame);
        run_ramp(3, frame);
    }
}

/* ---------------------------------------------------------------- a force between the bounds */

/* At rest: stays. Moving with the force: gains speed for ever. Moving against it: is brought to
 * rest, and stays. */
static void between_the_bounds_rest_stays_and_motion_goes_on(void) {
    const double F = 0.5 * weight;
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int kind = -1; kind <= 1; kind++) {
            ScreeLaw law = two_law();
            Rig r = on_plane(dimension, kind + 1, &law, false);
            double v = 0.0203 * kind;
            rig_set_motion(r.world, 0, rig_scale(v, r.along), rig_vec(0, 0, 0));
            push(&r, F);
            for (int n = 0; n < 100; n++) {
                double free = v + F / mass * dt, brake = mu_d * gravity * dt;
                v = v > 0 ? free - brake : v < 0 ? fmin(0, free + brake) : 0;
                step(&r, v == 0 ? SCREE_CONTACT_STICK : SCREE_CONTACT_SLIP);
                CHECK_NEAR(speed(&r), v, 1e-12);
            }
            CHECK(kind == 1 ? v > 0.1 : v == 0);
            CHECK_NEAR(friction(&r), kind == 1 ? -mu_d : -0.5, 1e-10);
            scree_world_destroy(r.world);
        }
    }
}

/* A force above the static bound does not hold what it reverses: the velocity passes through zero
 * within a step or two of the exact time, and the block goes on with mu_d. */
static void block_turns_round_above_static_friction(void) {
    const double F = 0.7 * weight, v0 = -0.1;
    for (int dimension = 2; dimension <= 3; dimension++) {
        ScreeLaw law = two_law();
        Rig r = on_plane(dimension, dimension, &law, false);
        rig_set_motion(r.world, 0, rig_scale(v0, r.along), rig_vec(0, 0, 0));
        push(&r, F);
        double zero = -v0 / ((0.7 + mu_d) * gravity), rate = (0.7 - mu_d) * gravity;
        for (int n = 1; n <= 60; n++) {
            double t = n * dt, before = speed(&r);
            ScreeReport report = rig_step(r.world);
            double v = speed(&r);
            check_balance(&report, before * friction(&r) > 0);
            if (t < zero) {
                CHECK_NEAR(v, v0 + (0.7 + mu_d) * gravity * t, 1e-12);
            } else if (t > zero + 3 * dt) {
                CHECK_NEAR(v, rate * (t - zero), 2 * rate * dt);
                CHECK_NEAR(friction(&r), -mu_d, 1e-10);
            }
        }
        scree_world_destroy(r.world);
    }
}

/* ---------------------------------------------------------------- balls */

/* A ball on a slope starting from rest rolls if tan a <= mu_s (1 + k) / k, and otherwise slides
 * with mu_d. */
static void ball_on_a_slope_rolls_up_to_static_friction(void) {
    static const double part[] = {0.7, 0.9999, 1.0001, 1.5}; /* of the static threshold */
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int i = 0; i < 4; i++) {
            const double k = rig_shape(dimension), pull = part[i] * mu_s * (1 + k) / k * gravity;
            ScreeLaw law = two_law();
            Rig r = on_plane(dimension, i, &law, true);
            push(&r, pull * mass); /* along the plane, with the weight across it: a slope */
            double a = part[i] < 1 ? pull / (1 + k) : pull - mu_d * gravity;
            for (int n = 1; n <= 50; n++) {
                ScreeReport report = rig_step(r.world);
                CHECK_CLOSE(speed(&r), a * n * dt, 1e-10);
                CHECK_NEAR(friction(&r), (a - pull) / gravity, 1e-10);
                CHECK(report.sliding == (part[i] > 1));
                CHECK_ENERGY(report, weight);
            }
            scree_world_destroy(r.world);
        }
    }
}

/* A sliding ball begins to roll as with mu_d alone: its foot comes to rest, and no force has to be
 * held. */
static void sliding_ball_begins_to_roll(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        const double k = rig_shape(dimension), v0 = 0.4;
        ScreeLaw law = two_law();
        Rig r = on_plane(dimension, 1, &law, true);
        rig_set_motion(r.world, 0, rig_scale(v0, r.along), rig_vec(0, 0, 0));
        int last = (int)ceil(k * v0 / ((1 + k) * mu_d * gravity * dt));
        for (int n = 1; n <= last + 20; n++) {
            ScreeReport report = rig_step(r.world);
            CHECK_NEAR(speed(&r), n < last ? v0 - mu_d * gravity * n * dt : v0 / (1 + k), 1e-11);
            CHECK(report.sliding == (n < last));
            CHECK_ENERGY(report, weight);
        }
        scree_world_destroy(r.world);
    }
}

/* Two balls that hit each other at an angle are a new contact, which slides: mu_d decides. */
static void oblique_hit_slides_with_dynamic_friction(void) {
    static const double side[] = {0.2, 0.99, 1.01, 1.4, 3}; /* of what mu_d can stop */
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int i = 0; i < 5; i++) {
            RigPairDef d = rig_pair_def(dimension, dt, i % RIG_FRAMES);
            d.law = two_law();
            d.swapped = i % 2 == 1;
            RigPair p = rig_pair(&d);
            double m_t = p.reduced / (1 + 1 / rig_shape(dimension)), V = 1;
            double u = side[i] * mu_d * p.reduced * V / m_t;
            ScreeVec3 t = dimension == 3 ? rig_in(d.frame, 0, 0.6, -0.8) : d.frame.y;
            ScreeVec3 vb = rig_add(rig_scale(-V, p.n), u, t);
            rig_set_motion(p.world, p.b, vb, rig_vec(0, 0, 0));
            ScreeReport report = rig_step(p.world);
            ScreeVec3 R =
                rig_add(rig_scale(p.reduced * V, p.n), -fmin(1, side[i]) * mu_d * p.reduced * V, t);
            CHECK_VEC(scree_world_get_bodies(p.world).velocity[p.b], rig_add(vb, 1 / d.mass_b, R),
                      1e-12);
            CHECK(report.sliding == (side[i] > 1));
            CHECK_ENERGY(report, 10);
            scree_world_destroy(p.world);
        }
    }
}

/* One disk on two stands if mu_s >= tan 15 degrees between the disks and a third of it on the
 * floor, whatever mu_d is; with mu_d alone it would not. */
static void pile_stands_by_static_friction(void) {
    for (int i = 0; i < 3; i++) {
        const double need = tan(RIG_PI / 12), r = 0.5;
        ScreeWorldDef def = rig_def(2, dt, rig_vec(0, -10, 0));
        ScreeWorld *world = rig_create(&def);
        ScreeLaw law = scree_law_default();
        law.friction = 0.3 * need;
        law.friction_static = i == 0 ? 1.05 * need : i == 1 ? 0.95 * need : 0;
        rig_law(world, &law);
        rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        rig_add_ball(world, rig_vec(-r, r, 0), r, 1);
        rig_add_ball(world, rig_vec(r, r, 0), r, 1);
        rig_add_ball(world, rig_vec(0, r + sqrt(3) * r, 0), r, 1);
        for (int n = 0; n < 1000; n++) {
            ScreeReport report = rig_step(world);
            CHECK(report.unsettled == 0);
            CHECK_NEAR(report.energy_error, 0, 1e-11);
        }
        double height = scree_world_get_bodies(world).position[2].y;
        CHECK(i == 0 ? fabs(height - r - sqrt(3) * r) < 1e-10 : height < 0.6);
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- stick and slip
 *
 * A block drawn by a spring K at the speed V, whose force is set before every step. The same rule
 * in one dimension gives every step; and for slow drawing a slip is 2 (mu_s - mu_d) N / K long. */
static void drawn_block_sticks_and_slips(void) {
    const double K = 40, V = 0.01;
    for (int dimension = 2; dimension <= 3; dimension++) {
        ScreeLaw law = two_law();
        Rig r = on_plane(dimension, dimension, &law, false);
        double x = 0, v = 0, began = 0, jump = 0;
        int slips = 0;
        bool holds = true;
        for (int n = 0; n < 60000; n++) {
            double F = K * (V * n * dt - x), free = v + F / mass * dt, loss = mu_d * gravity * dt;
            push(&r, F);
            ScreeReport report = rig_step(r.world);
            bool stays =
                holds ? fabs(F) <= mu_s * weight
                      : (v > 0 ? free <= loss : free >= -loss) && fabs(free) <= mu_s * gravity * dt;
            v = stays ? 0 : free - copysign(loss, free);
            if (holds && !stays) {
                slips++;
                began = x;
            }
            jump = !holds && stays ? x - began : jump;
            holds = stays;
            x += v * dt;
            CHECK_NEAR(speed(&r), v, 1e-9);
            CHECK(report.sliding == !holds && report.unsettled == 0);
        }
        CHECK(slips >= 4);
        CHECK_CLOSE(jump, 2 * (mu_s - mu_d) * weight / K, 0.05);
        scree_world_destroy(r.world);
    }
}

/* ---------------------------------------------------------------- one coefficient; restart */

/* The same number twice is one coefficient: no bit differs. */
static void equal_coefficients_are_one(void) {
    ScreeWorld *world[2];
    for (int i = 0; i < 2; i++) {
        ScreeWorldDef def = rig_def(2, dt, rig_vec(1, -gravity, 0));
        world[i] = rig_create(&def);
        ScreeLaw law = scree_law_default();
        law.friction = 0.3;
        law.friction_static = i == 0 ? 0 : 0.3;
        rig_law(world[i], &law);
        rig_add_plane(world[i], rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        for (int j = 0; j < 6; j++) {
            rig_add_ball(world[i], rig_vec(1.01 * (j % 3) + 0.2 * (j / 3), 0.5 + (j / 3), 0), 0.5,
                         1);
        }
    }
    for (int n = 0; n < 500; n++) {
        rig_step(world[0]);
        rig_step(world[1]);
        for (int j = 0; j < 6; j++) {
            CHECK_VEC(scree_world_get_bodies(world[0]).position[j],
                      scree_world_get_bodies(world[1]).position[j], 0);
        }
    }
    scree_world_destroy(world[0]);
    scree_world_destroy(world[1]);
}

/* Held with more than mu_d N: the state of the contact is saved too. */
static void restarted_contact_keeps_its_state(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        ScreeLaw law = two_law();
        Rig r = on_plane(dimension, 1, &law, false);
        push(&r, 0.55 * weight);
        for (int n = 0; n < 5; n++) {
            rig_step(r.world);
        }
        ScreeWorld *copy = rig_reload(r.world);
        rig_step(copy);
        CHECK(rig_contact(copy, 0, -1).state == SCREE_CONTACT_STICK);
        CHECK_NEAR(rig_length(scree_world_get_bodies(copy).velocity[0]), 0, 1e-14);
        scree_world_destroy(copy);
        CHECK(rig_restarts(r.world, 10));
        push(&r, 0.61 * weight);
        rig_step(r.world);
        push(&r, 0.55 * weight); /* slides on */
        CHECK(rig_restarts(r.world, 10));
        CHECK(rig_contact(r.world, 0, -1).state == SCREE_CONTACT_SLIP);
        scree_world_destroy(r.world);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(block_holds_to_static_and_slides_at_dynamic_friction);
    CHECK_RUN(between_the_bounds_rest_stays_and_motion_goes_on);
    CHECK_RUN(block_turns_round_above_static_friction);
    CHECK_RUN(ball_on_a_slope_rolls_up_to_static_friction);
    CHECK_RUN(sliding_ball_begins_to_roll);
    CHECK_RUN(oblique_hit_slides_with_dynamic_friction);
    CHECK_RUN(pile_stands_by_static_friction);
    CHECK_RUN(drawn_block_sticks_and_slips);
    CHECK_RUN(equal_coefficients_are_one);
    CHECK_RUN(restarted_contact_keeps_its_state);
    return check_result();
}

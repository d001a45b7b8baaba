/* Head-on collisions against closed forms: restitution, duration, depth; and how errors shrink with
 * the time step. */
#include "soft_rig.h"

typedef struct Collision {
    ScreeIntegrator integrator;
    ScreeLaw law;
    double ma, mb; /* mb = 0: against a wall */
    double speed;
    double start; /* initial gap, in distances covered in one step */
    double time_step;
} Collision;

typedef struct Outcome {
    double restitution;
    /* until the normal force is zero for good; without a dashpot or with a given one */
    double duration;
    double deepest; /* largest overlap at the ends of steps */
    double energy;  /* kinetic energy after over before, in the centre-of-mass frame */
    double lost;    /* dissipation by the reports */
    double error;   /* largest energy_error of a step */
} Outcome;

static double reduced(const Collision *c) {
    return c->mb > 0 ? c->ma * c->mb / (c->ma + c->mb) : c->ma;
}

static ScreeWorld *make(const Collision *c, double gap) {
    ScreeWorldDef def = soft_def(3, c->time_step, rig_vec(0, 0, 0));
    def.soft.integrator = c->integrator;
    ScreeWorld *world = soft_world(&def, &c->law);
    /* along an oblique line, so that nothing depends on the axes */
    ScreeVec3 n = rig_vec(2.0 / 7, 3.0 / 7, 6.0 / 7);
    double share = c->mb > 0 ? c->mb / (c->ma + c->mb) : 1;
    ScreeBodyDef a = rig_ball(rig_vec(0, 0, 0), 0.4, c->ma);
    a.velocity = rig_scale(share * c->speed, n);
    rig_add_body(world, &a);
    if (c->mb > 0) {
        ScreeBodyDef b = rig_ball(rig_scale(0.4 + 0.7 + gap, n), 0.7, c->mb);
        b.velocity = rig_scale(-(1 - share) * c->speed, n);
        rig_add_body(world, &b);
    } else {
        rig_add_plane(world, rig_scale(0.4 + gap, n), rig_scale(-1, n));
    }
    return world;
}

static double gap_of(const ScreeWorld *world, const Collision *c, double start) {
    ScreeBodyView b = scree_world_get_bodies(world);
    ScreeVec3 n = rig_vec(2.0 / 7, 3.0 / 7, 6.0 / 7);
    return c->mb > 0 ? rig_length(rig_sub(b.position[1], b.position[0])) - 1.1
                     : start - rig_dot(b.position[0], n);
}

static Outcome collide(const Collision *c) {
    double start = c->start * c->speed * c->time_step;
    ScreeWorld *world = make(c, start);
    ScreeVec3 n = rig_vec(2.0 / 7, 3.0 / 7, 6.0 / 7);
    Outcome out = {0};
    double before = soft_kinetic(world), gap = start;
    bool touched = false;
    for (int i = 0; i < 1000000 && !(touched && gap > 0); i++) {
        ScreeReport r = rig_step(world);
        gap = gap_of(world, c, start);
        touched = touched || gap < 0;
        out.deepest = fmax(out.deepest, r.overlap_max);
        out.lost += r.dissipation;
        out.error = fmax(out.error, fabs(r.energy_error));
    }
    ScreeBodyView b = scree_world_get_bodies(world);
    ScreeVec3 v = c->mb > 0 ? rig_sub(b.velocity[1], b.velocity[0]) : rig_scale(-1, b.velocity[0]);
    double parting = rig_dot(v, n);
    CHECK(touched && gap > 0);
    out.restitution = parting / c->speed;
    out.energy = soft_kinetic(world) / before;
    /* After the last force they part at a constant speed; the contact ended at the overlap c v /
     * k. */
    double left = c->law.damping / c->law.stiffness * parting;
    out.duration = scree_world_get_time(world) - (gap + left) / parting - start / c->speed;
    scree_world_destroy(world);
    return out;
}

static Collision standard(ScreeIntegrator integrator, double restitution, double steps) {
    Collision c = {.integrator = integrator,
                   .law = soft_law(3e4, restitution, 0),
                   .ma = 1.3,
                   .mb = 0.4,
                   .speed = 0.7,
                   .start = 0.37};
    c.time_step = sqrt(reduced(&c) / c.law.stiffness) / steps;
    return c;
}

/* ---------------------------------------------------------------- restitution */

static void restitution_is_what_was_asked(void) {
    static const double asked[] = {1, 0.95, 0.8, 0.5, 0.25, 0.14};
    static const double mass[][2] = {{1, 1}, {0.1, 7}, {2, 0}};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 6; i++) {
            for (int m = 0; m < 3; m++) {
                Collision c = standard(soft_integrators[k], asked[i], 100);
                c.ma = mass[m][0];
                c.mb = mass[m][1];
                c.time_step = sqrt(reduced(&c) / c.law.stiffness) / 100;
                CHECK_NEAR(collide(&c).restitution, asked[i], k == 0 ? 1e-4 : 6e-3);
            }
        }
    }
}

/* At the engine's own time step, wherever within a step the first touch falls. */
static void restitution_at_the_chosen_step(void) {
    for (int i = 0; i < 20; i++) {
        Collision c = standard(SCREE_INTEGRATOR_VELOCITY_VERLET, 0.5, 10);
        ScreeWorld *world = make(&c, 1);
        c.time_step = scree_world_advise_time_step(world);
        scree_world_destroy(world);
        c.start = 0.05 * i;
        Outcome out = collide(&c);
        CHECK_NEAR(out.restitution, 0.5, 5e-3);
        CHECK_CLOSE(out.energy, 0.25, 0.02);
        CHECK_CLOSE(out.lost, 0.75 * 0.5 * reduced(&c) * c.speed * c.speed, 0.03);
    }
}

/* A restitution below exp(-2) gets critical damping, which gives exp(-2). */
static void inelastic_is_critical(void) {
    static const double asked[] = {0.13, 0.05, 0};
    for (int i = 0; i < 3; i++) {
        Collision c = standard(SCREE_INTEGRATOR_VELOCITY_VERLET, asked[i], 100);
        CHECK_NEAR(collide(&c).restitution, exp(-2), 1e-4);
    }
}

/* With a given dashpot: d = v / (w s) exp(-z w t) sin(w s t), cut where the force is zero. */
static void given_dashpot_has_its_closed_form(void) {
    static const double ratio[] = {0.02, 0.3, 0.8};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 3; i++) {
            Collision c = standard(soft_integrators[k], 0.77, 400);
            double z = ratio[i], m = reduced(&c), w = sqrt(c.law.stiffness / m);
            c.law.damping = 2 * z * m * w;
            Outcome out = collide(&c);
            CHECK_CLOSE(out.restitution, exp(-z * soft_phase(z)), k == 0 ? 1e-4 : 5e-3);
            CHECK_CLOSE(out.duration, soft_phase(z) / w, k == 0 ? 1e-4 : 5e-3);
            /* deepest where d' = 0: tan(w s t) = s / z */
            double s = sqrt(1 - z * z), top = atan2(s, z);
            CHECK_CLOSE(out.deepest, c.speed / w * exp(-z / s * top), k == 0 ? 1e-4 : 5e-3);
        }
    }
}

/* More than critical damping can also be given: e = exp(-2 z acosh(z) / sqrt(z^2 - 1)). */
static void overdamped_collision_has_its_closed_form(void) {
    Collision c = standard(SCREE_INTEGRATOR_VELOCITY_VERLET, 0, 1000);
    c.law.damping = 2 * 3 * sqrt(c.law.stiffness * reduced(&c));
    CHECK_CLOSE(collide(&c).restitution, exp(-6 * acosh(3) / sqrt(8)), 1e-3);
}

/* ---------------------------------------------------------------- order of convergence */

static double order_of(double coarse, double fine) {
    return log2(fabs(coarse / fine));
}

/* Mean of a function of the outcome over the moments of first touch within a step: that moment
 * changes the factor of the error, not its order. */
static double mean_error(Collision c, double (*error)(const Collision *, const Outcome *)) {
    double sum = 0;
    for (int i = 0; i < 8; i++) {
        c.start = 0.06 + i / 8.0;
        Outcome out = collide(&c);
        sum += error(&c, &out) / 8;
    }
    return sum;
}

static double restitution_error(const Collision *c, const Outcome *out) {
    return out->restitution - c->law.restitution;
}

static double energy_error(const Collision *c, const Outcome *out) {
    (void)c;
    return out->energy - 1;
}

/* Velocity Verlet is of second order, including damping and the onset of contact. */
static void velocity_verlet_is_of_second_order(void) {
    static const double asked[] = {0.9, 0.5, 0.2};
    for (int i = 0; i < 3; i++) {
        double error[4];
        for (int k = 0; k < 4; k++) {
            Collision c = standard(SCREE_INTEGRATOR_VELOCITY_VERLET, asked[i], 10 << k);
            error[k] = mean_error(c, restitution_error);
            double order = k > 0 ? order_of(error[k - 1], error[k]) : 2;
            CHECK(order > 1.8 && order < 2.3);
        }
    }
}

/* The Verlet integrator uses velocities of half a step ago for its dashpots: first order with them,
 * second without. */
static void verlet_is_of_first_order_with_dashpots(void) {
    double damped[3], free[3];
    for (int k = 0; k < 3; k++) {
        Collision c = standard(SCREE_INTEGRATOR_VERLET, 0.5, 20 << k);
        damped[k] = collide(&c).restitution - 0.5;
        c.law.restitution = 1;
        free[k] = collide(&c).duration * sqrt(c.law.stiffness / reduced(&c)) - RIG_PI;
    }
    for (int k = 1; k < 3; k++) {
        double order = order_of(damped[k - 1], damped[k]);
        CHECK(order > 0.8 && order < 1.3);
        CHECK(fabs(free[k]) < 0.5 * fabs(free[k - 1]));
    }
    CHECK_NEAR(free[2], 0, 1e-3);
}

/* Without dashpots both are the same method. */
static void integrators_agree(void) {
    Outcome out[2];
    for (int k = 0; k < 2; k++) {
        Collision c = standard(soft_integrators[k], 1, 13);
        out[k] = collide(&c);
    }
    CHECK_CLOSE(out[0].deepest, out[1].deepest, 1e-10);
    CHECK_CLOSE(out[0].duration, out[1].duration, 1e-10);
    CHECK_CLOSE(out[0].restitution, out[1].restitution, 1e-10);
}

/* ---------------------------------------------------------------- Hertz */

/* m* v^2 / 2 = 2/5 K d^(5/2), K = 4/3 E sqrt(r*), gives the depth; the duration is 2 (d / v) times
 * the integral of 1 / sqrt(1 - x^(5/2)) from 0 to 1, which is 2/5 B(2/5, 1/2). */
static void hertz_collision_has_its_depth_and_time(void) {
    static const double speed[] = {0.01, 1, 30};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 3; i++) {
            Collision c = standard(soft_integrators[k], 1, 1);
            c.law.modulus = 3e7;
            c.speed = speed[i];
            double stiffness = 4.0 / 3 * c.law.modulus * sqrt(1 / (1 / 0.4 + 1 / 0.7));
            double deep = pow(5 * reduced(&c) * c.speed * c.speed / (4 * stiffness), 0.4);
            double beta = tgamma(0.4) * tgamma(0.5) / tgamma(0.9);
            double duration = 2 * deep / c.speed * 0.4 * beta;
            c.time_step = duration / 500;
            Outcome out = collide(&c);
            CHECK_CLOSE(out.deepest, deep, 1e-4);
            CHECK_CLOSE(out.duration, duration, 1e-3);
            CHECK_NEAR(out.restitution, 1, 1e-4);
        }
    }
}

/* The dashpot of Hertz gives the restitution asked for, at every speed and for every mass. */
static void hertz_restitution_is_what_was_asked(void) {
    static const double asked[] = {0.9, 0.5, 0.2, 0}, speed[] = {0.003, 1, 20};
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 6; j++) {
            Collision c = standard(SCREE_INTEGRATOR_VELOCITY_VERLET, asked[i], 1);
            c.law.modulus = 3e7;
            c.speed = speed[j % 3];
            c.mb = j < 3 ? c.mb : 0;
            double stiffness = 4.0 / 3 * c.law.modulus * 0.5;
            double deep = pow(5 * reduced(&c) * c.speed * c.speed / (4 * stiffness), 0.4);
            c.time_step = deep / c.speed / 300;
            CHECK_NEAR(collide(&c).restitution, asked[i] > 0 ? asked[i] : exp(-2), 1e-3);
        }
    }
}

/* ---------------------------------------------------------------- energy */

/* What a step does not account for shrinks with the cube of the time step (its sum over a collision
 * with the square), except in the two steps in which a contact begins and ends. */
static void energy_balance_closes_with_the_step(void) {
    for (int k = 0; k < 2; k++) {
        Collision c = standard(soft_integrators[k], 0.6, 200);
        double energy = 0.5 * reduced(&c) * c.speed * c.speed;
        Outcome out = collide(&c);
        CHECK_CLOSE(out.lost, energy * (1 - 0.36), k == 0 ? 1e-3 : 1e-2);
        CHECK(out.error < 2e-4 * energy);
        CHECK_CLOSE(out.energy, 0.36, k == 0 ? 1e-3 : 2e-2);
    }
    double error[3];
    for (int k = 0; k < 3; k++) {
        Collision c = standard(SCREE_INTEGRATOR_VELOCITY_VERLET, 1, 15 << k);
        error[k] = mean_error(c, energy_error);
        double order = k > 0 ? order_of(error[k - 1], error[k]) : 2;
        CHECK(order > 1.8);
    }
    CHECK_NEAR(error[2], 0, 2e-4);
}

int main(int argc, char **argv) {
    CHECK_RUN(restitution_is_what_was_asked);
    CHECK_RUN(restitution_at_the_chosen_step);
    CHECK_RUN(inelastic_is_critical);
    CHECK_RUN(given_dashpot_has_its_closed_form);
    CHECK_RUN(overdamped_collision_has_its_closed_form);
    CHECK_RUN(velocity_verlet_is_of_second_order);
    CHECK_RUN(verlet_is_of_first_order_with_dashpots);
    CHECK_RUN(integrators_agree);
    CHECK_RUN(hertz_collision_has_its_depth_and_time);
    CHECK_RUN(hertz_restitution_is_what_was_asked);
    CHECK_RUN(energy_balance_closes_with_the_step);
    return check_result();
}

/* Compliance (L 4.13, 4.14): the normal force is k times the overlap at the end of the step, the
 * tangential force grows with k_t times the tangential motion until it slides.
 *
 * A mass m on a spring, omega^2 = k / m, overlap y about its place of rest, v its rate: y' = y + h
 * (theta v' + (1 - theta) v), v' = v - h omega^2 y', as the force is that at the end of the step.
 * With D = 1 + theta omega^2 h^2 this is a matrix of determinant 1 / D and trace (2 - (1 - theta)
 * omega^2 h^2) / D, so y_n = D^(-n/2) (y_0 cos(n phi) + c sin(n phi)), 2 cos(phi) = trace sqrt(D).
 * For theta = 1, implicit Euler, this is q' = q / (1 - i omega h) with q = v + i omega y. */
#include "rig.h"

#include <complex.h>

static const double gravity = 9.81, mass = 1.3, radius = 0.5;

static double complex euler_factor(double omega_h) {
    return 1 / (1 - omega_h * I);
}

/* y and v after n steps. */
typedef struct Swing {
    double y, v;
} Swing;
static double swing_y(double omega_h, double theta, double y0, int n) {
    double D = 1 + theta * omega_h * omega_h;
    double phi = acos(0.5 * (2 - (1 - theta) * omega_h * omega_h) / sqrt(D));
    double c = y0 * (1 / sqrt(D) - cos(phi)) / sin(phi); /* y_1 = y_0 / D: released at rest */
    return pow(D, -0.5 * n) * (y0 * cos(n * phi) + c * sin(n * phi));
}
static Swing swing(double omega_h, double theta, double y0, int n, double h) {
    double D = 1 + theta * omega_h * omega_h, y = swing_y(omega_h, theta, y0, n);
    return (Swing){y, (D * swing_y(omega_h, theta, y0, n + 1) - y) / h}; /* D y' = y + h v */
}

/* ---------------------------------------------------------------- a mass on a spring
 *
 * Released without overlap, it oscillates about the overlap m g / k and never leaves. */
static void run_weight(int dimension, int frame, double omega_h, double theta) {
    const double dt = 1e-3, k = mass * omega_h * omega_h / (dt * dt), rest = mass * gravity / k;
    const double omega = omega_h / dt;
    RigFrame f = rig_frame(dimension, frame);
    ScreeWorldDef def = rig_def(dimension, dt, rig_scale(-gravity, f.y));
    def.theta = theta;
    ScreeWorld *world = rig_create(&def);
    ScreeLaw law = scree_law_default();
    law.stiffness = k;
    rig_law(world, &law);
    rig_add_plane(world, rig_vec(0, 0, 0), f.y);
    rig_add_ball(world, rig_scale(radius, f.y), radius, mass);
    double fuzz = 1e-15 * radius, energy = 0.5 * k * rest * rest;
    for (int n = 1; n <= 300; n++) {
        ScreeReport report = rig_step(world);
        Swing now = swing(omega_h, theta, -rest, n, dt);
        double overlap = rest + now.y, v = now.v;
        ScreeBodyView b = scree_world_get_bodies(world);
        CHECK_NEAR(radius - rig_dot(b.position[0], f.y), overlap, 1e-10 * rest + 10 * fuzz);
        CHECK_NEAR(-rig_dot(b.velocity[0], f.y), v, 1e-10 * omega * rest + 10 * fuzz / dt);
        CHECK_NEAR(rig_contact(world, 0, -1).normal_impulse, k * overlap * dt,
                   (1e-10 * rest + 10 * fuzz) * k * dt);
        CHECK_NEAR(report.energy_elastic, 0.5 * k * overlap * overlap,
                   1e-9 * energy + 10 * fuzz * k * rest);
        CHECK(report.active == 1 && report.converged == 1);
        CHECK_ENERGY(report, mass * gravity * radius + 100 * energy);
    }
    scree_world_destroy(world);
}

static void mass_swings_on_a_spring(void) {
    static const double omega_h[] = {0.02, 0.3, 2};
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int i = 0; i < 3; i++) {
            run_weight(dimension, i, omega_h[i], 1);
        }
    }
}

static void mass_swings_on_a_spring_with_theta(void) {
    static const double omega_h[] = {0.02, 0.3, 2}, theta[] = {0.5, 0.5, 0.5, 0.7};
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int i = 0; i < 4; i++) {
            run_weight(dimension, i, omega_h[i % 3], theta[i]);
        }
    }
}

/* ---------------------------------------------------------------- impacts
 *
 * Two balls meet at V without a gap: the overlap is (V / omega) Im(factor^n) as long as that is
 * positive, omega^2 = k / m*; then they part with the velocity that they have. Implicit Euler loses
 * energy to first order in the time step. */
static double run_impact(int dimension, int frame, double omega_h, bool swapped) {
    const double V = 1.2, dt = 1e-3, omega = omega_h / dt;
    RigPairDef d = rig_pair_def(dimension, dt, frame);
    double reduced = 1 / (1 / d.mass_a + 1 / d.mass_b);
    d.law.stiffness = reduced * omega * omega;
    d.swapped = swapped;
    RigPair p = rig_pair(&d);
    rig_set_motion(p.world, p.a, rig_scale(V, p.n), rig_vec(0, 0, 0));
    ScreeVec3 momentum = rig_momentum(p.world);
    double complex q = V, factor = euler_factor(omega_h);
    bool touch = true;
    double lost = 0;
    for (int n = 1; n <= (int)(4 / omega_h) + 4; n++) {
        ScreeReport report = rig_step(p.world);
        touch = touch && cimag(q * factor) > 0;
        q *= touch ? factor : 1;
        double overlap = touch ? cimag(q) / omega : 0;
        CHECK_NEAR(-rig_pair_speed(&p), creal(q), 1e-11 * V);
        CHECK_NEAR(rig_contact(p.world, p.a, p.b).normal_impulse, d.law.stiffness * overlap * dt,
                   1e-11 * reduced * V);
        CHECK(!touch || fabs(rig_pair_gap(&p) + overlap) < 1e-11 * V / omega + 1e-14);
        CHECK_NEAR(report.energy_elastic, 0.5 * d.law.stiffness * overlap * overlap,
                   1e-10 * reduced * V * V);
        CHECK_VEC(rig_momentum(p.world), momentum, 1e-12);
        CHECK_ENERGY(report, 3 * V * V);
        lost += report.dissipation + report.dissipation_scheme;
    }
    CHECK(!touch);
    CHECK_CLOSE(lost, 0.5 * reduced * (V * V - creal(q) * creal(q)), 1e-9);
    scree_world_destroy(p.world);
    return -creal(q) / V;
}

static void springs_rebound_with_first_order_loss(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        double e[3];
        for (int i = 0; i < 3; i++) {
            e[i] = run_impact(dimension, i, 0.04 / (1 << i), i % 2 == 1);
            run_impact(dimension, i, 1.5, i % 2 == 0);
        }
        CHECK(e[0] > 0.9 && e[1] > e[0] && e[2] > e[1]);
        CHECK_NEAR((1 - e[0]) / (1 - e[1]), 2, 0.15);
        CHECK_NEAR((1 - e[1]) / (1 - e[2]), 2, 0.15);
    }
}

/* An initial overlap is a loaded spring. */
static void overlap_springs_back(void) {
    const double dt = 1e-3, x0 = 0.01, omega = 40;
    for (int dimension = 2; dimension <= 3; dimension++) {
        RigPairDef d = rig_pair_def(dimension, dt, 1);
        double reduced = 1 / (1 / d.mass_a + 1 / d.mass_b);
        d.law.stiffness = reduced * omega * omega;
        d.gap = -x0;
        RigPair p = rig_pair(&d);
        double complex q = omega * x0 * I, factor = euler_factor(omega * dt);
        while (cimag(q * factor) > 0) {
            rig_step(p.world);
            q *= factor;
            CHECK_NEAR(-rig_pair_gap(&p), cimag(q) / omega, 1e-12);
            CHECK_NEAR(-rig_pair_speed(&p), creal(q), 1e-11);
        }
        scree_world_destroy(p.world);
    }
}

/* ---------------------------------------------------------------- statics */

/* A column: the contact with n balls above its lower side carries n weights and is compressed by n
 * m g / k. A long step damps the oscillation within a few steps. */
static void springs_of_a_column_sink_by_their_load(void) {
    enum { BALLS = 6 };
    for (int dimension = 2; dimension <= 3; dimension++) {
        const double k = 1e4, dt = 0.2;
        RigFrame f = rig_frame(dimension, 0); /* exactly upright: it stands on a knife's edge */
        ScreeWorldDef def = rig_def(dimension, dt, rig_scale(-gravity, f.y));
        def.solver.iterations = 100000;
        ScreeWorld *world = rig_create(&def);
        ScreeLaw law = scree_law_default();
        law.stiffness = k;
        rig_law(world, &law);
        rig_add_plane(world, rig_vec(0, 0, 0), f.y);
        for (int i = 0; i < BALLS; i++) {
            rig_add_ball(world, rig_scale(radius + 2 * radius * i, f.y), radius, mass);
        }
        ScreeReport report = rig_step(world);
        for (int n = 0; n < 400; n++) {
            report = rig_step(world);
        }
        double height = 0, elastic = 0;
        for (int i = 0; i < BALLS; i++) {
            double load = (BALLS - i) * mass * gravity;
            height += (i == 0 ? radius : 2 * radius) - load / k;
            elastic += 0.5 * load * load / k;
            CHECK_VEC(scree_world_get_bodies(world).position[i], rig_scale(height, f.y), 1e-11);
            ScreeContact c = i == 0 ? rig_contact(world, 0, -1) : rig_contact(world, i - 1, i);
            CHECK_CLOSE(c.normal_impulse, load * dt, 1e-9);
            CHECK_CLOSE(-c.gap, load / k, 1e-8);
        }
        CHECK_CLOSE(report.energy_elastic, elastic, 1e-8);
        CHECK_CLOSE(report.overlap_max, BALLS * mass * gravity / k, 1e-8);
        CHECK(report.converged == 1);
        scree_world_destroy(world);
    }
}

/* A step of a struck row with friction, for stiffer and stiffer contacts: the velocities approach
 * those of rigid contacts like 1 / k. */
static void stiff_springs_approach_the_rigid_law(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        double v[4][3], w[4][3];
        for (int i = 0; i < 4; i++) {
            ScreeWorldDef def = rig_def(dimension, 0.01, rig_vec(0, -gravity, 0));
            ScreeWorld *world = rig_create(&def);
            ScreeLaw law = scree_law_default();
            law.friction = 0.2;
            law.stiffness = i == 3 ? INFINITY : 1e6 * pow(100, i);
            law.stiffness_tangential = i == 3 ? INFINITY : 0.7e6 * pow(100, i);
            rig_law(world, &law);
            rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
            for (int j = 0; j < 3; j++) {
                ScreeBodyDef ball = rig_ball(rig_vec(2 * radius * j, radius, 0), radius, mass);
                ball.velocity = rig_vec(j == 0 ? 1 : 0, 0, 0);
                rig_add_body(world, &ball);
            }
            rig_step(world);
            for (int j = 0; j < 3; j++) {
                v[i][j] = scree_world_get_bodies(world).velocity[j].x;
                w[i][j] = scree_world_get_bodies(world).spin[j].z;
            }
            scree_world_destroy(world);
        }
        for (int j = 0; j < 3; j++) {
            CHECK(fabs(v[0][j] - v[3][j]) > 1e-6 && fabs(v[0][j] - v[3][j]) < 0.2);
            CHECK_NEAR((v[1][j] - v[3][j]) / (v[2][j] - v[3][j]), 100, 5);
            CHECK(fabs(w[2][j] - w[3][j]) <= 1e-3 * fabs(w[3][j]) + 1e-6);
        }
    }
}

/* ---------------------------------------------------------------- many balls */

/* A cloud of springs keeps its momentum, and the balance closes; it is saved and loaded in
 * between. */
static void cloud_of_springs_keeps_momentum(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        ScreeWorldDef def = rig_def(dimension, 1e-3, rig_vec(0, 0, 0));
        ScreeWorld *world = rig_create(&def);
        ScreeLaw law = scree_law_default();
        law.friction = 0.4;
        law.stiffness = 2e4;
        law.stiffness_tangential = 1e4;
        rig_law(world, &law);
        uint64_t seed = 11;
        for (int i = 0; i < 27; i++) {
            ScreeVec3 at = rig_vec(i % 3, i / 3 % 3, i / 9);
            if (dimension == 2) {
                at = rig_vec(i % 6, (double)(i / 6), 0);
            }
            ScreeBodyDef ball = rig_ball(at, 0.5, 1 + rig_random(&seed));
            ball.velocity = rig_add(rig_random_vec(&seed, 0.5, dimension), -0.3,
                                    rig_sub(at, rig_vec(1, 1, dimension == 3)));
            ball.spin = rig_vec(0, 0, rig_random(&seed));
            rig_add_body(world, &ball);
        }
        ScreeVec3 momentum = rig_momentum(world), angular = rig_angular_momentum(world);
        double energy = scree_world_get_kinetic_energy(world);
        for (int n = 0; n < 40; n++) {
            ScreeReport report = rig_step(world);
            CHECK_ENERGY(report, 10 * energy);
            CHECK_VEC(rig_momentum(world), momentum, 1e-11);
            CHECK(report.residual < 1e-12);
        }
        CHECK(scree_world_get_kinetic_energy(world) < energy);
        /* contact points lie midway, so that overlaps shift the lever by as much */
        CHECK_VEC(rig_angular_momentum(world), angular, 0.02 * rig_length(angular) + 0.05);
        CHECK(rig_restarts(world, 20));
        scree_world_destroy(world);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(mass_swings_on_a_spring);
    CHECK_RUN(mass_swings_on_a_spring_with_theta);
    CHECK_RUN(springs_rebound_with_first_order_loss);
    CHECK_RUN(overlap_springs_back);
    CHECK_RUN(springs_of_a_column_sink_by_their_load);
    CHECK_RUN(stiff_springs_approach_the_rigid_law);
    CHECK_RUN(cloud_of_springs_keeps_momentum);
    return check_result();
}

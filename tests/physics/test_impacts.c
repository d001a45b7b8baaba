/* Impacts that follow from one another within a step. Without forces they come at their times, so
 * that hard balls move as between events, whatever the time step; with forces they act at once, each
 * at the velocity that the last one left. Where all solver settings are the defaults, that is the
 * point. */
#include "rig.h"

static ScreeLaw bouncy_law(double e, double mu) {
    ScreeLaw law = scree_law_default();
    law.restitution = e;
    law.friction = mu;
    return law;
}

static ScreeWorld *bouncy_world(const ScreeWorldDef *def, double e, double mu) {
    ScreeWorld *world = rig_create(def);
    ScreeLaw law = bouncy_law(e, mu);
    rig_law(world, &law);
    return world;
}

static ScreeWorldDef default_def(int dimension, double time_step, ScreeVec3 gravity) {
    ScreeWorldDef def = scree_world_def_default();
    def.dimension = dimension;
    def.time_step = time_step;
    def.gravity = gravity;
    return def;
}

/* ---------------------------------------------------------------- three in a row
 *
 * The first hits the second at 0.005, which hits the third at 0.006: velocities 0, 0, V. Equal
 * masses with e < 1: (1 - e) / 2 V stays, (1 + e) / 2 V goes on. */
static void run_row(int dimension, int frame, double e, double dt, int steps) {
    const double V = 1, gap[2] = {0.005, 0.001}, pass = 0.5 * (1 + e), keep = 0.5 * (1 - e);
    RigFrame f = rig_frame(dimension, frame);
    ScreeWorldDef def = default_def(dimension, dt, rig_vec(0, 0, 0));
    ScreeWorld *world = bouncy_world(&def, e, 0);
    double x[3] = {0, 1 + gap[0], 2 + gap[0] + gap[1]};
    for (int i = 0; i < 3; i++) {
        ScreeBodyDef ball = rig_ball(rig_scale(x[i], f.x), 0.5, 2);
        ball.velocity = rig_scale(i == 0 ? V : 0, f.x);
        rig_add_body(world, &ball);
    }
    for (int n = 0; n < steps; n++) {
        ScreeReport report = rig_step(world);
        CHECK(report.converged == 1);
        CHECK_ENERGY(report, 1);
    }
    const double first = gap[0] / V, second = first + gap[1] / (pass * V), end = dt * steps;
    const double v[3] = {keep * V, pass * keep * V, pass * pass * V};
    x[0] += gap[0] + (end - first) * v[0];
    x[1] += gap[1] + (end - second) * v[1];
    x[2] += (end - second) * v[2];
    ScreeBodyView b = scree_world_get_bodies(world);
    for (int i = 0; i < 3; i++) {
        CHECK_VEC(b.velocity[i], rig_scale(v[i], f.x), 1e-12);
        CHECK_VEC(b.position[i], rig_scale(x[i], f.x), 1e-12);
    }
    scree_world_destroy(world);
}

static void struck_balls_strike_on_in_the_same_step(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int frame = 0; frame < RIG_FRAMES; frame++) {
            run_row(dimension, frame, 1, 0.01, 1);
            run_row(dimension, frame, 0.7, 0.01, 1);
            run_row(dimension, frame, 0.7, 0.001, 10);
        }
    }
}

/* The same across a fall, where impacts act at once, and the fall goes on beside them. */
static void falling_balls_strike_on_too(void) {
    const double g = 9.81, dt = 0.01;
    for (int dimension = 2; dimension <= 3; dimension++) {
        RigFrame f = rig_frame(dimension, 1);
        ScreeWorldDef def = default_def(dimension, dt, rig_scale(-g, f.y));
        ScreeWorld *world = bouncy_world(&def, 1, 0);
        const double x[3] = {0, 1.005, 2.006};
        for (int i = 0; i < 3; i++) {
            ScreeBodyDef ball = rig_ball(rig_scale(x[i], f.x), 0.5, 2);
            ball.velocity = rig_scale(i == 0, f.x);
            rig_add_body(world, &ball);
        }
        ScreeReport report = rig_step(world);
        for (int i = 0; i < 3; i++) {
            CHECK_VEC(scree_world_get_bodies(world).velocity[i],
                      rig_add(rig_scale(i == 2, f.x), -g * dt, f.y), 1e-12);
        }
        CHECK_NEAR(report.dissipation, 0, 1e-12);
        CHECK_ENERGY(report, 1);
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- two at one time
 *
 * A ball that strikes two others at once has no order to do it in: both rows obey Newton's law
 * together. With normals (0.8, +-0.6) and equal masses, R (1 + 2 0.8^2) = (1 + e) 0.8 m V. After a
 * flight the normals are others, but the picture stays symmetric. */
static void strikes_at_one_time_keep_the_symmetry(void) {
    for (int i = 0; i < 16; i++) {
        const double e = i % 2 == 0 ? 1 : 0.6, V = 1, m = 2, dt = 0.01;
        const double flight = i / 2 % 2 == 0 ? 0 : 0.004, g = i / 4 % 2 == 0 ? 0 : -3;
        ScreeWorldDef def = rig_def(2 + i / 8, dt, rig_vec(g, 0, 0));
        ScreeWorld *world = bouncy_world(&def, e, 0);
        ScreeBodyDef ball = rig_ball(rig_vec(-flight, 0, 0), 0.5, m);
        ball.velocity = rig_vec(V, 0, 0);
        rig_add_body(world, &ball);
        rig_add_ball(world, rig_vec(0.8, 0.6, 0), 0.5, m);
        rig_add_ball(world, rig_vec(0.8, -0.6, 0), 0.5, m);
        ScreeReport report = rig_step(world);
        ScreeBodyView b = scree_world_get_bodies(world);
        CHECK_NEAR(b.velocity[0].y, 0, 1e-12);
        CHECK_NEAR(b.velocity[1].y, -b.velocity[2].y, 1e-12);
        CHECK_NEAR(b.velocity[1].x, b.velocity[2].x, 1e-12);
        CHECK(b.velocity[1].y > 0.1);
        if (flight == 0) {
            double R = (1 + e) * 0.8 * m * V / (1 + 2 * 0.64);
            double fall = g * dt; /* what it adds to all alike is no part of the impact */
            CHECK_NEAR(b.velocity[0].x, V + fall - 1.6 * R / m, 1e-12);
            CHECK_NEAR(b.velocity[1].x, fall + 0.8 * R / m, 1e-12);
            CHECK_NEAR(b.velocity[1].y, 0.6 * R / m, 1e-12);
        }
        CHECK(report.dissipation > -1e-12);
        CHECK_ENERGY(report, 1);
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- from event to event
 *
 * Hard balls between walls by a method of its own: the next meeting of any two, or of one with a
 * wall, until the time is up. */
enum { BALLS = 24 };

typedef struct Hard {
    int dimension;
    double side, e;
    double radius[BALLS], mass[BALLS];
    ScreeVec3 x[BALLS], v[BALLS];
} Hard;

static double pair_time(const Hard *h, int i, int j) {
    ScreeVec3 d = rig_sub(h->x[j], h->x[i]), u = rig_sub(h->v[j], h->v[i]);
    double r = h->radius[i] + h->radius[j], b = rig_dot(d, u), uu = rig_dot(u, u);
    double root = b * b - uu * (rig_dot(d, d) - r * r);
    return b < 0 && root > 0 ? (-b - sqrt(root)) / uu : INFINITY;
}

static double *axis_of(ScreeVec3 *v, int axis) {
    return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
}

static double wall_time(Hard *h, int i, int axis) {
    double x = *axis_of(&h->x[i], axis), v = *axis_of(&h->v[i], axis);
    return v > 0 ? (h->side - h->radius[i] - x) / v : v < 0 ? (h->radius[i] - x) / v : INFINITY;
}

static void meet(Hard *h, int i, int j) {
    ScreeVec3 d = rig_sub(h->x[j], h->x[i]);
    ScreeVec3 n = rig_scale(1 / rig_length(d), d);
    double u = rig_dot(rig_sub(h->v[j], h->v[i]), n);
    double R = -(1 + h->e) * u / (1 / h->mass[i] + 1 / h->mass[j]);
    h->v[i] = rig_add(h->v[i], -R / h->mass[i], n);
    h->v[j] = rig_add(h->v[j], R / h->mass[j], n);
}

static int run_events(Hard *h, double end) {
    int events = 0;
    for (double left = end; left > 0;) {
        double next = left;
        int a = -1, b = -1;
        for (int i = 0; i < BALLS; i++) {
            for (int j = i + 1; j < BALLS + h->dimension; j++) {
                double time = j < BALLS ? pair_time(h, i, j) : wall_time(h, i, j - BALLS);
                if (time < next) {
                    next = time;
                    a = i;
                    b = j;
                }
            }
        }
        for (int i = 0; i < BALLS; i++) {
            h->x[i] = rig_add(h->x[i], next, h->v[i]);
        }
        left -= next;
        if (a >= 0 && b < BALLS) {
            meet(h, a, b);
        } else if (a >= 0) {
            *axis_of(&h->v[a], b - BALLS) *= -h->e;
        }
        events += a >= 0;
    }
    return events;
}

static Hard some_balls(int dimension, double e, uint64_t seed) {
    Hard h = {.dimension = dimension, .side = dimension == 3 ? 4 : 6, .e = e};
    int across = dimension == 3 ? 3 : 5;
    double cell = h.side / across;
    for (int i = 0; i < BALLS; i++) {
        h.radius[i] = (0.3 + 0.14 * rig_random(&seed)) * cell;
        h.mass[i] = 1 + rig_random(&seed);
        h.x[i] = rig_vec((i % across + 0.5) * cell, (i / across % across + 0.5) * cell,
                         dimension == 3 ? (i / (across * across) + 0.5) * cell : 0);
        h.v[i] = rig_random_vec(&seed, 2, dimension);
    }
    return h;
}

static ScreeWorld *world_of(const Hard *h, double dt) {
    ScreeWorldDef def = default_def(h->dimension, dt, rig_vec(0, 0, 0));
    ScreeWorld *world = bouncy_world(&def, h->e, 0);
    const ScreeVec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < h->dimension; k++) {
        rig_add_plane(world, rig_vec(0, 0, 0), axis[k]);
        rig_add_plane(world, rig_scale(h->side, axis[k]), rig_scale(-1, axis[k]));
    }
    for (int i = 0; i < BALLS; i++) {
        ScreeBodyDef ball = rig_ball(h->x[i], h->radius[i], h->mass[i]);
        ball.velocity = h->v[i];
        rig_add_body(world, &ball);
    }
    return world;
}

/* Steps in which balls move by up to their radius and are struck several times. The order of events
 * of rounding is the only difference, and grows with every impact. */
static void balls_move_as_from_event_to_event(void) {
    for (int i = 0; i < 24; i++) {
        const double end = 1;
        const int steps = i % 3 == 0 ? 4 : i % 3 == 1 ? 16 : 256;
        Hard h = some_balls(2 + i % 2, i / 2 % 2 == 0 ? 1 : 0.8, 77 + (uint64_t)i);
        ScreeWorld *world = world_of(&h, end / steps);
        int events = run_events(&h, end);
        for (int n = 0; n < steps; n++) {
            ScreeReport report = rig_step(world);
            CHECK(report.converged == 1);
            CHECK(report.overlap_max <= 1e-12);
            CHECK(report.dissipation >= -1e-13 * report.kinetic_energy);
        }
        CHECK(events > 40);
        for (int k = 0; k < BALLS; k++) {
            CHECK_VEC(scree_world_get_bodies(world).position[k], h.x[k], 1e-7);
            CHECK_VEC(scree_world_get_bodies(world).velocity[k], h.v[k], 1e-7);
        }
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- friction
 *
 * Two balls that meet exert opposite forces at one point, so they keep their angular momentum; at a
 * distance they would not. */
static void rough_balls_keep_their_angular_momentum(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int i = 0; i < 6; i++) {
            Hard h = some_balls(dimension, 0.9, 5 + (uint64_t)i);
            ScreeWorldDef def = default_def(dimension, 1.0 / 512, rig_vec(0, 0, 0));
            ScreeWorld *world = bouncy_world(&def, h.e, 0.4);
            for (int k = 0; k < BALLS; k++) { /* towards the middle */
                ScreeBodyDef ball = rig_ball(h.x[k], h.radius[k], h.mass[k]);
                double half = 0.5 * h.side;
                ScreeVec3 middle = rig_vec(half, half, dimension == 3 ? half : 0);
                ball.velocity = rig_add(h.v[k], -0.8, rig_sub(h.x[k], middle));
                ball.spin = rig_vec(0, 0, h.v[k].x);
                rig_add_body(world, &ball);
            }
            ScreeVec3 momentum = rig_momentum(world), angular = rig_angular_momentum(world);
            double start = scree_world_get_kinetic_energy(world), before = start;
            int64_t impacts = 0;
            for (int n = 0; n < 1024; n++) {
                ScreeReport report = rig_step(world);
                CHECK_ENERGY(report, start);
                CHECK(report.kinetic_energy <= before * (1 + 1e-13));
                CHECK(report.converged == 1);
                before = report.kinetic_energy;
                impacts += report.active;
            }
            CHECK(impacts > 15);
            CHECK(before < 0.95 * start);
            CHECK_VEC(rig_momentum(world), momentum, 1e-11);
            CHECK_VEC(rig_angular_momentum(world), angular, 1e-10);
            CHECK(rig_restarts(world, 4));
            scree_world_destroy(world);
        }
    }
}

/* ---------------------------------------------------------------- gases of many balls */

enum { MANY = 1000 };

static ScreeWorld *make_gas(double fraction, double e, double dt, int threads, uint64_t seed) {
    const double side = cbrt(MANY * RIG_PI / 6 / fraction);
    ScreeWorldDef def = default_def(3, dt, rig_vec(0, 0, 0));
    for (int k = 0; k < 3; k++) {
        def.periodic[k] = true;
    }
    def.cell_max = rig_vec(side, side, side);
    def.threads = threads;
    ScreeWorld *world = bouncy_world(&def, e, 0);
    ScreeVec3 v[MANY], mean = {0, 0, 0};
    double square = 0;
    for (int i = 0; i < MANY; i++) { /* sums of twelve numbers are nearly normal */
        v[i] = rig_vec(0, 0, 0);
        for (int k = 0; k < 12; k++) {
            v[i] = rig_add(v[i], 1, rig_random_vec(&seed, 1, 3));
        }
        mean = rig_add(mean, 1.0 / MANY, v[i]);
    }
    for (int i = 0; i < MANY; i++) {
        v[i] = rig_sub(v[i], mean);
        square += rig_dot(v[i], v[i]) / (3 * MANY);
    }
    for (int i = 0; i < MANY; i++) {
        ScreeVec3 cell = rig_vec(i % 10 + 0.5, i / 10 % 10 + 0.5, i / 100 + 0.5);
        ScreeBodyDef ball = rig_ball(rig_scale(side / 10, cell), 0.5, 1);
        ball.velocity = rig_scale(1 / sqrt(square), v[i]); /* temperature 1 */
        rig_add_body(world, &ball);
    }
    return world;
}

/* Less than 1e-6 of the energy is lost in an impact: it is 1e-16. At every density and any step. */
static void elastic_gases_keep_their_energy(void) {
    static const double fraction[] = {0.1, 0.3, 0.45}, dt[] = {0.01, 0.02, 0.08};
    for (int i = 0; i < 3; i++) {
        ScreeWorld *world = make_gas(fraction[i], 1, dt[i], 1, 3);
        double start = scree_world_get_kinetic_energy(world);
        int64_t impacts = 0;
        for (int n = 0; n < 50; n++) {
            ScreeReport report = rig_step(world);
            CHECK(report.converged == 1);
            CHECK_NEAR(report.dissipation, 0, 1e-13 * start);
            CHECK(report.overlap_max <= 1e-12);
            impacts += report.active;
        }
        CHECK(impacts > 100);
        CHECK_CLOSE(scree_world_get_kinetic_energy(world), start, 1e-12);
        scree_world_destroy(world);
    }
}

static void threads_do_not_change_a_bit(void) {
    ScreeWorld *one = make_gas(0.3, 0.9, 0.03, 1, 8), *three = make_gas(0.3, 0.9, 0.03, 3, 8);
    for (int n = 0; n < 40; n++) {
        rig_step(one);
        rig_step(three);
    }
    ScreeBodyView a = scree_world_get_bodies(one), b = scree_world_get_bodies(three);
    CHECK(memcmp(a.position, b.position, a.count * sizeof *a.position) == 0);
    CHECK(memcmp(a.velocity, b.velocity, a.count * sizeof *a.velocity) == 0);
    scree_world_destroy(one);
    scree_world_destroy(three);
}

/* Haff's law: T = T0 / (1 + t / tau)^2. In Enskog's theory 1 / tau = zeta / 2, with
 * zeta = (1 - e^2) / 3 nu (1 + 3 a / 16), nu = 4 n d^2 g sqrt(pi T0 / m), Carnahan and Starling's
 * g = (1 - phi / 2) / (1 - phi)^3 and the second Sonine coefficient (van Noije and Ernst)
 * a = 16 (1 - e) (1 - 2 e^2) / (81 - 17 e + 30 e^2 (1 - e)). The balls first forget how they were
 * placed, with e = 1. The statistical error of the mean of the runs is a quarter of a percent. */
static double cooling_rate(double fraction, double e, double dt, uint64_t seed) {
    ScreeWorld *world = make_gas(fraction, 1, dt, 1, seed);
    for (int n = 0; n < (int)(2 / dt); n++) {
        rig_step(world);
    }
    double start = scree_world_get_kinetic_energy(world);
    ScreeLaw law = bouncy_law(e, 0);
    rig_must(scree_law_set(world, (ScreeMaterialId){0}, (ScreeMaterialId){0}, &law), "law");
    const int steps = (int)(4 / dt);
    for (int n = 0; n < steps; n++) {
        rig_step(world);
    }
    double rate = (sqrt(start / scree_world_get_kinetic_energy(world)) - 1) / (steps * dt);
    scree_world_destroy(world);
    return rate;
}

static void gases_cool_by_haffs_law(void) {
    enum { RUNS = 24 };
    const double phi = 0.1, e = 0.9, g = (1 - phi / 2) / pow(1 - phi, 3);
    const double a = 16 * (1 - e) * (1 - 2 * e * e) / (81 - 17 * e + 30 * e * e * (1 - e));
    const double nu = 4 * (phi * 6 / RIG_PI) * g * sqrt(RIG_PI);
    const double expected = 0.5 * (1 - e * e) / 3 * nu * (1 + 3 * a / 16);
    double sum = 0;
    for (int i = 0; i < RUNS; i++) {
        sum += cooling_rate(phi, e, 0.05, 100 + (uint64_t)i) / RUNS;
    }
    CHECK_CLOSE(sum, expected, 0.01);
}

int main(int argc, char **argv) {
    CHECK_RUN(struck_balls_strike_on_in_the_same_step);
    CHECK_RUN(falling_balls_strike_on_too);
    CHECK_RUN(strikes_at_one_time_keep_the_symmetry);
    CHECK_RUN(balls_move_as_from_event_to_event);
    CHECK_RUN(rough_balls_keep_their_angular_momentum);
    CHECK_RUN(elastic_gases_keep_their_energy);
    CHECK_RUN(threads_do_not_change_a_bit);
    if (CHECK_STRIDE == 1) { /* the gases before lead a sanitizer through the same code */
        CHECK_RUN(gases_cool_by_haffs_law);
    }
    return check_result();
}

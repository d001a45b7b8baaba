/* Inlets and outlets: how many come and go, what they are, that they never overlap, and that a run goes
 * on bit for bit. */
#include "bad_scenes.h"

#define HEAD                                                                                       \
    "dimension: 2\n"                                                                               \
    "materials: {stone: {density: 2, friction: 0.3}}\n"
#define TIME  "time: {step: 0.01, end: 10}\n"
#define FLOOR "walls: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"

static const double pi = 3.14159265358979323846;

/* Makes steps, and checks after each that nothing was put into anything else. */
static void go_on(Scene *scene, ScreeWorld *world, int steps) {
    for (int i = 0; i < steps; i++) {
        ScreeOverlap found;
        SceneError error;
        CHECK(scene_before_step(scene, world, NULL, &error));
        CHECK(scree_world_find_overlaps(world, &found) == SCREE_OK);
        CHECK(found.count == 0 || found.depth < 1e-4);
        CHECK(scree_world_step(world, NULL) == SCREE_OK);
    }
}

static double mass_of(const ScreeWorld *world) {
    const ScreeBodyView bodies = scree_world_get_bodies(world);
    double mass = 0;
    for (size_t i = 0; i < bodies.count; i++) {
        mass += bodies.mass[i];
    }
    return mass;
}

/* ---------------------------------------------------------------- rates */

/* By time t, the first k for which k >= rate t: of two steps a hundredth long, 33 per time. */
static void numbers_follow_the_rate(void) {
    Scene *scene;
    ScreeWorld *world;
    if (built(HEAD TIME "inlets: {a: {region: {x: [0, 10], y: [0, 10]}, rate: {number: 33}, "
                        "radius: 0.05, start: 0.5, end: 2, velocity: [0, 30]}}\n"
                        "outlets: {b: {outside: {x: [-1, 11], y: [-1, 20]}}}\n",
              &scene, &world)) {
        for (int step = 0; step < 400; step++) {
            const double t = scree_world_get_time(world), until = t < 2 ? t : 2;
            go_on(scene, world, 1);
            const double due = until > 0.5 ? ceil(33 * (until - 0.5) - 1e-9) : 0;
            const ScreeGate in = scene_gate(scene, 0), out = scene_gate(scene, 1);
            CHECK((double)in.number == due && in.waiting == 0);
            CHECK(in.number == out.number + (int64_t)scree_world_get_bodies(world).count);
            CHECK_CLOSE(in.mass, (double)in.number * 2 * pi * 0.05 * 0.05, 1e-12);
        }
        CHECK(scene_gate(scene, 0).number == 50 && scene_gate(scene, 1).number == 50);
        dropped(scene, world);
    }
}

/* Mass and volume are off by less than the largest grain. */
static void masses_and_volumes_follow_the_rate(void) {
    static const char *const rates[2] = {"mass: 3", "volume: 1.5"}; /* the same at density 2 */
    for (int k = 0; k < 2; k++) {
        char text[600];
        Scene *scene;
        ScreeWorld *world;
        snprintf(text, sizeof text,
                 HEAD TIME "inlets: {a: {region: {x: [0, 40], y: [0, 40]}, rate: {%s}, radius: "
                           "{uniform: [0.05, 0.1]}}}\n",
                 rates[k]);
        if (built(text, &scene, &world)) {
            for (int step = 0; step < 200; step++) {
                const double due = 3 * scree_world_get_time(world);
                go_on(scene, world, 1);
                const double mass = scene_gate(scene, 0).mass;
                CHECK(mass >= due * (1 - 1e-9) && mass < due + 2 * pi * 0.01);
                CHECK_NEAR(mass_of(world), mass, 1e-12 * (1 + mass));
            }
            dropped(scene, world);
        }
    }
}

static void a_count_ends_the_inlet(void) {
    Scene *scene;
    ScreeWorld *world;
    if (built(HEAD TIME "inlets: {a: {region: {x: [0, 40], y: [0, 40]}, rate: {number: 1000}, "
                        "radius: 0.05, count: 17}}\n",
              &scene, &world)) {
        go_on(scene, world, 20);
        CHECK(scene_gate(scene, 0).number == 17 && scene_gate(scene, 0).waiting == 0);
        dropped(scene, world);
    }
}

/* ---------------------------------------------------------------- waiting */

/* Grains at rest in a box that holds few: those that are due wait, and come when there is room. */
static void grains_wait_for_room(void) {
    Scene *scene;
    ScreeWorld *world;
    int told = 0;
    if (built(HEAD TIME "inlets: {a: {region: {x: [0, 1], y: [0, 1]}, rate: {number: 100}, "
                        "radius: 0.2}}\n"
                        "events: [{at: 1, set_velocity: {grains: all, velocity: [5, 0]}}]\n"
                        "outlets: {b: {plane: {point: [1.5, 0], normal: [1, 0]}}}\n",
              &scene, &world)) {
        for (int step = 0; step < 95; step++) {
            const double due = ceil(100 * scree_world_get_time(world) - 1e-9);
            go_on(scene, world, 1);
            const ScreeGate in = scene_gate(scene, 0);
            CHECK((double)(in.number + in.waiting) == due);
            CHECK(in.number <= 6);
            told += strstr(scene_news(scene), "'a' is full") != NULL;
        }
        CHECK(told == 1);
        const int64_t before = scene_gate(scene, 0).number;
        go_on(scene, world, 60);
        CHECK(scene_gate(scene, 1).number == before); /* they flew out */
        CHECK(scene_gate(scene, 0).number > before);
        dropped(scene, world);
    }
}

/* ---------------------------------------------------------------- what comes */

/* Of 4000 grains: mean and deviation of their velocities within four standard errors. With the
 * kurtosis k, the error of the variance is sqrt((k - 1) / n). */
static void velocities_are_spread(const char *kind, double kurtosis, double farthest) {
    Scene *scene;
    ScreeWorld *world;
    char text[400];
    snprintf(text, sizeof text,
             "materials: {stone: {density: 2}}\ntime: {step: 0.01, end: 1}\n"
             "inlets: {a: {region: {x: [0, 100], y: [0, 100], z: [0, 100]}, rate: {number: %d}, "
             "radius: 0.1, velocity: [1, -2, 0.5], spread: 0.3%s}}\n",
             400000 / CHECK_STRIDE, kind);
    if (built(text, &scene, &world)) {
        SceneError error;
        CHECK(scene_before_step(scene, world, NULL, &error));
        CHECK(scree_world_step(world, NULL) == SCREE_OK);
        CHECK(scene_before_step(scene, world, NULL, &error));
        const ScreeBodyView bodies = scree_world_get_bodies(world);
        const double mean[3] = {1, -2, 0.5}, n = (double)bodies.count;
        CHECK(bodies.count == 4000 / CHECK_STRIDE);
        for (int k = 0; k < 3; k++) {
            double sum = 0, square = 0, most = 0;
            for (size_t i = 0; i < bodies.count; i++) {
                const ScreeVec3 v = bodies.velocity[i];
                const double d = (k == 0 ? v.x : k == 1 ? v.y : v.z) - mean[k];
                sum += d;
                square += d * d;
                most = fmax(most, fabs(d));
            }
            CHECK_NEAR(sum / n, 0, 4 * 0.3 / sqrt(n));
            CHECK_CLOSE(square / n, 0.09, 4 * sqrt((kurtosis - 1) / n));
            CHECK(most <= farthest && most > 0.3 * 1.7);
        }
        dropped(scene, world);
    }
}

static void velocities_have_their_spread(void) {
    velocities_are_spread("", 3, 0.3 * 6);
    velocities_are_spread(", spread_kind: uniform", 1.8, 0.3 * sqrt(3));
}

/* The same of grains that are there from the start, as a gas; half of its kinetic energy per grain and
 * direction is m s^2 / 2, with a standard error of sqrt(2 / n). */
static void gases_have_a_temperature(void) {
    Scene *scene;
    ScreeWorld *world;
    if (built("materials: {stone: {density: 2}}\ntime: {step: 0.01, end: 1}\n"
              "grains: [{lattice: {min: [0, 0, 0], counts: [12, 12, 12], spacing: 3}, radius: 1, "
              "mass: 1, spread: 0.5}]\n",
              &scene, &world)) {
        const double n = (double)scree_world_get_bodies(world).count;
        CHECK(n == 1728);
        CHECK_CLOSE(scree_world_get_kinetic_energy(world), 1.5 * n * 0.25, 4 * sqrt(2 / (3 * n)));
        dropped(scene, world);
    }
}

/* What grain k is does not depend on when it comes. */
static void grains_depend_on_their_number_alone(void) {
    static const char *const rates[2] = {"number: 20", "mass: 0.9"};
    double radius[2][20];
    for (int k = 0; k < 2; k++) {
        char text[600];
        Scene *scene;
        ScreeWorld *world;
        snprintf(text, sizeof text,
                 HEAD TIME "inlets: {a: {region: {x: [0, 40], y: [0, 40]}, rate: {%s}, count: 20, "
                           "radius: {uniform: [0.05, 0.2]}}}\n",
                 rates[k]);
        if (built(text, &scene, &world)) {
            go_on(scene, world, 400);
            const ScreeBodyView bodies = scree_world_get_bodies(world);
            CHECK(bodies.count == 20);
            for (size_t i = 0; i < 20 && i < bodies.count; i++) {
                radius[k][i] = bodies.radius[i];
            }
            dropped(scene, world);
        }
    }
    CHECK(memcmp(radius[0], radius[1], sizeof radius[0]) == 0 && radius[0][0] != radius[0][1]);
}

/* Shapes are in the world from the start, and grains are some of them. */
static void shapes_are_made_before_the_run(void) {
    Scene *scene;
    ScreeWorld *world;
    if (built(HEAD TIME "shapes: {brick: {rectangle: {size: [0.2, 0.1]}}}\n"
                        "inlets: {a: {region: {x: [0, 9], y: [0, 9]}, rate: {number: 100}, shape: "
                        "brick, scale: {uniform: [1, 2]}}}\n",
              &scene, &world)) {
        CHECK(scree_world_get_shape_count(world) == 64);
        go_on(scene, world, 60);
        const ScreeBodyView bodies = scree_world_get_bodies(world);
        int other = 0;
        for (size_t i = 0; i < bodies.count; i++) {
            CHECK(bodies.shape[i].index >= 0 && bodies.shape[i].index < 64);
            CHECK(bodies.radius[i] > 0.1118 && bodies.radius[i] < 0.2237); /* half a diagonal */
            other += bodies.shape[i].index != bodies.shape[0].index;
        }
        CHECK(bodies.count == 59 && other > 50 && scree_world_get_shape_count(world) == 64);
        dropped(scene, world);
    }
}

/* ---------------------------------------------------------------- outlets */

/* Four balls fly apart; each kind of outlet takes its own, the first that is reached counts. */
static void outlets_count_what_they_take(void) {
    Scene *scene;
    ScreeWorld *world;
    if (built(HEAD TIME "grains:\n"
                        "  - {position: [1, 0], radius: 0.1, mass: 1, velocity: [1, 0]}\n"
                        "  - {position: [-1, 0], radius: 0.1, mass: 2, velocity: [-1, 0]}\n"
                        "  - {position: [0, 1], radius: 0.1, mass: 4, velocity: [0, 1]}\n"
                        "  - {position: [0, 0], radius: 0.1, mass: 8}\n"
                        "outlets:\n"
                        "  plane: {plane: {point: [2.005, 0], normal: [3, 0]}}\n"
                        "  box: {inside: {x: [-4, -1.505]}}\n"
                        "  room: {outside: {y: [-1, 1.255]}}\n",
              &scene, &world)) {
        const double when[3] = {1.005, 0.505, 0.255}, mass[3] = {1, 2, 4};
        for (int step = 0; step < 150; step++) {
            go_on(scene, world, 1);
            /* gates are passed before the step, at the time of the one before */
            const double t = scree_world_get_time(world) - 0.01;
            for (int k = 0; k < 3; k++) {
                const ScreeGate gate = scene_gate(scene, (size_t)k);
                CHECK(gate.outlet && gate.number == (t > when[k]));
                CHECK(gate.mass == (t > when[k] ? mass[k] : 0));
            }
        }
        CHECK(scree_world_get_bodies(world).count == 1 && mass_of(world) == 8);
        CHECK(scree_body_get_identity(world, (ScreeBodyId){0}) == 3);
        dropped(scene, world);
    }
}

/* ---------------------------------------------------------------- restarts */

static const char flowing[] =
    HEAD TIME FLOOR "gravity: [0, -10]\n"
                    "periodic: {x: [0, 2]}\n"
                    "inlets: {a: {region: {y: [3, 4]}, rate: {mass: 2.5}, radius: {uniform: [0.05, "
                    "0.1]}, velocity: [0, -2], spread: 0.5}}\n"
                    "outlets: {b: {inside: {x: [0.5, 1.2], y: [0, 0.3]}}}\n";

/* Both the scene's own state and the world's, half-way; the first goes on without a break. */
static void restarts_go_on_bit_for_bit(void) {
    Scene *scene[2];
    ScreeWorld *world[2];
    if (!built(flowing, &scene[0], &world[0]) || !built(flowing, &scene[1], &world[1])) {
        return;
    }
    go_on(scene[0], world[0], 230);
    size_t size = scene_state_size(scene[0]), world_size = 0;
    unsigned char *state = malloc(size);
    scene_state_save(scene[0], state);
    CHECK(scree_world_save(world[0], NULL, &world_size) == SCREE_OK);
    void *saved = malloc(world_size);
    CHECK(scree_world_save(world[0], saved, &world_size) == SCREE_OK);
    scree_world_destroy(world[1]);
    CHECK(scree_world_load(saved, world_size, &world[1], NULL) == SCREE_OK);
    CHECK(scree_world_set_threads(world[1], 3) == SCREE_OK);
    CHECK(scene_state_load(scene[1], state, size));
    for (int k = 0; k < 2; k++) {
        go_on(scene[k], world[k], 150);
    }
    CHECK(scree_world_hash(world[0]) == scree_world_hash(world[1]));
    CHECK(scene_gate(scene[0], 1).number > 20);
    for (size_t i = 0; i < 2; i++) {
        const ScreeGate a = scene_gate(scene[0], i), b = scene_gate(scene[1], i);
        CHECK(a.number == b.number && a.mass == b.mass && a.waiting == b.waiting);
    }
    free(state);
    free(saved);
    dropped(scene[0], world[0]);
    dropped(scene[1], world[1]);
}

/* ---------------------------------------------------------------- refusals */

static void bad_gates_are_refused(void) {
#define IN(rest) HEAD TIME "inlets:\n  a: {" rest "}\n"
#define BOX      "region: {x: [0, 1], y: [0, 1]}"
    static const Bad bad[] = {
        {HEAD TIME "inlets:\n  a: {region: @{x: [0, 1]}, rate: {number: 1}, radius: 0.1}\n",
         {"no bounds along y"}},
        {IN("region: {x: @[0, 0.1], y: [0, 1]}, rate: {number: 1}, radius: 0.1"),
         {"does not fit", "radius 0.1"}},
        {IN(BOX ", rate: @{number: 1, mass: 2}, radius: 0.1"), {"one of number, mass"}},
        {IN(BOX ", rate: @{}, radius: 0.1"), {"one of number, mass"}},
        {HEAD TIME "inlets:\n  a: @{" BOX ", rate: {number: 1}}\n", {"'radius' or 'shape'"}},
        {IN(BOX ", rate: {number: 1}, shape: @nothing"), {"nothing"}},
        {IN(BOX ", rate: {number: 1}, radius: 0.1, material: @ice"), {"ice"}},
        {IN(BOX ", rate: {number: 1}, radius: 0.1, scale: @2"), {"scale applies to shapes"}},
        {IN("region: {x: [0, 1], y: [0, 1], z: @[0, 1]}, rate: {number: 1}, radius: 0.1"), {"z"}},
        {HEAD TIME "grains: [{position: [0, 0], radius: 1}]\noutlets:\n  b: @{}\n",
         {"where grains are removed"}},
        {HEAD TIME "grains: [{position: [0, 0], radius: 1}]\n"
                   "outlets:\n  b: {plane: {point: [0, 0], normal: @[0, 0]}}\n",
         {"normal"}},
        {HEAD TIME "engine: quasistatic\ninlets:\n  @a: {" BOX
                   ", rate: {number: 1}, radius: 0.1}\n",
         {"quasistatic", "inlets"}},
        {HEAD TIME "events:\n  - @{at: 1, set_velocity: {grains: 0, velocity: [1, 0]}}\n"
                   "inlets:\n  a: {" BOX ", rate: {number: 1}, radius: 0.1}\n",
         {"events[0]", "no numbers"}},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        check_bad_scene(&bad[i]);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(numbers_follow_the_rate);
    CHECK_RUN(masses_and_volumes_follow_the_rate);
    CHECK_RUN(a_count_ends_the_inlet);
    CHECK_RUN(grains_wait_for_room);
    CHECK_RUN(velocities_have_their_spread);
    CHECK_RUN(gases_have_a_temperature);
    CHECK_RUN(grains_depend_on_their_number_alone);
    CHECK_RUN(shapes_are_made_before_the_run);
    CHECK_RUN(outlets_count_what_they_take);
    CHECK_RUN(restarts_go_on_bit_for_bit);
    CHECK_RUN(bad_gates_are_refused);
    return check_result();
}

/* Prescribed motions against their integrals; events, conditions, the end, and the saved state. */
#include "support.h"

#include "scene/read/drive.h"

/* ---------------------------------------------------------------- motions */

static void constant_and_absent_motions_have_their_mean(void) {
    SceneDrive none = {0}, constant = {.kind = DRIVE_CONSTANT, .mean = {1, 2, 3}};
    CHECK(scene_drive_mean(&none, 0, 1).x == 0);
    CHECK(scene_drive_mean(&constant, 5, 0.1).z == 3);
}

/* The mean of sin over a step is a difference of cosines. */
static void harmonic_means_match_the_integral(void) {
    const double pi = 3.14159265358979323846;
    SceneDrive d = {.kind = DRIVE_HARMONIC,
                    .mean = {0.5, 0, 0},
                    .amplitude = {2, -1, 0},
                    .frequency = 3,
                    .phase = 0.7};
    for (int i = 0; i < 50; i++) {
        double t = 0.013 * i, h = 0.02 + 0.01 * i, w = 2 * pi * 3;
        double exact = (cos(w * t + 0.7) - cos(w * (t + h) + 0.7)) / (w * h);
        ScreeVec3 m = scene_drive_mean(&d, t, h);
        CHECK_NEAR(m.x, 0.5 + 2 * exact, 1e-13);
        CHECK_NEAR(m.y, -exact, 1e-13);
    }
    d.frequency = 0; /* no oscillation: the value at the phase */
    CHECK_CLOSE(scene_drive_mean(&d, 1, 1).y, -sin(0.7), 1e-14);
}

/* Rises from 0 to 2 over [1, 2], jumps to 4, falls to 0 at 4; constant outside. */
static double table_integral(double t) {
    if (t < 1) {
        return 0;
    }
    if (t < 2) {
        return (t - 1) * (t - 1);
    }
    if (t < 4) {
        return 1 + 4 * (t - 2) - (t - 2) * (t - 2);
    }
    return 5;
}

static void table_means_match_the_integral(void) {
    double rows[][4] = {{1, 0, 7, 0}, {2, 2, 7, 0}, {2, 4, 7, 0}, {4, 0, 7, 0}};
    SceneDrive d = {.kind = DRIVE_TABLE, .table = {rows, 4, false}};
    for (int i = 0; i < 40; i++) {
        for (int j = 1; j < 60; j += 7) {
            double t = 0.15 * i - 0.5, h = 0.1 * j;
            double exact = (table_integral(t + h) - table_integral(t)) / h;
            ScreeVec3 m = scene_drive_mean(&d, t, h);
            CHECK_NEAR(m.x, exact, 1e-13);
            CHECK_NEAR(m.y, 7, 1e-13);
        }
    }
    /* a step of no length: the value at that time, after the jump where there is one */
    static const double values[][2] = {{0, 0}, {1, 0}, {1.5, 1}, {2, 4}, {3, 2}, {4, 0}, {5, 0}};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        CHECK_NEAR(scene_drive_mean(&d, values[i][0], 0).x, values[i][1], 1e-15);
    }
    SceneDrive single = {.kind = DRIVE_TABLE, .table = {rows, 1, false}};
    CHECK(scene_drive_mean(&single, 0, 0).y == 7 && scene_drive_mean(&single, 3, 0).y == 7);
    CHECK(scene_drive_mean(&single, 0, 1).y == 7 && scene_drive_mean(&single, 3, 1).y == 7);
}

static void spin_follows_its_axis(void) {
    double rows[][4] = {{0, 2, 0, 0}, {1, 4, 0, 0}};
    SceneDrive d = {.kind = DRIVE_TABLE, .scalar = true, .table = {rows, 2, true}};
    scene_drive_about(&d, (ScreeVec3){0, 0.6, 0.8});
    ScreeVec3 m = scene_drive_mean(&d, 0, 1);
    CHECK_NEAR(m.x, 0, 0);
    CHECK_CLOSE(m.y, 3 * 0.6, 1e-14);
    CHECK_CLOSE(m.z, 3 * 0.8, 1e-14);
}

/* Runs to the end; returns the number of steps, or -1 after an error. */
static int run(Scene *scene, ScreeWorld *world, char *news, size_t size) {
    ScreeReport report, *last = NULL;
    SceneError error;
    const char *why;
    int steps = 0;
    size_t used = 0;
    while (!scene_finished(scene, world, last, &why)) {
        if (!scene_before_step(scene, world, last, &error) ||
            scree_world_step(world, &report) != SCREE_OK) {
            return -1;
        }
        if (news && used < size) {
            used += (size_t)snprintf(news + used, size - used, "%s", scene_news(scene));
        }
        last = &report;
        steps++;
    }
    return steps;
}

/* In a real run the wall ends where the integral of its velocity puts it. */
static void walls_follow_their_programme(void) {
    Scene *scene;
    ScreeWorld *world;
    if (!built("time: {step: 0.01, end: 2.5}\nmaterials: {m: {}}\n" ONE "walls:\n"
               "  shaker: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, velocity: {amplitude: [0, "
               "0, 0.3], "
               "frequency: 1.3, mean: [0.1, 0, 0]}}\n"
               "  ramp: {plane: {point: [-9, 0, 0], normal: [1, 0, 0]}, velocity: {table: [[0, 0, "
               "0, 0], "
               "[1.005, 0, 1, 0]]}}\n"
               "  still: {plane: {point: [0, 0, -9], normal: [0, 0, 1]}}\n",
               &scene, &world)) {
        return;
    }
    CHECK(run(scene, world, NULL, 0) == 250);
    ScreeWallState wall;
    double w = 2 * 3.14159265358979323846 * 1.3;
    CHECK(scree_wall_get_state(world, (ScreeWallId){0}, &wall) == SCREE_OK);
    CHECK_NEAR(wall.displacement.z, 0.3 * (1 - cos(w * 2.5)) / w, 1e-13);
    CHECK_NEAR(wall.displacement.x, 0.25, 1e-13);
    CHECK(scree_wall_get_state(world, (ScreeWallId){1}, &wall) == SCREE_OK);
    CHECK_NEAR(wall.displacement.y, 1.005 / 2 + (2.5 - 1.005), 1e-13);
    CHECK(scree_wall_get_state(world, (ScreeWallId){2}, &wall) == SCREE_OK &&
          wall.now.motion == SCREE_WALL_FIXED);
    dropped(scene, world);
}

/* ---------------------------------------------------------------- the end of time */

static int steps_of(const char *time) {
    char text[300];
    Scene *scene;
    ScreeWorld *world;
    snprintf(text, sizeof text, "time: %s\nmaterials: {m: {}}\n" ONE, time);
    if (!built(text, &scene, &world)) {
        return -1;
    }
    int steps = run(scene, world, NULL, 0);
    dropped(scene, world);
    return steps;
}

static void runs_have_the_right_number_of_steps(void) {
    CHECK(steps_of("{step: 1e-3, end: 1}") == 1000);
    CHECK(steps_of("{step: 0.1, end: 0.3}") == 3);
    CHECK(steps_of("{step: 0.7, end: 7000.0}") == 10000);
    CHECK(steps_of("{step: 0.1, end: 0.35}") == 4);
    CHECK(steps_of("{step: 3, end: 1}") == 1);
}

/* ---------------------------------------------------------------- events */

#define WALLS                                                                                      \
    "walls:\n"                                                                                     \
    "  tank: {box: {min: [-9, -9, -9], max: [9, 9, 9]}}\n"                                         \
    "  lid: {plane: {point: [0, 0, 8], normal: [0, 0, -1]}, piston: {mass: 2, force: [0, 0, "      \
    "-1]}}\n"

/* Position of `words` in the news, -1 when they are missing. */
static long found(const char *news, const char *words) {
    const char *at = strstr(news, words);
    return at ? (long)(at - news) : -1;
}

static void events_happen_once_in_order(void) {
    Scene *scene;
    ScreeWorld *world;
    char news[2000] = "";
    if (!built(
            "time: {step: 0.1, end: 1}\nmaterials: {a: {friction: 0.5}, b: {friction: 0.4}, c: "
            "{friction: 0.3}}\npairs: [{between: [a, c], friction: 0.9}]\n"
            "grains: [{at: [[0, 0, 0], [3, 0, 0]], radius: 1, material: a}]\n" WALLS "events:\n"
            "  - {at: 0.57, set_gravity: [1, 2, 3]}\n"
            "  - {at: 0.53, set_force: {grains: 1, force: [4, 0, 0]}}\n"
            "  - {at: 0, remove: [tank.left, tank.right]}\n"
            "  - {at: 0.2, set_velocity: {wall: tank, velocity: [0, 0, 0.5]}}\n"
            "  - {at: 0.3, set_friction: {material: a, friction: 0.1}}\n"
            "  - {when: {time_after: 0.4}, set_force: {wall: lid, force: [0, 0, -7]}}\n"
            "  - {at: 0.8, remove: tank}\n"
            "  - {when: {time_after: 0.9}, remove: tank}\n", /* too late, but nobody knows that */
            &scene, &world)) {
        return;
    }
    CHECK(run(scene, world, news, sizeof news) == 10);
    CHECK(found(news, "t = 0: wall 'tank.left' removed") == 0);
    CHECK(found(news, "t = 0.2: wall 'tank.left' was removed before") > 0);
    CHECK(found(news, "t = 0.2: wall 'tank.top' has a new motion") > 0);
    CHECK(found(news, "t = 0.3: friction of a is now 0.1") > 0);
    CHECK(found(news, "t = 0.4: piston 'lid' carries (0, 0, -7)") > 0);
    /* both are due before the step at 0.6; the earlier one comes first */
    CHECK(found(news, "t = 0.6: new force on grains 1 to 1") > 0);
    CHECK(found(news, "t = 0.6: gravity") > found(news, "t = 0.6: new force"));
    CHECK(found(news, "t = 0.8: wall 'tank.top' removed") > 0);
    CHECK(found(news, "t = 0.9: wall 'tank' was removed before") > 0);
    ScreeLaw law;
    CHECK(scree_law_get(world, (ScreeMaterialId){0}, (ScreeMaterialId){0}, &law) == SCREE_OK &&
          law.friction == 0.1);
    CHECK(scree_law_get(world, (ScreeMaterialId){0}, (ScreeMaterialId){1}, &law) == SCREE_OK &&
          law.friction == 0.1);
    CHECK(scree_law_get(world, (ScreeMaterialId){0}, (ScreeMaterialId){2}, &law) == SCREE_OK &&
          law.friction == 0.9); /* its own law */
    CHECK(scree_law_get(world, (ScreeMaterialId){1}, (ScreeMaterialId){2}, &law) == SCREE_OK &&
          law.friction == 0.3);
    CHECK(scree_world_get_def(world).gravity.y == 2);
    CHECK(scree_world_get_bodies(world).force[1].x == 4 &&
          scree_world_get_bodies(world).force[0].x == 0);
    ScreeWallState wall;
    CHECK(scree_wall_get_state(world, (ScreeWallId){5}, &wall) == SCREE_OK && !wall.present);
    CHECK(scree_wall_get_state(world, (ScreeWallId){6}, &wall) == SCREE_OK && wall.present &&
          wall.now.force.z == -7);
    dropped(scene, world);
}

static void stop_events_stop_before_the_step(void) {
    Scene *scene;
    ScreeWorld *world;
    if (!built("time: {step: 0.1, end: 1}\nmaterials: {a: {}}\n" ONE
               "events: [{at: 0.3, stop: true}]\n",
               &scene, &world)) {
        return;
    }
    CHECK(run(scene, world, NULL, 0) == 3);
    dropped(scene, world);
}

/* A ball thrown upwards with speed 1 under gravity 1: v = 1 - n dt after n steps of implicit Euler;
 * the mass is such that the kinetic energy is v^2 / 2. */
static int thrown(const char *stop) {
    char text[400];
    Scene *scene;
    ScreeWorld *world;
    snprintf(text, sizeof text,
             "gravity: [0, 0, -1]\ntime: {step: 0.01, end: 2}\nmaterials: {a: {}}\n"
             "grains: [{position: [0, 0, 0], radius: 1, mass: 1, velocity: [0, 0, 1]}]\nstop: %s\n",
             stop);
    if (!built(text, &scene, &world)) {
        return -1;
    }
    int steps = run(scene, world, NULL, 0);
    dropped(scene, world);
    return steps;
}

static void conditions_wait_as_told(void) {
    /* |v| < 0.0951 first after 91 steps (v = 0.09), until v = -0.09 after 109 */
    CHECK(thrown("{speed_below: 0.0951}") == 91);
    CHECK(thrown("{kinetic_energy_below: 0.004522}") == 91); /* 0.0951^2 / 2 */
    CHECK(thrown("{speed_below: 0.0951, hold: 0.05}") == 96);
    CHECK(thrown("{speed_below: 0.0951, hold: 0.3}") == 200); /* does not last that long */
    CHECK(thrown("{speed_below: 0.0951, after: 1}") == 100);
    CHECK(thrown("{speed_below: 0.0951, time_after: 1.02}") == 102);
    CHECK(thrown("{time_after: 0.5}") == 50);
    /* true from the first step on: without `after` it must first be untrue */
    CHECK(thrown("{speed_below: 1.5}") == 200);
    CHECK(thrown("{speed_below: 1.5, after: 0}") == 1);
    CHECK(thrown("{coordination_below: 1, after: 0}") == 1);
    CHECK(thrown("{coordination_above: 0.5}") == 200);
    CHECK(thrown("{converged: true, after: 0.07}") == 7);
}

/* ---------------------------------------------------------------- a real scene, with a break */

/* Steps until `steps` are done in all, or to the end. */
static void advance(Scene *scene, ScreeWorld *world, uint64_t steps) {
    ScreeReport report, *last = NULL;
    while (scree_world_get_step_count(world) < steps && !scene_finished(scene, world, last, NULL)) {
        CHECK(scene_before_step(scene, world, last, NULL));
        CHECK(scree_world_step(world, &report) == SCREE_OK);
        last = &report;
    }
}

static void a_restored_run_is_the_same(void) {
    SceneError error;
    Scene *scene = scene_load("settle.yaml", NULL, 0, &error);
    Scene *again = scene_load("settle.yaml", NULL, 0, &error);
    ScreeWorld *world = NULL, *loaded = NULL;
    CHECK(scene && again && scene_build(scene, &world, &error));
    if (!world) {
        fprintf(stderr, "%s", error.text);
        return;
    }
    size_t bytes = 0, state_size = scene_state_size(scene);
    advance(scene, world, 140);
    CHECK(scree_world_save(world, NULL, &bytes) == SCREE_OK);
    void *snapshot = malloc(bytes);
    unsigned char *state = malloc(state_size);
    CHECK(snapshot && state && scree_world_save(world, snapshot, &bytes) == SCREE_OK);
    scene_state_save(scene, state);
    CHECK(scree_world_load(snapshot, bytes, &loaded, NULL) == SCREE_OK);
    CHECK(!scene_state_load(again, state, state_size - 1));
    state[0] ^= 1;
    CHECK(!scene_state_load(again, state, state_size));
    state[0] ^= 1;
    CHECK(scene_state_load(again, state, state_size));
    advance(scene, world, 10000);
    advance(again, loaded, 10000);
    CHECK(scree_world_get_step_count(world) == scree_world_get_step_count(loaded) &&
          scree_world_hash(world) == scree_world_hash(loaded));
    ScreeWallState right;
    CHECK(scree_wall_get_state(world, (ScreeWallId){1}, &right) == SCREE_OK && !right.present);
    double furthest = 0;
    ScreeBodyView b = scree_world_get_bodies(world);
    for (size_t i = 0; i < b.count; i++) {
        furthest = fmax(furthest, b.position[i].x);
    }
    CHECK(furthest > 1.2); /* grains have left through the open side */
    free(snapshot);
    free(state);
    dropped(scene, world);
    dropped(again, loaded);
}

int main(int argc, char **argv) {
    CHECK_RUN(constant_and_absent_motions_have_their_mean);
    CHECK_RUN(harmonic_means_match_the_integral);
    CHECK_RUN(table_means_match_the_integral);
    CHECK_RUN(spin_follows_its_axis);
    CHECK_RUN(walls_follow_their_programme);
    CHECK_RUN(runs_have_the_right_number_of_steps);
    CHECK_RUN(events_happen_once_in_order);
    CHECK_RUN(stop_events_stop_before_the_step);
    CHECK_RUN(conditions_wait_as_told);
    CHECK_RUN(a_restored_run_is_the_same);
    return check_result();
}

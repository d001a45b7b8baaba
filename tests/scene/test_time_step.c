/* The time step that is chosen where the scene leaves it open, against the speeds that grains can reach: v^2 = 2 g h for
 * falls, F l / m for loads. Frames are 0.1 apart, and the step is that part of it by 1, 2, 4, 5, 8, 10, ... that is just
 * short enough. */
#include "bad_scenes.h"

#define OPEN  "time: {end: 10}\nmaterials: {a: {density: 1}}\n"
#define PLANE "dimension: 2\n" OPEN
#define FALL  "gravity: [0, 0, -10]\n" OPEN
#define FLOOR "plane: {point: [0, 0, 0], normal: [0, 0, 1]}"
#define BALL  "grains: [{position: [0, 0, 1.35], radius: 0.1}]\n"

/* In the step the smallest grain moves `part` of its radius, here 0.1, at that speed. */
static double expected(double part, double speed) {
    static const double parts[] = {1, 2, 4, 5, 8, 10, 16, 20, 25, 32, 40, 50, 64, 80, 100, 125};
    size_t k = 0;
    while (0.1 / parts[k] > part * 0.1 / speed) {
        k++;
    }
    return 0.1 / parts[k];
}

static void check_step(const char *text, double step, const char *reason) {
    Scene *scene;
    ScreeWorld *world;
    if (built(text, &scene, &world)) {
        CHECK_NEAR(scree_world_get_def(world).time_step, step, 1e-15);
        CHECK(strcmp(scene_settings(scene)->step_for, reason) == 0);
        dropped(scene, world);
    }
}

/* The top of a ball at 1.35 that lands lets fall 1.25; were it to topple, by its radius more. */
static void falls(void) {
    const double step = expected(0.2, sqrt(2 * 10 * 1.35));
    const char *reason = "grains that fall";
    check_step(FALL "walls: {floor: {" FLOOR "}}\n" BALL, step, reason);
    check_step(FALL "walls: {floor: {" FLOOR
                    "}, shut: {plane: {point: [0, 0, 0.5], normal: [0, 0, 1]}}}\n"
                    "events: [{at: 1, remove: [shut]}]\n" BALL,
               step, reason);
    check_step(FALL
               "walls: {floor: {" FLOOR "}}\n"
               "inlets: {rain: {region: {x: [0, 1], y: [0, 1], z: [1.2, 1.45]}, rate: {number: 5},"
               " radius: 0.1}}\n",
               step, reason);
    check_step("gravity: [0, 0, -1]\n" OPEN "walls: {floor: {" FLOOR "}}\n"
               "events: [{at: 5, set_gravity: [0, 0, -10]}]\n" BALL,
               step, reason);
    /* nothing below but a grain that cannot move: past it nothing is left to be met */
    check_step(FALL "grains: [{position: [0, 0, 1.35], radius: 0.1}, {position: [0, 0, 0], radius: "
                    "0.1, frozen: all}]\n",
               expected(0.2, sqrt(2 * 10 * (1.35 + 0.1 + 0.1))), reason);
}

/* Down a slope as much potential is left behind as in a fall. */
static void slopes(void) {
    check_step("gravity: [0, -10]\n" PLANE
               "walls: {slope: {plane: {point: [0, 0], normal: [1, 1]}}, floor: {plane: {point: "
               "[0, -1], normal: [0, 1]}}}\n"
               "grains: [{position: [0.0708, 0.0708], radius: 0.1}]\n",
               expected(0.2, sqrt(2 * 10 * (1 + 0.0708))), "grains that fall");
}

static void walls_and_throws(void) {
    check_step(FALL "walls: {floor: {" FLOOR
                    ", velocity: {table: [[0, 0, 0, 0], [5, 11, 0, 0], [10, 0, 0, 0]]}}}\n" BALL,
               expected(0.1, 11), "a wall that moves");
    check_step(PLANE "walls: {drum: {drum: {center: [0, 0], radius: 2}, spin: 3.9}}\n"
                     "grains: [{at: [[-0.9, 0], [0.9, 0]], radius: 0.1}]\n",
               expected(0.1, 3.9 * hypot(1, 0.1)), "a wall that moves");
    check_step(PLANE "grains: [{position: [0, 0], radius: 0.1, velocity: [2.1, 0]}, {position: [1, "
                     "0], radius: 0.2}]\n",
               expected(0.1, 2.1), "grains that begin with a velocity");
}

/* Four disks of mass 1 in a square of side 0.4, of area 0.16. */
static void loads(void) {
    const char *text = PLANE
        "walls: {box: {box: {min: [0, 0], max: [0.4, 9]}, open: top}, "
        "lid: {plane: {point: [0, 0.4], normal: [0, -1]}, piston: {mass: 1, stress: 110, between: "
        "[box.left, box.right]}}}\n"
        "grains: [{at: [[0.1, 0.1], [0.3, 0.1], [0.1, 0.3], [0.3, 0.3]], radius: 0.1, mass: 1}]\n";
    check_step(text, expected(0.2, sqrt(110 * 0.16 / 4)), "a load");
}

static void cells(void) {
    check_step(PLANE "periodic: {x: [0, 4], y: [0, 4]}\ncell: {rate: {xy: 0.11}}\n"
                     "grains: [{position: [0, 0], radius: 0.1}]\n",
               0.1 / 8, "the cell that deforms");
}

/* Steps are no longer than from frame to frame; and nothing is guessed. */
/* A bridge from a ball of mass m to a plane, whose force falls from F as F / (1 + 21 x / 10 + 10 x^2) with x = h sqrt(R / V) / 2
 * over the gap h, does the work W of this up to its end at V^(1/3); 0.2 of that is passed in a step at sqrt(2 W / m). */
static void bridges(void) {
    const double r = 0.1, v = 1e-6, pull = 4 * M_PI * r * 0.5, end = cbrt(v);
    double work = 0;
    enum { PARTS = 1000 };
    for (int k = 0; k < PARTS; k++) {
        const double x = 0.5 * (k + 0.5) / PARTS * end * sqrt(2 * r / v);
        work += pull * end / PARTS / (1 + 2.1 * x + 10 * x * x);
    }
    const double speed = sqrt(2 * work / (4 * M_PI * r * r * r / 3));
    check_step("gravity: [0, 0, 0]\ntime: {end: 10}\n"
               "materials: {a: {density: 1, bridge_volume: 1e-6, bridge_tension: 0.5}}\n" BALL,
               expected(0.2 * end / r, speed), "liquid bridges");
}

static void limits(void) {
    check_step("gravity: [0, 0, -1e-9]\n" OPEN "walls: {floor: {" FLOOR "}}\n" BALL, 0.1,
               "the frames");
    Scene *scene;
    ScreeWorld *world = NULL;
    SceneError error;
    scene = scene_parse(OPEN BALL, strlen(OPEN BALL), "still", NULL, 0, &error);
    CHECK(scene != NULL && !scene_build(scene, &world, &error));
    CHECK(strstr(error.text, "nothing tells how fast grains move") != NULL);
    scene_free(scene);
}

int main(int argc, char **argv) {
    CHECK_RUN(falls);
    CHECK_RUN(slopes);
    CHECK_RUN(walls_and_throws);
    CHECK_RUN(loads);
    CHECK_RUN(cells);
    CHECK_RUN(bridges);
    CHECK_RUN(limits);
    return check_result();
}

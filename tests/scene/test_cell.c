/* A periodic cell whose rates and stresses follow programmes, in the scene and in events. */
#include "bad_scenes.h"

#define HEAD                                                                                       \
    "dimension: 2\n"                                                                               \
    "time: {step: 0.02, end: 100}\n"                                                               \
    "periodic: {x: [0, 10], y: [0, 10]}\n"                                                         \
    "materials: {stone: {density: 1, friction: 0.4}}\n"
#define TWO  "grains: [{position: [2, 2], radius: 0.5}, {position: [7, 7], radius: 0.5}]\n"
#define MANY "grains: [{count: 40, radius: 0.5, fill: {min: [0, 0], max: [10, 10]}}]\n"

static void go_on(Scene *scene, ScreeWorld *world, int steps) {
    for (int i = 0; i < steps; i++) {
        SceneError error;
        CHECK(scene_before_step(scene, world, NULL, &error));
        CHECK(scree_world_step(world, NULL) == SCREE_OK);
    }
}

/* The strain is the integral of the programme, exactly: a ramp, a constant after it, then whole cycles and a
 * quarter of one, whose integral is amplitude / (2 pi frequency). */
static void strain_is_the_integral_of_a_programme(void) {
    enum { XY = 1 };
    Scene *scene;
    ScreeWorld *world;
    if (!built(HEAD TWO "cell: {rate: {xy: {table: [[0, 0], [1, 0.2]]}}}\n"
                        "events:\n"
                        "  - {at: 2, set_cell: {rate: {xy: {amplitude: 0.3, frequency: 0.5}}}}\n"
                        "  - {at: 4.5, set_cell: {rate: {xy: 0}}}\n",
               &scene, &world)) {
        return;
    }
    go_on(scene, world, 50);
    CHECK_NEAR(scree_world_get_cell(world).strain[XY], 0.1, 1e-12);
    go_on(scene, world, 50);
    CHECK_NEAR(scree_world_get_cell(world).strain[XY], 0.3, 1e-12);
    go_on(scene, world, 100);
    CHECK_NEAR(scree_world_get_cell(world).strain[XY], 0.3, 1e-12); /* one cycle: nothing */
    go_on(scene, world, 25);
    const double quarter = 0.3 / (2 * acos(-1) * 0.5);
    CHECK_NEAR(scree_world_get_cell(world).strain[XY], 0.3 + quarter, 1e-12);
    go_on(scene, world, 10);
    CHECK_NEAR(scree_world_get_cell(world).strain[XY], 0.3 + quarter, 1e-12); /* the event at 4.5 */
    dropped(scene, world);
}

/* Events that name another component leave a programme alone; one that names it ends it. */
static void stresses_follow_programmes_too(void) {
    enum { XX = 0, YY = 4 };
    Scene *scene;
    ScreeWorld *world;
    if (!built(HEAD TWO "cell: {stress: {yy: {table: [[0, 0], [2, 4]]}}, mass: 1000}\n"
                        "events:\n"
                        "  - {at: 0.5, set_cell: {rate: {xx: -0.01}}}\n"
                        "  - {at: 1, set_cell: {stress: {yy: 7}}}\n"
                        "  - {at: 1.5, set_cell: {pressure: {table: [[0, 0], [3, 3]]}}}\n",
               &scene, &world)) {
        return;
    }
    go_on(scene, world, 40); /* the last step went from 0.78 to 0.8 */
    ScreeCellDef cell = scree_world_get_def(world).deform;
    CHECK_NEAR(cell.stress[YY], 2 * 0.79, 1e-12);
    CHECK_NEAR(cell.rate[XX], -0.01, 1e-15);
    go_on(scene, world, 20);
    CHECK(scree_world_get_def(world).deform.stress[YY] == 7);
    go_on(scene, world, 30);
    cell = scree_world_get_def(world).deform;
    CHECK(cell.isotropic);
    CHECK_NEAR(cell.pressure, 1.79, 1e-12);
    dropped(scene, world);
}

/* The state of the scene and that of the world, after an event has put another programme in place. */
static void restarts_go_on_bit_for_bit(void) {
    static const char text[] =
        HEAD MANY "cell: {rate: {xy: {amplitude: 0.2, frequency: 0.7}}, stress: {yy: 1}}\n"
                  "events:\n"
                  "  - {at: 0.6, set_cell: {rate: {xy: {table: [[0, 0], [2, 0.4]]}}}}\n";
    Scene *scene[2];
    ScreeWorld *world[2];
    if (!built(text, &scene[0], &world[0]) || !built(text, &scene[1], &world[1])) {
        return;
    }
    go_on(scene[0], world[0], 60);
    const size_t size = scene_state_size(scene[0]);
    size_t world_size = 0;
    unsigned char *state = malloc(size);
    scene_state_save(scene[0], state);
    CHECK(scree_world_save(world[0], NULL, &world_size) == SCREE_OK);
    void *saved = malloc(world_size);
    CHECK(scree_world_save(world[0], saved, &world_size) == SCREE_OK);
    scree_world_destroy(world[1]);
    CHECK(scree_world_load(saved, world_size, &world[1], NULL) == SCREE_OK);
    CHECK(scene_state_load(scene[1], state, size));
    for (int k = 0; k < 2; k++) {
        go_on(scene[k], world[k], 40);
    }
    CHECK(scree_world_hash(world[0]) == scree_world_hash(world[1]));
    CHECK(!scene_state_load(scene[1], state, size - 1));
    state[size - 1] = 0x7f; /* an event that there is not */
    CHECK(!scene_state_load(scene[1], state, size));
    free(state);
    free(saved);
    dropped(scene[0], world[0]);
    dropped(scene[1], world[1]);
}

static void bad_programmes_are_refused(void) {
    static const Bad bad[] = {
        {HEAD TWO "cell: {pressure: 1, rate: {xx: @{table: [[0, 0], [1, 1]]}}}\n",
         {"a rate along an axis cannot follow a programme while the pressure is held"}},
        {HEAD TWO "cell: {rate: {xy: {table: @[[0, 0, 1]]}}}\n", {"rows [time, value]"}},
        {HEAD TWO "cell: {rate: {xy: @{amplitude: 1}}}\n", {"either {table: ...} or"}},
        {HEAD TWO "cell: {rate: {xy: @fast}}\n", {"a number"}},
    };
    check_bad_scenes(bad, sizeof bad / sizeof bad[0]);
}

int main(int argc, char **argv) {
    CHECK_RUN(strain_is_the_integral_of_a_programme);
    CHECK_RUN(stresses_follow_programmes_too);
    CHECK_RUN(restarts_go_on_bit_for_bit);
    CHECK_RUN(bad_programmes_are_refused);
    return check_result();
}

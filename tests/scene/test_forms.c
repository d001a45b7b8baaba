/* Values whose form is not that of their key: each is refused in its place, and the message says
 * which form it wants. */
#include "bad_scenes.h"

#include <math.h>
#include <unistd.h>

#define FLAT             "dimension: 2\n" BASE
#define DISK             "grains: [{position: [0, 5], radius: 1}]\n"
#define LINE             "plane: {point: [0, 0], normal: [0, 1]}"
#define FLOOR            "plane: {point: [0, 0, 0], normal: [0, 0, 1]}"
#define MOVED(wall)      BASE ONE "walls: {w: {" FLOOR ", " wall "}}\n"
#define MOVED_FLAT(wall) FLAT DISK "walls: {w: {" LINE ", " wall "}}\n"
#define EVENT(action)    BASE ONE "walls: {w: {" FLOOR "}}\nevents:\n  - {at: 0.5, " action "}\n"
#define BLOCK(turn)      BASE ONE "walls: {w: {block: {center: [0, 0, 0], half: [1, 1, 1], " turn "}}}\n"

static const Bad vectors[] = {
    {FLAT DISK "gravity: [0, 0, @-1]\n", {"gravity", "without a z component"}},
    {FLAT "grains: [{position: [0, 0], radius: 1, spin: @[1, 0, 0]}]\n", {"about z only"}},
    {FLAT "grains: [{position: [0, 0], radius: 1, spin: @[1, 0]}]\n", {"must be a number"}},
    {BASE "grains: [{position: [0, 0, 0], radius: 1, spin: @[1, 0]}]\n", {"a list of 3 numbers"}},
    {BASE "grains: [{position: [0, 0, 0], radius: 1, spin: [1, @x, 0]}]\n", {"spin[1]", "'x'"}},
    {BASE "grains: [{at: @[], radius: 1}]\n", {"a list of vectors"}},
    {BASE "grains: [{at: [[0, 0, 0], @[1, 2]], radius: 1}]\n", {"at[1]", "3 numbers", "has 2"}},
    {BASE "grains: [{lattice: {min: [0, 0, 0], counts: [2, 2, @1.5]}, radius: 1}]\n",
     {"made of whole numbers from 1 to 1e9"}},
    {BASE "grains: [{lattice: {min: [0, 0, 0], counts: [2, @many, 2]}, radius: 1}]\n", {"'many'"}},
    {BASE "grains: [{lattice: {min: [0, 0, 0], counts: @[2, 2]}, radius: 1}]\n",
     {"one for each direction", "has 2"}},
    {BLOCK("orientation: @[1, 0, 0]"), {"a quaternion [w, x, y, z]"}},
    {BLOCK("orientation: [1, 0, 0, @up]"), {"orientation[3]", "'up'"}},
    {BLOCK("orientation: @[0, 0, 0, 0]"), {"other than zero"}},
    {FLAT DISK "walls: {w: {block: {center: [0, 0], half: [1, 1], orientation: @up}}}\n", {"'up'"}},
    {BASE ONE "periodic: {x: @[1]}\n", {"two numbers [from, to]"}},
    {FLAT DISK "periodic: {z: @[0, 1]}\n", {"two dimensions", "not periodic along z"}},
};

static const Bad programmes[] = {
    {MOVED("velocity: {table: @[[0, 1]]}"), {"rows [time, x, y, z]"}},
    {MOVED("velocity: {table: @[]}"), {"rows [time, x, y, z]"}},
    {MOVED("velocity: {table: [[0, 1, 0, 0], @[1, 0]]}"), {"rows [time, x, y, z]"}},
    {MOVED("velocity: {table: [[0, 1, 0, @x]]}"), {"table[3]", "'x'"}},
    {MOVED("spin: {table: @[[0, 1, 2]]}, pivot: [0, 0, 0]"), {"or [time, spin]"}},
    {MOVED_FLAT("velocity: {table: @[[0, 1]]}"), {"rows [time, x, y]"}},
    {MOVED_FLAT("spin: {table: @[[0, 1, 2, 3]]}"), {"rows [time, spin]"}},
    {MOVED("velocity: @{amplitude: [1, 0, 0]}"), {"either {table: ...} or {amplitude"}},
    {MOVED("velocity: @{table: [[0, 0, 0, 0]], frequency: 1}"), {"either {table: ...} or"}},
    {MOVED("spin: {amplitude: 1, frequency: 1, mean: @[0, 0, 1]}"), {"same form as 'amplitude'"}},
    {MOVED("spin: @[1, 0]"), {"a list of 3 numbers"}},
};

static const Bad words[] = {
    {BASE ONE "solver: {order: @[random]}\n", {"solver.order", "a word", "a list"}},
    {BASE "grains: [{position: [0, 0, 0], radius: 1, frozen: @{x: true}}]\n",
     {"frozen", "a word or a list of words"}},
    {BASE "grains: [{position: [0, 0, 0], radius: 1, material: @[stone]}]\n", {"a name", "a list"}},
    {BASE "grains: [{position: [0, 0, 0], radius: 1, material: @\"\"}]\n", {"a name"}},
    {EVENT("remove: @[]"), {"a name or a list of names"}},
    {EVENT("remove: [w, @[w]]"), {"a name", "a list"}},
    {EVENT("set_force: {grains: @some, force: [0, 0, 1]}"), {"'all', a grain's number"}},
    {EVENT("set_force: {grains: @[0], force: [0, 0, 1]}"), {"'all', a grain's number"}},
    {EVENT("set_force: {grains: [0, @x], force: [0, 0, 1]}"), {"grains[1]", "'x'"}},
    {EVENT("set_force: {grains: @[1, 0], force: [0, 0, 1]}"), {"'all', a grain's number"}},
    {EVENT("set_force: {grains: @0.5, force: [0, 0, 1]}"), {"'all', a grain's number"}},
};

static const Bad whole[] = {
    {BASE "grains: @{position: [0, 0, 0], radius: 1}\n", {"grains", "a list", "begun by '- '"}},
    {BASE ONE "walls: @[{" FLOOR "}]\n", {"walls", "a mapping from names to entries"}},
    {BASE ONE "periodic: {@wrapped: [0, 1]}\n", {"unknown key 'wrapped'", "known keys: x, y, z"}},
    {BASE ONE "seed: @1e16\n", {"at most 1e15"}},
    {BASE ONE "seed: @1234567890123456789\n", {"at most 18 digits"}},
    {BASE ONE "solver: {cuts: @1e10}\n", {"solver.cuts must be at most 2147483647"}},
    {"engine: quasistatic\ntime: {step: 1, end: 1, theta: @0.5}\nmaterials: {a: {}}\n" ONE,
     {"time.theta", "no inertia", "leave it out"}},
};

static void vectors_have_their_form(void) {
    check_bad_scenes(vectors, sizeof vectors / sizeof vectors[0]);
}

static void programmes_have_their_form(void) {
    check_bad_scenes(programmes, sizeof programmes / sizeof programmes[0]);
}

static void words_have_their_form(void) {
    check_bad_scenes(words, sizeof words / sizeof words[0]);
}

static void sections_have_their_form(void) {
    check_bad_scenes(whole, sizeof whole / sizeof whole[0]);
}

/* In the plane an orientation is an angle, of which the quaternion has half, and a spin may be
 * written with all three components. */
static void turns_in_the_plane_are_read(void) {
    Scene *scene;
    ScreeWorld *world;
    if (!built(FLAT "grains: [{position: [0, 9], radius: 1, spin: [0, 0, 2]}]\n"
                    "walls: {w: {block: {center: [0, 0], half: [2, 1], orientation: 0.5}}}\n",
               &scene, &world)) {
        return;
    }
    ScreeWallState wall;
    CHECK(scree_wall_get_state(world, (ScreeWallId){0}, &wall) == SCREE_OK);
    CHECK_NEAR(wall.now.orientation.w, cos(0.25), 1e-15);
    CHECK_NEAR(wall.now.orientation.z, sin(0.25), 1e-15);
    CHECK(wall.now.orientation.x == 0 && wall.now.orientation.y == 0);
    CHECK(scree_world_get_bodies(world).spin[0].z == 2);
    dropped(scene, world);
}

/* JSON cannot write them otherwise; numbers it can. */
static void words_may_be_quoted_where_numbers_may_stand(void) {
    SceneError error = {0};
    ScreeLaw law;
    const char *text =
        "{\"time\": {\"step\": 1, \"end\": 1}, \"materials\": {\"a\": {\"stiffness\": \".inf\"}},"
        "\"grains\": [{\"position\": [0, 0, 0], \"radius\": 1}]}";
    Scene *scene = scene_parse(text, strlen(text), "quoted.json", NULL, 0, &error);
    ScreeWorld *world = NULL;
    CHECK(scene != NULL);
    if (scene != NULL) {
        CHECK(scene_build(scene, &world, &error));
        if (world != NULL) {
            CHECK(scree_law_get(world, (ScreeMaterialId){0}, (ScreeMaterialId){0}, &law) ==
                  SCREE_OK);
            CHECK(isinf(law.stiffness));
        }
    }
    scree_world_destroy(world);
    scene_free(scene);
    const char *begun =
        "time: {step: 1, end: 1}\nmaterials: {a: {}}\nstart: {run: none.h5, frame: \"last\"}\n";
    scene = scene_parse(begun, strlen(begun), "quoted.yaml", NULL, 0, &error);
    CHECK(scene != NULL);
    scene_free(scene);
    static const Bad quoted[] = {
        {"time: {step: 1, end: 1}\nmaterials: {a: {stiffness: @\"100\"}}\n",
         {"but is the text '100'"}},
        {"time: {step: 1, end: 1}\nmaterials: {a: {friction: @\".inf\"}}\n", {"friction"}},
    };
    check_bad_scenes(quoted, sizeof quoted / sizeof quoted[0]);
}

int main(int argc, char **argv) {
    CHECK_RUN(vectors_have_their_form);
    CHECK_RUN(programmes_have_their_form);
    CHECK_RUN(words_have_their_form);
    CHECK_RUN(sections_have_their_form);
    CHECK_RUN(turns_in_the_plane_are_read);
    CHECK_RUN(words_may_be_quoted_where_numbers_may_stand);
    return check_result();
}

/* Grains that walls hold, pistons that slide, and events that change them. */
#include "bad_scenes.h"

#define PLATE                                                                                      \
    "dimension: 2\ntime: {step: 0.1, end: 1}\nmaterials: {a: {density: 1}}\n"                      \
    "periodic: {x: [0, 4]}\n"

#define BETWEEN                                                                                    \
    "dimension: 2\ntime: {step: 0.1, end: 1}\nmaterials: {a: {density: 1}}\n"                      \
    "walls:\n  l: {plane: {point: [0, 0], normal: [1, 0]}}\n"                                      \
    "  r: {plane: {point: [4, 0], normal: [-1, 0]}}\n"                                             \
    "  b: {block: {center: [2, -9], half: [1, 1]}}\n"

#define ONE2 "grains: [{position: [0, 5], radius: 0.5}]\n"

static ScreeWallState wall_of(const ScreeWorld *world, int32_t wall) {
    ScreeWallState state = {0};
    CHECK(scree_wall_get_state(world, (ScreeWallId){wall}, &state) == SCREE_OK);
    return state;
}

/* Steps until a time, each as a run makes it: what is due, then the step. */
static void go_on(Scene *scene, ScreeWorld *world, double time) {
    ScreeReport report;
    SceneError error = {0};
    while (scree_world_get_time(world) < time - 1e-9) {
        CHECK(scene_before_step(scene, world, NULL, &error));
        ScreeStatus status = scree_world_step(world, &report);
        if (error.text[0] || status != SCREE_OK) {
            fprintf(stderr, "%s%s\n", error.text, scree_world_get_message(world));
            CHECK(false);
            return;
        }
    }
}

/* A plate of three grains turns about their middle, (1, 2), and one of them is let go. */
static void a_plate_turns_about_the_middle_of_its_grains(void) {
    Scene *scene;
    ScreeWorld *world;
    if (!built(PLATE "walls: {arm: {holder: {}, spin: 0.5}}\n"
                     "grains:\n"
                     "  - {position: [3, 9], radius: 0.1}\n"
                     "  - {held_by: arm, radius: 0.3, at: [[0, 2], [1, 1], [2, 3]]}\n",
               &scene, &world)) {
        return;
    }
    CHECK(wall_of(world, 0).now.pivot.x == 1 && wall_of(world, 0).now.pivot.y == 2);
    CHECK(scree_world_get_bodies(world).holder[0].index == -1);
    CHECK(scree_world_get_bodies(world).holder[3].index == 0);
    go_on(scene, world, 1);
    ScreeVec3 x = scree_world_get_bodies(world).position[1];
    CHECK_NEAR(x.x, fmod(1 - cos(0.5) + 4, 4), 1e-12);
    CHECK_NEAR(x.y, 2 - sin(0.5), 1e-12);
    dropped(scene, world);
}

/* Programmes of stress and sliding: each step has their mean. Stress 1 + t on a width of 4, mass 8: a =
 * (1 + t) / 2, and with implicit Euler v_n = sum of dt a at the middle of each step. */
static void pistons_follow_programmes(void) {
    Scene *scene;
    ScreeWorld *world;
    if (!built(PLATE
               "walls:\n"
               "  lid:\n"
               "    holder: {}\n"
               "    velocity: {table: [[0, 0, 5], [1, 2, 5]]}\n"
               "    piston: {mass: 8, direction: [0, -2], stress: {table: [[0, 1], [1, 2]]}}\n"
               "grains: [{held_by: lid, radius: 0.3, position: [0, 9]}]\n"
               "events:\n"
               "  - {at: 0.5, set_velocity: {wall: lid, velocity: [0, 1]}}\n"
               "  - {at: 0.8, set_piston: {wall: lid, force: [0, 16]}}\n",
               &scene, &world)) {
        return;
    }
    go_on(scene, world, 0.5);
    ScreeWallState lid = wall_of(world, 0);
    CHECK_NEAR(lid.now.velocity.y, -0.5 * (0.5 + 0.125), 1e-12); /* half of t + t^2 / 2 */
    CHECK_NEAR(lid.displacement.x, 0.25, 1e-12);                 /* t^2 */
    CHECK(scree_world_get_bodies(world).velocity[0].x == lid.now.velocity.x);
    go_on(scene, world, 0.8);
    CHECK_NEAR(wall_of(world, 0).displacement.y - lid.displacement.y, 0.3, 1e-12);
    CHECK(wall_of(world, 0).now.motion == SCREE_WALL_MOVED);
    go_on(scene, world, 0.9); /* a piston again, which goes on with 1: its mass is kept */
    CHECK_NEAR(wall_of(world, 0).now.velocity.y, 1 + 16.0 / 8 * 0.1, 1e-12);
    dropped(scene, world);
}

/* Of a mass that is not given: a lid from the start, and one that an event makes, have that of a layer
 * of the two grains, 8 / 2^(1/2), and the first keeps it when it is given another load. */
static void pistons_have_the_mass_of_the_grains(void) {
    const double layer = 8 / sqrt(2);
    Scene *scene;
    ScreeWorld *world;
    if (!built("dimension: 2\ntime: {step: 0.1, end: 1}\nmaterials: {a: {}}\n"
               "walls:\n"
               "  lid: {plane: {point: [0, 9], normal: [0, -1]}, piston: {force: [0, -2]}}\n"
               "  side: {plane: {point: [-9, 0], normal: [1, 0]}}\n"
               "grains: [{position: [0, 0], radius: 0.5, mass: 3}, {position: [2, 0], "
               "radius: 1, mass: 5}]\n"
               "events:\n"
               "  - {at: 0.5, set_piston: {wall: lid, force: [0, 4]}}\n"
               "  - {at: 0.5, set_piston: {wall: side, force: [2, 0]}}\n",
               &scene, &world)) {
        return;
    }
    go_on(scene, world, 0.5);
    CHECK_NEAR(wall_of(world, 0).now.velocity.y, -2.0 / layer * 0.5, 1e-12);
    go_on(scene, world, 0.9);
    CHECK_NEAR(wall_of(world, 0).now.velocity.y, -2.0 / layer * 0.5 + 4.0 / layer * 0.4, 1e-12);
    CHECK_NEAR(wall_of(world, 1).now.velocity.x, 2.0 / layer * 0.4, 1e-12);
    dropped(scene, world);
}

/* The area is that which the walls cut out of the piston's plane where it is, however they lean and whatever point of
 * each is given: of a funnel, from x = -1 to 5 at the lid; of a parallel pair that leans, 5 along the lid; and
 * of an upright box of 1 by 1, 1 / cos 30 of a lid that leans by 30 degrees. */
static void leaning_walls_bound_the_area_that_they_cut_out(void) {
#define FUNNEL                                                                                     \
    "dimension: 2\ntime: {step: 0.1, end: 1}\nmaterials: {a: {density: 1}}\n"                      \
    "grains: [{position: [2, 1], radius: 0.5}]\nwalls:\n"                                          \
    "  lid: {plane: {point: [0, 2], normal: [0, -1]}, "                                            \
    "piston: {mass: 1, stress: 5, between: [l, r]}}\n"                                             \
    "  l: {plane: {point: [0, 0], normal: [1, 0.5]}}\n"
    static const struct {
        const char *text;
        double force;
    } of[] = {{FUNNEL "  r: {plane: {point: [4, 0], normal: [-1, 0.5]}}\n", 30},
              {FUNNEL "  r: {plane: {point: [2, -4], normal: [-1, 0.5]}}\n", 30},
              {FUNNEL "  r: {plane: {point: [5, 0], normal: [-1, -0.5]}}\n", 25},
              {"time: {step: 0.1, end: 1}\nmaterials: {a: {density: 1}}\nwalls:\n"
               "  lid: {plane: {point: [0, 0, 9], normal: [0.5, 0, -0.8660254037844386]}, "
               "piston: {mass: 1, stress: 6, between: [b.left, b.right, b.front, b.back]}}\n"
               "  b: {box: {min: [0, 0, 0], max: [1, 1, 20]}}\n"
               "grains: [{position: [0.5, 0.5, 1], radius: 0.1}]\n",
               6 / 0.8660254037844386}};
    for (int k = 0; k < 4; k++) {
        Scene *scene;
        ScreeWorld *world;
        if (built(of[k].text, &scene, &world)) {
            go_on(scene, world, 0.1);
            const ScreeVec3 v = wall_of(world, 0).now.velocity;
            CHECK_NEAR(sqrt(v.x * v.x + v.y * v.y + v.z * v.z), 0.1 * of[k].force, 1e-12);
            dropped(scene, world);
        }
    }
}

/* A stress that begins later than the run: none in the first step, 2 on a width of 4 in the fourth. */
static void a_stress_may_begin_later(void) {
    Scene *scene;
    ScreeWorld *world;
    if (!built(BETWEEN "  lid: {plane: {point: [0, 20], normal: [0, -1]}, piston: {mass: 8, "
                       "stress: {table: [[0.3, 0], [0.3001, 2], [1, 2]]}, between: [l, r]}}\n"
                       "grains: [{position: [2, 5], radius: 0.5}]\n",
               &scene, &world)) {
        return;
    }
    go_on(scene, world, 0.3);
    CHECK_NEAR(wall_of(world, 3).now.velocity.y, 0, 1e-12);
    go_on(scene, world, 0.5);
    CHECK_NEAR(wall_of(world, 3).now.velocity.y, -2.0 * 4 / 8 * 0.2, 1e-4);
    dropped(scene, world);
}

/* A plane takes hold of what is near it, and lets it go; the state of events is restored. */
static void events_hold_and_let_go(void) {
    Scene *scene;
    ScreeWorld *world;
    if (!built(PLATE "gravity: [0, -1]\n"
                     "walls: {top: {plane: {point: [0, 8], normal: [0, -1]}}, arm: {holder: {}}}\n"
                     "grains: [{radius: 0.3, at: [[1, 7.9], [2, 6], [3, 1]]}]\noverlap: accept\n"
                     "events:\n"
                     "  - {at: 0, hold: {wall: top, region: {y: [5, 9]}}}\n"
                     "  - {at: 0, hold: {wall: arm, region: {x: [2.5, 4]}}}\n"
                     "  - {at: 0.3, set_velocity: {wall: top, velocity: [0, 1]}}\n"
                     "  - {at: 0.5, let_go: top}\n",
               &scene, &world)) {
        return;
    }
    go_on(scene, world, 0.5);
    ScreeBodyView b = scree_world_get_bodies(world);
    CHECK_NEAR(b.position[0].y, 8.1, 1e-12);
    CHECK_NEAR(b.position[1].y, 6.2, 1e-12);
    CHECK(b.position[2].y == 1 && b.holder[0].index == 0 && b.holder[2].index == 1);
    go_on(scene, world, 0.6);
    b = scree_world_get_bodies(world);
    CHECK(b.holder[1].index == -1 && b.holder[2].index == 1);
    CHECK_NEAR(b.velocity[1].y, 1 - 0.1, 1e-12); /* falls from what it had */
    dropped(scene, world);
}

static void wrong_plates_are_refused(void) {
    static const Bad bad[] = {
        {PLATE "walls: {arm: {holder: @true}}\n" ONE2, {"must be a mapping"}},
        {PLATE "walls: {arm: {holder: {}}}\n"
               "grains: [{position: [0, 0], radius: 0.5, held_by: @arn}]\n",
         {"no wall 'arn'", "arm"}},
        {PLATE "walls: {arm: {holder: {}}}\n"
               "grains: [{position: [0, 0], radius: 0.5, held_by: arm, frozen: @[x]}]\n",
         {"move with a wall"}},
        {PLATE "walls: {b: {box: {min: [0, 0], max: [4, 4]}}}\n"
               "grains: [{position: [1, 1], radius: 0.5, held_by: @b}]\n",
         {"several parts", "box.left"}},
        {PLATE "walls: {arm: {holder: {}, piston: @{mass: 1, stress: 1}}}\n" ONE2,
         {"needs a direction"}},
        {PLATE "walls: {a: {plane: {point: [0, 0], normal: [0, 1]}, spin: @1, piston: {mass: 1, "
               "force: [0, 1]}}}\n" ONE2,
         {"does not turn"}},
        {PLATE "walls: {a: {holder: {}}}\n" ONE2
               "events: [{at: 1, set_piston: @{wall: a, force: [0, 1]}}]\n",
         {"no piston yet, and no plane: it needs a direction"}},
        {PLATE "walls: {a: {plane: {point: [0, 0], normal: [0, 1]}, piston: @{force: [0, 1]}}}\n"
               "inlets: {hole: {region: {x: [0, 4], y: [2, 4]}, radius: 0.1, rate: {number: 1}}}\n",
         {"has the mass of a layer of the grains at the start, and there are none", "add a mass"}},
        {PLATE "walls: {a: {plane: {point: [0, 0], normal: [0, 1]}}}\n" ONE2
               "events: [{at: 1, set_piston: @{wall: a, mass: 1}}]\n",
         {"either 'force' or 'stress'"}},
        {PLATE "walls: {a: {plane: {point: [0, 0], normal: [0, 1]}}}\n" ONE2
               "events: [{at: 1, let_go: @c}]\n",
         {"no wall 'c'"}},
        {BETWEEN ONE2 "events: [{at: 1, set_piston: {wall: l, mass: 1, stress: @2}}]\n",
         {"not between walls", "no area"}},
        {BETWEEN ONE2 "events: [{at: 1, set_piston: {wall: b, mass: 1, direction: [1, 0], "
                      "stress: @2}}]\n",
         {"no plane and no holder"}},
        {BETWEEN ONE2 "events: [{at: 1, set_piston: {wall: b, mass: 1, direction: @[0, 0], "
                      "force: [1, 0]}}]\n",
         {"other than zero"}},
        {BETWEEN ONE2 "events: [{at: 0, remove: b}, {at: 1, set_piston: {wall: @b, mass: 1, "
                      "direction: [1, 0], force: [1, 0]}}]\n",
         {"removed by then"}},
        {BETWEEN ONE2 "events: [{at: 0, remove: b}, {at: 1, let_go: @b}]\n", {"removed by then"}},
        {BETWEEN ONE2 "events: [{at: 0, remove: b}, {at: 1, hold: {wall: @b, region: {}}}]\n",
         {"removed by then"}},
        {BETWEEN "  lid: {plane: {point: [0, 9], normal: [0, -1]}, piston: @{mass: 1, stress: 1, "
                 "between: [l, r, l, r, l, r]}}\nstart: {run: none.h5}\n",
         {"a stress acts between two walls"}},
    };
    check_bad_scenes(bad, sizeof bad / sizeof bad[0]);
}

/* Without `between` the planes across it bound a stress: 3 on a width of 4 in the plane; in space on 4 by 5, where the
 * walls are in no order, and on two strips of 4 and 5 that cross at 30 degrees, so on 4 * 5 / sin 30; and on what
 * a cell leaves of it, whatever stands there. */
static void planes_across_bound_a_stress(void) {
#define LID   "  lid: {plane: {point: [0, 0, 9], normal: [0, 0, -1]}, piston: {mass: 2, stress: 3}}\n"
#define SPACE "time: {step: 0.1, end: 1}\nmaterials: {a: {density: 1}}\nwalls:\n" LID
    static const char *const text[] = {
        "dimension: 2\ntime: {step: 0.1, end: 1}\nmaterials: {a: {density: 1}}\n"
        "walls:\n  lid: {plane: {point: [0, 9], normal: [0, -1]}, piston: {mass: 2, stress: 3}}\n"
        "  l: {plane: {point: [0, 0], normal: [1, 0]}}\n"
        "  b: {plane: {point: [0, 0], normal: [0, 1]}}\n"
        "  r: {plane: {point: [4, 0], normal: [-1, 0]}}\n"
        "grains: [{position: [2, 5], radius: 0.5}]\n",
        SPACE "  e: {plane: {point: [0, 0, 0], normal: [3, 4, 0]}}\n"
              "  n: {plane: {point: [0, 0, 0], normal: [4, -3, 0]}}\n"
              "  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"
              "  w: {plane: {point: [2.4, 3.2, 0], normal: [-3, -4, 0]}}\n"
              "  s: {plane: {point: [4, -3, 0], normal: [-4, 3, 0]}}\n"
              "grains: [{position: [3.2, 0.1, 5], radius: 0.5}]\n",
        SPACE "  l: {plane: {point: [0, 0, 0], normal: [1, 0, 0]}}\n"
              "  r: {plane: {point: [4, 0, 0], normal: [-1, 0, 0]}}\n"
              "  f: {plane: {point: [0, 0, 0], normal: [1.7320508075688772, 1, 0]}}\n"
              "  b: {plane: {point: [0, 10, 0], normal: [-1.7320508075688772, -1, 0]}}\n"
              "grains: [{position: [1, 4, 5], radius: 0.5}]\n",
        SPACE "  sieve: {plane: {point: [1, 0, 0], normal: [1, 0, 0]}}\n"
              "periodic: {x: [0, 4], y: [0, 5]}\n"
              "grains: [{position: [2, 2, 5], radius: 0.5}]\n"};
    static const double area[] = {4, 20, 40, 20};
    for (int k = 0; k < 4; k++) {
        Scene *scene;
        ScreeWorld *world;
        if (built(text[k], &scene, &world)) {
            go_on(scene, world, 0.1);
            const ScreeVec3 v = wall_of(world, 0).now.velocity;
            CHECK_NEAR(k == 0 ? v.y : v.z, -0.1 * 3 * area[k] / 2, 1e-12);
            dropped(scene, world);
        }
    }
}

static void what_does_not_bound_a_stress_is_named(void) {
    static const Bad bad[] = {
        {BETWEEN
         "  m: {plane: {point: [2, 0], normal: [1, 0]}}\n"
         "  lid: {plane: {point: [0, 9], normal: [0, -1]}, piston: {mass: 1, stress: @1}}\n" ONE2,
         {"3 planes stand across the piston", "between: [left, right]"}},
        {"dimension: 2\ntime: {step: 0.1, end: 1}\nmaterials: {a: {}}\nwalls:\n  lid: {plane: "
         "{point: [0, 9], normal: "
         "[0, -1]}, piston: {mass: 1, stress: @1}}\n" ONE2,
         {"0 planes stand across the piston", "give a force"}},
        {"dimension: 3\ntime: {step: 0.1, end: 1}\nmaterials: {a: {}}\nwalls:\n"
         "  base: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"
         "  front: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n"
         "  back: {plane: {point: [0, 9, 0], normal: [0, -1, 0]}}\n"
         "  top: {holder: {}}\n"
         "  side: {plane: {point: [9, 0, 0], normal: [-1, 0, 0]}, piston: {stress: @1}}\n"
         "grains: [{position: [1, 1, 1], radius: 0.5}, "
         "{held_by: top, position: [1, 1, 8], radius: 0.5}]\n",
         {"3 planes stand across the piston", "no plane faces 'base'"}},
        {"dimension: 2\ntime: {step: 0.1, end: 1}\nmaterials: {a: {}}\nwalls:\n"
         "  l: {plane: {point: [4, 0], normal: [1, 0]}}\n"
         "  r: {plane: {point: [0, 0], normal: [-1, 0]}}\n"
         "  lid: {plane: {point: [0, 9], normal: [0, -1]}, piston: {mass: 1, stress: @1}}\n" ONE2,
         {"the 2 planes that stand across the piston do not face each other"}},
        {PLATE
         "walls: {lid: {plane: {point: [0, 9], normal: [0, -1]}, piston: @{mass: 1, stress: 1, "
         "between: [lid, lid]}}}\n" ONE2,
         {"between no walls", "leave out between"}},
        {BETWEEN
         "  lid: {plane: {point: [0, 9], normal: [0, -1]}, piston: @{mass: 1, force: [0, -1], "
         "between: [l, r]}}\n" ONE2,
         {"a force acts on no area", "leave out between"}},
    };
    check_bad_scenes(bad, sizeof bad / sizeof bad[0]);
}

int main(int argc, char **argv) {
    CHECK_RUN(a_plate_turns_about_the_middle_of_its_grains);
    CHECK_RUN(pistons_follow_programmes);
    CHECK_RUN(pistons_have_the_mass_of_the_grains);
    CHECK_RUN(leaning_walls_bound_the_area_that_they_cut_out);
    CHECK_RUN(a_stress_may_begin_later);
    CHECK_RUN(events_hold_and_let_go);
    CHECK_RUN(wrong_plates_are_refused);
    CHECK_RUN(planes_across_bound_a_stress);
    CHECK_RUN(what_does_not_bound_a_stress_is_named);
    return check_result();
}

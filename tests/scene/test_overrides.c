/* -D path.to.key=value. */
#include "support.h"

static const char *const scene_text_shared =
    "time: {step: 1e-3, end: 1}\n"
    "materials: {stone: &m {density: 2, friction: 0.5}, sand: *m}\n"
    "walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, velocity: [1, 2, 3]}}\n"
    "grains:\n"
    "  - {at: [[0, 0, 1], [0, 0, 5]], radius: 1, material: stone}\n"
    "  - {count: 10, radius: {uniform: [0.1, 0.2]}, material: sand, fill: {min: [5, 5, 5], max: "
    "[9, 9, "
    "9]}}\n";

static Scene *with(const char *const *overrides, size_t count, SceneError *error) {
    return scene_parse(scene_text_shared, strlen(scene_text_shared), "o.yaml", overrides, count,
                       error);
}

static void values_are_replaced(void) {
    const char *const list[] = {"time.end=2",
                                "materials.stone.friction=0.25",
                                "grains.1.count=7",
                                "grains.1.radius.uniform.1=0.15",
                                "grains.0.at.1=[0, 0, 6.5]",
                                "walls.floor.velocity.2=-4",
                                "gravity=[0, 0, -5]",
                                "solver.tolerance=1e-9",
                                "seed=99",
                                "time.theta=0.75",
                                "materials.stone.rolling=0.125",
                                "materials.stone.stiffness=.inf",
                                "materials.sand.stiffness=2e5",
                                "pairs=[{between: [stone, sand], torsion: 0.5}]"};
    enum { COUNT = sizeof list / sizeof list[0] };
    SceneError error;
    Scene *scene = with(list, COUNT, &error);
    ScreeWorld *world = NULL;
    CHECK(scene && scene_build(scene, &world, &error));
    if (!world) {
        fprintf(stderr, "%s", error.text);
        scene_free(scene);
        return;
    }
    CHECK(scene_settings(scene)->end == 2);
    ScreeWorldDef def = scree_world_get_def(world);
    CHECK(def.gravity.z == -5 && def.solver.tolerance == 1e-9 && def.seed == 99);
    ScreeLaw stone, sand;
    CHECK(scree_law_get(world, (ScreeMaterialId){0}, (ScreeMaterialId){0}, &stone) == SCREE_OK &&
          stone.friction == 0.25);
    /* sand is an alias of stone in the text, but the path named only stone */
    CHECK(scree_law_get(world, (ScreeMaterialId){1}, (ScreeMaterialId){1}, &sand) == SCREE_OK &&
          sand.friction == 0.5);
    CHECK(def.theta == 0.75 && stone.rolling == 0.125 && sand.rolling == 0);
    CHECK(isinf(stone.stiffness) && sand.stiffness == 2e5);
    ScreeLaw pair;
    CHECK(scree_law_get(world, (ScreeMaterialId){0}, (ScreeMaterialId){1}, &pair) == SCREE_OK &&
          pair.torsion == 0.5);
    CHECK(pair.friction == 0.25);
    ScreeBodyView b = scree_world_get_bodies(world);
    CHECK(b.count == 2 + 7 && b.position[1].z == 6.5);
    for (size_t i = 2; i < b.count; i++) {
        CHECK(b.radius[i] >= 0.1 && b.radius[i] <= 0.15);
    }
    ScreeWallState wall;
    CHECK(scree_wall_get_state(world, (ScreeWallId){0}, &wall) == SCREE_OK &&
          wall.now.velocity.z == -4);
    CHECK(wall.now.velocity.x == 1);
    size_t count, size;
    const char *const *kept = scene_overrides(scene, &count);
    CHECK(count == COUNT && strcmp(kept[2], list[2]) == 0);
    CHECK(strcmp(scene_text(scene, &size), scene_text_shared) == 0 &&
          size == strlen(scene_text_shared));
    dropped(scene, world);
}

/* Of two overrides the later one wins. */
static void the_last_one_wins(void) {
    const char *const list[] = {"time.end=2", "time.end=3", "output={every: 0.5}",
                                "output.every=0.25"};
    Scene *scene = with(list, 4, NULL);
    CHECK(scene && scene_settings(scene)->end == 3 && scene_settings(scene)->output_every == 0.25);
    scene_free(scene);
}

/* What is nothing takes its key away, for this path alone. */
static void null_takes_keys_away(void) {
    const char *const list[] = {"walls.floor.velocity=null", "materials.stone.friction=~",
                                "gravity=[0, 0, -9]", "gravity=null"};
    Scene *scene = with(list, 4, NULL);
    ScreeWorld *world = NULL;
    CHECK(scene && scene_build(scene, &world, NULL));
    if (world) {
        ScreeWallState wall;
        CHECK(scree_wall_get_state(world, (ScreeWallId){0}, &wall) == SCREE_OK);
        CHECK(wall.now.velocity.x == 0 && wall.now.velocity.z == 0);
        CHECK(scree_world_get_def(world).gravity.z == 0);
        for (int32_t m = 0; m < 2; m++) { /* one of them is an alias of the other */
            ScreeLaw law;
            CHECK(scree_law_get(world, (ScreeMaterialId){m}, (ScreeMaterialId){m}, &law) ==
                  SCREE_OK);
            CHECK(law.friction == (m == 0 ? 0 : 0.5));
        }
    }
    scree_world_destroy(world);
    scene_free(scene);
}

typedef struct BadOverride {
    const char *text;
    const char *words[2];
} BadOverride;

static const BadOverride bad_overrides[] = {
    {"tiem.end=2", {"unknown key 'tiem'", "did you mean 'time'?"}},
    {"time.ende=2", {"unknown key 'ende' in time", "did you mean 'end'?"}},
    {"materials.ston.friction=1", {"no 'ston' in materials", "did you mean 'stone'?"}},
    {"grains.count=1", {"no entry 'count'", "0 to 1: write grains.0.count"}},
    {"grains.2.count=1", {"no entry '2'", "0 to 1"}},
    {"grains.first.count=1", {"no entry 'first'", "0 to 1"}},
    {"grains.99999999999999999999.count=1", {"no entry", "0 to 1"}},
    {"time.end.x=2", {"'end' has no parts", ""}},
    {"time.end", {"not an override", "path.to.key=value"}},
    {"=2", {"not an override", ""}},
    {"time..end=2", {"empty", ""}},
    {"time.end=", {"no value", ""}},
    {"time.end=[1", {"not valid YAML", ""}},
    {"time.end=soon", {"time.end must be a number", "'soon'"}},
    {"grains[0].count=3", {"'grains[0]' is no key", "counted after a dot: grains.0"}},
    {"time.step=0", {"time.step must be greater than 0", "-D time.step=0: error"}},
    {"materials.stone.restitution=2", {"materials.stone.restitution", "create energy"}},
    {"materials.stone.rollin=2", {"unknown key 'rollin'", "did you mean 'rolling'?"}},
    {"time.theta=2", {"time.theta must be between 1/2 and 1", ""}},
    {"engine=hard", {"engine cannot be 'hard'", "contact_dynamics"}},
    {"solver.order=randm", {"'randm'", "did you mean 'random'?"}},
    {"grains.0.radius=[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]", {"nested", ""}},
    {"gravity=&a [*a, *a, *a]", {"nested", ""}},
    {"skin=null", {"'skin' is not in this scene", "takes a key away"}},
    {"grains.0=null", {"grains[0]", "nothing"}},
};

static void bad_overrides_are_told(void) {
    for (size_t i = 0; i < sizeof bad_overrides / sizeof bad_overrides[0]; i++) {
        const BadOverride *bad = &bad_overrides[i];
        const char *const list[] = {"seed=2", bad->text};
        SceneError error;
        Scene *scene = with(list, 2, &error);
        bool right = !scene && strstr(error.text, bad->words[0]) &&
                     strstr(error.text, bad->words[1]) && error.line == 0 &&
                     strncmp(error.text, "-D ", 3) == 0;
        CHECK(right);
        if (!right) {
            fprintf(stderr, "%s\n%s", bad->text, scene ? "(accepted)\n" : error.text);
        }
        scene_free(scene);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(values_are_replaced);
    CHECK_RUN(the_last_one_wins);
    CHECK_RUN(null_takes_keys_away);
    CHECK_RUN(bad_overrides_are_told);
    return check_result();
}

/* Scenes that extend others: what the merged scene says, the text that replaces it, where errors
 * are shown, and what is refused. */
#include "support.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[64];

static const char *at(const char *name) {
    static char path[4][128];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static void put(const char *name, const char *text) {
    FILE *file = fopen(at(name), "w");
    CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static Scene *loaded(const char *name) {
    SceneError error;
    Scene *scene = scene_load(at(name), NULL, 0, &error);
    if (!scene) {
        fprintf(stderr, "%s", error.text);
    }
    CHECK(scene != NULL);
    return scene;
}

/* The hash of the world that a scene makes; 0 when it makes none. */
static uint64_t hash_of(Scene *scene) {
    SceneError error;
    ScreeWorld *world = NULL;
    uint64_t hash = 0;
    if (scene && scene_build(scene, &world, &error)) {
        hash = scree_world_hash(world);
    } else if (scene) {
        fprintf(stderr, "%s", error.text);
    }
    scree_world_destroy(world);
    scene_free(scene);
    return hash;
}

static bool refused(const char *name, const char *file, int line, int column, const char *words) {
    SceneError error;
    Scene *scene = scene_load(at(name), NULL, 0, &error);
    bool right = !scene && error.line == line && error.column == column &&
                 strstr(error.text, words) && strncmp(error.text, at(file), strlen(at(file))) == 0;
    if (!right) {
        fprintf(stderr, "expected %s:%d:%d '%s'; got:\n%s", file, line, column, words, error.text);
    }
    scene_free(scene);
    return right;
}

#define PLAIN                                                                                      \
    "gravity: [0, 0, -10]\ntime: {step: 1e-3, end: 1, theta: 0.75}\n"                              \
    "materials:\n  stone: {density: 2, friction: 0.5}\n  ice: {density: 1, friction: 0}\n"         \
    "grains:\n  - {position: [0, 0, 5], radius: 1, material: ice}\n"

/* The intended scene, written out as one, makes the same world. */
static void mappings_merge_and_the_rest_is_replaced(void) {
    put("base.yaml", PLAIN);
    put("own.yaml", "extends: base.yaml\ngravity: [0, 0, -20]\ntime: {end: 2, theta: null}\n"
                    "materials:\n  stone: {friction: 0.25}\n  sand: {density: 3}\n"
                    "grains:\n  - {position: [0, 0, 7], radius: 1, material: sand}\n");
    put("meant.yaml", "gravity: [0, 0, -20]\ntime: {step: 1e-3, end: 2}\n"
                      "materials:\n  stone: {density: 2, friction: 0.25}\n"
                      "  ice: {density: 1, friction: 0}\n  sand: {density: 3}\n"
                      "grains:\n  - {position: [0, 0, 7], radius: 1, material: sand}\n");
    Scene *own = loaded("own.yaml");
    CHECK(own && scene_settings(own)->end == 2 && scene_material_count(own) == 3);
    CHECK(own && strcmp(scene_material_name(own, 2), "sand") == 0);
    uint64_t hash = hash_of(own);
    CHECK(hash != 0 && hash == hash_of(loaded("meant.yaml")));
    CHECK(hash != hash_of(loaded("base.yaml")));
}

static void overrides_act_on_the_whole(void) {
    const char *const overrides[] = {"materials.ice.friction=0.125", "time.end=3"};
    SceneError error;
    put("base.yaml", PLAIN);
    put("own.yaml", "extends: base.yaml\ntime: {end: 2}\n");
    put("meant.yaml", "extends: base.yaml\ntime: {end: 3}\nmaterials: {ice: {friction: 0.125}}\n");
    Scene *scene = scene_load(at("own.yaml"), overrides, 2, &error);
    CHECK(scene && scene_settings(scene)->end == 3);
    uint64_t hash = hash_of(scene);
    CHECK(hash != 0 && hash == hash_of(loaded("meant.yaml")));
    CHECK(hash != hash_of(loaded("own.yaml")));
    const char *const other[] = {"extends=base.yaml"};
    CHECK(!scene_load(at("base.yaml"), other, 1, &error) && strstr(error.text, "extends counts"));
    const char *text = "extends: base.yaml\n" PLAIN;
    CHECK(!scene_parse(text, strlen(text), at("own.yaml"), NULL, 0, &error));
    CHECK(error.line == 1 && strstr(error.text, "extends counts"));
}

/* A chain through another folder, with aliases, quotes and characters beyond ASCII; the text of the
 * whole, alone in a file, makes the same world and reproduces itself. */
static void text_of_the_whole_stands_for_itself(void) {
    CHECK(mkdir(at("deep"), 0700) == 0);
    put("deep/base.yaml", "extends: ../first.yaml\nmaterials:\n  ice: {friction: 0.5}\n"
                          "grains:\n  - {file: \"gr\xc3\xbc\xc3\x9f.csv\", material: ice}\n");
    put("deep/gr\xc3\xbc\xc3\x9f.csv", "x,y,z,radius\n0,0,9,1\n");
    put("gr\xc3\xbc\xc3\x9f.csv", "x,y,z,radius\n0,0,9,1\n");
    put("first.yaml", "time: &t {step: 1e-3, end: 1}\ngravity: [0, 0, -10]\n"
                      "materials:\n  stone: &m {density: 2, friction: 0.5}\n"
                      "  ice: *m\ngrains: [{position: [0, 0, 0], radius: 1}]\n");
    put("own.yaml", "extends: deep/base.yaml\nseed: 7\n");
    Scene *scene = loaded("own.yaml");
    size_t size = 0;
    const char *text = scene ? scene_text(scene, &size) : "";
    CHECK(size > 0 && size == strlen(text) && !strstr(text, "extends"));
    put("whole.yaml", text);
    Scene *whole = loaded("whole.yaml");
    CHECK(whole && strcmp(scene_text(whole, NULL), text) == 0);
    uint64_t hash = hash_of(scene);
    CHECK(hash != 0 && hash == hash_of(whole));
    unlink(at("gr\xc3\xbc\xc3\x9f.csv")); /* the one beside the base is meant */
    CHECK(hash == hash_of(loaded("own.yaml")));
    unlink(at("deep/gr\xc3\xbc\xc3\x9f.csv"));
    unlink(at("deep/base.yaml"));
    rmdir(at("deep"));
}

static void errors_name_the_file_they_are_in(void) {
    put("base.yaml", PLAIN "skn: 1\n");
    put("own.yaml", "extends: base.yaml\nseed: 1\n");
    CHECK(refused("own.yaml", "base.yaml", 8, 1, "unknown key 'skn'"));
    put("own.yaml", "extends: base.yaml\nskn: null\nseeed: 1\n");
    CHECK(refused("own.yaml", "own.yaml", 3, 1, "did you mean 'seed'"));
    put("base.yaml", PLAIN);
    put("own.yaml", "extends: base.yaml\ntime:\n  end: -1\n");
    CHECK(refused("own.yaml", "own.yaml", 3, 8, "time.end"));
    put("own.yaml", "extends: base.yaml\ntime: {end: null}\n");
    CHECK(refused("own.yaml", "own.yaml", 2, 7, "'end' is missing"));
    put("own.yaml", "extends: base.yaml\ntime: {end: 1, end: 2}\n");
    CHECK(refused("own.yaml", "own.yaml", 2, 16, "twice in time, first on line 2"));
    put("own.yaml", "extends: base.yaml\nseed: 1\nseed: 2\n");
    CHECK(refused("own.yaml", "own.yaml", 3, 1, "twice in the scene, first on line 2"));
    put("own.yaml", "extends: base.yaml\n\n\ntime: {end: 1}\ntime: {end: 2}\n");
    CHECK(refused("own.yaml", "own.yaml", 5, 1, "twice in the scene, first on line 4"));
    put("base.yaml", "time: {step: 1\n");
    CHECK(refused("own.yaml", "base.yaml", 2, 1, "not valid YAML"));
    put("base.yaml", "");
    CHECK(refused("own.yaml", "base.yaml", 0, 0, "not a scene"));
    put("base.yaml", "[1, 2]\n");
    CHECK(refused("own.yaml", "base.yaml", 0, 0, "not a scene"));
}

static void what_cannot_be_extended_is_refused(void) {
    put("own.yaml", "seed: 1\nextends: none.yaml\n");
    CHECK(refused("own.yaml", "own.yaml", 2, 10, "cannot read"));
    put("own.yaml", "extends: .\n");
    CHECK(refused("own.yaml", "own.yaml", 1, 10, "not a regular file"));
    put("own.yaml", "extends: /dev/zero\n");
    CHECK(refused("own.yaml", "own.yaml", 1, 10, "not a regular file"));
    put("own.yaml", "extends: [base.yaml]\n");
    CHECK(refused("own.yaml", "own.yaml", 1, 10, "must be the name of a file"));
    put("base.yaml", PLAIN);
    put("own.yaml", "extends: base.yaml\nextends: base.yaml\n");
    CHECK(refused("own.yaml", "own.yaml", 2, 1, "a scene can extend only one other"));
    put("own.yaml", "extends: base.yaml\nmaterials: {sand: null}\n");
    CHECK(refused("own.yaml", "own.yaml", 2, 13, "'sand' is not in what this scene extends"));
    put("own.yaml", "extends: own.yaml\n");
    CHECK(refused("own.yaml", "own.yaml", 1, 10, "extends itself"));
    put("base.yaml", PLAIN "extends: own.yaml\n");
    put("own.yaml", "extends: base.yaml\n");
    CHECK(refused("own.yaml", "base.yaml", 8, 10, "by way of others"));
    for (int i = 0; i < 18; i++) {
        char name[24], text[40];
        snprintf(name, sizeof name, "c%d.yaml", i);
        snprintf(text, sizeof text, "extends: c%d.yaml\n", i + 1);
        put(name, i < 17 ? text : PLAIN);
    }
    CHECK(refused("c0.yaml", "c16.yaml", 1, 10, "more than 16"));
    CHECK(hash_of(loaded("c1.yaml")) != 0);
    for (int i = 0; i < 18; i++) {
        char name[24];
        snprintf(name, sizeof name, "c%d.yaml", i);
        unlink(at(name));
    }
}

/* Mappings that contain themselves, or of which each contains the next one twice. */
static void endless_mappings_are_refused(void) {
    char bomb[2000] = "m0: &m0 {a: 1}\n";
    put("base.yaml", "time: &t {step: *t}\n");
    put("own.yaml", "extends: base.yaml\ntime: &t {step: *t}\n");
    CHECK(refused("own.yaml", "own.yaml", 2, 7, "nested more than"));
    for (int i = 1; i < 30; i++) {
        char line[64];
        snprintf(line, sizeof line, "m%d: &m%d {a: *m%d, b: *m%d}\n", i, i, i - 1, i - 1);
        strcat(bomb, line);
    }
    char text[2100];
    snprintf(text, sizeof text, "extends: base.yaml\n%s", bomb);
    put("base.yaml", bomb);
    put("own.yaml", text);
    SceneError error;
    CHECK(!scene_load(at("own.yaml"), NULL, 0, &error) && strstr(error.text, "mappings"));
}

int main(int argc, char **argv) {
    snprintf(folder, sizeof folder, "/tmp/scree-extend-XXXXXX");
    CHECK(mkdtemp(folder) != NULL);
    CHECK_RUN(mappings_merge_and_the_rest_is_replaced);
    CHECK_RUN(overrides_act_on_the_whole);
    CHECK_RUN(text_of_the_whole_stands_for_itself);
    CHECK_RUN(errors_name_the_file_they_are_in);
    CHECK_RUN(what_cannot_be_extended_is_refused);
    CHECK_RUN(endless_mappings_are_refused);
    static const char *const made[] = {"base.yaml", "own.yaml", "meant.yaml", "first.yaml",
                                       "whole.yaml"};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        unlink(at(made[i]));
    }
    rmdir(folder);
    return check_result();
}

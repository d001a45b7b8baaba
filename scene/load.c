/* Reading a scene: the text, the overrides, the schema, and checks across sections. */
#include "scene/internal.h"

#include "scene/play/gates.h"
#include "scene/play/quantities.h"
#include "scene/read/extend.h"
#include "scene/read/override.h"
#include "scene/read/reader.h"
#include "scene/schema/sections.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- checks across sections */

static bool check_pairs(Scene *scene, SceneError *error) {
    ScenePairSpec *pairs = scene->model.pairs.items;
    for (size_t i = 0; i < scene->model.pairs.count; i++) {
        SceneNames *names = &pairs[i].between;
        if (names->count != 2) {
            return scene_fail(error, scene_location_of(scene, &pairs[i].head, "between"), NULL,
                              "pairs[%zu].between must name two materials", i);
        }
        int32_t numbers[2];
        for (int k = 0; k < 2; k++) {
            SceneLocation location = scene_location(&scene->document, names->nodes[k]);
            numbers[k] = scene_material_number(scene, names->names[k], location, error);
            if (numbers[k] < 0) {
                return false;
            }
        }
        if (scene_pairs(&scene->document, pairs[i].head.node) < 2) {
            return scene_fail(error, scene_location_of(scene, &pairs[i].head, NULL),
                              "for example friction: 0.3", "pairs[%zu] gives no law", i);
        }
        pairs[i].a = numbers[0];
        pairs[i].b = numbers[1];
        for (size_t j = 0; j < i; j++) {
            bool same = (pairs[j].a == pairs[i].a && pairs[j].b == pairs[i].b) ||
                        (pairs[j].a == pairs[i].b && pairs[j].b == pairs[i].a);
            if (same) {
                return scene_fail(error, scene_location_of(scene, &pairs[i].head, "between"),
                                  "keep one of the two",
                                  "pairs[%zu] names the same materials as pairs[%zu]", i, j);
            }
        }
    }
    return true;
}

/* Keys that belong to one engine only. */
static bool check_engine(Scene *scene, SceneError *error) {
    const SceneModel *m = &scene->model;
    bool soft = m->engine == SCREE_ENGINE_SOFT;
    if (m->engine == SCREE_ENGINE_QUASISTATIC && !scene_has(scene, &m->time.head, "step")) {
        return scene_fail(
            error, scene_location_of(scene, &m->time.head, NULL),
            "step: for example 1; it counts the increments of a scene without inertia",
            "'step' is missing in time");
    }
    if (!soft && m->soft.head.node) {
        return scene_fail(error, scene_location_of(scene, &m->soft.head, NULL),
                          "add engine: soft, or leave out soft",
                          "soft holds settings of the soft engine, and this scene runs with "
                          "contact dynamics");
    }
    bool variational =
        m->engine == SCREE_ENGINE_VARIATIONAL || m->engine == SCREE_ENGINE_QUASISTATIC;
    if (!variational && m->variational.head.node) {
        return scene_fail(error, scene_location_of(scene, &m->variational.head, NULL),
                          "add engine: variational or engine: quasistatic, or leave it out",
                          "variational holds settings of other engines than that of this scene");
    }
    if (m->engine == SCREE_ENGINE_QUASISTATIC && m->time.theta != 1) {
        return scene_fail(error, scene_location_of(scene, &m->time.head, "theta"), "leave it out",
                          "time.theta is of dynamics, and the quasi-static engine has no inertia");
    }
    if (soft && m->time.theta != 1) {
        return scene_fail(error, scene_location_of(scene, &m->time.head, "theta"),
                          "leave it out; soft.integrator chooses how the soft engine steps",
                          "time.theta belongs to contact dynamics, and this scene runs with the "
                          "soft engine");
    }
    return true;
}

static bool check_world(Scene *scene, SceneError *error) {
    SceneModel *m = &scene->model;
    if (m->extends) {
        return scene_fail(error, scene_location_of(scene, &m->head, "extends"),
                          "write it into the scene's own file",
                          "extends counts only where it stands in the file of a scene");
    }
    if (!check_engine(scene, error)) {
        return false;
    }
    if (m->time.step > 0 && m->time.end / m->time.step > 1e15) {
        return scene_fail(error, scene_location_of(scene, &m->time.head, "step"),
                          "take a longer step or an earlier end",
                          "the run would take more than 1e15 steps");
    }
    if (m->time.step > 0 && m->time.end <= 1e-3 * m->time.step) { /* scene_time_slack */
        return scene_fail(error, scene_location_of(scene, &m->time.head, "step"),
                          "take a shorter step or a later end",
                          "the run would end before its first step");
    }
    if (m->dimension == 2 && m->periodic.axis[2].given) {
        return scene_fail(error, scene_location_of(scene, &m->periodic.head, "z"), NULL,
                          "a scene in two dimensions is not periodic along z");
    }
    if (m->solver.iterations > INT32_MAX) {
        return scene_fail(error, scene_location_of(scene, &m->solver.head, "iterations"), NULL,
                          "solver.iterations must be at most %d", INT32_MAX);
    }
    if (m->solver.cuts > INT32_MAX) {
        return scene_fail(error, scene_location_of(scene, &m->solver.head, "cuts"), NULL,
                          "solver.cuts must be at most %d", INT32_MAX);
    }
    if (m->materials.count == 0) {
        return scene_fail(error, scene_location_of(scene, &m->head, "materials"),
                          "for example stone: {density: 2600, friction: 0.5}",
                          "there must be at least one material");
    }
    if (m->materials.count > 4096 || m->pairs.count > 10000 || m->walls.count > 1000000 ||
        m->events.count > 1000000) {
        return scene_fail(error, scene_location(&scene->document, 1), NULL,
                          "at most 4096 materials, 10,000 pairs, 1,000,000 walls and events");
    }
    if (m->grains.count == 0 && !m->start.head.node && m->inlets.count == 0) {
        return scene_fail(error, scene_location_of(scene, &m->head, "grains"),
                          "for example - {position: [0, 0, 1], radius: 0.5}",
                          !scene_has(scene, &m->head, "grains")
                              ? "'grains' is missing in the scene"
                              : "there must be at least one grain");
    }
    return true;
}

static void fill_settings(Scene *scene) {
    const SceneModel *m = &scene->model;
    bool every = scene_has(scene, &m->output.head, "every");
    scene->settings = (SceneSettings){.end = m->time.end,
                                      .output_every = every ? m->output.every : m->time.end / 100,
                                      .checkpoint_every = m->output.checkpoint_seconds,
                                      .output_contacts = m->output.contacts,
                                      .automatic_step = m->time.step == 0,
                                      .policy = (ScenePolicy)m->solver.policy,
                                      .device = (ScreeDeviceChoice)m->device};
}

/* ---------------------------------------------------------------- reading */

/* The dimension decides how vectors are read, so it is looked up first. */
static int find_dimension(SceneReader *reader) {
    int node = scene_lookup(reader->document, 1, "dimension", NULL);
    const char *text = node ? scene_scalar(reader->document, node) : NULL;
    double v = 3;
    if (!node) {
        return 3;
    }
    if (!text || scene_number_from(text, &v) || (v != 2 && v != 3)) {
        ScenePath here = {NULL, "dimension", 0};
        reader->path = &here;
        scene_wrong_type(reader, node, "2 or 3");
        reader->path = NULL;
        return 0;
    }
    return (int)v;
}

/* Everything against the schema; of a part of a scene, keys may be missing at the top. */
static bool read_keys(Scene *scene, bool part, SceneError *error) {
    SceneDocument *document = &scene->document;
    if (!scene_root_node(document)) {
        return scene_fail(error, (SceneLocation){&document->source, 0, 0, 0},
                          "begin with materials, grains and time", "the scene is empty");
    }
    bool mapping = scene_node(document, 1)->type == YAML_MAPPING_NODE;
    for (size_t i = 0; mapping && i < scene->override_count; i++) {
        if (!scene_apply_override(document, &scene_section_root, (int)i, error)) {
            return false;
        }
    }
    SceneReader reader = {
        .document = document, .arena = &scene->arena, .error = error, .part = part};
    size_t nodes = (size_t)(document->yaml.nodes.top - document->yaml.nodes.start);
    reader.visit_limit = 4 * nodes + 10000000;
    reader.dimension = mapping ? find_dimension(&reader) : 3;
    return reader.dimension && scene_read_section(&reader, &scene_section_root, 1, &scene->model);
}

static bool read_model(Scene *scene, SceneError *error) {
    return read_keys(scene, false, error) && check_world(scene, error) &&
           check_pairs(scene, error) && scene_expand_walls(scene, error) &&
           scene_check_shapes(scene, error) && scene_check_grains(scene, error) &&
           scene_check_gates(scene, error) && scene_check_bonds(scene, error) &&
           scene_check_events(scene, error) && scene_check_cell(scene, error) &&
           scene_check_growth(scene, error) && scene_check_measures(scene, error);
}

static bool copy_input(Scene *scene, const char *text, size_t size, const char *name,
                       const char *const *overrides, size_t count, SceneSource *source) {
    scene->text = scene_copy_text(&scene->arena, text, size);
    scene->size = size;
    char *copy = scene_copy_text(&scene->arena, name, strlen(name));
    scene->overrides = scene_alloc(&scene->arena, count + 1, sizeof *scene->overrides);
    SceneSource *added = scene_alloc(&scene->arena, count + SCENE_EXTEND_LIMIT, sizeof *added);
    if (!scene->text || !copy || !scene->overrides || !added) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        char *option = scene_copy_text(&scene->arena, overrides[i], strlen(overrides[i]));
        if (!option) {
            return false;
        }
        scene->overrides[i] = option;
        added[i] = (SceneSource){"-D", option, strlen(option), true};
    }
    scene->override_count = count;
    scene->document.added = added;
    *source = (SceneSource){copy, scene->text, size, false};
    return true;
}

/* A text that is not a file cannot extend another scene. */
static bool load_text(Scene *scene, const char *text, size_t size, const char *name, bool file,
                      const char *const *overrides, size_t count, SceneError *error) {
    SceneSource source = {name, NULL, 0, false};
    if (!copy_input(scene, text, size, name, overrides, count, &source)) {
        return scene_out_of_memory(error, (SceneLocation){&source, 0, 0, 0}, NULL);
    }
    SceneSource *added = scene->document.added;
    bool ok = scene_document_read(&scene->document, &source, error);
    scene->document.added = added;
    ok = ok && (!file || scene_extend(&scene->document, (int)count, &scene->arena, &scene->text,
                                      &scene->size, error));
    if (!ok || !read_model(scene, error)) {
        return false;
    }
    fill_settings(scene);
    return true;
}

static Scene *make_scene(const char *text, size_t size, const char *name, bool file,
                         const char *const *overrides, size_t count, SceneError *error) {
    Scene *scene = calloc(1, sizeof *scene);
    if (!scene) {
        SceneSource source = {name, NULL, 0, false};
        scene_out_of_memory(error, (SceneLocation){&source, 0, 0, 0}, NULL);
        return NULL;
    }
    scene->grain_limit = SCENE_GRAIN_LIMIT;
    scene->file_limit = SCENE_FILE_LIMIT;
    if (!load_text(scene, text, size, name, file, overrides, count, error)) {
        scene_free(scene);
        return NULL;
    }
    return scene;
}

Scene *scene_parse(const char *text, size_t size, const char *name, const char *const *overrides,
                   size_t count, SceneError *error) {
    SceneError unused;
    error = error ? error : &unused;
    *error = (SceneError){0};
    return make_scene(text, size, name, false, overrides, count, error);
}

bool scene_check_part(const char *text, size_t size, const char *name, SceneError *error) {
    *error = (SceneError){0};
    SceneSource source = {name, NULL, 0, false};
    Scene *scene = calloc(1, sizeof *scene);
    bool ok = scene && copy_input(scene, text, size, name, NULL, 0, &source);
    if (ok) {
        ok = scene_document_read(&scene->document, &source, error) && read_keys(scene, true, error);
    } else {
        scene_out_of_memory(error, (SceneLocation){&source, 0, 0, 0}, NULL);
    }
    scene_free(scene);
    return ok;
}

Scene *scene_load(const char *path, const char *const *overrides, size_t count, SceneError *error) {
    SceneError unused;
    error = error ? error : &unused;
    *error = (SceneError){0};
    SceneSource source = {path, NULL, 0, false};
    size_t size = 0;
    char *text = scene_read_file(path, SCENE_TEXT_LIMIT, &size);
    if (!text && errno == ENOMEM) {
        scene_out_of_memory(error, (SceneLocation){&source, 0, 0, 0}, NULL);
        return NULL;
    }
    if (!text) {
        scene_fail(error, (SceneLocation){&source, 0, 0, 0}, NULL, "cannot read the scene: %s",
                   strerror(errno));
        return NULL;
    }
    Scene *scene = make_scene(text, size, path, true, overrides, count, error);
    free(text);
    return scene;
}

void scene_free(Scene *scene) {
    if (scene) {
        scene_document_free(&scene->document);
        scene_free_wall_meshes(scene);
        if (scene->watch) {
            scene_watch_free(scene->watch);
        }
        scene_free_all(&scene->arena);
        free(scene->news);
        free(scene);
    }
}

/* ---------------------------------------------------------------- what others ask */

const char *scene_text(const Scene *scene, size_t *size) {
    if (size) {
        *size = scene->size;
    }
    return scene->text;
}

const char *const *scene_overrides(const Scene *scene, size_t *count) {
    if (count) {
        *count = scene->override_count;
    }
    return scene->overrides;
}

const SceneSettings *scene_settings(const Scene *scene) {
    return &scene->settings;
}

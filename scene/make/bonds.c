#include "scene/make/bonds.h"

#include <string.h>

const SceneBondSpec *scene_find_bonds(const Scene *scene, const char *name) {
    const SceneBondSpec *specs = scene->model.bonds.items;
    for (size_t i = 0; i < scene->model.bonds.count; i++) {
        if (strcmp(specs[i].head.name, name) == 0) {
            return &specs[i];
        }
    }
    return NULL;
}

/* ---------------------------------------------------------------- checks */

static bool check_strengths(const Scene *scene, const SceneBondSpec *spec, SceneError *error) {
    static const char *const key[2] = {"tension", "shear"};
    const double sum[2] = {spec->tension + spec->tension_stress, spec->shear + spec->shear_stress};
    for (int k = 0; k < 2; k++) {
        if (!(sum[k] > 0)) {
            return scene_fail(error, scene_location_of(scene, &spec->head, key[k]),
                              k == 0 ? "for example tension: 10, or tension_stress: 1e5"
                                     : "for example shear: 10, or shear_stress: 1e5",
                              "bonds.%.60s: a bond needs a strength to %s", spec->head.name,
                              key[k]);
        }
    }
    if (spec->within > 0.1) {
        return scene_fail(error, scene_location_of(scene, &spec->head, "within"), "at most 0.1",
                          "bonds.%.60s: grains so far apart do not touch", spec->head.name);
    }
    return scene->model.dimension == 3 || !scene_has(scene, &spec->head, "torsion") ||
           scene_fail(error, scene_location_of(scene, &spec->head, "torsion"), "leave it out",
                      "bonds.%.60s: there is no torsion in two dimensions", spec->head.name);
}

static bool check_walls(const Scene *scene, const SceneBondSpec *spec, SceneError *error) {
    for (size_t k = 0; k < spec->walls.count; k++) {
        const SceneLocation location = scene_location(&scene->document, spec->walls.nodes[k]);
        if (!scene_check_wall_name(scene, spec->walls.names[k], location, error)) {
            return false;
        }
    }
    return spec->walls.count == 0 || !spec->pair.given ||
           scene_fail(error, scene_location_of(scene, &spec->head, "pair"), "leave out one of them",
                      "bonds.%.60s: give either 'pair' or 'walls'", spec->head.name);
}

static bool check_who(const Scene *scene, const SceneBondSpec *spec, SceneError *error) {
    if (spec->between.count > 2) {
        return scene_fail(error, scene_location_of(scene, &spec->head, "between"), NULL,
                          "bonds.%.60s: between names one material or two", spec->head.name);
    }
    for (size_t k = 0; k < spec->between.count; k++) {
        const SceneLocation location = scene_location(&scene->document, spec->between.nodes[k]);
        if (scene_material_number(scene, spec->between.names[k], location, error) < 0) {
            return false;
        }
    }
    const SceneLocation pair = scene_location_of(scene, &spec->head, "pair");
    if (spec->pair.given && spec->between.count > 0) {
        return scene_fail(error, pair, "leave out one of them",
                          "bonds.%.60s: give either 'pair' or 'between'", spec->head.name);
    }
    return !spec->pair.given || spec->pair.first < spec->pair.last ||
           scene_fail(error, pair, "for example pair: [3, 7]",
                      "bonds.%.60s: a pair is the numbers of two grains, the lower first",
                      spec->head.name);
}

static bool is_glued_later(const Scene *scene, const char *name) {
    const SceneEventSpec *events = scene->model.events.items;
    for (size_t i = 0; i < scene->model.events.count; i++) {
        for (size_t n = 0; n < events[i].glue.count; n++) {
            if (strcmp(events[i].glue.names[n], name) == 0) {
                return true;
            }
        }
    }
    return false;
}

static bool check_when(const Scene *scene, const SceneBondSpec *spec, SceneError *error) {
    return spec->at_start || is_glued_later(scene, spec->head.name) ||
           scene_fail(error, scene_location_of(scene, &spec->head, "at_start"),
                      "add an event with glue, or leave out at_start",
                      "bonds.%.60s: no event glues them, and they are not glued at the start",
                      spec->head.name);
}

/* What cannot hold bonds; also where these are made later, by events. */
static bool check_setting(const Scene *scene, SceneError *error) {
    const SceneModel *m = &scene->model;
    const bool matrices =
        m->solver.method == SCREE_METHOD_NEWTON || m->solver.method == SCREE_METHOD_INTERIOR_POINT;
    if (m->engine != SCREE_ENGINE_CONTACT_DYNAMICS) {
        return scene_fail(error, scene_location_of(scene, &m->head, "bonds"),
                          "use engine: contact_dynamics, or leave out bonds",
                          "engine %s cannot hold bonds", scree_engine_get_name(m->engine));
    }
    if (matrices) {
        return scene_fail(error, scene_location_of(scene, &m->solver.head, "method"),
                          "use method: auto, or leave out bonds",
                          "solver.method %s cannot hold bonds",
                          scree_method_get_name(m->solver.method));
    }
    return true;
}

bool scene_check_bonds(const Scene *scene, SceneError *error) {
    const SceneBondSpec *specs = scene->model.bonds.items;
    bool ok = scene->model.bonds.count == 0 || check_setting(scene, error);
    for (size_t i = 0; i < scene->model.bonds.count && ok; i++) {
        ok = check_strengths(scene, &specs[i], error) && check_who(scene, &specs[i], error) &&
             check_walls(scene, &specs[i], error) && check_when(scene, &specs[i], error);
    }
    return ok;
}

bool scene_check_glue(const Scene *scene, const SceneNames *names, SceneError *error) {
    for (size_t n = 0; n < names->count; n++) {
        if (scene_find_bonds(scene, names->names[n]) == NULL) {
            return scene_fail(error, scene_location(&scene->document, names->nodes[n]),
                              "give it under bonds, with at_start: false",
                              "there are no bonds named '%.60s'", names->names[n]);
        }
    }
    return true;
}

bool scene_makes_bonds(const Scene *scene) {
    return scene->model.bonds.count > 0;
}

/* ---------------------------------------------------------------- into the world */

static ScreeBondDef def_of(const Scene *scene, const SceneBondSpec *spec) {
    ScreeBondDef def = scree_bond_def_default();
    SceneError unused;
    def.tension = spec->tension;
    def.shear = spec->shear;
    def.tension_stress = spec->tension_stress;
    def.shear_stress = spec->shear_stress;
    def.neck = spec->neck;
    def.bending = spec->bending;
    def.torsion = spec->torsion;
    def.within = spec->within;
    if (spec->pair.given) {
        def.a.index = (int32_t)spec->pair.first;
        def.b.index = (int32_t)spec->pair.last;
    }
    for (size_t k = 0; k < spec->between.count; k++) { /* one material is both */
        const SceneLocation location = scene_location(&scene->document, spec->between.nodes[k]);
        const int32_t number =
            scene_material_number(scene, spec->between.names[k], location, &unused);
        def.first.index = k == 0 ? number : def.first.index;
        def.second.index = number;
    }
    return def;
}

static bool names_wall(const Scene *scene, const SceneBondSpec *spec, size_t wall) {
    bool any = false;
    for (size_t k = 0; k < spec->walls.count; k++) {
        any = any || scene_wall_has_name(scene, wall, spec->walls.names[k]);
    }
    return any && scene->wall_drive[wall] != WALL_REMOVED;
}

ScreeStatus scene_glue(const Scene *scene, const char *name, ScreeWorld *world, size_t *made) {
    const SceneBondSpec *spec = scene_find_bonds(scene, name);
    ScreeBondDef def = def_of(scene, spec);
    ScreeStatus status = SCREE_OK;
    *made = 0;
    if (spec->walls.count == 0) {
        return scree_world_add_bonds(world, &def, made);
    }
    for (size_t i = 0; i < scene->wall_count && status == SCREE_OK; i++) {
        size_t more = 0;
        def.wall.index = (int32_t)i;
        status = names_wall(scene, spec, i) ? scree_world_add_bonds(world, &def, &more) : SCREE_OK;
        *made += more;
    }
    return status;
}

bool scene_glue_at_start(const Scene *scene, ScreeWorld *world, SceneError *error) {
    const SceneBondSpec *specs = scene->model.bonds.items;
    for (size_t i = 0; i < scene->model.bonds.count; i++) {
        const SceneHead *head = &specs[i].head;
        size_t made = 0;
        if (!specs[i].at_start) {
            continue;
        }
        const ScreeStatus status = scene_glue(scene, head->name, world, &made);
        if (status != SCREE_OK) {
            return scene_fail_status(world, status, scene_location_of(scene, head, "pair"), error);
        }
        if (made == 0) {
            return scene_fail(error, scene_location_of(scene, head, NULL),
                              "once grains have settled, glue them by an event: at_start: false "
                              "here, and glue there",
                              "bonds.%.60s: no grains touch%s, so that nothing is glued",
                              head->name, specs[i].walls.count > 0 ? " these walls" : "");
        }
    }
    return true;
}

#include "scene/make/laws.h"

#include "math/elementary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* An entry of `materials` or `pairs` with the law that results from it. */
typedef struct Entry {
    const Scene *scene;
    SceneError *error;
    const SceneHead *head;
    char label[96]; /* "materials.stone" */
    ScreeLaw law;
} Entry;

static bool given(const Entry *e, const char *key) {
    return scene_has(e->scene, e->head, key);
}

/* Replaces numbers of the law by those that the entry gives. */
static void take_given(Entry *e, const ScreeLaw *written) {
#define X(name, dimension, preset, meaning)                                                        \
    if (given(e, #name)) {                                                                         \
        e->law.name = written->name;                                                               \
    }
    SCREE_LAW_MAP(X)
#undef X
}

/* ---------------------------------------------------------------- what must fit together */

static double static_friction(const ScreeLaw *law) {
    return scr_max(law->friction, law->friction_static);
}

static bool check_friction(const Entry *e) {
    const ScreeLaw *law = &e->law;
    if (law->friction_static == 0 || law->friction_static >= law->friction) {
        return true;
    }
    bool own = given(e, "friction_static");
    SceneLocation location =
        scene_location_of(e->scene, e->head, own ? "friction_static" : "friction");
    char hint[160];
    snprintf(hint, sizeof hint,
             own ? "give friction_static: %g or more, or leave it out for one coefficient"
                 : "give friction_static: %g or more here as well",
             law->friction);
    return scene_fail(e->error, location, hint,
                      own ? "%s: friction_static %g is below friction %g"
                          : "%s: friction_static %g, from the two materials, is below friction %g",
                      e->label, law->friction_static, law->friction);
}

static bool check_cohesion(const Entry *e) {
    const bool stress = e->law.cohesion_stress > 0;
    if (stress && e->scene->model.dimension == 2) {
        return scene_fail(e->error, scene_location_of(e->scene, e->head, "cohesion_stress"),
                          "give cohesion: the largest tension of a contact",
                          "%s: cohesion_stress is for the faces of solids, in three dimensions",
                          e->label);
    }
    if (!(e->law.cohesion > 0 || stress) || e->law.cohesion_range > 0) {
        return true;
    }
    const char *key = given(e, "cohesion_range") ? "cohesion_range"
                      : given(e, "cohesion")     ? "cohesion"
                                                 : "cohesion_stress";
    return scene_fail(e->error, scene_location_of(e->scene, e->head, key),
                      "add cohesion_range: the energy that separates two grains, over cohesion",
                      "%s: cohesion needs a cohesion_range greater than 0; without one the "
                      "slightest blow would break the contact",
                      e->label);
}

/* The key of a bridge that the entry gives, for the place of an error. */
static const char *bridge_key(const Entry *e) {
    return given(e, "bridge_volume")    ? "bridge_volume"
           : given(e, "bridge_tension") ? "bridge_tension"
                                        : "bridge_angle";
}

static bool check_bridge(const Entry *e) {
    const ScreeLaw *law = &e->law;
    const SceneLocation at = scene_location_of(e->scene, e->head, bridge_key(e));
    if (!(law->bridge_angle < 90)) {
        return scene_fail(e->error, scene_location_of(e->scene, e->head, "bridge_angle"),
                          "give degrees from 0, a liquid that wets, to below 90",
                          "%s: bridge_angle %g: a liquid pulls only below 90 degrees", e->label,
                          law->bridge_angle);
    }
    if ((law->bridge_volume > 0) != (law->bridge_tension > 0)) {
        return scene_fail(
            e->error, at,
            law->bridge_volume > 0 ? "add bridge_tension: that of water is 0.072 N/m"
                                   : "add bridge_volume: about 0.001 to 0.03 radii cubed",
            "%s: a liquid bridge needs both bridge_volume and bridge_tension", e->label);
    }
    if (law->bridge_volume > 0 && (law->cohesion > 0 || law->cohesion_stress > 0)) {
        return scene_fail(e->error, at, "leave one of them out",
                          "%s: give either cohesion or liquid bridges (bridge_volume), not both",
                          e->label);
    }
    if (law->bridge_volume > 0 && e->scene->model.engine == SCREE_ENGINE_SOFT) {
        return scene_fail(e->error, at, "use cohesion, or omit engine: soft",
                          "%s.bridge_volume belongs to contact dynamics, and this scene runs with "
                          "the soft engine",
                          e->label);
    }
    return true;
}

static bool check_engine(const Entry *e) {
    static const char *const soft_only[] = {"modulus", "damping", "damping_tangential"};
    const ScreeLaw *law = &e->law;
    const double values[] = {law->modulus, law->damping, law->damping_tangential};
    if (e->scene->model.engine == SCREE_ENGINE_SOFT) {
        bool springs = isfinite(law->stiffness) || law->modulus > 0;
        return springs ||
               scene_fail(e->error, scene_location_of(e->scene, e->head, "stiffness"),
                          "add stiffness: force over overlap, or modulus: ... for Hertz",
                          "%s: the soft engine needs a finite stiffness or a modulus", e->label);
    }
    for (int i = 0; i < 3; i++) {
        if (values[i] > 0) {
            return scene_fail(e->error, scene_location_of(e->scene, e->head, soft_only[i]),
                              i == 0 ? "use stiffness, or set engine: soft"
                                     : "use restitution, or set engine: soft",
                              "%s.%s belongs to the soft engine, and this scene runs with contact "
                              "dynamics",
                              e->label, soft_only[i]);
        }
    }
    return true;
}

static bool check_law(const Entry *e) {
    return check_friction(e) && check_cohesion(e) && check_bridge(e) && check_engine(e);
}

/* ---------------------------------------------------------------- into the world */

static bool add_material(const Scene *scene, const SceneMaterialSpec *spec, ScreeWorld *world,
                         SceneError *error) {
    ScreeMaterialDef def = scree_material_def_default();
    Entry e = {.scene = scene, .error = error, .head = &spec->head, .law = def.law};
    snprintf(e.label, sizeof e.label, "materials.%.60s", spec->head.name);
    take_given(&e, &spec->law);
    if (!check_law(&e)) {
        return false;
    }
    def.density = spec->density;
    def.law = e.law;
    ScreeStatus status = scree_world_add_material(world, &def, NULL);
    return status == SCREE_OK ||
           scene_fail_status(world, status, scene_location_of(scene, &spec->head, NULL), error);
}

/* A pair with its own friction has one coefficient, unless its materials have two. */
static bool set_pair(const Scene *scene, const ScenePairSpec *spec, ScreeWorld *world,
                     SceneError *error) {
    Entry e = {.scene = scene, .error = error, .head = &spec->head};
    snprintf(e.label, sizeof e.label, "pairs[%d]", spec->head.index);
    ScreeStatus status =
        scree_law_get(world, (ScreeMaterialId){spec->a}, (ScreeMaterialId){spec->b}, &e.law);
    if (status == SCREE_OK) {
        if (!(e.law.friction_static > e.law.friction)) {
            e.law.friction_static = 0;
        }
        take_given(&e, &spec->law);
        if (!check_law(&e)) {
            return false;
        }
        status =
            scree_law_set(world, (ScreeMaterialId){spec->a}, (ScreeMaterialId){spec->b}, &e.law);
    }
    return status == SCREE_OK ||
           scene_fail_status(world, status, scene_location_of(scene, &spec->head, NULL), error);
}

bool scene_add_materials(const Scene *scene, ScreeWorld *world, SceneError *error) {
    const SceneMaterialSpec *materials = scene->model.materials.items;
    for (size_t i = 0; i < scene->model.materials.count; i++) {
        if (!add_material(scene, &materials[i], world, error)) {
            return false;
        }
    }
    const ScenePairSpec *pairs = scene->model.pairs.items;
    for (size_t i = 0; i < scene->model.pairs.count; i++) {
        if (!set_pair(scene, &pairs[i], world, error)) {
            return false;
        }
    }
    return true;
}

/* ---------------------------------------------------------------- changed by an event */

static ScreeStatus set_pair_friction(ScreeWorld *world, int32_t a, int32_t b, double friction,
                                     double friction_static) {
    ScreeLaw law;
    ScreeStatus status = scree_law_get(world, (ScreeMaterialId){a}, (ScreeMaterialId){b}, &law);
    law.friction = friction;
    law.friction_static = friction_static;
    return status == SCREE_OK
               ? scree_law_set(world, (ScreeMaterialId){a}, (ScreeMaterialId){b}, &law)
               : status;
}

/* The static coefficient after the event: the one that it gives; otherwise the previous one, raised
 * where friction has passed it; otherwise none, if there was only one coefficient. */
static double new_static(const Scene *scene, const SceneSetFrictionSpec *set, ScreeWorld *world,
                         int32_t a, int32_t b) {
    ScreeLaw law;
    if (scene_has(scene, &set->head, "friction_static")) {
        return set->friction_static;
    }
    bool two = scree_law_get(world, (ScreeMaterialId){a}, (ScreeMaterialId){b}, &law) == SCREE_OK &&
               law.friction_static > law.friction;
    return two ? scr_max(law.friction_static, set->friction) : 0;
}

/* Whether a pair has its own friction, by the scene or by an event that has happened. */
static bool has_own_friction(const Scene *scene, int32_t a, int32_t b) {
    const ScenePairSpec *pairs = scene->model.pairs.items;
    for (size_t i = 0; i < scene->model.pairs.count; i++) {
        bool named = (pairs[i].a == a && pairs[i].b == b) || (pairs[i].a == b && pairs[i].b == a);
        if (named && (scene_has(scene, &pairs[i].head, "friction") ||
                      scene_has(scene, &pairs[i].head, "friction_static"))) {
            return true;
        }
    }
    const SceneEventSpec *events = scene->model.events.items;
    const char *p = scene_material_name(scene, a), *q = scene_material_name(scene, b);
    for (size_t i = 0; i < scene->model.events.count; i++) {
        const SceneNames *names = &events[i].set_friction.between;
        if (scene->events[i].happened && names->count == 2 &&
            ((strcmp(names->names[0], p) == 0 && strcmp(names->names[1], q) == 0) ||
             (strcmp(names->names[0], q) == 0 && strcmp(names->names[1], p) == 0))) {
            return true;
        }
    }
    return false;
}

/* Recomputes the pairs of material m that follow from it. */
static ScreeStatus update_pairs(const Scene *scene, ScreeWorld *world, int32_t m) {
    ScreeLaw own, other;
    ScreeStatus status = scree_law_get(world, (ScreeMaterialId){m}, (ScreeMaterialId){m}, &own);
    for (int32_t k = 0; k < (int32_t)scene->model.materials.count && status == SCREE_OK; k++) {
        if (k == m || has_own_friction(scene, m, k)) {
            continue;
        }
        status = scree_law_get(world, (ScreeMaterialId){k}, (ScreeMaterialId){k}, &other);
        if (status == SCREE_OK) {
            status = set_pair_friction(world, m, k, scr_min(own.friction, other.friction),
                                       scr_min(static_friction(&own), static_friction(&other)));
        }
    }
    return status;
}

static void tell_friction(const SceneSetFrictionSpec *set, double friction_static, char *news,
                          size_t size) {
    const char *first = set->material ? set->material : set->between.names[0];
    const char *on = set->material ? "" : " on ";
    const char *second = set->material ? "" : set->between.names[1];
    int used = snprintf(news, size, "friction of %.60s%s%.60s is now %g", first, on, second,
                        set->friction);
    if (friction_static > set->friction && used > 0 && (size_t)used < size) {
        snprintf(news + used, size - (size_t)used, ", static %g", friction_static);
    }
}

ScreeStatus scene_set_friction(const Scene *scene, const SceneSetFrictionSpec *set,
                               ScreeWorld *world, char *news, size_t size) {
    SceneLocation nowhere = {&scene->document.source, 0, 0, 0};
    bool pair = set->between.count == 2;
    const char *first = pair ? set->between.names[0] : set->material;
    const char *second = pair ? set->between.names[1] : set->material;
    int32_t a = scene_material_number(scene, first, nowhere, NULL);
    int32_t b = scene_material_number(scene, second, nowhere, NULL);
    double friction_static = new_static(scene, set, world, a, b);
    ScreeStatus status = set_pair_friction(world, a, b, set->friction, friction_static);
    if (status == SCREE_OK && !pair) {
        status = update_pairs(scene, world, a);
    }
    tell_friction(set, friction_static, news, size);
    return status;
}

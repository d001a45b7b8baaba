/* What is allowed and yet hardly meant: wrong signs and units, which no type and no range refuses. */
#include "scene/internal.h"

#include "math/vec.h"
#include "scene/make/time_step.h"
#include "scene/make/wall_distance.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Rough rock on rough rock has hardly more than 1; a coefficient of 30 is an angle in degrees. */
static const double most_friction = 5;

/* Whoever knows better takes a few times the step that would be chosen; ten times is another unit. */
static const double most_steps = 10;

typedef struct Doubts {
    const Scene *scene;
    const ScreeWorld *world;
    SceneTell tell;
    void *context;
} Doubts;

__attribute__((format(printf, 2, 3))) static void say(const Doubts *d, const char *format, ...) {
    char text[400];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    d->tell(d->context, text);
}

/* ---------------------------------------------------------------- pistons */

/* Whether the wall may be meant to pull: it holds grains, or some would stick to it. */
static bool may_pull(const Doubts *d, int32_t wall, ScreeMaterialId material) {
    const ScreeBodyView bodies = scree_world_get_bodies(d->world);
    for (size_t i = 0; bodies.holder != NULL && i < bodies.count; i++) {
        if (bodies.holder[i].index == wall) {
            return true;
        }
    }
    for (size_t k = 0; k < d->scene->model.materials.count; k++) {
        const ScreeMaterialId grain = {(int32_t)k};
        ScreeLaw law;
        if (scree_law_get(d->world, material.index >= 0 ? material : grain, grain, &law) ==
                SCREE_OK &&
            (law.cohesion > 0 || law.cohesion_stress > 0 || law.bridge_volume > 0)) {
            return true;
        }
    }
    return false;
}

/* Whether an event gives the wall another load. */
static bool is_loaded_later(const Scene *scene, size_t wall) {
    const SceneEventSpec *events = scene->model.events.items;
    for (size_t k = 0; k < scene->model.events.count; k++) {
        const char *name = events[k].set_piston.wall;
        if (name != NULL && scene_wall_has_name(scene, wall, name)) {
            return true;
        }
    }
    return false;
}

/* Whether the wall would leave every grain if it moved that way: each falls behind by at least half of what the wall goes. A
 * force along a wall drives it from nobody. */
static bool leaves_all(const Doubts *d, const ScreeWallDef *wall, ScreeVec3 way) {
    const ScreeBodyView bodies = scree_world_get_bodies(d->world);
    for (size_t i = 0; i < bodies.count; i++) {
        const ScreeVec3 x = bodies.position[i];
        const double little = 1e-3 * bodies.radius[i];
        const double farther =
            scene_wall_distance(wall, add_scaled(x, -little, way)) - scene_wall_distance(wall, x);
        if (!(farther >= little / 2)) {
            return false;
        }
    }
    return bodies.count > 0;
}

static void doubt_pistons(const Doubts *d) {
    for (size_t i = 0; i < d->scene->wall_count; i++) {
        const SceneWall *wall = &d->scene->walls[i];
        const bool force = wall->force.kind == DRIVE_CONSTANT,
                   stress = wall->stress.kind == DRIVE_CONSTANT;
        ScreeWallState state;
        if (wall->def.motion != SCREE_WALL_PISTON || force == stress ||
            is_loaded_later(d->scene, i) ||
            scree_wall_get_state(d->world, (ScreeWallId){(int32_t)i}, &state) != SCREE_OK ||
            may_pull(d, (int32_t)i, state.now.material)) {
            continue;
        }
        /* it moves along its direction only; a stress pushes along its normal */
        const ScreeVec3 load =
            stress ? scale(wall->stress.mean.x, state.now.normal) : wall->force.mean;
        ScreeVec3 way;
        if (direction_of(scale(dot(load, state.now.direction), state.now.direction), &way) &&
            leaves_all(d, &state.now, way)) {
            say(d,
                "the %s of piston '%.60s' pulls it away from the grains: all of them are on its "
                "other "
                "side; change its sign, or it flies away",
                stress ? "stress" : "force", wall->name);
        }
    }
}

/* ---------------------------------------------------------------- friction */

static void doubt_friction(const Doubts *d, const char *where, const char *of, const char *key,
                           double value) {
    if (value > most_friction) {
        say(d, "%s %s: %s %g is a coefficient, the tangent of an angle, not degrees", where, of,
            key, value);
    }
}

static void doubt_frictions(const Doubts *d) {
    const SceneModel *m = &d->scene->model;
    const SceneMaterialSpec *materials = m->materials.items;
    const ScenePairSpec *pairs = m->pairs.items;
    const SceneEventSpec *events = m->events.items;
    char of[160];
    for (size_t k = 0; k < m->materials.count; k++) {
        snprintf(of, sizeof of, "'%.60s'", materials[k].head.name);
        doubt_friction(d, "material", of, "friction", materials[k].law.friction);
        doubt_friction(d, "material", of, "friction_static", materials[k].law.friction_static);
    }
    for (size_t k = 0; k < m->pairs.count; k++) {
        snprintf(of, sizeof of, "'%.60s' and '%.60s'", scene_material_name(d->scene, pairs[k].a),
                 scene_material_name(d->scene, pairs[k].b));
        doubt_friction(d, "between", of, "friction", pairs[k].law.friction);
        doubt_friction(d, "between", of, "friction_static", pairs[k].law.friction_static);
    }
    for (size_t k = 0; k < m->events.count; k++) {
        snprintf(of, sizeof of, "%zu", k);
        doubt_friction(d, "event", of, "friction", events[k].set_friction.friction);
    }
}

/* ---------------------------------------------------------------- times */

/* A step of the soft engine has an advised length of its own, and one of statics is no time. */
static void doubt_step(const Doubts *d) {
    const char *of = "";
    const double step = d->scene->model.time.step;
    const int engine = (int)d->scene->model.engine;
    if (!(step > 0) || engine == SCREE_ENGINE_SOFT || engine == SCREE_ENGINE_QUASISTATIC) {
        return;
    }
    const double chosen = scene_time_step(d->scene, d->world, &of);
    /* frames that are close together are no reason to call the step a mistake */
    if (chosen > 0 && step > most_steps * chosen && strcmp(of, "the frames") != 0) {
        say(d,
            "time.step %g is %.2g times as long as the one that Scree would choose, %.3g for %s; "
            "omit it to "
            "have it chosen",
            step, step / chosen, chosen, of);
    }
}

static void doubt_times(const Doubts *d) {
    const SceneEventSpec *events = d->scene->model.events.items;
    const double end = d->scene->settings.end;
    for (size_t k = 0; k < d->scene->model.events.count; k++) {
        if (scene_has(d->scene, &events[k].head, "at") && events[k].at > end) {
            say(d, "event %zu is at %g, after time.end, %g: it will not happen", k, events[k].at,
                end);
        }
    }
    if (d->scene->settings.output_every > end) {
        say(d,
            "output.every is %g, longer than the whole run, which ends at %g: there will be no "
            "frames "
            "but the first and the last",
            d->scene->settings.output_every, end);
    }
}

void scene_tell_doubts(const Scene *scene, const ScreeWorld *world, SceneTell tell, void *context) {
    const Doubts d = {scene, world, tell, context};
    doubt_pistons(&d);
    doubt_frictions(&d);
    doubt_step(&d);
    doubt_times(&d);
}

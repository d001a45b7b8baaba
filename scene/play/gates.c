#include "scene/play/gates.h"

#include "math/vec.h"
#include "scene/make/inlet.h"
#include "scene/make/random.h"
#include "scene/make/wall_distance.h"
#include "scene/play/events.h"

#include <stdlib.h>

enum {
    ATTEMPTS = 60,
    MOST_AT_ONCE = 10000 /* grains of an inlet in one step; the others wait */
};

/* ---------------------------------------------------------------- outlets */

static bool is_in(const SceneRegionSpec *region, ScreeVec3 x) {
    bool in = true;
    for (int k = 0; k < 3; k++) {
        const SceneSpan *span = &region->axis[k];
        in = in && (!span->given || (component(x, k) >= span->from && component(x, k) <= span->to));
    }
    return in;
}

static bool has_left(const SceneOutletSpec *outlet, ScreeVec3 x) {
    return outlet->plane.head.node    ? dot(sub(x, outlet->plane.point), outlet->plane.normal) > 0
           : outlet->inside.head.node ? is_in(&outlet->inside, x)
                                      : !is_in(&outlet->outside, x);
}

/* The first outlet that a place belongs to; `count`: none. */
static size_t outlet_at(const Scene *scene, ScreeVec3 x) {
    const SceneOutletSpec *outlets = scene->model.outlets.items;
    size_t i = 0;
    while (i < scene->model.outlets.count && !has_left(&outlets[i], x)) {
        i++;
    }
    return i;
}

static ScreeStatus remove_bodies(Scene *scene, ScreeWorld *world) {
    const ScreeBodyView bodies = scree_world_get_bodies(world);
    ScreeBodyId *gone = NULL;
    size_t count = 0, room = 0;
    for (size_t i = 0; i < bodies.count; i++) {
        const size_t outlet = outlet_at(scene, bodies.position[i]);
        if (outlet == scene->model.outlets.count) {
            continue;
        }
        if (count == room) {
            room = 2 * room + 16;
            ScreeBodyId *grown = realloc(gone, room * sizeof *gone);
            if (!grown) {
                free(gone);
                return SCREE_NO_MEMORY;
            }
            gone = grown;
        }
        SceneGate *gate = &scene->gates[scene->model.inlets.count + outlet];
        gate->number++;
        gate->mass += bodies.mass[i];
        gone[count++].index = (int32_t)i;
    }
    const ScreeStatus status = scree_world_remove_bodies(world, gone, count);
    free(gone);
    return status;
}

/* ---------------------------------------------------------------- room at an inlet */

typedef struct Ball {
    ScreeVec3 x;
    double r;
} Ball;

/* What is near an inlet. */
typedef struct Near {
    const Scene *scene;
    const ScreeWorld *world;
    const SceneRegionSpec *region;
    Ball *ball;
    size_t count, room;
} Near;

/* The shorter way around where the cell is periodic; its edges lie along the axes. */
static ScreeVec3 nearest(const Scene *scene, ScreeVec3 d) {
    for (int k = 0; k < 3; k++) {
        const SceneSpan *cell = &scene->model.periodic.axis[k];
        if (cell->given) {
            const double period = cell->to - cell->from;
            *component_of(&d, k) -= period * nearbyint(component(d, k) / period);
        }
    }
    return d;
}

static bool add_ball(Near *near, ScreeVec3 x, double r) {
    if (near->count == near->room) {
        const size_t room = 2 * near->room + 64;
        Ball *grown = realloc(near->ball, room * sizeof *grown);
        if (!grown) {
            return false;
        }
        near->ball = grown;
        near->room = room;
    }
    near->ball[near->count++] = (Ball){x, r};
    return true;
}

/* Bodies whose balls reach into the region. */
static bool look_around(Near *near) {
    const ScreeBodyView bodies = scree_world_get_bodies(near->world);
    const int dimension = (int)near->scene->model.dimension;
    for (size_t i = 0; i < bodies.count; i++) {
        bool reaches = true;
        for (int k = 0; k < dimension && reaches; k++) {
            const SceneSpan *span = &near->region->axis[k];
            const double middle = 0.5 * (span->from + span->to);
            const ScreeVec3 d =
                nearest(near->scene, sub(bodies.position[i], (ScreeVec3){middle, middle, middle}));
            reaches = fabs(component(d, k)) <= 0.5 * (span->to - span->from) + bodies.radius[i];
        }
        if (reaches && !add_ball(near, bodies.position[i], bodies.radius[i])) {
            return false;
        }
    }
    return true;
}

static bool clear_of_wall(const Near *near, const ScreeWallDef *wall, ScreeVec3 x, double r) {
    const SceneSpan *cell = near->scene->model.periodic.axis;
    const int most = wall->shape != SCREE_WALL_PLANE;
    for (int image = 0; image < 27; image++) {
        const int step[3] = {image % 3 - 1, image / 3 % 3 - 1, image / 9 - 1};
        ScreeVec3 at = x;
        bool counts = true;
        for (int k = 0; k < 3; k++) {
            counts = counts && (step[k] == 0 || (cell[k].given && most));
            *component_of(&at, k) += step[k] * (cell[k].to - cell[k].from);
        }
        if (counts && scene_wall_distance(wall, at) < r) {
            return false;
        }
    }
    return true;
}

static bool is_clear(const Near *near, ScreeVec3 x, double r) {
    for (size_t i = 0; i < near->count; i++) {
        const ScreeVec3 d = nearest(near->scene, sub(near->ball[i].x, x));
        const double reach = near->ball[i].r + r;
        if (dot(d, d) < reach * reach) {
            return false;
        }
    }
    for (size_t w = 0; w < scree_world_get_wall_count(near->world); w++) {
        ScreeWallState state;
        if (scree_wall_get_state(near->world, (ScreeWallId){(int32_t)w}, &state) == SCREE_OK &&
            state.present && !clear_of_wall(near, &state.now, x, r)) {
            return false;
        }
    }
    return true;
}

/* A random place where the grain is whole within the region; around the cell any will do. */
static ScreeVec3 draw_place(const Near *near, double r, SceneRandom *random) {
    ScreeVec3 x = {0, 0, 0};
    for (int k = 0; k < (int)near->scene->model.dimension; k++) {
        const SceneSpan *span = &near->region->axis[k],
                        *cell = &near->scene->model.periodic.axis[k];
        const double side = span->to - span->from;
        const bool around = cell->given && side >= (cell->to - cell->from) * (1 - 1e-12);
        const double margin = around ? 0 : r;
        *component_of(&x, k) = span->from + margin + scene_uniform(random) * (side - 2 * margin);
    }
    return x;
}

/* ---------------------------------------------------------------- inlets */

/* What is due of an inlet, in the units of its rate. */
static double target_of(const SceneInletSpec *spec, double time) {
    const SceneRateSpec *rate = &spec->rate;
    const double until = scr_min(time, spec->end) - spec->start;
    return until > 0 ? until * (rate->number + rate->mass + rate->volume) : 0;
}

/* Grain k is due once the target exceeds what all before it were; a little less is rounding. */
static bool is_due(const SceneInletSpec *spec, const SceneGate *gate, double target) {
    return gate->amount < target * (1 - 1e-12) && (spec->count == 0 || gate->number < spec->count);
}

/* How many are due that are not there, if they are as those before, or as the next one. */
static int64_t count_waiting(const SceneInletSpec *spec, const SceneGate *gate, double target,
                             double next) {
    const double mean = gate->number > 0 ? gate->amount / (double)gate->number : next;
    const double due = ceil((target - gate->amount) / mean * (1 - 1e-9));
    const int64_t missing = due < 1e15 ? (int64_t)due : (int64_t)1e15;
    const int64_t left = spec->count > 0 ? spec->count - gate->number : missing;
    return missing < left ? missing : left;
}

/* Places the next grain of the inlet, if it finds room; the step is a part of the chance, so that a
 * grain that waits tries other places. */
static bool place(const Near *near, size_t inlet, const SceneGate *gate, ScreeBodyDef *body) {
    const uint64_t seed = scene_mix((uint64_t)near->scene->model.seed ^
                                    scene_mix(scree_world_get_step_count(near->world)));
    SceneRandom random = scene_random(scene_mix(seed ^ scene_mix((uint64_t)gate->number)),
                                      UINT64_C(0x706c616365) + inlet, 1);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        body->position = draw_place(near, body->radius, &random);
        if (is_clear(near, body->position, body->radius)) {
            return true;
        }
    }
    return false;
}

static ScreeStatus let_in(Scene *scene, size_t inlet, ScreeWorld *world, Near *near) {
    const SceneInletSpec *spec = (const SceneInletSpec *)scene->model.inlets.items + inlet;
    SceneGate *gate = &scene->gates[inlet];
    const double target = target_of(spec, scree_world_get_time(world));
    gate->waiting = 0;
    for (int come = 0; is_due(spec, gate, target); come++) {
        double amount = 1;
        ScreeBodyDef body = scene_inlet_grain(scene, inlet, gate->number, &amount);
        if (near->room == 0 && !look_around(near)) {
            return SCREE_NO_MEMORY;
        }
        if (come == MOST_AT_ONCE || !place(near, inlet, gate, &body)) {
            gate->waiting = count_waiting(spec, gate, target, amount);
            break;
        }
        if (!add_ball(near, body.position, body.radius)) {
            return SCREE_NO_MEMORY;
        }
        const ScreeStatus status = scree_world_add_bodies(world, &body, 1, NULL);
        if (status != SCREE_OK) {
            return status;
        }
        gate->number++;
        gate->amount += amount;
        gate->mass += body.mass;
    }
    if (gate->waiting > 0 && !gate->told) {
        gate->told = true;
        scene_add_news(scene, world, "inlet '%.60s' is full: grains wait until there is room",
                       spec->head.name);
    }
    return SCREE_OK;
}

bool scene_pass_gates(Scene *scene, ScreeWorld *world, SceneError *error) {
    const SceneModel *m = &scene->model;
    ScreeStatus status = m->outlets.count > 0 ? remove_bodies(scene, world) : SCREE_OK;
    if (m->inlets.count > 0 && scree_world_get_bodies(world).count > scene->grain_limit) {
        return scene_fail(error, scene_location_of(scene, &m->head, "inlets"), NULL,
                          "there are more than %zu grains", scene->grain_limit);
    }
    for (size_t i = 0; i < m->inlets.count && status == SCREE_OK; i++) {
        const SceneInletSpec *spec = (const SceneInletSpec *)m->inlets.items + i;
        Near near = {.scene = scene, .world = world, .region = &spec->region};
        status = let_in(scene, i, world, &near);
        free(near.ball);
    }
    if (status == SCREE_NO_MEMORY) {
        return scene_out_of_memory(error, scene_location(&scene->document, 0), NULL);
    }
    return status == SCREE_OK ||
           scene_fail_status(world, status, scene_location_of(scene, &m->head, "inlets"), error);
}

/* ---------------------------------------------------------------- for those who write */

size_t scene_gate_count(const Scene *scene) {
    return scene->model.inlets.count + scene->model.outlets.count;
}

ScreeGate scene_gate(const Scene *scene, size_t number) {
    const size_t inlets = scene->model.inlets.count;
    const bool outlet = number >= inlets;
    const SceneGate *gate = &scene->gates[number];
    const SceneHead *head =
        outlet ? &((const SceneOutletSpec *)scene->model.outlets.items)[number - inlets].head
               : &((const SceneInletSpec *)scene->model.inlets.items)[number].head;
    return (ScreeGate){head->name, outlet, gate->number, gate->mass, gate->waiting};
}

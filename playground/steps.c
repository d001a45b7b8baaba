/* The world that is played with: scenes, steps, and the hands that act on it. */
#include "playground/internal.h"

#include "math/elementary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double TURN = 6.283185307179586; /* 2 pi */

Play *play_create(void) {
    Play *play = calloc(1, sizeof *play);
    if (play != NULL) {
        play->grab.body = -1;
    }
    return play;
}

void play_destroy(Play *play) {
    if (play != NULL) {
        scree_world_destroy(play->world);
        scree_scene_destroy(play->scene);
        run_frame_free(&play->frame);
        view_series_free(&play->series);
        view_bytes_free(&play->out);
        free(play->text);
        free(play);
    }
}

int play_fail(Play *play, const char *text) {
    snprintf(play->message, sizeof play->message, "%s", text);
    return 1;
}

const char *play_message(const Play *play) {
    return play->message;
}

char *play_room(Play *play, size_t size) {
    if (size > play->text_room || play->text == NULL) {
        char *larger = realloc(play->text, size + 1);
        if (larger == NULL) {
            return NULL;
        }
        play->text = larger;
        play->text_room = size;
    }
    return play->text;
}

int play_load(Play *play, size_t size) {
    ScreeScene *scene = NULL;
    ScreeWorld *world = NULL;
    if (scree_scene_parse(play->text, size, "scene.yaml", NULL, 0, &scene, play->message) !=
            SCREE_OK ||
        scree_scene_build(scene, &world, play->message) != SCREE_OK) {
        scree_scene_destroy(scene);
        return 1;
    }
    scree_world_destroy(play->world);
    scree_scene_destroy(play->scene);
    view_series_free(&play->series);
    play->text_size = size;
    play->scene = scene;
    play->world = world;
    play->series = (ViewSeries){0};
    play->report = (ScreeReport){0};
    play->grab = (Grab){.body = -1};
    play->box = (Box){0};
    play->poured_count = 0;
    play->has_origin = false;
    play->scene_walls = scree_world_get_wall_count(world);
    const ScreeWorldDef def = scree_world_get_def(world);
    play->solver = def.solver;
    play->gravity = def.gravity;
    return 0;
}

double play_time(const Play *play) {
    return scree_world_get_time(play->world);
}

double play_time_step(const Play *play) {
    return scree_world_get_def(play->world).time_step;
}

uint32_t play_hash_low(const Play *play) {
    return (uint32_t)scree_world_hash(play->world);
}

uint32_t play_hash_high(const Play *play) {
    return (uint32_t)(scree_world_hash(play->world) >> 32);
}

/* ---------------------------------------------------------------- hands */

static ScreeVec3 combine(ScreeVec3 a, double factor, ScreeVec3 b) {
    return (ScreeVec3){a.x + factor * b.x, a.y + factor * b.y, a.z + factor * b.z};
}

static double size_of(ScreeVec3 v) {
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

/* The acceleration by a spring with critical damping: w^2 (target - place) - 2 w velocity. Steps are
 * explicit here, so w times the step stays well below 1. */
static ScreeVec3 pull(const Spring *spring, ScreeVec3 target, ScreeVec3 place, ScreeVec3 velocity,
                      double step) {
    const double w = fmin(spring->frequency, 0.3 / step);
    ScreeVec3 a = combine((ScreeVec3){0, 0, 0}, w * w, combine(target, -1, place));
    return combine(a, -2 * w, velocity);
}

void play_grab(Play *play, int32_t body, double x, double y, double z, double frequency) {
    const ScreeBodyView bodies = scree_world_get_bodies(play->world);
    if (play->grab.body != body) {
        play_release(play);
        if (body < 0 || (size_t)body >= bodies.count) {
            return;
        }
        play->grab.body = body;
        play->grab.force = bodies.force[body];
        play->grab.torque = bodies.torque[body];
    }
    play->grab.spring = (Spring){{x, y, z}, frequency};
}

void play_release(Play *play) {
    Grab *grab = &play->grab;
    if (grab->body >= 0) {
        (void)scree_body_set_force(play->world, (ScreeBodyId){grab->body}, grab->force,
                                   grab->torque);
    }
    grab->body = -1;
}

/* The force of the hand. It carries the body's weight, so that it hangs at the pointer and not below;
 * rotation is damped a little, by friction between fingers. */
static void apply_grab(Play *play, ScreeVec3 gravity, double step) {
    const Grab *grab = &play->grab;
    if (grab->body < 0) {
        return;
    }
    const ScreeBodyView bodies = scree_world_get_bodies(play->world);
    const size_t i = (size_t)grab->body;
    const double mass = bodies.mass[i];
    ScreeVec3 a =
        pull(&grab->spring, grab->spring.target, bodies.position[i], bodies.velocity[i], step);
    ScreeVec3 force = combine(grab->force, mass, combine(a, -1, gravity));
    const double w = fmin(grab->spring.frequency, 0.3 / step);
    ScreeVec3 torque = combine(grab->torque, -0.5 * w * bodies.inertia[i], bodies.spin[i]);
    (void)scree_body_set_force(play->world, (ScreeBodyId){grab->body}, force, torque);
}

void play_gravity(Play *play, double x, double y, double z) {
    play->gravity = (ScreeVec3){x, y, z};
}

void play_hold(Play *play, double x, double y, double z, double frequency) {
    play->box.spring = (Spring){{x, y, z}, frequency};
}

void play_shake(Play *play, double x, double y, double z, double frequency) {
    play->box.amplitude = (ScreeVec3){x, y, z};
    play->box.shaking = frequency;
    if (size_of(play->box.amplitude) == 0) {
        play->box.phase = 0;
    }
}

double play_box(const Play *play, int component) {
    const ScreeVec3 p = play->box.place;
    return component == 0 ? p.x : component == 1 ? p.y : p.z;
}

/* Moves the box, and returns the gravity that an observer in it feels: g - a. */
static ScreeVec3 move_box(Play *play, double step) {
    Box *box = &play->box;
    box->phase += box->shaking * step;
    const ScreeVec3 hand = combine(box->spring.target, scr_sin(TURN * box->phase), box->amplitude);
    if (box->spring.frequency == 0) {
        return play->gravity;
    }
    ScreeVec3 a = pull(&box->spring, hand, box->place, box->velocity, step);
    box->velocity = combine(box->velocity, step, a);
    box->place = combine(box->place, step, box->velocity);
    return combine(play->gravity, -1, a);
}

int play_step(Play *play) {
    const double step = play_time_step(play);
    const ScreeVec3 gravity = move_box(play, step);
    (void)scree_world_set_gravity(play->world, gravity);
    apply_grab(play, gravity, step);
    if (scree_scene_step(play->scene, play->world, &play->report) != SCREE_OK) {
        return play_fail(play, scree_scene_get_message(play->scene));
    }
    return view_series_add(&play->series, &play->report) ? 0 : play_fail(play, "out of memory");
}

/* ---------------------------------------------------------------- laws and the solver */

/* 1 without any. */
static double mean_of(const double *number, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += number[i];
    }
    return count > 0 ? sum / (double)count : 1;
}

double play_mean_radius(const ScreeWorld *world) {
    const ScreeBodyView bodies = scree_world_get_bodies(world);
    return mean_of(bodies.radius, bodies.count);
}

double play_mean_mass(const ScreeWorld *world) {
    const ScreeBodyView bodies = scree_world_get_bodies(world);
    return mean_of(bodies.mass, bodies.count);
}

/* The weight of the mean grain under the gravity of the scene; without any, its mass counts. */
static double mean_weight(const Play *play) {
    const double g = size_of(play->gravity);
    return play_mean_mass(play->world) * (g > 0 ? g : 1);
}

int play_set_law(Play *play, int which, double value) {
    const int count = (int)scree_scene_get_info(play->scene).materials;
    for (int i = 0; i < count; i++) {
        for (int j = i; j < count; j++) {
            ScreeLaw law;
            (void)scree_law_get(play->world, (ScreeMaterialId){i}, (ScreeMaterialId){j}, &law);
            switch (which) {
            case PLAY_FRICTION:
                law.friction = value;
                law.friction_static = 0;
                break;
            case PLAY_ROLLING:
                law.rolling = value;
                break;
            case PLAY_COHESION:
                law.cohesion = value * mean_weight(play);
                law.cohesion_range = value > 0 ? 0.02 * play_mean_radius(play->world) : 0;
                break;
            default:
                law.restitution = value;
                break;
            }
            if (scree_law_set(play->world, (ScreeMaterialId){i}, (ScreeMaterialId){j}, &law) !=
                SCREE_OK) {
                return play_fail(play, scree_world_get_message(play->world));
            }
        }
    }
    return 0;
}

double play_get_law(const Play *play, int which) {
    ScreeLaw law = scree_law_default();
    (void)scree_law_get(play->world, (ScreeMaterialId){0}, (ScreeMaterialId){0}, &law);
    switch (which) {
    case PLAY_FRICTION:
        return law.friction;
    case PLAY_ROLLING:
        return law.rolling;
    case PLAY_COHESION:
        return law.cohesion / mean_weight(play);
    default:
        return law.restitution;
    }
}

int play_sweeps(Play *play, int sweeps) {
    ScreeSolverDef solver = play->solver;
    if (sweeps > 0) {
        solver.iterations = sweeps;
    }
    return scree_world_set_solver(play->world, &solver) == SCREE_OK
               ? 0
               : play_fail(play, scree_world_get_message(play->world));
}

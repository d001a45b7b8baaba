/* Checks of events when the scene is loaded: names, and actions that make sense. */
#include "scene/play/events.h"

#include "scene/play/quantities.h"
#include "scene/read/drive.h"

#include <stdio.h>
#include <string.h>

static const char *const actions[] = {
    "remove",      "set_velocity", "set_force",   "set_piston", "hold",       "let_go", "glue",
    "add_bridges", "set_friction", "set_gravity", "set_cell",   "set_growth", "stop"};
enum { ACTIONS = sizeof actions / sizeof actions[0] };

static bool check_condition(const Scene *scene, const SceneConditionSpec *c, SceneError *error) {
    static const char *const tests[] = {
        "kinetic_energy_below", "speed_below", "coordination_above", "coordination_below",
        "time_after",           "converged",   "expression"};
    if (!c->head.node) {
        return true;
    }
    bool any = false;
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        any = any || scene_has(scene, &c->head, tests[i]);
    }
    if (any) {
        return !c->expression ||
               scene_check_expression(scene, c->expression,
                                      scene_location_of(scene, &c->head, "expression"), error);
    }
    return scene_fail(error, scene_location_of(scene, &c->head, NULL),
                      "for example kinetic_energy_below: 1e-6", "the condition is empty");
}

static bool check_frame(const Scene *scene, const SceneEventSpec *event, SceneError *error) {
    const SceneHead *head = &event->head;
    int index = head->index, count = 0;
    if (scene_has(scene, head, "at") == scene_has(scene, head, "when")) {
        return scene_fail(error, scene_location_of(scene, head, NULL), NULL,
                          "events[%d] needs either a time 'at' or a condition 'when'", index);
    }
    for (int i = 0; i < ACTIONS; i++) {
        count += scene_has(scene, head, actions[i]);
    }
    if (count == 0) {
        return scene_fail(
            error, scene_location_of(scene, head, NULL),
            "one of remove, set_velocity, set_force, set_piston, hold, let_go, "
            "glue, add_bridges, set_friction, set_gravity, set_cell, set_growth, stop",
            "events[%d] has no action", index);
    }
    if (scene_has(scene, head, "stop") && (!event->stop || count > 1)) {
        return scene_fail(error, scene_location_of(scene, head, "stop"), NULL,
                          event->stop ? "events[%d]: stop cannot be combined with another action"
                                      : "events[%d]: stop can only be true",
                          index);
    }
    if (scene_has(scene, head, "add_bridges") && !event->add_bridges) {
        return scene_fail(error, scene_location_of(scene, head, "add_bridges"), NULL,
                          "events[%d]: add_bridges can only be true", index);
    }
    return !event->add_bridges || scene_check_wetting(scene, head, "add_bridges", error);
}

/* Exactly one of two keys must be given. */
static bool one_of(const Scene *scene, const SceneHead *head, const char *a, const char *b,
                   SceneError *error) {
    if (scene_has(scene, head, a) != scene_has(scene, head, b)) {
        return true;
    }
    return scene_fail(error, scene_location_of(scene, head, NULL), NULL, "give either '%s' or '%s'",
                      a, b);
}

/* The axis of the cylinder among the parts of a wall. */
static bool find_axis(const Scene *scene, const char *name, ScreeVec3 *axis) {
    int entry = -1;
    for (size_t i = 0; i < scene->wall_count; i++) {
        if (scene_wall_has_name(scene, i, name)) {
            entry = scene->walls[i].entry;
        }
    }
    for (size_t i = 0; i < scene->wall_count; i++) {
        if (scene->walls[i].entry == entry && (scene->walls[i].def.shape == SCREE_WALL_CYLINDER ||
                                               scene->walls[i].def.shape == SCREE_WALL_CONE)) {
            *axis = scene->walls[i].def.axis;
            return true;
        }
    }
    *axis = (ScreeVec3){0, 0, 1};
    return scene->model.dimension == 2;
}

/* Whether an event makes this wall a piston. */
static bool becomes_piston(const Scene *scene, size_t wall) {
    const SceneEventSpec *events = scene->model.events.items;
    bool becomes = false;
    for (size_t i = 0; i < scene->model.events.count; i++) {
        const char *name = events[i].set_piston.wall;
        becomes = becomes || (name && scene_wall_has_name(scene, wall, name));
    }
    return becomes;
}

/* All walls of that name are pistons, or become pistons. */
static bool check_pistons(const Scene *scene, const SceneHead *head, const char *name,
                          SceneError *error) {
    SceneLocation location = scene_location_of(scene, head, "wall");
    if (!scene_check_wall_name(scene, name, location, error)) {
        return false;
    }
    for (size_t i = 0; i < scene->wall_count; i++) {
        if (scene_wall_has_name(scene, i, name) &&
            scene->walls[i].def.motion != SCREE_WALL_PISTON && !becomes_piston(scene, i)) {
            return scene_fail(error, location, "give it piston: {force: ...}",
                              "wall '%.60s' is not a piston", name);
        }
    }
    return true;
}

static bool check_set_velocity(Scene *scene, SceneSetVelocitySpec *set, SceneError *error) {
    const SceneHead *head = &set->head;
    if (!head->node) {
        return true;
    }
    if (!one_of(scene, head, "wall", "grains", error)) {
        return false;
    }
    if (set->velocity.kind == DRIVE_NONE && set->spin.kind == DRIVE_NONE) {
        return scene_fail(error, scene_location_of(scene, head, NULL), NULL,
                          "set_velocity needs a velocity or a spin");
    }
    if (set->wall) {
        ScreeVec3 axis;
        if (!scene_check_wall_name(scene, set->wall, scene_location_of(scene, head, "wall"),
                                   error)) {
            return false;
        }
        if (set->spin.scalar && !find_axis(scene, set->wall, &axis)) {
            return scene_fail(
                error, scene_location_of(scene, head, "spin"), "write spin: [x, y, z]",
                "a spin given as one number needs an axis, which only cylinders and drums have");
        }
        if (set->spin.scalar) {
            scene_drive_about(&set->spin, axis);
        }
        return true;
    }
    if (set->velocity.kind > DRIVE_CONSTANT || set->spin.kind > DRIVE_CONSTANT ||
        set->spin.scalar) {
        return scene_fail(error, scene_location_of(scene, head, NULL), NULL,
                          "the velocity and spin of grains must be constant");
    }
    return true;
}

static bool check_set_force(const Scene *scene, const SceneSetForceSpec *set, SceneError *error) {
    const SceneHead *head = &set->head;
    if (!head->node) {
        return true;
    }
    if (!one_of(scene, head, "wall", "grains", error)) {
        return false;
    }
    bool force = scene_has(scene, head, "force"), torque = scene_has(scene, head, "torque");
    if (set->wall ? !force || torque : !force && !torque) {
        return scene_fail(error, scene_location_of(scene, head, NULL), NULL,
                          set->wall ? "set_force needs a force, and a wall takes no torque"
                                    : "set_force needs a force or a torque");
    }
    return !set->wall || check_pistons(scene, head, set->wall, error);
}

/* A stress acts on an area, which is bounded by the walls that the scene has put a piston between. */
static bool check_stress(const Scene *scene, const SceneSetPistonSpec *set, const SceneWall *wall,
                         SceneError *error) {
    const bool stress = scene_has(scene, &set->head, "stress");
    const bool holder = wall->def.shape == SCREE_WALL_HOLDER;
    const SceneLocation location = scene_location_of(scene, &set->head, "stress");
    if (stress && wall->def.shape != SCREE_WALL_PLANE && !holder) {
        return scene_fail(error, location, "give a force",
                          "wall '%.60s' is no plane and no holder: a stress has no area to act on",
                          set->wall);
    }
    return !stress || scene_count_bounds(scene) == 0 || wall->stress.kind != DRIVE_NONE ||
           scene->model.start.head.node != 0 ||
           scene_fail(error, location, "give a force, or write the wall as a piston with a stress",
                      "wall '%.60s' is not between walls: a stress has no area to act on",
                      set->wall);
}

static bool check_set_piston(const Scene *scene, const SceneSetPistonSpec *set, SceneError *error) {
    const SceneHead *head = &set->head;
    if (!head->node) {
        return true;
    }
    if (!one_of(scene, head, "force", "stress", error) ||
        !scene_check_wall_name(scene, set->wall, scene_location_of(scene, head, "wall"), error)) {
        return false;
    }
    const ScreeVec3 way = set->direction;
    if (scene_has(scene, head, "direction") && way.x == 0 && way.y == 0 && way.z == 0) {
        return scene_fail(error, scene_location_of(scene, head, "direction"), NULL,
                          "a piston needs a direction other than zero");
    }
    for (size_t i = 0; i < scene->wall_count; i++) {
        bool its = scene_wall_has_name(scene, i, set->wall);
        bool plane = scene->walls[i].def.shape == SCREE_WALL_PLANE;
        if (its && !check_stress(scene, set, &scene->walls[i], error)) {
            return false;
        }
        if (its && scene->walls[i].def.motion != SCREE_WALL_PISTON && !plane &&
            !scene_has(scene, head, "direction")) {
            return scene_fail(
                error, scene_location_of(scene, head, NULL), "for example direction: [0, 0, 1]",
                "wall '%.60s' is no piston yet, and no plane: it needs a direction", set->wall);
        }
    }
    return true;
}

static bool check_hold(const Scene *scene, const SceneEventSpec *event, SceneError *error) {
    const SceneHead *head = &event->hold.head;
    const SceneLocation location = scene_location_of(scene, head, "wall");
    size_t named = 0;
    if (head->node && !scene_check_wall_name(scene, event->hold.wall, location, error)) {
        return false;
    }
    for (size_t i = 0; head->node && i < scene->wall_count; i++) {
        named += scene_wall_has_name(scene, i, event->hold.wall);
    }
    if (named > 1) {
        return scene_fail(error, location, "name one of them, as box.left",
                          "'%.60s' has several parts", event->hold.wall);
    }
    for (size_t i = 0; i < event->let_go.count; i++) {
        if (!scene_check_wall_name(scene, event->let_go.names[i],
                                   scene_location(&scene->document, event->let_go.nodes[i]),
                                   error)) {
            return false;
        }
    }
    return true;
}

static bool check_set_friction(const Scene *scene, const SceneSetFrictionSpec *set,
                               SceneError *error) {
    const SceneHead *head = &set->head;
    if (!head->node) {
        return true;
    }
    if (!one_of(scene, head, "material", "between", error)) {
        return false;
    }
    if (set->friction_static != 0 && set->friction_static < set->friction) {
        return scene_fail(error, scene_location_of(scene, head, "friction_static"),
                          "leave it out for one coefficient",
                          "set_friction: friction_static %g is below friction %g",
                          set->friction_static, set->friction);
    }
    if (set->material) {
        return scene_material_number(scene, set->material,
                                     scene_location_of(scene, head, "material"), error) >= 0;
    }
    if (set->between.count != 2) {
        return scene_fail(error, scene_location_of(scene, head, "between"), NULL,
                          "between must name two materials");
    }
    for (int k = 0; k < 2; k++) {
        SceneLocation location = scene_location(&scene->document, set->between.nodes[k]);
        if (scene_material_number(scene, set->between.names[k], location, error) < 0) {
            return false;
        }
    }
    return true;
}

static bool check_remove(const Scene *scene, const SceneEventSpec *event, SceneError *error) {
    for (size_t i = 0; i < event->remove.count; i++) {
        SceneLocation location = scene_location(&scene->document, event->remove.nodes[i]);
        if (!scene_check_wall_name(scene, event->remove.names[i], location, error)) {
            return false;
        }
    }
    return true;
}

/* ---------------------------------------------------------------- walls that are gone */

static bool is_among(const Scene *scene, size_t wall, const SceneNames *names, size_t count) {
    for (size_t n = 0; n < count; n++) {
        if (scene_wall_has_name(scene, wall, names->names[n])) {
            return true;
        }
    }
    return false;
}

/* Whether one event takes place before another for sure: timed ones do so in the order of their
 * times, and of the list; when a condition is met, nobody knows. */
static bool comes_before(const SceneEventSpec *a, const SceneEventSpec *b) {
    bool timed = a->when.head.node == 0 && b->when.head.node == 0;
    return timed && (a->at < b->at || (a->at == b->at && a < b));
}

/* The event that removes a wall before `event`, or in it before its other actions, of which
 * `removals` are removals themselves. NULL if there is none. */
static const SceneEventSpec *find_remover(const Scene *scene, size_t wall,
                                          const SceneEventSpec *event, size_t removals) {
    const SceneEventSpec *events = scene->model.events.items;
    for (size_t i = 0; i < scene->model.events.count; i++) {
        const SceneEventSpec *other = &events[i];
        size_t count = other == event               ? removals
                       : comes_before(other, event) ? other->remove.count
                                                    : 0;
        if (is_among(scene, wall, &other->remove, count)) {
            return other;
        }
    }
    return NULL;
}

/* An event may find some of its walls gone, but not all of them. */
static bool check_present(const Scene *scene, const SceneEventSpec *event, const char *name,
                          size_t removals, SceneLocation location, SceneError *error) {
    const SceneEventSpec *remover = NULL;
    for (size_t i = 0; name != NULL && i < scene->wall_count; i++) {
        if (scene_wall_has_name(scene, i, name)) {
            remover = find_remover(scene, i, event, removals);
            if (remover == NULL) {
                return true;
            }
        }
    }
    return remover == NULL ||
           scene_fail(error, location, "let it come earlier, or leave it out",
                      remover == event ? "events[%d]: wall '%.60s' has been removed by then: it "
                                         "removes it itself"
                                       : "events[%d]: wall '%.60s' has been removed by then, by "
                                         "events[%d]",
                      event->head.index, name, remover->head.index);
}

static bool check_walls_present(const Scene *scene, const SceneEventSpec *event,
                                SceneError *error) {
    size_t removals = event->remove.count;
    const SceneSetVelocitySpec *velocity = &event->set_velocity;
    const SceneSetForceSpec *force = &event->set_force;
    for (size_t k = 0; k < removals; k++) {
        SceneLocation location = scene_location(&scene->document, event->remove.nodes[k]);
        if (!check_present(scene, event, event->remove.names[k], k, location, error)) {
            return false;
        }
    }
    for (size_t k = 0; k < event->let_go.count; k++) {
        SceneLocation location = scene_location(&scene->document, event->let_go.nodes[k]);
        if (!check_present(scene, event, event->let_go.names[k], removals, location, error)) {
            return false;
        }
    }
    return check_present(scene, event, event->set_piston.wall, removals,
                         scene_location_of(scene, &event->set_piston.head, "wall"), error) &&
           check_present(scene, event, event->hold.wall, removals,
                         scene_location_of(scene, &event->hold.head, "wall"), error) &&
           check_present(scene, event, velocity->wall, removals,
                         scene_location_of(scene, &velocity->head, "wall"), error) &&
           check_present(scene, event, force->wall, removals,
                         scene_location_of(scene, &force->head, "wall"), error);
}

bool scene_check_events(Scene *scene, SceneError *error) {
    SceneEventSpec *events = scene->model.events.items;
    size_t count = scene->model.events.count;
    scene->events = scene_alloc(&scene->arena, count + 1, sizeof *scene->events);
    scene->met = scene_alloc(&scene->arena, count + 1, sizeof *scene->met);
    scene->watch = scene_alloc(&scene->arena, 1, sizeof *scene->watch);
    if (!scene->events || !scene->met || !scene->watch) {
        return scene_out_of_memory(error, scene_location(&scene->document, 0), NULL);
    }
    for (size_t i = 0; i < count; i++) {
        SceneEventSpec *event = &events[i];
        bool ok = check_frame(scene, event, error) && check_condition(scene, &event->when, error) &&
                  check_remove(scene, event, error) &&
                  check_set_velocity(scene, &event->set_velocity, error) &&
                  check_set_force(scene, &event->set_force, error) &&
                  check_set_piston(scene, &event->set_piston, error) &&
                  check_hold(scene, event, error) && scene_check_glue(scene, &event->glue, error) &&
                  check_set_friction(scene, &event->set_friction, error);
        if (!ok) {
            return false;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (!check_walls_present(scene, &events[i], error)) {
            return false;
        }
    }
    return check_condition(scene, &scene->model.stop, error);
}

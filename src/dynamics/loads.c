/* What the grains exert on walls during a step, also through the bodies that walls hold. */
#include "dynamics/engine.h"

#include "dynamics/held.h"

#include <string.h>

/* Force and torque on a wall. */
typedef struct WallLoad {
    ExactSum of[6];
} WallLoad;

static void add_wrench(Vec3 force, Vec3 torque, WallLoad *load) {
    for (int axis = 0; axis < 3; axis++) {
        scr_exact_add(&load->of[axis], component(force, axis));
        scr_exact_add(&load->of[3 + axis], component(torque, axis));
    }
}

static void add_load(const StepTask *t, size_t i, const ScreeWallDef *w, WallLoad *load) {
    const State *s = t->state;
    const Contact *c = &s->contacts.item[i];
    double per_step = 1 / t->with->time_step;
    Vec3 impulse = add_scaled(c->tangential_impulse, c->normal_impulse, c->normal);
    Vec3 force = scale(per_step, impulse);
    Vec3 seen = scr_seen_by_wall(&s->def, w, s->bodies.position[c->a]);
    Vec3 point = add(seen, scr_arms_of(t, c).a);
    Vec3 torque = cross(sub(point, w->pivot), force);
    if (s->contacts.extra != NULL) {
        torque = add_scaled(torque, per_step, s->contacts.extra[i].torque_impulse);
    }
    add_wrench(force, torque, load);
}

/* What a contact exerts on a wall that holds one of its bodies: that of body b is the impulse, that of
 * body a its opposite. */
static void add_held_load(const StepTask *t, size_t i, const ScreeWallDef *w, bool of_b,
                          WallLoad *load) {
    const State *s = t->state;
    const Contact *c = &s->contacts.item[i];
    const double per_step = (of_b ? 1 : -1) / t->with->time_step;
    const Arms arms = scr_arms_of(t, c);
    Vec3 impulse = add_scaled(c->tangential_impulse, c->normal_impulse, c->normal);
    Vec3 force = scale(per_step, impulse);
    Vec3 centre = s->bodies.position[of_b ? c->b : c->a];
    Vec3 point = add(scr_seen_from_pivot(&s->def, w, centre), of_b ? arms.b : arms.a);
    Vec3 torque = cross(sub(point, w->pivot), force);
    if (s->contacts.extra != NULL) {
        torque = add_scaled(torque, per_step, s->contacts.extra[i].torque_impulse);
    }
    add_wrench(force, torque, load);
}

static void load_by_held(const StepTask *t, size_t wall, WallLoad *load) {
    const State *s = t->state;
    const ScreeWallDef *w = &s->walls.item[wall].now;
    for (size_t i = 0; s->holder != NULL && i < t->extent.first_with_wall; i++) {
        const Contact *c = &s->contacts.item[i];
        bool a = s->holder[c->a] == (int32_t)wall, b = s->holder[c->b] == (int32_t)wall;
        if ((a || b) && c->state != SCREE_CONTACT_OPEN) {
            add_held_load(t, i, w, b, load);
        }
    }
}

static Vec3 total_load(ExactSum sum[3]) {
    return vec3(scr_exact_total(&sum[0]), scr_exact_total(&sum[1]), scr_exact_total(&sum[2]));
}

/* Of the contacts from `first` on, which follow one another; returns where they end. */
static size_t load_wall(const StepTask *t, size_t first, ScreeWallState *w, int32_t code) {
    const State *s = t->state;
    WallLoad load;
    memset(&load, 0, sizeof load);
    size_t i = first;
    for (; i < s->contacts.count && s->contacts.item[i].b == code; i++) {
        if (s->contacts.item[i].state != SCREE_CONTACT_OPEN) {
            add_load(t, i, &w->now, &load);
        }
    }
    load_by_held(t, scr_wall_of(code), &load);
    scr_sum_over_processes(s->spread, load.of, sizeof load.of / sizeof load.of[0]);
    w->load = total_load(&load.of[0]);
    w->load_torque = total_load(&load.of[3]);
    return i;
}

/* Contacts with fixed walls come before those with others. */
void scr_load_walls(const StepTask *t, State *s) {
    size_t next = t->extent.first_with_wall;
    for (int moving = 0; moving < 2; moving++) {
        for (size_t i = 0; i < s->walls.count; i++) {
            ScreeWallState *w = &s->walls.item[i];
            if ((w->now.motion != SCREE_WALL_FIXED) == (moving == 1)) {
                next = load_wall(t, next, w, scr_wall_code(i));
            }
        }
    }
}

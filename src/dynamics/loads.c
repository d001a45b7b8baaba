/* What the grains exert on walls during a step, also through the bodies that walls hold. */
#include "dynamics/engine.h"

#include "dynamics/held.h"

#include <string.h>

/* Force and torque. */
enum { WRENCH = 6 };
_Static_assert((int)WRENCH <= (int)PIECE_SUMS, "there is room for them");

/* The contacts of a wall, or those of the bodies that it holds. */
typedef struct WallLoad {
    const StepTask *task;
    size_t wall, first, count;
} WallLoad;

static void add_wrench(Vec3 force, Vec3 torque, PieceSums *load) {
    for (int axis = 0; axis < 3; axis++) {
        scr_exact_add(&load->of[axis], component(force, axis));
        scr_exact_add(&load->of[3 + axis], component(torque, axis));
    }
}

static void add_load(const StepTask *t, size_t i, const ScreeWallDef *w, PieceSums *load) {
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
                          PieceSums *load) {
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

static void load_piece(void *context, size_t piece) {
    const WallLoad *k = context;
    const State *s = k->task->state;
    const ScreeWallDef *w = &s->walls.item[k->wall].now;
    PieceSums *load = scr_begin_sums(&k->task->sums, piece, WRENCH);
    const size_t end = k->first + scr_piece_end(k->count, piece);
    for (size_t i = k->first + scr_piece_begin(k->count, piece); i < end; i++) {
        if (s->contacts.item[i].state != SCREE_CONTACT_OPEN) {
            add_load(k->task, i, w, load);
        }
    }
}

static void load_held_piece(void *context, size_t piece) {
    const WallLoad *k = context;
    const State *s = k->task->state;
    const int32_t wall = (int32_t)k->wall;
    PieceSums *load = scr_begin_sums(&k->task->sums, piece, WRENCH);
    const size_t end = k->first + scr_piece_end(k->count, piece);
    for (size_t i = k->first + scr_piece_begin(k->count, piece); i < end; i++) {
        const Contact *c = &s->contacts.item[i];
        const bool a = s->holder[c->a] == wall, b = s->holder[c->b] == wall;
        if ((a || b) && c->state != SCREE_CONTACT_OPEN) {
            add_held_load(k->task, i, &s->walls.item[wall].now, b, load);
        }
    }
}

/* What all pieces of some contacts exert. */
static void add_pieces(const WallLoad *k, void (*piece)(void *context, size_t piece),
                       ExactSum sum[WRENCH]) {
    const size_t pieces = scr_pieces(k->count);
    WallLoad load = *k;
    scr_threads_loop(k->task->with->threads, pieces, piece, &load);
    for (size_t i = 0; i < pieces; i++) {
        for (int axis = 0; axis < WRENCH; axis++) {
            scr_exact_join(&sum[axis], &k->task->sums.piece[i].of[axis]);
        }
    }
}

static Vec3 total_load(ExactSum sum[3]) {
    return vec3(scr_exact_total(&sum[0]), scr_exact_total(&sum[1]), scr_exact_total(&sum[2]));
}

/* Where the contacts of a wall end, which follow one another from `first` on. */
static size_t end_of_wall(const Contacts *k, size_t first, int32_t code) {
    size_t low = first, high = k->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        low = k->item[middle].b == code ? middle + 1 : low;
        high = k->item[middle].b == code ? high : middle;
    }
    return low;
}

/* Of the contacts from `first` on; returns where they end. */
static size_t load_wall(const StepTask *t, size_t first, size_t wall) {
    const State *s = t->state;
    ScreeWallState *w = &s->walls.item[wall];
    const size_t end = end_of_wall(&s->contacts, first, scr_wall_code(wall));
    ExactSum sum[WRENCH];
    memset(sum, 0, sizeof sum);
    add_pieces(&(WallLoad){t, wall, first, end - first}, load_piece, sum);
    if (s->holder != NULL) {
        add_pieces(&(WallLoad){t, wall, 0, t->extent.first_with_wall}, load_held_piece, sum);
    }
    scr_sum_over_processes(s->spread, sum, WRENCH);
    w->load = total_load(&sum[0]);
    w->load_torque = total_load(&sum[3]);
    return end;
}

/* Contacts with fixed walls come before those with others. */
void scr_load_walls(const StepTask *t, State *s) {
    size_t next = t->extent.first_with_wall;
    if (t->there != NULL) {
        scr_load_there(t, s);
        return;
    }
    for (int moving = 0; moving < 2; moving++) {
        for (size_t i = 0; i < s->walls.count; i++) {
            const ScreeWallState *w = &s->walls.item[i];
            if ((w->now.motion != SCREE_WALL_FIXED) == (moving == 1)) {
                next = load_wall(t, next, i);
            }
        }
    }
}

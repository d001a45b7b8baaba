#include "dynamics/held.h"

#include "dynamics/displace.h"

Vec3 scr_seen_from_pivot(const ScreeWorldDef *def, const ScreeWallDef *wall, Vec3 position) {
    return scr_any_periodic(def)
               ? add(wall->pivot, scr_shortest_image(def, sub(position, wall->pivot)))
               : position;
}

static bool turns(const ScreeWallDef *w) {
    return w->motion == SCREE_WALL_MOVED && (w->spin.x != 0 || w->spin.y != 0 || w->spin.z != 0);
}

/* How far a point of a wall comes while its pivot moves by `shift`: x' - x = shift + (R - 1) (x - p). */
static Vec3 way_of(const State *s, const ScreeWallDef *w, Vec3 position, Vec3 shift, double time) {
    if (!turns(w)) {
        return shift;
    }
    Vec3 arm = sub(scr_seen_from_pivot(&s->def, w, position), w->pivot);
    Vec3 turned = quat_rotate(quat_from_turn(scale(time, w->spin)), arm);
    return add(shift, sub(turned, arm));
}

Vec3 scr_spin_of_wall(const State *s, int32_t b) {
    const bool moved = b < 0 && turns(&s->walls.item[scr_wall_of(b)].now);
    return moved ? s->walls.item[scr_wall_of(b)].now.spin : vec3(0, 0, 0);
}

Vec3 scr_bend_at_wall(const StepParams *with, const State *s, const Contact *c) {
    const ScreeWallDef *w = c->b < 0 ? &s->walls.item[scr_wall_of(c->b)].now : NULL;
    const Vec3 at = s->bodies.position[c->a];
    if (w == NULL || !turns(w)) {
        return vec3(0, 0, 0);
    }
    const Vec3 arm = sub(scr_seen_from_pivot(&s->def, w, at), w->pivot);
    const Vec3 way = way_of(s, w, at, vec3(0, 0, 0), with->time_step);
    return add_scaled(way, -with->time_step, cross(w->spin, arm));
}

void scr_carry_glue(State *s, size_t wall, Vec3 motion, double dt) {
    const ScreeWallDef *w = &s->walls.item[wall].now;
    const Vec3 turn = turns(w) ? scale(-dt, w->spin) : vec3(0, 0, 0);
    for (size_t i = 0; i < s->bonds.count; i++) {
        ScreeBond *bond = &s->bonds.item[i];
        if (bond->b.code == scr_wall_code(wall)) {
            bond->arm_b = add(bond->arm_b, way_of(s, w, bond->arm_b, scale(dt, motion), dt));
            bond->turn = quat_normalise(quat_multiply(bond->turn, quat_from_turn(turn)));
        }
    }
}

void scr_lead_held(State *s, double time_step) {
    Bodies *b = &s->bodies;
    for (size_t i = 0; s->holder != NULL && i < b->count; i++) {
        if (s->holder[i] < 0) {
            continue;
        }
        const ScreeWallDef *w = &s->walls.item[s->holder[i]].now;
        bool moves = w->motion != SCREE_WALL_FIXED;
        Vec3 way = way_of(s, w, b->position[i], scale(time_step, w->velocity), time_step);
        b->velocity[i] = !moves     ? vec3(0, 0, 0)
                         : turns(w) ? scale(1 / time_step, way)
                                    : w->velocity;
        b->spin[i] = turns(w) ? w->spin : vec3(0, 0, 0);
    }
}

/* An image does what its original does. */
static void follow_originals(StepTask *t) {
    const State *s = t->state;
    const int32_t *rank = t->list->neighbours.rank;
    for (size_t i = scr_originals(s); i < s->bodies.count; i++) {
        const int32_t from = rank[s->origin[i]];
        t->problem.body[rank[i]] = t->problem.body[from];
        if (t->impacts.detour != NULL) {
            t->impacts.detour[rank[i]] = t->impacts.detour[from];
        }
    }
}

void scr_follow_pistons(StepTask *t) {
    const State *s = t->state;
    follow_originals(t);
    for (size_t i = 0; s->holder != NULL && i < s->bodies.count; i++) {
        int32_t piston = scr_holding_piston(s, (int32_t)i);
        if (piston >= 0) {
            ProblemBody *body = &t->problem.body[t->list->neighbours.rank[i]];
            body->v = t->problem.body[scr_wall_index(s, (size_t)piston)].v;
        }
    }
}

void scr_carry_held(const StepTask *t, State *s, size_t wall, Vec3 motion) {
    const ScreeWallDef *w = &s->walls.item[wall].now;
    const bool periodic = scr_any_periodic(&s->def);
    const double dt = t->with->time_step;
    const Neighbours *nb = &t->list->neighbours;
    Bodies *b = &s->bodies;
    for (size_t i = 0; s->holder != NULL && i < b->count; i++) {
        if (s->holder[i] != (int32_t)wall) {
            continue;
        }
        Vec3 way = way_of(s, w, b->position[i], scale(dt, motion), dt);
        Vec3 arm = sub(scr_seen_from_pivot(&s->def, w, b->position[i]), w->pivot);
        Vec3 arm_after = add(arm, sub(way, scale(dt, motion)));
        b->spin[i] = turns(w) ? w->spin : vec3(0, 0, 0);
        b->velocity[i] = add(w->velocity, cross(b->spin[i], arm_after));
        scr_displace(s, i, way, scale(dt, b->spin[i]), periodic);
        nb->spot[nb->rank[i]].x = b->position[i];
    }
}

#include "dynamics/pair_motion.h"

/* Velocity of body b that it has because the cell deforms, as seen from a. */
static Vec3 carried(const StepParams *with, const State *s, Pair p, const Mat3 *rate) {
    return with->deforms ? mat3_apply(rate, scr_between(s, p.a, p.b)) : vec3(0, 0, 0);
}

PairMotion scr_start_motion(const StepParams *with, const State *s, Pair p) {
    const Bodies *k = &s->bodies;
    PairMotion m = {.va = scr_velocity_before(with, s, (size_t)p.a), .wa = k->spin[p.a]};
    if (p.b >= 0) {
        m.vb = scr_velocity_before(with, s, (size_t)p.b);
        m.vb = add(m.vb, carried(with, s, p, &with->rate));
        m.wb = k->spin[p.b];
    } else {
        const ScreeWallDef *w = &s->walls.item[scr_wall_of(p.b)].now;
        m.vb = scr_wall_motion(w, w->point);
        m.wb = w->motion == SCREE_WALL_MOVED ? w->spin : vec3(0, 0, 0);
    }
    return m;
}

PairMotion scr_free_pair_motion(const StepTask *t, Pair p) {
    const State *s = t->state;
    PairMotion m = scr_start_motion(t->with, s, p);
    m.va = t->free->motion[p.a];
    m.wa = scr_free_turn(t->with, s, (size_t)p.a);
    if (p.b >= 0) {
        m.vb = add(t->free->motion[p.b], carried(t->with, s, p, &t->free->rate));
        m.wb = scr_free_turn(t->with, s, (size_t)p.b);
    }
    return m;
}

PairMotion scr_solved_motion(const StepTask *t, Pair p) {
    const Bodies *k = &t->state->bodies;
    PairMotion m = scr_free_pair_motion(t, p);
    m.va = scr_problem_body(t, p.a)->v;
    m.wa = scale(1 / k->radius[p.a], scr_problem_body(t, p.a)->s);
    if (p.b >= 0) {
        m.vb = scr_problem_body(t, p.b)->v;
        m.vb = t->with->deforms ? add(m.vb, carried(t->with, t->state, p, &t->problem.cell->rate))
                                : m.vb;
        m.wb = scale(1 / k->radius[p.b], scr_problem_body(t, p.b)->s);
    } else if (t->state->walls.item[scr_wall_of(p.b)].now.motion == SCREE_WALL_PISTON) {
        m.vb = t->problem.body[scr_wall_index(t->state, scr_wall_of(p.b))].v;
    }
    return m;
}

static Vec3 mean_spin(const StepTask *t, int32_t body, Vec3 spin) {
    const State *s = t->state;
    const Solid *solid = body >= 0 ? scr_solid_of(s, (size_t)body) : NULL;
    if (solid == NULL) {
        return spin;
    }
    const Quat start = s->bodies.orientation[body], back = {start.w, -start.x, -start.y, -start.z};
    const SolidTurn turn = scr_turn_solid(t->with, s, (size_t)body, solid, spin);
    return scale(1 / t->with->time_step, quat_turn(quat_multiply(turn.orientation, back)));
}

PairMotion scr_path_of(const StepTask *t, Pair p, const PairMotion *solved) {
    PairMotion m = *solved;
    m.wa = mean_spin(t, p.a, m.wa);
    m.wb = mean_spin(t, p.b, m.wb);
    return m;
}

/* How bodies go through a step: where they would go if nothing touched them, and where they go.
 * Bodies are worked on in pieces, and what is summed is summed piece by piece. */
#include "dynamics/engine.h"

#include "shape/wall.h"

enum { AHEAD = 8 };

/* ---------------------------------------------------------------- before the contacts */

/* What one piece of the bodies has seen. */
typedef struct Seen {
    double least_radius, largest_radius, radius, mass; /* the latter two are sums */
    size_t tensors;
    bool held, outrun;
} Seen;

typedef struct Prediction {
    const State *state;
    Engine *engine;
    Seen seen[SCR_MOST_PIECES];
} Prediction;

/* Axes that no body has in a world of two dimensions. */
static uint32_t given_frozen(const State *s) {
    const uint32_t plane = SCREE_FREEZE_Z | SCREE_FREEZE_ROTATION_X | SCREE_FREEZE_ROTATION_Y;
    return s->def.dimension == 2 ? plane : 0;
}

static void predict_piece(void *context, size_t piece) {
    Prediction *p = context;
    const State *s = p->state;
    const Bodies *b = &s->bodies;
    const uint32_t given = given_frozen(s);
    Seen seen = {.least_radius = INFINITY};
    size_t end = scr_piece_end(b->count, piece);
    for (size_t i = scr_piece_begin(b->count, piece); i < end; i++) {
        Vec3 motion = scr_motion(s, b->velocity[i], scr_free_velocity(s, i));
        p->engine->free_motion[i] = motion;
        seen.least_radius = fmin(seen.least_radius, b->radius[i]);
        seen.largest_radius = fmax(seen.largest_radius, b->radius[i]);
        seen.radius += b->radius[i];
        seen.mass += b->mass[i];
        if (b->frozen[i] != given) {
            seen.held = true;
            seen.tensors += scr_needs_tensor(s, i);
        }
        /* The impulses may yet change the velocities: a fifth of the margin is left to them. */
        seen.outrun = seen.outrun || !scr_stays_within(s, i, motion, 0.8);
    }
    p->seen[piece] = seen;
}

ScreeStatus scr_predict(const State *s, Engine *e) {
    size_t n = s->bodies.count;
    if (!scr_block_reserve_exact(&e->free_block, n + 1, sizeof(Vec3), 0) ||
        !scr_block_reserve_exact(&e->scratch_block, n + 1, sizeof(double), 0) ||
        !scr_place_outlines(s, &e->placed)) {
        return SCREE_NO_MEMORY;
    }
    e->free_motion = e->free_block.data;
    Prediction p = {.state = s, .engine = e};
    scr_threads_loop(e->threads, scr_pieces(n), predict_piece, &p);
    Seen all = {.least_radius = INFINITY};
    for (size_t k = 0; k < scr_pieces(n); k++) {
        const Seen *seen = &p.seen[k];
        all.least_radius = fmin(all.least_radius, seen->least_radius);
        all.largest_radius = fmax(all.largest_radius, seen->largest_radius);
        all.radius += seen->radius;
        all.mass += seen->mass;
        all.tensors += seen->tensors;
        all.held = all.held || seen->held;
        all.outrun = all.outrun || seen->outrun;
    }
    e->least_radius = all.least_radius;
    e->largest_radius = all.largest_radius;
    e->mean_radius = n > 0 ? all.radius / (double)n : 0;
    e->mean_mass = n > 0 ? all.mass / (double)n : 0;
    e->partly_frozen = all.tensors;
    e->held = all.held;
    e->outrun = all.outrun;
    return SCREE_OK;
}

/* ---------------------------------------------------------------- after the solution */

/* Kinetic energy gained; as a product, so that the balance does not cancel large numbers. */
static double gain(double mass, Vec3 before, Vec3 after) {
    return 0.5 * mass * dot(add(after, before), sub(after, before));
}

/* Half of the change of velocity is what the motion of implicit Euler is ahead of the mean. */
static Vec3 ahead(const State *s, Vec3 before, Vec3 after) {
    return scale(s->def.theta - 0.5, sub(after, before));
}

/* What the motion of one piece of the bodies adds to the certificate. */
typedef struct Sums {
    double work, scheme;  /* of external forces, and what of it is lost to the time stepping */
    double gain, kinetic; /* of kinetic energy; twice what there is after the step */
    double fastest;       /* (motion / radius)^2 */
} Sums;

typedef struct Moving {
    State *state;
    Engine *engine;
    bool periodic;
    Sums sum[SCR_MOST_PIECES];
} Moving;

/* Back into the periodic cell; the anchor goes along, so that the distance moved since the list was
 * built stays true. */
static void wrap(const ScreeWorldDef *def, Vec3 *position, Vec3 *anchor) {
    Vec3 middle = scale(0.5, add(def->cell_min, def->cell_max));
    Vec3 from_middle = sub(*position, middle);
    Vec3 shift = sub(scr_nearest_image(def, from_middle), from_middle);
    if (shift.x != 0 || shift.y != 0 || shift.z != 0) {
        *position = add(*position, shift);
        *anchor = add(*anchor, shift);
    }
}

/* The impulse of external forces on a body, but for the axes along which it is held. */
static Vec3 push_on(const State *s, size_t i) {
    const Bodies *b = &s->bodies;
    double dt = s->def.time_step;
    Vec3 j = add_scaled(scale(dt, b->force[i]), dt * b->mass[i], s->def.gravity);
    uint32_t f = b->frozen[i];
    return vec3(f & SCREE_FREEZE_X ? 0 : j.x, f & SCREE_FREEZE_Y ? 0 : j.y,
                f & SCREE_FREEZE_Z ? 0 : j.z);
}

static Vec3 twist_on(const State *s, size_t i) {
    Vec3 j = scale(s->def.time_step, s->bodies.torque[i]);
    uint32_t f = s->bodies.frozen[i];
    return vec3(f & SCREE_FREEZE_ROTATION_X ? 0 : j.x, f & SCREE_FREEZE_ROTATION_Y ? 0 : j.y,
                f & SCREE_FREEZE_ROTATION_Z ? 0 : j.z);
}

/* The motion is in the problem's body, and becomes the mean of old and new velocity there. In
 * statics the motion is the only velocity that there is, and nothing has kinetic energy. */
static void move_body(const Moving *m, size_t i, Sums *sum) {
    State *s = m->state;
    Bodies *b = &s->bodies;
    const int32_t rank = m->engine->neighbours.rank[i];
    ProblemBody *p = &m->engine->problem.body[rank];
    double dt = s->def.time_step, r = b->radius[i], per_r = 1 / r;
    Vec3 motion = p->v, turn = scale(per_r, p->s);
    const bool still = scr_is_static(&s->def);
    Vec3 v0 = still ? motion : b->velocity[i], w0 = still ? turn : b->spin[i];
    Vec3 v = scr_after_motion(s, v0, motion), w = scr_after_motion(s, w0, turn);
    Vec3 push = push_on(s, i), twist = twist_on(s, i);
    sum->work += dot(push, motion) + dot(twist, turn);
    sum->scheme += dot(push, ahead(s, v0, v)) + dot(twist, ahead(s, w0, w));
    sum->gain += gain(b->mass[i], v0, v) + gain(b->inertia[i], w0, w);
    sum->kinetic += still ? 0 : b->mass[i] * dot(v, v) + b->inertia[i] * dot(w, w);
    sum->fastest = fmax(sum->fastest, dot(motion, motion) * per_r * per_r);
    p->v = scale(0.5, add(v, v0));
    p->s = scale(0.5 * r, add(w, w0));
    b->velocity[i] = still ? scr_held(b->frozen[i], v) : v;
    b->spin[i] = still ? scr_held(b->frozen[i] >> 3, w) : w;
    b->position[i] = add_scaled(b->position[i], dt, motion);
    turn = scale(dt, turn);
    if (turn.x != 0 || turn.y != 0 || turn.z != 0) {
        b->orientation[i] =
            quat_renormalise(quat_multiply(quat_from_turn(turn), b->orientation[i]));
    }
    if (m->periodic) {
        wrap(&s->def, &b->position[i], &b->anchor[i]);
    }
    m->engine->neighbours.spot[rank].x = b->position[i];
}

static void move_piece(void *context, size_t piece) {
    Moving *m = context;
    const Engine *e = m->engine;
    size_t n = m->state->bodies.count, end = scr_piece_end(n, piece);
    Sums sum = {0};
    for (size_t i = scr_piece_begin(n, piece); i < end; i++) {
        if (i + AHEAD < end) {
            __builtin_prefetch(&e->problem.body[e->neighbours.rank[i + AHEAD]], 1);
            __builtin_prefetch(&e->neighbours.spot[e->neighbours.rank[i + AHEAD]], 1);
        }
        move_body(m, i, &sum);
    }
    m->sum[piece] = sum;
}

static void move_wall(const State *s, ScreeWallState *w, ProblemBody *p, Engine *e,
                      ScreeReport *report) {
    ScreeWallDef *now = &w->now;
    Vec3 motion = now->velocity;
    if (now->motion == SCREE_WALL_PISTON) {
        motion = p->v;
        if (scr_is_static(&s->def)) {
            report->work_external +=
                s->def.time_step * dot(now->force, now->direction) * dot(now->direction, motion);
            now->velocity = vec3(0, 0, 0);
            scr_wall_advance(w, motion, s->def.time_step);
            return;
        }
        Vec3 after = scr_after_motion(s, now->velocity, motion);
        Vec3 push = scale(s->def.time_step * dot(now->force, now->direction), now->direction);
        report->work_external += dot(push, motion);
        report->dissipation_scheme += dot(push, ahead(s, now->velocity, after));
        e->energy_gain += gain(now->mass, now->velocity, after);
        p->v = scale(0.5, add(after, now->velocity));
        now->velocity = after;
        report->kinetic_energy += 0.5 * now->mass * dot(after, after);
    }
    if (now->motion != SCREE_WALL_FIXED) {
        scr_wall_advance(w, motion, s->def.time_step);
    }
}

void scr_move(State *s, Engine *e, ScreeReport *report) {
    size_t n = s->bodies.count;
    Moving m = {.state = s, .engine = e, .periodic = scr_any_periodic(&s->def)};
    scr_threads_loop(e->threads, scr_pieces(n), move_piece, &m);
    double fastest = 0;
    e->energy_gain = 0;
    for (size_t k = 0; k < scr_pieces(n); k++) {
        report->work_external += m.sum[k].work;
        report->dissipation_scheme += m.sum[k].scheme;
        e->energy_gain += m.sum[k].gain;
        report->kinetic_energy += 0.5 * m.sum[k].kinetic;
        fastest = fmax(fastest, m.sum[k].fastest);
    }
    report->motion_max = sqrt(fastest) * s->def.time_step;
    for (size_t i = 0; i < s->walls.count; i++) {
        if (s->walls.item[i].present) {
            ProblemBody *p = &e->problem.body[scr_wall_place(s, i)];
            move_wall(s, &s->walls.item[i], p, e, report);
        }
    }
}

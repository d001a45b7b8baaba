/* How bodies and walls go through a step, once the impulses are known. */
#include "dynamics/engine.h"

#include "dynamics/held.h"
#include "dynamics/plain_bodies.h"

enum { AHEAD = 8 };

enum { WORK, SCHEME, TURNING, GROWTH, GAIN, KINETIC, SUMS };

typedef struct Moving {
    StepTask *task;
    State *state;
    bool periodic;
    double fastest[SCR_MOST_PIECES];
} Moving;

static Spins turn_solid(const StepParams *with, State *s, size_t i, const Solid *solid, Vec3 turn,
                        MotionSums *sum) {
    const SolidTurn t = scr_turn_solid(with, s, i, solid, turn);
    sum->gain += t.gain - t.scheme;
    sum->turning += t.scheme;
    sum->kinetic += t.kinetic;
    s->bodies.spin[i] = t.spin;
    s->bodies.orientation[i] = t.orientation;
    return (Spins){t.before, t.after};
}

/* A round body at the radius that it has at the end of the step, with the velocities that it has then.
 * Mass goes with r^d and inertia with r^(d + 2); where mass is kept, inertia goes with r^2 and spin
 * about free axes with 1 / r^2. */
static void grow(const StepParams *with, State *s, size_t i, MotionSums *sum) {
    Bodies *b = &s->bodies;
    const double more = with->time_step * scr_growth(with, s, i);
    const bool keeps_mass = s->materials.growth[b->material[i]].keeps == SCREE_GROWTH_KEEPS_MASS;
    if (more == 0) {
        return;
    }
    const double radius = b->radius[i] + more, f = radius / b->radius[i], square = f * f;
    const double size = keeps_mass ? 1 : s->def.dimension == 2 ? square : square * f;
    const double mass = b->mass[i] * size, inertia = b->inertia[i] * size * square;
    const Vec3 v = b->velocity[i], w = b->spin[i];
    if (keeps_mass) {
        const uint32_t frozen = b->frozen[i] >> 3;
        b->spin[i] = add(scr_frozen_part(frozen, w), scale(1 / square, scr_free_part(frozen, w)));
    }
    const Vec3 spin = b->spin[i];
    const double kinetic[2] = {b->mass[i] * dot(v, v) + b->inertia[i] * dot(w, w),
                               mass * dot(v, v) + inertia * dot(spin, spin)};
    sum->growth += 0.5 * (kinetic[1] - kinetic[0]);
    sum->kinetic += kinetic[1] - kinetic[0];
    b->radius[i] = radius;
    b->mass[i] = mass;
    b->inertia[i] = inertia;
}

/* The motion is in the problem's body, and becomes the mean of old and new velocity there. */
static void move_body(const Moving *m, size_t i, MotionSums *sum) {
    const StepParams *with = m->task->with;
    const Neighbours *nb = &m->task->list->neighbours;
    State *s = m->state;
    ProblemBody *p = &m->task->problem.body[nb->rank[i]];
    const double dt = with->time_step, per_r = 1 / s->bodies.radius[i];
    Vec3 turn = scale(per_r, p->s), by = scr_displacement(m->task, nb->rank[i]);
    const Solid *solid = scr_solid_of(s, i);
    const Spins w = solid != NULL ? turn_solid(with, s, i, solid, turn, sum)
                                  : scr_turn_round(with, s, i, turn, sum);
    scr_take_velocity(with, s, i, p, turn, w, sum);
    if (with->deforms) {
        const Mat3 rate = mat3_from(s->def.deform.rate);
        by = add_scaled(by, dt, mat3_apply(&rate, sub(s->bodies.position[i], s->def.cell_min)));
    }
    scr_displace(s, i, by, solid != NULL ? vec3(0, 0, 0) : scale(dt, turn), m->periodic);
    if (with->grows) {
        grow(with, s, i, sum);
    }
    nb->spot[nb->rank[i]] = (Spot){s->bodies.position[i], s->bodies.radius[i]};
}

static void move_piece(void *context, size_t piece) {
    Moving *m = context;
    const Neighbours *nb = &m->task->list->neighbours;
    size_t n = m->state->bodies.count, end = scr_piece_end(n, piece);
    const size_t counted = scr_counted(m->state);
    PieceSums *sums = scr_begin_sums(&m->task->sums, piece, SUMS);
    double fastest = 0;
    for (size_t i = scr_piece_begin(n, piece); i < end; i++) {
        if (i + AHEAD < end) {
            __builtin_prefetch(&m->task->problem.body[nb->rank[i + AHEAD]], 1);
            __builtin_prefetch(&nb->spot[nb->rank[i + AHEAD]], 1);
        }
        MotionSums sum = {0};
        if (m->state->holder != NULL && m->state->holder[i] >= 0) {
            if (m->task->with->grows) {
                grow(m->task->with, m->state, i, &sum);
                nb->spot[nb->rank[i]].reach = m->state->bodies.radius[i];
            }
            continue; /* it goes with its wall, and has no energy of its own */
        }
        move_body(m, i, &sum);
        fastest = scr_max(fastest, sum.fastest);
        if (i >= counted) {
            continue;
        }
        scr_exact_add(&sums->of[WORK], sum.work);
        scr_exact_add(&sums->of[SCHEME], sum.scheme);
        if (sum.turning != 0) {
            scr_exact_add(&sums->of[TURNING], sum.turning);
        }
        if (sum.growth != 0) {
            scr_exact_add(&sums->of[GROWTH], sum.growth);
        }
        scr_exact_add(&sums->of[GAIN], sum.gain);
        scr_exact_add(&sums->of[KINETIC], sum.kinetic);
    }
    m->fastest[piece] = fastest;
}

/* What a piston does in the step, with the motion that the problem's body has. */
static void move_piston(const StepParams *with, ScreeWallDef *now, ProblemBody *p,
                        EnergyBalance *balance, ScreeReport *report) {
    Vec3 motion = p->v, after = scr_after_motion(with, now->velocity, motion);
    Vec3 push = scale(with->time_step * dot(now->force, now->direction), now->direction);
    report->work_external += dot(push, motion);
    report->dissipation_scheme += dot(push, scr_ahead(with, now->velocity, after));
    balance->gain += scr_gain(now->mass, now->velocity, after);
    p->v = scale(0.5, add(after, now->velocity));
    now->velocity = after;
    report->kinetic_energy += 0.5 * scr_piston_energy(now);
}

/* All bodies. */
static MotionSums move_bodies(StepTask *t, State *s) {
    const size_t n = s->bodies.count;
    Moving m = {.task = t, .state = s, .periodic = scr_any_periodic(&s->def)};
    scr_threads_loop(t->with->threads, scr_pieces(n), move_piece, &m);
    MotionSums sum = {.work = scr_sum_pieces(&t->sums, n, WORK),
                      .scheme = scr_sum_pieces(&t->sums, n, SCHEME),
                      .turning = scr_sum_pieces(&t->sums, n, TURNING),
                      .growth = scr_sum_pieces(&t->sums, n, GROWTH),
                      .gain = scr_sum_pieces(&t->sums, n, GAIN),
                      .kinetic = scr_sum_pieces(&t->sums, n, KINETIC)};
    for (size_t k = 0; k < scr_pieces(n); k++) {
        sum.fastest = scr_max(sum.fastest, m.fastest[k]);
    }
    scr_most_over_processes(s->spread, &sum.fastest, 1);
    return sum;
}

void scr_move(StepTask *t, State *s, EnergyBalance *balance, ScreeReport *report) {
    const StepParams *with = t->with;
    const MotionSums sum = t->there != NULL ? scr_move_there(t) : move_bodies(t, s);
    report->work_external += sum.work;
    report->dissipation_scheme += sum.scheme + sum.turning;
    balance->turning += sum.turning;
    report->work_growth += sum.growth;
    balance->gain += sum.gain + sum.growth;
    s->list_stale = s->list_stale || with->grows; /* of bodies that are larger now */
    report->kinetic_energy += 0.5 * sum.kinetic;
    report->motion_max = sqrt(sum.fastest) * with->time_step;
    for (size_t i = 0; i < s->walls.count; i++) {
        ScreeWallState *w = &s->walls.item[i];
        if (!w->present || w->now.motion == SCREE_WALL_FIXED) {
            continue;
        }
        Vec3 motion = w->now.velocity;
        if (w->now.motion == SCREE_WALL_PISTON) {
            ProblemBody *p = &t->problem.body[scr_wall_index(s, i)];
            motion = p->v;
            move_piston(with, &w->now, p, balance, report);
        }
        scr_carry_held(t, s, i, motion);
        scr_carry_glue(s, i, motion, with->time_step);
        scr_wall_advance(w, motion, with->time_step);
    }
}

/* An increment of a quasi-static world: the step of contact dynamics without inertia, driven from
 * above in as many strides as its outlines need (strides.c). Each stride finds contacts and
 * impulses as a step does, for the time that is left, and follows the motion that was found as far
 * as it can be followed. */
#include "statics/increment.h"

#include "base/clock.h"
#include "base/status.h"
#include "dynamics/displace.h"
#include "dynamics/held.h"

#include <string.h>

/* ---------------------------------------------------------------- motion */

/* What the motion of one piece of the bodies adds to the certificate. */
typedef struct Sums {
    double work;    /* of external forces */
    double fastest; /* (motion / radius)^2 */
} Sums;

/* The motion is the only velocity that there is; what is left of it is along frozen axes. */
static void move_body(const StepTask *t, State *s, size_t i, bool periodic, Sums *sum) {
    const StepParams *with = t->with;
    const Neighbours *nb = &t->list->neighbours;
    Bodies *b = &s->bodies;
    ProblemBody *p = &t->problem.body[nb->rank[i]];
    double dt = with->time_step, r = b->radius[i], per_r = 1 / r;
    Vec3 motion = p->v, turn = scale(per_r, p->s);
    sum->work +=
        dot(scr_external_push(with, s, i), motion) + dot(scr_external_twist(with, s, i), turn);
    sum->fastest = scr_max(sum->fastest, dot(motion, motion) * per_r * per_r);
    p->s = scale(r, turn); /* to the last bit what the body turns by: sliding is read off it */
    b->velocity[i] = scr_frozen_part(b->frozen[i], motion);
    b->spin[i] = scr_frozen_part(b->frozen[i] >> 3, turn);
    scr_displace(s, i, scale(dt, motion), scale(dt, turn), periodic);
    nb->spot[nb->rank[i]].x = b->position[i];
}

static void move_wall(const StepTask *t, ScreeWallState *w, Vec3 motion, ScreeReport *report) {
    ScreeWallDef *now = &w->now;
    double dt = t->with->time_step;
    if (now->motion == SCREE_WALL_PISTON) {
        report->work_external += dt * dot(now->force, now->direction) * dot(now->direction, motion);
        now->velocity = scr_sliding(now);
    }
    scr_wall_advance(w, motion, dt);
}

/* Moves everything. The sums are those of pieces, as in dynamics. */
static void move(const StepTask *t, State *s, ScreeReport *report) {
    const bool periodic = scr_any_periodic(&s->def);
    size_t n = s->bodies.count;
    double fastest = 0;
    for (size_t k = 0; k < scr_pieces(n); k++) {
        Sums sum = {0};
        for (size_t i = scr_piece_begin(n, k); i < scr_piece_end(n, k); i++) {
            if (scr_holder(s, (int32_t)i) < 0) {
                move_body(t, s, i, periodic, &sum);
            }
        }
        report->work_external += sum.work;
        fastest = scr_max(fastest, sum.fastest);
    }
    report->motion_max = sqrt(fastest) * t->with->time_step;
    for (size_t i = 0; i < s->walls.count; i++) {
        ScreeWallState *w = &s->walls.item[i];
        if (w->present && w->now.motion != SCREE_WALL_FIXED) {
            bool piston = w->now.motion == SCREE_WALL_PISTON;
            Vec3 motion = piston ? t->problem.body[scr_wall_index(s, i)].v : w->now.velocity;
            scr_carry_held(t, s, i, motion);
            move_wall(t, w, motion, report);
        }
    }
}

/* ---------------------------------------------------------------- a stride */

/* [1] of the increment: the shortest stride that is tried in order to reach the exact law. */
static const double shortest_exact = 1.0 / 64;

/* Moves everything through the first part of the solved motion. */
static ScreeStatus follow(const StepParams *with, double part, State *s, Engine *e,
                          Statics *statics, ScreeReport *report) {
    StepTask *t = &e->task;
    t->with = with;
    if (with->time_step < s->def.time_step) {
        SCR_TRY(scr_remember_before(s, &statics->strides.before));
    }
    if (part != 1) {
        scr_shorten_rows(&t->problem, part);
        s->contacts.time_step = with->time_step;
    }
    scr_collect(t, s, report);
    EnergyBalance balance = scr_certify_drives(t, report);
    scr_load_walls(t, s);
    move(t, s, report);
    scr_certify(t, s, &e->outlines, &balance, &e->work, report);
    report->overlap_max = scr_max(report->overlap_max, statics->strides.deepest);
    return part != 1 ? scr_remember_sliding(t, s, part) : SCREE_OK;
}

/* The first stride that is worth trying with the exact law. Where walls move by many times what the
 * springs are compressed by, the forces before say nothing about those after, and no motion settles;
 * over a shorter way there is one solution that continues them. */
static double first_reach(const State *s) {
    const double most = 50; /* times the mean compression */
    double way = scr_fastest_wall(s) * s->def.time_step, sum = 0;
    size_t loaded = 0;
    for (size_t i = 0; i < s->contacts.count; i++) {
        const Contact *c = &s->contacts.item[i];
        sum += c->normal_impulse > 0 ? scr_max(0, -c->gap) : 0;
        loaded += c->normal_impulse > 0;
    }
    double strides = sum > 0 ? ceil(way * (double)loaded / (most * sum)) : 1;
    return strides > 1 ? scr_max(s->def.time_step / strides, shortest_exact * s->def.time_step)
                       : INFINITY;
}

/* Whether less of the way should be tried, since the exact law was not reached. */
static bool should_shorten(const State *s, const StaticTerms *terms, const ScreeReport *report) {
    return s->def.variational.exact && !report->converged && terms->springs && terms->brief;
}

/* Finds the impulses for the time that is left or, with the exact law, for as much of it as is worth
 * trying; where the law is not reached for a half of that, a quarter and so on, and after a stride
 * that reached it for twice as much again. Should even a short one not reach it, what is left of the
 * increment is made in one, for as long as it takes. `tried` has the time that is left, and gets
 * that of the stride. */
static ScreeStatus solve_stride(StepParams *tried, State *s, Engine *e, Statics *statics,
                                ScreeReport *report, char *message) {
    const double left = tried->time_step, least = shortest_exact * s->def.time_step;
    double *reach = &statics->strides.reach;
    for (bool again = true; again;) {
        statics->terms.limit = 0;
        statics->terms.brief = *reach > 0;
        tried->time_step = *reach > 0 && left > 1.01 * *reach ? *reach : left; /* no slivers */
        SCR_TRY(scr_find_impulses(tried, s, e, report, message));
        again = should_shorten(s, &statics->terms, report);
        if (again) {
            *reach = tried->time_step > least ? 0.5 * tried->time_step : 0;
        }
    }
    *reach = *reach > 0 ? scr_min(2 * tried->time_step, statics->strides.widest) : 0;
    return SCREE_OK;
}

/* Solves for the time that is left, or for a part of it, and moves everything through that, or
 * through its first part, where the solution goes too far. `made` receives the time. */
static ScreeStatus make_stride(const StepParams *left, int stride, State *s, Engine *e,
                               Statics *statics, double *made, ScreeReport *report, char *message) {
    double part = 1;
    StepParams followed = *left;
    SCR_TRY(solve_stride(&followed, s, e, statics, report, message));
    SCR_TRY(scr_part_to_follow(&e->task, &e->outlines, &statics->strides, stride, &part));
    followed.time_step *= part;
    *made = followed.time_step;
    return follow(&followed, part, s, e, statics, report);
}

/* Each stride is solved for the whole time that is left: so the most iterations and the most that one
 * stride adds to an overlap count. */
static void join_reports(ScreeReport *sum, const ScreeReport *one, int stride) {
    const ScreeReport before = *sum;
    scr_join_reports(sum, one, stride);
    sum->iterations = before.iterations > one->iterations ? before.iterations : one->iterations;
    sum->overlap_added = scr_max(before.overlap_added, one->overlap_added);
}

static ScreeStatus make_strides(State *s, Engine *e, Statics *statics, ScreeReport *report,
                                char *message) {
    StepParams left = scr_step_params(s, e);
    left.solver = &scr_static_solver;
    left.inertia = false;
    e->work.own = &statics->terms;
    scr_begin_strides(&statics->strides);
    statics->strides.reach = statics->strides.widest =
        s->def.variational.exact ? first_reach(s) : INFINITY;
    if (!scr_copy_contacts(s, &e->before)) {
        return SCREE_NO_MEMORY;
    }
    for (int stride = 1; left.time_step > 0; stride++) {
        ScreeReport one = {0};
        double made = 0;
        SCR_TRY(make_stride(&left, stride, s, e, statics, &made, &one, message));
        left.time_step -= made;
        join_reports(report, &one, stride);
    }
    return SCREE_OK;
}

ScreeStatus scr_static_increment(State *s, Engine *e, Statics *statics, ScreeReport *report,
                                 char *message) {
    const double begin = scr_seconds();
    memset(report, 0, sizeof *report);
    ScreeStatus status = make_strides(s, e, statics, report, message);
    s->contacts.slid = NULL;
    if (status != SCREE_OK) {
        scr_bring_back(s, &statics->strides.before);
    }
    scr_end_step(s, e, status, report);
    e->seconds += scr_seconds() - begin;
    return status;
}

void scr_statics_free(Statics *statics) {
    scr_strides_free(&statics->strides);
}

/* The static limit of the variational engine (Lim, eq 4.16).
 *
 * Nothing has inertia. Impulses balance the loads, and where rigid contacts leave motions
 * undetermined, that of grains that carry nothing above all, all bodies resist with a mass of next
 * to nothing: of all motions, that of least square is taken, so that a grain moves only when it is
 * pushed. Undetermined impulses are those near the analytic centre of all that balance. */
#include "statics/static_solver.h"

#include "base/clock.h"
#include "base/status.h"

#include <string.h>

/* The resisting mass: moving it by one radius takes this fraction of a typical impulse. */
static const double resistance = 1e-6;

/* The axes of tensors have the square root of an inverse mass as their length, which means nothing
 * in statics. */
static void make_unit_axes(MatrixRows *m) {
    Sparse *h = &m->problem.h;
    for (int32_t k = 0; k < h->start[h->columns]; k++) {
        h->value[k] /= length(m->freedom[h->row[k]].axis);
    }
    for (int32_t d = 0; d < h->rows; d++) {
        m->freedom[d].axis = unit(m->freedom[d].axis);
    }
}

/* Adds the load F [impulse] of a body to its freedoms. */
static void load_body(MatrixRows *m, size_t body, Vec3 push, Vec3 twist) {
    for (int32_t d = m->first[body]; d < m->first[body + 1]; d++) {
        const Freedom *f = &m->freedom[d];
        m->problem.f[d] += dot(f->axis, f->turns ? twist : push);
    }
}

static void load_all(const StepTask *t, MatrixRows *m) {
    const State *s = t->state;
    const Bodies *b = &s->bodies;
    double dt = t->with->time_step;
    memset(m->problem.f, 0, (size_t)m->problem.h.rows * sizeof *m->problem.f);
    for (size_t i = 0; i < b->count; i++) {
        Vec3 push = add_scaled(scale(dt, b->force[i]), dt * b->mass[i], s->def.gravity);
        size_t rank = (size_t)t->list->neighbours.rank[i];
        load_body(m, rank, push, scale(dt / b->radius[i], b->torque[i]));
    }
    for (size_t i = 0; i < s->walls.count; i++) {
        const ScreeWallDef *w = &s->walls.item[i].now;
        if (s->walls.item[i].present && w->motion == SCREE_WALL_PISTON) {
            load_body(m, (size_t)scr_wall_index(s, i), scale(dt, w->force), vec3(0, 0, 0));
        }
    }
}

/* A typical impulse: the mean of what the contacts had in the step before; at first the largest
 * load of a freedom, shared by the contacts that it has. `count` [freedoms] is work space. */
static double typical_impulse(const State *s, const MatrixProblem *p, double *count) {
    double sum = 0, most = 0;
    size_t active = 0;
    for (size_t i = 0; i < s->contacts.count; i++) {
        double impulse = s->contacts.item[i].normal_impulse;
        sum += impulse;
        active += impulse > 0;
    }
    if (active > 0 && sum > 0) {
        return sum / (double)active;
    }
    memset(count, 0, (size_t)p->h.rows * sizeof *count);
    for (int32_t c = 0; c < p->h.columns; c += p->block) {
        for (int32_t k = p->h.start[c]; k < p->h.start[c + 1]; k++) {
            count[p->h.row[k]] += p->h.value[k] != 0;
        }
    }
    for (int32_t d = 0; d < p->h.rows; d++) {
        most = scr_max(most, fabs(p->f[d]) / scr_max(1, count[d]));
    }
    return most;
}

/* The softest normal spring. */
static double softest(const MatrixProblem *p) {
    double soft = 0;
    for (size_t c = 0; p->compliance != NULL && c < p->contacts; c++) {
        soft = scr_max(soft, p->compliance[c * (size_t)p->block]);
    }
    return soft;
}

double scr_fastest_wall(const State *s) {
    double most = 0;
    for (size_t i = 0; i < s->walls.count; i++) {
        const ScreeWallState *w = &s->walls.item[i];
        if (w->present && w->now.motion != SCREE_WALL_FIXED) {
            bool piston = w->now.motion == SCREE_WALL_PISTON;
            most = scr_max(most, length(piston ? scr_sliding(&w->now) : w->now.velocity));
        }
    }
    return most;
}

/* A typical motion: that of the fastest wall or driven body in the whole increment, of which this
 * stride is a part; or what gives a spring the typical impulse. */
static double typical_motion(const StepTask *t, const MatrixProblem *p, double impulse) {
    const State *s = t->state;
    double most = scr_fastest_wall(s), stride = t->with->time_step / s->def.time_step;
    for (size_t i = 0; t->free->any_frozen && i < s->bodies.count; i++) {
        most = scr_max(most, length(scr_frozen_part(s->bodies.frozen[i], s->bodies.velocity[i])));
    }
    most = scr_max(most / stride, softest(p) * impulse);
    return most > 0 ? most : 1e-3 * t->free->mean_radius / t->with->time_step;
}

/* The unit of impulse when there are springs but no loads. */
static double spring_impulse(const MatrixProblem *p, double motion) {
    double soft = softest(p);
    return soft > 0 ? motion / soft : 1;
}

/* Takes the inertia out of the problem. */
static void make_static(const StepTask *t, StepMatrices *k, InteriorPointSettings *settings) {
    MatrixProblem *p = &k->rows.problem;
    make_unit_axes(&k->rows);
    load_all(t, &k->rows);
    double impulse = typical_impulse(t->state, p, k->v);
    double motion = typical_motion(t, p, impulse);
    impulse = impulse > 0 ? impulse : spring_impulse(p, motion);
    settings->force = impulse;
    settings->velocity = motion;
    /* the length of every body's spin is its radius: one unit serves positions and angles. Pistons
     * do not resist at all */
    double resist = resistance * impulse * t->with->time_step / t->free->mean_radius;
    int32_t grains = k->rows.first[t->state->bodies.count];
    for (int32_t d = 0; d < p->h.rows; d++) {
        p->mass.value[d] = d < grains ? resist : 0;
    }
}

/* With associated friction all strides of an increment lift a sliding contact by as much as one
 * stride would. Over the increment a contact obeys g + u_n >= mu |u_t|. When a part of it has been
 * made, with the gap g' and the sliding s, what is left is (g' - mu |s|) + u_n >= mu |u_t|:
 * otherwise contacts that slide would have to close, and lose their forces, whenever a stride is
 * shorter than the one before. */
static void allow_for_lift(StepTask *t) {
    const Contacts *k = &t->state->contacts;
    bool lifts = k->slid != NULL && !t->state->def.variational.exact;
    for (size_t i = 0; lifts && i < k->count; i++) {
        Row *r = &t->problem.row[t->order.slot[i]];
        r->bias -= r->mu * fabs(k->slid[i]) / t->with->time_step;
    }
}

/* ---------------------------------------------------------------- from the solution */

/* The bodies get the motion of their freedoms. */
static void set_motions(const StepMatrices *k, Problem *p) {
    const MatrixRows *m = &k->rows;
    for (size_t i = 0; i < p->bodies; i++) {
        for (int32_t d = m->first[i]; d < m->first[i + 1]; d++) {
            const Freedom *f = &m->freedom[d];
            Vec3 *to = f->turns ? &p->body[i].s : &p->body[i].v;
            *to = add_scaled(*to, k->v[d] - f->now, f->axis);
        }
    }
}

/* ---------------------------------------------------------------- the exact law */

/* Motions that come to rest do so in some fifteen steps as a rule, seldom in more than a hundred. */
enum { STEPS_BRIEF = 25, STEPS_MOST = 150, ATTEMPTS = 4 };

/* The exact law in statics. A damped motion that comes to rest has found an exact solution. If it
 * does not, another is tried that begins elsewhere or takes other steps. */
static ScreeStatus come_to_rest(StepMatrices *k, bool brief, InteriorPointReport *solved) {
    const MatrixProblem *p = &k->rows.problem;
    static const struct {
        bool still; /* begins at rest; else with the associated solution */
        double share, time;
    } attempt[ATTEMPTS] = {
        {false, 0.03, 1e4}, {true, 0.01, 200}, {false, 0.01, 200}, {true, 0.03, 1e4}};
    size_t freedoms = (size_t)p->h.rows;
    int steps = brief ? STEPS_BRIEF : STEPS_MOST, attempts = brief ? 1 : ATTEMPTS;
    DampedReport rest = {.status = MATRIX_ITERATIONS};
    memcpy(k->work.v, k->v, freedoms * sizeof *k->v);
    for (int i = 0; i < attempts && rest.status == MATRIX_ITERATIONS; i++) {
        const DampedSettings settings = {k->work.force, k->work.velocity, 1e-6,
                                         steps,         attempt[i].share, attempt[i].time};
        if (attempt[i].still) {
            memset(k->v, 0, freedoms * sizeof *k->v);
        } else {
            memcpy(k->v, k->work.v, freedoms * sizeof *k->v);
        }
        rest = scr_matrix_damped(&k->damped, p, &settings, k->r, k->v);
        solved->iterations += rest.steps;
    }
    if (rest.status != MATRIX_SOLVED) {
        memcpy(k->v, k->work.v, freedoms * sizeof *k->v);
        return rest.status == MATRIX_NO_MEMORY ? SCREE_NO_MEMORY : SCREE_OK;
    }
    solved->status = INTERIOR_SOLVED;
    solved->law = rest.law;
    memcpy(k->s, p->w, scr_matrix_rows(p) * sizeof *k->s);
    scr_sparse_multiply_transposed(&p->h, 1, k->v, k->s);
    scr_interior_comply(p, 1, k->r, k->s);
    return SCREE_OK;
}

/* ---------------------------------------------------------------- how far things may move
 *
 * Only contacts bound a motion. Where it goes beyond what the candidates can see, candidates are
 * taken from farther away, and the step is solved again with those that may stop it. A motion that
 * nothing bounds is cut to the length that the search can follow. */

/* [radii] how far candidates are searched for, for grains and for pistons. */
static const double grains_reach = 8, pistons_reach = 64;

/* The longest motion of the first `count` bodies, grains and then pistons; `body` gets whose. */
static double longest_motion(const StepTask *t, size_t count, bool turns, size_t *body) {
    double most = 0;
    *body = 0;
    for (size_t i = 0; i < count; i++) {
        const ProblemBody *b = &t->problem.body[i];
        double motion = scr_max(length(b->v), turns ? length(b->s) : 0) * t->with->time_step;
        *body = motion > most ? i : *body;
        most = scr_max(most, motion);
    }
    return most;
}

static ScreeStatus nothing_holds(const StepTask *t, size_t body, double motion, char *message) {
    const Walls *walls = &t->state->walls;
    unsigned long long step = t->with->number;
    for (size_t w = 0; w < walls->count; w++) {
        if (walls->item[w].now.motion == SCREE_WALL_PISTON &&
            (size_t)scr_wall_index(t->state, w) == body) {
            return scr_fail(
                message, SCREE_NO_SOLUTION,
                "step %llu: there is no equilibrium: nothing holds wall %zu against its load; "
                "it is pulled outwards, or more than %.3g away from the grains",
                step, w, motion);
        }
    }
    return scr_fail(
        message, SCREE_NO_SOLUTION,
        "step %llu: there is no equilibrium: nothing holds grain %d, which would move by %.3g",
        step, t->list->neighbours.order[body], motion);
}

/* Shortens motions to half of what the search can see, so that it can follow them. */
static void shorten_motions(StepTask *t, const StaticTerms *bound, double most) {
    for (size_t i = 0; i < t->problem.bodies; i++) {
        ProblemBody *p = &t->problem.body[i];
        double motion = length(p->v) * t->with->time_step;
        if (bound->unbounded) {
            p->v = scale(0.5 * bound->limit / most, p->v);
            p->s = scale(0.5 * bound->limit / most, p->s);
        } else if (2 * motion > bound->limit) {
            p->v = scale(0.5 * bound->limit / motion, p->v);
        }
    }
}

static ScreeStatus look_farther(StepTask *t, SolverWork *work, State *s, NearList *list,
                                bool *again, char *message) {
    StaticTerms *bound = work->own;
    bool all = bound->unbounded;
    size_t body, grains = s->bodies.count;
    double most = longest_motion(t, all ? t->problem.bodies : grains, all, &body);
    double typical = work->matrices.work.velocity * t->with->time_step;
    bound->limit = bound->limit > 0 ? bound->limit : 0.25 * t->free->mean_radius + 4 * typical;
    *again = all || most > bound->limit;
    if (!*again) {
        return SCREE_OK;
    }
    double reach = body < grains ? grains_reach : pistons_reach;
    if (bound->limit > reach * t->free->largest_radius) {
        return nothing_holds(t, body, all ? bound->limit : most, message);
    }
    bound->limit *= all ? 4 : 2;
    shorten_motions(t, bound, most);
    list->slack = scr_max(list->slack, 1.1 * bound->limit / t->free->least_radius);
    s->list_stale = true;
    return SCREE_OK;
}

/* ---------------------------------------------------------------- the whole */

/* From the solution to rows and motions. */
static ScreeStatus take_solution(StepTask *t, StepMatrices *k, bool brief,
                                 InteriorPointReport *solved, ScreeReport *report, char *message) {
    SCR_TRY(scr_refuse_solution(t, solved, message));
    if (solved->status == INTERIOR_ASSOCIATED) {
        SCR_TRY(come_to_rest(k, brief, solved));
    }
    set_motions(k, &t->problem);
    scr_matrix_set_impulses(&k->rows, k->r, &t->problem);
    scr_round_rows(k, &t->problem);
    scr_report_solution(t, k, solved, report);
    report->residual = solved->law;
    return SCREE_OK;
}

static ScreeStatus solve(StepTask *t, SolverWork *work, ScreeReport *report, char *message) {
    StepMatrices *k = &work->matrices;
    StaticTerms *bound = work->own;
    double begin = scr_seconds();
    allow_for_lift(t);
    SCR_TRY(scr_recall_impulses(t, k, message));
    SCR_TRY(scr_matrices_without_impulses(t, k, message));
    InteriorPointSettings settings = scr_variational_settings(t);
    settings.starts = 0; /* the damped motion is quicker */
    settings.known = k->r;
    make_static(t, k, &settings);
    bound->unbounded = false;
    bound->springs = softest(&k->rows.problem) > 0;
    if (k->rows.problem.h.rows == 0) {
        report->converged = true; /* nothing can move */
        return SCREE_OK;
    }
    InteriorPointReport solved =
        scr_interior_point(&k->work, &k->rows.problem, &settings, k->r, k->s, k->v);
    bound->unbounded = solved.status == INTERIOR_NO_BALANCE;
    if (bound->unbounded) { /* with these candidates */
        set_motions(k, &t->problem);
        return SCREE_OK;
    }
    SCR_TRY(take_solution(t, k, bound->brief && bound->springs, &solved, report, message));
    work->seconds += scr_seconds() - begin;
    work->updates += (double)solved.iterations * (double)t->problem.rows;
    return SCREE_OK;
}

const StepSolver scr_static_solver = {
    .whole_bodies = true, .solve = solve, .look_farther = look_farther};

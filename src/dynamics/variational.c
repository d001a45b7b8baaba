/* The variational engines, after Lim, "A contact dynamics formulation".
 *
 * In a step the bodies move by dx = dt w, with the motion w = theta v' + (1 - theta) v in which the
 * contact problem is written. With forces p = R / dt Newton's law for the motion times 1 / (theta
 * dt) reads
 *     M / (theta dt^2) dx = M / (theta dt^2) v dt + F + forces of contacts,
 * which is eq (4.4) and (4.5), and the law of a contact with stiffness k is g + dt u_n + p / k >= 0
 * (4.13). So the problem of contact dynamics and the variational one are the same but for units and
 * for the law of sliding, which is the associated one in (4.15): the step is that of contact
 * dynamics, and only the solver differs. Gaps keep their sign: what overlaps is pushed apart.
 *
 * The static limit (4.16) has no inertia. Impulses then balance the loads, and where rigid contacts
 * leave motions undetermined, that of grains that carry nothing above all, all bodies resist with a
 * mass of next to nothing: of all motions, that of least square is taken, so that a grain moves
 * only when it is pushed. Undetermined impulses are those near the analytic centre of all that
 * balance. */
#include "dynamics/engine.h"

#include "base/clock.h"

#include <stdio.h>
#include <string.h>

/* The mass that resists in statics: a motion of one radius takes this part of a typical impulse. */
static const double static_resistance = 1e-6;

static const char no_memory[] = "out of memory";

static ScreeStatus fail(const State *s, ScreeStatus status, const char *reason, char *message) {
    snprintf(message, SCREE_MESSAGE_SIZE, "step %llu: %s", (unsigned long long)s->step + 1, reason);
    return status;
}

/* ---------------------------------------------------------------- units of statics */

/* The axes of tensors have the length of a root of an inverse mass, which means nothing here. */
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

static void load_all(const State *s, const Engine *e, MatrixRows *m) {
    const Bodies *b = &s->bodies;
    double dt = s->def.time_step;
    memset(m->problem.f, 0, (size_t)m->problem.h.rows * sizeof *m->problem.f);
    for (size_t i = 0; i < b->count; i++) {
        Vec3 push = add_scaled(scale(dt, b->force[i]), dt * b->mass[i], s->def.gravity);
        load_body(m, (size_t)e->neighbours.rank[i], push, scale(dt / b->radius[i], b->torque[i]));
    }
    for (size_t i = 0; i < s->walls.count; i++) {
        const ScreeWallDef *w = &s->walls.item[i].now;
        if (s->walls.item[i].present && w->motion == SCREE_WALL_PISTON) {
            load_body(m, (size_t)scr_wall_place(s, i), scale(dt, w->force), vec3(0, 0, 0));
        }
    }
}

/* A typical impulse: the mean of what the contacts had in the step before; at first the largest
 * load of a freedom, shared by the contacts that it has. `count` [freedoms] is work space. */
static double static_impulse(const State *s, const MatrixProblem *p, double *count) {
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
        most = fmax(most, fabs(p->f[d]) / fmax(1, count[d]));
    }
    return most;
}

/* A typical motion: that of the fastest wall or held body in the whole step, or what gives a spring
 * the typical impulse. */
static double static_motion(const State *s, const Engine *e, const MatrixProblem *p,
                            double impulse) {
    double most = 0, soft = 0;
    for (size_t i = 0; i < s->walls.count; i++) {
        const ScreeWallState *w = &s->walls.item[i];
        most = w->present && w->now.motion == SCREE_WALL_MOVED ? fmax(most, length(w->now.velocity))
                                                               : most;
    }
    for (size_t i = 0; e->held && i < s->bodies.count; i++) {
        most = fmax(most, length(scr_held(s->bodies.frozen[i], s->bodies.velocity[i])));
    }
    for (size_t c = 0; p->compliance != NULL && c < p->contacts; c++) {
        soft = fmax(soft, p->compliance[c * (size_t)p->block]);
    }
    most = fmax(most / e->strides.left, soft * impulse);
    return most > 0 ? most : 1e-3 * e->mean_radius / s->def.time_step;
}

/* Springs alone, without any load: their own unit. */
static double spring_impulse(const MatrixProblem *p, double motion) {
    double soft = 0;
    for (size_t c = 0; p->compliance != NULL && c < p->contacts; c++) {
        soft = fmax(soft, p->compliance[c * (size_t)p->block]);
    }
    return soft > 0 ? motion / soft : 1;
}

/* Takes the inertia out of the problem. */
static void make_static(const State *s, const Engine *e, StepMatrices *k,
                        InteriorPointSettings *settings) {
    MatrixProblem *p = &k->rows.problem;
    make_unit_axes(&k->rows);
    load_all(s, e, &k->rows);
    double impulse = static_impulse(s, p, k->v);
    double motion = static_motion(s, e, p, impulse);
    impulse = impulse > 0 ? impulse : spring_impulse(p, motion);
    settings->force = impulse;
    settings->velocity = motion;
    /* the length of every body's spin is its radius: one unit serves positions and angles. Pistons
     * do not resist at all */
    double resist = static_resistance * impulse * s->def.time_step / e->mean_radius;
    int32_t grains = k->rows.first[s->bodies.count];
    for (int32_t d = 0; d < p->h.rows; d++) {
        p->mass.value[d] = d < grains ? resist : 0;
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

/* ---------------------------------------------------------------- the judge */

/* Natural map of the associated law at all contacts, relative to the impulses; u [m] is work space.
 * rho is the unit of impulse over motion. */
static double associated_error(const StepMatrices *k, double *u) {
    const MatrixProblem *x = &k->rows.problem;
    size_t d = (size_t)x->block, rows = d * x->contacts;
    double error = 0, all = 0;
    memcpy(u, x->w, rows * sizeof *u);
    scr_sparse_multiply_transposed(&x->h, 1, k->v, u);
    for (size_t c = 0; c < x->contacts; c++) {
        double at[MATRIX_LARGEST_BLOCK], near[MATRIX_LARGEST_BLOCK];
        double rho = k->work.force / k->work.velocity;
        for (size_t j = 0; j < d; j++) {
            double soft = x->compliance != NULL ? x->compliance[c * d + j] : 0;
            double r = k->r[c * d + j];
            at[j] = r - rho * (u[c * d + j] + soft * r);
            all += r * r;
        }
        scr_matrix_project(x->block, x->mu[c], x->rolling != NULL ? x->rolling[c] : 0, at, near);
        for (size_t j = 0; j < d; j++) {
            error += (k->r[c * d + j] - near[j]) * (k->r[c * d + j] - near[j]);
        }
    }
    return all > 0 ? sqrt(error / all) : sqrt(error);
}

/* The exact law in statics: a damped motion comes to rest at an exact solution, or does not: then
 * another one is tried, that begins elsewhere or has other steps. */
static ScreeStatus come_to_rest(StepMatrices *k, InteriorPointReport *solved) {
    const MatrixProblem *p = &k->rows.problem;
    static const struct {
        bool still; /* begins at rest; else with the associated solution */
        double share, time;
    } way[] = {{false, 0.03, 1e4}, {true, 0.01, 200}, {false, 0.01, 200}, {true, 0.03, 1e4}};
    size_t freedoms = (size_t)p->h.rows;
    DampedReport rest = {.status = MATRIX_ITERATIONS};
    memcpy(k->work.v, k->v, freedoms * sizeof *k->v);
    for (int i = 0; i < 4 && rest.status == MATRIX_ITERATIONS; i++) {
        const DampedSettings settings = {k->work.force, k->work.velocity, 1e-6,
                                         150,           way[i].share,     way[i].time};
        if (way[i].still) {
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

static void report_solution(const State *s, Engine *e, const InteriorPointReport *solved,
                            ScreeReport *report) {
    StepMatrices *k = &e->matrices;
    Residual judged = scr_problem_residual(&e->problem, e->threads);
    bool still = scr_is_static(&s->def);
    report->iterations = solved->iterations;
    report->residual = still ? solved->law : judged.relative;
    report->residual_fclib = judged.fclib;
    report->residual_associated = associated_error(k, k->s);
    report->overlap_added = judged.approach * s->def.time_step;
    k->solved = solved->status == INTERIOR_SOLVED || solved->status == INTERIOR_NEARLY;
}

/* ---------------------------------------------------------------- the whole */

/* In radii: how far away candidates are looked for, for grains and for pistons. */
static const double grains_reach = 8, pistons_reach = 64;

/* The longest way of the first places, grains and then pistons; `place` is whose. */
static double longest_way(const State *s, const Engine *e, size_t count, bool turns,
                          size_t *place) {
    double most = 0;
    *place = 0;
    for (size_t i = 0; i < count; i++) {
        const ProblemBody *b = &e->problem.body[i];
        double way = fmax(length(b->v), turns ? length(b->s) : 0) * s->def.time_step;
        *place = way > most ? i : *place;
        most = fmax(most, way);
    }
    return most;
}

static ScreeStatus nothing_holds(const State *s, const Engine *e, size_t place, double way,
                                 char *message) {
    unsigned long long step = s->step + 1;
    for (size_t w = 0; w < s->walls.count; w++) {
        if (s->walls.item[w].now.motion == SCREE_WALL_PISTON &&
            (size_t)scr_wall_place(s, w) == place) {
            snprintf(message, SCREE_MESSAGE_SIZE,
                     "step %llu: there is no equilibrium: nothing holds wall %zu against its load; "
                     "it is pulled outwards, or more than %.3g away from the grains",
                     step, w, way);
            return SCREE_NO_SOLUTION;
        }
    }
    snprintf(message, SCREE_MESSAGE_SIZE,
             "step %llu: there is no equilibrium: nothing holds grain %d, which would move by %.3g",
             step, e->neighbours.order[place], way);
    return SCREE_NO_SOLUTION;
}

/* In statics nothing but contacts bounds a motion. Where it goes beyond what the candidates can
 * see, they are taken from farther away, and the step is solved again with those that may stop it.
 * A motion without any bound is taken as just so long; the search follows it. */
ScreeStatus scr_limit_motion(State *s, Engine *e, bool *again, char *message) {
    StepMatrices *k = &e->matrices;
    double dt = s->def.time_step;
    size_t place, grains = s->bodies.count;
    double most =
        longest_way(s, e, k->unbounded ? e->problem.bodies : grains, k->unbounded, &place);
    k->limit = k->limit > 0 ? k->limit : 0.25 * e->mean_radius + 4 * k->work.velocity * dt;
    *again = k->unbounded || most > k->limit;
    if (!*again) {
        return SCREE_OK;
    }
    double reach = place < grains ? grains_reach : pistons_reach;
    if (k->limit > reach * e->largest_radius) {
        return nothing_holds(s, e, place, k->unbounded ? k->limit : most, message);
    }
    k->limit *= k->unbounded ? 4 : 2;
    for (size_t i = 0; i < e->problem.bodies; i++) { /* only the search will look at them */
        ProblemBody *p = &e->problem.body[i];
        double way = length(p->v) * dt;
        if (k->unbounded) {
            p->v = scale(0.5 * k->limit / most, p->v);
            p->s = scale(0.5 * k->limit / most, p->s);
        } else if (2 * way > k->limit) {
            p->v = scale(0.5 * k->limit / way, p->v);
        }
    }
    e->slack = fmax(e->slack, 1.1 * k->limit / e->least_radius);
    s->list_stale = true;
    return SCREE_OK;
}

/* The impulses of the step before, as an interior-point method begins with them in statics. */
static const char *recall_impulses(Engine *e) {
    StepMatrices *k = &e->matrices;
    const char *fault = scr_matrix_from_rows(&k->rows, &e->problem, NULL, 0);
    if (fault == NULL && !scr_reserve_solution(k)) {
        return no_memory;
    }
    if (fault == NULL && k->rows.problem.contacts > 0) {
        memcpy(k->r, k->rows.now, scr_matrix_rows(&k->rows.problem) * sizeof *k->r);
    }
    return fault;
}

/* The problem as it is without impulses. */
static const char *make_matrices(const State *s, Engine *e) {
    Problem *p = &e->problem;
    StepMatrices *k = &e->matrices;
    if (p->twos > 0) {
        return "friction_static is not for the variational engines";
    }
    const char *fault = scr_is_static(&s->def) ? recall_impulses(e) : NULL;
    if (fault != NULL) {
        return strcmp(fault, no_memory) == 0 ? no_memory : fault;
    }
    for (size_t i = 0; i < p->rows; i++) {
        LawRow *l = scr_law_row(p, i);
        p->row[i].rn = 0;
        p->row[i].rt = vec3(0, 0, 0);
        if (l != NULL) {
            l->torque = vec3(0, 0, 0);
        }
    }
    scr_refresh_velocities(s, e);
    fault = scr_matrix_from_rows(&k->rows, p, NULL, 0);
    if (fault != NULL) {
        return strcmp(fault, no_memory) == 0 ? no_memory : fault;
    }
    return scr_reserve_solution(k) ? NULL : no_memory;
}

static InteriorPointSettings settings_of(const State *s, const StepMatrices *k) {
    InteriorPointSettings settings = scr_interior_point_settings();
    settings.tolerance = s->def.variational.tolerance;
    settings.iterations_most = s->def.variational.iterations;
    settings.exact = s->def.variational.exact;
    if (scr_is_static(&s->def)) {
        settings.starts = 0; /* the damped motion is quicker */
        settings.known = k->r;
    }
    return settings;
}

ScreeStatus scr_run_interior(const State *s, Engine *e, ScreeReport *report, char *message) {
    Problem *p = &e->problem;
    StepMatrices *k = &e->matrices;
    double begin = scr_seconds();
    const char *fault = make_matrices(s, e);
    if (fault == no_memory) {
        return SCREE_NO_MEMORY;
    }
    if (fault != NULL) {
        return fail(s, SCREE_BAD_ARGUMENT, fault, message);
    }
    const bool still = scr_is_static(&s->def);
    InteriorPointSettings settings = settings_of(s, k);
    if (still) {
        make_static(s, e, k, &settings);
    }
    k->unbounded = false;
    if (k->rows.problem.h.rows == 0 || (!still && !scr_find_units(k, p, &settings))) {
        k->solved = true; /* nothing can move, or nothing needs an impulse */
        return SCREE_OK;
    }
    InteriorPointReport solved =
        scr_interior_point(&k->work, &k->rows.problem, &settings, k->r, k->s, k->v);
    if (solved.status == INTERIOR_NO_MEMORY) {
        return SCREE_NO_MEMORY;
    }
    k->unbounded = still && solved.status == INTERIOR_NO_BALANCE;
    if (k->unbounded) { /* with these candidates */
        set_motions(k, p);
        return SCREE_OK;
    }
    if (solved.status == INTERIOR_NO_BALANCE || solved.status == INTERIOR_LOCKED) {
        return fail(s, SCREE_NO_SOLUTION, solved.reason, message);
    }
    if (still && solved.status == INTERIOR_ASSOCIATED && come_to_rest(k, &solved) != SCREE_OK) {
        return SCREE_NO_MEMORY;
    }
    if (still) {
        set_motions(k, p);
        scr_matrix_set_impulses(&k->rows, k->r, p);
    } else {
        scr_matrix_to_rows(&k->rows, k->r, p);
    }
    scr_round_rows(k, p);
    report_solution(s, e, &solved, report);
    if (!still && settings.exact) {
        bool newton = solved.status == INTERIOR_ASSOCIATED;
        if (scr_polish(s, e, newton, report) != SCREE_OK) {
            return SCREE_NO_MEMORY;
        }
        k->solved = k->solved || report->residual <= 100 * settings.tolerance;
    }
    e->seconds_solver += scr_seconds() - begin;
    e->updates += (double)solved.iterations * (double)p->rows;
    return SCREE_OK;
}

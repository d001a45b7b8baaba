/* Cutting a step where a contact stops sliding.
 *
 * Implicit Euler lets the forces at the end of a step act over the whole of it. That is exact while
 * forces are constant, and also when a contact comes to rest at some time tau within the step: its
 * impulse is then the one that stops it, and all other contacts keep their own linear equation
 * (R_t = -mu R_n s where they slide, u_t = 0 where they do not) before and after tau. But when the
 * jump of the forces at tau makes another contact slide, or sends this one back, an equation
 * changes in between, and velocities are wrong by the jump times a part of dt. A later event that
 * is approached slowly then comes many steps early or late, however short they are.
 *
 * Which of the two it is can be read off the solution R. With the forces F before tau, R - tau F is
 * left for the time after it, and must obey Coulomb's law for itself. If at every contact it lies
 * in the cone, the step is right as it is. If not, tau F is kept, and the problem is solved for
 * what comes after: at velocities that tau F has changed already. The law holds in each piece, so
 * the sum lies in the cone, and is a step like any other: one geometry, one motion, all balances
 * exact.
 *
 * Where several contacts stop, what is left after the first does not tell of the second, and the
 * step is cut in any case.
 *
 * tau follows from F, as velocities are linear in time. F is known from the step before, if no
 * contact stopped in it and nothing else has changed since; if not, a short piece is solved
 * first.
 *
 * Where steps are not to be cut, the same question is asked, and the report tells the answer. */
#include "dynamics/step_solver.h"

#include "base/status.h"
#include "math/reduce.h"
#include "sweep/split.h"
#include "sweep/sweep.h"

#include <limits.h>
#include <string.h>

enum {
    FEW = 8,   /* when more contacts stop in one step, their order cannot be told */
    PROBE = 64 /* a 64th of what is left of the step is solved to learn the forces */
};
/* States of contacts can be told only from an accurate solution. */
#define ACCURATE 1e-6
/* Part of the friction of a contact that does not matter. */
#define OUTSIDE 1e-4
/* Forces have changed when they leave a contact with a velocity that asks for more than this part
 * of them. */
#define CHANGED 1e-2

typedef struct Impulse {
    double n;
    Vec3 t; /* as that of a row */
} Impulse;

/* What is known of a row on the way through the step. */
typedef struct Piece {
    Impulse force; /* at the time reached, times dt */
    Impulse sum;   /* until then */
    Impulse rest;  /* solution for the rest of the step */
    int32_t state; /* at the time reached */
} Piece;

/* How much of the step is done. */
typedef struct Progress {
    Piece *row;
    double made; /* part of the step */
    bool known;  /* the forces at that time are known */
    bool probed; /* by a probe that has just been made */
    int stops;   /* rows that stop in the rest of the step, of all processes */
    int listed;  /* of this one, which are listed */
    int32_t stop[FEW];
    bool here; /* the one that stops first is stop[0] of this process */
} Progress;

/* Whether stops can be told. With other laws the forces change during a step in any case. */
static bool may_cut(const ScreeWorldDef *def, const Materials *materials) {
    const ScreeSolverDef *solver = &def->solver;
    return solver->criterion == SCREE_CRITERION_RESIDUAL && solver->tolerance <= ACCURATE &&
           solver->warm_start && def->theta == 1 && materials->uses == 0;
}

static void add_impulse(Impulse *to, double part, Impulse j) {
    to->n += part * j.n;
    to->t = add_scaled(to->t, part, j.t);
}

/* ---------------------------------------------------------------- velocities and solutions */

static Vec3 between(Vec3 a, Vec3 b, double part) {
    return add(scale(1 - part, a), scale(part, b));
}

/* Velocities after a part of the step, if nothing touched. */
typedef struct FreeBodies {
    const StepTask *task;
    double part; /* of the step */
    ProblemBody *body;
} FreeBodies;

static void free_piece(void *context, size_t piece) {
    const FreeBodies *k = context;
    const StepTask *t = k->task;
    const State *s = t->state;
    const size_t end = scr_piece_end(s->bodies.count, piece);
    for (size_t i = scr_piece_begin(s->bodies.count, piece); i < end; i++) {
        ProblemBody *b = &k->body[t->list->neighbours.rank[i]];
        Vec3 spin = between(s->bodies.spin[i], scr_free_spin(t->with, s, i), k->part);
        b->v = between(s->bodies.velocity[i], t->free->motion[i], k->part);
        b->s = scale(s->bodies.radius[i], spin);
    }
}

static void free_velocities(const StepTask *t, double part, ProblemBody *body) {
    const StepParams *with = t->with;
    const State *s = t->state;
    FreeBodies all = {t, part, body};
    scr_threads_loop(with->threads, scr_pieces(s->bodies.count), free_piece, &all);
    for (size_t i = 0; i < s->walls.count; i++) {
        const ScreeWallDef *w = &s->walls.item[i].now;
        if (w->motion == SCREE_WALL_PISTON) {
            body[scr_wall_index(s, i)].v = between(w->velocity, scr_free_piston(with, w), part);
        }
    }
}

/* The same with the impulses of the rows. */
static void set_velocities(StepTask *t, double part) {
    free_velocities(t, part, t->problem.body);
    scr_push_rows(&t->problem, &t->order, t->with->threads);
}

static void set_row(Row *r, Impulse j, double part) {
    r->rn = part * j.n;
    r->rt = scale(part, j.t);
}

/* Rows with their sums so far, or with a part of the solution for the rest of the step. */
static void put(Problem *p, const Progress *at, bool rest, double part) {
    for (size_t i = 0; i < p->rows; i++) {
        set_row(&p->row[i], rest ? at->row[i].rest : at->row[i].sum, part);
    }
}

/* Solves the piece from the time reached to `until`, beginning with a part of the last solution. */
static void solve_piece(StepTask *t, SolverWork *work, const Progress *at, double until,
                        double part, ScreeReport *report) {
    Problem *p = &t->problem;
    put(p, at, false, 1);
    set_velocities(t, until);
    put(p, at, true, part);
    scr_push_rows(p, &t->order, t->with->threads);
    (void)scr_run_sweeps(t, INT_MAX, work,
                         report); /* its memory is there from the first solution */
}

/* ---------------------------------------------------------------- which contacts stop, and when */

/* Whether bodies collide: whether somewhere the approach before the step accounts for more than a
 * tenth of the impulse. An impulse is then not a force times dt. */
static bool has_impact(const StepTask *t, ProblemBody *start) {
    Problem p = t->problem;
    memcpy(start, p.body, p.bodies * sizeof *start);
    p.body = start;
    free_velocities(t, 0, start);
    scr_share_all(&p, &t->order);
    bool any = false;
    for (size_t i = 0; i < p.rows && !any; i++) {
        double approach = -scr_row_velocity(&p, i).n - p.row[i].bias;
        any = p.row[i].rn > 0 && approach * scr_row_rho(&p, i) > 0.1 * p.row[i].rn;
    }
    return scr_any_process(t->state->spread, any);
}

static bool opens_or_closes(int32_t before, int32_t now) {
    return (before == SCREE_CONTACT_OPEN) != (now == SCREE_CONTACT_OPEN);
}

static bool stops(const Row *row, const Piece *piece, int32_t now) {
    return piece->state == SCREE_CONTACT_SLIP && now != SCREE_CONTACT_OPEN &&
           (now == SCREE_CONTACT_STICK || dot(piece->force.t, row->rt) < 0);
}

/* What a piece of the rows does. */
typedef struct Stops {
    bool changed; /* a contact opens or closes */
    int count, row[FEW];
} Stops;

typedef struct StopSearch {
    const Problem *problem;
    const Piece *row;
    Stops piece[SCR_MOST_PIECES];
} StopSearch;

static void find_stops_of_piece(void *context, size_t piece) {
    StopSearch *k = context;
    const Problem *p = k->problem;
    Stops found = {.count = 0};
    const size_t end = scr_piece_end(p->rows, piece);
    for (size_t i = scr_piece_begin(p->rows, piece); i < end && !found.changed; i++) {
        const int32_t before = k->row[i].state, now = scr_row_state(p, i);
        found.changed = opens_or_closes(before, now);
        if (found.count <= FEW && stops(&p->row[i], &k->row[i], now)) {
            if (found.count < FEW) {
                found.row[found.count] = (int)i;
            }
            found.count++;
        }
    }
    k->piece[piece] = found;
}

/* Finds the contacts that slide at the time reached and not at the end of the solution in the rows,
 * or slide back there. Returns false when a contact opens or closes. */
static bool find_stops(const StepTask *t, Progress *at) {
    StopSearch all = {.problem = &t->problem, .row = at->row};
    const size_t pieces = scr_pieces(t->problem.rows);
    int64_t count[2] = {0, 0}; /* that open or close, that stop */
    scr_threads_loop(t->with->threads, pieces, find_stops_of_piece, &all);
    at->listed = 0;
    for (size_t k = 0; k < pieces; k++) {
        const Stops *found = &all.piece[k];
        count[0] += found->changed;
        count[1] += found->count;
        for (int i = 0; i < found->count && at->listed < FEW; i++) {
            at->stop[at->listed++] = found->row[i];
        }
    }
    scr_count_over_processes(t->state->spread, count, 2);
    at->stops = (int)(count[1] <= FEW ? count[1] : FEW + 1);
    return count[0] == 0;
}

/* Whether the known forces are still those of this step: at the velocities that they lead to, every
 * contact must stay closed, and every sticking one must stay at rest. */
static bool forces_hold(const StepTask *t, const Progress *at) {
    const Problem *p = &t->problem;
    bool hold = true;
    for (size_t i = 0; i < p->rows && hold; i++) {
        const Piece *piece = &at->row[i];
        RowVelocity u = scr_row_velocity(p, i);
        double most = CHANGED * piece->force.n / scr_row_rho(p, i);
        bool sticks = piece->state == SCREE_CONTACT_STICK;
        hold = piece->state == SCREE_CONTACT_OPEN ||
               !(fabs(u.n + p->row[i].bias) > most ||
                 (sticks && length(u.t) > scr_max(p->row[i].mu, CHANGED) * most));
    }
    return !scr_any_process(t->state->spread, !hold);
}

/* The first stop of all processes, and whether it is here. */
static double first_of_all(const StepTask *t, Progress *at, double first) {
    const ScreeProcesses *with = t->state->spread;
    const Order *order = &t->order;
    double most[2] = {-first, 0};
    for (size_t b = 0; with != NULL && b < order->boxes; b++) {
        most[1] = scr_max(most[1], order->row_end[b] - (b > 0 ? order->row_end[b - 1] : 0));
    }
    scr_most_over_processes(with, most, 2);
    at->here = at->listed > 0 && first == -most[0];
    double before = -INFINITY;
    if (at->here && with != NULL && order->boxes > 0) {
        before = -scr_place_in_order(order, (size_t)at->stop[0], most[1]);
    }
    const double own = before;
    scr_most_over_processes(with, &before, 1);
    at->here = at->here && own == before;
    return -most[0];
}

/* When the first of them stops, as a part of the rest of the step, if forces stay what they are; it
 * becomes stop[0]. Its velocity goes from u to u' in a straight line, nearest to zero at
 * u.(u - u') / |u - u'|^2. Negative when the forces do not hold. */
static double first_stop(StepTask *t, Progress *at) {
    Problem *p = &t->problem;
    Vec3 before[FEW];
    double first = 1;
    put(p, at, false, 1);
    set_velocities(t, at->made);
    for (int k = 0; k < at->listed; k++) {
        before[k] = scr_row_velocity(p, (size_t)at->stop[k]).t;
    }
    for (size_t i = 0; i < p->rows; i++) {
        Impulse all = at->row[i].sum;
        add_impulse(&all, 1 - at->made, at->row[i].force);
        set_row(&p->row[i], all, 1);
    }
    set_velocities(t, 1);
    if (!forces_hold(t, at)) {
        return -1;
    }
    for (int k = 0; k < at->listed; k++) {
        Vec3 d = sub(before[k], scr_row_velocity(p, (size_t)at->stop[k]).t);
        double square = dot(d, d);
        double time = square > 0 ? scr_max(0, dot(before[k], d) / square) : 1;
        if (time < first) {
            int32_t row = at->stop[0];
            at->stop[0] = at->stop[k];
            at->stop[k] = row;
            first = time;
        }
    }
    return first_of_all(t, at, first);
}

/* Whether what is left of the solution after a time (a part of dt) breaks the law somewhere. */
static bool breaks_law(const StepTask *t, const Progress *at, double time) {
    const Problem *p = &t->problem;
    bool breaks = false;
    for (size_t i = 0; i < p->rows && !breaks; i++) {
        const Piece *piece = &at->row[i];
        Impulse left = piece->rest;
        double mu = p->row[i].mu;
        add_impulse(&left, -time, piece->force);
        breaks =
            length(left.t) - mu * left.n > OUTSIDE * mu * scr_max(piece->rest.n, piece->force.n);
    }
    return scr_any_process(t->state->spread, breaks);
}

/* ---------------------------------------------------------------- through the step */

/* Advances to the time of the stop at constant forces. The contact that stops counts as sticking
 * from then on, whatever rounding makes of its velocity. */
static void advance(Progress *at, size_t rows, double time) {
    for (size_t i = 0; i < rows; i++) {
        add_impulse(&at->row[i].sum, time, at->row[i].force);
    }
    if (at->here) {
        at->row[at->stop[0]].state = SCREE_CONTACT_STICK;
    }
    at->made += time;
    at->known = at->probed = false;
}

/* A short piece, after which the forces are known unless a contact stopped in it. */
static void probe(StepTask *t, SolverWork *work, Progress *at, ScreeReport *report) {
    Problem *p = &t->problem;
    double time = (1 - at->made) / PROBE;
    solve_piece(t, work, at, at->made + time, 1.0 / PROBE, report);
    at->known = find_stops(t, at) && at->stops == 0;
    for (size_t i = 0; i < p->rows; i++) {
        Piece *piece = &at->row[i];
        Impulse made = {p->row[i].rn, p->row[i].rt};
        add_impulse(&piece->sum, 1, made);
        piece->force = (Impulse){made.n / time, scale(1 / time, made.t)};
        piece->state = scr_row_state(p, i);
    }
    at->made += time;
    at->probed = true;
}

/* Where some contact opens or closes nothing is to be cut, and nothing more to be noted: of a large packing
 * that is nearly every step, and each piece soon meets one. */
typedef struct Beginning {
    const StepTask *task;
    Piece *row;
    bool changed[SCR_MOST_PIECES];
} Beginning;

static void begin_piece(void *context, size_t piece) {
    Beginning *k = context;
    const StepTask *t = k->task;
    const State *s = t->state;
    const size_t rows = t->problem.rows, end = scr_piece_end(rows, piece);
    bool changed = false;
    for (size_t i = scr_piece_begin(rows, piece); i < end && !changed; i++) {
        const Contact *c = &s->contacts.item[i];
        const Row *r = &t->problem.row[t->order.slot[i]];
        const int32_t now = scr_row_state(&t->problem, (size_t)t->order.slot[i]);
        changed = opens_or_closes(c->state, now);
        Vec3 rt = c->tangential_impulse;
        if (s->def.dimension == 2) {
            rt = vec3(rt.y * c->normal.x - rt.x * c->normal.y, 0, 0);
        }
        k->row[t->order.slot[i]] =
            (Piece){.force = {c->normal_impulse, rt}, .rest = {r->rn, r->rt}, .state = c->state};
    }
    k->changed[piece] = changed;
}

static ScreeStatus begin(const StepTask *t, SolverWork *work, Progress *at, bool *changed) {
    const Problem *p = &t->problem;
    if (!scr_block_reserve(&work->cut_block, p->rows + 1, sizeof(Piece), 0) ||
        !scr_block_reserve(&work->start_block, p->bodies, sizeof(ProblemBody), 0)) {
        return SCREE_NO_MEMORY;
    }
    *at = (Progress){.row = work->cut_block.data, .known = t->state->contacts.steady};
    Beginning all = {.task = t, .row = at->row};
    scr_threads_loop(t->with->threads, scr_pieces(p->rows), begin_piece, &all);
    *changed = false;
    for (size_t k = 0; k < scr_pieces(p->rows); k++) {
        *changed = *changed || all.changed[k];
    }
    *changed = scr_any_process(t->state->spread, *changed);
    return SCREE_OK;
}

/* Whether the first piece would be made: where the forces are not known, a probe would be. Leaves
 * rows and velocities as they are, to the last bit. */
static bool would_cut(StepTask *t, SolverWork *work, Progress *at) {
    Problem *p = &t->problem;
    ProblemBody *solved = work->start_block.data;
    if (!at->known) {
        return true;
    }
    memcpy(solved, p->body, p->bodies * sizeof *solved);
    double part = first_stop(t, at);
    memcpy(p->body, solved, p->bodies * sizeof *solved);
    put(p, at, true, 1);
    return part < 0 || (part <= 0.999 && (at->stops > 1 || breaks_law(t, at, part)));
}

/* Makes one piece and solves for the rest; false when the rest is already right. */
static bool cut_once(StepTask *t, SolverWork *work, Progress *at, ScreeReport *report) {
    Problem *p = &t->problem;
    double left = 1 - at->made, part = at->known ? first_stop(t, at) : -1;
    if (part < 0 && at->known && at->probed) {
        return false; /* even the probe's forces did not last */
    }
    if (part < 0) {
        probe(t, work, at, report);
    } else if (part > 0.999 || (at->stops == 1 && !breaks_law(t, at, part * left))) {
        return false;
    } else {
        advance(at, p->rows, part * left);
    }
    solve_piece(t, work, at, 1, (1 - at->made) / left, report);
    for (size_t i = 0; i < p->rows; i++) {
        at->row[i].rest = (Impulse){p->row[i].rn, p->row[i].rt};
    }
    return true;
}

ScreeStatus scr_cut_step(StepTask *t, SolverWork *work, ScreeReport *report) {
    Problem *p = &t->problem;
    Progress at;
    const int most = t->state->def.solver.cuts;
    report->cuts = report->uncut = 0;
    work->steady = false;
    if (!may_cut(&t->state->def, &t->state->materials) || t->state->bonds.count > 0) {
        return SCREE_OK;
    }
    bool changed;
    SCR_TRY(begin(t, work, &at, &changed));
    bool same = !changed && find_stops(t, &at) && !has_impact(t, work->start_block.data);
    work->steady = same && at.stops == 0;
    if (!same || at.stops == 0 || at.stops > FEW) {
        return SCREE_OK;
    }
    if (most == 0) {
        report->uncut = would_cut(t, work, &at);
        return SCREE_OK;
    }
    bool more = true;
    while (more && report->cuts < most && cut_once(t, work, &at, report)) {
        report->cuts++;
        more = find_stops(t, &at) && at.stops > 0 && at.stops <= FEW;
    }
    report->uncut = more && report->cuts == most;
    for (size_t i = 0; i < p->rows; i++) { /* velocities anew, from all impulses */
        Impulse all = at.row[i].sum;
        add_impulse(&all, 1, at.row[i].rest);
        set_row(&p->row[i], all, 1);
    }
    set_velocities(t, 1);
    put(p, &at, true, 1);
    return SCREE_OK;
}

void scr_join_pieces(StepTask *t, const SolverWork *work, State *s, ScreeReport *report) {
    const Piece *piece = work->cut_block.data;
    int64_t count[2] = {0, 0}; /* that are not open, that slide */
    for (size_t i = 0; i < s->contacts.count; i++) {
        Contact *c = &s->contacts.item[i];
        int32_t slot = t->order.slot[i];
        Row *r = &t->problem.row[slot];
        r->rn += piece[slot].sum.n;
        r->rt = add(r->rt, piece[slot].sum.t);
        c->normal_impulse = r->rn;
        c->tangential_impulse =
            s->def.dimension == 3 ? r->rt : vec3(-r->normal.y * r->rt.x, r->normal.x * r->rt.x, 0);
        if (c->state == SCREE_CONTACT_OPEN && r->rn > 0) { /* since the last piece */
            c->state = scr_row_state(&t->problem, (size_t)slot);
            count[0]++;
            count[1] += c->state == SCREE_CONTACT_SLIP;
        }
    }
    scr_count_over_processes(s->spread, count, 2);
    report->active += count[0];
    report->sliding += count[1];
}

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
 * contact stopped in it and nothing else has changed since; if not, a short piece is solved first.
 */
#include "dynamics/cut.h"

#include "sweep/split.h"
#include "sweep/sweep.h"

#include <string.h>

enum {
    FEW = 8,   /* where more contacts stop in one step, there is no order to be found */
    PROBE = 64 /* part of the step that is made to learn the forces */
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

typedef struct Way {
    Piece *row;
    double made; /* part of the step */
    bool known;  /* whether the forces are */
    bool probed; /* and have just been found */
    int stops;
    int32_t stop[FEW]; /* rows that stop in the rest of the step */
} Way;

/* Forces of other laws change within a step anyway. */
static bool may_cut(const State *s) {
    const ScreeSolverDef *solver = &s->def.solver;
    return solver->cuts > 0 && solver->criterion == SCREE_CRITERION_RESIDUAL &&
           solver->tolerance <= ACCURATE && solver->warm_start && s->def.theta == 1 &&
           s->materials.uses == 0;
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
static void free_velocities(const State *s, const Engine *e, double part, ProblemBody *body) {
    for (size_t i = 0; i < s->bodies.count; i++) {
        ProblemBody *b = &body[e->neighbours.rank[i]];
        b->v = between(s->bodies.velocity[i], e->free_motion[i], part);
        b->s = scale(s->bodies.radius[i], between(s->bodies.spin[i], scr_free_spin(s, i), part));
    }
    for (size_t i = 0; i < s->walls.count; i++) {
        const ScreeWallDef *w = &s->walls.item[i].now;
        if (w->motion == SCREE_WALL_PISTON) {
            body[scr_wall_place(s, i)].v = between(w->velocity, scr_free_piston(s, w), part);
        }
    }
}

/* The same with the impulses of the rows. */
static void set_velocities(const State *s, Engine *e, double part) {
    free_velocities(s, e, part, e->problem.body);
    scr_push_rows(&e->problem, &e->order, e->threads);
}

static void set_row(Row *r, Impulse j, double part) {
    r->rn = part * j.n;
    r->rt = scale(part, j.t);
}

/* Solves the piece from the time reached to `until`, beginning with a part of the last solution. */
static void solve_piece(const State *s, Engine *e, const Way *way, double until, double part,
                        ScreeReport *report) {
    Problem *p = &e->problem;
    for (size_t i = 0; i < p->rows; i++) {
        set_row(&p->row[i], way->row[i].sum, 1);
    }
    set_velocities(s, e, until);
    for (size_t i = 0; i < p->rows; i++) {
        set_row(&p->row[i], way->row[i].rest, part);
    }
    scr_push_rows(p, &e->order, e->threads);
    (void)scr_run_solver(s, e, report); /* its memory is there from the first solution */
}

/* ---------------------------------------------------------------- which contacts stop, and when */

/* Whether bodies hit each other: where the approach before the step asks for more than a tenth of
 * the impulse. Impulses are then no forces times dt. */
static bool has_impact(const State *s, const Engine *e, ProblemBody *start) {
    Problem p = e->problem;
    memcpy(start, p.body, p.bodies * sizeof *start);
    p.body = start;
    free_velocities(s, e, 0, start);
    scr_share_all(&p, &e->order);
    for (size_t i = 0; i < p.rows; i++) {
        double approach = -scr_row_velocity(&p, i).n - p.row[i].bias;
        if (p.row[i].rn > 0 && approach * scr_row_rho(&p, i) > 0.1 * p.row[i].rn) {
            return true;
        }
    }
    return false;
}

static bool stops(const Row *row, const Piece *piece, int32_t now) {
    return piece->state == SCREE_CONTACT_SLIP && now != SCREE_CONTACT_OPEN &&
           (now == SCREE_CONTACT_STICK || dot(piece->force.t, row->rt) < 0);
}

/* Finds the contacts that slide at the time reached and not at the end of the solution in the rows,
 * or slide back there. Returns false when a contact opens or closes. */
static bool find_stops(const Problem *p, Way *way) {
    way->stops = 0;
    for (size_t i = 0; i < p->rows; i++) {
        const Piece *piece = &way->row[i];
        int32_t now = scr_row_state(p, i);
        if ((piece->state == SCREE_CONTACT_OPEN) != (now == SCREE_CONTACT_OPEN)) {
            return false;
        }
        if (stops(&p->row[i], piece, now)) {
            if (way->stops < FEW) {
                way->stop[way->stops] = (int32_t)i;
            }
            way->stops++;
        }
    }
    return true;
}

/* Whether the forces leave every contact closed, and held ones at rest: whether they are still
 * those of this step. The velocities are those that they lead to. */
static bool forces_hold(const Problem *p, const Way *way) {
    for (size_t i = 0; i < p->rows; i++) {
        const Piece *piece = &way->row[i];
        RowVelocity u = scr_row_velocity(p, i);
        double most = CHANGED * piece->force.n / scr_row_rho(p, i);
        bool held = piece->state == SCREE_CONTACT_STICK;
        if (piece->state != SCREE_CONTACT_OPEN &&
            (fabs(u.n + p->row[i].bias) > most ||
             (held && length(u.t) > fmax(p->row[i].mu, CHANGED) * most))) {
            return false;
        }
    }
    return true;
}

/* When the first of them stops, as a part of the rest of the step, if forces stay what they are; it
 * becomes stop[0]. Its velocity goes from u to u' in a straight line, nearest to zero at
 * u.(u - u') / |u - u'|^2. Negative when the forces do not hold. */
static double first_stop(const State *s, Engine *e, Way *way) {
    Problem *p = &e->problem;
    Vec3 before[FEW];
    double first = 1;
    for (size_t i = 0; i < p->rows; i++) {
        set_row(&p->row[i], way->row[i].sum, 1);
    }
    set_velocities(s, e, way->made);
    for (int k = 0; k < way->stops; k++) {
        before[k] = scr_row_velocity(p, (size_t)way->stop[k]).t;
    }
    for (size_t i = 0; i < p->rows; i++) {
        Impulse all = way->row[i].sum;
        add_impulse(&all, 1 - way->made, way->row[i].force);
        set_row(&p->row[i], all, 1);
    }
    set_velocities(s, e, 1);
    if (!forces_hold(p, way)) {
        return -1;
    }
    for (int k = 0; k < way->stops; k++) {
        Vec3 d = sub(before[k], scr_row_velocity(p, (size_t)way->stop[k]).t);
        double square = dot(d, d);
        double time = square > 0 ? fmax(0, dot(before[k], d) / square) : 1;
        if (time < first) {
            int32_t row = way->stop[0];
            way->stop[0] = way->stop[k];
            way->stop[k] = row;
            first = time;
        }
    }
    return first;
}

/* Whether what is left of the solution after a time (a part of dt) breaks the law somewhere. */
static bool breaks_law(const Problem *p, const Way *way, double time) {
    for (size_t i = 0; i < p->rows; i++) {
        const Piece *piece = &way->row[i];
        Impulse left = piece->rest;
        double mu = p->row[i].mu;
        add_impulse(&left, -time, piece->force);
        if (length(left.t) - mu * left.n > OUTSIDE * mu * fmax(piece->rest.n, piece->force.n)) {
            return true;
        }
    }
    return false;
}

/* ---------------------------------------------------------------- the way through the step */

/* To the time of the stop, with the forces as they are. The contact that stops counts as held from
 * there on, whatever rounding makes of its velocity. */
static void go_on(Way *way, size_t rows, double time) {
    for (size_t i = 0; i < rows; i++) {
        add_impulse(&way->row[i].sum, time, way->row[i].force);
    }
    way->row[way->stop[0]].state = SCREE_CONTACT_STICK;
    way->made += time;
    way->known = way->probed = false;
}

/* A short piece, after which the forces are known unless a contact stopped in it. */
static void probe(const State *s, Engine *e, Way *way, ScreeReport *report) {
    Problem *p = &e->problem;
    double time = (1 - way->made) / PROBE;
    solve_piece(s, e, way, way->made + time, 1.0 / PROBE, report);
    way->known = find_stops(p, way) && way->stops == 0;
    for (size_t i = 0; i < p->rows; i++) {
        Piece *piece = &way->row[i];
        Impulse made = {p->row[i].rn, p->row[i].rt};
        add_impulse(&piece->sum, 1, made);
        piece->force = (Impulse){made.n / time, scale(1 / time, made.t)};
        piece->state = scr_row_state(p, i);
    }
    way->made += time;
    way->probed = true;
}

static ScreeStatus begin(const State *s, Engine *e, Way *way) {
    const Problem *p = &e->problem;
    if (!scr_block_reserve(&e->cut_block, p->rows + 1, sizeof(Piece), 0) ||
        !scr_block_reserve(&e->start_block, p->bodies, sizeof(ProblemBody), 0)) {
        return SCREE_NO_MEMORY;
    }
    *way = (Way){.row = e->cut_block.data, .known = s->contacts.steady};
    for (size_t i = 0; i < p->rows; i++) {
        const ScreeContact *c = &s->contacts.item[i];
        const Row *r = &p->row[e->order.slot[i]];
        Vec3 t = c->tangential_impulse;
        if (s->def.dimension == 2) {
            t = vec3(t.y * c->normal.x - t.x * c->normal.y, 0, 0);
        }
        way->row[e->order.slot[i]] =
            (Piece){.force = {c->normal_impulse, t}, .rest = {r->rn, r->rt}, .state = c->state};
    }
    return SCREE_OK;
}

/* Goes on by one piece and solves for the rest; false when the rest is right as it is. */
static bool cut_once(const State *s, Engine *e, Way *way, ScreeReport *report) {
    Problem *p = &e->problem;
    double left = 1 - way->made, part = way->known ? first_stop(s, e, way) : -1;
    if (part < 0 && way->known && way->probed) {
        return false; /* they change all the time */
    }
    if (part < 0) {
        probe(s, e, way, report);
    } else if (part > 0.999 || (way->stops == 1 && !breaks_law(p, way, part * left))) {
        return false;
    } else {
        go_on(way, p->rows, part * left);
    }
    solve_piece(s, e, way, 1, (1 - way->made) / left, report);
    for (size_t i = 0; i < p->rows; i++) {
        way->row[i].rest = (Impulse){p->row[i].rn, p->row[i].rt};
    }
    return true;
}

ScreeStatus scr_cut_step(const State *s, Engine *e, ScreeReport *report) {
    Problem *p = &e->problem;
    Way way;
    report->cuts = 0;
    e->steady = false;
    if (!may_cut(s)) {
        return SCREE_OK;
    }
    if (begin(s, e, &way) != SCREE_OK) {
        return SCREE_NO_MEMORY;
    }
    bool same = find_stops(p, &way) && !has_impact(s, e, e->start_block.data);
    e->steady = same && way.stops == 0;
    if (!same || way.stops == 0 || way.stops > FEW) {
        return SCREE_OK;
    }
    while (same && way.stops > 0 && way.stops <= FEW && report->cuts < s->def.solver.cuts &&
           cut_once(s, e, &way, report)) {
        report->cuts++;
        same = find_stops(p, &way);
    }
    for (size_t i = 0; i < p->rows; i++) { /* velocities anew, from all impulses */
        Impulse all = way.row[i].sum;
        add_impulse(&all, 1, way.row[i].rest);
        set_row(&p->row[i], all, 1);
    }
    set_velocities(s, e, 1);
    for (size_t i = 0; i < p->rows; i++) {
        set_row(&p->row[i], way.row[i].rest, 1);
    }
    return SCREE_OK;
}

void scr_join_pieces(State *s, Engine *e, ScreeReport *report) {
    const Piece *way = e->cut_block.data;
    for (size_t i = 0; i < s->contacts.count; i++) {
        ScreeContact *c = &s->contacts.item[i];
        int32_t slot = e->order.slot[i];
        Row *r = &e->problem.row[slot];
        r->rn += way[slot].sum.n;
        r->rt = add(r->rt, way[slot].sum.t);
        c->normal_impulse = r->rn;
        c->tangential_impulse =
            s->def.dimension == 3 ? r->rt : vec3(-r->normal.y * r->rt.x, r->normal.x * r->rt.x, 0);
        if (c->state == SCREE_CONTACT_OPEN && r->rn > 0) { /* since the last piece */
            c->state = scr_row_state(&e->problem, (size_t)slot);
            report->active++;
            report->sliding += c->state == SCREE_CONTACT_SLIP;
        }
    }
}

#include "sweep/sweep.h"

#include "law/block.h"
#include "law/coulomb.h"
#include "law/round.h"
#include "math/reduce.h"
#include "sweep/law_update.h"
#include "sweep/packets.h"
#include "sweep/split.h"
#include "sweep/spread.h"

/* How far ahead of the present row memory is asked for when the order jumps about. */
enum { AHEAD = 6 };

/* No call may be left in the loop over rows, whatever the compiler thinks of its size. Without this
 * gcc 12 drops the prefetches as well: a function that does nothing else has no effect for it. */
#define SWEEP_INLINE static inline __attribute__((always_inline))

/* Round bodies in space: law/round.h. */
SWEEP_INLINE double update_space(Row *r, ProblemBody *a, ProblemBody *b, const double *creep) {
    const Vec3 n = r->normal;
    const LawRound contact = {r->mass_n, r->mass_t, r->mu};
    Vec3 u = sub(sub(b->v, a->v), cross(add(a->s, b->s), n)), rt = r->rt;
    double un = dot(u, n), rn = r->rn;
    law_round_space(&contact, un + r->bias, add_scaled(u, -un, n), creep, &rn, &rt);

    double dn = rn - r->rn;
    Vec3 dt = sub(rt, r->rt);
    r->rn = rn;
    r->rt = rt;

    Vec3 d = add_scaled(dt, dn, n), twist = cross(n, dt);
    a->v = add_scaled(a->v, -a->inverse_mass, d);
    a->s = add_scaled(a->s, -a->inverse_inertia, twist);
    if (scr_is_movable(b)) {
        b->v = add_scaled(b->v, b->inverse_mass, d);
        b->s = add_scaled(b->s, -b->inverse_inertia, twist);
    }
    return dn * dn + dot(dt, dt);
}

/* The same in the plane: one tangent t = (-n.y, n.x), spins along z. */
SWEEP_INLINE double update_plane(Row *r, ProblemBody *a, ProblemBody *b, const double *creep) {
    const LawRound contact = {r->mass_n, r->mass_t, r->mu};
    double nx = r->normal.x, ny = r->normal.y;
    double ux = b->v.x - a->v.x, uy = b->v.y - a->v.y;
    double un = ux * nx + uy * ny, ut = uy * nx - ux * ny - (a->s.z + b->s.z);
    double rn = r->rn, rt = r->rt.x;
    law_round_plane(&contact, un + r->bias, ut, creep, &rn, &rt);

    double dn = rn - r->rn, dt = rt - r->rt.x;
    r->rn = rn;
    r->rt.x = rt;
    double dx = dn * nx - dt * ny, dy = dn * ny + dt * nx;
    a->v.x -= a->inverse_mass * dx;
    a->v.y -= a->inverse_mass * dy;
    a->s.z -= a->inverse_inertia * dt;
    if (scr_is_movable(b)) {
        b->v.x += b->inverse_mass * dx;
        b->v.y += b->inverse_mass * dy;
        b->s.z -= b->inverse_inertia * dt;
    }
    return dn * dn + dt * dt;
}

/* The full block in space, from the velocity and the impulse in its frame. */
static void update_block(const Row *r, const GeneralRow *g, const double u[3], double x[3]) {
    if (g->per_rest[0] > 0) {
        const LawBlock block = {r->mass_n,      g->block[1] * r->mass_n, g->block[2] * r->mass_n,
                                g->per_rest[0], g->per_rest[1],          r->mu};
        const LawParts was = {x[0], x[1], x[2]};
        const LawStop stop = law_block_stop(&block, (LawParts){u[0], u[1], u[2]}, was);
        LawSliding k = {stop.push, was, stop.x, false};
        if (stop.slides) {
            law_block_slip(&block, &stop.slides, &k, 1);
        }
        if (!k.hard) {
            x[0] = stop.closes ? k.x.n : 0;
            x[1] = stop.closes ? k.x.t1 : 0;
            x[2] = stop.closes ? k.x.t2 : 0;
            return;
        }
    }
    const double *w = g->block;
    const double q[3] = {u[0] - w[0] * x[0] - w[1] * x[1] - w[2] * x[2],
                         u[1] - w[1] * x[0] - w[3] * x[1] - w[4] * x[2],
                         u[2] - w[2] * x[0] - w[4] * x[1] - w[5] * x[2]};
    law_coulomb_block3(w, q, r->mu, x);
}

/* Round bodies in a cell that deforms. */
static double update_in_cell(Problem *p, size_t row, const double *creep) {
    Row *r = &p->row[row];
    const LawRound contact = {r->mass_n, r->mass_t, r->mu};
    const RowVelocity u = scr_row_velocity(p, row);
    double rn = r->rn;
    Vec3 rt = r->rt, across;
    if (p->dimension == 3) {
        law_round_space(&contact, u.n + r->bias, u.t, creep, &rn, &rt);
        across = sub(rt, r->rt);
    } else {
        law_round_plane(&contact, u.n + r->bias, u.t.x, creep, &rn, &rt.x);
        double dt = rt.x - r->rt.x;
        across = vec3(-r->normal.y * dt, r->normal.x * dt, 0);
    }
    double dn = rn - r->rn;
    r->rn = rn;
    r->rt = rt;
    scr_round_push(p, r, add_scaled(across, dn, r->normal));
    return dn * dn + dot(across, across);
}

/* Any bodies: the full block, solved exactly for stick and for slip. */
static double update_general(Problem *p, size_t row) {
    Row *r = &p->row[row];
    const GeneralRow *g = &p->general[p->general_of[row]];
    RowVelocity u = scr_row_velocity(p, row);
    if (p->dimension == 2) {
        const double w[3] = {g->block[0], g->block[1], g->block[3]};
        const double q[2] = {u.n + r->bias - w[0] * r->rn - w[1] * r->rt.x,
                             u.t.x - w[1] * r->rn - w[2] * r->rt.x};
        double x[2];
        law_coulomb_block2(w, q, r->mu, x);
        double dn = x[0] - r->rn, dt = x[1] - r->rt.x;
        r->rn = x[0];
        r->rt.x = x[1];
        scr_general_push(p, r, g, add(scale(dn, r->normal), scale(dt, g->t1)));
        return dn * dn + dt * dt;
    }
    const double rn = r->rn, at[3] = {u.n + r->bias, dot(u.t, g->t1), dot(u.t, g->t2)};
    double x[3] = {rn, dot(r->rt, g->t1), dot(r->rt, g->t2)};
    update_block(r, g, at, x);
    double dn = x[0] - rn;
    Vec3 rt = add(scale(x[1], g->t1), scale(x[2], g->t2)), dt = sub(rt, r->rt);
    r->rn = x[0];
    r->rt = rt;
    scr_general_push(p, r, g, add_scaled(dt, dn, r->normal));
    return dn * dn + dot(dt, dt);
}

SWEEP_INLINE double update(Problem *p, size_t row, bool space, bool mixed, const double *creep) {
    if (mixed && p->law_of != NULL && p->law_of[row] >= 0) {
        return scr_update_law(p, row);
    }
    if (mixed && p->general_of != NULL && p->general_of[row] >= 0) {
        return update_general(p, row);
    }
    if (mixed && p->cell != NULL) {
        return update_in_cell(p, row, creep);
    }
    Row *r = &p->row[row];
    ProblemBody *a = &p->body[r->a], *b = &p->body[r->b];
    return space ? update_space(r, a, b, creep) : update_plane(r, a, b, creep);
}

static bool is_mixed(const Problem *p) {
    return p->general_of != NULL || p->law_of != NULL || p->cell != NULL;
}

static void look(const Row *r, double change, SweepWatch *watch) {
    double size = sqrt(r->rn * r->rn + dot(r->rt, r->rt));
    watch->sum += size;
    if (!(sqrt(change) <= watch->relative * size + watch->small)) {
        watch->at_rest = false;
    }
}

static inline size_t row_at(SweepOrder order, size_t rows, size_t i) {
    size_t k = order.backwards ? rows - 1 - i : i;
    return order.sequence != NULL ? (size_t)order.sequence[k] : k;
}

/* The bodies of a row are not known before the row itself has arrived, so rows are prefetched early
 * and bodies late. */
static inline void prefetch(const Problem *p, SweepOrder order, size_t i) {
    if (i + 2 * AHEAD < p->rows) {
        const char *far = (const char *)&p->row[row_at(order, p->rows, i + 2 * AHEAD)];
        __builtin_prefetch(far);
        __builtin_prefetch(far + 64);
        const Row *near = &p->row[row_at(order, p->rows, i + AHEAD)];
        __builtin_prefetch(&p->body[near->a], 1);
        __builtin_prefetch(&p->body[near->b], 1);
    }
}

static void lift(Problem *p, size_t row, const RowMomentum *m) {
    momentum_lift(m->beta, m->before + 4 * row, &p->row[row].rn, 4);
    momentum_lift_torque(m, row, scr_law_row(p, row));
}

/* Updates rows begin .. end-1 of the order, one by one. The flags are constants at each call, so
 * that each case is compiled separately. */
SWEEP_INLINE double sweep_as(Problem *p, SweepOrder order, size_t begin, size_t end,
                             SweepWatch *watch, bool space, bool mixed) {
    double change = 0, square[MOMENTUM_LANES] = {0};
    const bool creeps = order.momentum != NULL && order.momentum->creep > 0;
    const double *creep = creeps ? &order.momentum->creep : NULL;
    for (size_t i = begin; i < end; i++) {
        prefetch(p, order, i);
        size_t row = row_at(order, p->rows, i);
        if (order.momentum != NULL) {
            lift(p, row, order.momentum);
        }
        double d = update(p, row, space, mixed, creep);
        change += d;
        if (order.momentum != NULL) {
            momentum_measure(order.momentum->before + 4 * row, &p->row[row].rn, 4, square);
            square[0] += momentum_torque_square(order.momentum, row, scr_law_row(p, row));
        }
        if (watch != NULL) {
            look(&p->row[row], d, watch);
        }
    }
    if (order.momentum != NULL) {
        *order.square += momentum_total(square);
    }
    return change;
}

static double sweep_rows(Problem *p, SweepOrder order, size_t begin, size_t end,
                         SweepWatch *watch) {
    if (is_mixed(p) || watch != NULL) {
        return sweep_as(p, order, begin, end, watch, p->dimension == 3, is_mixed(p));
    }
    return p->dimension == 3 ? sweep_as(p, order, begin, end, NULL, true, false)
                             : sweep_as(p, order, begin, end, NULL, false, false);
}

/* ---------------------------------------------------------------- boxes */

/* What the threads work on: the boxes of one group. */
typedef struct GroupTask {
    Problem *problem;
    const Order *order;
    size_t first, group;
    const Domain *domain; /* NULL: none */
    bool columns;
    const RowMomentum *momentum;
    void (*visit)(void *context, size_t begin, size_t end); /* of scr_visit_rows */
    void *context;
} GroupTask;

static double update_alone(Problem *p, size_t row) {
    return update(p, row, p->dimension == 3, true, NULL);
}

/* ---- a cell that deforms
 *
 * Each box works on a copy of the cell, with its part of the mass; after each group the cell takes the
 * mean of what its copies have become. Sums over boxes are exact, so their order does not matter. */

/* The problem as one of `among` boxes sees it. */
static Problem with_copy(const Problem *p, size_t among, CellBody *copy) {
    Problem own = *p;
    *copy = *p->cell;
    copy->inverse_mass *= (double)among;
    own.cell = copy;
    return own;
}

/* Works on the rows of a box with a copy of the cell, and leaves there what has become of it. */
static void in_own_cell(const GroupTask *task, size_t box,
                        void (*work)(const GroupTask *task, Problem *own, size_t box)) {
    CellBody copy;
    Problem own = with_copy(task->problem, scr_boxes_among(task->order, task->group), &copy);
    work(task, &own, box);
    mat3_to(&copy.rate, &task->order->cell_rate[9 * box]);
}

static size_t first_row(const Order *order, size_t box) {
    return box > 0 ? (size_t)order->row_end[box - 1] : 0;
}

static void sweep_own(const GroupTask *task, Problem *own, size_t box) {
    double *change = &task->order->box_sum[2 * box];
    RowMomentum momentum = task->momentum != NULL ? *task->momentum : (RowMomentum){0};
    const SweepOrder rows = {.momentum = task->momentum != NULL ? &momentum : NULL,
                             .square = &change[1]};
    change[1] = 0;
    change[0] =
        sweep_rows(own, rows, first_row(task->order, box), first_row(task->order, box + 1), NULL);
}

static void push_own(const GroupTask *task, Problem *own, size_t box) {
    scr_push_range(own, first_row(task->order, box), first_row(task->order, box + 1));
}

static size_t box_of_task(const GroupTask *task, size_t i) {
    return task->domain != NULL ? (size_t)task->domain->own[task->first + i] : task->first + i;
}

static void sweep_task(void *context, size_t i) {
    const GroupTask *task = context;
    size_t box = box_of_task(task, i);
    if (task->problem->cell != NULL) {
        in_own_cell(task, box, sweep_own);
        return;
    }
    double *change = &task->order->box_sum[2 * box];
    change[0] = scr_sweep_box(task->problem, task->order, box, task->columns, update_alone,
                              task->momentum, &change[1]);
}

static void visit_task(void *context, size_t i) {
    const GroupTask *task = context;
    size_t box = box_of_task(task, i);
    task->visit(task->context, first_row(task->order, box), first_row(task->order, box + 1));
}

/* Works on the boxes group by group. Split bodies are shared out to their copies before each group,
 * and gathered after it. */
static void visit_groups(GroupTask *task, Threads *threads, void (*work)(void *context, size_t i)) {
    const Order *order = task->order;
    if (task->domain == NULL) {
        task->domain = order->spread;
    }
    const Domain *domain = task->domain;
    for (size_t g = 0, end = 0; g < order->groups; g++) {
        task->first = end;
        task->group = g;
        end = domain != NULL ? domain->own_end[g] : (size_t)order->group_end[g];
        scr_share(task->problem, order, g);
        scr_threads_loop(threads, end - task->first, work, task);
        if (domain != NULL) {
            scr_domain_exchange(domain, task->problem, g);
        }
        if (domain != NULL && domain->spread) {
            scr_gather_spread(domain, task->problem, order, g);
        } else {
            scr_gather(task->problem, order, g);
        }
        if (task->problem->cell != NULL) {
            scr_gather_cell(task->problem->cell, order, g);
        }
    }
    scr_share_all(task->problem, order);
}

/* The same, while watching each row. */
static double watch_groups(Problem *p, SweepOrder order, SweepWatch *watch) {
    double change = 0;
    for (size_t g = 0; g < order.stored->groups; g++) {
        size_t begin = first_row(order.stored, g > 0 ? (size_t)order.stored->group_end[g - 1] : 0);
        size_t end = first_row(order.stored, (size_t)order.stored->group_end[g]);
        scr_share(p, order.stored, g);
        change += sweep_rows(p, order, begin, end, watch);
        scr_gather(p, order.stored, g);
    }
    scr_share_all(p, order.stored);
    return change;
}

static bool has_boxes(const Order *order) {
    return order != NULL && order->groups > 0;
}

void scr_visit_rows(Problem *p, const Order *stored, Threads *threads,
                    void (*visit)(void *context, size_t begin, size_t end), void *context) {
    GroupTask task = {.problem = p, .order = stored, .visit = visit, .context = context};
    if (has_boxes(stored)) {
        visit_groups(&task, threads, visit_task);
    } else {
        visit(context, 0, p->rows);
    }
}

static void push_range(void *context, size_t begin, size_t end) {
    scr_push_range(context, begin, end);
}

static void push_task(void *context, size_t i) {
    const GroupTask *task = context;
    in_own_cell(task, task->first + i, push_own);
}

void scr_push_rows(Problem *p, const Order *stored, Threads *threads) {
    if (p->cell != NULL && has_boxes(stored)) {
        GroupTask task = {.problem = p, .order = stored};
        visit_groups(&task, threads, push_task);
        return;
    }
    scr_visit_rows(p, stored, threads, push_range, p);
}

/* What each box has left in its sums, added up exactly: neither the order of the boxes nor the pieces
 * in which they are added matter. */
typedef struct BoxSums {
    const Order *order;
    const Domain *domain; /* NULL: all boxes are here */
    int sums;
    ExactSum sum[SCR_MOST_PIECES][2];
} BoxSums;

static void add_up_piece(void *context, size_t piece) {
    BoxSums *s = context;
    const size_t boxes = s->order->boxes, end = scr_piece_end(boxes, piece);
    memset(s->sum[piece], 0, sizeof s->sum[piece]);
    for (size_t b = scr_piece_begin(boxes, piece); b < end; b++) {
        for (int k = 0; k < s->sums && (s->domain == NULL || s->domain->mine[b] != 0); k++) {
            scr_exact_add(&s->sum[piece][k], s->order->box_sum[2 * b + (size_t)k]);
        }
    }
}

static void add_up_boxes(SweepOrder how, int sums, double *total) {
    BoxSums s; /* large: the sums are cleared piece by piece */
    s.order = how.stored;
    s.domain = how.domain;
    s.sums = sums;
    const size_t pieces = scr_pieces(how.stored->boxes);
    scr_threads_loop(how.threads, pieces, add_up_piece, &s);
    for (int k = 0; k < sums; k++) {
        for (size_t piece = 1; piece < pieces; piece++) {
            scr_exact_join(&s.sum[0][k], &s.sum[piece][k]);
        }
    }
    scr_sum_over_processes(how.domain != NULL ? how.domain->with : NULL, s.sum[0], (size_t)sums);
    for (int k = 0; k < sums; k++) {
        total[k] = scr_exact_total(&s.sum[0][k]);
    }
}

double scr_sweep(Problem *p, SweepOrder order, SweepWatch *watch) {
    if (watch != NULL) {
        watch->sum = 0;
        watch->at_rest = true;
    }
    if (order.momentum != NULL) {
        *order.square = 0;
    }
    if (!has_boxes(order.stored)) {
        return sweep_rows(p, order, 0, p->rows, watch);
    }
    if (watch != NULL) {
        return watch_groups(p, order, watch);
    }
    if (order.device != NULL) {
        return scr_device_sweep(order.device, order.momentum, order.silent, order.square);
    }
    double total[2];
    GroupTask task = {.problem = p,
                      .order = order.stored,
                      .domain = order.domain,
                      .columns = order.columns,
                      .momentum = order.momentum};
    visit_groups(&task, order.threads, sweep_task);
    add_up_boxes(order, order.momentum != NULL ? 2 : 1, total);
    if (order.momentum != NULL) {
        *order.square = total[1];
    }
    return total[0];
}

#include "sweep/momentum.h"

#include "law/normal.h"

#include <string.h>

enum { WINDOW = 30 };

/* The ratio of `creep` to the noise of the velocities, how much it may grow from sweep to sweep,
 * and the fraction of contacts that may slide faster when creeping begins. */
static const double creep_over_noise = 100, creep_growth = 1.01, sliding_most = 0.01;

/* The same with laws or shapes, where a few more of them slide before they hold. */
static const double sliding_most_mixed = 0.02;

/* Mechanisms of a few bodies can move in several ways, and then it is the sweep's path to the
 * solution that decides between them. With laws or shapes, problems with fewer rows than this keep
 * to the exact law all the way. */
enum { FEW_ROWS = 500 };

/* How much faster contacts creep when there is no progress. */
static const double creep_raise = 100;

/* Impulses, torques and velocities. */
typedef struct Room {
    double *impulse;  /* [4 rows] */
    double *velocity; /* [6 bodies] */
    double *torque;   /* [4 rows]; NULL without law rows */
} Room;

static size_t room_doubles(const Problem *p) {
    return p->rows * (p->law_of != NULL ? 8 : 4) + p->bodies * 6;
}

static Room room_at(const Problem *p, double *memory) {
    double *velocity = memory + 4 * p->rows, *torque = velocity + 6 * p->bodies;
    return (Room){memory, velocity, p->law_of != NULL ? torque : NULL};
}

size_t scr_momentum_bytes(const Problem *p) {
    return 2 * room_doubles(p) * sizeof(double);
}

/* Work on the pieces of a problem's rows and bodies. */
typedef struct Beginning {
    const Problem *problem;
    double *impulse, *velocity;
} Beginning;

static void clear_impulses(void *context, size_t piece) {
    const Beginning *b = context;
    const size_t rows = b->problem->rows, begin = scr_piece_begin(rows, piece);
    memset(b->impulse + 4 * begin, 0, 4 * (scr_piece_end(rows, piece) - begin) * sizeof(double));
}

static void keep_velocities(void *context, size_t piece) {
    const Beginning *b = context;
    const size_t bodies = b->problem->bodies, end = scr_piece_end(bodies, piece);
    for (size_t i = scr_piece_begin(bodies, piece); i < end; i++) {
        memcpy(b->velocity + 6 * i, &b->problem->body[i].v, 6 * sizeof(double));
    }
}

void scr_momentum_begin(Momentum *m, const Problem *p, void *memory, DeviceRows *device,
                        Threads *threads) {
    *m = (Momentum){.theta = 1, .best = INFINITY, .best_then = INFINITY, .device = device};
    Room room = room_at(p, memory);
    m->rows.before = room.impulse;
    m->rows.torque = room.torque;
    m->velocity = room.velocity;
    m->saved = (double *)memory + room_doubles(p);
    m->saved_residual = INFINITY;
    if (p->cell != NULL) {
        m->rate = p->cell->rate;
    }
    if (device != NULL) {
        return;
    }
    /* the first sweep, with beta = 0, reads and overwrites these, so they must be finite */
    Beginning b = {p, m->rows.before, m->velocity};
    scr_threads_loop(threads, scr_pieces(p->rows), clear_impulses, &b);
    if (m->rows.torque != NULL) {
        memset(m->rows.torque, 0, 4 * p->rows * sizeof(double));
    }
    scr_threads_loop(threads, scr_pieces(p->bodies), keep_velocities, &b);
}

/* ---------------------------------------------------------------- the best */

/* Between a problem and the room of its best. */
typedef struct Saving {
    Problem *problem;
    Room room;
} Saving;

static void save_bodies(void *context, size_t piece) {
    const Saving *k = context;
    const Problem *p = k->problem;
    const size_t end = scr_piece_end(p->bodies, piece);
    for (size_t i = scr_piece_begin(p->bodies, piece); i < end; i++) {
        memcpy(k->room.velocity + 6 * i, &p->body[i].v, 6 * sizeof(double));
    }
}

static void save_rows(void *context, size_t piece) {
    const Saving *k = context;
    const Problem *p = k->problem;
    const size_t end = scr_piece_end(p->rows, piece);
    for (size_t i = scr_piece_begin(p->rows, piece); i < end; i++) {
        const LawRow *l = scr_law_row(p, i);
        memcpy(k->room.impulse + 4 * i, &p->row[i].rn, 4 * sizeof(double));
        if (l != NULL) {
            memcpy(k->room.torque + 4 * i, &l->torque, sizeof l->torque);
        }
    }
}

static void recall_bodies(void *context, size_t piece) {
    const Saving *k = context;
    const Problem *p = k->problem;
    const size_t end = scr_piece_end(p->bodies, piece);
    for (size_t i = scr_piece_begin(p->bodies, piece); i < end; i++) {
        memcpy(&p->body[i].v, k->room.velocity + 6 * i, 6 * sizeof(double));
    }
}

static void recall_rows(void *context, size_t piece) {
    const Saving *k = context;
    const Problem *p = k->problem;
    const size_t end = scr_piece_end(p->rows, piece);
    for (size_t i = scr_piece_begin(p->rows, piece); i < end; i++) {
        LawRow *l = scr_law_row(p, i);
        memcpy(&p->row[i].rn, k->room.impulse + 4 * i, 4 * sizeof(double));
        if (l != NULL) {
            memcpy(&l->torque, k->room.torque + 4 * i, sizeof l->torque);
        }
    }
}

void scr_momentum_save(Momentum *m, Problem *p, double residual, Threads *threads) {
    Saving all = {p, room_at(p, m->saved)};
    m->saved_residual = residual;
    if (m->device != NULL) {
        scr_device_keep(m->device);
        return;
    }
    if (p->cell != NULL) {
        m->saved_rate = p->cell->rate;
    }
    scr_threads_loop(threads, scr_pieces(p->bodies), save_bodies, &all);
    scr_threads_loop(threads, scr_pieces(p->rows), save_rows, &all);
}

void scr_momentum_recall(const Momentum *m, Problem *p, Threads *threads) {
    Saving all = {p, room_at(p, m->saved)};
    if (m->device != NULL) {
        scr_device_recall(m->device);
        return;
    }
    if (p->cell != NULL) {
        p->cell->rate = m->saved_rate;
    }
    scr_threads_loop(threads, scr_pieces(p->bodies), recall_bodies, &all);
    scr_threads_loop(threads, scr_pieces(p->rows), recall_rows, &all);
}

/* ---------------------------------------------------------------- creeping */

/* Of the slip that friction opposes. */
static double speed_square(const Problem *p, size_t row) {
    const LawRow *l = scr_law_row(p, row);
    Vec3 slip = scr_row_velocity(p, row).t;
    if (l != NULL) {
        slip = law_spring_slip(slip, l->bias_t, l->soft_t, p->row[row].rt);
    }
    return dot(slip, slip);
}

static double rho_square(const Problem *p, size_t row) {
    double rho = scr_row_rho(p, row);
    return rho * rho;
}

/* Rows of some parts that are pressed, and those of them that slide. */
typedef struct Counting {
    const Problem *problem;
    double creep;
    int64_t pressed[SCR_MOST_PIECES], sliding[SCR_MOST_PIECES];
} Counting;

static void count_parts(void *context, size_t piece) {
    Counting *k = context;
    const Problem *p = k->problem;
    const size_t parts = scr_parts(p), parts_end = scr_piece_end(parts, piece);
    int64_t pressed = 0, sliding = 0;
    for (size_t part = scr_piece_begin(parts, piece); part < parts_end; part++) {
        size_t end = scr_is_mine(p, part) ? scr_part_end(p, part) : 0;
        for (size_t i = scr_part_begin(p, part); i < end; i++) {
            if (scr_row_pressure(p, i) > 0) {
                pressed++;
                sliding += speed_square(p, i) > k->creep * k->creep;
            }
        }
    }
    k->pressed[piece] = pressed;
    k->sliding[piece] = sliding;
}

void scr_momentum_let_creep(Momentum *m, const Problem *p, double change, Threads *threads) {
    int64_t count[2] = {0, 0}; /* of rows that are pressed, and of those that slide */
    double square = scr_sum_rows(p, threads, rho_square);
    double per_change = square > 0 ? creep_over_noise / sqrt(square) : 0;
    double creep = per_change * sqrt(change);
    Counting all = {.problem = p, .creep = creep};
    const size_t pieces = scr_pieces(scr_parts(p));
    scr_threads_loop(threads, pieces, count_parts, &all);
    for (size_t k = 0; k < pieces; k++) {
        count[0] += all.pressed[k];
        count[1] += all.sliding[k];
    }
    if (p->processes != NULL) {
        p->processes->add(p->processes->context, count, 2);
    }
    const double pressed = (double)count[0], sliding = (double)count[1];
    bool mixed = p->general_of != NULL || p->law_of != NULL;
    double most = mixed ? sliding_most_mixed : sliding_most;
    bool few = mixed && scr_all_rows(p) < FEW_ROWS;
    bool holds = !few && sliding <= most * pressed;
    m->creep_per_change = holds ? per_change : 0;
    m->rows.creep = m->creep_per_change > 0 ? creep : 0;
}

void scr_momentum_stop_creep(Momentum *m) {
    m->creep_per_change = m->rows.creep = 0;
    m->creep_raised = false;
}

/* The present ratio of creep to |c|. */
static double creep_now(const Momentum *m) {
    return (m->creep_raised ? creep_raise : 1) * m->creep_per_change;
}

void scr_momentum_raise_creep(Momentum *m, bool raised, double change) {
    m->creep_raised = raised;
    m->rows.creep = raised ? creep_now(m) * sqrt(change) : m->rows.creep;
}

/* ---------------------------------------------------------------- extrapolation */

typedef struct Extrapolation {
    const Momentum *momentum;
    Problem *problem;
} Extrapolation;

static void lift_bodies(void *context, size_t piece) {
    const Extrapolation *e = context;
    Problem *p = e->problem;
    size_t end = scr_piece_end(p->bodies, piece);
    for (size_t i = scr_piece_begin(p->bodies, piece); i < end; i++) {
        momentum_lift(e->momentum->rows.beta, e->momentum->velocity + 6 * i, &p->body[i].v.x, 6);
    }
}

static double equivalent(int run) {
    return scr_max(run, 0.25 * (run + 1.0) * (run + 1.0));
}

double scr_momentum_equivalent(const Momentum *m) {
    return m->equivalent + equivalent(m->run);
}

static void begin_anew(Momentum *m, double theta) {
    m->equivalent += equivalent(m->run);
    m->theta = scr_max(1, theta);
    m->rows.beta = m->least = 0;
    m->run = 0;
}

/* Whether the last thirty sweeps have gained nothing. While contacts creep there are no cycles. */
static bool is_cycling(Momentum *m, double change) {
    m->best = scr_min(m->best, change);
    if (++m->window < WINDOW) {
        return false;
    }
    bool cycling = m->best >= m->best_then && m->creep_per_change == 0;
    m->best_then = cycling ? INFINITY : m->best;
    m->best = INFINITY;
    m->window = 0;
    return cycling;
}

/* Chooses beta for the next sweep. */
static void weigh(Momentum *m, double change, MomentumPace pace) {
    const double beta = m->rows.beta;
    const bool rests = pace == MOMENTUM_RESTS;
    bool cycling = is_cycling(m, change);
    bool against = beta > 0 && m->square + change / 3 < beta * beta * m->before;
    bool waves = m->least > 0 && change > 8 * m->least && m->run > 3;
    m->before = m->square;
    m->run++;
    if (rests || cycling || against || waves) {
        begin_anew(m, rests || cycling ? 1 : 0.5 * m->theta);
        return;
    }
    m->least = m->least > 0 ? scr_min(m->least, change) : change;
    if (pace == MOMENTUM_PAUSES) {
        m->rows.beta = 0;
        return;
    }
    double next = 0.5 * (1 + sqrt(1 + 4 * m->theta * m->theta));
    m->rows.beta = (m->theta - 1) / next;
    m->theta = next;
}

void scr_momentum_extrapolate(Momentum *m, Problem *p, double change, MomentumPace pace,
                              Threads *threads) {
    weigh(m, change, pace);
    m->rows.creep = scr_min(creep_growth * m->rows.creep, creep_now(m) * sqrt(change));
    if (p->cell != NULL) {
        momentum_lift(m->rows.beta, &m->rate.m[0][0], &p->cell->rate.m[0][0], 9);
    }
    if (m->device != NULL) {
        scr_device_lift(m->device, m->rows.beta);
        return;
    }
    Extrapolation e = {m, p};
    scr_threads_loop(threads, scr_pieces(p->bodies), lift_bodies, &e);
}

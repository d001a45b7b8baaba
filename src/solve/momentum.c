#include "solve/momentum.h"

#include <string.h>

enum { WINDOW = 30 };

size_t scr_momentum_bytes(const Problem *p) {
    size_t row = 4 * sizeof(double) + (p->law_of != NULL ? sizeof(Vec3) : 0);
    return p->rows * row + p->bodies * 6 * sizeof(double);
}

void scr_momentum_begin(Momentum *m, const Problem *p, void *memory) {
    *m = (Momentum){.theta = 1, .best = INFINITY, .best_then = INFINITY};
    m->rows.before = memory;
    m->velocity = m->rows.before + 4 * p->rows;
    m->rows.torque = p->law_of != NULL ? (Vec3 *)(m->velocity + 6 * p->bodies) : NULL;
    /* what the first sweep, with beta = 0, reads and overwrites must be numbers */
    memset(m->rows.before, 0, 4 * p->rows * sizeof(double));
    if (m->rows.torque != NULL) {
        memset(m->rows.torque, 0, p->rows * sizeof(Vec3));
    }
    for (size_t i = 0; i < p->bodies; i++) {
        memcpy(m->velocity + 6 * i, &p->body[i].v, 6 * sizeof(double));
    }
}

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
    return fmax(run, 0.25 * (run + 1.0) * (run + 1.0));
}

double scr_momentum_equivalent(const Momentum *m) {
    return m->equivalent + equivalent(m->run);
}

static void begin_anew(Momentum *m, double theta) {
    m->equivalent += equivalent(m->run);
    m->theta = fmax(1, theta);
    m->rows.beta = m->least = 0;
    m->run = 0;
}

/* Whether the last thirty sweeps have brought nothing. */
static bool is_cycling(Momentum *m, double change) {
    m->best = fmin(m->best, change);
    if (++m->window < WINDOW) {
        return false;
    }
    bool cycling = m->best >= m->best_then;
    m->best_then = cycling ? INFINITY : m->best;
    m->best = INFINITY;
    m->window = 0;
    return cycling;
}

/* Chooses beta for the next sweep. */
static void weigh(Momentum *m, double change, bool rests) {
    const double beta = m->rows.beta;
    bool cycling = is_cycling(m, change);
    bool against = beta > 0 && m->square + change / 3 < beta * beta * m->before;
    bool waves = m->least > 0 && change > 8 * m->least && m->run > 3;
    m->before = m->square;
    m->run++;
    if (rests || cycling || against || waves) {
        begin_anew(m, rests || cycling ? 1 : 0.5 * m->theta);
        return;
    }
    double next = 0.5 * (1 + sqrt(1 + 4 * m->theta * m->theta));
    m->rows.beta = (m->theta - 1) / next;
    m->theta = next;
    m->least = m->least > 0 ? fmin(m->least, change) : change;
}

void scr_momentum_go_on(Momentum *m, Problem *p, double change, bool rests, Threads *threads) {
    weigh(m, change, rests);
    Extrapolation e = {m, p};
    scr_threads_loop(threads, scr_pieces(p->bodies), lift_bodies, &e);
}

#include "bench/parts.h"

#include "base/clock.h"
#include "bench/rocks.h"
#include "sweep/packets.h"
#include "sweep/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SETTLING = 100, STEPS = 12, SWEEPS = 20 };

/* Processor time of an update, the best of several steps. */
typedef struct Times {
    double packets, single; /* of general rows, in packets and one by one in the same order */
    double round;           /* in packets, if the bodies were round: what to compare with */
} Times;

static double time_sweeps(Problem *p, SweepOrder order, int sweeps) {
    double begin = scr_thread_seconds();
    for (int k = 0; k < sweeps; k++) {
        scr_sweep(p, order, NULL);
    }
    return (scr_thread_seconds() - begin) / sweeps / (double)p->rows;
}

/* The first sweep brings everything into the cache. */
static double time_packets(Problem *p, const Order *stored) {
    const SweepOrder order = {.stored = stored, .columns = true};
    scr_rows_to_columns(p, stored, NULL);
    scr_sweep(p, order, NULL);
    double seconds = time_sweeps(p, order, SWEEPS);
    scr_rows_to_records(p, stored, NULL);
    return seconds;
}

/* The same rows and bodies, copied into `round`, without arms and tensors. */
static void make_round(const Problem *p, Problem *round) {
    memcpy(round->row, p->row, p->rows * sizeof *p->row);
    memcpy(round->body, p->body, p->bodies * sizeof *p->body);
    for (size_t i = 0; i < p->rows; i++) {
        scr_row_complete(round, &round->row[i]);
    }
}

/* Each step draws a new order, as a simulation does, so that contacts that slide are together. */
static bool time_steps(Rocks *rocks, Problem *round, Times *best) {
    *best = (Times){INFINITY, INFINITY, INFINITY};
    for (int step = 0; step < STEPS; step++) {
        if (!rocks_order(rocks, (uint64_t)step)) {
            return false;
        }
        Problem *p = &rocks->problem;
        make_round(p, round);
        best->round = fmin(best->round, time_packets(round, &rocks->order));
        best->packets = fmin(best->packets, time_packets(p, &rocks->order));
        best->single = fmin(best->single, time_sweeps(p, (SweepOrder){.stored = NULL}, 2));
    }
    return true;
}

static double share_of(const Problem *p, bool open) {
    size_t count = 0;
    for (size_t i = 0; i < p->rows; i++) {
        const Row *r = &p->row[i];
        double limit = r->mu * r->rn * (1 - 1e-9);
        count += open ? r->rn == 0 : r->rn > 0 && dot(r->rt, r->rt) >= limit * limit;
    }
    return 100 * (double)count / (double)p->rows;
}

/* The keys and texts of one case. */
typedef struct RowCase {
    double mu;
    const char *key[5], *text[5];
} RowCase;

static bool bench_case(const RowCase *c, int across, Results *r) {
    Rocks rocks;
    Times best;
    const RockKind kind = {.across = across, .mu = c->mu, .slender = 3, .seed = 1};
    bool ok = rocks_make(&kind, &rocks) && rocks_order(&rocks, UINT64_MAX);
    Problem *p = &rocks.problem, round = {.dimension = 3, .rows = p->rows, .bodies = p->bodies};
    round.row = malloc(p->rows * sizeof *p->row + 1);
    round.body = malloc(p->bodies * sizeof *p->body + 1);
    ok = ok && round.row != NULL && round.body != NULL;
    for (int k = 0; ok && k < SETTLING; k++) {
        scr_sweep(p, (SweepOrder){.stored = &rocks.order}, NULL);
    }
    ok = ok && time_steps(&rocks, &round, &best);
    if (ok) {
        bench_note(r, c->key[0], c->text[0], "%", share_of(p, false));
        bench_note(r, c->key[1], c->text[1], "%", share_of(p, true));
        bench_note(r, c->key[2], c->text[2], "ns", 1e9 * best.packets);
        bench_note(r, c->key[3], c->text[3], "ns", 1e9 * best.single);
        bench_note(r, c->key[4], c->text[4], "ns", 1e9 * best.round);
    }
    free(round.row);
    free(round.body);
    rocks_free(&rocks);
    return ok;
}

/* An update reads a row and a general row, of which seven numbers are not needed, and writes back 32
 * bytes of impulses. The bodies of a box and their tensors stay in the cache. */
static void note_limit(Results *r) {
    double read = (double)(sizeof(Row) + sizeof(GeneralRow) - 7 * sizeof(double)), written = 32;
    for (int i = 0; i < r->count; i++) {
        if (strcmp(r->number[i].key, "bandwidth_gb_s") == 0) {
            bench_note(r, "rows_limit_ns", "what bandwidth alone would allow per general row", "ns",
                       (read + written) / r->number[i].value);
        }
    }
}

static const RowCase row_cases[] = {
    {3,
     {"rows_rest_sliding", "rows_rest_open", "rows_rest_update_ns", "rows_rest_single_ns",
      "rows_rest_round_ns"},
     {"rocks with much friction: contact points that slide", "that are open",
      "update of a general row, in packets", "one by one", "in packets, if they were spheres"}},
    {0.5,
     {"rows_flow_sliding", "rows_flow_open", "rows_flow_update_ns", "rows_flow_single_ns",
      "rows_flow_round_ns"},
     {"rocks that give way: contact points that slide", "that are open",
      "update of a general row, in packets", "one by one", "in packets, if they were spheres"}},
};

bool bench_rows(bool quick, Results *r) {
    note_limit(r);
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof row_cases / sizeof *row_cases; i++) {
        ok = bench_case(&row_cases[i], quick ? 8 : 14, r);
    }
    return ok;
}

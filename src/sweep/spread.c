#include "sweep/spread.h"

#include "math/reduce.h"
#include "sweep/split.h"

#include <string.h>

enum { BODY_NUMBERS = 6, SPLIT_SUMS = 6 };

/* ---------------------------------------------------------------- what is sent */

/* By group in the order of visit: who has a body then, and the others that have it at any time. */
typedef struct Posting {
    Domain *domain;
    const SpreadInput *in;
    int32_t parity[DOMAIN_GROUPS];
    bool writes;
    size_t *out_next, *in_next; /* [processes] */
} Posting;

static bool passes(const uint16_t uses[DOMAIN_GROUPS], int32_t rank) {
    bool mine = false, others = false;
    for (int g = 0; g < DOMAIN_GROUPS; g++) {
        mine = mine || uses[g] == rank + 1;
        others = others || (uses[g] > 0 && uses[g] != rank + 1);
    }
    return mine && others;
}

/* To each process once, though it may have the body in several parities. */
static bool is_first(const uint16_t uses[DOMAIN_GROUPS], int k) {
    for (int j = 0; j < k; j++) {
        if (uses[j] == uses[k]) {
            return false;
        }
    }
    return true;
}

static void note_out(Posting *x, DomainPost *post, const uint16_t uses[DOMAIN_GROUPS],
                     int32_t body) {
    for (int k = 0; k < DOMAIN_GROUPS; k++) {
        const int32_t to = uses[k] - 1;
        if (to < 0 || to == x->in->with->rank || !is_first(uses, k)) {
            continue;
        }
        if (x->writes) {
            x->domain->out_body[x->out_next[to]++] = body;
        } else {
            post->out[to]++;
        }
    }
}

static void note_in(Posting *x, DomainPost *post, int32_t from, int32_t body) {
    if (x->writes) {
        x->domain->in_body[x->in_next[from]++] = body;
    } else {
        post->in[from]++;
    }
}

static void note_group(Posting *x, size_t group, const int32_t *shared, size_t count) {
    DomainPost *post = &x->domain->post[group];
    for (size_t i = 0; i < count; i++) {
        const uint16_t *uses = x->in->uses[shared[i]];
        const int32_t has = uses[x->parity[group]] - 1;
        if (has == x->in->with->rank) {
            note_out(x, post, uses, shared[i]);
        } else if (has >= 0) {
            note_in(x, post, has, shared[i]);
        }
    }
}

static void begin_writing(Posting *x, const DomainPost *post) {
    size_t out = post->out_first, in = post->in_first;
    for (int p = 0; p < x->in->with->count; p++) {
        x->out_next[p] = out;
        x->in_next[p] = in;
        out += post->out[p];
        in += post->in[p];
    }
}

static bool reserve_post(Domain *s, int processes) {
    size_t out = 0, in = 0, most = 0;
    for (size_t g = 0; g < DOMAIN_GROUPS; g++) {
        size_t now_out = 0, now_in = 0;
        s->post[g].out_first = out;
        s->post[g].in_first = in;
        for (int k = 0; k < processes; k++) {
            now_out += s->post[g].out[k];
            now_in += s->post[g].in[k];
        }
        out += now_out;
        in += now_in;
        most = now_out + now_in > most ? now_out + now_in : most;
    }
    return SCR_RESERVE(s, out_body, out + 1) && SCR_RESERVE(s, in_body, in + 1) &&
           SCR_RESERVE(s, buffer, BODY_NUMBERS * most + 1);
}

static bool plan_post(Domain *s, const SpreadInput *in) {
    if (!SCR_RESERVE(s, own, in->bodies + 1) || !scr_domain_reserve_post(s, in->with->count)) {
        return false;
    }
    const size_t n = (size_t)in->with->count;
    Posting x = {.domain = s, .in = in, .out_next = s->count + 2 * n, .in_next = s->count + 3 * n};
    size_t count = 0;
    int32_t *shared = s->own_block.data;
    for (size_t i = 0; i < in->bodies; i++) {
        const int32_t rank = in->rank[in->by_name[i]];
        shared[count] = rank;
        count += passes(in->uses[rank], in->with->rank);
    }
    scr_parity_order(in->key, x.parity);
    for (size_t g = 0; g < DOMAIN_GROUPS; g++) {
        note_group(&x, g, shared, count);
    }
    if (!reserve_post(s, in->with->count)) {
        return false;
    }
    x.writes = true;
    for (size_t g = 0; g < DOMAIN_GROUPS; g++) {
        begin_writing(&x, &s->post[g]);
        note_group(&x, g, shared, count);
    }
    return true;
}

/* ---------------------------------------------------------------- split bodies */

/* Of this process. */
static size_t boxes_of(const Order *order, size_t group) {
    return (size_t)order->group_end[group] - (group > 0 ? (size_t)order->group_end[group - 1] : 0);
}

size_t scr_boxes_among(const Order *order, size_t group) {
    const Domain *s = order->spread;
    return s != NULL ? (size_t)s->among[DOMAIN_GROUPS * s->splits + 2 + group]
                     : boxes_of(order, group);
}

void scr_gather_cell(CellBody *cell, const Order *order, size_t group) {
    enum { NUMBERS = 9 };
    const size_t among = scr_boxes_among(order, group), boxes = boxes_of(order, group);
    const size_t first = (size_t)order->group_end[group] - boxes;
    ExactSum sum[NUMBERS];
    if (!(cell->inverse_mass > 0) || among == 0) {
        return;
    }
    for (size_t k = 0; k < NUMBERS; k++) {
        scr_exact_clear(&sum[k]);
        for (size_t i = 0; i < boxes; i++) {
            scr_exact_add(&sum[k],
                          order->cell_rate[9 * (first + i) + k] - cell->rate.m[k / 3][k % 3]);
        }
    }
    scr_sum_over_processes(order->spread != NULL ? order->spread->with : NULL, sum, NUMBERS);
    for (size_t k = 0; k < NUMBERS; k++) {
        cell->rate.m[k / 3][k % 3] += scr_exact_total(&sum[k]) / (double)among;
    }
}

/* How many copies each has in a group, in all processes; and how many boxes and rows there are. */
static bool count_all(Domain *s, Order *order, const SpreadInput *in, size_t rows) {
    const size_t n = in->splits, numbers = DOMAIN_GROUPS * n;
    const size_t all = numbers + 2 + DOMAIN_GROUPS;
    if (!SCR_RESERVE(s, split, n + 1) || !SCR_RESERVE(s, among, all) ||
        !SCR_RESERVE(s, sum, SPLIT_SUMS * n + 1)) {
        return false;
    }
    s->splits = n;
    memcpy(s->split, in->split, n * sizeof *s->split);
    memset(s->among, 0, all * sizeof *s->among);
    s->among[numbers] = (int64_t)order->boxes;
    s->among[numbers + 1] = (int64_t)rows;
    for (size_t g = 0; g < order->groups; g++) {
        s->among[numbers + 2 + g] = (int64_t)boxes_of(order, g);
        const CopyRange range = scr_copies_of(order, g);
        for (size_t k = range.first; k < range.end; k++) {
            for (size_t i = 0; i < n; i++) {
                s->among[g * n + i] += order->copy[k].body == s->split[i];
            }
        }
    }
    scr_count_over_processes(in->with, s->among, all);
    for (size_t g = 0; g < order->groups; g++) {
        const CopyRange range = scr_copies_of(order, g);
        for (size_t k = range.first; k < range.end; k++) {
            for (size_t i = 0; i < n; i++) {
                if (order->copy[k].body == s->split[i]) {
                    order->copy[k].among = (int32_t)s->among[g * n + i];
                }
            }
        }
    }
    return true;
}

static size_t add_changes(const Domain *s, const Problem *p, const Order *order, size_t group) {
    const CopyRange range = scr_copies_of(order, group);
    size_t used = 0;
    for (size_t i = 0; i < s->splits; i++) {
        if (s->among[group * s->splits + i] == 0) {
            continue;
        }
        ExactSum *sum = s->sum + SPLIT_SUMS * used++;
        memset(sum, 0, SPLIT_SUMS * sizeof *sum);
        for (size_t k = range.first; k < range.end; k++) {
            if (order->copy[k].body == s->split[i]) {
                scr_add_change(scr_copy(p, order, k), &p->body[s->split[i]], sum);
            }
        }
    }
    return used;
}

void scr_gather_spread(const Domain *s, const Problem *p, const Order *order, size_t group) {
    const size_t used = add_changes(s, p, order, group);
    scr_sum_over_processes(s->with, s->sum, SPLIT_SUMS * used);
    ExactSum *sum = s->sum;
    for (size_t i = 0; i < s->splits; i++) {
        const int64_t among = s->among[group * s->splits + i];
        if (among == 0) {
            continue;
        }
        ProblemBody *body = &p->body[s->split[i]];
        double part = 1 / (double)among, total[SPLIT_SUMS];
        for (int k = 0; k < SPLIT_SUMS; k++) {
            total[k] = scr_exact_total(sum++);
        }
        body->v = add_scaled(body->v, part, vec3(total[0], total[1], total[2]));
        body->s = add_scaled(body->s, part, vec3(total[3], total[4], total[5]));
    }
}

/* ---------------------------------------------------------------- all together */

static bool list_boxes(Domain *s, const Order *order) {
    const size_t parts = order->boxes > SCR_MOST_PIECES ? order->boxes : SCR_MOST_PIECES;
    if (!SCR_RESERVE(s, mine, parts) || !SCR_RESERVE(s, own, order->boxes + 1)) {
        return false;
    }
    memset(s->mine, 1, parts);
    for (size_t b = 0; b < order->boxes; b++) {
        s->own[b] = (int32_t)b;
    }
    for (size_t g = 0; g < order->groups; g++) {
        s->own_end[g] = (size_t)order->group_end[g];
    }
    return true;
}

bool scr_spread_make(Domain *s, Problem *p, Order *order, const SpreadInput *in) {
    s->with = in->with;
    s->spread = true;
    if (!plan_post(s, in) || !count_all(s, order, in, p->rows) || !list_boxes(s, order)) {
        return false;
    }
    const size_t numbers = DOMAIN_GROUPS * in->splits;
    p->processes = in->with;
    p->part_mine = s->mine;
    p->spread = true;
    p->parts = s->among[numbers] > 1 ? order->boxes : 0;
    p->rows_elsewhere = (size_t)s->among[numbers + 1] - p->rows;
    order->spread = s;
    return true;
}

#include "sweep/domain.h"

#include "sweep/split.h"
#include "sweep/walls.h"

#include <stdlib.h>
#include <string.h>

/* Velocities of a body; impulses and torques of a row. */
enum { BODY_NUMBERS = 6, ROW_NUMBERS = 4, LAW_NUMBERS = 8 };

/* ---------------------------------------------------------------- who has which box */

typedef struct BoxItem {
    uint32_t at[3]; /* place in the grid */
    int32_t box;
    size_t rows;
} BoxItem;

static int order_of(const BoxItem *x, const BoxItem *y, int axis) {
    if (x->at[axis] != y->at[axis]) {
        return x->at[axis] < y->at[axis] ? -1 : 1;
    }
    return x->box < y->box ? -1 : x->box > y->box;
}

static int along_x(const void *x, const void *y) {
    return order_of(x, y, 0);
}

static int along_y(const void *x, const void *y) {
    return order_of(x, y, 1);
}

static int along_z(const void *x, const void *y) {
    return order_of(x, y, 2);
}

static int longest_axis(const BoxItem *item, size_t count) {
    uint32_t longest = 0;
    int best = 0;
    for (int axis = 0; axis < 3; axis++) {
        uint32_t low = UINT32_MAX, high = 0;
        for (size_t i = 0; i < count; i++) {
            low = item[i].at[axis] < low ? item[i].at[axis] : low;
            high = item[i].at[axis] > high ? item[i].at[axis] : high;
        }
        if (count > 0 && high - low > longest) {
            longest = high - low;
            best = axis;
        }
    }
    return best;
}

/* Gives boxes to processes first .. first + processes - 1. */
static void cut_in_two(BoxItem *item, size_t count, int first, int processes, uint8_t *owner) {
    static int (*const along[3])(const void *, const void *) = {along_x, along_y, along_z};
    if (processes == 1) {
        for (size_t i = 0; i < count; i++) {
            owner[item[i].box] = (uint8_t)first;
        }
        return;
    }
    size_t all = 0, taken = 0, cut = 0;
    const int lower = processes / 2;
    qsort(item, count, sizeof *item, along[longest_axis(item, count)]);
    for (size_t i = 0; i < count; i++) {
        all += item[i].rows;
    }
    const size_t wanted = all * (size_t)lower / (size_t)processes;
    for (; cut < count && taken + item[cut].rows / 2 < wanted; cut++) {
        taken += item[cut].rows;
    }
    cut_in_two(item, cut, first, lower, owner);
    cut_in_two(item + cut, count - cut, first + lower, processes - lower, owner);
}

/* So many have a bit for each body; where there are more processes, these are the ones that sweep. */
enum { MOST_OWNERS = 64 };

/* Whether a process has a body in a row. All have copies of split ones, whether they sweep or not. */
static bool has_body(uint64_t users, int process) {
    return process < MOST_OWNERS ? (users >> process & 1) != 0 : users == UINT64_MAX;
}

static size_t first_row(const Order *order, size_t box) {
    return box > 0 ? (size_t)order->row_end[box - 1] : 0;
}

static bool give_boxes(Domain *s, const Order *order) {
    if (!SCR_RESERVE(s, owner, order->boxes) || !SCR_RESERVE(s, mine, order->boxes) ||
        !SCR_RESERVE(s, own, order->boxes) ||
        !scr_block_reserve(&s->item_block, order->boxes, sizeof(BoxItem), 0)) {
        return false;
    }
    BoxItem *item = s->item_block.data;
    const uint32_t *n = order->grid;
    for (size_t b = 0; b < order->boxes; b++) {
        uint32_t at = order->place[b];
        item[b] = (BoxItem){{at % n[0], at / n[0] % n[1], at / n[0] / n[1]},
                            (int32_t)b,
                            (size_t)order->row_end[b] - first_row(order, b)};
    }
    const int owners = s->with->count < MOST_OWNERS ? s->with->count : MOST_OWNERS;
    cut_in_two(item, order->boxes, 0, owners, s->owner);
    size_t own = 0, box = 0;
    for (size_t g = 0; g < order->groups; g++) {
        for (; box < (size_t)order->group_end[g]; box++) {
            s->mine[box] = s->owner[box] == s->with->rank;
            s->own[own] = (int32_t)box;
            own += s->mine[box];
        }
        s->own_end[g] = own;
    }
    return true;
}

/* ---------------------------------------------------------------- what is sent */

/* Whether a body of a row passes between processes: not a wall, and not a copy. */
static bool passes(const Problem *p, const Order *order, Walls walls, int32_t body) {
    return !is_wall(walls, body) && (size_t)body < p->bodies - order->copies;
}

static void note_users(Domain *s, const Problem *p, const Order *order, Walls walls) {
    memset(s->users, 0, p->bodies * sizeof *s->users);
    for (size_t b = 0; b < order->boxes; b++) {
        const uint64_t bit = UINT64_C(1) << s->owner[b];
        for (size_t i = first_row(order, b); i < (size_t)order->row_end[b]; i++) {
            const Row *r = &p->row[i];
            s->users[r->a] |= passes(p, order, walls, r->a) ? bit : 0;
            s->users[r->b] |= passes(p, order, walls, r->b) ? bit : 0;
        }
    }
    for (size_t k = 0; k < order->copies; k++) { /* all processes have those */
        s->users[p->bodies - order->copies + k] = UINT64_MAX;
    }
}

bool scr_domain_reserve_post(Domain *s, int32_t processes) {
    const size_t n = (size_t)processes, all = (4 + 2 * DOMAIN_GROUPS) * n;
    if (!SCR_RESERVE(s, count, all)) {
        return false;
    }
    memset(s->count, 0, all * sizeof *s->count);
    for (size_t g = 0; g < DOMAIN_GROUPS; g++) {
        size_t *first = s->count + (4 + 2 * g) * n;
        s->post[g] = (DomainPost){.out = first, .in = first + n};
    }
    return true;
}

/* One pass over the rows counts, a second one writes; both sides go through them in the same order. */
typedef struct Posting {
    Domain *domain;
    int32_t *stamp; /* [bodies] group in which it was noted last, from 1 */
    bool writes;
    size_t *out_next, *in_next; /* [processes] */
} Posting;

static void note_body(Posting *x, size_t group, int owner, int32_t body) {
    Domain *s = x->domain;
    const int rank = s->with->rank, count = s->with->count;
    if (s->users[body] == 0 || x->stamp[body] == (int32_t)group + 1) {
        return;
    }
    x->stamp[body] = (int32_t)group + 1;
    DomainPost *post = &s->post[group];
    for (int p = 0; owner == rank && p < count; p++) {
        if (p != rank && has_body(s->users[body], p)) {
            if (x->writes) {
                s->out_body[x->out_next[p]++] = body;
            } else {
                post->out[p]++;
            }
        }
    }
    if (owner != rank && has_body(s->users[body], rank)) {
        if (x->writes) {
            s->in_body[x->in_next[owner]++] = body;
        } else {
            post->in[owner]++;
        }
    }
}

static void note_group(Posting *x, const Problem *p, const Order *order, size_t group) {
    const size_t first = group > 0 ? (size_t)order->group_end[group - 1] : 0;
    for (size_t b = first; b < (size_t)order->group_end[group]; b++) {
        for (size_t i = first_row(order, b); i < (size_t)order->row_end[b]; i++) {
            note_body(x, group, x->domain->owner[b], p->row[i].a);
            note_body(x, group, x->domain->owner[b], p->row[i].b);
        }
    }
}

/* Where each process begins in the lists of a group. */
static void begin_writing(Posting *x, size_t group) {
    const DomainPost *post = &x->domain->post[group];
    size_t out = post->out_first, in = post->in_first;
    for (int p = 0; p < x->domain->with->count; p++) {
        x->out_next[p] = out;
        x->in_next[p] = in;
        out += post->out[p];
        in += post->in[p];
    }
}

static bool reserve_post(Domain *s, const Problem *p, size_t groups) {
    size_t out = 0, in = 0, most = 0;
    for (size_t g = 0; g < groups; g++) {
        size_t now_out = 0, now_in = 0;
        s->post[g].out_first = out;
        s->post[g].in_first = in;
        for (int k = 0; k < s->with->count; k++) {
            now_out += s->post[g].out[k];
            now_in += s->post[g].in[k];
        }
        out += now_out;
        in += now_in;
        most = now_out + now_in > most ? now_out + now_in : most;
    }
    size_t row = p->law_of != NULL ? LAW_NUMBERS : ROW_NUMBERS;
    size_t all = 2 * (p->rows * row + p->bodies * BODY_NUMBERS); /* for scr_domain_collect */
    size_t numbers = BODY_NUMBERS * most > all ? BODY_NUMBERS * most : all;
    return SCR_RESERVE(s, out_body, out + 1) && SCR_RESERVE(s, in_body, in + 1) &&
           SCR_RESERVE(s, buffer, numbers + 1);
}

static bool plan_post(Domain *s, const Problem *p, const Order *order) {
    if (!SCR_RESERVE(s, users, p->bodies) ||
        !scr_block_reserve(&s->stamp_block, p->bodies, sizeof(int32_t), 0) ||
        !scr_domain_reserve_post(s, s->with->count)) {
        return false;
    }
    const size_t n = (size_t)s->with->count;
    Posting x = {.domain = s,
                 .stamp = s->stamp_block.data,
                 .out_next = s->count + 2 * n,
                 .in_next = s->count + 3 * n};
    note_users(s, p, order, walls_of(p, order));
    memset(x.stamp, 0, p->bodies * sizeof *x.stamp);
    for (size_t g = 0; g < order->groups; g++) {
        note_group(&x, p, order, g);
    }
    if (!reserve_post(s, p, order->groups)) {
        return false;
    }
    x.writes = true;
    memset(x.stamp, 0, p->bodies * sizeof *x.stamp);
    for (size_t g = 0; g < order->groups; g++) {
        begin_writing(&x, g);
        note_group(&x, p, order, g);
    }
    return true;
}

bool scr_domain_make(Domain *s, Problem *p, const Order *order, const ScreeProcesses *processes) {
    s->with = NULL;
    s->spread = false;
    p->processes = NULL;
    if (processes == NULL || processes->count < 2 || order == NULL || p->parts < 2 || p->twos > 0 ||
        p->cell != NULL) {
        return true;
    }
    s->with = processes;
    if (!give_boxes(s, order) || !plan_post(s, p, order)) {
        s->with = NULL;
        return false;
    }
    p->processes = processes;
    p->part_mine = s->mine;
    return true;
}

/* ---------------------------------------------------------------- sending */

static void pack(const ProblemBody *body, double *to) {
    memcpy(to, &body->v, 3 * sizeof *to);
    memcpy(to + 3, &body->s, 3 * sizeof *to);
}

static void unpack(const double *from, ProblemBody *body) {
    memcpy(&body->v, from, 3 * sizeof *from);
    memcpy(&body->s, from + 3, 3 * sizeof *from);
}

void scr_domain_exchange(const Domain *s, const Problem *p, size_t group) {
    const DomainPost *post = &s->post[group];
    size_t *out_count = s->count, *in_count = out_count + s->with->count, out = 0, in = 0;
    for (int k = 0; k < s->with->count; k++) {
        out_count[k] = BODY_NUMBERS * post->out[k];
        in_count[k] = BODY_NUMBERS * post->in[k];
        out += post->out[k];
        in += post->in[k];
    }
    double *from = s->buffer + BODY_NUMBERS * out;
    for (size_t i = 0; i < out; i++) {
        pack(&p->body[s->out_body[post->out_first + i]], s->buffer + BODY_NUMBERS * i);
    }
    s->with->exchange(s->with->context, s->buffer, out_count, from, in_count);
    for (size_t i = 0; i < in; i++) {
        unpack(from + BODY_NUMBERS * i, &p->body[s->in_body[post->in_first + i]]);
    }
}

/* ---------------------------------------------------------------- the end */

/* A body's velocities come from the first of its users. */
static int teller_of(uint64_t users) {
    return __builtin_ctzll(users);
}

static bool is_told(const Problem *p, const Order *order, const Domain *s, size_t body) {
    return body < p->bodies - order->copies && s->users[body] != 0;
}

/* Reads or writes the numbers of all rows that a process has; returns where they end. */
static double *pass_rows(const Domain *s, Problem *p, const Order *order, int process, double *at,
                         bool write) {
    for (size_t b = 0; b < order->boxes; b++) {
        for (size_t i = first_row(order, b);
             s->owner[b] == process && i < (size_t)order->row_end[b]; i++) {
            LawRow *l = scr_law_row(p, i);
            double *row = &p->row[i].rn;
            memcpy(write ? at : row, write ? row : at, ROW_NUMBERS * sizeof *at);
            at += ROW_NUMBERS;
            if (l != NULL) {
                double *torque = &l->torque.roll.x;
                memcpy(write ? at : torque, write ? torque : at, ROW_NUMBERS * sizeof *at);
                at += ROW_NUMBERS;
            }
        }
    }
    return at;
}

static double *pass_bodies(const Domain *s, const Problem *p, const Order *order, int process,
                           double *at, bool write) {
    for (size_t i = 0; i < p->bodies; i++) {
        if (is_told(p, order, s, i) && teller_of(s->users[i]) == process) {
            if (write) {
                pack(&p->body[i], at);
            } else {
                unpack(at, &p->body[i]);
            }
            at += BODY_NUMBERS;
        }
    }
    return at;
}

static void count_numbers(const Domain *s, const Problem *p, const Order *order, size_t *count) {
    memset(count, 0, (size_t)s->with->count * sizeof *count);
    for (size_t b = 0; b < order->boxes; b++) {
        for (size_t i = first_row(order, b); i < (size_t)order->row_end[b]; i++) {
            count[s->owner[b]] += scr_law_row(p, i) != NULL ? LAW_NUMBERS : ROW_NUMBERS;
        }
    }
    for (size_t i = 0; i < p->bodies; i++) {
        if (is_told(p, order, s, i)) {
            count[teller_of(s->users[i])] += BODY_NUMBERS;
        }
    }
}

void scr_domain_collect(const Domain *s, Problem *p, const Order *order) {
    size_t *count = s->count;
    const int rank = s->with->rank;
    count_numbers(s, p, order, count);
    double *all = s->buffer + count[rank], *at = all;
    (void)pass_bodies(s, p, order, rank, pass_rows(s, p, order, rank, s->buffer, true), true);
    s->with->gather(s->with->context, s->buffer, all, count);
    for (int k = 0; k < s->with->count; k++) {
        at = pass_rows(s, p, order, k, at, false);
        at = pass_bodies(s, p, order, k, at, false);
    }
    scr_share_all(p, order);
    p->processes = NULL;
}

void scr_domain_free(Domain *s) {
    SCR_FREE_BLOCKS(&s->owner_block, &s->mine_block, &s->own_block, &s->out_body_block,
                    &s->in_body_block, &s->users_block, &s->buffer_block, &s->item_block,
                    &s->stamp_block, &s->count_block, &s->split_block, &s->among_block,
                    &s->sum_block);
    *s = (Domain){0};
}

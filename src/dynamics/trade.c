#include "dynamics/trade.h"

#include <string.h>

void scr_trade_begin(Trade *t, size_t size) {
    t->size = size;
    t->count = t->received = 0;
}

double *scr_trade_add(Trade *t, int32_t to) {
    if (!SCR_RESERVE_KEEPING(t, to, t->count + 1, t->count) ||
        !SCR_RESERVE_KEEPING(t, out, (t->count + 1) * t->size, t->count * t->size)) {
        return NULL;
    }
    t->to[t->count] = to;
    return t->out + t->size * t->count++;
}

static void exchange_records(Trade *t, size_t i, size_t j) {
    double *x = t->out + t->size * i, *y = t->out + t->size * j;
    for (size_t k = 0; k < t->size; k++) {
        const double kept = x[k];
        x[k] = y[k];
        y[k] = kept;
    }
}

/* By process, those of this one last; records to the same one keep their order. In place, since bodies are
 * large: each exchange brings one record to where it belongs. */
static void sort_records(Trade *t, const size_t *count, size_t *next, size_t processes,
                         size_t rank) {
    size_t first = 0;
    for (size_t p = 0; p < processes; p++) {
        next[p] = first;
        first += p != rank ? count[p] / t->size : 0;
    }
    next[rank] = first;
    for (size_t i = 0; i < t->count; i++) {
        t->to[i] = (int32_t)next[t->to[i]]++;
    }
    for (size_t i = 0; i < t->count; i++) {
        while ((size_t)t->to[i] != i) {
            const int32_t j = t->to[i];
            exchange_records(t, i, (size_t)j);
            t->to[i] = t->to[j];
            t->to[j] = j;
        }
    }
}

/* How many numbers each other process will send. */
static void tell_counts(const ScreeProcesses *with, const size_t *out, size_t *in, size_t *one,
                        double *number) {
    const size_t n = (size_t)with->count, rank = (size_t)with->rank;
    size_t k = 0;
    for (size_t p = 0; p < n; p++) {
        one[p] = p != rank;
        number[k] = (double)out[p];
        k += p != rank;
    }
    with->exchange(with->context, number, one, number + n, one);
    k = 0;
    for (size_t p = 0; p < n; p++) {
        in[p] = p != rank ? (size_t)number[n + k] : 0;
        k += p != rank;
    }
}

bool scr_trade_make(Trade *t, const ScreeProcesses *with) {
    const size_t n = (size_t)with->count, rank = (size_t)with->rank;
    if (!SCR_RESERVE(t, counts, 4 * n) || !SCR_RESERVE(t, numbers, 2 * n) ||
        !SCR_RESERVE_KEEPING(t, out, t->count * t->size + 1, t->count * t->size)) {
        return false;
    }
    size_t *out = t->counts, *in = out + n, *next = in + n, *one = next + n, all = 0;
    memset(out, 0, n * sizeof *out);
    for (size_t i = 0; i < t->count; i++) {
        out[t->to[i]] += t->size;
    }
    sort_records(t, out, next, n, rank);
    const size_t kept = out[rank];
    out[rank] = 0;
    tell_counts(with, out, in, one, t->numbers);
    for (size_t p = 0; p < n; p++) {
        all += in[p];
    }
    if (!SCR_RESERVE(t, in, all + kept + 1)) {
        return false;
    }
    with->exchange(with->context, t->out, out, t->in, in);
    if (kept > 0) {
        memcpy(t->in + all, t->out + t->count * t->size - kept, kept * sizeof *t->in);
    }
    t->received = (all + kept) / t->size;
    return true;
}

double *scr_gather_records(const ScreeProcesses *with, const double *own, size_t count, size_t size,
                           size_t *all, Block *block) {
    const size_t n = (size_t)with->count;
    Block counts = {0};
    *all = 0;
    if (!scr_block_reserve(&counts, 3 * n, sizeof(double), 0)) {
        return NULL;
    }
    double mine = (double)count, *numbers = counts.data;
    size_t *each = (size_t *)(void *)(numbers + n);
    for (size_t p = 0; p < n; p++) {
        each[p] = 1;
    }
    with->gather(with->context, &mine, numbers, each);
    for (size_t p = 0; p < n; p++) {
        each[p] = (size_t)numbers[p] * size;
        *all += (size_t)numbers[p];
    }
    bool ok = scr_block_reserve(block, *all * size + 1, sizeof(double), 0);
    if (ok) {
        with->gather(with->context, own, block->data, each);
    }
    scr_block_free(&counts);
    return ok ? block->data : NULL;
}

/* ---------------------------------------------------------------- in rounds */

/* So many records of all processes in a round, but at least one of each. */
enum { ROUND = 1 << 16 };

/* Memory of a round. */
typedef struct RoundRoom {
    size_t each;  /* records of a process, at most */
    double *have; /* [processes] records of each */
    size_t *now;  /* [processes] numbers of each in this round, then in messages */
    double *own, *all;
    Block have_block, now_block, own_block, all_block;
} RoundRoom;

static bool reserve_round(const ScreeProcesses *with, const Rounds *r, RoundRoom *room) {
    const size_t n = (size_t)with->count;
    const bool takes = !r->first || with->rank == 0;
    room->each = ROUND / n + 1;
    return SCR_RESERVE(room, have, n) && SCR_RESERVE(room, now, 2 * n) &&
           SCR_RESERVE(room, own, room->each * r->size) &&
           SCR_RESERVE(room, all, takes ? n * room->each * r->size : 1);
}

static size_t records_now(const RoundRoom *room, size_t process, size_t begin) {
    const size_t have = (size_t)room->have[process];
    const size_t left = have > begin ? have - begin : 0;
    return left < room->each ? left : room->each;
}

/* To the first process; its own records stay in `own`. */
static void send_to_first(const ScreeProcesses *with, RoundRoom *room) {
    const size_t n = (size_t)with->count;
    size_t *out = room->now + n;
    memset(out, 0, n * sizeof *out);
    out[0] = with->rank > 0 ? room->now[with->rank] : 0;
    for (size_t p = 0; p < n; p++) {
        room->now[p] = with->rank == 0 && p > 0 ? room->now[p] : 0;
    }
    with->exchange(with->context, room->own, out, room->all, room->now);
}

static void take_all(const Rounds *r, const double *from, size_t records) {
    for (size_t i = 0; i < records; i++) {
        r->take(r->context, from + r->size * i);
    }
}

static void make_round(const ScreeProcesses *with, const Rounds *r, RoundRoom *room, size_t begin) {
    size_t all = 0;
    const size_t own = records_now(room, (size_t)with->rank, begin);
    for (size_t p = 0; p < (size_t)with->count; p++) {
        const size_t records = records_now(room, p, begin);
        room->now[p] = r->size * records;
        all += records;
    }
    for (size_t i = 0; i < own; i++) {
        r->write(r->context, begin + i, room->own + r->size * i);
    }
    if (!r->first) {
        with->gather(with->context, room->own, room->all, room->now);
        take_all(r, room->all, all);
        return;
    }
    send_to_first(with, room);
    if (with->rank == 0) {
        take_all(r, room->own, own);
        take_all(r, room->all, all - own);
    }
}

bool scr_gather_in_rounds(const ScreeProcesses *with, const Rounds *r) {
    RoundRoom room = {.each = 0};
    const bool ok = reserve_round(with, r, &room);
    if (ok) {
        double most = (double)r->count;
        for (size_t p = 0; p < (size_t)with->count; p++) {
            room.have[p] = 0;
        }
        room.have[with->rank] = (double)r->count;
        with->most(with->context, room.have, (size_t)with->count);
        for (size_t p = 0; p < (size_t)with->count; p++) {
            most = room.have[p] > most ? room.have[p] : most;
        }
        for (size_t begin = 0; begin < (size_t)most; begin += room.each) {
            make_round(with, r, &room, begin);
        }
    }
    SCR_FREE_BLOCKS(&room.have_block, &room.now_block, &room.own_block, &room.all_block);
    return ok;
}

void scr_trade_free(Trade *t) {
    SCR_FREE_BLOCKS(&t->to_block, &t->out_block, &t->in_block, &t->counts_block, &t->numbers_block);
    *t = (Trade){0};
}

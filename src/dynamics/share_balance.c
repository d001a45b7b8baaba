/* Parts of space with as much work in each.
 *
 * Bodies do not all cost the same: those in a pile have contacts, those that fly have none, and a part with
 * many neighbours sees more ghosts. So each process takes the time of its steps, without what it spends in
 * messages and waiting for others; where the most of any is well above the mean, space is cut anew, with
 * each body worth what bodies of its process have cost. Clocks decide who has what, never what is found. */
#include "dynamics/share.h"

#include "base/clock.h"
#include "base/status.h"
#include "math/reduce.h"

/* Cuts are looked at after so many steps, and after twice as many each time that they have been changed;
 * bodies that move to another process, and a new list there, cost about as much as a step. */
enum { FIRST_LOOK = 10, LAST_LOOK = 320 };

/* The most that any process may work, to their mean; what a body may be worth, likewise. */
static const double uneven = 1.15, most_worth = 4;

/* So many bodies of all processes tell where to cut. */
enum { SAMPLE = 1 << 16 };

/* ---------------------------------------------------------------- time in messages */

static void timed_add(void *context, int64_t *number, size_t count) {
    Share *s = context;
    const double begin = scr_seconds();
    s->inner->add(s->inner->context, number, count);
    s->waited += scr_seconds() - begin;
}

static void timed_most(void *context, double *number, size_t count) {
    Share *s = context;
    const double begin = scr_seconds();
    s->inner->most(s->inner->context, number, count);
    s->waited += scr_seconds() - begin;
}

static void timed_exchange(void *context, const double *out, const size_t *out_count, double *in,
                           const size_t *in_count) {
    Share *s = context;
    const double begin = scr_seconds();
    s->inner->exchange(s->inner->context, out, out_count, in, in_count);
    s->waited += scr_seconds() - begin;
}

static void timed_gather(void *context, const double *own, double *all, const size_t *count) {
    Share *s = context;
    const double begin = scr_seconds();
    s->inner->gather(s->inner->context, own, all, count);
    s->waited += scr_seconds() - begin;
}

void scr_share_take_time(Share *s, const ScreeProcesses *with) {
    s->inner = with;
    s->timed = (ScreeProcesses){.rank = with->rank,
                                .count = with->count,
                                .context = s,
                                .add = timed_add,
                                .most = timed_most,
                                .exchange = timed_exchange,
                                .gather = timed_gather};
    s->with = &s->timed;
    s->look_after = s->look_after > 0 ? s->look_after : FIRST_LOOK;
}

void scr_share_begin_step(Share *s) {
    s->waited = 0;
    s->begun = scr_seconds();
}

void scr_share_end_step(Share *s) {
    s->worked += scr_seconds() - s->begun - s->waited;
    s->timed_steps++;
}

/* ---------------------------------------------------------------- new cuts */

/* What a body of each process is worth, to the mean of all; false: all work about as much. */
static bool weigh(const Share *s, double *worth) {
    const size_t n = (size_t)s->with->count;
    double *work = worth, *bodies = worth + n, all_work = 0, all_bodies = 0, most = 0;
    for (size_t p = 0; p < 2 * n; p++) {
        worth[p] = 0;
    }
    work[s->with->rank] = s->worked;
    bodies[s->with->rank] = (double)scr_counted(&s->local);
    scr_most_over_processes(s->with, worth, 2 * n);
    for (size_t p = 0; p < n; p++) {
        all_work += work[p];
        all_bodies += bodies[p];
        most = scr_max(most, work[p]);
    }
    if (!(most * (double)n > uneven * all_work) || !(all_bodies > 0)) {
        return false;
    }
    for (size_t p = 0; p < n; p++) {
        const double one = bodies[p] > 0 ? work[p] / bodies[p] * (all_bodies / all_work) : 1;
        worth[p] = scr_max(1 / most_worth, scr_min(one, most_worth));
    }
    return true;
}

static ScreeStatus cut_anew(Share *s, double worth) {
    enum { NUMBERS = sizeof(TerritoryBody) / sizeof(double) };
    const size_t every = s->names / SAMPLE + 1, own = scr_counted(&s->local);
    size_t count = 0, all = 0;
    if (!scr_block_reserve(&s->sort_block, own / every + 1, sizeof(TerritoryBody), 0)) {
        return SCREE_NO_MEMORY;
    }
    TerritoryBody *sample = s->sort_block.data;
    for (size_t i = 0; i < own; i += every) {
        sample[count++] = (TerritoryBody){s->local.bodies.anchor[i], worth};
    }
    if (scr_gather_records(s->with, (const double *)sample, count, NUMBERS, &all, &s->all_block) ==
        NULL) {
        return SCREE_NO_MEMORY;
    }
    return scr_territory_cut(&s->territory, &s->local.def, s->all_block.data, all, s->with->count)
               ? SCREE_OK
               : SCREE_NO_MEMORY;
}

ScreeStatus scr_share_balance(Share *s, bool *cut) {
    const size_t n = (size_t)s->with->count;
    *cut = false;
    if (s->timed_steps < s->look_after) {
        return SCREE_OK;
    }
    if (!SCR_RESERVE(s, worth, 2 * n)) {
        return SCREE_NO_MEMORY;
    }
    *cut = weigh(s, s->worth);
    s->timed_steps = 0;
    s->worked = 0;
    if (*cut) {
        s->cuts++;
        s->look_after = s->look_after < LAST_LOOK ? 2 * s->look_after : LAST_LOOK;
    }
    return *cut ? cut_anew(s, s->worth[s->with->rank]) : SCREE_OK;
}

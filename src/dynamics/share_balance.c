/* Parts of space with as much work in each.
 *
 * Bodies do not all cost the same: those in a pile have contacts, those that fly have none, and a part with
 * many neighbours sees more ghosts. So each process counts what it does in its steps; where the most of any
 * is well above the mean, space is cut anew, with each body worth what bodies of its process have cost.
 *
 * Clocks would tell more where cores differ, but on a machine that others use they tell of these: cut by
 * clocks, a packing at rest had parts of which one worked 1.7 times as much as the mean. */
#include "dynamics/share.h"

#include "base/status.h"
#include "math/reduce.h"

/* Cuts are looked at after so many steps, and after twice as many each time that they have been changed;
 * bodies that move to another process, and a new list there, cost about as much as a step. */
enum { FIRST_LOOK = 10, LAST_LOOK = 320 };

/* What a body, a pair of the list and a row cost in a step, to the update of a row in a sweep: of the order
 * of what was measured with spheres. */
static const double cost_of_body = 20, cost_of_pair = 2, cost_of_row = 12;

/* The most that any process may work, to their mean; what a body may be worth, likewise. */
static const double uneven = 1.15, most_worth = 4;

/* So many bodies of all processes tell where to cut. */
enum { SAMPLE = 1 << 16 };

void scr_share_count_work(Share *s, size_t pairs, size_t rows, int64_t sweeps) {
    s->worked += cost_of_body * (double)s->local.bodies.count + cost_of_pair * (double)pairs +
                 (cost_of_row + (double)sweeps) * (double)rows;
    s->counted_steps++;
}

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
    s->look_after = s->look_after > 0 ? s->look_after : FIRST_LOOK;
    if (s->counted_steps < s->look_after) {
        return SCREE_OK;
    }
    if (!SCR_RESERVE(s, worth, 2 * n)) {
        return SCREE_NO_MEMORY;
    }
    *cut = weigh(s, s->worth);
    s->counted_steps = 0;
    s->worked = 0;
    if (*cut) {
        s->cuts++;
        s->look_after = s->look_after < LAST_LOOK ? 2 * s->look_after : LAST_LOOK;
    }
    return *cut ? cut_anew(s, s->worth[s->with->rank]) : SCREE_OK;
}

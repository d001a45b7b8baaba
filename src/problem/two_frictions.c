#include "math/reduce.h"
#include "problem/problem.h"

/* Whether friction is fully mobilised, up to rounding. */
static bool slides(const Problem *p, const TwoFriction *t) {
    const Row *r = &p->row[t->row];
    double pressure = scr_row_pressure(p, (size_t)t->row), limit = r->mu * pressure * (1 - 1e-9);
    return pressure > 0 && dot(r->rt, r->rt) >= limit * limit;
}

/* Whether a sliding contact has begun to slide backwards: its velocity has passed through zero,
 * where the static bound holds. */
static bool has_turned_round(const Problem *p, const TwoFriction *t) {
    return dot(scr_row_velocity(p, (size_t)t->row).t, t->before) < 0;
}

size_t scr_settle_frictions(Problem *p) {
    int64_t changed = 0;
    for (size_t i = 0; i < p->twos; i++) {
        TwoFriction *t = &p->two[i];
        if (!slides(p, t)) {
            continue;
        }
        bool turns = !t->holds && !t->turned && has_turned_round(p, t);
        if (t->holds || turns) {
            t->holds = turns;
            t->turned |= turns;
            p->row[t->row].mu = turns ? t->holding : t->sliding;
            changed++;
        }
    }
    scr_count_over_processes(scr_rows_over(p), &changed, 1);
    return (size_t)changed;
}

size_t scr_count_unsettled(const Problem *p) {
    int64_t count = 0;
    if (scr_all_twos(p) == 0) {
        return 0;
    }
    for (size_t i = 0; i < p->twos; i++) {
        count += p->two[i].holds && slides(p, &p->two[i]);
    }
    scr_count_over_processes(scr_rows_over(p), &count, 1);
    return (size_t)count;
}

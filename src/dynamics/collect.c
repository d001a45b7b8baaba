/* The solution of the contact problem back into the contacts. */
#include "dynamics/bonds.h"
#include "dynamics/there.h"
#include "dynamics/laws.h"
#include "dynamics/plain_contacts.h"
#include "math/reduce.h"

enum { AHEAD = 8 };

/* A bond is never open. */
int32_t scr_row_state(const Problem *p, size_t row) {
    const Row *r = &p->row[row];
    double pressure = scr_row_pressure(p, row);
    const LawRow *l = scr_law_row(p, row);
    if (l != NULL && l->bridged && !(pressure > 0)) { /* it pulls across a gap */
        return r->rn == 0 ? SCREE_CONTACT_OPEN : SCREE_CONTACT_STICK;
    }
    return scr_state_of(r, pressure, !(pressure > 0) && r->rn == 0);
}

/* Contacts of a piece that are not open, that slide, that are bonded. */
typedef struct Counts {
    int64_t active, sliding, bonds;
} Counts;

typedef struct Collection {
    const StepTask *task;
    State *state;
    Counts counts[SCR_MOST_PIECES];
} Collection;

static void collect_piece(void *context, size_t piece) {
    Collection *k = context;
    State *s = k->state;
    const StepTask *t = k->task;
    const bool space = s->def.dimension == 3;
    Counts counts = {0};
    size_t n = s->contacts.count, end = scr_piece_end(n, piece);
    for (size_t i = scr_piece_begin(n, piece); i < end; i++) {
        if (i + AHEAD < end) { /* what is needed of a row may lie in two cache lines */
            __builtin_prefetch(&t->problem.row[t->order.slot[i + AHEAD]].rn);
            __builtin_prefetch(&t->problem.row[t->order.slot[i + AHEAD]].mu);
        }
        Contact *c = &s->contacts.item[i];
        size_t slot = (size_t)t->order.slot[i];
        const Row *r = &t->problem.row[slot];
        if (s->contacts.extra != NULL) {
            s->contacts.extra[i] = scr_extra_after(t, i);
            counts.bonds += s->contacts.extra[i].opening >= 0;
        }
        scr_take_impulse(r, space, c);
        c->state = t->problem.law_of == NULL ? scr_state_of(r, r->rn, r->rn == 0)
                                             : scr_row_state(&t->problem, slot);
        counts.active += c->state != SCREE_CONTACT_OPEN;
        counts.sliding += c->state == SCREE_CONTACT_SLIP;
        if (s->bonds.count > 0) {
            scr_judge_bond(t, s, i);
        }
    }
    k->counts[piece] = counts;
}

void scr_collect(const StepTask *t, State *s, ScreeReport *report) {
    Collection all = {.task = t, .state = s};
    size_t pieces = scr_pieces(s->contacts.count);
    if (t->there != NULL) {
        scr_collect_there(t, s, report);
        return;
    }
    scr_threads_loop(t->with->threads, pieces, collect_piece, &all);
    int64_t count[4] = {(int64_t)s->contacts.count};
    for (size_t k = 0; k < pieces; k++) {
        count[1] += all.counts[k].active;
        count[2] += all.counts[k].sliding;
        count[3] += all.counts[k].bonds;
    }
    scr_count_over_processes(s->spread, count, 4);
    report->contacts = count[0];
    report->active += count[1];
    report->sliding += count[2];
    report->bonds += count[3];
    scr_break_bonds(s, report);
}

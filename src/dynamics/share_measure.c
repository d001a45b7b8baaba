/* Numbers of all bodies and contacts that conditions ask for in every step, without bringing them
 * together. */
#include "dynamics/share.h"

#include "base/status.h"
#include "math/reduce.h"

#include <stdlib.h>
#include <string.h>

/* The names of a pair, or that of a body and the code of a wall. */
enum { PAIR_NUMBERS = 2 };

static int32_t owner_of(const Share *s, int32_t body) {
    return (size_t)body < scr_counted(&s->local)
               ? s->with->rank
               : scr_territory_owner(&s->territory, s->local.bodies.anchor[body]);
}

/* A pair is counted by one process: see scr_counts_pair. */
static int32_t counter_of(const Share *s, const Contact *c) {
    const bool second = c->b >= 0 && s->local.bodies.radius[c->a] > s->local.large;
    return owner_of(s, second ? c->b : c->a);
}

/* The points of a pair may be in several processes: all tell the one that counts it. */
static ScreeStatus send_pairs(Share *s) {
    const State *l = &s->local;
    scr_trade_begin(&s->contacts, PAIR_NUMBERS);
    for (size_t i = 0; i < l->contacts.count; i++) {
        const Contact *c = &l->contacts.item[i];
        const bool again = i > 0 && scr_same_pair(c, c - 1) && c[-1].state != SCREE_CONTACT_OPEN;
        if (c->state == SCREE_CONTACT_OPEN || again) {
            continue;
        }
        double *record = scr_trade_add(&s->contacts, counter_of(s, c));
        if (record == NULL) {
            return SCREE_NO_MEMORY;
        }
        record[0] = s->name[c->a];
        record[1] = c->b >= 0 ? s->name[c->b] : c->b;
    }
    return scr_trade_make(&s->contacts, s->with) ? SCREE_OK : SCREE_NO_MEMORY;
}

static int by_names(const void *x, const void *y) {
    const double *a = x, *b = y;
    return a[0] != b[0] ? (a[0] < b[0] ? -1 : 1) : (a[1] > b[1]) - (a[1] < b[1]);
}

/* A body is counted by its owner, whoever knows of its contacts. */
static bool send_touched(Share *s, double name) {
    const int32_t body = s->place[(size_t)name];
    double *record = scr_trade_add(&s->trade, owner_of(s, body));
    if (record != NULL) {
        record[0] = name;
    }
    return record != NULL;
}

static ScreeStatus send_bodies(Share *s, int64_t *ends) {
    double *pair = s->contacts.in;
    qsort(pair, s->contacts.received, PAIR_NUMBERS * sizeof *pair, by_names);
    scr_trade_begin(&s->trade, 1);
    for (size_t i = 0; i < s->contacts.received; i++) {
        const double *now = pair + PAIR_NUMBERS * i;
        if (i > 0 && by_names(now - PAIR_NUMBERS, now) == 0) {
            continue;
        }
        *ends += now[1] >= 0 ? 2 : 1;
        if (!send_touched(s, now[0]) || (now[1] >= 0 && !send_touched(s, now[1]))) {
            return SCREE_NO_MEMORY;
        }
    }
    return scr_trade_make(&s->trade, s->with) ? SCREE_OK : SCREE_NO_MEMORY;
}

ScreeStatus scr_share_coordination(Share *s, double *coordination) {
    int64_t count[2] = {0, 0}; /* ends of contacts, and bodies that have any */
    SCR_TRY(send_pairs(s));
    SCR_TRY(send_bodies(s, &count[0]));
    const size_t n = scr_counted(&s->local);
    if (!scr_block_reserve(&s->sort_block, n + 1, sizeof(bool), 0)) {
        return SCREE_NO_MEMORY;
    }
    bool *seen = s->sort_block.data;
    memset(seen, 0, n * sizeof *seen);
    for (size_t i = 0; i < s->trade.received; i++) {
        bool *body = &seen[s->place[(size_t)*scr_trade_record(&s->trade, i)]];
        count[1] += !*body;
        *body = true;
    }
    scr_count_over_processes(s->with, count, 2);
    *coordination = count[1] > 0 ? (double)count[0] / (double)count[1] : 0;
    return SCREE_OK;
}

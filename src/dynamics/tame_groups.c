#include "dynamics/tame_groups.h"

#include "base/clusters.h"
#include "base/status.h"
#include "math/reduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LIMB_BITS = 30, WHOLE_WORLD = -1 }; /* a label: the group of all that is in contact */

bool scr_tame_begin(TameGroups *g, const State *s) {
    const size_t members = s->bodies.count + s->walls.count;
    g->count = g->terms = 0;
    if (!scr_labels_begin(&g->labels, members, s->walls.count, INT32_MAX) ||
        !SCR_RESERVE(g, group_of, members + 1)) {
        return false;
    }
    memset(g->group_of, 0xff, members * sizeof *g->group_of);
    return true;
}

bool scr_tame_add(TameGroups *g, const TameTerm *term) {
    if (!SCR_RESERVE_KEEPING(g, term, g->terms + 1, g->terms)) {
        return false;
    }
    g->term[g->terms++] = *term;
    return true;
}

void scr_tame_join(TameGroups *g, int32_t a, int32_t b) {
    scr_clusters_join(g->labels.parent, a, b);
}

bool scr_tame_is_alone(const TameGroups *g, const Share *share, int32_t member) {
    const bool others = share != NULL && ((size_t)member >= share->local.bodies.count ||
                                          scr_share_seers(share, member).count > 0);
    return g->labels.parent[member] == -1 && !others;
}

/* That of a member; NULL when out of memory. */
static TameGroup *need_group(TameGroups *g, int32_t member) {
    int32_t *at = &g->group_of[scr_cluster_of(g->labels.parent, member)];
    if (*at < 0) {
        if (!SCR_RESERVE_KEEPING(g, group, g->count + 1, g->count)) {
            return NULL;
        }
        *at = (int32_t)g->count;
        memset(&g->group[g->count++], 0, sizeof *g->group);
    }
    return &g->group[*at];
}

bool scr_tame_note_springs(TameGroups *g, int32_t member) {
    TameGroup *group = need_group(g, member);
    if (group != NULL) {
        group->springs = true;
    }
    return group != NULL;
}

/* ---------------------------------------------------------------- sums */

/* False: there are no energies, or none that are numbers. */
static bool choose_unit(TameGroups *g, const ScreeProcesses *with) {
    double most = 0;
    for (size_t i = 0; i < g->terms; i++) {
        for (int k = 0; k < TAME_TERMS; k++) {
            const double size = fabs(g->term[i].of[k]);
            most = size <= most ? most : size; /* also when it is no number */
        }
    }
    double all[2] = {isfinite(most) ? most : 0, !isfinite(most)};
    int exponent;
    scr_most_over_processes(with, all, 2);
    (void)frexp(all[0], &exponent);
    g->unit = ldexp(1, exponent);
    return all[0] > 0 && all[1] == 0 && isfinite(1 / g->unit) && isfinite(g->unit);
}

/* Whole multiples of the unit, of its 2^30th part, and so on. */
static void add_term(int64_t sum[TAME_LIMBS], double part) {
    for (int k = 0; k < TAME_LIMBS; k++) {
        part = ldexp(part, LIMB_BITS);
        const int64_t whole = (int64_t)part;
        sum[k] += whole;
        part -= (double)whole;
    }
}

static double total_of(const TameGroups *g, const int64_t sum[TAME_LIMBS]) {
    double total = 0;
    for (int k = TAME_LIMBS; k-- > 0;) {
        total = ldexp(total + (double)sum[k], -LIMB_BITS);
    }
    return total * g->unit;
}

static bool add_terms(TameGroups *g) {
    for (size_t i = 0; i < g->terms; i++) {
        TameGroup *group = need_group(g, g->term[i].member);
        if (group == NULL) {
            return false;
        }
        for (int k = 0; k < TAME_TERMS; k++) {
            add_term(group->sum[k], g->term[i].of[k] / g->unit);
        }
    }
    return true;
}

/* ---------------------------------------------------------------- over processes */

/* A part of a group, and whether the group has gained. */
typedef struct SentGroup {
    int32_t label, from;
    TameGroup group;
} SentGroup;

typedef struct SentVerdict {
    int32_t label;
    int32_t gained;
} SentVerdict;

enum {
    GROUP_NUMBERS = sizeof(SentGroup) / sizeof(double),
    VERDICT_NUMBERS = sizeof(SentVerdict) / sizeof(double)
};

static SentGroup *sent_group(const Trade *t, size_t i) {
    return (SentGroup *)(void *)(t->in + t->size * i);
}

/* The lowest name in each group, and whether others may have a part of it: then its label is not `none`. */
static ScreeStatus label_groups(TameGroups *g, const State *s, Share *share, int32_t world) {
    Labels *l = &g->labels;
    for (size_t i = 0; i < s->bodies.count; i++) {
        if (scr_share_seers(share, (int32_t)i).count > 0) {
            *scr_label_of(l, (int32_t)i) = 0;
        }
    }
    for (size_t w = 0; w < s->walls.count; w++) {
        *scr_label_of(l, (int32_t)(s->bodies.count + w)) = 0;
    }
    for (size_t i = 0; i < l->members; i++) { /* from a mark to a name */
        l->label[i] = l->label[i] == 0 ? INT32_MAX - 1 : INT32_MAX;
    }
    for (size_t i = 0; i < s->bodies.count; i++) {
        int32_t *label = scr_label_of(l, (int32_t)i);
        const int32_t name = scr_name(s, (int32_t)i);
        *label = *label < INT32_MAX && name < *label ? name : *label;
    }
    if (world >= 0) {
        *scr_label_of(l, world) = WHOLE_WORLD;
    }
    return scr_share_agree_on_labels(share, l);
}

static bool send_groups(TameGroups *g, const ScreeProcesses *with) {
    scr_trade_begin(&g->trade, GROUP_NUMBERS);
    for (size_t i = 0; i < g->labels.members; i++) {
        const int32_t label = g->labels.label[i], at = g->group_of[i];
        if (at < 0 || label == INT32_MAX) {
            continue;
        }
        SentGroup *record =
            (SentGroup *)(void *)scr_trade_add(&g->trade, (label + 1) % with->count);
        if (record == NULL) {
            return false;
        }
        memset(record, 0, sizeof *record);
        record->label = label;
        record->from = with->rank;
        record->group = g->group[at];
    }
    return scr_trade_make(&g->trade, with);
}

static int by_label(const void *x, const void *y) {
    const SentGroup *a = x, *b = y;
    return (a->label > b->label) - (a->label < b->label);
}

static bool judge(const TameGroups *g, const TameGroup *group, TameGained *gained,
                  const void *context) {
    double term[TAME_TERMS];
    for (int k = 0; k < TAME_TERMS; k++) {
        term[k] = total_of(g, group->sum[k]);
    }
    return gained(context, term, group->springs);
}

static void add_group(TameGroup *to, const TameGroup *part) {
    for (int k = 0; k < TAME_TERMS; k++) {
        for (int j = 0; j < TAME_LIMBS; j++) {
            to->sum[k][j] += part->sum[k][j];
        }
    }
    to->springs = to->springs || part->springs;
}

static bool reply_verdicts(TameGroups *g, size_t first, size_t end, bool gained) {
    for (size_t i = first; i < end; i++) {
        const SentGroup *part = sent_group(&g->trade, i);
        SentVerdict *record = (SentVerdict *)(void *)scr_trade_add(&g->reply, part->from);
        if (record == NULL) {
            return false;
        }
        *record = (SentVerdict){part->label, gained};
    }
    return true;
}

/* The groups that fell to this process. */
static bool judge_parts(TameGroups *g, const ScreeProcesses *with, TameGained *gained,
                        const void *context) {
    const size_t n = g->trade.received;
    bool ok = true;
    if (n > 0) {
        qsort(g->trade.in, n, sizeof(SentGroup), by_label);
    }
    scr_trade_begin(&g->reply, VERDICT_NUMBERS);
    for (size_t i = 0; i < n && ok;) {
        TameGroup all = sent_group(&g->trade, i)->group;
        const size_t first = i++;
        for (; i < n && sent_group(&g->trade, i)->label == sent_group(&g->trade, first)->label;
             i++) {
            add_group(&all, &sent_group(&g->trade, i)->group);
        }
        ok = reply_verdicts(g, first, i, judge(g, &all, gained, context));
    }
    return ok && scr_trade_make(&g->reply, with);
}

static int by_verdict(const void *x, const void *y) {
    const SentVerdict *a = x, *b = y;
    return (a->label > b->label) - (a->label < b->label);
}

static void take_verdicts(TameGroups *g) {
    SentVerdict *verdict = (SentVerdict *)(void *)g->reply.in;
    const size_t n = g->reply.received;
    if (n > 0) {
        qsort(verdict, n, sizeof *verdict, by_verdict);
    }
    for (size_t i = 0; i < g->labels.members; i++) {
        const SentVerdict key = {.label = g->labels.label[i]};
        if (g->group_of[i] >= 0 && key.label != INT32_MAX) {
            const SentVerdict *found = bsearch(&key, verdict, n, sizeof *verdict, by_verdict);
            g->group[g->group_of[i]].gained = found != NULL && found->gained != 0;
        }
    }
}

/* ---------------------------------------------------------------- all together */

/* Groups that others may have a part of have one here, too, to know what becomes of it. */
static bool need_border_groups(TameGroups *g, const State *s, const Share *share) {
    bool ok = true;
    for (size_t i = 0; i < s->bodies.count && ok; i++) {
        ok = scr_share_seers(share, (int32_t)i).count == 0 || need_group(g, (int32_t)i) != NULL;
    }
    for (size_t w = 0; w < s->walls.count && ok; w++) {
        ok = need_group(g, (int32_t)(s->bodies.count + w)) != NULL;
    }
    return ok;
}

ScreeStatus scr_tame_judge(TameGroups *g, const State *s, Share *share, int32_t world,
                           TameGained *gained, const void *context) {
    if (!choose_unit(g, s->spread)) {
        return SCREE_OK;
    }
    if (!add_terms(g)) {
        return SCREE_NO_MEMORY;
    }
    for (size_t i = 0; i < g->count; i++) {
        g->group[i].gained = judge(g, &g->group[i], gained, context);
    }
    if (share == NULL) {
        return SCREE_OK;
    }
    if (!need_border_groups(g, s, share)) {
        return SCREE_NO_MEMORY;
    }
    SCR_TRY(label_groups(g, s, share, world));
    if (!send_groups(g, s->spread) || !judge_parts(g, s->spread, gained, context)) {
        return SCREE_NO_MEMORY;
    }
    take_verdicts(g);
    return SCREE_OK;
}

bool scr_tame_has_gained(const TameGroups *g, int32_t member) {
    const int32_t at = g->group_of[scr_cluster_of(g->labels.parent, member)];
    return at >= 0 && g->group[at].gained;
}

void scr_tame_groups_free(TameGroups *g) {
    scr_labels_free(&g->labels);
    scr_trade_free(&g->trade);
    scr_trade_free(&g->reply);
    SCR_FREE_BLOCKS(&g->group_of_block, &g->group_block, &g->term_block);
    *g = (TameGroups){0};
}

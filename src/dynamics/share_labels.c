#include "dynamics/share_labels.h"

#include "base/clusters.h"
#include "base/status.h"
#include "math/reduce.h"

enum { LABEL_NUMBERS = 2 }; /* a name and its label */

bool scr_labels_begin(Labels *l, size_t members, size_t walls, int32_t none) {
    if (!SCR_RESERVE(l, parent, members + 1) || !SCR_RESERVE(l, label, members + 1) ||
        !SCR_RESERVE(l, told, members + 1) || !SCR_RESERVE(l, of_wall, walls + 1)) {
        return false;
    }
    l->members = members;
    l->walls = walls;
    l->first_wall = members - walls;
    l->none = none;
    l->at = NULL;
    scr_clusters_begin(l->parent, members);
    for (size_t i = 0; i < members; i++) {
        l->label[i] = l->told[i] = none;
    }
    return true;
}

int32_t *scr_label_of(const Labels *l, int32_t member) {
    return &l->label[scr_cluster_of(l->parent, member)];
}

static int32_t member_of(const Labels *l, int32_t body) {
    return l->at != NULL ? l->at[body] : body;
}

static bool tell_label(Share *s, int32_t body, int32_t label) {
    const Seers near = scr_share_seers(s, body);
    for (size_t j = 0; j < near.count; j++) {
        if (near.process[j] == s->with->rank) {
            continue;
        }
        double *record = scr_trade_add(&s->trade, near.process[j]);
        if (record == NULL) {
            return false;
        }
        record[0] = s->name[body];
        record[1] = label;
    }
    return true;
}

static bool lower_label(const Labels *l, int32_t member, int32_t label) {
    int32_t *mine = scr_label_of(l, member);
    const bool lower = label < *mine;
    *mine = lower ? label : *mine;
    return lower;
}

static bool take_labels(const Share *s, const Labels *l) {
    bool lower = false;
    for (size_t i = 0; i < s->trade.received; i++) {
        const double *record = scr_trade_record(&s->trade, i);
        const int32_t place = s->place[(size_t)record[0]], label = (int32_t)record[1];
        if (place < 0) {
            continue;
        }
        const int32_t m = member_of(l, place);
        lower = lower_label(l, m, label) || lower;
        l->told[m] = label < l->told[m] ? label : l->told[m]; /* whoever told me told all */
    }
    return lower;
}

/* All processes have all walls. */
static bool pass_walls(const Share *s, const Labels *l) {
    bool lower = false;
    for (size_t w = 0; w < l->walls; w++) {
        l->of_wall[w] = -(double)*scr_label_of(l, (int32_t)(l->first_wall + w));
    }
    if (l->walls > 0) {
        scr_most_over_processes(s->with, l->of_wall, l->walls);
    }
    for (size_t w = 0; w < l->walls; w++) {
        const int32_t m = (int32_t)(l->first_wall + w);
        lower = lower_label(l, m, (int32_t)-l->of_wall[w]) || lower;
    }
    return lower;
}

ScreeStatus scr_share_pass_labels(Share *s, Labels *l, bool *lower) {
    scr_trade_begin(&s->trade, LABEL_NUMBERS);
    for (size_t j = 0; j < s->borders; j++) {
        const int32_t body = s->border[j], m = member_of(l, body);
        const int32_t label = *scr_label_of(l, m);
        if (label < l->told[m]) {
            if (!tell_label(s, body, label)) {
                return SCREE_NO_MEMORY;
            }
            l->told[m] = label;
        }
    }
    if (!scr_trade_make(&s->trade, s->with)) {
        return SCREE_NO_MEMORY;
    }
    bool any = take_labels(s, l);
    any = pass_walls(s, l) || any;
    *lower = scr_any_process(s->with, any);
    return SCREE_OK;
}

ScreeStatus scr_share_agree_on_labels(Share *s, Labels *l) {
    for (bool again = true; again;) {
        SCR_TRY(scr_share_pass_labels(s, l, &again));
    }
    return SCREE_OK;
}

void scr_labels_free(Labels *l) {
    SCR_FREE_BLOCKS(&l->parent_block, &l->label_block, &l->told_block, &l->of_wall_block);
    *l = (Labels){0};
}

/* Bodies: who has which, and how they get there. */
#include "dynamics/share.h"

#include "base/status.h"
#include "dynamics/body_record.h"
#include "math/reduce.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- what this process has */

/* Where bodies come from: arrays that are here, and records of the last trade. */
typedef struct Sources {
    const State *state;
    const StepNote *note; /* [bodies]; NULL: there is none of any */
    size_t listed;        /* bodies of the state, in the list of keys */
} Sources;

/* A body that this process will have: the key that sorts it, and where it comes from, a place in the
 * arrays or, shifted by their length, the number of a record. */
static void list_body(Share *s, size_t i, bool ghost, int32_t name, size_t from) {
    s->key[2 * i] = (uint64_t)ghost << 32 | (uint32_t)name;
    s->key[2 * i + 1] = from;
}

static int compare_keys(const void *x, const void *y) {
    const uint64_t a = ((const uint64_t *)x)[0], b = ((const uint64_t *)y)[0];
    return a < b ? -1 : a > b;
}

static bool is_ghost(const Share *s, Vec3 anchor) {
    return scr_territory_owner(&s->territory, anchor) != s->with->rank;
}

/* Adds what others have sent. Own bodies come first, then ghosts, each in the order of names. */
static bool sort_bodies(Share *s, const Sources *from, size_t *own) {
    const size_t all = from->listed + s->trade.received;
    if (!SCR_RESERVE_KEEPING(s, key, 2 * all + 2, 2 * from->listed)) {
        return false;
    }
    for (size_t i = 0; i < s->trade.received; i++) {
        const double *record = scr_trade_record(&s->trade, i);
        list_body(s, from->listed + i, is_ghost(s, scr_anchor_in(record)), scr_name_in(record),
                  from->state->bodies.count + i);
    }
    qsort(s->key, all, 2 * sizeof *s->key, compare_keys);
    for (*own = 0; *own < all && s->key[2 * *own] >> 32 == 0;) {
        ++*own;
    }
    return true;
}

/* One field of all bodies, from `old` or from `at` in records, by way of the room to sort: the old array
 * may be the new one. */
static void fill_field(Share *s, const Sources *from, const void *old, size_t at, size_t size,
                       size_t count, void *to) {
    char *room = s->sort_block.data;
    for (size_t i = 0; i < count; i++) {
        const size_t source = s->key[2 * i + 1], have = from->state->bodies.count;
        memcpy(room + size * i,
               source < have ? (const char *)old + size * source
                             : (const char *)scr_trade_record(&s->trade, source - have) + at,
               size);
    }
    memcpy(to, room, size * count);
}

static void fill_bodies(Share *s, const Sources *from, size_t count) {
    Bodies *b = &s->local.bodies;
    size_t at = BODY_HEAD;
    for (size_t i = 0; i < count; i++) {
        const size_t source = s->key[2 * i + 1], have = from->state->bodies.count;
        s->note[i] = source >= have       ? scr_note_in(scr_trade_record(&s->trade, source - have))
                     : from->note != NULL ? from->note[source]
                                          : (StepNote){0, 0, 0};
        s->name[i] = (int32_t)(uint32_t)s->key[2 * i];
    }
    if (from->state->holder != NULL) { /* behind the name */
        fill_field(s, from, from->state->holder, sizeof(int32_t), sizeof *s->holder, count,
                   s->holder);
    }
#define X(type, field)                                                                             \
    fill_field(s, from, from->state->bodies.field, at, sizeof(type), count, b->field);             \
    at += sizeof(type);
    BODY_FIELDS(X)
#undef X
    b->count = count;
}

/* Two sorted parts into one. */
static void merge_names(Share *s, size_t own) {
    const size_t n = s->local.bodies.count;
    for (size_t i = 0, j = own, k = 0; k < n; k++) {
        bool first = j == n || (i < own && s->name[i] < s->name[j]);
        s->by_name[k] = (int32_t)(first ? i++ : j++);
    }
}

static bool list_large(Share *s) {
    if (!SCR_RESERVE(s, large_body, s->larges + 1)) {
        return false;
    }
    for (size_t k = 0, count = 0; k < s->local.bodies.count && count < s->larges; k++) {
        s->large_body[count] = s->by_name[k];
        count += s->local.bodies.radius[s->by_name[k]] > s->local.large;
    }
    return true;
}

static bool note_seers(Share *s) {
    const size_t n = s->local.bodies.count;
    size_t total = 0;
    s->borders = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t near = scr_share_near(s, i, share_more, s->near);
        const size_t listed = near > 1 ? near : 0;
        if (!SCR_RESERVE_KEEPING(s, seer, total + listed + 1, total)) {
            return false;
        }
        memcpy(s->seer + total, s->near, listed * sizeof *s->near);
        total += listed;
        s->seer_end[i] = total;
    }
    for (size_t k = 0; k < n; k++) {
        const int32_t i = s->by_name[k];
        s->border[s->borders] = i;
        s->borders += scr_share_seers(s, i).count > 0;
    }
    return true;
}

/* The largest field. */
static size_t most_bytes(void) {
    size_t most = 0;
#define X(type, field) most = sizeof(type) > most ? sizeof(type) : most;
    BODY_FIELDS(X)
#undef X
    return most;
}

/* Keeps those that there are, from which the new ones are taken. */
static bool reserve_holders(Share *s, const Sources *from, size_t count) {
    const bool any = from->state->holder != NULL;
    const bool ok = !any || SCR_RESERVE_KEEPING(s, holder, count + 1, s->local.bodies.count);
    s->local.holder = any ? s->holder : NULL;
    return ok;
}

static ScreeStatus take_bodies(Share *s, const Sources *from) {
    const size_t n = from->listed + s->trade.received;
    size_t own;
    if (!sort_bodies(s, from, &own) || !scr_bodies_reserve(&s->local.bodies, n + 1) ||
        !SCR_RESERVE(s, name, n + 1) || !SCR_RESERVE(s, by_name, n + 1) ||
        !SCR_RESERVE(s, seer_end, n + 1) || !SCR_RESERVE(s, border, n + 1) ||
        !SCR_RESERVE(s, note, n + 1) || !reserve_holders(s, from, n) ||
        !scr_block_reserve(&s->sort_block, n + 1, most_bytes(), 0)) {
        return SCREE_NO_MEMORY;
    }
    fill_bodies(s, from, n);
    memset(s->place, 0xff, s->names * sizeof *s->place); /* all -1 */
    for (size_t i = 0; i < n; i++) {
        s->place[s->name[i]] = (int32_t)i;
    }
    s->local.name = s->name;
    s->local.ghosts = n - own;
    s->local.elsewhere = s->names - own;
    merge_names(s, own);
    return list_large(s) && note_seers(s) ? SCREE_OK : SCREE_NO_MEMORY;
}

static size_t everybody(const Share *s, int32_t *process) {
    for (int32_t k = 0; k < s->with->count; k++) {
        process[k] = k;
    }
    return (size_t)s->with->count;
}

size_t scr_share_near(const Share *s, size_t body, double more, int32_t *process) {
    const Bodies *b = &s->local.bodies;
    if (b->radius[body] > s->local.large) {
        return everybody(s, process);
    }
    return scr_territory_near(&s->territory, b->anchor[body], more * (s->layer + b->margin[body]),
                              process);
}

/* ---------------------------------------------------------------- from the whole state */

void scr_share_begin(Share *s, const State *whole) {
    State now = *whole;
    now.bodies = s->local.bodies;
    now.contacts = s->local.contacts;
    now.name = s->local.name;
    now.spread = s->with;
    now.ghosts = s->local.ghosts;
    now.elsewhere = s->local.elsewhere;
    now.large = s->local.large;
    now.holder = whole->holder != NULL ? s->holder : NULL;
    s->local = now;
}

/* The least that ghosts must reach for every pair of the list to be in the process that counts it. */
double scr_share_least_layer(const Share *share, const State *s) {
    double most = 0;
    for (size_t i = 0; i < scr_counted(s); i++) {
        most = scr_max(most, s->bodies.margin[i]);
    }
    scr_most_over_processes(s->spread, &most, 1);
    return 2 * share->usual + most;
}

static void note_large(Share *s, const State *whole, double large_from) {
    const Bodies *b = &whole->bodies;
    s->local.large = large_from;
    s->usual = 0;
    s->larges = 0;
    for (size_t i = 0; i < b->count; i++) {
        const bool large = b->radius[i] > s->local.large;
        s->larges += large;
        s->usual = large ? s->usual : scr_max(s->usual, b->radius[i]);
    }
}

bool scr_share_look_at_sizes(Share *s) {
    const Bodies *b = &s->local.bodies;
    double most[2] = {0, 0}; /* radius of the usual ones; whether a large one is large no more */
    int64_t larges = 0;
    for (size_t i = 0; i < scr_counted(&s->local); i++) {
        const bool large = b->radius[i] > s->local.large;
        larges += large;
        most[0] = large ? most[0] : scr_max(most[0], b->radius[i]);
    }
    for (size_t k = 0; k < s->larges; k++) {
        most[1] = b->radius[s->large_body[k]] > s->local.large ? most[1] : 1;
    }
    scr_most_over_processes(s->with, most, 2);
    scr_count_over_processes(s->with, &larges, 1);
    s->usual = most[0];
    return most[1] == 0 && larges == (int64_t)s->larges;
}

double scr_share_largest(const Share *s) {
    double most = 0;
    for (size_t i = 0; i < scr_counted(&s->local); i++) {
        most = scr_max(most, s->local.bodies.radius[i]);
    }
    scr_most_over_processes(s->with, &most, 1);
    return most;
}

ScreeStatus scr_share_note_sizes(Share *s, bool grow) {
    const size_t n = s->local.bodies.count;
    s->then_now = grow;
    if (grow && !SCR_RESERVE(s, then, n + 1)) {
        return SCREE_NO_MEMORY;
    }
    if (grow && n > 0) {
        memcpy(s->then, s->local.bodies.radius, n * sizeof *s->then);
    }
    return SCREE_OK;
}

static bool is_near_me(const Share *s, size_t count) {
    for (size_t k = 0; k < count; k++) {
        if (s->near[k] == s->with->rank) {
            return true;
        }
    }
    return false;
}

/* A contact goes to the process that counts it. */
static ScreeStatus scatter_contacts(Share *s, const State *whole) {
    Contacts *to = &s->local.contacts;
    const Contacts *from = &whole->contacts;
    const Block kept[2] = {to->block, to->extra_block};
    *to = *from;
    to->block = kept[0];
    to->extra_block = kept[1];
    to->slid_block = (Block){0};
    to->count = 0;
    if (!scr_block_reserve(&to->block, from->count + 1, sizeof *to->item, 0) ||
        (from->extra != NULL &&
         !scr_block_reserve(&to->extra_block, from->count + 1, sizeof *to->extra, 0))) {
        return SCREE_NO_MEMORY;
    }
    to->item = to->block.data;
    to->extra = from->extra != NULL ? to->extra_block.data : NULL;
    for (size_t i = 0; i < from->count; i++) {
        Contact c = from->item[i];
        const int32_t a = s->place[c.a], b = c.b >= 0 ? s->place[c.b] : c.b;
        if (a < 0 || (c.b >= 0 && b < 0) || !scr_counts_pair(&s->local, a, b)) {
            continue;
        }
        c.a = a;
        c.b = b;
        if (to->extra != NULL) {
            to->extra[to->count] = from->extra[i];
        }
        to->item[to->count++] = c;
    }
    return scr_share_number_points(s);
}

static ScreeStatus list_from_whole(Share *s, const Bodies *b, Sources *from) {
    scr_trade_begin(&s->trade,
                    scr_body_numbers()); /* all have the whole state: none need send any */
    for (size_t i = 0; i < b->count; i++) {
        const size_t near =
            scr_territory_near(&s->territory, b->anchor[i], s->layer + b->margin[i], s->near);
        if (b->radius[i] > s->local.large || is_near_me(s, near)) {
            if (!SCR_RESERVE_KEEPING(s, key, 2 * from->listed + 2, 2 * from->listed)) {
                return SCREE_NO_MEMORY;
            }
            list_body(s, from->listed++, is_ghost(s, b->anchor[i]), (int32_t)i, i);
        }
    }
    return SCREE_OK;
}

ScreeStatus scr_share_scatter(Share *s, const State *whole, const ScreeProcesses *with,
                              double large_from) {
    const Bodies *b = &whole->bodies;
    Sources from = {.state = whole};
    s->with = with;
    s->names = b->count;
    note_large(s, whole, large_from);
    s->layer = scr_max(scr_share_least_layer(s, whole), s->layer);
    if (!SCR_RESERVE(s, place, s->names + 1) || !SCR_RESERVE(s, near, 2 * (size_t)with->count) ||
        ((s->territory.count != with->count || whole->def.deform.deforms) &&
         !scr_territory_make(&s->territory, &whole->def, b->position, b->count, with->count))) {
        return SCREE_NO_MEMORY;
    }
    scr_territory_take_anchors(&s->territory, whole);
    scr_share_begin(s, whole);
    s->local.bodies.count = 0; /* nothing is left of what was here */
    SCR_TRY(list_from_whole(s, b, &from));
    SCR_TRY(take_bodies(s, &from));
    SCR_TRY(scatter_contacts(s, whole));
    s->made = true;
    s->ahead = false;
    return SCREE_OK;
}

/* ---------------------------------------------------------------- from process to process */

ScreeStatus scr_share_keep_anchors(Share *s) {
    const size_t n = scr_counted(&s->local);
    if (s->kept_now) {
        return SCREE_OK; /* as they were before the step */
    }
    if (!SCR_RESERVE(s, kept, n + 1) || !SCR_RESERVE(s, kept_name, n + 1)) {
        return SCREE_NO_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        s->kept_name[i] = s->name[i];
        s->kept[i] = (KeptAnchor){s->local.bodies.anchor[i], s->local.bodies.margin[i]};
    }
    s->kepts = n;
    s->kept_now = true;
    return SCREE_OK;
}

/* To the processes that will have a body; this one keeps it where it is. */
static bool send_body(Share *s, size_t i, StepNote note, bool *stays) {
    const size_t near = scr_share_near(s, i, 1, s->near);
    *stays = false;
    for (size_t k = 0; k < near; k++) {
        if (s->near[k] == s->with->rank) {
            *stays = true;
            continue;
        }
        double *record = scr_trade_add(&s->trade, s->near[k]);
        if (record == NULL) {
            return false;
        }
        scr_write_body(&s->local, i, note, record);
    }
    return true;
}

ScreeStatus scr_share_move_bodies(Share *s, const StepNote *note) {
    Sources from = {.state = &s->local, .note = note};
    const size_t own = scr_counted(&s->local);
    if (!SCR_RESERVE(s, key, 2 * own + 2)) {
        return SCREE_NO_MEMORY;
    }
    scr_trade_begin(&s->trade, scr_body_numbers());
    for (size_t i = 0; i < own; i++) {
        bool stays;
        if (!send_body(s, i, note != NULL ? note[i] : (StepNote){0, 0, 0}, &stays)) {
            return SCREE_NO_MEMORY;
        }
        if (stays) {
            list_body(s, from.listed++, is_ghost(s, s->local.bodies.anchor[i]), s->name[i], i);
        }
    }
    return scr_trade_make(&s->trade, s->with) ? take_bodies(s, &from) : SCREE_NO_MEMORY;
}

void scr_share_put_away(State *whole) {
    const size_t count = whole->bodies.count;
    Contacts *k = &whole->contacts;
    scr_bodies_free(&whole->bodies);
    whole->bodies.count = count;
    SCR_FREE_BLOCKS(&k->block, &k->extra_block, &k->slid_block);
    k->item = NULL;
    k->extra = NULL;
    k->slid = NULL;
    k->count = 0;
}

void scr_share_free(Share *s) {
    State *l = &s->local;
    scr_bodies_free(&l->bodies);
    SCR_FREE_BLOCKS(&l->contacts.block, &l->contacts.extra_block, &l->contacts.slid_block,
                    &s->name_block, &s->place_block, &s->by_name_block, &s->seer_block,
                    &s->seer_end_block, &s->border_block, &s->uses_block, &s->owner_block,
                    &s->near_block, &s->key_block, &s->kept_name_block, &s->kept_block,
                    &s->before.block, &s->before.extra_block, &s->posed.block,
                    &s->posed.extra_block, &s->point_block, &s->note_block, &s->noted_block,
                    &s->sort_block, &s->foresight.item_block, &s->all_block, &s->large_body_block,
                    &s->worth_block, &s->holder_block, &s->then_block);
    scr_territory_free(&s->territory);
    scr_trade_free(&s->trade);
    scr_trade_free(&s->contacts);
    *s = (Share){0};
}

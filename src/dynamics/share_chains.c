/* Chains of impacts where processes share the world.
 *
 * A chain is a chance affair: it may go as far as its last impact, through the parts of several processes.
 * What it can depend on are the contacts of the bodies that take part in it. So bodies at contacts that
 * begin a chain are noted as touched; touched bodies that have a contact are of one group; and each group is
 * made by one process, the first that has any of its rows, in a small world of its own (chain_world.h), to
 * which all contacts of touched bodies are sent, with the bodies at their other sides. If one of the latter
 * is struck after all, or becomes a wall to a chain because it bears a load, it is touched as well, and
 * groups are made anew; the more there are, the fewer are left to be added. When none is, what has become
 * of rows and bodies goes back to where they came from.
 *
 * Groups do not know of each other, and chains of one group go in the order of time and names. So each does
 * what it does in a world that one process has. */
#include "dynamics/share_chains.h"

#include "base/clusters.h"
#include "base/status.h"
#include "dynamics/chain_world.h"
#include "dynamics/strike.h"
#include "math/reduce.h"

#include <string.h>

enum { YES, NO }; /* labels: what is so for one process is so for all */

/* ---------------------------------------------------------------- loads */

static ScreeStatus need_world(Impacts *all) {
    if (all->world == NULL) {
        if (!scr_block_reserve_exact(&all->world_block, 1, sizeof *all->world, 0)) {
            return SCREE_NO_MEMORY;
        }
        all->world = all->world_block.data;
        memset(all->world, 0, sizeof *all->world);
    }
    return SCREE_OK;
}

/* Bodies of the problem but those of turning walls; that of the fixed world counts as a body here. */
static bool begin_labels(const Cascade *c, Labels *l, int32_t none) {
    const size_t walls = c->state->walls.count;
    const bool ok = scr_labels_begin(l, c->state->bodies.count + 1 + walls, walls, none);
    l->at = c->task->list->neighbours.rank;
    return ok;
}

ScreeStatus scr_begin_loads(const Cascade *c) {
    if (c->task->share == NULL) {
        return SCREE_OK;
    }
    SCR_TRY(need_world(c->all));
    return begin_labels(c, &c->all->world->loads, NO) ? SCREE_OK : SCREE_NO_MEMORY;
}

ScreeStatus scr_share_loads(const Cascade *c, bool *more) {
    *more = false;
    if (c->task->share == NULL) {
        return SCREE_OK;
    }
    Labels *l = &c->all->world->loads;
    for (size_t i = 0; i < l->members; i++) {
        l->label[i] = c->all->bound[i] ? YES : NO;
    }
    SCR_TRY(scr_share_pass_labels(c->task->share, l, more));
    for (size_t i = 0; i < l->members; i++) {
        c->all->bound[i] = l->label[i] == YES;
    }
    return SCREE_OK;
}

/* ---------------------------------------------------------------- who makes which chains */

static bool is_free(const Cascade *c, int32_t body) {
    return scr_moves(c, body) && !c->all->bound[body];
}

/* A body of a row that is touched; bodies of turning walls have no labels. */
static bool is_touched(const Cascade *c, int32_t body) {
    return is_free(c, body) && c->all->world->touched.label[body] == YES;
}

static void touch(const Cascade *c, int32_t body) {
    if (is_free(c, body)) {
        c->all->world->touched.label[body] = YES;
    }
}

static void touch_beginnings(const Cascade *c) {
    for (size_t i = 0; i < c->state->contacts.count; i++) {
        if (scr_begins_chain(c, i)) {
            touch(c, scr_chain_row(c, i)->a);
            touch(c, scr_chain_row(c, i)->b);
        }
    }
}

static ScreeStatus choose_homes(const Cascade *c) {
    Labels *home = &c->all->world->home;
    const int32_t rank = c->task->share->with->rank;
    if (!begin_labels(c, home, INT32_MAX)) {
        return SCREE_NO_MEMORY;
    }
    for (size_t i = 0; i < c->state->contacts.count; i++) {
        const Row *r = scr_chain_row(c, i);
        const bool a = is_touched(c, r->a), b = is_touched(c, r->b);
        if (a && b) {
            scr_clusters_join(home->parent, r->a, r->b);
        }
    }
    for (size_t i = 0; i < c->state->contacts.count; i++) {
        const Row *r = scr_chain_row(c, i);
        if (is_touched(c, r->a)) {
            *scr_label_of(home, r->a) = rank;
        }
        if (is_touched(c, r->b)) {
            *scr_label_of(home, r->b) = rank;
        }
    }
    return scr_share_agree_on_labels(c->task->share, home);
}

/* ---------------------------------------------------------------- to those who make them */

static bool send_body(const Cascade *c, int32_t body, int32_t to) {
    ChainWorld *w = c->all->world;
    const StepTask *t = c->task;
    const State *s = c->state;
    const int32_t rank = t->list->neighbours.rank[body];
    if (w->sent[body] == to + 1) {
        return true;
    }
    w->sent[body] = to + 1;
    SentBody *record = (SentBody *)(void *)scr_trade_add(&w->bodies, to);
    if (record == NULL) {
        return false;
    }
    const int32_t tensor = c->problem->tensors > 0 ? t->tensor_of[rank] : -1;
    memset(record, 0, sizeof *record);
    record->name = scr_name(s, body);
    record->from = t->share->with->rank;
    record->holder = scr_holder(s, body);
    record->bound = c->all->bound[rank];
    record->touched = is_touched(c, rank);
    record->has_tensor = tensor >= 0;
    record->body = c->problem->body[rank];
    record->motion = t->free->motion[body];
    if (tensor >= 0) {
        record->tensor = c->problem->tensor[tensor];
    }
#define X(type, field) record->fields.field = s->bodies.field[body];
    BODY_FIELDS(X)
#undef X
    return true;
}

int32_t scr_chain_code(const Cascade *c, int32_t body) {
    const size_t bodies = c->state->bodies.count, shared = bodies + 1 + c->state->walls.count;
    if ((size_t)body < bodies) {
        return scr_name(c->state, c->task->list->neighbours.order[body]);
    }
    return (size_t)body < shared ? -1 - (body - (int32_t)bodies) : TURNING;
}

static bool send_contact(const Cascade *c, size_t i, int32_t to) {
    ChainWorld *w = c->all->world;
    const Problem *p = c->problem;
    const Contact *k = scr_chain_contact(c, i);
    const size_t slot = scr_chain_slot(c, i);
    const GeneralRow *g = scr_general_row(p, slot);
    const LawRow *l = scr_law_row(p, slot);
    SentContact *record = (SentContact *)(void *)scr_trade_add(&w->contacts, to);
    if (record == NULL) {
        return false;
    }
    memset(record, 0, sizeof *record);
    record->from = c->task->share->with->rank;
    record->at = (int32_t)i;
    record->point = c->task->share->point[i];
    record->a = scr_chain_code(c, p->row[slot].a);
    record->b = scr_chain_code(c, p->row[slot].b);
    record->pair = scr_pair_name(c->state, k->a, k->b);
    record->contact = *k;
    record->contact.a = scr_name(c->state, k->a);
    record->contact.b = k->b >= 0 ? scr_name(c->state, k->b) : k->b;
    record->row = p->row[slot];
    record->has_law = l != NULL;
    record->has_general = g != NULL;
    if (l != NULL) {
        record->law = *l;
    }
    if (g != NULL) {
        record->general = *g;
    }
    record->wall = p->body[p->row[slot].b].v;
    return send_body(c, k->a, to) && (k->b < 0 || send_body(c, k->b, to));
}

/* The chains that this process is to make are sent as well, to itself. */
static ScreeStatus send_chains(const Cascade *c) {
    ChainWorld *w = c->all->world;
    const ScreeProcesses *with = c->task->share->with;
    if (!SCR_RESERVE(w, sent, c->state->bodies.count + 1)) {
        return SCREE_NO_MEMORY;
    }
    memset(w->sent, 0, c->state->bodies.count * sizeof *w->sent);
    scr_trade_begin(&w->bodies, SENT_BODY_NUMBERS);
    scr_trade_begin(&w->contacts, SENT_CONTACT_NUMBERS);
    for (size_t i = 0; i < c->state->contacts.count; i++) {
        const Row *r = scr_chain_row(c, i);
        const bool first = is_touched(c, r->a);
        if ((first || is_touched(c, r->b)) &&
            !send_contact(c, i, *scr_label_of(&w->home, first ? r->a : r->b))) {
            return SCREE_NO_MEMORY;
        }
    }
    return scr_trade_make(&w->bodies, with) && scr_trade_make(&w->contacts, with) ? SCREE_OK
                                                                                  : SCREE_NO_MEMORY;
}

/* ---------------------------------------------------------------- and back */

/* Struck, or a wall to a chain: see above. */
static bool is_news(const Impacts *all, const bool *known, size_t body) {
    return !known[body] && (all->flyer_of[body] >= 0 || all->bound[body]);
}

/* To those who have sent a body that was not touched that it is now; `more`: there are any. */
static ScreeStatus tell_touched(const Cascade *c, bool *more) {
    ChainWorld *w = c->all->world;
    const Share *s = c->task->share;
    const Impacts *made = &w->task.impacts;
    const size_t bodies = w->state.bodies.count;
    bool any = false;
    scr_trade_begin(&w->reply, 1);
    for (size_t i = 0; i < bodies; i++) {
        const SentBody *body = scr_sent_body(&w->bodies, (size_t)w->body_key[i].from);
        if (is_news(made, w->known, i)) {
            double *record = scr_trade_add(&w->reply, body->from);
            if (record == NULL) {
                return SCREE_NO_MEMORY;
            }
            *record = body->name;
            any = true;
        }
    }
    for (size_t k = 0; k < w->state.walls.count; k++) {
        if (is_news(made, w->known, bodies + 1 + k)) {
            touch(c, (int32_t)(c->state->bodies.count + 1 + k));
            any = true;
        }
    }
    if (!scr_trade_make(&w->reply, s->with)) {
        return SCREE_NO_MEMORY;
    }
    for (size_t i = 0; i < w->reply.received; i++) {
        const int32_t place = s->place[(size_t)*scr_trade_record(&w->reply, i)];
        touch(c, c->task->list->neighbours.rank[place]);
    }
    *more = scr_any_process(s->with, any);
    return SCREE_OK;
}

static bool reply_row(ChainWorld *w, const Hit *h) {
    const Problem *p = &w->task.problem;
    const size_t i = (size_t)h->contact;
    const SentContact *from = scr_sent_contact(&w->contacts, (size_t)w->contact_key[i].from);
    SentRow *record = (SentRow *)(void *)scr_trade_add(&w->reply, from->from);
    if (record == NULL) {
        return false;
    }
    memset(record, 0, sizeof *record);
    record->at = from->at;
    record->strikes = h->strikes;
    record->row = p->row[i];
    record->has_law = p->law_of[i] >= 0;
    record->law = p->law[i];
    record->has_general = p->general_of[i] >= 0;
    record->general = p->general[i];
    memcpy(record->lost, h->lost, sizeof record->lost);
    return true;
}

static void take_row(const Cascade *c, const SentRow *from) {
    Problem *p = c->problem;
    const size_t slot = scr_chain_slot(c, (size_t)from->at);
    Row *r = &p->row[slot];
    const Row was = *r;
    *r = from->row;
    r->a = was.a;
    r->b = was.b;
    p->law_of[slot] = from->has_law ? (int32_t)slot : -1;
    p->law[slot] = from->law;
    if (from->has_general) {
        GeneralRow *g = &p->general[p->general_of[slot]];
        const int32_t a = g->tensor_a, b = g->tensor_b;
        *g = from->general;
        g->tensor_a = a;
        g->tensor_b = b;
    }
}

static ScreeStatus return_rows(const Cascade *c) {
    ChainWorld *w = c->all->world;
    Impacts *all = c->all;
    const Impacts *made = &w->task.impacts;
    scr_trade_begin(&w->reply, SENT_ROW_NUMBERS);
    for (size_t k = 0; k < made->hits; k++) {
        if (made->hit[k].strikes >= 0 && !reply_row(w, &made->hit[k])) {
            return SCREE_NO_MEMORY;
        }
    }
    if (!scr_trade_make(&w->reply, c->task->share->with) ||
        !SCR_RESERVE(all, hit, w->reply.received + 1)) {
        return SCREE_NO_MEMORY;
    }
    for (size_t i = 0; i < w->reply.received; i++) {
        const SentRow *from = (const SentRow *)(const void *)scr_trade_record(&w->reply, i);
        take_row(c, from);
        all->hit[all->hits++] = (Hit){
            .contact = from->at, .strikes = from->strikes, .lost = {from->lost[0], from->lost[1]}};
    }
    return SCREE_OK;
}

/* By what all processes know a chain: the code of one of its bodies. */
static int32_t chain_name(ChainWorld *w, Flyer *f) {
    const Cascade own = {.all = &w->task.impacts};
    const int32_t body = scr_chain_of(&own, f)->body;
    const int32_t bodies = (int32_t)w->state.bodies.count;
    return body < bodies ? w->name[body] : -1 - (body - bodies);
}

static bool reply_flyer(ChainWorld *w, Flyer *f, int32_t name, int32_t to) {
    SentFlyer *record = (SentFlyer *)(void *)scr_trade_add(&w->reply, to);
    if (record == NULL) {
        return false;
    }
    *record = (SentFlyer){.name = name,
                          .hits = f->hits,
                          .known = chain_name(w, f),
                          .before = f->before,
                          .after = f->after,
                          .jolt = f->jolt,
                          .detour = f->detour};
    return true;
}

/* To all who have sent a body; pistons are everybody's. */
static bool reply_flyers(const Cascade *c) {
    ChainWorld *w = c->all->world;
    Impacts *made = &w->task.impacts;
    const size_t bodies = w->state.bodies.count;
    bool ok = true;
    for (size_t i = 0; i < w->bodies.received && ok; i++) {
        const SentBody *body = scr_sent_body(&w->bodies, i);
        const int32_t f = made->flyer_of[scr_chain_world_find(w, body->name)];
        if (f >= 0 && made->flyer[f].hits > 0) {
            ok = reply_flyer(w, &made->flyer[f], body->name, body->from);
        }
    }
    for (size_t k = 0; k < w->state.walls.count && ok; k++) {
        const int32_t f = made->flyer_of[bodies + 1 + k];
        for (int32_t p = 0;
             f >= 0 && made->flyer[f].hits > 0 && p < c->task->share->with->count && ok; p++) {
            ok = reply_flyer(w, &made->flyer[f], -2 - (int32_t)k, p);
        }
    }
    return ok;
}

static void take_flyer(const Cascade *c, const SentFlyer *from) {
    Impacts *all = c->all;
    const int32_t body = from->name >= 0
                             ? c->task->list->neighbours.rank[c->task->share->place[from->name]]
                             : (int32_t)c->state->bodies.count - 1 - from->name;
    if (all->flyer_of[body] >= 0) {
        return; /* it was sent more than once */
    }
    const int32_t number = (int32_t)all->flyers;
    all->flyer_of[body] = number;
    all->flyer[all->flyers++] = (Flyer){.body = body,
                                        .chain = number,
                                        .known = from->known,
                                        .hits = from->hits,
                                        .before = from->before,
                                        .after = from->after,
                                        .jolt = from->jolt,
                                        .detour = from->detour};
}

static ScreeStatus return_flyers(const Cascade *c) {
    ChainWorld *w = c->all->world;
    Impacts *all = c->all;
    scr_trade_begin(&w->reply, SENT_FLYER_NUMBERS);
    if (!reply_flyers(c) || !scr_trade_make(&w->reply, c->task->share->with) ||
        !SCR_RESERVE(all, flyer, w->reply.received + 1)) {
        return SCREE_NO_MEMORY;
    }
    for (size_t i = 0; i < w->reply.received; i++) {
        take_flyer(c, (const SentFlyer *)(const void *)scr_trade_record(&w->reply, i));
    }
    return SCREE_OK;
}

ScreeStatus scr_share_chains(const Cascade *c) {
    ChainWorld *w = c->all->world;
    if (!begin_labels(c, &w->touched, NO)) {
        return SCREE_NO_MEMORY;
    }
    touch_beginnings(c);
    for (bool more = true; more;) {
        const Cascade own = scr_chain_world_cascade(w, c);
        SCR_TRY(scr_share_pass_labels(c->task->share, &w->touched, &more));
        SCR_TRY(choose_homes(c));
        SCR_TRY(send_chains(c));
        SCR_TRY(scr_chain_world_make(w, c));
        if (!scr_list_chain_contacts(&own)) {
            return SCREE_NO_MEMORY;
        }
        scr_exact_clear(&c->more[0]);
        scr_exact_clear(&c->more[1]);
        SCR_TRY(scr_run_chains(&own));
        SCR_TRY(tell_touched(c, &more));
    }
    scr_sum_over_processes(c->task->share->with, c->more, 2);
    SCR_TRY(return_rows(c));
    return return_flyers(c);
}

void scr_chain_world_free(Impacts *all) {
    ChainWorld *w = all->world;
    if (w == NULL) {
        return;
    }
    scr_labels_free(&w->loads);
    scr_labels_free(&w->touched);
    scr_labels_free(&w->home);
    scr_trade_free(&w->bodies);
    scr_trade_free(&w->contacts);
    scr_trade_free(&w->reply);
    scr_bodies_free(&w->state.bodies);
    scr_impacts_free(&w->task.impacts);
    SCR_FREE_BLOCKS(&w->sent_block, &w->name_block, &w->holder_block, &w->known_block,
                    &w->body_key_block, &w->contact_key_block, &w->contact_block, &w->motion_block,
                    &w->rank_block, &w->slot_block, &w->problem_block, &w->tensor_block,
                    &w->row_block, &w->law_block, &w->law_of_block, &w->general_block,
                    &w->general_of_block);
    scr_block_free(&all->world_block);
    all->world = NULL;
}

#include "dynamics/chain_world.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *x, const void *y) {
    const ChainKey *a = x, *b = y;
    if (a->name != b->name) {
        return a->name < b->name ? -1 : 1;
    }
    return a->point != b->point ? (a->point < b->point ? -1 : 1)
                                : (a->from > b->from) - (a->from < b->from);
}

/* Several processes may have sent the same body. Returns how many there are. */
static bool sort_bodies(ChainWorld *w, size_t *count) {
    const size_t n = w->bodies.received;
    *count = 0;
    if (!SCR_RESERVE(w, body_key, n + 1)) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        w->body_key[i] = (ChainKey){(uint64_t)scr_sent_body(&w->bodies, i)->name, 0, (int32_t)i};
    }
    qsort(w->body_key, n, sizeof *w->body_key, by_name);
    for (size_t i = 0; i < n; i++) {
        if (*count == 0 || w->body_key[i].name != w->body_key[*count - 1].name) {
            w->body_key[(*count)++] = w->body_key[i];
        }
    }
    return true;
}

static bool sort_contacts(ChainWorld *w) {
    const size_t n = w->contacts.received;
    if (!SCR_RESERVE(w, contact_key, n + 1)) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        const SentContact *c = scr_sent_contact(&w->contacts, i);
        w->contact_key[i] = (ChainKey){c->pair, c->point, (int32_t)i};
    }
    qsort(w->contact_key, n, sizeof *w->contact_key, by_name);
    return true;
}

/* ---------------------------------------------------------------- room */

static bool reserve_bodies(ChainWorld *w, const State *of, size_t bodies, size_t all) {
    Problem *p = &w->task.problem;
    Neighbours *nb = &w->list.neighbours;
    if (!scr_bodies_reserve(&w->state.bodies, bodies + 1) || !SCR_RESERVE(w, name, bodies + 1) ||
        !SCR_RESERVE(w, holder, bodies + 1) || !SCR_RESERVE(w, known, all) ||
        !scr_block_reserve(&w->motion_block, bodies + 1, sizeof(Vec3), 0) ||
        !scr_block_reserve(&w->rank_block, bodies + 1, sizeof(int32_t), 0) ||
        !scr_block_reserve(&w->problem_block, all, sizeof *p->body, 0) ||
        !scr_block_reserve(&w->tensor_block, all, sizeof *p->tensor, 0)) {
        return false;
    }
    w->free.motion = w->motion_block.data;
    nb->rank = nb->order = w->rank_block.data;
    p->body = w->problem_block.data;
    p->tensor = w->tensor_block.data;
    w->state.name = w->name;
    w->state.holder = of->holder != NULL ? w->holder : NULL;
    return true;
}

static bool reserve_rows(ChainWorld *w, const Problem *of, size_t rows) {
    Problem *p = &w->task.problem;
    if (!scr_block_reserve(&w->contact_block, rows + 1, sizeof(Contact), 0) ||
        !scr_block_reserve(&w->slot_block, rows + 1, sizeof(int32_t), 0) ||
        !scr_block_reserve(&w->row_block, rows + 1, sizeof *p->row, 0) ||
        !scr_block_reserve(&w->law_block, rows + 1, sizeof *p->law, 0) ||
        !scr_block_reserve(&w->law_of_block, rows + 1, sizeof(int32_t), 0) ||
        !scr_block_reserve(&w->general_block, rows + 1, sizeof *p->general, 0) ||
        !scr_block_reserve(&w->general_of_block, rows + 1, sizeof(int32_t), 0)) {
        return false;
    }
    p->dimension = of->dimension;
    p->rows = rows;
    p->row = w->row_block.data;
    p->law = w->law_block.data;
    p->law_of = w->law_of_block.data;
    p->general = w->general_block.data;
    p->general_of = w->general_of_block.data;
    w->state.contacts.item = w->contact_block.data;
    w->state.contacts.count = rows;
    w->task.order.slot = w->slot_block.data;
    return true;
}

/* ---------------------------------------------------------------- what is in it */

static void take_body(ChainWorld *w, size_t i) {
    const SentBody *from = scr_sent_body(&w->bodies, (size_t)w->body_key[i].from);
    Bodies *b = &w->state.bodies;
#define X(type, field) b->field[i] = from->fields.field;
    BODY_FIELDS(X)
#undef X
    w->name[i] = from->name;
    w->holder[i] = from->holder;
    w->free.motion[i] = from->motion;
    w->list.neighbours.rank[i] = (int32_t)i;
    w->task.problem.body[i] = from->body;
    w->task.problem.tensor[i] = from->tensor;
    w->task.impacts.bound[i] = from->bound;
    w->known[i] = from->bound || from->touched;
}

/* The fixed world and the walls, which all processes have. */
static void take_walls(ChainWorld *w, const Cascade *of, size_t bodies) {
    const Problem *from = of->problem;
    const size_t first = of->state->bodies.count, count = of->state->walls.count + 1;
    for (size_t k = 0; k < count; k++) {
        Problem *p = &w->task.problem;
        const int32_t t = from->tensors > 0 ? of->task->tensor_of[first + k] : -1;
        p->body[bodies + k] = from->body[first + k];
        if (t >= 0) {
            p->tensor[bodies + k] = from->tensor[t];
        }
        w->task.impacts.bound[bodies + k] = of->all->bound[first + k];
        w->known[bodies + k] =
            of->all->bound[first + k] ||
            (k > 0 && *scr_label_of(&w->touched, (int32_t)(w->touched.first_wall + k - 1)) == 0);
    }
}

int32_t scr_chain_world_find(const ChainWorld *w, int32_t name) {
    size_t low = 0, high = w->state.bodies.count;
    while (low + 1 < high) {
        const size_t middle = low + (high - low) / 2;
        low = w->name[middle] <= name ? middle : low;
        high = w->name[middle] <= name ? high : middle;
    }
    return (int32_t)low;
}

/* `turning` is the next body for a contact with a turning wall. */
static int32_t acted_body(const ChainWorld *w, int32_t code, size_t *turning) {
    if (code >= 0) {
        return scr_chain_world_find(w, code);
    }
    return code == TURNING ? (int32_t)(*turning)++ : (int32_t)w->state.bodies.count - 1 - code;
}

static void take_contact(ChainWorld *w, size_t i, size_t *turning) {
    const SentContact *from = scr_sent_contact(&w->contacts, (size_t)w->contact_key[i].from);
    Problem *p = &w->task.problem;
    Contact *c = &w->state.contacts.item[i];
    *c = from->contact;
    c->a = scr_chain_world_find(w, c->a);
    c->b = c->b >= 0 ? scr_chain_world_find(w, c->b) : c->b;
    w->task.order.slot[i] = (int32_t)i;
    p->row[i] = from->row;
    p->row[i].a = acted_body(w, from->a, turning);
    p->row[i].b = acted_body(w, from->b, turning);
    if (from->b == TURNING) {
        p->body[p->row[i].b] = (ProblemBody){.v = from->wall};
        w->task.impacts.bound[p->row[i].b] = false;
        w->known[p->row[i].b] = true;
    }
    p->law_of[i] = from->has_law ? (int32_t)i : -1;
    p->law[i] = from->law;
    p->general_of[i] = from->has_general ? (int32_t)i : -1;
    p->general[i] = from->general;
    p->general[i].tensor_a = from->general.tensor_a >= 0 ? p->row[i].a : -1;
    p->general[i].tensor_b = from->general.tensor_b >= 0 ? p->row[i].b : -1;
}

/* What the world has in common with that of the process. */
static void begin_state(ChainWorld *w, const Cascade *of) {
    State now = *of->state;
    now.bodies = w->state.bodies;
    now.contacts = (Contacts){.count = 0};
    now.spread = NULL;
    now.ghosts = now.elsewhere = 0;
    w->state = now;
    w->task.with = of->task->with;
    w->task.state = &w->state;
    w->task.free = &w->free;
    w->task.list = &w->list;
    w->list.slack = of->task->list->slack;
}

ScreeStatus scr_chain_world_make(ChainWorld *w, const Cascade *of) {
    size_t bodies, turning = 0;
    const size_t rows = w->contacts.received;
    begin_state(w, of);
    if (!sort_bodies(w, &bodies) || !sort_contacts(w)) {
        return SCREE_NO_MEMORY;
    }
    for (size_t i = 0; i < rows; i++) {
        turning += scr_sent_contact(&w->contacts, i)->b == TURNING;
    }
    const size_t shared = bodies + 1 + w->state.walls.count, all = shared + turning;
    Impacts *impacts = &w->task.impacts;
    if (!reserve_bodies(w, of->state, bodies, all) || !reserve_rows(w, of->problem, rows) ||
        !SCR_RESERVE(impacts, bound, all)) {
        return SCREE_NO_MEMORY;
    }
    w->state.bodies.count = bodies;
    w->task.problem.bodies = all;
    for (size_t i = 0; i < bodies; i++) {
        take_body(w, i);
    }
    take_walls(w, of, bodies);
    for (size_t i = 0, next = shared; i < rows; i++) {
        take_contact(w, i, &next);
    }
    return SCREE_OK;
}

Cascade scr_chain_world_cascade(ChainWorld *w, const Cascade *of) {
    Cascade c = *of;
    c.task = &w->task;
    c.state = &w->state;
    c.problem = &w->task.problem;
    c.all = &w->task.impacts;
    return c;
}

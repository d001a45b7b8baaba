/* The bodies of chains of impacts, and which chain they belong to: what cascade.c and strike.c
 * share. */
#ifndef SCREE_DYNAMICS_CHAIN_H
#define SCREE_DYNAMICS_CHAIN_H

#include "dynamics/step_task.h"
#include "math/exact_sum.h"

/* Contacts as near as this, in radii, act at one time. */
#define CHAIN_TOUCHING 1e-9

typedef struct Cascade {
    StepTask *task;
    const State *state;
    Problem *problem;
    Impacts *all;
    bool flight; /* no forces: bodies fly straight */
    double dt;
    ExactSum *more; /* [2] what chains add to the squares of free velocities, as in Problem */
} Cascade;

static inline const Contact *scr_chain_contact(const Cascade *c, size_t contact) {
    return &c->state->contacts.item[contact];
}

static inline size_t scr_chain_slot(const Cascade *c, size_t contact) {
    return (size_t)c->task->order.slot[contact];
}

static inline Row *scr_chain_row(const Cascade *c, size_t contact) {
    return &c->problem->row[scr_chain_slot(c, contact)];
}

static inline bool scr_moves(const Cascade *c, int32_t body) {
    return scr_is_movable(&c->problem->body[body]);
}

/* A body that bears a load takes part in no chain. */
static inline void scr_bind_body(const Cascade *c, int32_t body) {
    c->all->bound[body] = c->all->bound[body] || scr_moves(c, body);
}

static inline Flyer *scr_flyer_at(const Cascade *c, int32_t body) {
    int32_t f = c->all->flyer_of[body];
    return f >= 0 ? &c->all->flyer[f] : NULL;
}

/* The flyer that a body is; NULL when out of memory. */
static inline Flyer *scr_need_flyer(const Cascade *c, int32_t body) {
    Impacts *all = c->all;
    if (all->flyer_of[body] < 0) {
        if (!SCR_RESERVE_KEEPING(all, flyer, all->flyers + 1, all->flyers)) {
            return NULL;
        }
        const ProblemBody *now = &c->problem->body[body];
        all->flyer_of[body] = (int32_t)all->flyers;
        all->flyer[all->flyers] = (Flyer){
            .body = body, .chain = (int32_t)all->flyers, .bound = all->bound[body], .before = *now};
        all->flyers++;
    }
    return &all->flyer[all->flyer_of[body]];
}

static inline Flyer *scr_chain_of(const Cascade *c, Flyer *f) {
    Flyer *all = c->all->flyer;
    while (f != &all[f->chain]) {
        f->chain = all[f->chain].chain;
        f = &all[f->chain];
    }
    return f;
}

static inline void scr_join_chains(const Cascade *c, Flyer *f, Flyer *g) {
    f = scr_chain_of(c, f);
    g = scr_chain_of(c, g);
    if (f != g) {
        f->bound = f->bound || g->bound;
        g->chain = f->chain;
    }
}

static inline bool scr_is_bound(const Cascade *c, int32_t body) {
    Flyer *f = scr_flyer_at(c, body);
    return f != NULL ? scr_chain_of(c, f)->bound : c->all->bound[body];
}

/* Leaves the chain of a body to the law of the whole step. */
static inline void scr_bind_chain(const Cascade *c, int32_t body) {
    Flyer *f = scr_flyer_at(c, body);
    if (f != NULL) {
        scr_chain_of(c, f)->bound = true;
    } else {
        scr_bind_body(c, body);
    }
}

static inline int32_t scr_hits_of(const Cascade *c, int32_t body) {
    const Flyer *f = scr_flyer_at(c, body);
    return f != NULL ? f->hits : 0;
}

static inline Vec3 scr_shift_of(const Cascade *c, int32_t body) {
    const Flyer *f = scr_flyer_at(c, body);
    return f != NULL ? f->detour.shift : vec3(0, 0, 0);
}

/* Whether a contact begins a chain: one that closes as an impact, at a body that bears no load. */
bool scr_begins_chain(const Cascade *cascade, size_t contact);

/* The chains of all contacts that begin one, while it is known which bodies bear loads. False when out of
 * memory. */
bool scr_list_chain_contacts(const Cascade *cascade);
ScreeStatus scr_run_chains(const Cascade *cascade);

#endif

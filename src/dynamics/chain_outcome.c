#include "dynamics/chain_outcome.h"

#include "base/status.h"
#include "dynamics/strike.h"
#include "math/reduce.h"

#include <string.h>

/* Puts the bodies of bound chains back to free motion. */
static void put_back(const Cascade *c) {
    for (size_t k = 0; k < c->all->flyers; k++) {
        Flyer *f = &c->all->flyer[k];
        if (f->hits > 0 && scr_is_bound(c, f->body)) {
            c->problem->body[f->body] = f->before;
            f->detour = (Detour){.stray = 0};
            f->hits = 0;
        }
    }
}

/* Whether the outcome at a row of a chain is open: the gap closes, at last at a body that is bound;
 * or, where all impacts act at once, the other body bears a load, and may be moved by it. */
static bool is_doubtful(const Cascade *c, size_t contact) {
    const Contact *at = scr_chain_contact(c, contact);
    const Row *r = scr_chain_row(c, contact);
    double least = scr_least_radius(c->state, at->a, at->b);
    bool loaded = c->flight ? c->all->bound[r->a] || c->all->bound[r->b]
                            : scr_is_bound(c, r->a) || scr_is_bound(c, r->b);
    return loaded || scr_room_left(c, contact) < -CHAIN_TOUCHING * least;
}

/* Binds the chains with doubtful rows; returns whether there are any. */
static bool bind_doubtful(const Cascade *c) {
    const Impacts *all = c->all;
    bool any = false;
    for (size_t k = 0; k < all->flyers; k++) {
        const Flyer *f = &all->flyer[k];
        for (int32_t i = all->first[f->body]; f->hits > 0 && i < all->first[f->body + 1]; i++) {
            size_t contact = (size_t)all->item[i];
            if (!scr_is_bound(c, f->body) && is_doubtful(c, contact)) {
                scr_bind_chain(c, scr_chain_row(c, contact)->a);
                scr_bind_chain(c, scr_chain_row(c, contact)->b);
                any = true;
            }
        }
    }
    return any;
}

/* In flight, gaps close differently for every row of a body that makes a detour. */
static ScreeStatus note_rows(const Cascade *c) {
    const Impacts *all = c->all;
    for (size_t k = 0; c->flight && k < all->flyers; k++) {
        const Flyer *f = &all->flyer[k];
        for (int32_t i = all->first[f->body]; f->hits > 0 && i < all->first[f->body + 1]; i++) {
            if (!scr_need_hit(c, (size_t)all->item[i])) {
                return SCREE_NO_MEMORY;
            }
        }
    }
    return SCREE_OK;
}

/* Whether a noted row is left as it was: both of its bodies are bound, or walls; or one is, and the
 * other has not been struck. */
static bool stays(const Cascade *c, const Hit *h) {
    const Row *r = &h->row;
    bool bound_a = scr_is_bound(c, r->a), bound_b = scr_is_bound(c, r->b);
    bool struck = scr_hits_of(c, r->a) > 0 || scr_hits_of(c, r->b) > 0;
    return (bound_a || bound_b) && !(c->flight && struck && h->strikes == 0);
}

static void restore_row(const Cascade *c, Hit *h) {
    Problem *p = c->problem;
    size_t slot = scr_chain_slot(c, (size_t)h->contact);
    if (c->flight && scr_chain_contact(c, (size_t)h->contact)->b >= 0) {
        scr_turn_row(c, (size_t)h->contact, h->row.normal);
    }
    p->row[slot] = h->row;
    p->law_of[slot] = h->law_of;
    if (h->law_of >= 0) {
        p->law[h->law_of] = h->law;
    }
    h->strikes = -1;
}

static double alone_square(const Problem *p, size_t slot, double *all) {
    RowVelocity q = scr_row_velocity(p, slot);
    double qn = q.n + p->row[slot].bias, qt = dot(q.t, q.t);
    *all = qn * qn + qt;
    return scr_row_alone_square(p, slot, qn, qt);
}

/* A row of a chain, while bodies are at free motion: with the sum of its impulses, and asking for
 * the velocities that they lead to. An impact of two bodies that have no other already does. */
static void finish_row(const Cascade *c, const Hit *h) {
    Problem *p = c->problem;
    size_t slot = scr_chain_slot(c, (size_t)h->contact);
    Row *r = &p->row[slot];
    if (h->strikes != 1) { /* after a single one the row has its impulse */
        RowVelocity split = scr_split_velocity(p->dimension, r->normal, add(h->push, h->drag));
        r->rn = split.n;
        r->rt = r->mu > 0 ? split.t : vec3(0, 0, 0);
    }
    r->bias = h->room - h->after.n;
    bool alone = h->strikes == 1 && scr_hits_of(c, r->a) <= 1 && scr_hits_of(c, r->b) <= 1;
    if (h->strikes == 0) {
        p->law_of[slot] = -1;
    } else if (!alone && r->mu > 0) {
        LawRow l = {.bias_t = scale(-1, h->after.t)};
        scr_law_complete(p, r, &l);
        p->law_of[slot] = (int32_t)slot;
        p->law[slot] = l;
    }
}

/* The same for all; the units of the residual follow. */
static void finish_rows(const Cascade *c) {
    Problem *p = c->problem;
    for (size_t k = 0; k < c->all->hits; k++) {
        Hit *h = &c->all->hit[k];
        if (h->strikes < 0) {
            continue;
        }
        size_t slot = scr_chain_slot(c, (size_t)h->contact);
        double square, square_before;
        finish_row(c, h);
        scr_exact_add(&c->more[0], alone_square(p, slot, &square));
        const Row now = p->row[slot];
        p->row[slot].bias = h->row.bias;
        scr_exact_add(&c->more[0], -alone_square(p, slot, &square_before));
        scr_exact_add(&c->more[1], square - square_before);
        p->row[slot] = now;
    }
}

/* What a row of a chain is to ask for. Round bodies that meet more than once in a step do so along
 * the mean; for those that do not, it is the direction at the end that keeps them apart. */
static void note_outcome(const Cascade *c, Hit *h) {
    size_t contact = (size_t)h->contact;
    if (c->flight && scr_chain_contact(c, contact)->b >= 0 && h->strikes != 1) {
        scr_turn_row(c, contact, h->strikes > 0 ? h->push : scr_apart(c, contact, c->dt));
    }
    h->after = scr_row_velocity(c->problem, scr_chain_slot(c, contact));
    h->room = h->strikes > 0 ? 0 : scr_max(scr_room_left(c, contact), 0) / c->dt;
}

/* Velocities after the chains, then back to free motion: the impulses are pushed with all others. */
static void take_outcome(const Cascade *c) {
    Problem *p = c->problem;
    Impacts *all = c->all;
    for (size_t k = 0; k < all->hits; k++) {
        Hit *h = &all->hit[k];
        if (stays(c, h)) {
            restore_row(c, h);
        } else {
            note_outcome(c, h);
        }
    }
    for (size_t k = 0; k < all->flyers; k++) {
        all->flyer[k].after = p->body[all->flyer[k].body];
        p->body[all->flyer[k].body] = all->flyer[k].before;
    }
}

ScreeStatus scr_lay_detours(const Cascade *c) {
    Impacts *all = c->all;
    size_t bodies = c->state->bodies.count;
    bool any = false;
    for (size_t k = 0; k < all->flyers && c->flight && !any; k++) {
        any = all->flyer[k].hits > 0;
    }
    if (!scr_any_process(c->state->spread, any)) {
        return SCREE_OK;
    }
    if (!SCR_RESERVE(all, detour, bodies)) {
        return SCREE_NO_MEMORY;
    }
    memset(all->detour, 0, bodies * sizeof *all->detour);
    for (size_t k = 0; k < all->flyers; k++) {
        if (all->flyer[k].hits > 0) { /* never a piston: a force acts on it */
            all->detour[all->flyer[k].body] = all->flyer[k].detour;
        }
    }
    return SCREE_OK;
}

ScreeStatus scr_settle_chains(const Cascade *c) {
    do {
        put_back(c);
    } while (bind_doubtful(c));
    SCR_TRY(note_rows(c));
    take_outcome(c);
    finish_rows(c);
    return SCREE_OK;
}

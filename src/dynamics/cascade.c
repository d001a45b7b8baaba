/* Impacts with restitution that follow from one another within a step.
 *
 * Newton's law asks for the velocity just before an impact. For a body that is struck and strikes
 * another in the same step, that is not the one at the start of the step. So impacts are made one
 * after the other, in the order in which contacts close, each by the law of its row alone: at its
 * velocity so far it gets u_n' = -e u_n (and u_t' = -e_t u_t, or slides). Whatever the new
 * velocities close within the step follows. No impact makes energy, and so no chain of them does.
 *
 * Without external forces bodies fly straight, and the times are those at which surfaces meet; a
 * body then moves at its old velocity until it is struck and at the new one from there on, so that
 * x' = x + dt v' - sum of t dv. That is exact, for any time step. With forces, steps are of first
 * order in any case, and all impacts act at the start: gaps close by dt times the new velocity.
 * What a force adds in the step counts in neither case as part of an impact; so grains at rest have
 * none.
 *
 * Where several contacts act at one time there is no order: in packings, and in a row of balls that
 * touch. The same where laws beyond Coulomb's and Newton's act, and in a cell that deforms, which
 * every impact changes for all others. There all rows are solved together, each with the velocity at
 * the start of the step, and a chain that meets such a body is left to that as a whole.
 *
 * A chain is a solution of its rows: their impulses are the sums over the impacts, and their biases
 * such that the velocities after the last one are what the law asks for. The solver of the step
 * finds nothing to do there. Should it push a body of a chain after all, from outside, the order
 * was not right, and the step is posed once more without this chain. */
#include "dynamics/cascade.h"

#include "base/status.h"
#include "dynamics/chain_outcome.h"
#include "dynamics/held.h"
#include "dynamics/laws.h"
#include "dynamics/share_chains.h"
#include "dynamics/strike.h"
#include "math/reduce.h"
#include "narrow/mesh_pair.h"

#include <string.h>

/* More impacts of one body in a step are a collapse: they are left to the law of the whole step. */
enum { MOST_HITS = 64 };

/* ---------------------------------------------------------------- what takes part */

static bool takes_part(const StepTask *t) {
    const State *s = t->state;
    return (s->materials.uses & LAW_RESTITUTION) != 0 && t->with->inertia && t->with->theta == 1 &&
           !s->def.signed_gap && t->extent.contacts > 0 && !t->with->deforms;
}

static bool is_zero(Vec3 v) {
    return v.x == 0 && v.y == 0 && v.z == 0;
}

/* Whether a contact is between round bodies without forces, or with a flat wall that moves
 * evenly. */
static bool flies(const State *s, const Contact *k) {
    const Bodies *b = &s->bodies;
    if (!is_zero(b->force[k->a]) || !is_zero(b->torque[k->a])) {
        return false;
    }
    if (scr_holding_piston(s, k->a) >= 0 || (k->b >= 0 && scr_holding_piston(s, k->b) >= 0)) {
        return false;
    }
    if (k->b >= 0) {
        return is_zero(b->force[k->b]) && is_zero(b->torque[k->b]);
    }
    const ScreeWallDef *w = &s->walls.item[scr_wall_of(k->b)].now;
    bool flat = w->shape == SCREE_WALL_PLANE ||
                (w->shape == SCREE_WALL_MESH && scr_is_on_plane(w->mesh, k->feature));
    return flat && is_zero(w->spin) && w->motion != SCREE_WALL_PISTON;
}

static bool is_settled(const Cascade *c, int32_t body) {
    return c->all->bound[body] || !scr_moves(c, body);
}

static bool closes_freely(const Cascade *c, size_t contact) {
    double speed = scr_row_velocity(c->problem, scr_chain_slot(c, contact)).n;
    return scr_chain_contact(c, contact)->gap + c->dt * speed <= 0;
}

/* A contact that closes at free motion is an impact, or else it bears a load. */
static bool is_impact(const Cascade *c, const Contact *k) {
    const State *s = c->state;
    return (!c->flight || flies(s, k)) &&
           scr_is_restituting(scr_contact_law(s, k),
                              scr_start_velocity(c->task->with, s, k, scr_contact_arms(s, k)).n);
}

static bool has_other_laws(const State *s, const Contact *k) {
    const unsigned others = ~(unsigned)LAW_RESTITUTION;
    if (scr_find_bond(&s->bonds, k->a, k->b) != NULL) {
        return true;
    }
    return (s->materials.uses & others) != 0 && (scr_law_uses(scr_contact_law(s, k)) & others) != 0;
}

static bool is_banned(const Impacts *all, const Contact *k) {
    return all->bans > 0 && (all->banned[k->a] || (k->b >= 0 && all->banned[k->b]));
}

/* What the free motion leads to. */
typedef struct Prospect {
    bool impacts, loads;
} Prospect;

/* Binds the bodies that bear loads. `impacts`: whether any contact closes as an impact. */
static Prospect tell_loads(const Cascade *c) {
    const State *s = c->state;
    Prospect seen = {false, false};
    for (size_t i = 0; i < s->contacts.count; i++) {
        const Contact *k = &s->contacts.item[i];
        const Row *r = scr_chain_row(c, i);
        if (is_settled(c, r->a) && is_settled(c, r->b)) {
            continue;
        }
        if (!is_banned(c->all, k) && !has_other_laws(s, k)) {
            bool closes = closes_freely(c, i), impact = closes && is_impact(c, k);
            seen.impacts = seen.impacts || impact;
            if (!closes || impact) {
                continue;
            }
        }
        scr_bind_body(c, r->a);
        scr_bind_body(c, r->b);
        seen.loads = true;
    }
    return seen;
}

/* Whether a contact begins a chain: one that closes as an impact, at a body that bears no load. Where such a
 * body is banned, or another law acts, it is bound. */
bool scr_begins_chain(const Cascade *c, size_t contact) {
    const Row *r = scr_chain_row(c, contact);
    return !(is_settled(c, r->a) && is_settled(c, r->b)) && closes_freely(c, contact) &&
           is_impact(c, scr_chain_contact(c, contact));
}

/* Of contacts that were seen as impacts, all may be between bodies that turned out to bear loads. */
static bool has_seeds(const Cascade *c) {
    bool any = false;
    for (size_t i = 0; i < c->state->contacts.count && !any; i++) {
        any = scr_begins_chain(c, i);
    }
    return any;
}

/* Between bodies that are not bound nothing acts but impacts, and what the warm start has left of
 * those of the last step is no force. */
static void forget_impulses(const Cascade *c) {
    for (size_t i = 0; i < c->state->contacts.count; i++) {
        Row *r = scr_chain_row(c, i);
        if (!c->all->bound[r->a] && !c->all->bound[r->b]) {
            r->rn = 0;
            r->rt = vec3(0, 0, 0);
        }
    }
}

/* The contacts of each body that is not bound: counted, then written. */
bool scr_list_chain_contacts(const Cascade *c) {
    Impacts *all = c->all;
    size_t bodies = c->problem->bodies, contacts = c->state->contacts.count;
    if (!SCR_RESERVE(all, first, bodies + 2) || !SCR_RESERVE(all, item, 2 * contacts + 1) ||
        !SCR_RESERVE(all, flyer_of, bodies) || !SCR_RESERVE(all, hit_of, contacts + 1)) {
        return false;
    }
    memset(all->first, 0, (bodies + 2) * sizeof *all->first);
    memset(all->flyer_of, 0xff, bodies * sizeof *all->flyer_of);
    memset(all->hit_of, 0xff, contacts * sizeof *all->hit_of);
    int32_t *next = all->first + 1;
    for (size_t i = 0; i < contacts; i++) {
        const Row *r = scr_chain_row(c, i);
        next[r->a + 1] += !is_settled(c, r->a);
        next[r->b + 1] += !is_settled(c, r->b);
    }
    for (size_t b = 1; b <= bodies; b++) {
        next[b] += next[b - 1];
    }
    for (size_t i = 0; i < contacts; i++) {
        const Row *r = scr_chain_row(c, i);
        if (!is_settled(c, r->a)) {
            all->item[next[r->a]++] = (int32_t)i;
        }
        if (!is_settled(c, r->b)) {
            all->item[next[r->b]++] = (int32_t)i;
        }
    }
    return true;
}

/* The body at the other side of a near contact, if it is not settled; else -1. */
static int32_t near_partner(const Cascade *c, size_t contact, int32_t body) {
    const Contact *k = scr_chain_contact(c, contact);
    const Row *r = scr_chain_row(c, contact);
    int32_t other = r->a == body ? r->b : r->a;
    double near = c->task->with->slack * scr_least_radius(c->state, k->a, k->b);
    return is_settled(c, other) || k->gap > near ? -1 : other;
}

/* Loads go on through a packing: whatever is near a body that bears one is bound as well. Most of
 * the grains of a pile fall side by side until those below have stopped. */
static bool spread_loads(const Cascade *c) {
    Impacts *all = c->all;
    size_t count = 0;
    if (!SCR_RESERVE(all, front, c->problem->bodies)) {
        return false;
    }
    for (size_t i = 0; i < c->state->contacts.count; i++) {
        const Row *r = scr_chain_row(c, i);
        if (all->bound[r->a] != all->bound[r->b]) {
            int32_t other = near_partner(c, i, all->bound[r->a] ? r->a : r->b);
            if (other >= 0) {
                all->bound[other] = true;
                all->front[count++] = other;
            }
        }
    }
    while (count > 0) {
        int32_t body = all->front[--count];
        for (int32_t k = all->first[body]; k < all->first[body + 1]; k++) {
            int32_t other = near_partner(c, (size_t)all->item[k], body);
            if (other >= 0) {
                all->bound[other] = true;
                all->front[count++] = other;
            }
        }
    }
    return true;
}

/* ---------------------------------------------------------------- what closes next */

static uint64_t pair_name(const Cascade *c, size_t contact) {
    const Contact *k = scr_chain_contact(c, contact);
    return scr_pair_name(c->state, k->a, k->b);
}

/* Of one pair the point that was found first. */
static bool is_named_before(const Cascade *c, int32_t x, int32_t y) {
    const uint64_t a = pair_name(c, (size_t)x), b = pair_name(c, (size_t)y);
    return a != b ? a < b : x < y;
}

/* By time; of two at one time by names, and of one pair the point that was found first. */
static bool comes_before(const Closing *x, const Closing *y) {
    if (x->time != y->time) {
        return x->time < y->time;
    }
    return x->pair != y->pair ? x->pair < y->pair : x->contact < y->contact;
}

static ScreeStatus push_closing(const Cascade *c, size_t contact, double time) {
    Impacts *all = c->all;
    const Row *r = scr_chain_row(c, contact);
    if (!SCR_RESERVE_KEEPING(all, closing, all->closings + 1, all->closings)) {
        return SCREE_NO_MEMORY;
    }
    const Closing x = {time, pair_name(c, contact), (int32_t)contact, scr_hits_of(c, r->a),
                       scr_hits_of(c, r->b)};
    size_t at = all->closings++;
    for (; at > 0 && comes_before(&x, &all->closing[(at - 1) / 2]); at = (at - 1) / 2) {
        all->closing[at] = all->closing[(at - 1) / 2];
    }
    all->closing[at] = x;
    return SCREE_OK;
}

static Closing pop_closing(Impacts *all) {
    Closing *heap = all->closing;
    const Closing top = heap[0], last = heap[--all->closings];
    size_t at = 0, n = all->closings;
    for (size_t child = 1; child < n; child = 2 * at + 1) {
        child += child + 1 < n && comes_before(&heap[child + 1], &heap[child]);
        if (!comes_before(&heap[child], &last)) {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return top;
}

/* The impacts that the free motion leads to. Where it passes by after all, the row is to say so. */
static ScreeStatus begin_chains(const Cascade *c) {
    for (size_t i = 0; i < c->state->contacts.count; i++) {
        double gap;
        if (!scr_begins_chain(c, i)) {
            continue;
        }
        double time = scr_closing_time(c, i, 0, &gap);
        if (!scr_need_hit(c, i)) {
            return SCREE_NO_MEMORY;
        }
        if (time < INFINITY) {
            SCR_TRY(push_closing(c, i, time));
        }
    }
    return SCREE_OK;
}

/* What the new velocity of a body closes. */
static ScreeStatus look_ahead(const Cascade *c, int32_t body, size_t struck, double now) {
    const Impacts *all = c->all;
    for (int32_t k = all->first[body]; k < all->first[body + 1] && !scr_is_bound(c, body); k++) {
        size_t contact = (size_t)all->item[k];
        const Contact *at = scr_chain_contact(c, contact);
        double gap, time = scr_closing_time(c, contact, now, &gap);
        if (contact == struck || !(time < INFINITY)) {
            continue;
        }
        if (gap <= CHAIN_TOUCHING * scr_least_radius(c->state, at->a, at->b)) {
            scr_bind_chain(c, scr_chain_row(c, contact)->a);
            scr_bind_chain(c, scr_chain_row(c, contact)->b);
        } else {
            SCR_TRY(push_closing(c, contact, time));
        }
    }
    return SCREE_OK;
}

/* Whether another contact of a body closes at the same time as the one given. */
static bool has_tie(const Cascade *c, int32_t body, size_t struck, double now) {
    const Impacts *all = c->all;
    bool tie = false;
    for (int32_t k = all->first[body]; k < all->first[body + 1] && !tie; k++) {
        size_t contact = (size_t)all->item[k];
        const Contact *at = scr_chain_contact(c, contact);
        double gap, time = scr_closing_time(c, contact, now, &gap);
        double speed = fabs(scr_row_velocity(c->problem, scr_chain_slot(c, contact)).n);
        double near = CHAIN_TOUCHING * scr_least_radius(c->state, at->a, at->b);
        tie = contact != struck && time < INFINITY && (time - now) * speed <= near;
    }
    return tie;
}

/* ---------------------------------------------------------------- one after the other */

/* The contacts of a body stand as they lie in memory, until it matters which comes first. */
static void sort_contacts_of(const Cascade *c, int32_t body) {
    const Impacts *all = c->all;
    for (int32_t k = all->first[body] + 1; k < all->first[body + 1]; k++) {
        const int32_t contact = all->item[k];
        int32_t at = k;
        for (; at > all->first[body] && is_named_before(c, contact, all->item[at - 1]); at--) {
            all->item[at] = all->item[at - 1];
        }
        all->item[at] = contact;
    }
}

static bool need_flyer(const Cascade *c, int32_t body) {
    if (scr_flyer_at(c, body) == NULL) {
        sort_contacts_of(c, body);
    }
    return scr_need_flyer(c, body) != NULL;
}

/* Makes flyers of the two bodies of a row, of one chain. */
static ScreeStatus join_bodies(const Cascade *c, const Row *r) {
    bool a = scr_moves(c, r->a), b = scr_moves(c, r->b);
    if ((a && !need_flyer(c, r->a)) || (b && !need_flyer(c, r->b))) {
        return SCREE_NO_MEMORY;
    }
    if (a && b) {
        scr_join_chains(c, scr_flyer_at(c, r->a), scr_flyer_at(c, r->b));
    }
    return SCREE_OK;
}

static ScreeStatus make_impact(const Cascade *c, const Closing *next) {
    size_t contact = (size_t)next->contact;
    const Row *r = scr_chain_row(c, contact);
    const int32_t a = r->a, b = r->b;
    SCR_TRY(join_bodies(c, r));
    int32_t any = scr_moves(c, a) ? a : b;
    bool sound = !scr_is_bound(c, any) && scr_hits_of(c, a) < MOST_HITS &&
                 scr_hits_of(c, b) < MOST_HITS &&
                 (!c->flight || flies(c->state, scr_chain_contact(c, contact))) &&
                 !has_tie(c, a, contact, next->time) && !has_tie(c, b, contact, next->time);
    if (sound) {
        SCR_TRY(scr_strike(c, contact, next->time, &sound));
    }
    if (!sound) {
        scr_bind_chain(c, any);
        return SCREE_OK;
    }
    if (scr_moves(c, a)) {
        SCR_TRY(look_ahead(c, a, contact, next->time));
    }
    return scr_moves(c, b) ? look_ahead(c, b, contact, next->time) : SCREE_OK;
}

static ScreeStatus run_chains(const Cascade *c) {
    while (c->all->closings > 0) {
        const Closing next = pop_closing(c->all);
        const Row *r = scr_chain_row(c, (size_t)next.contact);
        if (next.hits_a == scr_hits_of(c, r->a) && next.hits_b == scr_hits_of(c, r->b)) {
            SCR_TRY(make_impact(c, &next));
        }
    }
    return SCREE_OK;
}

/* ---------------------------------------------------------------- the whole */

ScreeStatus scr_run_chains(const Cascade *c) {
    c->all->flyers = c->all->hits = c->all->closings = 0;
    SCR_TRY(begin_chains(c));
    SCR_TRY(run_chains(c));
    return scr_settle_chains(c);
}

/* As one process does, or together with all others. */
static ScreeStatus make_chains(const Cascade *c) {
    Problem *p = c->problem;
    SCR_TRY(c->task->share != NULL ? scr_share_chains(c) : scr_run_chains(c));
    p->free_square = scr_max(p->free_square + scr_exact_total(&c->more[0]), 0);
    p->free_square_fclib = scr_max(p->free_square_fclib + scr_exact_total(&c->more[1]), 0);
    return scr_lay_detours(c);
}

/* Loads of all processes. */
static ScreeStatus spread_all_loads(const Cascade *c) {
    for (bool again = true; again;) {
        if (!spread_loads(c)) {
            return SCREE_NO_MEMORY;
        }
        SCR_TRY(scr_share_loads(c, &again));
    }
    return SCREE_OK;
}

static ScreeStatus look_at_free_motion(const Cascade *c, Prospect *seen) {
    bool lower;
    *seen = tell_loads(c);
    SCR_TRY(scr_share_loads(c, &lower));
    seen->loads = scr_any_process(c->state->spread, seen->loads);
    seen->impacts = scr_any_process(c->state->spread, seen->impacts && has_seeds(c));
    if (!seen->impacts) {
        return SCREE_OK;
    }
    return scr_list_chain_contacts(c) ? spread_all_loads(c) : SCREE_NO_MEMORY;
}

ScreeStatus scr_chain_impacts(StepTask *t) {
    Impacts *all = &t->impacts;
    const Vec3 g = t->state->def.gravity;
    ExactSum more[2];
    const Cascade c = {.task = t,
                       .state = t->state,
                       .problem = &t->problem,
                       .all = all,
                       .flight = is_zero(g) && t->state->shapes.count == 0,
                       .dt = t->with->time_step,
                       .more = more};
    all->detour = NULL;
    all->flyers = all->hits = all->closings = 0;
    if (!takes_part(t)) {
        return SCREE_OK;
    }
    scr_exact_clear(&more[0]);
    scr_exact_clear(&more[1]);
    if (!SCR_RESERVE(all, bound, t->problem.bodies)) {
        return SCREE_NO_MEMORY;
    }
    memset(all->bound, 0, t->problem.bodies * sizeof *all->bound);
    Prospect seen;
    SCR_TRY(scr_begin_loads(&c));
    SCR_TRY(look_at_free_motion(&c, &seen));
    if (seen.impacts || !seen.loads) {
        forget_impulses(&c);
    }
    return seen.impacts ? make_chains(&c) : SCREE_OK;
}

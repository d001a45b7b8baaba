/* What becomes of impacts after the solution of the step. */
#include "dynamics/cascade.h"

#include "base/status.h"
#include "dynamics/share_chains.h"
#include "math/reduce.h"

#include <string.h>

/* Part of its velocity by which rounding may change a body. */
#define UNDISTURBED 1e-9

/* Whether a body has another velocity than after its last impact, beyond rounding. */
static bool is_pushed(const Flyer *f, const ProblemBody *now) {
    double off = length(sub(now->v, f->after.v)) + length(sub(now->s, f->after.s));
    return off > UNDISTURBED * (f->jolt + length(f->before.v) + length(f->before.s));
}

ScreeStatus scr_ban_disturbed(StepTask *t, bool *again) {
    Impacts *all = &t->impacts;
    const Cascade c = {.task = t, .state = t->state, .problem = &t->problem, .all = all};
    if ((t->state->materials.uses & LAW_RESTITUTION) == 0) {
        return SCREE_OK;
    }
    size_t bodies = t->state->bodies.count;
    bool any = false;
    for (size_t k = 0; k < all->flyers; k++) {
        const Flyer *f = &all->flyer[k];
        if (f->hits > 0 && is_pushed(f, &t->problem.body[f->body])) {
            scr_bind_chain(&c, f->body);
            any = true;
        }
    }
    if (!scr_any_process(t->state->spread, any)) {
        return SCREE_OK;
    }
    all->hits = 0; /* what has been noted of them does not hold */
    *again = true;
    if (!SCR_RESERVE_KEEPING(all, banned, bodies, all->bans > 0 ? bodies : 0)) {
        return SCREE_NO_MEMORY;
    }
    if (all->bans == 0) {
        memset(all->banned, 0, bodies * sizeof *all->banned);
    }
    if (t->share != NULL) {
        return scr_share_bans(&c);
    }
    for (size_t k = 0; k < all->flyers; k++) {
        const Flyer *f = &all->flyer[k];
        if (f->hits > 0 && (size_t)f->body < bodies && scr_is_bound(&c, f->body)) {
            all->banned[t->list->neighbours.order[f->body]] = true;
            all->bans++;
        }
    }
    return SCREE_OK;
}

void scr_collect_normals(const StepTask *t, State *s) {
    for (size_t k = 0; k < t->impacts.hits; k++) {
        const Hit *h = &t->impacts.hit[k];
        if (h->strikes > 0) {
            s->contacts.item[h->contact].normal = t->problem.row[t->order.slot[h->contact]].normal;
        }
    }
}

/* Impulse times the mean of the velocities before and after the step gives the energy that all
 * impacts take together, but not what each of them takes at its own velocities. */
void scr_attribute_impacts(const StepTask *t, double *normal, double *friction) {
    ExactSum sum[2];
    if ((t->state->materials.uses & LAW_RESTITUTION) == 0) {
        return;
    }
    scr_exact_clear(&sum[0]);
    scr_exact_clear(&sum[1]);
    for (size_t k = 0; k < t->impacts.hits; k++) {
        const Hit *h = &t->impacts.hit[k];
        if (h->strikes > 0) {
            size_t slot = (size_t)t->order.slot[h->contact];
            RowVelocity mean = scr_row_velocity(&t->problem, slot);
            scr_exact_add(&sum[0], h->lost[0] + t->problem.row[slot].rn * mean.n);
            scr_exact_add(&sum[1], h->lost[1] + dot(t->problem.row[slot].rt, mean.t));
        }
    }
    scr_sum_over_processes(t->state->spread, sum, 2);
    *normal += scr_exact_total(&sum[0]);
    *friction += scr_exact_total(&sum[1]);
}

bool scr_detours_overlap(const StepTask *t, Pair p, Vec3 d, double margin) {
    const Spot *spot = t->list->neighbours.spot;
    const ProblemBody *body = t->problem.body;
    const Detour *a = &t->impacts.detour[p.a], *b = &t->impacts.detour[p.b];
    double dt = t->with->time_step, least = spot[p.a].reach + spot[p.b].reach - margin;
    Vec3 u = sub(body[p.b].v, body[p.a].v);
    Vec3 end = add_scaled(add(d, sub(b->shift, a->shift)), dt, u);
    /* nearest on the straight way since both had their last impact */
    double square = dot(u, u), back = square > 0 ? dot(end, u) / square : 0;
    Vec3 nearest = add_scaled(end, -scr_min(scr_max(back, 0), dt - scr_max(a->since, b->since)), u);
    return dot(nearest, nearest) < least * least;
}

void scr_impacts_free(Impacts *all) {
    scr_chain_world_free(all);
    SCR_FREE_BLOCKS(&all->detour_block, &all->flyer_of_block, &all->hit_of_block, &all->bound_block,
                    &all->banned_block, &all->flyer_block, &all->hit_block, &all->closing_block,
                    &all->first_block, &all->item_block, &all->front_block, &all->tamed_block);
    *all = (Impacts){0};
}

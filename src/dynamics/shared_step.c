#include "dynamics/shared_step.h"

#include "base/status.h"

#include <string.h>

/* With fewer bodies a process is not worth its messages. */
enum { FEW_BODIES = 50 };

bool scr_is_shareable(const State *s, const Engine *e) {
    const ScreeSolverDef *solver = &s->def.solver;
    const unsigned alone = LAW_RESTITUTION | LAW_TWO_FRICTIONS;
    return e->processes != NULL && e->processes->count > 1 && !e->solved.wanted &&
           s->bodies.count >= FEW_BODIES * (size_t)e->processes->count && s->identity == NULL &&
           !scr_is_variational(&s->def) && !scr_is_matrix_method(solver) &&
           s->def.search == SCREE_SEARCH_HIERARCHICAL_GRID && s->def.cell == 0 &&
           solver->order == SCREE_ORDER_BOXED && !scr_any_shaped(s) &&
           (s->materials.uses & alone) == 0 &&
           (solver->criterion == SCREE_CRITERION_RESIDUAL ||
            solver->criterion == SCREE_CRITERION_FIXED) &&
           !scr_may_cut(&s->def, &s->materials);
}

/* Anchors and margins may be chosen anew before a step is given up. */
static ScreeStatus keep_before(Share *s) {
    Contacts *to = &s->before;
    const Contacts *from = &s->local.contacts;
    const size_t n = scr_counted(&s->local), contacts = from->count + 1;
    if (!SCR_RESERVE(s, kept, n + 1) || !SCR_RESERVE(s, kept_name, n + 1) ||
        !scr_block_reserve(&to->block, contacts, sizeof *to->item, 0) ||
        (from->extra != NULL &&
         !scr_block_reserve(&to->extra_block, contacts, sizeof *to->extra, 0))) {
        return SCREE_NO_MEMORY;
    }
    s->kepts = n;
    for (size_t i = 0; i < n; i++) {
        s->kept_name[i] = s->name[i];
        s->kept[i] = (KeptAnchor){s->local.bodies.anchor[i], s->local.bodies.margin[i]};
    }
    Contacts copy = *from;
    copy.block = to->block;
    copy.extra_block = to->extra_block;
    copy.slid_block = (Block){0};
    copy.item = copy.block.data;
    copy.extra = from->extra != NULL ? copy.extra_block.data : NULL;
    for (size_t i = 0; i < from->count; i++) {
        Contact c = from->item[i];
        c.a = s->name[c.a];
        c.b = c.b >= 0 ? s->name[c.b] : c.b;
        copy.item[i] = c;
        if (copy.extra != NULL) {
            copy.extra[i] = from->extra[i];
        }
    }
    *to = copy;
    return SCREE_OK;
}

ScreeStatus scr_share_join(Engine *e, const State *whole) {
    Share *s = &e->share;
    s->given_up = false;
    if (!s->made) {
        SCR_TRY(scr_share_scatter(s, whole, e->processes));
        e->list.built = false;
    }
    scr_share_begin(s, whole);
    s->listed = true;
    return keep_before(s);
}

void scr_share_leave(Engine *e, State *whole, bool made) {
    Share *s = &e->share;
    e->task.with = NULL;
    if (!made) {
        s->named = true; /* only collecting can follow */
        return;
    }
    const State *l = &s->local;
    Contacts *k = &whole->contacts;
    whole->time = l->time;
    whole->step = l->step;
    whole->list = l->list;
    whole->list_stale = l->list_stale;
    whole->cell = l->cell;
    k->time_step = l->contacts.time_step;
    k->ratio = l->contacts.ratio;
    k->steady = l->contacts.steady;
    memcpy(k->elastic, l->contacts.elastic, sizeof k->elastic);
    s->ahead = true;
}

ScreeStatus scr_share_dissolve(Engine *e, State *whole) {
    SCR_TRY(scr_share_collect(&e->share, whole));
    e->list.built = e->list.built && !e->share.listed;
    e->share.listed = false;
    return SCREE_OK;
}

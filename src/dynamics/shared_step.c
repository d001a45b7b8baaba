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

ScreeStatus scr_share_join(Engine *e, const State *whole) {
    Share *s = &e->share;
    s->given_up = false;
    if (!s->made) {
        SCR_TRY(scr_share_scatter(s, whole, e->processes));
        e->list.built = false;
    }
    scr_share_begin(s, whole);
    s->listed = true;
    s->posed_now = s->before_now = s->kept_now = false;
    return SCREE_OK;
}

void scr_share_leave(Engine *e, State *whole, bool made) {
    Share *s = &e->share;
    e->task.with = NULL;
    if (!made) {
        s->undone = true; /* only collecting can follow */
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

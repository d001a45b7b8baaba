#include "dynamics/shared_step.h"

#include "base/status.h"
#include "dynamics/row_order.h"

#include <string.h>

/* With fewer bodies a process is not worth its messages. */
enum { FEW_BODIES = 50 };

/* Whatever is larger than a box is in all processes, with sums over these after each group of boxes. */
enum { MOST_LARGE = 64 };

static const char *why_whole_by_solver(const ScreeSolverDef *solver) {
    if (scr_is_matrix_method(solver)) {
        return "its solver takes all contacts together in matrices";
    }
    if (solver->order != SCREE_ORDER_BOXED) {
        return "the order of its sweeps is not boxed";
    }
    return solver->criterion != SCREE_CRITERION_RESIDUAL &&
                   solver->criterion != SCREE_CRITERION_FIXED
               ? "its solver's criterion is neither residual nor fixed"
               : NULL;
}

const char *scr_why_whole(const State *s, int32_t processes) {
    if (s->def.engine != SCREE_ENGINE_CONTACT_DYNAMICS) {
        return "its engine is not contact_dynamics";
    }
    const char *why = why_whole_by_solver(&s->def.solver);
    if (why != NULL) {
        return why;
    }
    if (s->def.search != SCREE_SEARCH_HIERARCHICAL_GRID || s->def.cell != 0) {
        return "its search for neighbours is not the usual one";
    }
    if (s->identity != NULL) {
        return "grains have left it";
    }
    if (s->bonds.count > 0) {
        return "some of its grains are bonded";
    }
    return s->bodies.count < FEW_BODIES * (size_t)processes
               ? "there are fewer than 50 grains for each process"
               : NULL;
}

/* Gaps make the bodies that a box can have whole a little smaller. */
static const double part_of_largest = 0.8;

static double large_from(const State *s) {
    const Bodies *b = &s->bodies;
    double sum = 0;
    for (size_t i = 0; i < b->count; i++) {
        sum += b->radius[i];
    }
    const double mean = b->count > 0 ? sum / (double)b->count : 0;
    return part_of_largest * scr_largest_whole(s->def.dimension, mean);
}

bool scr_has_many_large(const State *s) {
    const double from = large_from(s);
    size_t count = 0;
    for (size_t i = 0; i < s->bodies.count; i++) {
        count += s->bodies.radius[i] > from;
    }
    return count > MOST_LARGE;
}

bool scr_is_shareable(const State *s, const Engine *e) {
    return e->processes != NULL && e->processes->count > 1 && !e->solved.wanted &&
           scr_why_whole(s, e->processes->count) == NULL &&
           (e->share.made || !scr_has_many_large(s));
}

/* From here on this process goes on with its share. */
static void go_ahead(Share *s, State *whole) {
    s->ahead = true;
    scr_share_put_away(whole);
}

ScreeStatus scr_share_join(Engine *e, State *whole) {
    Share *s = &e->share;
    if (s->shown) { /* nobody has let go */
        scr_share_put_away(whole);
    }
    s->given_up = s->shown = false;
    if (s->made && whole->materials.grow && !scr_share_look_at_sizes(s)) {
        SCR_TRY(scr_share_collect(s, whole));
    }
    if (!s->made) {
        SCR_TRY(scr_share_scatter(s, whole, e->processes, large_from(whole)));
        e->list.built = false;
        if (!s->doubtful) {
            go_ahead(s, whole);
        }
    }
    scr_share_begin(s, whole);
    s->listed = true;
    s->posed_now = s->before_now = s->kept_now = false;
    return SCREE_OK;
}

void scr_share_leave(Engine *e, State *whole, bool made, int64_t sweeps) {
    Share *s = &e->share;
    e->task.with = NULL;
    if (!made) {
        s->undone = true; /* only collecting can follow */
        return;
    }
    scr_share_count_work(s, e->list.neighbours.count, e->task.problem.rows, sweeps);
    const State *l = &s->local;
    Contacts *k = &whole->contacts;
    whole->time = l->time;
    whole->step = l->step;
    whole->list = l->list;
    whole->list_stale = l->list_stale;
    whole->cell = l->cell;
    whole->def = l->def; /* with the edges of the cell and its rate */
    k->time_step = l->contacts.time_step;
    k->ratio = l->contacts.ratio;
    k->steady = l->contacts.steady;
    memcpy(k->elastic, l->contacts.elastic, sizeof k->elastic);
    s->doubtful = false;
    if (!s->ahead) {
        go_ahead(s, whole);
    }
}

ScreeStatus scr_share_dissolve(Engine *e, State *whole) {
    e->share.doubtful = e->share.given_up;
    SCR_TRY(scr_share_collect(&e->share, whole));
    e->list.built = e->list.built && !e->share.listed;
    e->share.listed = false;
    return SCREE_OK;
}

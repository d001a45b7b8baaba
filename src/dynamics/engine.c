/* What a step is made with, how it ends, and the engine's memory. */
#include "dynamics/engine.h"

#include "base/status.h"

#include <string.h>

/* As many threads as the definition wants; without them, should the system refuse, the result is
 * the same. */
static Threads *threads_of(const ScreeWorldDef *def, Engine *e) {
    if (e->thread_count != def->threads) {
        scr_threads_destroy(e->threads);
        e->threads = def->threads > 1 ? scr_threads_create(def->threads) : NULL;
        e->thread_count = def->threads;
    }
    return e->threads;
}

/* Cayley's form of exp(-L dt): each body loses exactly dt L : m w w^T of its energy, at the mean w. */
static void let_deform(const ScreeWorldDef *def, StepParams *with) {
    const Mat3 one = mat3_diagonal(1, 1, 1), rate = mat3_from(def->deform.rate);
    const double half = 0.5 * with->time_step;
    const Mat3 ahead = mat3_add_scaled(one, half, rate);
    with->deforms = true;
    with->rate = rate;
    with->convection = mat3_multiply(mat3_inverse(&ahead), mat3_add_scaled(one, -half, rate));
}

StepParams scr_stride_params(const State *s, Engine *e, double part) {
    bool variational = scr_is_variational(&s->def);
    StepParams with = {
        .number = s->step + 1,
        .time_step = part * s->def.time_step,
        .whole = s->def.time_step,
        .theta = s->def.theta,
        .inertia = true,
        .slack = variational ? s->def.variational.range : 0.01,
        .solver = variational                            ? &scr_variational_solver
                  : scr_is_matrix_method(&s->def.solver) ? &scr_matrix_solver
                                                         : &scr_sweep_solver,
        .threads = threads_of(&s->def, e),
        .device = e->device,
        .processes = e->processes,
    };
    if (s->def.deform.deforms) {
        let_deform(&s->def, &with);
    }
    with.grows = s->materials.grow;
    return with;
}

StepParams scr_step_params(const State *s, Engine *e) {
    return scr_stride_params(s, e, 1);
}

ScreeStatus scr_remember_solved(const Problem *p, SolvedBodies *solved) {
    if (!solved->wanted) {
        return SCREE_OK;
    }
    if (!scr_block_reserve(&solved->block, p->bodies, sizeof *p->body, 0)) {
        return SCREE_NO_MEMORY;
    }
    memcpy(solved->block.data, p->body, p->bodies * sizeof *p->body);
    solved->count = p->bodies;
    return SCREE_OK;
}

void scr_end_step(State *s, Engine *e, ScreeStatus status, ScreeReport *report) {
    e->task.with = NULL;
    if (status != SCREE_OK) { /* what was half done is forgotten */
        scr_put_back_contacts(s, &e->before);
        s->list_stale = true;
        return;
    }
    s->step++;
    s->time = s->time_base + (double)(s->step - s->step_base) * s->def.time_step;
    report->step = (int64_t)s->step;
    report->time = s->time;
}

void scr_engine_free(Engine *e) {
    scr_threads_destroy(e->threads);
    scr_block_free(&e->free.block);
    scr_near_list_free(&e->list);
    scr_outlines_free(&e->outlines);
    scr_arena_free(&e->arena);
    scr_step_task_free(&e->task);
    scr_solver_work_free(&e->work);
    scr_contacts_copy_free(&e->before);
    scr_block_free(&e->solved.block);
    scr_halves_free(&e->halves);
    scr_share_free(&e->share);
    scr_device_step_free(&e->there);
    *e = (Engine){0};
}

/* The solver on the problem of a step, and what it has reached. */
#include "dynamics/engine.h"

#include "base/clock.h"

ScreeStatus scr_run_solver(const State *s, Engine *e, ScreeReport *report) {
    bool accelerated = scr_is_accelerated(&s->def.solver);
    size_t bytes = accelerated ? scr_momentum_bytes(&e->problem) : 0;
    if (!scr_block_reserve(&e->momentum_block, bytes, 1, 0)) {
        return SCREE_NO_MEMORY;
    }
    const SolveSettings settings = {
        .def = s->def.solver,
        .approach = s->def.solver.overlap * e->least_radius / s->def.time_step,
        .small_impulse = s->def.solver.small_force * s->def.time_step,
        .seed = s->def.seed,
        .step = s->step,
        .momentum = accelerated ? e->momentum_block.data : NULL,
        .sequence = e->sequence_block.data,
        .stored = &e->order,
        .threads = e->threads,
    };
    double begin = scr_seconds();
    SolveReport solved = scr_solve(&e->problem, &settings);
    report->iterations += solved.iterations;
    e->equivalent += solved.equivalent;
    report->residual = solved.residual.relative;
    report->residual_fclib = solved.residual.fclib;
    report->overlap_added = solved.residual.approach * s->def.time_step;
    report->unsettled = (int64_t)solved.unsettled;
    e->seconds_solver += scr_seconds() - begin;
    e->updates += (double)solved.iterations * (double)e->problem.rows;
    return SCREE_OK;
}

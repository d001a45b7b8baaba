/* Sweeps over the problem of a step, and what is said of their result. Cutting a step and the
 * solvers stand above this file. */
#include "dynamics/step_solver.h"

#include "base/clock.h"
#include "base/status.h"
#include "math/reduce.h"
#include "sweep/iteration.h"

/* For equal spheres the residual in velocities is about three times that in impulses, since rho is
 * a mean of the block; and as the law is in both, no contact may miss it by more than three times
 * the velocity at which it may close. Over the loads themselves, errors are to be ten times as
 * small; where 1e-6 of them is asked for, the other limits are stricter. */
static const double velocity_share = 3, load_share = 0.1;

static ResidualLimits limits_of(const StepTask *t, double tolerance, double overlap) {
    double approach = overlap * t->free->least_radius / t->with->whole;
    return (ResidualLimits){
        .relative = tolerance,
        .loads = scr_max(load_share * tolerance, 1e-6),
        .velocity = velocity_share * tolerance,
        .approach = approach,
        .worst = velocity_share * approach,
    };
}

ResidualLimits scr_residual_limits(const StepTask *t) {
    const ScreeSolverDef *def = &t->state->def.solver;
    return limits_of(t, def->tolerance, def->overlap);
}

ResidualLimits scr_usual_limits(const StepTask *t) {
    const ScreeSolverDef *def = &t->state->def.solver, usual = scree_solver_def_default();
    return limits_of(t, scr_max(def->tolerance, usual.tolerance),
                     scr_max(def->overlap, usual.overlap));
}

/* Rounding counts in the residual of velocities once it is more than that: tolerances of 1e-12 ask
 * for what the digits allow, but masses that are far apart leave only a few of these. */
static const double few_digits = 1e-6;

static void report_residual(const StepTask *t, const Residual *residual, ScreeReport *report) {
    report->residual = residual->relative;
    report->residual_loads = residual->loads;
    bool lacking = residual->rounding > few_digits;
    report->residual_velocity = residual->velocity + (lacking ? residual->rounding : 0);
    report->residual_fclib = residual->fclib;
    report->overlap_added = residual->approach * t->with->time_step;
    report->velocity_error = residual->worst;
}

/* ---------------------------------------------------------------- calm
 *
 * The tolerance is a part of the velocity that the contacts have to deal with, which at rest is g dt.
 * Errors of a tenth of that keep a wall of blocks in motion for ever: what is lost in one step comes
 * back as the error of the next. So the slower the surfaces move on each other, the further the
 * residual is brought down: to the same part of their speed as the tolerance is of g dt. Motion then
 * dies out, and from one step to the next there is little left to solve. */

static const double calmest = 1e-8;

/* A body that slides through hundreds of steps adds up what is left in each. With a residual of 1e-6 a cube of
 * eight parts comes to lie 6e-9 from where one of a single part does, with this one 1e-11 at most. */
static const double handy = 1e-10;

/* How fast the surfaces of a contact move on each other at the start of the step. */
static double sliding_speed(const StepTask *t, size_t contact) {
    const State *s = t->state;
    const Bodies *b = &s->bodies;
    const Contact *c = &s->contacts.item[contact];
    const GeneralRow *g = scr_general_row(&t->problem, (size_t)t->order.slot[contact]);
    Vec3 arm_a = g != NULL ? g->arm_a : c->normal;
    Vec3 arm_b = g != NULL ? g->arm_b : scale(-1, c->normal);
    Vec3 ua = add_scaled(b->velocity[c->a], b->radius[c->a], cross(b->spin[c->a], arm_a));
    if (c->b < 0) {
        const ScreeWallDef *w = &s->walls.item[scr_wall_of(c->b)].now;
        return length(sub(scr_wall_motion(w, w->point), ua));
    }
    Vec3 ub = add_scaled(b->velocity[c->b], b->radius[c->b], cross(b->spin[c->b], arm_b));
    return length(sub(ub, ua));
}

/* The excess of the residual to aim at. */
static double calm_aim(const StepTask *t) {
    const Problem *p = &t->problem;
    ExactSum speed, approach;
    int64_t count = 0;
    if (t->state->shapes.solids == 0) {
        return 1;
    }
    scr_exact_clear(&speed);
    scr_exact_clear(&approach);
    for (size_t i = 0; i < t->state->contacts.count; i++) {
        if (p->row[t->order.slot[i]].bias <= 0) {
            scr_exact_add(&speed, sliding_speed(t, i));
            scr_exact_add(&approach, p->approach[t->order.slot[i]]);
            count++;
        }
    }
    ExactSum sum[] = {speed, approach};
    scr_sum_over_processes(t->state->spread, sum, 2);
    scr_count_over_processes(t->state->spread, &count, 1);
    double unit = scr_max(scr_exact_total(&sum[1]), (double)count * p->least_approach);
    return unit > 0 ? scr_min(1, scr_max(calmest, scr_exact_total(&sum[0]) / unit)) : 1;
}

/* The device with the rows of this problem, or NULL where the processor sweeps. */
static DeviceRows *take_to_device(StepTask *t, SolverWork *work, bool watched) {
    const ScreeDevice *device = t->with->device;
    if (t->there != NULL) {
        return &work->device; /* which has the rows already */
    }
    bool taken = device != NULL && !watched && t->state->def.solver.order == SCREE_ORDER_BOXED &&
                 scr_device_takes(&t->problem, &t->order);
    return taken &&
                   scr_device_begin(&work->device, device, &t->problem, &t->order, t->with->threads)
               ? &work->device
               : NULL;
}

static ScreeStatus look_after_device(const StepTask *t) {
    const ScreeDevice *device = t->with->device;
    return device != NULL && device->fault(device->context) != NULL ? SCREE_DEVICE_FAILED
                                                                    : SCREE_OK;
}

ScreeStatus scr_run_sweeps(StepTask *t, int most, SolverWork *work, ScreeReport *report) {
    const ScreeSolverDef *def = &t->state->def.solver;
    bool accelerated = scr_is_accelerated(def);
    size_t bytes = accelerated ? scr_momentum_bytes(&t->problem) : 0;
    size_t drawn = def->order == SCREE_ORDER_RANDOM ? t->problem.rows + 1 : 0;
    if (!scr_block_reserve(&work->momentum_block, bytes, 1, 0) ||
        !scr_block_reserve(&work->sequence_block, drawn, sizeof(int32_t), 0)) {
        return SCREE_NO_MEMORY;
    }
    const bool watched =
        def->criterion == SCREE_CRITERION_LOCAL || def->criterion == SCREE_CRITERION_GLOBAL;
    if (t->share == NULL && !scr_domain_make(&work->domain, &t->problem, &t->order,
                                             watched ? NULL : t->with->processes)) {
        return SCREE_NO_MEMORY;
    }
    double dt = t->with->time_step;
    SolveSettings settings = {
        .def = *def,
        .limits = scr_residual_limits(t),
        .calm = calm_aim(t),
        .handy = t->state->shapes.solids > 0 ? handy : 0,
        .small_impulse = def->small_force * dt,
        .ratio = t->state->contacts.ratio,
        .seed = t->state->def.seed,
        .step = t->state->step,
        .momentum = accelerated ? work->momentum_block.data : NULL,
        .sequence = work->sequence_block.data,
        .stored = &t->order,
        .threads = t->with->threads,
        .domain = t->share != NULL            ? t->order.spread
                  : work->domain.with != NULL ? &work->domain
                                              : NULL,
    };
    settings.def.iterations = most < def->iterations ? most : def->iterations;
    double begin = scr_seconds();
    settings.device = take_to_device(t, work, watched);
    SolveReport solved = scr_solve(&t->problem, &settings);
    SCR_TRY(look_after_device(t));
    report->iterations += solved.iterations;
    work->equivalent += solved.equivalent;
    work->ratio = solved.ratio;
    report_residual(t, &solved.residual, report);
    work->excess = scr_excess(&solved.residual, &settings.limits);
    report->unsettled = (int64_t)solved.unsettled;
    work->seconds += scr_seconds() - begin;
    double updates = (double)solved.iterations * (double)scr_all_rows(&t->problem);
    work->updates += updates;
    work->device_updates += settings.device != NULL ? updates : 0;
    return SCREE_OK;
}

double scr_report_excess(const StepTask *t, const ResidualLimits *limits,
                         const ScreeReport *report) {
    const Residual residual = {
        .relative = report->residual,
        .loads = report->residual_loads,
        .velocity = report->residual_velocity,
        .approach = report->overlap_added / t->with->time_step,
        .worst = report->velocity_error,
    };
    return scr_excess(&residual, limits);
}

bool scr_is_converged(const StepTask *t, const ScreeReport *report) {
    const ResidualLimits limits = scr_residual_limits(t);
    return report->unsettled == 0 && scr_report_excess(t, &limits, report) <= 1;
}

/* Contacts without a state come first: of them no residual tells. */
ScreeMiss scr_find_miss(const StepTask *t, const ScreeReport *report) {
    const ResidualLimits limits = scr_residual_limits(t);
    const double dt = t->with->time_step;
    const ScreeMiss of[] = {
        {"residual", report->residual, limits.relative},
        {"residual over the loads", report->residual_loads, limits.loads},
        {"residual in velocities", report->residual_velocity, limits.velocity},
        {dt < t->with->whole ? "overlap added in a stride" : "overlap added", report->overlap_added,
         limits.approach * dt},
        {"velocity error of a contact", report->velocity_error, limits.worst},
    };
    ScreeMiss worst = {NULL, 0, 0};
    if (report->unsettled > 0) {
        return (ScreeMiss){"contacts unsettled", (double)report->unsettled, 0};
    }
    for (size_t i = 0; i < sizeof of / sizeof of[0] && !scr_is_converged(t, report); i++) {
        /* what is no number is beyond any limit */
        if (worst.what == NULL || !(of[i].value / of[i].limit <= worst.value / worst.limit)) {
            worst = of[i];
        }
    }
    return worst;
}

void scr_judge_rows(const StepTask *t, ScreeReport *report) {
    Residual judged = scr_problem_residual(&t->problem, t->with->threads);
    report_residual(t, &judged, report);
}

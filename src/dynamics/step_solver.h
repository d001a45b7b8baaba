/* How the impulses of a step are found: one small table for each way. */
#ifndef SCREE_DYNAMICS_STEP_SOLVER_H
#define SCREE_DYNAMICS_STEP_SOLVER_H

#include "dynamics/step_matrices.h"
#include "dynamics/step_task.h"
#include "matrix/part.h"
#include "sweep/iteration.h"

/* Zero-initialise it. */
typedef struct SolverWork {
    StepMatrices matrices; /* of solvers that need them */
    ProblemPart part;      /* of rescues */
    Domain domain;         /* the part of this process */
    DeviceRows device;     /* rows on a device that sweeps */
    Block momentum_block, sequence_block, cut_block, start_block, copy_block, patch_block,
        settled_block;
    void *own;               /* of a solver that another room provides */
    double equivalent;       /* sweeps that were as good as those made: see SolveReport */
    double ratio;            /* see SolveReport */
    double excess;           /* of what the last sweeps left, in units of what is allowed */
    double slow_flops;       /* that went into the last resort of this step */
    bool hopeless;           /* it is proven that nothing solves this problem */
    bool steady;             /* no contact stopped, opened or closed in the step */
    double seconds, updates; /* since the world was made */
    double device_updates;   /* of these, by a device */
} SolverWork;

struct StepSolver {
    bool whole_bodies; /* needs rows in the order of the contacts, and no body split in copies */

    /* Fills rows and velocities of the problem. In the report: iterations, residuals, the overlap
     * that the step adds, and whether it has converged. */
    ScreeStatus (*solve)(StepTask *task, SolverWork *work, ScreeReport *report, char *message);

    /* Whether some motion goes beyond what the candidates can see, so that the step must be solved
     * again with more of them; the list's slack is then wider. NULL: motions are bounded. */
    ScreeStatus (*look_farther)(StepTask *task, SolverWork *work, State *state, NearList *list,
                                bool *again, char *message);
};

/* Sweeps; matrices, and sweeps from there where they do not reach the tolerance; the interior point
 * of the variational engine. */
extern const StepSolver scr_sweep_solver, scr_matrix_solver, scr_variational_solver;

void scr_solver_work_free(SolverWork *work);

/* ---- what solvers share */

/* Sweeps over the problem, `most` of them or as many as the definition allows; their numbers are
 * added up in the report. */
ScreeStatus scr_run_sweeps(StepTask *task, int most, SolverWork *work, ScreeReport *report);

/* What a round of Newton's method may cost; 0: as much as it likes. */
typedef struct NewtonEffort {
    int iterations;
    double flops; /* of factorisations */
} NewtonEffort;

/* Newton's method on the problem in matrices->rows, from the impulses matrices->r; the rows get what
 * it finds. */
Fault scr_try_newton(StepTask *task, StepMatrices *matrices, const ResidualLimits *limits,
                     NewtonEffort most, ScreeReport *report);

/* The same by the interior-point method, from nothing. It is slow, but knows no stagnation where
 * masses or loads are many orders of magnitude apart. */
Fault scr_try_interior_point(StepTask *task, StepMatrices *matrices, ScreeReport *report);

/* Back to the impulses that matrices->rows began with, if those found are no better. */
void scr_keep_better(StepTask *task, StepMatrices *matrices, const ScreeReport *before,
                     ScreeReport *report);

/* So many sweeps of a problem of moderate size cost about as much as Newton's method. Sweeps that
 * have not converged by then often never do: where a heavy body rests on light ones, or with large
 * coefficients of friction. */
enum { SCR_PATIENCE = 500, SCR_MODERATE = 2000 /* rows */ };

/* Whether a rescue is possible, and wanted. */
bool scr_can_be_rescued(const StepTask *task);

/* What is tried where sweeps have stalled (rescue.c), and where they stall again after that. */
ScreeStatus scr_rescue(StepTask *task, SolverWork *work, ScreeReport *report);
ScreeStatus scr_last_resort(StepTask *task, SolverWork *work, ScreeReport *report);

/* What every solver of contact dynamics ends with: velocities anew after many sweeps, cuts, and
 * whether the step has converged. */
ScreeStatus scr_settle_rows(StepTask *task, SolverWork *work, ScreeReport *report);

/* Residuals of what the rows have, for the report. */
void scr_judge_rows(const StepTask *task, ScreeReport *report);

/* What the definition allows of each residual. */
ResidualLimits scr_residual_limits(const StepTask *task);
/* The same where no setting is stricter than by default. */
ResidualLimits scr_usual_limits(const StepTask *task);

/* How many times the residuals of a report are as large as they may be; see scr_excess. */
double scr_report_excess(const StepTask *task, const ResidualLimits *limits,
                         const ScreeReport *report);

/* Whether residuals and overlap are within the solver's limits. */
bool scr_is_converged(const StepTask *task, const ScreeReport *report);

/* Which limit it goes beyond most; nothing if it has converged. */
ScreeMiss scr_find_miss(const StepTask *task, const ScreeReport *report);

/* ---- of the variational engines */

/* The impulses that the rows have as a start, in matrices->r. */
ScreeStatus scr_recall_impulses(StepTask *task, StepMatrices *matrices, char *message);

/* The problem in matrices as it is without impulses, which the rows lose. */
ScreeStatus scr_matrices_without_impulses(StepTask *task, StepMatrices *matrices, char *message);

InteriorPointSettings scr_variational_settings(const StepTask *task);

/* The status, with words, of a problem that has no solution or found no memory. */
ScreeStatus scr_refuse_solution(const StepTask *task, const InteriorPointReport *solved,
                                char *message);

/* Iterations, residuals of both laws and convergence into the report. */
void scr_report_solution(const StepTask *task, const StepMatrices *matrices,
                         const InteriorPointReport *solved, ScreeReport *report);

/* An interior point is off by the root of r . s where a contact is just about to slide or to open.
 * Sweeps put that right, after Newton's method where the impulses r are not even near. Tells what
 * was reached in the report. */
ScreeStatus scr_polish(StepTask *task, SolverWork *work, bool newton, ScreeReport *report);

/* Where forces jump within the step, solves it again piece by piece (cut.c). The rows then have the
 * impulses of the last piece, and the velocities are those at the end. */
ScreeStatus scr_cut_step(StepTask *task, SolverWork *work, ScreeReport *report);

/* After scr_collect: adds the impulses of the pieces before the last one to rows and contacts. */
void scr_join_pieces(StepTask *task, const SolverWork *work, State *state, ScreeReport *report);

#endif

/* What every solver of contact problems in matrices is given, and what it returns. The table of
 * solvers is in solvers/solvers.h. */
#ifndef SCREE_MATRIX_SOLVER_H
#define SCREE_MATRIX_SOLVER_H

#include "matrix/yardstick.h"

/* How a solver ended; the best r found is returned in every case. */
typedef enum MatrixStatus {
    MATRIX_SOLVED,     /* the tolerance is met */
    MATRIX_ITERATIONS, /* the allowed number of iterations was reached */
    MATRIX_SECONDS,    /* the allowed time has passed */
    MATRIX_STALLED,    /* no further progress */
    MATRIX_INFEASIBLE, /* the problem has no solution */
    MATRIX_UNBOUNDED,  /* W is not positive semi-definite */
    MATRIX_NOT_FINITE, /* numbers left the range of double */
    MATRIX_NO_MEMORY
} MatrixStatus;

/* The residual that the tolerance refers to. */
typedef enum MatrixMeasure {
    MATRIX_MEASURE_SICONOS,
    MATRIX_MEASURE_PAPER,
    MATRIX_MEASURE_FCLIB,
    MATRIX_MEASURE_RELATIVE,
    MATRIX_MEASURE_LAW /* needs a yardstick */
} MatrixMeasure;

typedef struct MatrixSettings {
    double tolerance; /* 1e-8 */
    MatrixMeasure measure;
    int iterations_most; /* 0: as many as the method itself allows */
    double flops_most; /* of all factorisations together; 0: as many as the method itself allows */
    /* Processor time of the calling thread, so that other load does not shorten it; 0: unlimited.
     * If this ends a solve, the result depends on the machine. */
    double seconds_most;
    const MatrixYardstick *yardstick; /* of the problem; NULL: `law` is not measured */
    bool patient;                     /* more effort than a step of a simulation is worth */
    bool alone;                       /* Newton: proximal points alone, no turns */
} MatrixSettings;

typedef struct MatrixReport {
    MatrixStatus status;
    int iterations;
    MatrixResidual residual; /* of the returned r */
    const char *reason;      /* a static text; NULL: the status says everything */
} MatrixReport;

static inline MatrixSettings scr_matrix_settings(void) {
    return (MatrixSettings){.tolerance = 1e-8, .measure = MATRIX_MEASURE_SICONOS};
}

/* The residual that the tolerance refers to. */
static inline double scr_matrix_measured(const MatrixSettings *settings,
                                         const MatrixResidual *residual) {
    switch (settings->measure) {
    case MATRIX_MEASURE_PAPER:
        return residual->paper;
    case MATRIX_MEASURE_FCLIB:
        return residual->fclib;
    case MATRIX_MEASURE_RELATIVE:
        return residual->relative;
    case MATRIX_MEASURE_LAW:
        return residual->law;
    default:
        return residual->siconos;
    }
}

/* Everything about a candidate; `u` [rows] gets its velocities. */
static inline MatrixResidual scr_matrix_judge(const MatrixSettings *settings,
                                              const MatrixProblem *problem, const double *r,
                                              double *u) {
    MatrixResidual residual = scr_matrix_residual(problem, r, u);
    if (settings->yardstick != NULL) {
        residual.law = scr_matrix_law_error(settings->yardstick, r, u, NULL);
    }
    return residual;
}

/* Only what the tolerance refers to, in the least time. */
static inline double scr_matrix_measure(const MatrixSettings *settings,
                                        const MatrixProblem *problem, const double *r, double *u) {
    if (settings->measure == MATRIX_MEASURE_LAW) {
        return scr_matrix_law_error(settings->yardstick, r, u, NULL);
    }
    bool all = settings->measure == MATRIX_MEASURE_RELATIVE;
    MatrixResidual residual =
        (all ? scr_matrix_residual : scr_matrix_residual_plain)(problem, r, u);
    return scr_matrix_measured(settings, &residual);
}

/* A solver: r [block * contacts] holds the start on entry (zeros when there is none) and the best
 * impulses found on return, never worse than the start. The problem must have its local form. */
typedef MatrixReport MatrixSolve(const MatrixProblem *problem, const MatrixSettings *settings,
                                 double *r);

#endif

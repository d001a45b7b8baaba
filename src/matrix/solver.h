/* What every solver of contact problems in matrices is given, and what it gives back. The table of
 * solvers is in matrix_solvers.h. */
#ifndef SCREE_MATRIX_SOLVER_H
#define SCREE_MATRIX_SOLVER_H

#include "matrix/problem.h"

/* How a solver ended; the best r that was found is returned in every case. */
typedef enum MatrixStatus {
    MATRIX_SOLVED,     /* the tolerance is met */
    MATRIX_ITERATIONS, /* as many iterations as allowed were made */
    MATRIX_SECONDS,    /* the time that was allowed has passed */
    MATRIX_STALLED,    /* no further progress */
    MATRIX_UNSUITABLE, /* this method cannot treat this problem */
    MATRIX_INFEASIBLE, /* the problem has no solution */
    MATRIX_NOT_FINITE, /* numbers left the range of double */
    MATRIX_NO_MEMORY
} MatrixStatus;

/* Which residual the tolerance is about. */
typedef enum MatrixMeasure {
    MATRIX_MEASURE_SICONOS,
    MATRIX_MEASURE_PAPER,
    MATRIX_MEASURE_FCLIB,
    MATRIX_MEASURE_RELATIVE
} MatrixMeasure;

typedef struct MatrixSettings {
    double tolerance; /* 1e-8 */
    MatrixMeasure measure;
    int iterations_most; /* 0: the method's own bound */
    /* Processor time of the calling thread, which other load does not shorten; 0: none. The result
     * depends on the machine when this ends a solve. */
    double seconds_most;
} MatrixSettings;

typedef struct MatrixReport {
    MatrixStatus status;
    int iterations;
    MatrixResidual residual; /* of the r that is returned */
    const char *reason;      /* in words, a text that lives for ever; NULL: the status says all */
} MatrixReport;

static inline MatrixSettings scr_matrix_settings(void) {
    return (MatrixSettings){1e-8, MATRIX_MEASURE_SICONOS, 0, 0};
}

/* The residual that counts. */
static inline double scr_matrix_measured(const MatrixSettings *settings,
                                         const MatrixResidual *residual) {
    switch (settings->measure) {
    case MATRIX_MEASURE_PAPER:
        return residual->paper;
    case MATRIX_MEASURE_FCLIB:
        return residual->fclib;
    case MATRIX_MEASURE_RELATIVE:
        return residual->relative;
    default:
        return residual->siconos;
    }
}

/* A solver: r [block * contacts] holds the start on entry (zeros when there is none), the best
 * impulses found on return, never worse than the start. The problem has its local form. */
typedef MatrixReport MatrixSolve(const MatrixProblem *problem, const MatrixSettings *settings,
                                 double *r);

#endif

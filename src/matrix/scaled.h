/* A contact problem in matrices made dimensionless, and what the Newton solvers share.
 *
 * With r = D x and D one number for each contact, 1 / sqrt(mean diagonal of its block of W), the
 * problem becomes D u = D W D x + D q with blocks whose diagonals are about one. The cones do not
 * change. Torques have a number of their own, and their coefficient changes by the ratio of the
 * two. A common factor makes |D q| = 1. Compliance is part of W here. */
#ifndef SCREE_MATRIX_SCALED_H
#define SCREE_MATRIX_SCALED_H

#include "linear/block_rows.h"
#include "matrix/solver.h"

/* Zero-initialise it. */
typedef struct MatrixScaled {
    const MatrixProblem *given;
    const MatrixSettings *settings;
    int block;
    size_t contacts, rows;
    BlockRows w;     /* D (W + C) D */
    double *unit;    /* [rows] r = unit x */
    double *q;       /* [rows] */
    double *rolling; /* [contacts] */
    double *normal;  /* [contacts] 1 / W_nn */
    double *tangent; /* [2 contacts] 1 / largest eigenvalue: tangential part, torques */

    double *x; /* [rows] the present iterate */

    /* the best so far */
    double *best; /* [rows] impulses of the problem, in its own units */
    double best_measure;
    double *impulse, *velocity; /* [rows] scratch, in the problem's own units */

    int iterations, iterations_most;
    double flops; /* of all factorisations so far */
    double end;   /* when time is up, by scr_thread_seconds; 0: never */
    Block vector_block;
} MatrixScaled;

/* `start` [rows] are impulses of the problem: they become the iterate and the best so far, or zeros
 * when they are not finite. False when out of memory. */
bool scr_matrix_scale(MatrixScaled *s, const MatrixProblem *problem, const MatrixSettings *settings,
                      const double *start);

void scr_matrix_scaled_free(MatrixScaled *s);

/* u = W x + q. */
void scr_matrix_scaled_velocity(const MatrixScaled *s, const double *x, double *u);

/* Measures x, put on its cones, and stores that if it is the best. Returns whether the tolerance is
 * met, now or earlier. */
bool scr_matrix_scaled_judge(MatrixScaled *s);

/* Returns to the best: x = best. */
void scr_matrix_scaled_recall(MatrixScaled *s);

/* How many of `wanted` iterations are still allowed. */
int scr_matrix_scaled_allowed(const MatrixScaled *s, int wanted);

/* Whether iterations, operations or time are used up. */
bool scr_matrix_scaled_over(const MatrixScaled *s);

/* Status, residual and iterations; `r` gets the best impulses. */
MatrixReport scr_matrix_scaled_report(const MatrixScaled *s, double *r);

#endif

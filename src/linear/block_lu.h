/* Factors L U of sparse unsymmetric matrices of small dense blocks, A = P L U.
 *
 * Multifrontal: each front (fronts.h) is a dense matrix over its pivots and over the unknowns that
 * they couple; its pivots are eliminated, and what remains of the others is added into the parent's
 * front. Rows are exchanged within the pivots of a front only, so that ordering and memory depend
 * on the pattern alone and are kept for all matrices that share it. A pivot that is nothing but
 * rounding is replaced by a small one; refinement on the caller's equations takes out what that
 * did. One thread, one order of operations: the same bits every time. */
#ifndef SCREE_LINEAR_BLOCK_LU_H
#define SCREE_LINEAR_BLOCK_LU_H

#include "linear/block_rows.h"
#include "linear/fronts.h"

/* Zero-initialise it. */
typedef struct BlockLu {
    int size;             /* of a block */
    int replaced;         /* pivots that were, in the last factorisation */
    double flops;         /* of a factorisation */
    Fronts fronts;        /* over blocks */
    int32_t *entry_start; /* [fronts + 1] */
    int32_t *entry;       /* [blocks] places in the matrix, by front */
    int32_t *entry_row;   /* [blocks] their block rows */
    int32_t *children;    /* [fronts] how many */
    int32_t *waiting;     /* [fronts] stack of fronts that wait for their parent */
    int32_t *where;       /* [block rows] place of a node in the front at work */
    int32_t *swap;        /* [rows] of each pivot row, by front: exchanged with which */
    size_t *factor_start; /* [fronts + 1] */
    double *factor;       /* of each front: rows of the pivots, then the rest's part of L */
    double *front;        /* the front at work */
    double *passed;       /* what the waiting fronts pass on */
    double *local;        /* [rows of the largest front] */
    Block integer_block, size_block, factor_block, work_block, scratch_block;
} BlockLu;

/* Ordering and memory for all matrices with this pattern. False when out of memory. */
bool scr_block_lu_analyse(BlockLu *lu, const BlockRows *pattern);

/* Of a matrix with the pattern that was analysed; pivots below `tiny` are replaced by it. False
 * when a number is not finite. */
bool scr_block_lu_factor(BlockLu *lu, const BlockRows *matrix, double tiny);

/* x = A^-1 b; b and x may be the same array. */
void scr_block_lu_solve(BlockLu *lu, const double *b, double *x);

void scr_block_lu_free(BlockLu *lu);

#endif

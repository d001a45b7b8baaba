/* Factors L U of sparse unsymmetric matrices of small dense blocks, A = P L U.
 *
 * Multifrontal: each front (fronts.h) is a dense matrix over its pivots and over the unknowns that
 * they couple. The pivots are eliminated, and what remains of the others is added to the front of
 * the parent. Rows are exchanged only among the pivots of a front, so that ordering and memory
 * depend on the pattern alone and serve all matrices that share it. A pivot that is nothing but
 * rounding is replaced by a small one; refinement on the caller's equations removes the effect. One
 * thread, one order of operations: the same bits every time. */
#ifndef SCREE_LINEAR_BLOCK_LU_H
#define SCREE_LINEAR_BLOCK_LU_H

#include "linear/block_rows.h"
#include "linear/fronts.h"

/* Zero-initialise it. */
typedef struct BlockLu {
    int size;             /* of a block */
    int replaced;         /* number of replaced pivots in the last factorisation */
    double flops;         /* of a factorisation */
    Fronts fronts;        /* of blocks */
    int32_t *entry_start; /* [fronts + 1] */
    int32_t *entry;       /* [blocks] their indices in the matrix, by front */
    int32_t *entry_row;   /* [blocks] their block rows */
    int32_t *children;    /* [fronts] how many each has */
    int32_t *waiting;     /* [fronts] a stack of those that wait for their parent */
    int32_t *where;       /* [block rows] index of a node within the current front */
    int32_t *swap;        /* [rows] for each pivot row, by front: which row it was exchanged with */
    size_t *factor_start; /* [fronts + 1] */
    double *factor;       /* of each front: the rows of its pivots, then the rest of its L */
    double *front;        /* the current front */
    double *passed;       /* what the waiting fronts pass on */
    double *local;        /* [rows of the largest front] */
    Block integer_block, size_block, factor_block, work_block, scratch_block;
} BlockLu;

/* Ordering and memory for all matrices with this pattern. False when out of memory. */
bool scr_block_lu_analyse(BlockLu *lu, const BlockRows *pattern);

/* Factors a matrix with the analysed pattern; pivots smaller than `tiny` are replaced by it. False
 * when a number is not finite. */
bool scr_block_lu_factor(BlockLu *lu, const BlockRows *matrix, double tiny);

/* x = A^-1 b; b and x may be the same array. */
void scr_block_lu_solve(BlockLu *lu, const double *b, double *x);

void scr_block_lu_free(BlockLu *lu);

#endif

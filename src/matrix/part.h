/* A part of a problem: some of its rows with their bodies, as a problem of its own. The impulses of
 * all other rows count as given; they are in the velocities of the bodies already. */
#ifndef SCREE_MATRIX_PART_H
#define SCREE_MATRIX_PART_H

#include "matrix/from_rows.h"

/* Zero-initialise it. */
typedef struct ProblemPart {
    Problem
        problem; /* the rows are copies; general and law rows and tensors are those of the whole */
    size_t copies; /* the last bodies of the problem */
    BodyCopy *copy;
    const int32_t *row_of; /* [rows] in the whole; as it was given */
    int32_t *number;       /* [bodies of the whole] in the part; -1: not in it */
    Block number_block, copy_block, body_block, row_block, general_of_block, law_of_block;
} ProblemPart;

/* The given rows of a problem whose last `copies` bodies are copies. False when out of memory. */
bool scr_part_make(ProblemPart *part, const Problem *whole, const BodyCopy *copy, size_t copies,
                   const int32_t *row, size_t rows);

/* Gives the impulses of its rows to the rows of the whole. Velocities are left as they are. */
void scr_part_give_back(const ProblemPart *part, Problem *whole);

void scr_part_free(ProblemPart *part);

#endif

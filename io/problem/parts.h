/* The parts of a contact problem while its file is being read. Only the readers of problems include
 * this. */
#ifndef SCREE_IO_PROBLEM_PARTS_H
#define SCREE_IO_PROBLEM_PARTS_H

#include <scree/scree.h>

#include "io/error.h"

/* A matrix by its entries. */
typedef struct PartMatrix {
    int64_t rows, columns;
    ScreeEntry *entry;
    size_t count, room;
} PartMatrix;

/* Begun as {0}. */
typedef struct ProblemParts {
    const char *path;
    int components;
    size_t contacts;
    bool global;
    PartMatrix M, H, W;
    double *f, *w, *q, *mu, *mu_r;
} ProblemParts;

/* Adds an entry; false when out of memory. */
bool parts_add(PartMatrix *matrix, int64_t row, int64_t column, double value);

/* The problem, checked; NULL on error. */
ScreeProblem *parts_finish(const ProblemParts *parts, IoError *error);

void parts_free(ProblemParts *parts);

/* The readers; `text` has a 0 byte after its `size` bytes. */
ScreeProblem *problem_parse(const char *path, const char *text, size_t size, IoError *error);
ScreeProblem *problem_read_fclib(const char *path, IoError *error);

#endif

/* Work space of the variational engines: the problem of a step in matrices, and its solver. */
#ifndef SCREE_ENGINE_VARIATIONAL_H
#define SCREE_ENGINE_VARIATIONAL_H

#include "problem/matrix_from_rows.h"
#include "solve/interior_point.h"

/* Zero-initialise it. */
typedef struct Variational {
    MatrixRows rows;
    InteriorWork work;
    double *r, *s, *v; /* impulses and velocities of the contacts, and motion of the freedoms */
    Block block;
    bool solved;  /* the last problem, to the tolerance or nearly */
    double limit; /* [length] of motion that the candidates of this attempt can see; 0: not set */
} Variational;

void scr_variational_free(Variational *variational);

#endif

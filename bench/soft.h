/* The soft-sphere engine, compared with LAMMPS. */
#ifndef SCREE_BENCH_SOFT_H
#define SCREE_BENCH_SOFT_H

#include "bench/results.h"

#include <scree/scree.h>

/* Measures a step of the soft engine on the settled spheres of another world. If the program `lmp`
 * is installed, LAMMPS does the same with its `gran/hooke/history`, in alternation; if not, a line
 * on standard error says so. False on failure. */
bool bench_soft(const ScreeWorld *settled, Results *results);

#endif

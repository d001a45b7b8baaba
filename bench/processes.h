/* What processes say to each other, and how long they wait for it. */
#ifndef SCREE_BENCH_PROCESSES_H
#define SCREE_BENCH_PROCESSES_H

#include <scree/scree.h>

/* The command 'scree bench mpi'; `with` is NULL without mpirun. Returns the exit status. */
int bench_processes(const ScreeProcesses *with, int argc, char **argv);

#endif

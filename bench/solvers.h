/* scree bench solvers: iterations and time of every solver to given residuals. */
#ifndef SCREE_BENCH_SOLVERS_H
#define SCREE_BENCH_SOLVERS_H

/* argv[0] is the name of the benchmark. Returns the exit status of the program. */
int bench_solvers(int argc, char **argv);

#endif

/* The benchmarks, as a command: argv[0] is its name. Returns the exit status. */
#ifndef SCREE_BENCH_BENCH_H
#define SCREE_BENCH_BENCH_H

int bench_main(int argc, char **argv);

#endif

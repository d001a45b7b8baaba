/* The benchmarks of `scree bench`, and the numbers that they collect. */
#ifndef SCREE_BENCH_PARTS_H
#define SCREE_BENCH_PARTS_H

#include <scree/scree.h>

/* One number of the result: its key in JSON, and its description for a reader. */
typedef struct Number {
    const char *key, *text, *unit;
    double value;
} Number;

typedef struct Results {
    Number number[160];
    int count;
} Results;

static inline void bench_note(Results *r, const char *key, const char *text, const char *unit,
                              double value) {
    if (r->count < (int)(sizeof r->number / sizeof r->number[0])) {
        r->number[r->count++] = (Number){key, text, unit, value};
    }
}

/* All return false on failure. */

/* 8,000 spheres fall into a box and settle for four simulated seconds (half a second with `quick`),
 * at several accuracies, on one thread and on two. */
bool bench_settling(bool quick, Results *results);

/* A step of the soft engine on the settled spheres of another world. If the program `lmp` is
 * installed, LAMMPS does the same with its `gran/hooke/history`, in alternation; if not, a line on
 * standard error says so. */
bool bench_soft(const ScreeWorld *settled, Results *results);

/* The search for neighbours: each method against the number of bodies, at most 30,000 with `quick`,
 * and the ratio of sizes. */
bool bench_neighbours(bool quick, Results *results);

/* 10,000 polygons with five to eight corners (1,000 with `quick`), settled in a box: detection and
 * solver separately. */
bool bench_polygons(bool quick, Results *results);

/* Sweeps over general rows in space: 21,700 contact points of 2,744 rocks (512 with `quick`) with full
 * tensors of inertia, in packets and one by one. */
bool bench_rows(bool quick, Results *results);

/* A million spheres: 125 copies of the 8,000 settled ones (16 with `quick`), side by side without
 * walls between them, continue to settle together. */
bool bench_million(const ScreeWorld *settled, bool quick, Results *results);

/* scree bench solvers: iterations and time of every solver to given residuals. argv[0] is the name
 * of the benchmark. Returns the exit status of the program. */
int bench_solvers(int argc, char **argv);

#endif

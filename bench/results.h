/* The numbers that the benchmarks collect. */
#ifndef SCREE_BENCH_RESULTS_H
#define SCREE_BENCH_RESULTS_H

/* One number of the result: its key in JSON, and its description for a reader. */
typedef struct Number {
    const char *key, *text, *unit;
    double value;
} Number;

typedef struct Results {
    Number number[160];
    int count;
} Results;

void bench_note(Results *results, const char *key, const char *text, const char *unit,
                double value);

#endif

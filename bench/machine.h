/* What the machine can do, measured. */
#ifndef SCREE_BENCH_MACHINE_H
#define SCREE_BENCH_MACHINE_H

/* Memory bandwidth of one core in GB/s: a[i] = b[i] + s c[i] over arrays that fit in no cache,
 * three streams counted; the best of several. Negative when out of memory. */
double machine_bandwidth(void);

double machine_seconds(void);

/* A line about the processor, as the system tells it. */
void machine_name(char *name, int size);

#endif

/* What the machine can do, as measured. */
#ifndef SCREE_BENCH_MACHINE_H
#define SCREE_BENCH_MACHINE_H

/* Memory bandwidth of one core in GB/s: a[i] = b[i] + s c[i] over arrays too large for any cache,
 * counted as three streams; the best of several runs. Negative when out of memory. */
double machine_bandwidth(void);

/* A line about the processor, as the system describes it. */
void machine_name(char *name, int size);

#endif

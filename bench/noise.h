/* Random numbers of the benchmarks. */
#ifndef SCREE_BENCH_NOISE_H
#define SCREE_BENCH_NOISE_H

#include <stdint.h>

/* In [0, 1). */
static inline double bench_unit(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-53;
}

/* In [-1/2, 1/2). */
static inline double bench_noise(uint64_t *state) {
    return bench_unit(state) - 0.5;
}

#endif

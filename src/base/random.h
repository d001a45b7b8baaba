/* Counter-based random numbers: a number is a function of its counters, so that nothing needs to be
 * stored for a restart and the order of evaluation does not matter. */
#ifndef SCREE_BASE_RANDOM_H
#define SCREE_BASE_RANDOM_H

#include <stdint.h>

/* A bijection of 64-bit words in which every input bit reaches every output bit (the finaliser of
 * splitmix64). */
static inline uint64_t scr_mix(uint64_t x) {
    x ^= x >> 30;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* The key of an independent stream for each (seed, a, b). */
static inline uint64_t scr_random_key(uint64_t seed, uint64_t a, uint64_t b) {
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
    return scr_mix(scr_mix(scr_mix(seed + golden) + a + golden) + b + golden);
}

/* Number i of a stream. */
static inline uint64_t scr_random(uint64_t key, uint64_t i) {
    return scr_mix(key + (i + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

/* From 0 to n-1; the bias is n / 2^32. */
static inline uint32_t scr_random_below(uint64_t key, uint64_t i, uint32_t n) {
    return (uint32_t)(((scr_random(key, i) >> 32) * (uint64_t)n) >> 32);
}

/* In [0, 1). */
static inline double scr_random_unit(uint64_t key, uint64_t i) {
    return (double)(scr_random(key, i) >> 11) * 0x1p-53;
}

#endif

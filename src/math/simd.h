/* Which vector instructions this machine has. On x86-64 every machine has SSE2, and most have more; so
 * the kernels (src/CMakeLists.txt lists them) are compiled twice there, from one source, and the best
 * that the processor has is taken when the program runs. Elsewhere there is one level.
 *
 * Results do not depend on the level (wide.h). AVX-512 is not among them: where it was measured
 * (bench/README.md), sweeps were no faster with it than with AVX2. */
#ifndef SCREE_MATH_SIMD_H
#define SCREE_MATH_SIMD_H

typedef enum SimdLevel {
    SIMD_BASE, /* what everything else is compiled for */
    SIMD_AVX2
} SimdLevel;

/* The best that both the processor and this build have. */
SimdLevel scr_simd_level(void);

/* The variants of a kernel, and the best of them. */
#define SIMD_VARIANTS(result, name, parameters)                                                    \
    result name##_base parameters;                                                                 \
    result name##_avx2 parameters;
#define SIMD_BEST(name) (scr_simd_level() == SIMD_AVX2 ? name##_avx2 : name##_base)

#endif

#include "math/simd.h"

/* What the processor has is read when the program starts, by the compiler's own library, which also
 * asks whether the system saves the registers. */
SimdLevel scr_simd_level(void) {
#ifdef SCREE_SIMD_LEVELS
    if (__builtin_cpu_supports("avx2")) {
        return SIMD_AVX2;
    }
#endif
    return SIMD_BASE;
}

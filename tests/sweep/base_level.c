/* In the place of src/math/simd.c: a processor that has nothing beyond what everything is compiled for. */
#include "math/simd.h"

SimdLevel scr_simd_level(void) {
    return SIMD_BASE;
}

/* Dense factors by the best instructions that the processor has. */
#include "linear/dense_lu.h"
#include "math/simd.h"

SIMD_VARIANTS(int, scr_dense_lu,
              (double *a, size_t size, size_t pivots, double tiny, int32_t *swap))

int scr_dense_lu(double *a, size_t size, size_t pivots, double tiny, int32_t *swap) {
    return SIMD_BEST(scr_dense_lu)(a, size, pivots, tiny, swap);
}

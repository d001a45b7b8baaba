/* What this library was built with. Compiled once for each library: for scree, with
 * SCREE_WITH_FILES, and for scree_core. */
#include "linear/factor.h"
#include "math/simd.h"
#include "math/wide.h"

#include <scree/scree.h>

ScreeCapabilities scree_get_capabilities(void) {
    const bool avx2 = scr_simd_level() == SIMD_AVX2;
    return (ScreeCapabilities){
        .threads = true,
#ifdef SCREE_WITH_FILES
        .files = true,
#endif
        .simd_width = avx2 ? 4 : WIDE,
        .simd = avx2 ? "avx2" : WIDE_NAME,
        .factor = scr_factor_of_large,
    };
}

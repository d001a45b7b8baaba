/* What this library was built with. Compiled once for each library: for scree, with
 * SCREE_WITH_FILES, and for scree_core. */
#include "linear/factor.h"
#include "math/wide.h"

#include <scree/scree.h>

ScreeCapabilities scree_get_capabilities(void) {
    return (ScreeCapabilities){
        .threads = true,
#ifdef SCREE_WITH_FILES
        .files = true,
#endif
        .simd_width = WIDE,
        .simd = WIDE_NAME,
        .factor = scr_factor_of_large,
    };
}

/* Two doubles at a time. The compiler's vector types are used, and this is the only file that knows
 * them. Every lane does exactly the arithmetic of the scalar code, so that results do not depend on
 * the width. Wider types than the machine's registers were tried (four lanes on 128-bit registers):
 * the compiler keeps them in memory, and all is lost. */
#ifndef SCREE_MATH_WIDE_H
#define SCREE_MATH_WIDE_H

#include <math.h>
#include <stdint.h>

enum { WIDE = 2 };

typedef double Wide __attribute__((vector_size(8 * WIDE)));
typedef int64_t WideMask __attribute__((vector_size(8 * WIDE)));

/* Neighbouring doubles in memory, wherever they lie. */
typedef double WideInMemory __attribute__((vector_size(8 * WIDE), aligned(8), may_alias));

#if defined(__clang__)
#define WIDE_SHUFFLE(a, b, i, j) __builtin_shufflevector(a, b, i, j)
#else
#define WIDE_SHUFFLE(a, b, i, j) __builtin_shuffle(a, b, (WideMask){i, j})
#endif

typedef struct WidePair {
    Wide first, second;
} WidePair;

/* p[0] and p[1] from two places: all the first ones, all the second ones. */
static inline WidePair wide_gather(const double *p0, const double *p1) {
    Wide a = *(const WideInMemory *)p0, b = *(const WideInMemory *)p1;
    return (WidePair){WIDE_SHUFFLE(a, b, 0, 2), WIDE_SHUFFLE(a, b, 1, 3)};
}

/* Puts gathered numbers back. */
static inline void wide_scatter(Wide first, Wide second, double *p0, double *p1) {
    *(WideInMemory *)p0 = WIDE_SHUFFLE(first, second, 0, 2);
    *(WideInMemory *)p1 = WIDE_SHUFFLE(first, second, 1, 3);
}

/* mask ? a : b, lane by lane. */
static inline Wide wide_select(WideMask mask, Wide a, Wide b) {
    return (Wide)((mask & (WideMask)a) | (~mask & (WideMask)b));
}

static inline Wide wide_sqrt(Wide a) {
    return (Wide){sqrt(a[0]), sqrt(a[1])};
}

#endif

/* Several doubles at a time: the only file that knows vector registers.
 *
 * A Wide holds WIDE numbers, in one register or in two that are worked on alternately, so that the
 * processor has something to do while it waits for a result. Every number undergoes exactly the
 * same operations at every width, so results do not depend on it. Chosen at compile time:
 *
 *   aarch64 (NEON)   2 registers of 2      x86-64 with AVX2      1 register of 4
 *   other x86-64     1 register of 2       x86-64 with AVX-512   1 register of 8
 *   WebAssembly (SIMD)   2 registers of 2
 *   anything else, or with SCREE_SCALAR defined: one by one
 *
 * wide_madd and wide_msub are a + b c and a - b c, rounded twice. Where a unit could round them
 * once, it must not: SSE2 and WebAssembly have no such operation, and the bits of a run are the
 * same on all of these. */
#ifndef SCREE_MATH_WIDE_H
#define SCREE_MATH_WIDE_H

#include <math.h>
#include <stdint.h>

#if defined(SCREE_SCALAR) ||                                                                       \
    !(defined(__aarch64__) || defined(__SSE2__) || defined(__wasm_simd128__))
#define WIDE_LANES     1
#define WIDE_REGISTERS 1
#define WIDE_NAME      "none"
#elif defined(__AVX512F__)
#define WIDE_LANES     8
#define WIDE_REGISTERS 1
#define WIDE_NAME      "avx512"
#elif defined(__AVX2__)
#define WIDE_LANES     4
#define WIDE_REGISTERS 1
#define WIDE_NAME      "avx2"
#elif defined(__SSE2__) /* sixteen registers are too few for two */
#define WIDE_LANES     2
#define WIDE_REGISTERS 1
#define WIDE_NAME      "sse2"
#else
#define WIDE_LANES     2
#define WIDE_REGISTERS 2
#ifdef __aarch64__
#define WIDE_NAME "neon"
#else
#define WIDE_NAME "simd128"
#endif
#endif
enum { WIDE = WIDE_LANES * WIDE_REGISTERS };

#if defined(__aarch64__)
#include <arm_neon.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#elif WIDE_LANES > 1
#include <immintrin.h>
#endif

/* There are many of these small functions, and none may remain as a call; but with a sanitizer's
 * checks in each of them the compiler would take minutes, and one by one they are for comparison only. */
#if defined(SCREE_SANITIZED) || defined(SCREE_SCALAR)
#define WIDE_INLINE static inline
#else
#define WIDE_INLINE static inline __attribute__((always_inline))
#endif

/* ---------------------------------------------------------------- one register */

#if WIDE_LANES == 1
typedef double WideReg;
typedef int64_t WideMaskReg;
#else
typedef double WideReg __attribute__((vector_size(8 * WIDE_LANES)));
typedef int64_t WideMaskReg __attribute__((vector_size(8 * WIDE_LANES)));
#endif

WIDE_INLINE WideReg reg_all(double x) {
    return (WideReg){0} + x;
}

WIDE_INLINE WideReg reg_madd(WideReg a, WideReg b, WideReg c) {
    return a + b * c;
}

WIDE_INLINE WideReg reg_msub(WideReg a, WideReg b, WideReg c) {
    return a - b * c;
}

WIDE_INLINE WideMaskReg reg_above(WideReg a, WideReg b) {
#if WIDE_LANES == 1
    return a > b ? -1 : 0;
#else
    return (WideMaskReg)(a > b);
#endif
}

/* mask ? a : b */
WIDE_INLINE WideReg reg_select(WideMaskReg mask, WideReg a, WideReg b) {
#if WIDE_LANES == 1
    return mask != 0 ? a : b;
#elif defined(__aarch64__)
    return vbslq_f64((uint64x2_t)mask, a, b);
#elif defined(__wasm_simd128__)
    return (WideReg)wasm_v128_bitselect((v128_t)a, (v128_t)b, (v128_t)mask);
#else
    return (WideReg)((mask & (WideMaskReg)a) | (~mask & (WideMaskReg)b));
#endif
}

WIDE_INLINE WideReg reg_sqrt(WideReg a) {
#if WIDE_LANES == 1
    return sqrt(a);
#elif defined(__aarch64__)
    return vsqrtq_f64(a);
#elif defined(__wasm_simd128__)
    return (WideReg)wasm_f64x2_sqrt((v128_t)a);
#elif WIDE_LANES == 8
    return _mm512_sqrt_pd(a);
#elif WIDE_LANES == 4
    return _mm256_sqrt_pd(a);
#else
    return _mm_sqrt_pd(a);
#endif
}

/* a > b ? a : b, and a < b ? a : b: x86-64 has just these, with b for NaN and for zeros of either sign. */
WIDE_INLINE WideReg reg_max(WideReg a, WideReg b) {
#if !defined(__SSE2__) || WIDE_LANES == 1
    return reg_select(reg_above(a, b), a, b);
#elif WIDE_LANES == 8
    return _mm512_max_pd(a, b);
#elif WIDE_LANES == 4
    return _mm256_max_pd(a, b);
#else
    return _mm_max_pd(a, b);
#endif
}
WIDE_INLINE WideReg reg_min(WideReg a, WideReg b) {
#if !defined(__SSE2__) || WIDE_LANES == 1
    return reg_select(reg_above(b, a), a, b);
#elif WIDE_LANES == 8
    return _mm512_min_pd(a, b);
#elif WIDE_LANES == 4
    return _mm256_min_pd(a, b);
#else
    return _mm_min_pd(a, b);
#endif
}

WIDE_INLINE int reg_any(WideMaskReg mask) {
#if WIDE_LANES == 1
    return mask != 0;
#elif defined(__aarch64__)
    return vmaxvq_u32((uint32x4_t)mask) != 0;
#elif defined(__wasm_simd128__)
    return wasm_v128_any_true((v128_t)mask);
#elif WIDE_LANES == 8
    return _mm512_test_epi64_mask((__m512i)mask, (__m512i)mask) != 0;
#elif WIDE_LANES == 4
    return _mm256_movemask_pd((__m256d)mask) != 0;
#else
    return _mm_movemask_pd((__m128d)mask) != 0;
#endif
}

/* ---------------------------------------------------------------- arithmetic */

typedef struct Wide {
    WideReg r[WIDE_REGISTERS];
} Wide;

typedef struct WideMask {
    WideMaskReg r[WIDE_REGISTERS];
} WideMask;

#define WIDE_EACH _Pragma("GCC unroll 2") for (int k = 0; k < WIDE_REGISTERS; k++)

WIDE_INLINE Wide wide_all(double x) {
    Wide a;
    WIDE_EACH a.r[k] = reg_all(x);
    return a;
}
WIDE_INLINE Wide wide_add(Wide a, Wide b) {
    WIDE_EACH a.r[k] += b.r[k];
    return a;
}
WIDE_INLINE Wide wide_sub(Wide a, Wide b) {
    WIDE_EACH a.r[k] -= b.r[k];
    return a;
}
WIDE_INLINE Wide wide_mul(Wide a, Wide b) {
    WIDE_EACH a.r[k] *= b.r[k];
    return a;
}
WIDE_INLINE Wide wide_div(Wide a, Wide b) {
    WIDE_EACH a.r[k] /= b.r[k];
    return a;
}
WIDE_INLINE Wide wide_madd(Wide a, Wide b, Wide c) {
    WIDE_EACH a.r[k] = reg_madd(a.r[k], b.r[k], c.r[k]);
    return a;
}
WIDE_INLINE Wide wide_msub(Wide a, Wide b, Wide c) {
    WIDE_EACH a.r[k] = reg_msub(a.r[k], b.r[k], c.r[k]);
    return a;
}
WIDE_INLINE Wide wide_sqrt(Wide a) {
    WIDE_EACH a.r[k] = reg_sqrt(a.r[k]);
    return a;
}
WIDE_INLINE WideMask wide_above(Wide a, Wide b) {
    WideMask m;
    WIDE_EACH m.r[k] = reg_above(a.r[k], b.r[k]);
    return m;
}
WIDE_INLINE WideMask wide_and(WideMask a, WideMask b) {
    WIDE_EACH a.r[k] &= b.r[k];
    return a;
}
WIDE_INLINE WideMask wide_or(WideMask a, WideMask b) {
    WIDE_EACH a.r[k] |= b.r[k];
    return a;
}
WIDE_INLINE WideMask wide_not(WideMask a) {
    WIDE_EACH a.r[k] = ~a.r[k];
    return a;
}
WIDE_INLINE int wide_any(WideMask m) {
    WideMaskReg any = m.r[0];
    for (int k = 1; k < WIDE_REGISTERS; k++) {
        any |= m.r[k];
    }
    return reg_any(any);
}
WIDE_INLINE int wide_every(WideMask m) {
    WideMaskReg every = m.r[0];
    for (int k = 1; k < WIDE_REGISTERS; k++) {
        every &= m.r[k];
    }
    return !reg_any(~every);
}
WIDE_INLINE Wide wide_select(WideMask mask, Wide a, Wide b) {
    WIDE_EACH a.r[k] = reg_select(mask.r[k], a.r[k], b.r[k]);
    return a;
}

WIDE_INLINE Wide wide_max(Wide a, Wide b) {
    WIDE_EACH a.r[k] = reg_max(a.r[k], b.r[k]);
    return a;
}
WIDE_INLINE Wide wide_min(Wide a, Wide b) {
    WIDE_EACH a.r[k] = reg_min(a.r[k], b.r[k]);
    return a;
}

/* |a| */
WIDE_INLINE Wide wide_size(Wide a) {
#if WIDE_LANES == 1
    a.r[0] = fabs(a.r[0]);
#elif defined(__aarch64__)
    WIDE_EACH a.r[k] = vabsq_f64(a.r[k]);
#else
    WIDE_EACH a.r[k] = (WideReg)((WideMaskReg)a.r[k] & INT64_MAX);
#endif
    return a;
}

/* max(a, 0), and 0 for NaN. */
WIDE_INLINE Wide wide_positive(Wide a) {
#if defined(__aarch64__) && WIDE_LANES == 2
    WIDE_EACH a.r[k] = vmaxnmq_f64(a.r[k], reg_all(0));
    return a;
#else
    return wide_max(a, wide_all(0));
#endif
}

/* Limits a to between -limit and limit. */
WIDE_INLINE Wide wide_clamp(Wide a, Wide limit) {
#if defined(__aarch64__) && WIDE_LANES == 2
    WIDE_EACH a.r[k] = vmaxq_f64(vminq_f64(a.r[k], limit.r[k]), -limit.r[k]);
    return a;
#else
    WIDE_EACH a.r[k] = reg_max(-limit.r[k], reg_min(limit.r[k], a.r[k]));
    return a;
#endif
}

/* ---------------------------------------------------------------- vectors */

typedef struct WideVec3 {
    Wide x, y, z;
} WideVec3;

WIDE_INLINE Wide wide_dot(WideVec3 a, WideVec3 b) {
    return wide_madd(wide_madd(wide_mul(a.x, b.x), a.y, b.y), a.z, b.z);
}
WIDE_INLINE WideVec3 wide_cross(WideVec3 a, WideVec3 b) {
    return (WideVec3){wide_msub(wide_mul(a.y, b.z), a.z, b.y),
                      wide_msub(wide_mul(a.z, b.x), a.x, b.z),
                      wide_msub(wide_mul(a.x, b.y), a.y, b.x)};
}
/* u - a x b */
WIDE_INLINE WideVec3 wide_less_cross(WideVec3 u, WideVec3 a, WideVec3 b) {
    return (WideVec3){wide_madd(wide_msub(u.x, a.y, b.z), a.z, b.y),
                      wide_madd(wide_msub(u.y, a.z, b.x), a.x, b.z),
                      wide_madd(wide_msub(u.z, a.x, b.y), a.y, b.x)};
}
WIDE_INLINE WideVec3 wide_add3(WideVec3 a, WideVec3 b) {
    return (WideVec3){wide_add(a.x, b.x), wide_add(a.y, b.y), wide_add(a.z, b.z)};
}
WIDE_INLINE WideVec3 wide_sub3(WideVec3 a, WideVec3 b) {
    return (WideVec3){wide_sub(a.x, b.x), wide_sub(a.y, b.y), wide_sub(a.z, b.z)};
}
WIDE_INLINE WideVec3 wide_scale3(Wide k, WideVec3 a) {
    return (WideVec3){wide_mul(k, a.x), wide_mul(k, a.y), wide_mul(k, a.z)};
}
WIDE_INLINE WideVec3 wide_madd3(WideVec3 a, Wide k, WideVec3 b) {
    return (WideVec3){wide_madd(a.x, k, b.x), wide_madd(a.y, k, b.y), wide_madd(a.z, k, b.z)};
}
WIDE_INLINE WideVec3 wide_msub3(WideVec3 a, Wide k, WideVec3 b) {
    return (WideVec3){wide_msub(a.x, k, b.x), wide_msub(a.y, k, b.y), wide_msub(a.z, k, b.z)};
}

#endif

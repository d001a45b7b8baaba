/* Numbers of twice the precision: unevaluated sums high + low of two doubles, |low| at most half a
 * unit in the last place of high. The elementary functions are computed with them and rounded once.
 *
 * The errors of a sum and of a product of two doubles are doubles themselves, and plain IEEE
 * operations find them: Knuth's sum, and Dekker's product, which splits both factors into halves of
 * 26 bits. A fused multiply-add would be shorter, but not every machine has one. Products need
 * factors between 2^-480 and 2^480: callers scale first. */
#ifndef SCREE_MATH_TWOFOLD_H
#define SCREE_MATH_TWOFOLD_H

#include <math.h>

/* A compiler for another device may define this before the first include. */
#ifndef MATH_INLINE
#define MATH_INLINE static inline
#endif

typedef struct Twofold {
    double high, low;
} Twofold;

/* a + b, exactly. */
MATH_INLINE Twofold twofold_sum(double a, double b) {
    double high = a + b, part_of_b = high - a;
    return (Twofold){high, (a - (high - part_of_b)) + (b - part_of_b)};
}

/* The same if |a| >= |b| or a = 0. */
MATH_INLINE Twofold twofold_sorted_sum(double a, double b) {
    double high = a + b;
    return (Twofold){high, b - (high - a)};
}

/* a b, exactly. */
MATH_INLINE Twofold twofold_product(double a, double b) {
    const double half = 0x1p27 + 1;
    double a_high = half * a - (half * a - a), a_low = a - a_high;
    double b_high = half * b - (half * b - b), b_low = b - b_high;
    double high = a * b;
    double low = ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low;
    return (Twofold){high, low};
}

MATH_INLINE Twofold twofold_negative(Twofold a) {
    return (Twofold){-a.high, -a.low};
}

MATH_INLINE Twofold twofold_add(Twofold a, Twofold b) {
    Twofold high = twofold_sum(a.high, b.high), low = twofold_sum(a.low, b.low);
    high = twofold_sorted_sum(high.high, high.low + low.high);
    return twofold_sorted_sum(high.high, high.low + low.low);
}

/* The same if |a| is not smaller than |b|, in half the operations. */
MATH_INLINE Twofold twofold_add_smaller(Twofold a, Twofold b) {
    Twofold high = twofold_sorted_sum(a.high, b.high);
    return twofold_sorted_sum(high.high, high.low + (a.low + b.low));
}

MATH_INLINE Twofold twofold_multiply(Twofold a, Twofold b) {
    Twofold p = twofold_product(a.high, b.high);
    return twofold_sorted_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}

/* One step of long division after the quotient of the leading parts. */
MATH_INLINE Twofold twofold_divide(Twofold a, Twofold b) {
    double quotient = a.high / b.high;
    Twofold p = twofold_product(quotient, b.high);
    double rest = ((a.high - p.high) - p.low) + (a.low - quotient * b.low);
    return twofold_sorted_sum(quotient, rest / b.high);
}

/* a > 0. A step of Newton's method from the root of the leading part. */
MATH_INLINE Twofold twofold_root(Twofold a) {
    double root = sqrt(a.high);
    Twofold square = twofold_product(root, root);
    double rest = ((a.high - square.high) - square.low) + a.low;
    return twofold_sorted_sum(root, rest / (2 * root));
}

/* A power series in x: its first terms in twice the precision, the rest, which is smaller by some
 * 2^-20 at the largest x, in doubles:
 *
 *     lead[0] + x (lead[1] + ... + x (lead[n - 1] + x (rest[0] + x (rest[1] + ...)))).
 *
 * No lead may be smaller than what follows it. */
typedef struct TwofoldSeries {
    int leads, rests;
    const Twofold *lead;
    const double *rest;
} TwofoldSeries;

MATH_INLINE Twofold twofold_series(const TwofoldSeries *s, Twofold x) {
    double rest = s->rest[s->rests - 1];
    for (int k = s->rests - 2; k >= 0; k--) {
        rest = s->rest[k] + x.high * rest;
    }
    Twofold sum = {rest, 0};
    for (int k = s->leads - 1; k >= 0; k--) {
        sum = twofold_add_smaller(s->lead[k], twofold_multiply(x, sum));
    }
    return sum;
}

#define TWOFOLD_SERIES(lead, rest)                                                                 \
    { (int)(sizeof lead / sizeof lead[0]), (int)(sizeof rest / sizeof rest[0]), lead, rest }

#endif

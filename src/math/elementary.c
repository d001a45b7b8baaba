#include "math/elementary.h"

#include "math/cube_root.h"
#include "math/twofold.h"

/* ---------------------------------------------------------------- logarithms
 *
 * x = m 2^e with m between 1/sqrt(2) and sqrt(2), and log m = 2 artanh t = 2 t (1 + t^2/3 + t^4/5 +
 * ...) with t = (m - 1) / (m + 1), |t| < 0.172. */

/* log 2 in parts: the first has 32 bits, so that its product with an exponent is exact. */
static const double LN2_FIRST = 0x1.62e42fee00000p-1;
static const Twofold LN2_REST = {0x1.a39ef35793c76p-33, 0x1.cc01f97b57a08p-87};

/* n log 2, |n| < 2^20 */
static Twofold times_ln2(double n) {
    return twofold_add((Twofold){n * LN2_FIRST, 0}, twofold_multiply((Twofold){n, 0}, LN2_REST));
}

/* 2 artanh t, |t| < 0.172 */
static Twofold twice_artanh(Twofold t) {
    static const Twofold lead[] = {{1, 0},
                                   {0x1.5555555555555p-2, 0x1.5555555555555p-56},
                                   {0x1.999999999999ap-3, -0x1.999999999999ap-57},
                                   {0x1.2492492492492p-3, 0x1.2492492492492p-57}};
    static const double rest[] = {1.0 / 9,  1.0 / 11, 1.0 / 13, 1.0 / 15, 1.0 / 17,
                                  1.0 / 19, 1.0 / 21, 1.0 / 23, 1.0 / 25, 1.0 / 27};
    static const TwofoldSeries series = TWOFOLD_SERIES(lead, rest);
    Twofold sum = twofold_multiply(t, twofold_series(&series, twofold_multiply(t, t)));
    return (Twofold){2 * sum.high, 2 * sum.low};
}

/* For finite x > 0; `low` is small beside x. */
static Twofold log_of(double x, double low) {
    int exponent;
    double m = frexp(x, &exponent);
    if (m < 0.70710678118654752440) {
        m *= 2;
        exponent--;
    }
    low = ldexp(low, -exponent);
    Twofold above = twofold_add(twofold_sum(m, -1), (Twofold){low, 0});
    Twofold t = twofold_divide(above, twofold_add(twofold_sum(m, 1), (Twofold){low, 0}));
    return twofold_add(times_ln2(exponent), twice_artanh(t));
}

double scr_log(double x) {
    if (!(x > 0)) {
        return x == 0 ? -INFINITY : NAN;
    }
    if (x == INFINITY || x == 1) {
        return x - 1; /* infinity, and 0 */
    }
    Twofold l = log_of(x, 0);
    return l.high + l.low;
}

double scr_log1p(double x) {
    if (!(x > -1)) {
        return x == -1 ? -INFINITY : NAN;
    }
    if (fabs(x) < 0x1p-54 || x == INFINITY) {
        return x;
    }
    Twofold sum = twofold_sum(1, x), l;
    if (fabs(x) < 0.3) { /* t = x / (2 + x), so that nothing of a small x is lost */
        l = twice_artanh(twofold_divide((Twofold){x, 0}, twofold_sum(2, x)));
    } else {
        l = log_of(sum.high, sum.low);
    }
    return l.high + l.low;
}

/* acosh x = log(x + sqrt(x^2 - 1)); with u = x - 1 this is log1p(u + sqrt(u (2 + u))). */
double scr_acosh(double x) {
    if (!(x > 1) || x == INFINITY) {
        return x == 1 ? 0 : x == INFINITY ? x : NAN;
    }
    if (x > 0x1p60) { /* 2 x to all digits */
        Twofold l = twofold_add(log_of(x, 0), times_ln2(1));
        return l.high + l.low;
    }
    Twofold u = twofold_sum(x, -1), above = twofold_add(u, (Twofold){2, 0});
    Twofold sum = twofold_add(u, twofold_root(twofold_multiply(u, above)));
    if (sum.high < 0.3) { /* log(1 + s) = 2 artanh(s / (2 + s)) */
        Twofold t = twofold_divide(sum, twofold_add(sum, (Twofold){2, 0}));
        Twofold l = twice_artanh(t);
        return l.high + l.low;
    }
    sum = twofold_add(sum, (Twofold){1, 0});
    Twofold l = log_of(sum.high, sum.low);
    return l.high + l.low;
}

/* ---------------------------------------------------------------- powers
 *
 * exp x = 2^n exp r with n = x / log 2, rounded, |r| <= 0.35, and Taylor's series for exp r. */

static double exp_of(Twofold x) {
    static const Twofold lead[] = {{1, 0},
                                   {1, 0},
                                   {0.5, 0},
                                   {0x1.5555555555555p-3, 0x1.5555555555555p-57},
                                   {0x1.5555555555555p-5, 0x1.5555555555555p-59},
                                   {0x1.1111111111111p-7, 0x1.1111111111111p-63},
                                   {0x1.6c16c16c16c17p-10, -0x1.f49f49f49f49fp-65}};
    static const double rest[] = {1.0 / 5040,          1.0 / 40320,          1.0 / 362880,
                                  1.0 / 3628800,       1.0 / 39916800,       1.0 / 479001600,
                                  1.0 / 6227020800,    1.0 / 87178291200,    1.0 / 1307674368e3,
                                  1.0 / 20922789888e3, 1.0 / 355687428096e3, 1.0 / 6402373705728e3};
    static const TwofoldSeries series = TWOFOLD_SERIES(lead, rest);
    if (!(fabs(x.high) < 760)) { /* beyond the range of doubles */
        return x.high > 0 ? INFINITY : x.high < 0 ? 0 : NAN;
    }
    double n = floor(x.high * 1.44269504088896340736 + 0.5);
    Twofold power = twofold_series(&series, twofold_add(x, twofold_negative(times_ln2(n))));
    return ldexp(power.high + power.low, (int)n);
}

double scr_exp(double x) {
    return exp_of((Twofold){x, 0});
}

double scr_pow(double x, double y) {
    if (y == 0 || x == 1) {
        return 1;
    }
    if (!(x >= 0) || y != y) {
        return NAN;
    }
    if (x == 0 || x == INFINITY) {
        return (x == 0) == (y > 0) ? 0 : INFINITY;
    }
    Twofold l = log_of(x, 0);
    if (!(fabs(y) < 0x1p100 && fabs(y) > 0x1p-100)) { /* infinity, 0 or 1 */
        return exp_of((Twofold){y * l.high, 0});
    }
    return exp_of(twofold_multiply((Twofold){y, 0}, l));
}

/* ---------------------------------------------------------------- roots */

double scr_cbrt(double x) {
    return cube_root(x);
}

/* h = sqrt(x^2 + y^2), x >= y > 0, is corrected by a step of Newton's method. Its residual
 * h^2 - x^2 - y^2 would be nothing but rounding if it were computed so. In d = h - y or d = h - x,
 * which is exact, it is a sum of small terms:
 *
 *     d^2 + 2 y d - x^2 = x (2 d - x) + d (d - 2 (x - y))            for h <= 2 y,
 *     d^2 + 2 x d - y^2 = 2 d (x - 2 y) + (y (4 d - y) + d^2)        else
 *
 * (Borges, "An improved algorithm for hypot", 2019, without fused operations). */
static double hypotenuse(double x, double y) {
    double h = sqrt(x * x + y * y), residual;
    if (h <= 2 * y) {
        double d = h - y;
        residual = x * (2 * d - x) + d * (d - 2 * (x - y));
    } else {
        double d = h - x;
        residual = 2 * d * (x - 2 * y) + (y * (4 * d - y) + d * d);
    }
    return h - residual / (2 * h);
}

double scr_hypot(double x, double y) {
    x = fabs(x), y = fabs(y);
    if (x == INFINITY || y == INFINITY) {
        return INFINITY;
    }
    double larger = x > y ? x : y, smaller = x > y ? y : x;
    if (!(smaller > larger * 0x1p-60)) {
        return x + y; /* one is 0, not a number or too small to matter */
    }
    if (larger < 0x1p500 && smaller > 0x1p-400) {
        return hypotenuse(larger, smaller);
    }
    int exponent; /* squares must neither overflow nor underflow */
    (void)frexp(larger, &exponent);
    return ldexp(hypotenuse(ldexp(larger, -exponent), ldexp(smaller, -exponent)), exponent);
}

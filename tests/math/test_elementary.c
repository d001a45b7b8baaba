/* The elementary functions against those of the C library for long doubles, of 113 bits on aarch64
 * and of 64 on x86-64; special values; and what must hold bit for bit. */
#include "check.h"

#include "base/random.h"
#include "math/elementary.h"
#include "math/root.h"

#include <float.h>
#include <stdint.h>

/* Half a unit in the last place is what rounding alone costs. To this come 2^-15 of our own and,
 * where a long double has only 64 bits, its errors: a unit of those at most, 2^-11 of ours. */
#define MOST (0.5 + 0x1p-15 + (LDBL_MANT_DIG < 100 ? 0x1p-10 : 0))

#ifndef ARGUMENTS
#define ARGUMENTS (50000 / CHECK_STRIDE)
#endif

/* The error of `found` in units of the last place of the double next to `exact`. */
static double in_units(double found, long double exact) {
    int exponent;
    (void)frexpl(exact, &exponent);
    exponent = exponent < DBL_MIN_EXP ? DBL_MIN_EXP : exponent;
    return (double)fabsl(ldexpl(found - exact, DBL_MANT_DIG - exponent));
}

typedef struct Range {
    double from, to;
    bool powers; /* evenly spread in the logarithm */
} Range;

static double draw(const Range *range, uint64_t i) {
    double u = scr_random_unit(17, i);
    if (range->powers) {
        return exp2((1 - u) * log2(range->from) + u * log2(range->to));
    }
    return range->from + u * (range->to - range->from);
}

typedef double (*Function)(double);
typedef long double (*Reference)(long double);

/* Small sines and cosines are computed in doubles. */
static double most_of(const Range *range, Function function) {
    bool small =
        fabs(range->from) < 0.0625 || fabs(range->to) < 0.0625 || range->from * range->to < 0;
    return small && (function == scr_sin || function == scr_cos) ? 0.505 : MOST;
}

static void compare(const char *name, Function function, Reference reference, Range range) {
    double most = 0, at = 0;
    for (uint64_t i = 0; i < ARGUMENTS; i++) {
        double x = draw(&range, i), error = in_units(function(x), reference(x));
        at = error > most ? x : at;
        most = error > most ? error : most;
    }
    printf("%-6s from %-9.3g to %-9.3g: at most %.6f units, at %.17g\n", name, range.from, range.to,
           most, at);
    CHECK(most > 0.49 && most <= most_of(&range, function));
}

static void functions_of_one_number_are_rounded_once(void) {
    compare("sin", scr_sin, sinl, (Range){-4, 4, false});
    compare("sin", scr_sin, sinl, (Range){1e-9, 1, true});
    compare("sin", scr_sin, sinl, (Range){1, 1e300, true});
    compare("sin", scr_sin, sinl, (Range){-0.07, 0.07, false});
    compare("cos", scr_cos, cosl, (Range){-0.07, 0.07, false});
    compare("cos", scr_cos, cosl, (Range){-4, 4, false});
    compare("cos", scr_cos, cosl, (Range){1, 1e300, true});
    compare("asin", scr_asin, asinl, (Range){-1, 1, false});
    compare("asin", scr_asin, asinl, (Range){1e-12, 1, true});
    compare("acos", scr_acos, acosl, (Range){-1, 1, false});
    compare("acos", scr_acos, acosl, (Range){1 - 1e-9, 1, false});
    compare("atan", scr_atan, atanl, (Range){-3, 3, false});
    compare("atan", scr_atan, atanl, (Range){1e-20, 1e20, true});
    compare("exp", scr_exp, expl, (Range){-708, 709.7, false});
    compare("exp", scr_exp, expl, (Range){-1, 1, false});
    compare("exp", scr_exp, expl, (Range){1e-20, 1, true});
    compare("log", scr_log, logl, (Range){1e-310, 1e308, true});
    compare("log", scr_log, logl, (Range){0.9, 1.1, false});
    compare("log1p", scr_log1p, log1pl, (Range){-0.999, 1, false});
    compare("log1p", scr_log1p, log1pl, (Range){1e-20, 1e20, true});
    compare("acosh", scr_acosh, acoshl, (Range){1, 1.2, false});
    compare("acosh", scr_acosh, acoshl, (Range){1, 1e100, true});
    compare("cbrt", scr_cbrt, cbrtl, (Range){1e-310, 1e308, true});
    compare("cbrt", scr_cbrt, cbrtl, (Range){-8, 8, false});
}

/* Of two numbers: in units of the result, with both numbers up to 2^300 apart. */
static void functions_of_two_numbers_are_rounded_once(void) {
    const Range range = {1e-45, 1e45, true}, near = {0.5, 2, false}, base = {1e-9, 1e9, true};
    double angle = 0, length = 0, power = 0, fifth = 0;
    for (uint64_t i = 0; i < ARGUMENTS; i++) {
        const Range *r = i % 2 == 0 ? &range : &near;
        double x = draw(r, 2 * i), y = draw(r, 2 * i + 1), b = draw(&base, i);
        double exponent = 10 * (scr_random_unit(5, i) - 0.5), sign = i % 3 == 0 ? -1 : 1;
        angle = scr_max(angle, in_units(scr_atan2(y, sign * x), atan2l(y, sign * x)));
        length = scr_max(length, in_units(scr_hypot(x, sign * y), hypotl(x, y)));
        power = scr_max(power, in_units(scr_pow(b, exponent), powl(b, exponent)));
        fifth = scr_max(fifth, in_units(scr_two_fifths(b), powl(b, 0.4L)));
    }
    printf("atan2 %.6f, hypot %.6f, pow %.6f, x^(2/5) %.6f units\n", angle, length, power, fifth);
    CHECK(angle > 0.49 && angle <= MOST);
    CHECK(length > 0.49 && length < 0.6); /* the products in its residual are rounded */
    CHECK(power > 0.49 && power <= MOST);
    CHECK(fifth < 2); /* 0.4 is not a double */
}

/* Doubles that come nearest to a multiple of pi/2, where reducing them is hardest: the first is the
 * worst of all (Muller, Elementary Functions, chapter on range reduction); the others are multiples
 * of pi/2 themselves, rounded. */
static void hard_angles_are_reduced(void) {
    const double hard[] = {6381956970095103 * 0x1p797,
                           M_PI,
                           M_PI_2,
                           1e22 * M_PI,
                           355,
                           5 * M_PI_2,
                           DBL_MAX,
                           0x1p53,
                           0x1p1023};
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++) {
        CHECK_NEAR(in_units(scr_sin(hard[i]), sinl(hard[i])), 0, MOST);
        CHECK_NEAR(in_units(scr_cos(hard[i]), cosl(hard[i])), 0, MOST);
    }
    CHECK_NEAR(scr_cos(6381956970095103 * 0x1p797), -4.6871659242546276e-19, 1e-34);
}

static bool same(double a, double b) { /* bit for bit, but for the kind of not-a-number */
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static void special_values_are_those_of_the_standard(void) {
    const double x[] = {0.0, -0.0, 1,   -1,     INFINITY, -INFINITY,
                        NAN, 2,    0.5, 5e-324, -5e-324,  DBL_MAX};
    const size_t count = sizeof x / sizeof *x;
    for (size_t i = 0; i < count; i++) {
        CHECK(same(scr_sin(x[i]), (double)sinl(x[i])));
        CHECK(same(scr_cos(x[i]), (double)cosl(x[i])));
        CHECK(same(scr_asin(x[i]), (double)asinl(x[i])));
        CHECK(same(scr_acos(x[i]), (double)acosl(x[i])));
        CHECK(same(scr_atan(x[i]), (double)atanl(x[i])));
        CHECK(same(scr_exp(x[i]), (double)expl(x[i])));
        CHECK(same(scr_log(x[i]), (double)logl(x[i])));
        CHECK(same(scr_log1p(x[i]), (double)log1pl(x[i])));
        CHECK(same(scr_acosh(x[i]), (double)acoshl(x[i])));
        CHECK(same(scr_cbrt(x[i]), (double)cbrtl(x[i])));
        for (size_t k = 0; k < count; k++) {
            CHECK(same(scr_atan2(x[i], x[k]), (double)atan2l(x[i], x[k])));
            CHECK(same(scr_hypot(x[i], x[k]), (double)hypotl(x[i], x[k])));
            if (x[i] >= 0 && !signbit(x[i])) { /* the root of DBL_MAX lies between two doubles */
                double power = scr_pow(x[i], x[k]), exact = (double)powl(x[i], x[k]);
                CHECK(same(power, exact) ||
                      (x[i] == DBL_MAX && power == nextafter(exact, INFINITY)));
            }
            if (x[i] != 0 || x[k] != 0) {
                CHECK(same(scr_max(x[i], x[k]), fmax(x[i], x[k])));
                CHECK(same(scr_min(x[i], x[k]), fmin(x[i], x[k])));
            }
        }
    }
    CHECK(same(scr_max(0.0, -0.0), -0.0) && same(scr_max(-0.0, 0.0), 0.0));
    CHECK(same(scr_min(0.0, -0.0), -0.0) && same(scr_min(-0.0, 0.0), 0.0));
}

/* So that a scene and its mirror image, and one in other units, run alike to the last bit. */
static void symmetries_are_exact(void) {
    const Range range = {1e-60, 1e60, true};
    for (uint64_t i = 0; i < ARGUMENTS / 4; i++) {
        double x = draw(&range, 2 * i), y = draw(&range, 2 * i + 1);
        CHECK(scr_sin(-x) == -scr_sin(x) && scr_cos(-x) == scr_cos(x));
        CHECK(scr_atan(-x) == -scr_atan(x) && scr_cbrt(-x) == -scr_cbrt(x));
        CHECK(scr_atan2(-y, x) == -scr_atan2(y, x));
        CHECK(scr_hypot(x, y) == scr_hypot(y, x) && scr_hypot(-x, y) == scr_hypot(x, -y));
        CHECK(scr_cbrt(ldexp(x, 3 * 41)) == ldexp(scr_cbrt(x), 41));
        CHECK(scr_two_fifths(ldexp(x, -5 * 23)) == ldexp(scr_two_fifths(x), -2 * 23));
        CHECK(scr_hypot(ldexp(x, 600), ldexp(y, 600)) == ldexp(scr_hypot(x, y), 600));
        CHECK(scr_hypot(ldexp(x, -600), ldexp(y, -600)) == ldexp(scr_hypot(x, y), -600));
        CHECK(scr_atan2(ldexp(y, 700), ldexp(x, 700)) == scr_atan2(y, x));
    }
}

static void powers_of_whole_numbers_are_exact(void) {
    for (int base = 1; base < 30; base++) {
        double cube = (double)base * base * base;
        CHECK(scr_cbrt(cube) == base && scr_pow(base, 3) == cube);
        CHECK(scr_hypot(3.0 * base, 4.0 * base) == 5.0 * base);
        CHECK(scr_log(ldexp(1, base)) == (double)(base * logl(2)));
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(functions_of_one_number_are_rounded_once);
    CHECK_RUN(functions_of_two_numbers_are_rounded_once);
    CHECK_RUN(hard_angles_are_reduced);
    CHECK_RUN(special_values_are_those_of_the_standard);
    CHECK_RUN(symmetries_are_exact);
    CHECK_RUN(powers_of_whole_numbers_are_exact);
    return check_result();
}

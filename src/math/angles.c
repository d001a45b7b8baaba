#include "math/elementary.h"
#include "math/small_angles.h"
#include "math/twofold.h"

#include <stdbool.h>
#include <stdint.h>

static const Twofold PI = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
static const Twofold HALF_PI = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

/* ---------------------------------------------------------------- turns
 *
 * An angle is n quarter turns and a rest of at most pi/4. With x = m 2^e, m an integer of 53 bits,
 * x 2/pi is needed modulo 4 only: bits of 2/pi that contribute whole turns are left out, 192 of
 * those that follow are multiplied with m as integers, and what is cut off is below 2^-137, while
 * no double comes nearer than about 2^-62 to a multiple of pi/2 (Payne and Hanek). */

enum { WORDS = 6 };

/* The bits of 2/pi, after 64 zeros in front of the point. */
static const uint32_t TWO_OVER_PI[] = {
    0,          0,          0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041,
    0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e,
    0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b,
    0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d,
    0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab};

/* x 2/pi modulo 4 for x > 1/2, as an integer times 2^-190; the lowest word comes first. */
static void quarter_turns(double x, uint32_t product[WORDS]) {
    int exponent;
    uint64_t m = (uint64_t)ldexp(frexp(x, &exponent), 53);
    const uint64_t part[2] = {m & 0xffffffff, m >> 32};
    int first = exponent - 53 + 62; /* the bit of weight 2 in x 2/pi */
    const uint32_t *word = TWO_OVER_PI + first / 32;
    int shift = first % 32;
    for (int k = 0; k < WORDS; k++) {
        product[k] = 0;
    }
    for (int k = 0; k < WORDS; k++) {
        const uint32_t *w = word + (WORDS - 1 - k);
        uint64_t bits = (((uint64_t)w[0] << 32 | w[1]) >> (32 - shift)) & 0xffffffff, carry = 0;
        for (int i = 0; i < 2 && k + i < WORDS; i++) {
            carry += product[k + i] + bits * part[i];
            product[k + i] = (uint32_t)carry;
            carry >>= 32;
        }
        if (k + 2 < WORDS) { /* nothing has been added there yet */
            product[k + 2] = (uint32_t)carry;
        }
    }
}

/* The rest of x >= 0, between -pi/4 and pi/4 but for rounding, and the quarter turn modulo 4. */
static Twofold reduce(double x, int *quarter) {
    *quarter = 0;
    if (x <= 0.785) {
        return (Twofold){x, 0};
    }
    uint32_t turns[WORDS];
    quarter_turns(x, turns);
    *quarter = (int)(turns[WORDS - 1] >> 30);
    bool beyond = (turns[WORDS - 1] >> 29 & 1) != 0; /* more than half of a quarter turn */
    Twofold f = {0, 0};
    double weight = 0x1p-30;
    for (int k = WORDS - 1; k >= 0; k--, weight *= 0x1p-32) {
        uint32_t word = beyond ? ~turns[k] : turns[k]; /* 1 - f, but for 2^-190 */
        word &= k == WORDS - 1 ? 0x3fffffff : 0xffffffff;
        Twofold sum = twofold_sorted_sum(f.high, word * weight);
        f = (Twofold){sum.high, f.low + sum.low};
    }
    f = twofold_multiply(twofold_sorted_sum(f.high, f.low), HALF_PI);
    *quarter = (*quarter + beyond) & 3;
    return beyond ? twofold_negative(f) : f;
}

/* ---------------------------------------------------------------- sine and cosine: Taylor's series */

static double sine_of(Twofold x) {
    static const Twofold lead[] = {{1, 0},
                                   {-0x1.5555555555555p-3, -0x1.5555555555555p-57},
                                   {0x1.1111111111111p-7, 0x1.1111111111111p-63},
                                   {-0x1.a01a01a01a01ap-13, -0x1.a01a01a01a01ap-73}};
    static const double rest[] = {1.0 / 362880,
                                  -1.0 / 39916800,
                                  1.0 / 6227020800,
                                  -1.0 / 1307674368e3,
                                  1.0 / 355687428096e3,
                                  -1.0 / 121645100408832e3,
                                  1.0 / 5109094217170944e4};
    static const TwofoldSeries series = TWOFOLD_SERIES(lead, rest);
    Twofold sum = twofold_multiply(x, twofold_series(&series, twofold_multiply(x, x)));
    return sum.high + sum.low;
}

static double cosine_of(Twofold x) {
    static const Twofold lead[] = {{1, 0},
                                   {-0.5, 0},
                                   {0x1.5555555555555p-5, 0x1.5555555555555p-59},
                                   {-0x1.6c16c16c16c17p-10, 0x1.f49f49f49f49fp-65},
                                   {0x1.a01a01a01a01ap-16, 0x1.a01a01a01a01ap-76}};
    static const double rest[] = {-1.0 / 3628800,         1.0 / 479001600,
                                  -1.0 / 87178291200,     1.0 / 20922789888e3,
                                  -1.0 / 6402373705728e3, 1.0 / 243290200817664e4};
    static const TwofoldSeries series = TWOFOLD_SERIES(lead, rest);
    Twofold sum = twofold_series(&series, twofold_multiply(x, x));
    return sum.high + sum.low;
}

double scr_sin(double x) {
    if (!(fabs(x) < INFINITY)) {
        return NAN;
    }
    if (fabs(x) < SCR_SMALL_ANGLE) {
        return scr_small_sine(x);
    }
    int quarter;
    Twofold rest = reduce(fabs(x), &quarter);
    double s = quarter & 1 ? cosine_of(rest) : sine_of(rest);
    return ((quarter & 2) != 0) == (x < 0) ? s : -s;
}

double scr_cos(double x) {
    if (!(fabs(x) < INFINITY)) {
        return NAN;
    }
    if (fabs(x) < SCR_SMALL_ANGLE) {
        return scr_small_cosine(x);
    }
    int quarter;
    Twofold rest = reduce(fabs(x), &quarter);
    double s = quarter & 1 ? sine_of(rest) : cosine_of(rest);
    return quarter == 1 || quarter == 2 ? -s : s;
}

/* ---------------------------------------------------------------- inverse functions
 *
 * atan q for 0 <= q <= 1 is atan c + atan z with c = k/8 next to q and z = (q - c) / (1 + q c),
 * |z| <= 1/16, and atan z = z (1 - z^2/3 + z^4/5 - ...). */

static Twofold atan_of(Twofold q) {
    static const Twofold at[] = {{0, 0},
                                 {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
                                 {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
                                 {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
                                 {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                 {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
                                 {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
                                 {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
                                 {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}};
    static const Twofold lead[] = {{1, 0},
                                   {-0x1.5555555555555p-2, -0x1.5555555555555p-56},
                                   {0x1.999999999999ap-3, -0x1.999999999999ap-57}};
    static const double rest[] = {-1.0 / 7,  1.0 / 9,  -1.0 / 11, 1.0 / 13,
                                  -1.0 / 15, 1.0 / 17, -1.0 / 19};
    static const TwofoldSeries series = TWOFOLD_SERIES(lead, rest);
    int k = (int)(8 * q.high + 0.5);
    Twofold c = {k / 8.0, 0};
    Twofold z = q;
    if (k > 0) {
        z = twofold_divide(twofold_add(q, twofold_negative(c)),
                           twofold_add((Twofold){1, 0}, twofold_multiply(q, c)));
    }
    z = twofold_multiply(z, twofold_series(&series, twofold_multiply(z, z)));
    return k > 0 ? twofold_add(at[k], z) : z;
}

/* The angle of (x, y), both at least 0, the larger between 2^-400 and 2^400 and the smaller not
 * 2^-100 of it. */
static Twofold angle_in_quarter(Twofold y, Twofold x) {
    if (y.high <= x.high) {
        return atan_of(twofold_divide(y, x));
    }
    return twofold_add(HALF_PI, twofold_negative(atan_of(twofold_divide(x, y))));
}

/* The same for any x, as a number with the sign of `sign`. */
static double angle_in_half(Twofold y, Twofold x, double sign) {
    bool left = x.high < 0;
    Twofold angle = angle_in_quarter(y, left ? twofold_negative(x) : x);
    angle = left ? twofold_add(PI, twofold_negative(angle)) : angle;
    return copysign(angle.high + angle.low, sign);
}

/* Where y or x is 0 or infinite, or one nothing beside the other. */
static double angle_at_limit(double y, double x) {
    double angle;
    if (fabs(x) == INFINITY && fabs(y) == INFINITY) {
        angle = x > 0 ? 0.25 * PI.high : 0.75 * PI.high;
    } else if (fabs(y) > fabs(x)) {
        angle = HALF_PI.high;
    } else {
        angle = signbit(x) ? PI.high : y == 0 ? 0 : fabs(y) / x;
    }
    return copysign(angle, y);
}

double scr_atan2(double y, double x) {
    if (x != x || y != y) {
        return NAN;
    }
    double larger = fabs(x) > fabs(y) ? fabs(x) : fabs(y);
    double smaller = fabs(x) > fabs(y) ? fabs(y) : fabs(x);
    if (larger == INFINITY || smaller <= larger * 0x1p-90) {
        return angle_at_limit(y, x);
    }
    int exponent;
    (void)frexp(larger, &exponent);
    Twofold from_right = {ldexp(x, -exponent), 0}, up = {ldexp(fabs(y), -exponent), 0};
    return angle_in_half(up, from_right, y);
}

double scr_atan(double x) {
    return scr_atan2(x, 1);
}

/* sqrt(1 - x^2), |x| < 1 */
static Twofold beside(double x) {
    return twofold_root(twofold_multiply(twofold_sum(1, -x), twofold_sum(1, x)));
}

double scr_asin(double x) {
    if (!(fabs(x) < 1)) {
        return fabs(x) == 1 ? copysign(HALF_PI.high, x) : NAN;
    }
    return fabs(x) < 0x1p-27 ? x : angle_in_half((Twofold){fabs(x), 0}, beside(x), x);
}

double scr_acos(double x) {
    if (!(fabs(x) < 1)) {
        return x == 1 ? 0 : x == -1 ? PI.high : NAN;
    }
    return fabs(x) < 0x1p-90 ? HALF_PI.high : angle_in_half(beside(x), (Twofold){x, 0}, 1);
}

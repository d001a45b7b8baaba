/* Exact sums: against integers of 128 bits, in any order and grouping, and at the ends of the range
 * of doubles. */
#include "scenes.h"

#include "base/random.h"
#include "math/exact_sum.h"

#include <float.h>

__extension__ typedef __int128 Long;

static double sum_of(const double *term, size_t count) {
    ExactSum sum;
    scr_exact_clear(&sum);
    for (size_t i = 0; i < count; i++) {
        scr_exact_add(&sum, term[i]);
    }
    return scr_exact_total(&sum);
}

static bool same_bits(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

enum { TERMS = 5000, DRAWS = 40 };

/* A number of either sign with 53 random bits, times a power of two up to 2^59. */
static double draw(uint64_t key, uint64_t i, int powers) {
    double whole = (double)(int64_t)(scr_random(key, 3 * i) >> 11);
    double size = ldexp(whole, (int)scr_random_below(key, 3 * i + 1, (uint32_t)powers));
    return scr_random_below(key, 3 * i + 2, 2) == 0 ? size : -size;
}

/* A conversion from 128 bits rounds once, to the nearest. */
static void integers_of_128_bits_agree(void) {
    static double term[TERMS];
    for (uint64_t k = 0; k < DRAWS; k++) {
        const int powers = 1 + (int)(k * 3 % 60);
        Long whole = 0;
        for (size_t i = 0; i < TERMS; i++) {
            term[i] = draw(k, i, powers);
            whole += (Long)term[i];
            if (i % 97 == 0) {
                CHECK(same_bits(sum_of(term, i + 1), (double)whole));
            }
        }
        CHECK(same_bits(sum_of(term, TERMS), (double)whole));
    }
}

/* Terms over the whole range of exponents, which cancel but for one. */
static void order_and_grouping_do_not_matter(void) {
    static double term[TERMS];
    for (uint64_t k = 0; k < DRAWS; k++) {
        for (size_t i = 0; i < TERMS; i++) {
            term[i] = ldexp(draw(k, i, 1), (int)scr_random_below(k + 1000, i, 2000) - 1100);
        }
        double expected = sum_of(term, TERMS);
        for (size_t i = TERMS; i > 1; i--) {
            size_t j = scr_random_below(k + 2000, i, (uint32_t)i);
            double t = term[i - 1];
            term[i - 1] = term[j];
            term[j] = t;
        }
        CHECK(same_bits(sum_of(term, TERMS), expected));
        ExactSum all, part;
        scr_exact_clear(&all);
        for (size_t i = 0, end; i < TERMS; i = end) {
            end = i + 1 + scr_random_below(k + 3000, i, 800);
            end = end < TERMS ? end : TERMS;
            scr_exact_clear(&part);
            for (size_t j = i; j < end; j++) {
                scr_exact_add(&part, term[j]);
            }
            scr_exact_join(&all, &part);
        }
        CHECK(same_bits(scr_exact_total(&all), expected));
    }
}

static void cancelling_terms_leave_the_rest(void) {
    static double term[2 * TERMS + 1];
    const double rests[] = {0, 1, -3.5, 0x1p-1074, -0x1.8p-1060, DBL_MIN, -DBL_MAX, 0x1.fffffp300};
    for (size_t k = 0; k < sizeof rests / sizeof *rests; k++) {
        for (size_t i = 0; i < TERMS; i++) {
            term[i] = ldexp(draw(k, i, 1), (int)scr_random_below(k, i + 70000, 2020) - 1120);
            term[2 * TERMS - i] = -term[i];
        }
        term[TERMS] = rests[k];
        CHECK(sum_of(term, 2 * TERMS + 1) == rests[k]);
    }
}

static void halves_go_to_the_even(void) {
    const double even[] = {1, 0x1p-53}, odd[] = {1 + 0x1p-52, 0x1p-53},
                 above[] = {1, 0x1p-53, 0x1p-1074}, below[] = {-1, -0x1p-53, 0x1p-1074};
    CHECK(sum_of(even, 2) == 1);
    CHECK(sum_of(odd, 2) == 1 + 0x1p-51);
    CHECK(sum_of(above, 3) == 1 + 0x1p-52);
    CHECK(sum_of(below, 3) == -1);
    const double up[] = {0x1.fffffffffffffp0, 0x1p-53}; /* the carry raises the exponent */
    CHECK(sum_of(up, 2) == 2);
}

static void the_ends_of_the_range(void) {
    const double back[] = {DBL_MAX, DBL_MAX, DBL_MAX, -DBL_MAX, -DBL_MAX};
    CHECK(sum_of(back, 5) == DBL_MAX);
    CHECK(sum_of(back, 2) == (double)INFINITY);
    CHECK(sum_of(back + 3, 2) == -(double)INFINITY);
    const double half_a_unit[] = {DBL_MAX, 0x1p970}, less[] = {DBL_MAX, 0x1.fffp969};
    CHECK(sum_of(half_a_unit, 2) == (double)INFINITY);
    CHECK(sum_of(less, 2) == DBL_MAX);
    const double small[] = {0x1p-1074, 0x1p-1074, -0x1p-1073, 0x1p-1050};
    CHECK(sum_of(small, 1) == 0x1p-1074);
    CHECK(sum_of(small, 2) == 0x1p-1073);
    CHECK(sum_of(small, 3) == 0);
    CHECK(sum_of(small, 4) == 0x1p-1050);
    CHECK(sum_of(NULL, 0) == 0);
    const double infinite[] = {1, (double)INFINITY, -5},
                 both[] = {(double)INFINITY, 3, -(double)INFINITY};
    CHECK(sum_of(infinite, 3) == (double)INFINITY);
    CHECK(isnan(sum_of(both, 3)));
    const double none[] = {1, (double)NAN};
    CHECK(isnan(sum_of(none, 2)));
}

/* Past the number of terms after which carries are passed on, of the largest kind there is. */
static void many_terms(void) {
    enum { MANY = 1000000 };
    ExactSum sum;
    scr_exact_clear(&sum);
    for (int i = 0; i < MANY; i++) {
        scr_exact_add(&sum, -0x1.fffffffffffffp1023 * 0x1p-20);
    }
    CHECK(scr_exact_total(&sum) == -0x1.fffffffffffffp1003 * MANY);
    for (int i = 0; i < MANY; i++) {
        scr_exact_add(&sum, 0x1.fffffffffffffp1003);
    }
    CHECK(scr_exact_total(&sum) == 0);
}

int main(int argc, char **argv) {
    CHECK_RUN(integers_of_128_bits_agree);
    CHECK_RUN(order_and_grouping_do_not_matter);
    CHECK_RUN(cancelling_terms_leave_the_rest);
    CHECK_RUN(halves_go_to_the_even);
    CHECK_RUN(the_ends_of_the_range);
    CHECK_RUN(many_terms);
    return check_result();
}

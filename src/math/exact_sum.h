/* Sums that depend neither on the order of their terms nor on how these are grouped.
 *
 * A double is an integer times 2^-1074, so a sum of doubles is one as well, and integers can be added
 * in any order. This one is kept in words of 64 bits that count units of 2^(32 k - 1074): a term adds at
 * most 2^52 to a word, so 2^10 of them fit before carries have to be passed on. The sum is rounded
 * once, when it is asked for, to the nearest double. Sums of parts, made by threads or by processes,
 * are joined without any loss. (Neal, "Fast exact summation using small and large superaccumulators",
 * 2015.) */
#ifndef SCREE_MATH_EXACT_SUM_H
#define SCREE_MATH_EXACT_SUM_H

#include <stdint.h>
#include <string.h>

/* 64 words for the exponents of doubles, and room for 2^63 terms of the largest of them. */
enum { EXACT_WORDS = 67, EXACT_TERMS = 1024 };

typedef struct ExactSum {
    int64_t word[EXACT_WORDS];
    int64_t terms;      /* since carries were passed on */
    double not_numbers; /* the sum of terms that are infinite or no numbers; else 0 */
} ExactSum;

/* Passes carries on: all words but the last are then between 0 and 2^32 - 1. */
void scr_exact_carry(ExactSum *sum);

/* Terms that are no ordinary numbers: subnormal, infinite, or not numbers at all. */
void scr_exact_add_special(ExactSum *sum, double term);

static inline void scr_exact_clear(ExactSum *sum) {
    memset(sum, 0, sizeof *sum);
}

static inline void scr_exact_add(ExactSum *sum, double term) {
    uint64_t bits;
    memcpy(&bits, &term, sizeof bits);
    const uint32_t at = ((uint32_t)(bits >> 52) & 0x7ff) - 1; /* the place of its last bit */
    if (at >= 0x7fe) {
        scr_exact_add_special(sum, term);
        return;
    }
    const int64_t sign = -(int64_t)(bits >> 63);
    const int64_t whole = (int64_t)((bits & UINT64_C(0xfffffffffffff)) | UINT64_C(1) << 52);
    const int64_t value = (whole ^ sign) - sign;
    const uint32_t word = at / 32, shift = at % 32;
    sum->word[word] += (int64_t)((uint64_t)value << shift & UINT64_C(0xffffffff));
    sum->word[word + 1] += value >> (32 - shift);
    if (++sum->terms == EXACT_TERMS) {
        scr_exact_carry(sum);
    }
}

/* Adds the terms of another sum, whose carries are passed on. */
void scr_exact_join(ExactSum *sum, ExactSum *other);

/* The nearest double; of two that are equally near, the even one. */
double scr_exact_total(ExactSum *sum);

#endif

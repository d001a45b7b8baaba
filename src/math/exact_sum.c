#include "math/exact_sum.h"

#include <math.h>
#include <stdbool.h>

void scr_exact_carry(ExactSum *sum) {
    int64_t carry = 0;
    for (int k = 0; k < EXACT_WORDS - 1; k++) {
        int64_t word = sum->word[k] + carry;
        carry = word >> 32; /* rounded down, also of a negative word */
        sum->word[k] = word & INT64_C(0xffffffff);
    }
    sum->word[EXACT_WORDS - 1] += carry;
    sum->terms = 0;
}

void scr_exact_add_special(ExactSum *sum, double term) {
    if (!isfinite(term)) {
        sum->not_numbers += term;
        return;
    }
    int64_t bits;
    double size = fabs(term);
    memcpy(&bits, &size, sizeof bits); /* of a subnormal number: how many units it has */
    int64_t value = term < 0 ? -bits : bits;
    sum->word[0] += value & INT64_C(0xffffffff);
    sum->word[1] += value >> 32;
    if (++sum->terms == EXACT_TERMS) {
        scr_exact_carry(sum);
    }
}

void scr_exact_join(ExactSum *sum, ExactSum *other) {
    scr_exact_carry(other);
    for (int k = 0; k < EXACT_WORDS; k++) {
        sum->word[k] += other->word[k];
    }
    sum->not_numbers += other->not_numbers;
    if (++sum->terms == EXACT_TERMS) {
        scr_exact_carry(sum);
    }
}

/* Bits `from` .. `from` + 63 of words without carries. */
static uint64_t bits_from(const int64_t *word, int from) {
    uint64_t bits = 0;
    for (int at = from / 32; at < EXACT_WORDS && at <= from / 32 + 2; at++) {
        int shift = 32 * at - from;
        if (shift < 64) {
            uint64_t part = (uint64_t)word[at];
            bits |= shift >= 0 ? part << shift : part >> -shift;
        }
    }
    return bits;
}

static bool any_below(const int64_t *word, int end) {
    for (int k = 0; 32 * k < end; k++) {
        int bits = end - 32 * k;
        uint64_t part = (uint64_t)word[k];
        if ((bits >= 32 ? part : part & ((UINT64_C(1) << bits) - 1)) != 0) {
            return true;
        }
    }
    return false;
}

/* How many bits the sum has. */
static int length_of(const int64_t *word) {
    for (int k = EXACT_WORDS - 1; k >= 0; k--) {
        if (word[k] != 0) {
            return 32 * k + 64 - __builtin_clzll((uint64_t)word[k]);
        }
    }
    return 0;
}

/* The sum of numbers that are not negative together, in bits of a double. Up to 53 bits a number of
 * units is a double as it stands, subnormal or not. */
static uint64_t round_off(const int64_t *word) {
    const int length = length_of(word), cut = length - 53;
    if (cut <= 0) {
        return bits_from(word, 0);
    }
    uint64_t kept = bits_from(word, cut) & ((UINT64_C(1) << 53) - 1);
    bool half = bits_from(word, cut - 1) & 1, more = any_below(word, cut - 1);
    kept += half && (more || (kept & 1) != 0);
    /* The exponent of a double stands above its 52 bits, so a carry out of these raises it. */
    uint64_t bits = kept - (UINT64_C(1) << 52) + ((uint64_t)(cut + 1) << 52);
    const uint64_t infinite = UINT64_C(0x7ff) << 52;
    return bits < infinite && cut < 0x7ff ? bits : infinite;
}

double scr_exact_total(ExactSum *sum) {
    if (sum->not_numbers != 0) { /* also of a NaN */
        return sum->not_numbers;
    }
    scr_exact_carry(sum);
    ExactSum positive = *sum;
    bool negative = sum->word[EXACT_WORDS - 1] < 0;
    for (int k = 0; negative && k < EXACT_WORDS; k++) {
        positive.word[k] = -positive.word[k];
    }
    if (negative) {
        scr_exact_carry(&positive);
    }
    uint64_t bits = round_off(positive.word) | (uint64_t)negative << 63;
    double total;
    memcpy(&total, &bits, sizeof total);
    return total;
}

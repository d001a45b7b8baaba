/* Bodies that are split over the boxes of a group: a team for each (src/sweep/split.h). Sums are exact, and so is
 * their rounding (src/math/exact_sum.c). */
#ifndef SCREE_CUDA_COPY_KERNEL_H
#define SCREE_CUDA_COPY_KERNEL_H

#include "sweep_kernel.h"

enum {
    WORDS =
        SCREE_DEVICE_SUM_WORDS - 3, /* then how many terms were infinite, -infinite, no numbers */
    VELOCITIES = 6,                 /* of a body */
    DIGITS = 53
};

typedef struct CopyArguments {
    const ScreeDeviceSplit *split;
    const int32_t *copy;
    double *body;
} CopyArguments;

/* ---------------------------------------------------------------- rounding */

ON_DEVICE void pass_carries(int64_t *word) {
    int64_t carry = 0;
    for (int k = 0; k < WORDS - 1; k++) {
        const int64_t sum = word[k] + carry;
        carry = sum >> 32; /* rounded down, also of a negative word */
        word[k] = sum & INT64_C(0xffffffff);
    }
    word[WORDS - 1] += carry;
}

/* Bits `from` .. `from` + 63 of words without carries. */
ON_DEVICE uint64_t bits_from(const int64_t *word, int from) {
    uint64_t bits = 0;
    for (int at = from / 32; at < WORDS && at <= from / 32 + 2; at++) {
        const int shift = 32 * at - from;
        const uint64_t part = (uint64_t)word[at];
        bits |= shift >= 64 ? 0 : shift >= 0 ? part << shift : part >> -shift;
    }
    return bits;
}

ON_DEVICE bool any_below(const int64_t *word, int end) {
    bool any = false;
    for (int k = 0; 32 * k < end; k++) {
        const int bits = end - 32 * k;
        const uint64_t part = (uint64_t)word[k];
        any = any || (bits >= 32 ? part : part & ((UINT64_C(1) << bits) - 1)) != 0;
    }
    return any;
}

/* How many bits the sum has. */
ON_DEVICE int length_of(const int64_t *word) {
    int k = WORDS - 1, length = 0;
    while (k > 0 && word[k] == 0) {
        k--;
    }
    for (uint64_t rest = (uint64_t)word[k]; rest != 0; rest >>= 1) {
        length++;
    }
    return 32 * k + length;
}

/* The sum of numbers that are not negative together, in bits of a double. */
ON_DEVICE uint64_t round_off(const int64_t *word) {
    const int length = length_of(word), cut = length - DIGITS;
    if (cut <= 0) {
        return bits_from(word, 0);
    }
    uint64_t kept = bits_from(word, cut) & ((UINT64_C(1) << DIGITS) - 1);
    const bool half = (bits_from(word, cut - 1) & 1) != 0, more = any_below(word, cut - 1);
    kept += half && (more || (kept & 1) != 0) ? 1 : 0;
    const uint64_t bits =
        kept - (UINT64_C(1) << (DIGITS - 1)) + ((uint64_t)(cut + 1) << (DIGITS - 1));
    const uint64_t infinite = UINT64_C(0x7ff) << (DIGITS - 1);
    return bits < infinite && cut < 0x7ff ? bits : infinite;
}

/* As scr_exact_total; the words are used up. */
ON_DEVICE double round_sum(int64_t *word) {
    const int64_t *other = word + WORDS;
    if (other[2] != 0 || (other[0] != 0 && other[1] != 0)) {
        return NAN;
    }
    if (other[0] != 0 || other[1] != 0) {
        return other[0] != 0 ? INFINITY : -INFINITY;
    }
    pass_carries(word);
    const bool negative = word[WORDS - 1] < 0;
    for (int k = 0; negative && k < WORDS; k++) {
        word[k] = -word[k];
    }
    if (negative) {
        pass_carries(word);
    }
    return number_of(round_off(word) | (uint64_t)negative << 63);
}

/* ---------------------------------------------------------------- copies */

ON_DEVICE double *velocities_of(const CopyArguments *given, int32_t body) {
    return given->body + BODY_NUMBERS * (size_t)body;
}

/* Copies get the velocities of their body. */
KERNEL(share_copies, CopyArguments) {
    TEAM_BEGIN
    const ScreeDeviceSplit split = given.split[team.index];
    EACH_LANE {
        for (int i = lane; i < VELOCITIES * split.copies; i += LANES) {
            const int32_t copy = given.copy[split.first + i / VELOCITIES];
            velocities_of(&given, copy)[i % VELOCITIES] =
                velocities_of(&given, split.body)[i % VELOCITIES];
        }
    }
}

/* The change of a copy. */
ON_DEVICE double change_of(const CopyArguments *given, const ScreeDeviceSplit *split, int copy,
                           int number) {
    return velocities_of(given, given->copy[split->first + copy])[number] -
           velocities_of(given, split->body)[number];
}

ON_DEVICE double sum_of_copies(const CopyArguments *given, const ScreeDeviceSplit *split,
                               int number, int64_t *word) {
    const double one = change_of(given, split, 0, number);
    return split->copies == 1   ? one
           : split->copies == 2 ? one + change_of(given, split, 1, number)
                                : round_sum(word);
}

/* A body gets the mean of its copies. */
KERNEL(gather_copies, CopyArguments) {
    TEAM_BEGIN
    const ScreeDeviceSplit split = given.split[team.index];
    int64_t *words = (int64_t *)team.shared;
    EACH_LANE {
        for (int i = lane; i < VELOCITIES * SCREE_DEVICE_SUM_WORDS; i += LANES) {
            words[i] = 0;
        }
    }
    BARRIER();
    EACH_LANE {
        for (int i = lane; i < VELOCITIES * split.copies; i += LANES) {
            const int number = i % VELOCITIES;
            add_exactly(words + SCREE_DEVICE_SUM_WORDS * number,
                        change_of(&given, &split, i / VELOCITIES, number));
        }
    }
    BARRIER();
    EACH_LANE {
        if (lane < VELOCITIES) {
            int64_t *word = words + SCREE_DEVICE_SUM_WORDS * lane;
            const double sum = sum_of_copies(&given, &split, lane, word);
            const double part = 1 / (double)split.copies;
            double *to = velocities_of(&given, split.body) + lane;
            *to = *to + part * sum;
        }
    }
}

#endif

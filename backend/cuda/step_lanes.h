/* What passes over bodies and contacts of a step need of the lanes: sums that are exact, counts, and the largest of
 * numbers, which do not depend on the order. */
#ifndef SCREE_CUDA_STEP_LANES_H
#define SCREE_CUDA_STEP_LANES_H

#include "core.h"

/* Sums are made in so many copies, so that teams rarely meet in one. */
enum { SUM_COPIES = 32, EXACT_SPECIAL = THERE_WORDS - 3 };

/* Numbers as whole numbers in the same order; 0 is less than any. */
ON_BOTH uint64_t rank_of_bits(uint64_t bits) {
    return bits >> 63 != 0 ? ~bits : bits | UINT64_C(1) << 63;
}

/* A term in three parts of 32 bits, of which the last has the sign: so 2^31 of them fit into a word. */
typedef struct ExactParts {
    int word; /* -1: there is nothing to add */
    int64_t part[3];
} ExactParts;

ON_DEVICE ExactParts exact_parts(double term) {
    enum { MANTISSA = 52, SPECIAL = 0x7ff };
    const uint64_t bits = bits_of(term);
    const uint64_t mantissa = bits & ((UINT64_C(1) << MANTISSA) - 1);
    const int exponent = (int)(bits >> MANTISSA & SPECIAL), negative = (int)(bits >> 63);
    ExactParts parts = {-1, {0, 0, 0}};
    if (exponent == SPECIAL) {
        parts.word = EXACT_SPECIAL + (mantissa != 0 ? 2 : negative);
        parts.part[0] = 1;
        return parts;
    }
    const int at = exponent > 0 ? exponent - 1 : 0, shift = at % 32;
    const int64_t whole = (int64_t)(exponent > 0 ? mantissa | UINT64_C(1) << MANTISSA : mantissa);
    const int64_t value = negative ? -whole : whole;
    if (value != 0) {
        const int64_t rest = value >> (32 - shift);
        parts.word = at / 32;
        parts.part[0] = (int64_t)((uint64_t)value << shift & UINT64_C(0xffffffff));
        parts.part[1] = rest & INT64_C(0xffffffff);
        parts.part[2] = rest >> 32;
    }
    return parts;
}

ON_DEVICE void add_parts(int64_t *word, const ExactParts *parts) {
    for (int k = 0; k < 3; k++) {
        if (parts->part[k] != 0) {
            add_whole(word + parts->word + k, parts->part[k]);
        }
    }
}

/* Of one lane alone. */
ON_DEVICE void add_exactly_alone(int64_t *sum, double term) {
    const ExactParts parts = exact_parts(term);
    if (parts.word >= 0) {
        add_parts(sum, &parts);
    }
}

#ifdef __CUDACC__

enum { ALL_LANES = -1 };

ON_DEVICE int64_t shift_lanes(int64_t x, int by) {
    return __shfl_xor_sync((unsigned)ALL_LANES, (long long)x, by);
}

/* Lanes of a warp whose terms go to the same word add them up first. */
ON_DEVICE void add_exactly_together(int64_t *sum, double term) {
    const int lane = (int)threadIdx.x % WARP;
    ExactParts parts = exact_parts(term);
    unsigned left = __ballot_sync((unsigned)ALL_LANES, parts.word >= 0);
    while (left != 0) {
        const int leader = __ffs((int)left) - 1;
        const int word = __shfl_sync((unsigned)ALL_LANES, parts.word, leader);
        const bool mine = parts.word == word;
        ExactParts all = {word, {0, 0, 0}};
        for (int k = 0; k < 3; k++) {
            all.part[k] = mine ? parts.part[k] : 0;
            for (int by = WARP / 2; by > 0; by /= 2) {
                all.part[k] += shift_lanes(all.part[k], by);
            }
        }
        if (lane == leader) {
            add_parts(sum, &all);
        }
        left &= ~__ballot_sync((unsigned)ALL_LANES, mine);
    }
}

ON_DEVICE void count_together(int64_t *count, int64_t x) {
    for (int by = WARP / 2; by > 0; by /= 2) {
        x += shift_lanes(x, by);
    }
    if (threadIdx.x % WARP == 0 && x != 0) {
        add_whole(count, x);
    }
}

ON_DEVICE void raise_most(uint64_t *most, double x) {
    if (x == x) {
        atomicMax((unsigned long long *)most, (unsigned long long)rank_of_bits(bits_of(x)));
    }
}

ON_DEVICE void raise_together(uint64_t *most, double x) {
    for (int by = WARP / 2; by > 0; by /= 2) {
        x = scr_max(x, __shfl_xor_sync((unsigned)ALL_LANES, x, by));
    }
    if (threadIdx.x % WARP == 0 && x != -INFINITY &&
        rank_of_bits(bits_of(x)) > *(volatile uint64_t *)most) { /* few are, and those wait */
        raise_most(most, x);
    }
}

/* Lanes of a warp that take from the same place do so together. */
ON_DEVICE uint32_t take_next(uint32_t *next) {
    const unsigned active = __activemask();
    const unsigned same = __match_any_sync(active, (unsigned long long)next);
    const int leader = __ffs((int)same) - 1, lane = (int)threadIdx.x % WARP;
    uint32_t first = 0;
    if (lane == leader) {
        first = atomicAdd(next, (unsigned)__popc(same));
    }
    return __shfl_sync(same, first, leader) + (uint32_t)__popc(same & ((1u << lane) - 1));
}

ON_DEVICE void add_number(int32_t *to, int32_t number) {
    atomicAdd(to, number);
}

ON_DEVICE int32_t add_and_tell(int32_t *to, int32_t number) {
    return atomicAdd(to, number);
}

ON_DEVICE void set_bits(uint64_t *to, uint64_t bits) {
    atomicOr((unsigned long long *)to, (unsigned long long)bits);
}

ON_DEVICE void raise_number(uint64_t *most, uint64_t x) {
    atomicMax((unsigned long long *)most, (unsigned long long)x);
}

/* A root is linked to a lower one; what it was. */
ON_DEVICE int32_t exchange_if(int32_t *at, int32_t expected, int32_t to) {
    return atomicCAS(at, expected, to);
}

ON_DEVICE int32_t read_now(const int32_t *at) {
    return *(const volatile int32_t *)at;
}

/* Of all lanes: `name` is a value of each (LANE_VALUE). */
#define SUM_EXACTLY(sum, name) add_exactly_together(sum, name)
#define COUNT_ALL(count, name) count_together(count, name)
#define RAISE_ALL(most, name)  raise_together(most, name)

#else

ON_DEVICE void raise_most(uint64_t *most, double x) {
    const uint64_t rank = rank_of_bits(bits_of(x));
    if (x == x && rank > *most) {
        *most = rank;
    }
}
ON_DEVICE void raise_alone(uint64_t *most, double x) {
    if (x != -(double)INFINITY) {
        raise_most(most, x);
    }
}
ON_DEVICE uint32_t take_next(uint32_t *next) {
    return (*next)++;
}
ON_DEVICE void add_number(int32_t *to, int32_t number) {
    *to += number;
}
ON_DEVICE int32_t add_and_tell(int32_t *to, int32_t number) {
    const int32_t was = *to;
    *to += number;
    return was;
}
ON_DEVICE void set_bits(uint64_t *to, uint64_t bits) {
    *to |= bits;
}
ON_DEVICE void raise_number(uint64_t *most, uint64_t x) {
    *most = x > *most ? x : *most;
}
ON_DEVICE int32_t exchange_if(int32_t *at, int32_t expected, int32_t to) {
    const int32_t was = *at;
    *at = was == expected ? to : was;
    return was;
}
ON_DEVICE int32_t read_now(const int32_t *at) {
    return *at;
}

#define SUM_EXACTLY(sum, name)                                                                     \
    do {                                                                                           \
        EACH_LANE {                                                                                \
            add_exactly_alone(sum, OF(name));                                                      \
        }                                                                                          \
    } while (0)
#define COUNT_ALL(count, name)                                                                     \
    do {                                                                                           \
        EACH_LANE {                                                                                \
            *(count) += OF(name);                                                                  \
        }                                                                                          \
    } while (0)
#define RAISE_ALL(most, name)                                                                      \
    do {                                                                                           \
        EACH_LANE {                                                                                \
            raise_alone(most, OF(name));                                                           \
        }                                                                                          \
    } while (0)

#endif

/* What a phase leaves on the card. */
typedef struct Leavings {
    int64_t count[THERE_COUNTS];
    uint64_t most[THERE_MOST];
    int64_t sum[THERE_SUMS][SUM_COPIES][THERE_WORDS];
    int64_t load[THERE_WALLS][THERE_WRENCH][THERE_WORDS];
} Leavings;

typedef struct StepArguments {
    StepThere *step; /* on the card */
    Leavings *left;
    int group, first_box; /* of passes over the boxes of a group */
    int room;             /* rows and members that a box may have */
} StepArguments;

/* The number of the item that a lane has in a pass of one item for each lane. */
#define ITEM ((size_t)team.index * LANES + (size_t)lane)

ON_DEVICE int64_t *sum_of(const StepArguments *given, int team, int which) {
    return given->left->sum[which][team % SUM_COPIES];
}

#endif

/* What the rows of a box have changed, in the lanes and the order of the processor (src/sweep/packets.c):
 * rows leave it at their places in the packets, and the lanes of a packet add it up. */
#ifndef SCREE_CUDA_BOX_SUMS_H
#define SCREE_CUDA_BOX_SUMS_H

#include "box_room.h"

/* After all steps: the impulse of a row whose packet is left alone. */
ON_DEVICE void leave_alone(const SweepArguments *given, const BoxAtWork *at, int row, int place,
                           SweepKind kind) {
    double x[IMPULSES];
    for (int k = 0; k < IMPULSES; k++) {
        x[k] = (at->flag[place] >> (SIGNS + k) & 1) != 0 ? -0.0 : 0.0;
    }
    write_impulse(kind.momentum ? given->before : given->impulse, row, kind.space, x);
}

/* Rows of each lane that are asked for before the first of them is waited for. */
enum { TOGETHER = 4 };

/* What these rows add to a sum: |dR|^2 of each, or |R - R before|^2. */
typedef struct LaneSquares {
    double of[TOGETHER][IMPULSES];
} LaneSquares;

ON_DEVICE void ask_for_changes(const SweepArguments *given, const BoxAtWork *at, int first,
                               LaneSquares *square) {
    for (int j = 0; j < TOGETHER; j++) {
        const int number = first + j * LANES;
        if (number < at->rows) {
            const size_t row = (size_t)(at->row + number);
            const Two two = read_two(given->change + 2 * row);
            square->of[j][0] = two.x, square->of[j][1] = two.y;
            square->of[j][2] = read_one(given->change + 2 * given->rows + row);
        }
    }
}

/* The changes of the rows to their places, and impulses of packets that are left alone. */
ON_DEVICE void place_changes(const SweepArguments *given, const BoxAtWork *at, int first,
                             SweepKind kind, const LaneSquares *square) {
    for (int j = 0; j < TOGETHER; j++) {
        const int number = first + j * LANES;
        if (number < at->rows) {
            const int place = at->place[number];
            for (int k = 0; k < CHANGES; k++) {
                at->square[k * at->places + place] = square->of[j][k];
            }
            if (kind.space && all_have(at, place / ROWS, IS_THERE | IS_OPEN)) {
                leave_alone(given, at, at->row + number, place, kind);
            }
        }
    }
}

/* How far rows have moved from the sweep before. */
ON_DEVICE void ask_for_moves(const SweepArguments *given, const BoxAtWork *at, int first,
                             SweepKind kind, LaneSquares *square) {
    for (int j = 0; j < TOGETHER; j++) {
        const int number = first + j * LANES;
        if (number < at->rows) {
            double x[IMPULSES], was[IMPULSES];
            read_impulse(given->before, at->row + number, kind.space, x);
            read_impulse(given->impulse, at->row + number, kind.space, was);
            for (int k = 0; k < IMPULSES; k++) {
                square->of[j][k] = (x[k] - was[k]) * (x[k] - was[k]);
            }
        }
    }
}

ON_DEVICE void place_moves(const BoxAtWork *at, int first, const LaneSquares *square) {
    for (int j = 0; j < TOGETHER; j++) {
        const int number = first + j * LANES;
        if (number < at->rows) {
            for (int k = 0; k < IMPULSES; k++) {
                at->square[k * at->places + at->place[number]] = square->of[j][k];
            }
        }
    }
}

/* Places without a row add nothing. */
ON_DEVICE void clear_places(const BoxAtWork *at, int lane) {
    for (int place = lane; place < at->places; place += LANES) {
        for (int k = 0; k < IMPULSES && at->flag[place] == 0; k++) {
            at->square[k * at->places + place] = 0;
        }
    }
}

/* The sum of |dR|^2 in one lane of the packets. In the plane the third number is zero. Additions wait for each other;
 * numbers are on their way meanwhile. */
ON_DEVICE double sum_changes(const BoxAtWork *at, int lane) {
    enum { AHEAD = 8 * ROWS };
    const double *x = at->square + lane, *y = x + at->places, *z = y + at->places;
    const double *end = at->square + at->places;
    double sum = 0;
    for (; x + AHEAD <= end + lane; x += AHEAD, y += AHEAD, z += AHEAD) {
        for (int k = 0; k < AHEAD; k += ROWS) {
            sum = ((sum + x[k]) + y[k]) + z[k];
        }
    }
    for (; x < end; x += ROWS, y += ROWS, z += ROWS) {
        sum = ((sum + *x) + *y) + *z;
    }
    return sum;
}

/* The same of |R - R before|^2, by the rule of src/sweep/packets.c: of a full packet each lane has those
 * of its row, of another lane k those of the k-th number of all rows. */
ON_DEVICE double sum_moves(const BoxAtWork *at, int lane) {
    double sum = 0;
    for (int packet = 0; packet < at->places / ROWS; packet++) {
        const double *square = at->square + ROWS * packet;
        if (all_have(at, packet, IS_THERE)) {
            for (int k = 0; k < IMPULSES; k++) {
                sum += square[k * at->places + lane];
            }
        } else if (lane < IMPULSES) {
            for (int k = 0; k < ROWS; k++) {
                sum += square[lane * at->places + k];
            }
        }
    }
    return sum;
}

ON_DEVICE double total(const double *lane) {
    double sum = 0;
    for (int k = 0; k < ROWS; k++) {
        sum += lane[k];
    }
    return sum;
}

/* Adds what a box has to an exact sum (src/math/exact_sum.h), in which the order does not matter: whole
 * numbers of 2^(32 k - 1074) in words of 64 bits. Behind them is counted what is no number. */
ON_DEVICE void add_exactly(int64_t *word, double term) {
    enum { WORDS = SCREE_DEVICE_SUM_WORDS - 3, MANTISSA = 52 };
    const uint64_t bits = bits_of(term);
    const uint64_t mantissa = bits & ((UINT64_C(1) << MANTISSA) - 1);
    const int exponent = (int)(bits >> MANTISSA & 0x7ff), negative = (int)(bits >> 63);
    if (exponent == 0x7ff) {
        add_whole(word + WORDS + (mantissa != 0 ? 2 : negative), 1);
        return;
    }
    const int at = exponent > 0 ? exponent - 1 : 0, shift = at % 32;
    const int64_t whole = (int64_t)(exponent > 0 ? mantissa | UINT64_C(1) << MANTISSA : mantissa);
    const int64_t value = negative ? -whole : whole;
    if (value != 0) {
        add_whole(word + at / 32, (int64_t)((uint64_t)value << shift & UINT64_C(0xffffffff)));
        add_whole(word + at / 32 + 1, value >> (32 - shift));
    }
}

/* What the rows of a box add to one sum, from the squares at their places. */
ON_DEVICE void leave_sum(const Team team, const BoxAtWork *at, bool moves, int64_t *word) {
    (void)team;
    BARRIER();
    EACH_LANE {
        if (lane < ROWS) {
            at->lane[lane] = moves ? sum_moves(at, lane) : sum_changes(at, lane);
        }
    }
    BARRIER();
    EACH_LANE {
        if (lane == 0) {
            add_exactly(word, total(at->lane));
        }
    }
}

#endif

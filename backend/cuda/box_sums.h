/* What the rows of a box have changed, in the lanes and the order of the processor (src/sweep/packets.c):
 * rows leave it at their places in the packets, and the lanes of a packet add it up. */
#ifndef SCREE_CUDA_BOX_SUMS_H
#define SCREE_CUDA_BOX_SUMS_H

#include "box_room.h"

/* After all steps: the impulse of a row whose packet is left alone. */
ON_DEVICE void leave_alone(const SweepArguments *given, const BoxAtWork *at, size_t row, int place,
                           SweepKind kind) {
    double x[IMPULSES];
    for (int k = 0; k < IMPULSES; k++) {
        x[k] = (at->flag[place] >> (SIGNS + k) & 1) != 0 ? -0.0 : 0.0;
    }
    write_impulse(kind.momentum ? given->before : given->impulse, given->rows, row, kind.space, x);
}

/* Rows of each lane that are asked for before the first of them is waited for. */
enum { TOGETHER = 4 };

/* The changes of the rows to their places, and impulses of packets that are left alone. */
ON_DEVICE void look_back(const SweepArguments *given, const BoxAtWork *at, int lane,
                         SweepKind kind) {
    for (int i = lane; i < at->rows; i += TOGETHER * LANES) {
        double square[TOGETHER][CHANGES] = {{0}};
        for (int j = 0; j < TOGETHER; j++) {
            for (int k = 0; k < CHANGES && i + j * LANES < at->rows; k++) {
                square[j][k] =
                    given->change[(size_t)k * given->rows + at->row + (size_t)(i + j * LANES)];
            }
        }
        for (int j = 0; j < TOGETHER && i + j * LANES < at->rows; j++) {
            const int row = i + j * LANES, place = at->place[row];
            for (int k = 0; k < CHANGES; k++) {
                at->square[IMPULSES * place + k] = square[j][k];
            }
            if (kind.space && all_have(at, place / ROWS, IS_THERE | IS_OPEN)) {
                leave_alone(given, at, at->row + (size_t)row, place, kind);
            }
        }
    }
}

/* How far the rows have moved from the sweep before to their places. */
ON_DEVICE void look_further_back(const SweepArguments *given, const BoxAtWork *at, int lane,
                                 SweepKind kind) {
    for (int i = lane; i < at->rows; i += TOGETHER * LANES) {
        double x[TOGETHER][IMPULSES] = {{0}}, was[TOGETHER][IMPULSES] = {{0}};
        for (int j = 0; j < TOGETHER && i + j * LANES < at->rows; j++) {
            const size_t row = at->row + (size_t)(i + j * LANES);
            read_impulse(given->before, given->rows, row, kind.space, x[j]);
            read_impulse(given->impulse, given->rows, row, kind.space, was[j]);
        }
        for (int j = 0; j < TOGETHER && i + j * LANES < at->rows; j++) {
            double *square = at->square + IMPULSES * at->place[i + j * LANES];
            for (int k = 0; k < IMPULSES; k++) {
                square[k] = (x[j][k] - was[j][k]) * (x[j][k] - was[j][k]);
            }
        }
    }
}

/* Places without a row add nothing. */
ON_DEVICE void clear_places(const BoxAtWork *at, int lane) {
    for (int place = lane; place < at->places; place += LANES) {
        for (int k = 0; k < IMPULSES && at->flag[place] == 0; k++) {
            at->square[IMPULSES * place + k] = 0;
        }
    }
}

/* The sum of |dR|^2 in one lane of the packets. In the plane the third number is zero. */
ON_DEVICE double sum_changes(const BoxAtWork *at, int lane) {
    const double *square = at->square + IMPULSES * lane;
    double sum = 0;
    for (int k = 0; k < at->places / ROWS; k++, square += IMPULSES * ROWS) {
        sum = ((sum + square[0]) + square[1]) + square[2];
    }
    return sum;
}

/* The same of |R - R before|^2, by the rule of src/sweep/packets.c: of a full packet each lane has those
 * of its row, of another lane k those of the k-th number of all rows. */
ON_DEVICE double sum_moves(const BoxAtWork *at, int lane) {
    double sum = 0;
    for (int packet = 0; packet < at->places / ROWS; packet++) {
        const double *square = at->square + IMPULSES * ROWS * packet;
        if (all_have(at, packet, IS_THERE)) {
            square += IMPULSES * lane;
            sum = (((sum + square[0]) + square[1]) + square[2]) + square[3];
        } else if (lane < IMPULSES) {
            for (int k = 0; k < ROWS; k++) {
                sum += square[IMPULSES * k + lane];
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

/* What the rows of a box have changed, in the lanes and the order of the processor (src/sweep/packets.c):
 * rows leave it at their places in the packets, and the lanes of a packet add it up. */
#ifndef SCREE_CUDA_BOX_SUMS_H
#define SCREE_CUDA_BOX_SUMS_H

#include "box_room.h"

#include "law/real.h"

/* After all steps: the impulse of a row whose packet is left alone. */
ON_DEVICE void leave_alone(const SweepArguments *given, const BoxAtWork *at, int row, int place,
                           SweepKind kind) {
    double x[IMPULSES];
    for (int k = 0; k < IMPULSES; k++) {
        x[k] = (at->flag[place] >> (SIGNS + k) & 1) != 0 ? -0.0 : 0.0;
    }
    write_impulse(kind.momentum ? given->before : given->impulse, row, kind.space, x);
    if (kind.rolls) {
        for (int k = 0; k < TORQUES; k++) {
            x[k] = (at->turn_sign[place] >> k & 1) != 0 ? -0.0 : 0.0;
        }
        write_impulse(kind.momentum ? given->torque_before : given->torque, row, true, x);
    }
}

/* All of its packet are open and stay so. */
ON_DEVICE void settle_row(const SweepArguments *given, const BoxAtWork *at, int row, int place,
                          SweepKind kind) {
    if (kind.space && all_have(at, place / ROWS, IS_THERE | IS_OPEN)) {
        leave_alone(given, at, row, place, kind);
    }
}

enum { PER_SQUARE = 7 /* its place among the numbers of torques, the second of two */ };

/* Rows of each lane that are asked for before the first of them is waited for. */
enum { TOGETHER = 4 };

/* What these rows add to a sum: |dR|^2 of each, or |R - R before|^2. */
typedef struct LaneSquares {
    double of[TOGETHER][IMPULSES];
    double turned[TOGETHER][TORQUES]; /* where there are torques */
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
            const bool alone = kind.laws && (at->flag[place] & IS_ALONE) != 0;
            for (int k = 0; k < CHANGES; k++) {
                at->square[k * at->places + place] = alone ? 0 : square->of[j][k];
            }
            if (kind.laws) {
                at->square[CHANGES * at->places + place] = alone ? square->of[j][0] : 0;
            }
            settle_row(given, at, at->row + number, place, kind);
        }
    }
}

/* The same of the torque of a row, divided by the square of the reduced radius. */
ON_DEVICE void ask_for_turns(const SweepArguments *given, int row, double *turned) {
    const double per_square = read_two(given->rolls + two_at(row, PER_SQUARE / 2, ROLL_NUMBERS)).y;
    double x[TORQUES], was[TORQUES];
    read_impulse(given->torque_before, row, true, x);
    read_impulse(given->torque, row, true, was);
    for (int k = 0; k < TORQUES; k++) {
        turned[k] = (x[k] - was[k]) * (x[k] - was[k]) * per_square;
    }
}

/* As momentum_torque_square. */
ON_DEVICE double turn_alone(const SweepArguments *given, int row) {
    const double per_square = read_two(given->rolls + two_at(row, PER_SQUARE / 2, ROLL_NUMBERS)).y;
    double x[TORQUES], was[TORQUES];
    read_impulse(given->torque_before, row, true, x);
    read_impulse(given->torque, row, true, was);
    const RealVec3 d = {x[0] - was[0], x[1] - was[1], x[2] - was[2]};
    const double twist = x[3] - was[3];
    return (real_dot(d, d) + twist * twist) * per_square;
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
            if (kind.rolls) {
                ask_for_turns(given, at->row + number, square->turned[j]);
            }
        }
    }
}

ON_DEVICE void place_moves(const SweepArguments *given, const BoxAtWork *at, int first,
                           SweepKind kind, const LaneSquares *square) {
    for (int j = 0; j < TOGETHER; j++) {
        const int number = first + j * LANES;
        if (number < at->rows) {
            const int place = at->place[number];
            for (int k = 0; k < IMPULSES; k++) {
                at->square[k * at->places + place] = square->of[j][k];
            }
            for (int k = 0; kind.rolls && k < TORQUES; k++) {
                at->square[(IMPULSES + k) * at->places + place] = square->turned[j][k];
            }
            if (kind.rolls && (at->flag[place] & IS_ALONE) != 0) {
                at->square[IMPULSES * at->places + place] = turn_alone(given, at->row + number);
            }
        }
    }
}

/* Places without a row add nothing. */
ON_DEVICE void clear_places(const BoxAtWork *at, int lane, SweepKind kind) {
    const int numbers = IMPULSES + (kind.rolls ? (int)TORQUES : 0);
    for (int place = lane; place < at->places; place += LANES) {
        for (int k = 0; k < numbers && at->flag[place] == 0; k++) {
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

/* Of rows that are updated one by one. */
ON_DEVICE double sum_alone(const BoxAtWork *at) {
    double sum = 0;
    for (int place = 0; place < at->places; place++) {
        sum += at->square[CHANGES * at->places + place];
    }
    return sum;
}

/* What the torques of a packet add in a lane: those of its row, but of single rows all that they have in the first. */
ON_DEVICE double add_turns(const BoxAtWork *at, int packet, int lane, double sum) {
    const double *turned = at->square + IMPULSES * at->places + ROWS * packet;
    if ((at->flag[ROWS * packet] & IS_ALONE) == 0) {
        for (int k = 0; k < TORQUES; k++) {
            sum += turned[k * at->places + lane];
        }
        return sum;
    }
    for (int k = 0; k < ROWS && lane == 0; k++) {
        sum += turned[k];
    }
    return sum;
}

/* The same of |R - R before|^2, by the rule of src/sweep/packets.c: of a full packet that is updated together each lane
 * has those of its row, of another lane k those of the k-th number of all rows. */
ON_DEVICE double sum_moves(const BoxAtWork *at, int lane, SweepKind kind) {
    double sum = 0;
    for (int packet = 0; packet < at->places / ROWS; packet++) {
        const double *square = at->square + ROWS * packet;
        const bool alone = kind.laws && (at->flag[ROWS * packet] & IS_ALONE) != 0;
        if (all_have(at, packet, IS_THERE) && !alone) {
            for (int k = 0; k < IMPULSES; k++) {
                sum += square[k * at->places + lane];
            }
        } else if (lane < IMPULSES) {
            for (int k = 0; k < ROWS; k++) {
                sum += square[lane * at->places + k];
            }
        }
        if (kind.rolls) {
            sum = add_turns(at, packet, lane, sum);
        }
    }
    return sum;
}

/* `sum`: of single rows. */
ON_DEVICE double total(const double *lane, double sum) {
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
ON_DEVICE void leave_sum(const Team team, const BoxAtWork *at, SweepKind kind, bool moves,
                         int64_t *word) {
    const bool alone = kind.laws && !moves;
    (void)team;
    BARRIER();
    EACH_LANE {
        if (lane < ROWS) {
            at->lane[lane] = moves ? sum_moves(at, lane, kind) : sum_changes(at, lane);
        }
        if (alone && lane == WARP) {
            at->lane[ROWS] = sum_alone(at);
        }
    }
    BARRIER();
    EACH_LANE {
        if (lane == 0) {
            add_exactly(word, total(at->lane, alone ? at->lane[ROWS] : 0));
        }
    }
}

#endif

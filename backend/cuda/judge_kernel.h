/* The sums of a box for the residual, with the bits of src/problem/residual.c: each lane judges a row, and
 * some lanes add up what rows have, each one of the sums, in the order of the rows. The columns have the
 * rows in the order of the steps; so first each row leaves its number at its place in the packets. */
#ifndef SCREE_CUDA_JUDGE_KERNEL_H
#define SCREE_CUDA_JUDGE_KERNEL_H

#include "sweep_kernel.h"

#include "law/judge_rule.h"

enum { JUDGED = SCREE_DEVICE_JUDGED, LARGEST = 3 /* of them are no sums */, NO_ROW = 0xffff };

typedef struct JudgeArguments {
    const ScreeDeviceBox *box;
    const int32_t *member;
    const double *body, *constant, *impulse, *approach;
    const double *law, *rolls, *torque;
    size_t rows;
    double *judged;
    bool space;
} JudgeArguments;

/* Numbers of room: what the rows of a pass have, and the numbers of all. */
ON_BOTH int judge_room_of(int places) {
    return LANES * JUDGED + (places + 3) / 4;
}

ON_DEVICE LaneBody read_body(const JudgeArguments *given, const ScreeDeviceBox *box, int member) {
    const int body = given->member[2 * (size_t)box->row + (size_t)member];
    const double *from = given->body + BODY_NUMBERS * (size_t)(body < 0 ? -1 - body : body);
    const Two first = load_two(from), second = load_two(from + 2), third = load_two(from + 4);
    const Two last = load_two(from + 6);
    LaneBody b;
    b.v = vector(first.x, first.y, second.x);
    b.s = vector(second.y, third.x, third.y);
    b.per_mass = last.x;
    b.per_inertia = last.y;
    return b;
}

/* As scr_row_rho. */
ON_DEVICE double rho_of(double mass_n, double mass_t, bool space) {
    const double sum = mass_t + (space ? 2 : 1) * mass_n;
    return sum > 0 ? (space ? 3 : 2) * mass_n * mass_t / sum : 0;
}

/* Numbers of a row in columns. */
ON_DEVICE void load_numbers(const double *column, int row, int numbers, double *to) {
    for (int two = 0; two < numbers / 2; two++) {
        const Two both = load_two(column + two_at(row, two, numbers));
        to[2 * two] = both.x, to[2 * two + 1] = both.y;
    }
}

/* The torques of a row. */
ON_DEVICE void load_rolls(const JudgeArguments *given, int row, const LaneBody *a,
                          const LaneBody *b, double pressure, LawRule *rule) {
    double x[ROLL_NUMBERS], torque[TORQUES];
    load_numbers(given->rolls, row, ROLL_NUMBERS, x);
    load_numbers(given->torque, row, TORQUES, torque);
    rule->torsion = x[1];
    rule->per_square = x[7];
    const RealVec3 spin = real_madd3(vector(x[8], x[9], x[10]), x[3], b->s);
    rule->spin = real_msub3(spin, x[2], a->s);
    rule->most_roll = law_most_rolling(given->space, x[0], x[11], pressure);
    rule->roll = vector(torque[0], torque[1], torque[2]);
    rule->twist = torque[3];
}

/* As rule_of of the residual; false if the row has Coulomb's law. */
ON_DEVICE bool load_rule(const JudgeArguments *given, int row, const LaneBody *a, const LaneBody *b,
                         double rn, LawRule *rule) {
    double x[LAW_NUMBERS];
    load_numbers(given->law, row, LAW_NUMBERS, x);
    const unsigned has = (unsigned)x[LAW_NUMBERS - 1];
    rule->adhesion = x[0], rule->least = x[1], rule->most_at_rest = x[2];
    rule->soft_n = x[3], rule->soft_t = x[5];
    rule->bias_t = vector(x[7], x[8], x[9]);
    rule->reach = x[10];
    rule->torques = (has & SCREE_DEVICE_HAS_TORQUES) != 0;
    rule->bonded = (has & SCREE_DEVICE_IS_BONDED) != 0;
    rule->bridged = (has & SCREE_DEVICE_IS_BRIDGED) != 0;
    rule->per_square = 0;
    if (rule->torques) {
        load_rolls(given, row, a, b, law_pressure(rn, rule->adhesion), rule);
    }
    return (has & SCREE_DEVICE_HAS_LAW) != 0;
}

/* As judge_row of the residual. */
ON_DEVICE LawSums judge_row(const JudgeArguments *given, const ScreeDeviceBox *box, bool laws,
                            int row) {
    double c[CONSTANTS], x[IMPULSES];
    LawSeen seen;
    LawJudged *j = &seen.judged;
    LawRule rule;
    load_numbers(given->constant, row, CONSTANTS, c);
    read_impulse(given->impulse, row, true, x);
    const uint64_t whole = bits_of(c[CONSTANTS - 1]);
    const LaneBody a = read_body(given, box, (int)(whole & 0xffff));
    const LaneBody b = read_body(given, box, (int)(whole >> 16 & 0xffff));
    const double va = real_dot(a.v, a.v), vb = real_dot(b.v, b.v);
    seen.n = vector(c[0], c[1], c[2]);
    seen.rn = x[0], seen.rt = vector(x[1], x[2], x[3]);
    seen.mu = c[6];
    seen.un = contact_velocity(&a, &b, seen.n, given->space, &seen.ut);
    j->un = seen.un + c[3];
    j->rho = rho_of(c[4], c[5], given->space);
    j->mass_n = c[4];
    j->impulse = seen.rn * seen.rn + real_dot(seen.rt, seen.rt);
    j->ut_square = real_dot(seen.ut, seen.ut);
    j->closing = -j->un;
    j->approach = given->approach[row];
    j->mobility = law_heavier(a.per_mass, b.per_mass);
    j->body_v = va + vb;
    j->body_all = va + real_dot(a.s, a.s) + vb + real_dot(b.s, b.s);
    if (laws && load_rule(given, row, &a, &b, seen.rn, &rule)) {
        return law_judge_rule(&seen, &rule, given->space);
    }
    return law_judge_plain(&seen);
}

/* What a row without a number has adds nothing. */
ON_DEVICE void leave_row(const JudgeArguments *given, const ScreeDeviceBox *box, bool laws,
                         int number, double *to) {
    LawSums sums = {0};
    if (number != NO_ROW) {
        sums = judge_row(given, box, laws, box->row + number);
    }
    const double x[JUDGED] = {
        sums.error,    sums.error_velocity, sums.error_fclib, sums.impulse,
        sums.velocity, sums.unit_velocity,  sums.rounding,    sums.rounding_velocity,
        sums.noise,    sums.approach,       sums.worst,       sums.asked};
    for (int k = 0; k < JUDGED; k++) {
        to[k] = x[k];
    }
}

ON_DEVICE double add_up(const double *left, int rows, int lane, double sum) {
    for (int k = 0; k < rows; k++) {
        const double x = left[JUDGED * k + lane];
        sum = lane < JUDGED - LARGEST ? sum + x : law_max(sum, x);
    }
    return sum;
}

ON_DEVICE void number_rows(const JudgeArguments *given, const ScreeDeviceBox *box, int lane,
                           uint16_t *number) {
    for (int i = lane; i < box[1].row - box->row; i += LANES) {
        const uint64_t whole =
            bits_of(given->constant[two_at(box->row + i, CONSTANTS / 2 - 1, CONSTANTS) + 1]);
        number[whole >> 32 & 0xffff] = (uint16_t)i;
    }
}

ON_DEVICE void judge_box(const JudgeArguments *given, const Team team, bool laws) {
    (void)team;
    const ScreeDeviceBox *box = given->box + team.index;
    double *left = team.shared;
    uint16_t *number = (uint16_t *)(left + LANES * JUDGED);
    const int places = box->places;
    LANE_VALUE(double, sum);
    EACH_LANE {
        OF(sum) = 0;
        for (int i = lane; i < places; i += LANES) {
            number[i] = NO_ROW;
        }
    }
    BARRIER();
    EACH_LANE {
        number_rows(given, box, lane, number);
    }
    BARRIER();
    for (int begin = 0; begin < places; begin += LANES) {
        const int rows = places - begin < LANES ? places - begin : LANES;
        EACH_LANE {
            if (lane < rows) {
                leave_row(given, box, laws, number[begin + lane], left + JUDGED * lane);
            }
        }
        BARRIER();
        EACH_LANE {
            OF(sum) = lane < JUDGED ? add_up(left, rows, lane, OF(sum)) : 0;
        }
        BARRIER();
    }
    EACH_LANE {
        if (lane < JUDGED) {
            given->judged[(size_t)JUDGED * (size_t)team.index + (size_t)lane] = OF(sum);
        }
    }
}

KERNEL(judge_boxes, JudgeArguments) {
    TEAM_BEGIN
    judge_box(&given, team, false);
}

KERNEL_OF(judge_boxes_with_laws, JudgeArguments, LAW_BLOCKS) {
    TEAM_BEGIN
    judge_box(&given, team, true);
}

#endif

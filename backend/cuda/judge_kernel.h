/* The sums of a box for the residual, with the bits of src/problem/residual.c: each lane judges a row, and
 * some lanes add up what rows have, each one of the sums, in the order of the rows. The columns have the
 * rows in the order of the steps; so first each row leaves its number at its place in the packets. */
#ifndef SCREE_CUDA_JUDGE_KERNEL_H
#define SCREE_CUDA_JUDGE_KERNEL_H

#include "sweep_kernel.h"

#include "law/judge.h"
#include "law/natural_map.h"

enum { JUDGED = SCREE_DEVICE_JUDGED, LARGEST = 3 /* of them are no sums */, NO_ROW = 0xffff };

typedef struct JudgeArguments {
    const ScreeDeviceBox *box;
    const int32_t *member;
    const double *body, *constant, *impulse, *approach;
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

/* As scr_round_velocity: the velocity of b seen from a at the contact; returns its normal part. */
ON_DEVICE double contact_velocity(const LaneBody *a, const LaneBody *b, RealVec3 n, bool space,
                                  RealVec3 *ut) {
    const RealVec3 s = vector(a->s.x + b->s.x, a->s.y + b->s.y, a->s.z + b->s.z);
    const RealVec3 u = vector((b->v.x - a->v.x) - (s.y * n.z - s.z * n.y),
                              (b->v.y - a->v.y) - (s.z * n.x - s.x * n.z),
                              (b->v.z - a->v.z) - (s.x * n.y - s.y * n.x));
    const double un = real_dot(u, n);
    *ut = space ? real_msub3(u, un, n) : vector(u.y * n.x - u.x * n.y, 0, 0);
    return un;
}

/* As scr_row_rho. */
ON_DEVICE double rho_of(double mass_n, double mass_t, bool space) {
    const double sum = mass_t + (space ? 2 : 1) * mass_n;
    return sum > 0 ? (space ? 3 : 2) * mass_n * mass_t / sum : 0;
}

/* As judge_row of the residual. */
ON_DEVICE LawSums judge_row(const JudgeArguments *given, const ScreeDeviceBox *box, int row) {
    double c[CONSTANTS], x[IMPULSES];
    for (int two = 0; two < CONSTANTS / 2; two++) {
        const Two both = load_two(given->constant + two_at(row, two, CONSTANTS));
        c[2 * two] = both.x, c[2 * two + 1] = both.y;
    }
    read_impulse(given->impulse, row, true, x);
    const uint64_t whole = bits_of(c[CONSTANTS - 1]);
    const LaneBody a = read_body(given, box, (int)(whole & 0xffff));
    const LaneBody b = read_body(given, box, (int)(whole >> 16 & 0xffff));
    const double rn = x[0], mu = c[6], va = real_dot(a.v, a.v), vb = real_dot(b.v, b.v);
    const RealVec3 rt = vector(x[1], x[2], x[3]);
    RealVec3 ut;
    LawJudged j;
    j.un = contact_velocity(&a, &b, vector(c[0], c[1], c[2]), given->space, &ut) + c[3];
    j.rho = rho_of(c[4], c[5], given->space);
    j.mass_n = c[4];
    j.impulse = rn * rn + real_dot(rt, rt);
    j.ut_square = real_dot(ut, ut);
    j.closing = -j.un;
    j.approach = given->approach[row];
    j.mobility = law_heavier(a.per_mass, b.per_mass);
    j.body_v = va + vb;
    j.body_all = va + real_dot(a.s, a.s) + vb + real_dot(b.s, b.s);
    const double raised = j.un + mu * sqrt(j.ut_square);
    return law_judge(&j, law_natural_square(mu, j.rho, rn, rt, raised, ut, j.ut_square),
                     law_natural_square(mu, 1, rn, rt, raised, ut, j.ut_square));
}

/* What a row without a number has adds nothing. */
ON_DEVICE void leave_row(const JudgeArguments *given, const ScreeDeviceBox *box, int number,
                         double *to) {
    LawSums sums = {0};
    if (number != NO_ROW) {
        sums = judge_row(given, box, box->row + number);
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

KERNEL(judge_boxes, JudgeArguments) {
    TEAM_BEGIN
    const ScreeDeviceBox *box = given.box + team.index;
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
        number_rows(&given, box, lane, number);
    }
    BARRIER();
    for (int begin = 0; begin < places; begin += LANES) {
        const int rows = places - begin < LANES ? places - begin : LANES;
        EACH_LANE {
            if (lane < rows) {
                leave_row(&given, box, number[begin + lane], left + JUDGED * lane);
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
            given.judged[(size_t)JUDGED * (size_t)team.index + (size_t)lane] = OF(sum);
        }
    }
}

#endif

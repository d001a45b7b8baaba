/* The sweep of one box by one team, in the processor's own order and with its bits (src/sweep/packets.c):
 * step by step (src/sweep/device_plan.h), a lane for each row of a step.
 *
 * Steps wait for each other, and what one takes is latency: so the bodies of a box are in shared memory, several boxes
 * are under way on a multiprocessor, and the warps of a team take turns. While one of them updates the rows of a step,
 * another one puts back those of the step before, and asks for the rows of its next turn. The bits follow from
 * a few rules. Nothing is fused, roots and quotients are rounded correctly. Sums are taken at the end,
 * packet by packet in the lanes of the processor, from what each row has left. And the impulses of a
 * packet of contacts that are open and stay so are left alone if all of its rows agree, which is known at
 * the end, too: until then its rows are updated like all others, from zero to zero, which changes nothing
 * but the signs of these zeros. */
#ifndef SCREE_CUDA_SWEEP_KERNEL_H
#define SCREE_CUDA_SWEEP_KERNEL_H

#include "law_rows.h"

/* ---------------------------------------------------------------- one box */

/* Members of each lane that are asked for before the first of them is waited for. */
enum { MEMBERS_TOGETHER = 4 };

/* The box, its members and the ends of its steps; nothing has been noted of its rows. */
ON_DEVICE void list_members(const SweepArguments *given, const BoxAtWork *at,
                            const ScreeDeviceBox *box, int lane) {
    if (lane < 2) {
        at->box[lane] = box[lane];
    }
    for (int i = lane; i < at->steps; i += LANES) {
        at->end[i] = given->step_end[box->row + i];
    }
    for (int i = lane; i < at->members; i += MEMBERS_TOGETHER * LANES) {
        int32_t member[MEMBERS_TOGETHER];
        for (int j = 0; j < MEMBERS_TOGETHER; j++) {
            const int k = i + j * LANES;
            member[j] = k < at->members ? given->member[2 * (size_t)box->row + (size_t)k] : 0;
        }
        for (int j = 0; j < MEMBERS_TOGETHER && i + j * LANES < at->members; j++) {
            at->member[i + j * LANES] = member[j];
        }
    }
    for (int i = lane; i < at->places; i += LANES) {
        at->flag[i] = 0;
    }
}

/* Four lanes for each body. */
ON_DEVICE void fetch_bodies(const SweepArguments *given, const BoxAtWork *at, int lane) {
    const int two = lane % BODY_TWOS;
    for (int i = lane / BODY_TWOS; i < at->members; i += LANES / BODY_TWOS) {
        const int member = at->member[i], body = member < 0 ? -1 - member : member;
        fetch_two(body_two(at, i, two), given->body + BODY_NUMBERS * (size_t)body + 2 * two,
                  at->shared);
    }
}

/* The bodies that rows may have changed. */
ON_DEVICE void return_bodies(const SweepArguments *given, const BoxAtWork *at, int lane) {
    const int two = lane % BODY_TWOS;
    for (int i = lane / BODY_TWOS; i < at->members; i += LANES / BODY_TWOS) {
        const int member = at->member[i];
        if (member >= 0) {
            const Two x = load_two(body_two(at, i, two));
            store_two(given->body + BODY_NUMBERS * (size_t)member + 2 * two, x.x, x.y);
        }
    }
}

/* Step s; what rows of the step before have left is put back, and rows of the next one are made ready. */
ON_DEVICE void work_on_step(const SweepArguments *given, const BoxAtWork *at, SweepKind kind, int s,
                            int lane, int *mine, LaneRow *row) {
    if (*mine == s && row->flags != 0) {
        update_row(given, at, kind, row);
    }
    if (*mine == s - 1) {
        if (row->flags != 0) {
            put_row_back(given, at, kind, row);
        }
        *mine += WARPS;
        ask_for_row(given, at, *mine, lane, kind, row);
        ask_for_law(given, kind, row);
    }
    if (*mine == s + 1 && row->flags != 0) {
        prepare_row(kind, given->beta, row);
        prepare_law(kind, given->beta, row);
    }
}

ON_DEVICE void sweep_steps(const SweepArguments *given, const Team team, const BoxAtWork *at,
                           SweepKind kind) {
    LANE_VALUE(LaneRow, row);
    LANE_VALUE(int, mine); /* the step of its next turn */
    (void)team;
    EACH_LANE {
        OF(mine) = lane / WARP;
        ask_for_row(given, at, OF(mine), lane, kind, &OF(row));
        ask_for_law(given, kind, &OF(row));
    }
    EACH_LANE {
        if (OF(mine) == 0 && OF(row).flags != 0) {
            prepare_row(kind, given->beta, &OF(row));
            prepare_law(kind, given->beta, &OF(row));
        }
    }
    FETCHED();
    for (int s = 0; s <= at->steps; s++) {
        BARRIER();
        EACH_LANE {
            work_on_step(given, at, kind, s, lane, &OF(mine), &OF(row));
        }
    }
    BARRIER();
}

ON_DEVICE void leave_changes(const SweepArguments *given, const Team team, const BoxAtWork *at,
                             SweepKind kind) {
    LANE_VALUE(LaneSquares, square);
    (void)team;
    EACH_LANE {
        OF(square) = (LaneSquares){{{0}}, {{0}}};
        ask_for_changes(given, at, lane, &OF(square));
        return_bodies(given, at, lane);
    }
    BARRIER();
    EACH_LANE {
        clear_places(at, lane, kind);
        place_changes(given, at, lane, kind, &OF(square));
        for (int i = lane + TOGETHER * LANES; i < at->rows; i += TOGETHER * LANES) {
            ask_for_changes(given, at, i, &OF(square));
            place_changes(given, at, i, kind, &OF(square));
        }
    }
}

/* Where nobody asks for sums. */
ON_DEVICE void leave_silently(const SweepArguments *given, const Team team, const BoxAtWork *at,
                              SweepKind kind) {
    (void)team;
    EACH_LANE {
        return_bodies(given, at, lane);
        for (int i = lane; i < at->rows; i += LANES) {
            settle_row(given, at, at->row + i, at->place[i], kind);
        }
    }
}

ON_DEVICE void leave_sums(const SweepArguments *given, const Team team, const BoxAtWork *at,
                          int box, SweepKind kind) {
    int64_t *word = given->sum + 2 * SCREE_DEVICE_SUM_WORDS * ((size_t)box % given->sums);
    leave_changes(given, team, at, kind);
    leave_sum(team, at, kind, false, word);
    if (kind.momentum) {
        EACH_LANE {
            clear_places(at, lane, kind);
            for (int i = lane; i < at->rows; i += TOGETHER * LANES) {
                LaneSquares square = {{{0}}, {{0}}};
                ask_for_moves(given, at, i, kind, &square);
                place_moves(given, at, i, kind, &square);
            }
        }
        leave_sum(team, at, kind, true, word + SCREE_DEVICE_SUM_WORDS);
    }
}

ON_DEVICE void sweep_box(const SweepArguments *given, const Team team, int number, double *room,
                         bool shared, SweepKind kind) {
    const ScreeDeviceBox *box = given->box + number;
    {
        const BoxAtWork at = enter_box(given, box, room, shared);
        EACH_LANE {
            list_members(given, &at, box, lane);
        }
        BARRIER();
        EACH_LANE {
            fetch_bodies(given, &at, lane);
        }
        sweep_steps(given, team, &at, kind);
    }
    /* what was not needed in between has not taken registers there */
    const BoxAtWork at = enter_box(given, box_in_room(given, room), room, shared);
    if (given->sum != NULL) {
        leave_sums(given, team, &at, number, kind);
    } else {
        leave_silently(given, team, &at, kind);
    }
}

ON_DEVICE void sweep_in_shared(const SweepArguments *given, const Team team, SweepKind kind) {
    const int number = given->first_box + team.index;
    const BoxCounts count = counts_of(given->box + number);
    if (room_parts(count, kind.laws, kind.rolls).whole <= given->most) {
        sweep_box(given, team, number, team.shared, true, kind);
    }
}

/* Boxes that have no room in shared memory are swept by teams that have it elsewhere. */
ON_DEVICE void sweep_elsewhere(const SweepArguments *given, const Team team, SweepKind kind) {
    double *room = given->room + (size_t)given->part.whole * (size_t)team.index;
    sweep_box(given, team, given->chosen[team.index], room, false, kind);
}

#define SWEEP_KERNEL(name, sweep, space, momentum, creeps)                                         \
    KERNEL(name, SweepArguments) {                                                                 \
        TEAM_BEGIN                                                                                 \
        const SweepKind kind = {space, momentum, creeps, false, false};                            \
        sweep(&given, team, kind);                                                                 \
    }
SWEEP_KERNEL(sweep_space, sweep_in_shared, true, false, false)
SWEEP_KERNEL(sweep_space_momentum, sweep_in_shared, true, true, false)
SWEEP_KERNEL(sweep_space_creep, sweep_in_shared, true, true, true)
SWEEP_KERNEL(sweep_plane, sweep_in_shared, false, false, false)
SWEEP_KERNEL(sweep_plane_momentum, sweep_in_shared, false, true, false)
SWEEP_KERNEL(sweep_plane_creep, sweep_in_shared, false, true, true)
SWEEP_KERNEL(sweep_large_space, sweep_elsewhere, true, false, false)
SWEEP_KERNEL(sweep_large_space_momentum, sweep_elsewhere, true, true, false)
SWEEP_KERNEL(sweep_large_space_creep, sweep_elsewhere, true, true, true)
SWEEP_KERNEL(sweep_large_plane, sweep_elsewhere, false, false, false)
SWEEP_KERNEL(sweep_large_plane_momentum, sweep_elsewhere, false, true, false)
SWEEP_KERNEL(sweep_large_plane_creep, sweep_elsewhere, false, true, true)

/* With laws: what else there is, is known when they begin. */
#define LAW_KERNEL(name, sweep, space, rolls)                                                      \
    KERNEL_OF(name, SweepArguments, LAW_BLOCKS) {                                                  \
        TEAM_BEGIN                                                                                 \
        const bool creeps = given.momentum && given.creep > 0;                                     \
        const SweepKind kind = {space, given.momentum, creeps, true, rolls};                       \
        sweep(&given, team, kind);                                                                 \
    }
LAW_KERNEL(sweep_space_springs, sweep_in_shared, true, false)
LAW_KERNEL(sweep_space_rolling, sweep_in_shared, true, true)
LAW_KERNEL(sweep_plane_springs, sweep_in_shared, false, false)
LAW_KERNEL(sweep_plane_rolling, sweep_in_shared, false, true)
LAW_KERNEL(sweep_large_space_springs, sweep_elsewhere, true, false)
LAW_KERNEL(sweep_large_space_rolling, sweep_elsewhere, true, true)
LAW_KERNEL(sweep_large_plane_springs, sweep_elsewhere, false, false)
LAW_KERNEL(sweep_large_plane_rolling, sweep_elsewhere, false, true)

/* ---------------------------------------------------------------- bodies */

typedef struct LiftArguments {
    double *body, *velocity; /* [8 bodies], [6 bodies] */
    size_t twos;             /* 3 bodies */
    double beta;
} LiftArguments;

enum { VELOCITY_TWOS = 3, LIFTS = 4 /* twos of each lane */ };

/* Extrapolates the velocities: x -> x + beta (x - before), before = x. */
KERNEL(lift_bodies, LiftArguments) {
    TEAM_BEGIN
    EACH_LANE {
        for (int k = 0; k < LIFTS; k++) {
            const size_t i = ((size_t)team.index * LIFTS + (size_t)k) * LANES + (size_t)lane;
            if (i < given.twos) {
                double *to =
                    given.body + BODY_NUMBERS * (i / VELOCITY_TWOS) + 2 * (i % VELOCITY_TWOS);
                const Two now = load_two(to), was = load_two(given.velocity + 2 * i);
                store_two(to, lifted(given.beta, now.x, was.x), lifted(given.beta, now.y, was.y));
                store_two(given.velocity + 2 * i, now.x, now.y);
            }
        }
    }
}

#endif

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

#include "box_sums.h"

#include "law/round.h"

/* ---------------------------------------------------------------- numbers */

typedef struct LaneBody {
    RealVec3 v, s;
    double per_mass, per_inertia;
} LaneBody;

/* The row of a lane at its next turn. Registers are short, and decide how many boxes are under way: so nothing is kept
 * here that follows from the rest. */
typedef struct LaneRow {
    unsigned flags; /* 0: there is no row */
    int row;
    unsigned bodies, place; /* with b above a, and with 1 above the place if b is a wall */
    RealVec3 n, rt;         /* n: the normal; after the update the change of the impulse */
    double bias, rn;
    double before[IMPULSES];
    LawRound contact;
} LaneRow;

ON_DEVICE RealVec3 vector(double x, double y, double z) {
    RealVec3 v;
    v.x = x, v.y = y, v.z = z;
    return v;
}

/* The velocities of a body. */
ON_DEVICE LaneBody load_body(const BoxAtWork *at, int body) {
    const Two first = load_two(body_two(at, body, 0)), second = load_two(body_two(at, body, 1));
    const Two third = load_two(body_two(at, body, 2));
    LaneBody b;
    b.v = vector(first.x, first.y, second.x);
    b.s = vector(second.y, third.x, third.y);
    return b;
}

/* The same with its masses. After the law, which needs many registers, bodies are loaded anew: it takes less time than to
 * have less boxes under way. */
ON_DEVICE LaneBody load_whole_body(const BoxAtWork *at, int body) {
    LaneBody b = load_body(at, body);
    const Two last = load_two(body_two(at, body, 3));
    b.per_mass = last.x;
    b.per_inertia = last.y;
    return b;
}

ON_DEVICE void store_body(const BoxAtWork *at, int body, const LaneBody *b) {
    store_two(body_two(at, body, 0), b->v.x, b->v.y);
    store_two(body_two(at, body, 1), b->v.z, b->s.x);
    store_two(body_two(at, body, 2), b->s.y, b->s.z);
}

ON_DEVICE int body_a(const LaneRow *r) {
    return (int)(r->bodies & 0xffff);
}
ON_DEVICE int body_b(const LaneRow *r) {
    return (int)(r->bodies >> 16);
}
ON_DEVICE int place_of(const LaneRow *r) {
    return (int)(r->place & 0xffff);
}
ON_DEVICE bool meets_wall(const LaneRow *r) {
    return r->place >> 16 != 0;
}

/* ---------------------------------------------------------------- one row */

/* x -> x + beta (x - before) */
ON_DEVICE double lifted(double beta, double now, double before) {
    return now + beta * (now - before);
}

/* Asks for the row of a lane in a step, without waiting for it. */
ON_DEVICE void ask_for_row(const SweepArguments *given, const BoxAtWork *at, int step, int lane,
                           SweepKind kind, LaneRow *r) {
    r->flags = 0;
    if (step >= at->steps) {
        return;
    }
    const int row = at->row + (step > 0 ? at->end[step - 1] : 0) + lane % WARP;
    if (row < at->row + at->end[step]) {
        const double *c = given->constant;
        const Two first = read_two(c + two_at(row, 0, CONSTANTS)),
                  second = read_two(c + two_at(row, 1, CONSTANTS)),
                  third = read_two(c + two_at(row, 2, CONSTANTS));
        double x[IMPULSES];
        read_impulse(given->impulse, row, kind.space, x);
        r->flags = IS_THERE;
        r->row = row;
        r->n = vector(first.x, first.y, second.x);
        r->bias = second.y;
        r->contact.mass_n = third.x;
        r->contact.mass_t = third.y;
        r->contact.mu = read_one(c + two_at(row, 3, CONSTANTS));
        r->bodies = read_half(c + two_at(row, 3, CONSTANTS) + 1, 0);
        r->place = read_half(c + two_at(row, 3, CONSTANTS) + 1, 1);
        r->rn = x[0];
        r->rt = vector(x[1], x[2], x[3]);
        if (kind.momentum) {
            read_impulse(given->before, row, kind.space, r->before);
        }
    }
}

ON_DEVICE unsigned sign_of(double x) {
    return (unsigned)(bits_of(x) >> 63);
}

/* When the row has come: what does not need its bodies. */
ON_DEVICE void prepare_row(SweepKind kind, double beta, LaneRow *r) {
    if (kind.momentum) {
        r->rn = lifted(beta, r->rn, r->before[0]);
        r->rt.x = lifted(beta, r->rt.x, r->before[1]);
        if (kind.space) {
            r->rt.y = lifted(beta, r->rt.y, r->before[2]);
            r->rt.z = lifted(beta, r->rt.z, r->before[3]);
        }
    }
    const unsigned signs =
        sign_of(r->rn) | sign_of(r->rt.x) << 1 | sign_of(r->rt.y) << 2 | sign_of(r->rt.z) << 3;
    const bool has = real_dot(r->rt, r->rt) + r->rn * r->rn > 0;
    r->flags = (unsigned)IS_THERE | signs << SIGNS | (has ? (unsigned)HAS_IMPULSE : 0u);
}

/* Whether the row has no impulse and gets none, as in packet_stays_open of src/sweep/packet.h. */
ON_DEVICE unsigned stays_open(const LaneRow *r, double un, const double *creep) {
    const double reach = un + r->bias, push = creep != 0 ? reach - r->contact.mu * *creep : reach;
    return (r->flags & HAS_IMPULSE) == 0 && !(0 > push) ? IS_OPEN : 0;
}

/* What a row has no use for after its update: the compiler does not know that another row will come first, and would
 * keep it. */
ON_DEVICE void forget_constants(LaneRow *r) {
    r->bias = r->contact.mass_n = r->contact.mass_t = r->contact.mu = 0;
    r->before[0] = r->before[1] = r->before[2] = r->before[3] = 0;
}

/* As packet_space. */
ON_DEVICE void update_space(const BoxAtWork *at, const double *creep, LaneRow *r) {
    LaneBody a = load_body(at, body_a(r)), b = load_body(at, body_b(r));
    const RealVec3 n = r->n, old = r->rt;
    const double rn = r->rn;
    RealVec3 u = vector(b.v.x - a.v.x, b.v.y - a.v.y, b.v.z - a.v.z);
    const double un = real_dot(u, n);
    const RealVec3 s = vector(b.s.x + a.s.x, b.s.y + a.s.y, b.s.z + a.s.z);
    u = vector((u.x - s.y * n.z) + s.z * n.y, (u.y - s.z * n.x) + s.x * n.z,
               (u.z - s.x * n.y) + s.y * n.x);
    u = real_msub3(u, un, n);
    r->flags |= stays_open(r, un, creep);
    law_round_space(&r->contact, un + r->bias, u, creep, &r->rn, &r->rt);

    const double dn = r->rn - rn;
    const RealVec3 dt = vector(r->rt.x - old.x, r->rt.y - old.y, r->rt.z - old.z);
    const RealVec3 twist =
        vector(n.y * dt.z - n.z * dt.y, n.z * dt.x - n.x * dt.z, n.x * dt.y - n.y * dt.x);
    const RealVec3 d = real_madd3(dt, dn, n);
    a = load_whole_body(at, body_a(r));
    a.v = real_msub3(a.v, a.per_mass, d);
    a.s = real_msub3(a.s, a.per_inertia, twist);
    store_body(at, body_a(r), &a);
    b = load_whole_body(at, body_b(r));
    b.v = real_madd3(b.v, b.per_mass, d);
    b.s = real_msub3(b.s, b.per_inertia, twist);
    if (!meets_wall(r)) {
        store_body(at, body_b(r), &b);
    }
    r->n = d;
    forget_constants(r);
}

/* As packet_plane. */
ON_DEVICE void update_plane(const BoxAtWork *at, const double *creep, LaneRow *r) {
    LaneBody a = load_body(at, body_a(r)), b = load_body(at, body_b(r));
    const double nx = r->n.x, ny = r->n.y, rn = r->rn, rt = r->rt.x;
    const double ux = b.v.x - a.v.x, uy = b.v.y - a.v.y, un = ux * nx + uy * ny;
    const double ut = (uy * nx - ux * ny) - (a.s.z + b.s.z);
    law_round_plane(&r->contact, un + r->bias, ut, creep, &r->rn, &r->rt.x);

    const double dn = r->rn - rn, dt = r->rt.x - rt;
    const double dx = dn * nx - dt * ny, dy = dn * ny + dt * nx;
    a = load_whole_body(at, body_a(r));
    b = load_whole_body(at, body_b(r));
    a.v.x = a.v.x - a.per_mass * dx;
    a.v.y = a.v.y - a.per_mass * dy;
    a.s.z = a.s.z - a.per_inertia * dt;
    store_body(at, body_a(r), &a);
    b.v.x = b.v.x + b.per_mass * dx;
    b.v.y = b.v.y + b.per_mass * dy;
    b.s.z = b.s.z - b.per_inertia * dt;
    if (!meets_wall(r)) {
        store_body(at, body_b(r), &b);
    }
    r->n = vector(dn, dt, 0);
}

/* What the row leaves, when others are at work already. */
ON_DEVICE void put_row_back(const SweepArguments *given, const BoxAtWork *at, SweepKind kind,
                            const LaneRow *r) {
    const double x[IMPULSES] = {r->rn, r->rt.x, r->rt.y, r->rt.z};
    at->flag[place_of(r)] = (unsigned char)r->flags;
    at->place[r->row - at->row] = (uint16_t)place_of(r);
    write_impulse(kind.momentum ? given->before : given->impulse, r->row, kind.space, x);
    store_two(given->change + 2 * (size_t)r->row, r->n.x * r->n.x, r->n.y * r->n.y);
    given->change[2 * given->rows + (size_t)r->row] = r->n.z * r->n.z;
}

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

ON_DEVICE void update_row(const SweepArguments *given, const BoxAtWork *at, SweepKind kind,
                          LaneRow *r) {
    const double *creep = kind.creeps ? &given->creep : 0;
    if (kind.space) {
        update_space(at, creep, r);
    } else {
        update_plane(at, creep, r);
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
    }
    if (*mine == s + 1 && row->flags != 0) {
        prepare_row(kind, given->beta, row);
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
    }
    EACH_LANE {
        if (OF(mine) == 0 && OF(row).flags != 0) {
            prepare_row(kind, given->beta, &OF(row));
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
        OF(square) = (LaneSquares){{{0}}};
        ask_for_changes(given, at, lane, &OF(square));
        return_bodies(given, at, lane);
    }
    BARRIER();
    EACH_LANE {
        clear_places(at, lane);
        place_changes(given, at, lane, kind, &OF(square));
        for (int i = lane + TOGETHER * LANES; i < at->rows; i += TOGETHER * LANES) {
            ask_for_changes(given, at, i, &OF(square));
            place_changes(given, at, i, kind, &OF(square));
        }
    }
}

ON_DEVICE void leave_sums(const SweepArguments *given, const Team team, const BoxAtWork *at,
                          int box, SweepKind kind) {
    int64_t *word = given->sum + 2 * SCREE_DEVICE_SUM_WORDS * ((size_t)box % given->sums);
    leave_changes(given, team, at, kind);
    leave_sum(team, at, false, word);
    if (kind.momentum) {
        EACH_LANE {
            clear_places(at, lane);
            for (int i = lane; i < at->rows; i += TOGETHER * LANES) {
                LaneSquares square = {{{0}}};
                ask_for_moves(given, at, i, kind, &square);
                place_moves(at, i, &square);
            }
        }
        leave_sum(team, at, true, word + SCREE_DEVICE_SUM_WORDS);
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
    leave_sums(given, team, &at, number, kind);
}

ON_DEVICE void sweep_in_shared(const SweepArguments *given, const Team team, SweepKind kind) {
    const int number = given->first_box + team.index;
    if (room_parts(counts_of(given->box + number)).whole <= given->most) {
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
        const SweepKind kind = {space, momentum, creeps};                                          \
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

/* The sweep of one box by one team, in the processor's own order and with its bits (src/sweep/packets.c):
 * step by step (src/sweep/device_plan.h), a lane for each row of a step.
 *
 * Steps wait for each other, and what one takes is latency: so the bodies of a box are in shared memory,
 * rows are on their way to it one step ahead, and several boxes are under way on a multiprocessor. The bits follow from
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

typedef struct LaneRow {
    bool wall, open;
    int a, b, place;
    LaneBody of_a, of_b;
    RealVec3 n, u, rt, d; /* u: of b seen from a; d: the change of the impulse */
    double un, bias, rn;
    LawRound contact;
} LaneRow;

ON_DEVICE RealVec3 vector(double x, double y, double z) {
    RealVec3 v;
    v.x = x, v.y = y, v.z = z;
    return v;
}

ON_DEVICE LaneBody load_body(const BoxAtWork *at, int body) {
    const Two first = load_two(body_two(at, body, 0)), second = load_two(body_two(at, body, 1));
    const Two third = load_two(body_two(at, body, 2)), last = load_two(body_two(at, body, 3));
    LaneBody b;
    b.v = vector(first.x, first.y, second.x);
    b.s = vector(second.y, third.x, third.y);
    b.per_mass = last.x;
    b.per_inertia = last.y;
    return b;
}

ON_DEVICE void store_body(const BoxAtWork *at, int body, const LaneBody *b) {
    store_two(body_two(at, body, 0), b->v.x, b->v.y);
    store_two(body_two(at, body, 1), b->v.z, b->s.x);
    store_two(body_two(at, body, 2), b->s.y, b->s.z);
}

/* ---------------------------------------------------------------- one row */

/* x -> x + beta (x - before) */
ON_DEVICE double lifted(double beta, double now, double before) {
    return now + beta * (now - before);
}

/* Asks for the row of a lane in the next step: constants, impulses, and those before. */
ON_DEVICE void ask_for_row(const SweepArguments *given, const BoxAtWork *at, size_t row, int lane,
                           SweepKind kind) {
    for (int k = 0; k < CONSTANTS; k++) {
        fetch_one(at->next + k * LANES + lane, given->constant + (size_t)k * given->rows + row,
                  at->shared);
    }
    for (int k = 0; k < (kind.space ? IMPULSES : 2); k++) {
        const size_t from = (size_t)k * given->rows + row;
        double *to = at->next + (CONSTANTS + k) * LANES + lane;
        fetch_one(to, given->impulse + from, at->shared);
        if (kind.momentum) {
            fetch_one(to + IMPULSES * LANES, given->before + from, at->shared);
        }
    }
}

/* A number of the impulse, extrapolated. */
ON_DEVICE double take_impulse(const double *next, int k, SweepKind kind, double beta) {
    const double now = next[(CONSTANTS + k) * LANES];
    return kind.momentum ? lifted(beta, now, next[(CONSTANTS + IMPULSES + k) * LANES]) : now;
}

/* The row with its bodies and their relative velocity. */
ON_DEVICE void take_row(const BoxAtWork *at, int lane, SweepKind kind, double beta, LaneRow *r) {
    const double *next = at->next + lane;
    const uint64_t whole = bits_of(next[7 * LANES]);
    r->a = (int)(whole & 0xffff);
    r->b = (int)(whole >> 16 & 0xffff);
    r->place = (int)(whole >> 32 & 0xffff);
    r->wall = whole >> 48 != 0;
    r->of_a = load_body(at, r->a);
    r->of_b = load_body(at, r->b);
    r->n = vector(next[0], next[LANES], next[2 * LANES]);
    r->bias = next[3 * LANES];
    r->contact.mass_n = next[4 * LANES];
    r->contact.mass_t = next[5 * LANES];
    r->contact.mu = next[6 * LANES];
    r->rn = take_impulse(next, 0, kind, beta);
    r->rt = vector(take_impulse(next, 1, kind, beta), 0, 0);
    if (kind.space) {
        r->rt.y = take_impulse(next, 2, kind, beta);
        r->rt.z = take_impulse(next, 3, kind, beta);
    }
    const LaneBody *a = &r->of_a, *b = &r->of_b;
    r->u = vector(b->v.x - a->v.x, b->v.y - a->v.y, b->v.z - a->v.z);
    r->un = kind.space ? real_dot(r->u, r->n) : r->u.x * r->n.x + r->u.y * r->n.y;
}

/* Whether the row has no impulse and gets none, as in packet_stays_open of src/sweep/packet.h. */
ON_DEVICE bool stays_open(const LaneRow *r, SweepKind kind, double creep) {
    const double has = real_dot(r->rt, r->rt) + r->rn * r->rn;
    double push = r->un + r->bias;
    push = kind.creeps ? push - r->contact.mu * creep : push;
    return !(has > 0) && !(0 > push);
}

/* As packet_space. */
ON_DEVICE void update_space(LaneRow *r, const double *creep) {
    LaneBody *a = &r->of_a, *b = &r->of_b;
    const RealVec3 n = r->n, s = vector(b->s.x + a->s.x, b->s.y + a->s.y, b->s.z + a->s.z);
    const RealVec3 rt = r->rt;
    const double rn = r->rn;
    RealVec3 u = vector((r->u.x - s.y * n.z) + s.z * n.y, (r->u.y - s.z * n.x) + s.x * n.z,
                        (r->u.z - s.x * n.y) + s.y * n.x);
    u = real_msub3(u, r->un, n);
    law_round_space(&r->contact, r->un + r->bias, u, creep, &r->rn, &r->rt);

    const double dn = r->rn - rn;
    const RealVec3 dt = vector(r->rt.x - rt.x, r->rt.y - rt.y, r->rt.z - rt.z);
    const RealVec3 twist =
        vector(n.y * dt.z - n.z * dt.y, n.z * dt.x - n.x * dt.z, n.x * dt.y - n.y * dt.x);
    const RealVec3 d = real_madd3(dt, dn, n);
    a->v = real_msub3(a->v, a->per_mass, d);
    a->s = real_msub3(a->s, a->per_inertia, twist);
    b->v = real_madd3(b->v, b->per_mass, d);
    b->s = real_msub3(b->s, b->per_inertia, twist);
    r->d = d;
}

/* As packet_plane. */
ON_DEVICE void update_plane(LaneRow *r, const double *creep) {
    LaneBody *a = &r->of_a, *b = &r->of_b;
    const double nx = r->n.x, ny = r->n.y, rn = r->rn, rt = r->rt.x;
    const double ut = (r->u.y * nx - r->u.x * ny) - (a->s.z + b->s.z);
    law_round_plane(&r->contact, r->un + r->bias, ut, creep, &r->rn, &r->rt.x);

    const double dn = r->rn - rn, dt = r->rt.x - rt;
    const double dx = dn * nx - dt * ny, dy = dn * ny + dt * nx;
    a->v.x = a->v.x - a->per_mass * dx;
    a->v.y = a->v.y - a->per_mass * dy;
    a->s.z = a->s.z - a->per_inertia * dt;
    b->v.x = b->v.x + b->per_mass * dx;
    b->v.y = b->v.y + b->per_mass * dy;
    b->s.z = b->s.z - b->per_inertia * dt;
    r->d = vector(dn, dt, 0);
}

ON_DEVICE unsigned sign_of(double x) {
    return (unsigned)(bits_of(x) >> 63);
}

/* What is known of a row before its update. */
ON_DEVICE unsigned flags_of(const LaneRow *r) {
    const unsigned signs =
        sign_of(r->rn) | sign_of(r->rt.x) << 1 | sign_of(r->rt.y) << 2 | sign_of(r->rt.z) << 3;
    return (unsigned)IS_THERE | (r->open ? (unsigned)IS_OPEN : 0u) | signs << SIGNS;
}

/* Updates a row, its bodies, and what it leaves for the end. */
ON_DEVICE void work_on_row(const SweepArguments *given, const BoxAtWork *at, size_t row,
                           SweepKind kind, LaneRow *r) {
    const double *creep = kind.creeps ? &given->creep : 0;
    r->open = kind.space && stays_open(r, kind, given->creep);
    at->flag[r->place] = (unsigned char)flags_of(r);
    at->place[row - at->row] = (uint16_t)r->place;
    if (kind.space) {
        update_space(r, creep);
    } else {
        update_plane(r, creep);
    }
    store_body(at, r->a, &r->of_a);
    if (!r->wall) {
        store_body(at, r->b, &r->of_b);
    }
    const double x[IMPULSES] = {r->rn, r->rt.x, r->rt.y, r->rt.z};
    write_impulse(kind.momentum ? given->before : given->impulse, given->rows, row, kind.space, x);
    const double d[CHANGES] = {r->d.x, r->d.y, r->d.z};
    for (int k = 0; k < CHANGES; k++) {
        given->change[(size_t)k * given->rows + row] = d[k] * d[k];
    }
}

/* ---------------------------------------------------------------- one box */

/* The members of the box and the ends of its steps; nothing has been noted of its rows. */
ON_DEVICE void list_members(const SweepArguments *given, const BoxAtWork *at,
                            const ScreeDeviceBox *box, int lane) {
    for (int i = lane; i < at->members; i += LANES) {
        at->member[i] = given->member[box->member + i];
    }
    for (int i = lane; i < at->steps; i += LANES) {
        at->end[i] = given->step_end[box->step + i];
    }
    for (int i = lane; i < at->places; i += LANES) {
        at->flag[i] = 0;
    }
}

ON_DEVICE void fetch_bodies(const SweepArguments *given, const BoxAtWork *at, int lane) {
    for (int i = lane; i < BODY_TWOS * at->members; i += LANES) {
        const int member = at->member[i / BODY_TWOS], two = i % BODY_TWOS;
        const size_t body = (size_t)(member < 0 ? -1 - member : member);
        fetch_two(body_two(at, i / BODY_TWOS, two), given->body + BODY_NUMBERS * body + 2 * two,
                  at->shared);
    }
}

/* Velocities of the bodies that rows may have changed. */
ON_DEVICE void return_bodies(const SweepArguments *given, const BoxAtWork *at, int lane) {
    for (int i = lane; i < BODY_TWOS * at->members; i += LANES) {
        const int member = at->member[i / BODY_TWOS], two = i % BODY_TWOS;
        if (member >= 0 && two < BODY_TWOS - 1) {
            const Two x = load_two(body_two(at, i / BODY_TWOS, two));
            store_two(given->body + BODY_NUMBERS * (size_t)member + 2 * two, x.x, x.y);
        }
    }
}

ON_DEVICE void sweep_steps(const SweepArguments *given, const Team team, const BoxAtWork *at,
                           SweepKind kind) {
    (void)team;
    EACH_LANE {
        if (lane < at->end[0]) {
            ask_for_row(given, at, at->row + (size_t)lane, lane, kind);
        }
    }
    for (int s = 0, begin = 0; s < at->steps; s++) {
        const int end = at->end[s], after = s + 1 < at->steps ? at->end[s + 1] : end;
        FETCHED();
        BARRIER();
        EACH_LANE {
            LaneRow row = {0};
            const bool is_there = begin + lane < end;
            if (is_there) {
                take_row(at, lane, kind, given->beta, &row);
            }
            if (end + lane < after) {
                ask_for_row(given, at, at->row + (size_t)(end + lane), lane, kind);
            }
            if (is_there) {
                work_on_row(given, at, at->row + (size_t)(begin + lane), kind, &row);
            }
        }
        begin = end;
    }
    BARRIER();
}

ON_DEVICE void leave_sums(const SweepArguments *given, const Team team, const BoxAtWork *at,
                          int box, SweepKind kind) {
    int64_t *word = given->sum + 2 * SCREE_DEVICE_SUM_WORDS * ((size_t)box % given->sums);
    EACH_LANE {
        return_bodies(given, at, lane);
    }
    BARRIER();
    EACH_LANE {
        clear_places(at, lane);
        look_back(given, at, lane, kind);
    }
    leave_sum(team, at, false, word);
    if (kind.momentum) {
        EACH_LANE {
            clear_places(at, lane);
            look_further_back(given, at, lane, kind);
        }
        leave_sum(team, at, true, word + SCREE_DEVICE_SUM_WORDS);
    }
}

ON_DEVICE void sweep_box(const SweepArguments *given, const Team team, int number, double *room,
                         bool shared, SweepKind kind) {
    const ScreeDeviceBox *box = given->box + number;
    const BoxAtWork at = enter_box(box, room, shared);
    EACH_LANE {
        list_members(given, &at, box, lane);
    }
    BARRIER();
    EACH_LANE {
        fetch_bodies(given, &at, lane);
    }
    sweep_steps(given, team, &at, kind);
    leave_sums(given, team, &at, number, kind);
}

/* Boxes that have no room in shared memory are swept by teams that have it elsewhere. */
ON_DEVICE void sweep_one(const SweepArguments *given, const Team team, SweepKind kind) {
    if (given->chosen != 0) {
        double *room = given->room + (size_t)given->most * (size_t)team.index;
        sweep_box(given, team, given->chosen[team.index], room, false, kind);
        return;
    }
    const int number = given->first_box + team.index;
    if (room_of(given->box + number) <= given->most) {
        sweep_box(given, team, number, team.shared, true, kind);
    }
}

#define SWEEP_KERNEL(name, space, momentum, creeps)                                                \
    KERNEL(name, SweepArguments) {                                                                 \
        TEAM_BEGIN                                                                                 \
        const SweepKind kind = {space, momentum, creeps};                                          \
        sweep_one(&given, team, kind);                                                             \
    }
SWEEP_KERNEL(sweep_space, true, false, false)
SWEEP_KERNEL(sweep_space_momentum, true, true, false)
SWEEP_KERNEL(sweep_space_creep, true, true, true)
SWEEP_KERNEL(sweep_plane, false, false, false)
SWEEP_KERNEL(sweep_plane_momentum, false, true, false)
SWEEP_KERNEL(sweep_plane_creep, false, true, true)

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

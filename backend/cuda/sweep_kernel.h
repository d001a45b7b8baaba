/* The sweep of one box by one team, in the processor's own order and with its bits (src/sweep/packets.c):
 * packet by packet, a lane for each row of a packet.
 *
 * Packets of a box wait for each other, and what one takes is latency: so rows are read one packet
 * ahead and asked for six ahead, and many boxes are under way at a time. Bodies stay where they are:
 * with those of a box in shared memory a packet takes less time, but only a sixth of the boxes have
 * room, which was slower. The bits follow from a few rules: nothing is fused, roots and quotients are rounded correctly,
 * sums are taken lane by lane, and packets of open contacts are left alone only if all of their rows
 * agree. */
#ifndef SCREE_CUDA_SWEEP_KERNEL_H
#define SCREE_CUDA_SWEEP_KERNEL_H

#include "lanes.h"

#include "law/round.h"

enum {
    ROWS = SCREE_DEVICE_LANES,
    CONSTANTS = SCREE_DEVICE_CONSTANTS,
    IMPULSES = SCREE_DEVICE_IMPULSES,
    BODY_NUMBERS = SCREE_DEVICE_BODY,
    SCRATCH = ROWS * IMPULSES, /* numbers of shared memory */
    FAR = 6                    /* packets that are asked for ahead */
};

typedef struct SweepArguments {
    int first_box;
    double *body, *impulse, *before;
    const double *constant;
    const int32_t *packet_end;
    double *sum;
    double beta, creep;
} SweepArguments;

/* What is known when a kernel is compiled. */
typedef struct SweepKind {
    bool space, momentum, creeps;
} SweepKind;

typedef struct LaneBody {
    RealVec3 v, s;
    double per_mass, per_inertia;
} LaneBody;

/* A row as it comes from memory. */
typedef struct RowNumbers {
    Two constant[CONSTANTS / 2], impulse[IMPULSES / 2], before[IMPULSES / 2];
} RowNumbers;

typedef struct LaneRow {
    bool exists, wall, open;
    int a, b;
    LaneBody of_a, of_b;
    RealVec3 n, u, rt, rt_now; /* u: of b seen from a; `now`: before the extrapolation */
    double un, bias, rn, rn_now;
    LawRound contact;
} LaneRow;

ON_DEVICE RealVec3 vector(double x, double y, double z) {
    RealVec3 v;
    v.x = x, v.y = y, v.z = z;
    return v;
}

ON_DEVICE LaneBody load_body(const double *at) {
    const Two first = load_two(at), second = load_two(at + 2), third = load_two(at + 4);
    const Two last = load_two(at + 6);
    LaneBody b;
    b.v = vector(first.x, first.y, second.x);
    b.s = vector(second.y, third.x, third.y);
    b.per_mass = last.x;
    b.per_inertia = last.y;
    return b;
}

ON_DEVICE void store_body(double *at, const LaneBody *b) {
    store_two(at, b->v.x, b->v.y);
    store_two(at + 2, b->v.z, b->s.x);
    store_two(at + 4, b->s.y, b->s.z);
}

/* ---------------------------------------------------------------- one row */

/* x -> x + beta (x - before) */
ON_DEVICE double lifted(double beta, double now, double before) {
    return now + beta * (now - before);
}

ON_DEVICE void read_row(const SweepArguments *given, size_t row, SweepKind kind, RowNumbers *r) {
    for (int k = 0; k < CONSTANTS / 2; k++) {
        r->constant[k] = load_two(given->constant + row * CONSTANTS + 2 * k);
    }
    for (int k = 0; k < (kind.space ? IMPULSES / 2 : 1); k++) {
        r->impulse[k] = load_two(given->impulse + row * IMPULSES + 2 * k);
        if (kind.momentum) {
            r->before[k] = load_two(given->before + row * IMPULSES + 2 * k);
        }
    }
}

/* Asks for a packet long before it is read: a line for each lane. */
ON_DEVICE void ask_for_packet(const SweepArguments *given, size_t packet, int lane,
                              SweepKind kind) {
    enum { LINE = 16, CONSTANT_LINES = ROWS * CONSTANTS / LINE, LINES = ROWS * IMPULSES / LINE };
    const double *constant = given->constant + packet * ROWS * CONSTANTS;
    const double *impulse = given->impulse + packet * ROWS * IMPULSES;
    if (lane < CONSTANT_LINES) {
        ask_for(constant + LINE * lane);
    } else if (lane < CONSTANT_LINES + LINES) {
        ask_for(impulse + LINE * (lane - CONSTANT_LINES));
    } else if (kind.momentum) {
        ask_for(given->before + packet * ROWS * IMPULSES + LINE * (lane - CONSTANT_LINES - LINES));
    }
}

ON_DEVICE void lift_row(const RowNumbers *from, double beta, bool space, LaneRow *r) {
    r->rn = lifted(beta, r->rn, from->before[0].x);
    r->rt.x = lifted(beta, r->rt.x, from->before[0].y);
    if (space) {
        r->rt.y = lifted(beta, r->rt.y, from->before[1].x);
        r->rt.z = lifted(beta, r->rt.z, from->before[1].y);
    }
}

/* The row with its bodies and their relative velocity. */
ON_DEVICE void take_row(const SweepArguments *given, const RowNumbers *from, SweepKind kind,
                        LaneRow *r) {
    whole_numbers(from->constant[3].y, &r->a, &r->b);
    r->exists = r->a >= 0;
    if (!r->exists) {
        return;
    }
    r->wall = r->b < 0;
    r->b = r->wall ? -1 - r->b : r->b;
    r->of_a = load_body(given->body + BODY_NUMBERS * (size_t)r->a);
    r->of_b = load_body(given->body + BODY_NUMBERS * (size_t)r->b);
    r->n = vector(from->constant[0].x, from->constant[0].y, from->constant[1].x);
    r->bias = from->constant[1].y;
    r->contact.mass_n = from->constant[2].x;
    r->contact.mass_t = from->constant[2].y;
    r->contact.mu = from->constant[3].x;
    r->rn = r->rn_now = from->impulse[0].x;
    r->rt = r->rt_now = kind.space
                            ? vector(from->impulse[0].y, from->impulse[1].x, from->impulse[1].y)
                            : vector(from->impulse[0].y, 0, 0);
    if (kind.momentum) {
        lift_row(from, given->beta, kind.space, r);
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

/* As packet_space; adds |dR|^2 to `change`. */
ON_DEVICE double update_space(LaneRow *r, const double *creep, double change) {
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
    return ((change + d.x * d.x) + d.y * d.y) + d.z * d.z;
}

/* As packet_plane. */
ON_DEVICE double update_plane(LaneRow *r, const double *creep, double change) {
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
    return (change + dn * dn) + dt * dt;
}

ON_DEVICE void store_impulses(const SweepArguments *given, size_t row, SweepKind kind,
                              const LaneRow *r) {
    double *x = given->impulse + row * IMPULSES, *before = given->before + row * IMPULSES;
    store_two(x, r->rn, r->rt.x);
    if (kind.space) {
        store_two(x + 2, r->rt.y, r->rt.z);
    }
    if (kind.momentum) {
        store_two(before, r->rn_now, r->rt_now.x);
    }
    if (kind.momentum && kind.space) {
        store_two(before + 2, r->rt_now.y, r->rt_now.z);
    }
}

/* ---------------------------------------------------------------- the sums of a box */

/* Squares of R - R before, by the rule of src/sweep/packets.c: of a full packet each lane has those of
 * its row, of another lane k those of the k-th number of all rows. */
ON_DEVICE double add_own_squares(const LaneRow *r, bool space, double square) {
    const double d[IMPULSES] = {r->rn - r->rn_now, r->rt.x - r->rt_now.x, r->rt.y - r->rt_now.y,
                                r->rt.z - r->rt_now.z};
    for (int k = 0; k < (space ? IMPULSES : 2); k++) {
        square += d[k] * d[k];
    }
    return square;
}

ON_DEVICE void leave_difference(double *scratch, int lane, bool full, const LaneRow *r) {
    double *d = scratch + IMPULSES * lane;
    if (full) {
        return;
    }
    d[0] = r->exists ? r->rn - r->rn_now : 0;
    d[1] = r->exists ? r->rt.x - r->rt_now.x : 0;
    d[2] = r->exists ? r->rt.y - r->rt_now.y : 0;
    d[3] = r->exists ? r->rt.z - r->rt_now.z : 0;
}

ON_DEVICE double add_column(const double *scratch, int lane, double square) {
    for (int k = 0; k < ROWS && lane < IMPULSES; k++) {
        square += scratch[IMPULSES * k + lane] * scratch[IMPULSES * k + lane];
    }
    return square;
}

ON_DEVICE double total(const double *lane) {
    double sum = 0;
    for (int k = 0; k < ROWS; k++) {
        sum += lane[k];
    }
    return sum;
}

/* ---------------------------------------------------------------- one box */

/* The packets of a team's box; without a box none. */
typedef struct BoxRange {
    int packet, packets;
} BoxRange;

ON_DEVICE BoxRange find_box(const SweepArguments *given, Team team) {
    const int box = given->first_box + team.index;
    BoxRange range = {0, 0};
    if (team.exists) {
        range.packet = box > 0 ? given->packet_end[box - 1] : 0;
        range.packets = given->packet_end[box] - range.packet;
    }
    return range;
}

/* What a lane does of a packet once it is known whether all rows stay open. */
ON_DEVICE double finish_row(const SweepArguments *given, size_t row, SweepKind kind, LaneRow *r,
                            double change) {
    const double *creep = kind.creeps ? &given->creep : 0;
    if (r->exists && !r->open) {
        change = kind.space ? update_space(r, creep, change) : update_plane(r, creep, change);
        store_body(given->body + BODY_NUMBERS * (size_t)r->a, &r->of_a);
        if (!r->wall) {
            store_body(given->body + BODY_NUMBERS * (size_t)r->b, &r->of_b);
        }
    }
    if (r->exists && (kind.momentum || !r->open)) {
        store_impulses(given, row, kind, r);
    }
    return change;
}

ON_DEVICE void sweep_box(const SweepArguments *given, const Team team, SweepKind kind) {
    const BoxRange box = find_box(given, team);
    double *scratch = team.shared;
    const size_t first = (size_t)box.packet * ROWS;
    const int most = MOST_OF_BLOCK(box.packets);
    LANE_VALUE(RowNumbers, next);
    LANE_VALUE(LaneRow, row);
    LANE_VALUE(double, change);
    LANE_VALUE(double, square);

    EACH_LANE {
        OF(change) = OF(square) = 0;
        OF(row).exists = false;
        for (int k = 1; k < FAR && k < box.packets; k++) {
            ask_for_packet(given, (size_t)(box.packet + k), lane, kind);
        }
        if (box.packets > 0) {
            read_row(given, first + (size_t)lane, kind, &OF(next));
        }
    }
    for (int k = 0; k < most; k++) {
        bool open, full;
        EACH_LANE {
            const size_t at = first + (size_t)(k * ROWS + lane);
            OF(row).exists = false;
            if (k < box.packets) {
                take_row(given, &OF(next), kind, &OF(row));
            }
            if (k + 1 < box.packets) {
                read_row(given, at + ROWS, kind, &OF(next));
            }
            if (k + FAR < box.packets) {
                ask_for_packet(given, (size_t)(box.packet + k + FAR), lane, kind);
            }
            OF(row).open = kind.space && OF(row).exists && stays_open(&OF(row), kind, given->creep);
        }
        ALL_LANES(open, OF(row).open);
        EACH_LANE {
            OF(row).open = open;
            OF(change) =
                finish_row(given, first + (size_t)(k * ROWS + lane), kind, &OF(row), OF(change));
        }
        if (kind.momentum) {
            ALL_LANES(full, OF(row).exists);
            EACH_LANE {
                OF(square) = full ? add_own_squares(&OF(row), kind.space, OF(square)) : OF(square);
                leave_difference(scratch, lane, full, &OF(row));
            }
            if (ANY_OF_BLOCK(!full)) {
                BARRIER();
                EACH_LANE {
                    OF(square) = full ? OF(square) : add_column(scratch, lane, OF(square));
                }
            }
        }
        BARRIER();
    }
    EACH_LANE {
        scratch[lane] = OF(change);
        scratch[ROWS + lane] = OF(square);
    }
    BARRIER();
    EACH_LANE {
        if (lane < 2 && team.exists) {
            given->sum[2 * (given->first_box + team.index) + lane] = total(scratch + ROWS * lane);
        }
    }
}

#define SWEEP_KERNEL(name, space, momentum, creeps)                                                \
    KERNEL(name, SweepArguments) {                                                                 \
        TEAM_BEGIN                                                                                 \
        const SweepKind kind = {space, momentum, creeps};                                          \
        sweep_box(&given, team, kind);                                                             \
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
    size_t count;            /* 6 bodies */
    double beta;
} LiftArguments;

enum { LIFTS = 32 }; /* numbers for each lane */

/* Extrapolates the velocities: x -> x + beta (x - before), before = x. */
KERNEL(lift_bodies, LiftArguments) {
    TEAM_BEGIN
    EACH_LANE {
        for (int k = 0; k < LIFTS; k++) {
            const size_t i = (size_t)team.index * LIFTS * LANES + (size_t)(k * LANES + lane);
            if (i < given.count) {
                double *x = &given.body[BODY_NUMBERS * (i / 6) + i % 6];
                const double now = *x;
                *x = lifted(given.beta, now, given.velocity[i]);
                given.velocity[i] = now;
            }
        }
    }
}

#endif

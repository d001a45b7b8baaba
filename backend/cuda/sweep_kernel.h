/* The sweep of one box by one block, in the processor's own order and with its bits (src/sweep/packets.c):
 * packet by packet, a lane for each row of a packet.
 *
 * What a box does waits for itself, packet after packet, and what one packet takes is latency: so the
 * bodies of the box are in shared memory, and packets are asked for several ahead. All lanes of the
 * block help with that. The bits follow from a few rules: nothing is fused, roots and quotients are
 * rounded correctly, sums are taken lane by lane, and packets of open contacts are left alone only
 * if all of their rows agree. */
#ifndef SCREE_CUDA_SWEEP_KERNEL_H
#define SCREE_CUDA_SWEEP_KERNEL_H

#include "lanes.h"

#include "law/round.h"

enum {
    ROWS = SCREE_DEVICE_LANES,
    CONSTANTS = SCREE_DEVICE_CONSTANTS * ROWS, /* numbers of a packet */
    IMPULSES = SCREE_DEVICE_IMPULSES * ROWS,
    AHEAD = 4, /* packets that are under way */
    /* a packet in shared memory: constants, impulses, those before the last sweep, pairs */
    SLOT_IMPULSES = CONSTANTS,
    SLOT_BEFORE = SLOT_IMPULSES + IMPULSES,
    SLOT_PAIRS = SLOT_BEFORE + IMPULSES,
    SLOT = SLOT_PAIRS + ROWS / 2,
    SCRATCH = ROWS * SCREE_DEVICE_IMPULSES
};

/* Bytes of shared memory for a box with so many bodies. */
static inline size_t sweep_shared(size_t places) {
    return (SCREE_DEVICE_BODY * places + AHEAD * SLOT + SCRATCH) * sizeof(double);
}

typedef struct SweepArguments {
    int first_box;
    double *body, *impulse, *before;
    const double *constant;
    const uint32_t *pair;
    const int32_t *packet_end, *place_begin, *place_end, *place;
    double *sum;
    double beta, creep;
} SweepArguments;

/* What is known when a kernel is compiled. */
typedef struct SweepKind {
    bool space, momentum, creeps;
} SweepKind;

/* The bodies of a box: velocities of all along x, then along y, ... */
typedef struct BoxBodies {
    double *number;
    int count;
} BoxBodies;

typedef struct LaneRow {
    bool exists, wall, open;
    int a, b;
    RealVec3 n, rt, rt_now; /* `now`: before the extrapolation */
    double bias, rn, rn_now;
    LawRound contact;
} LaneRow;

ON_DEVICE RealVec3 vector(double x, double y, double z) {
    RealVec3 v;
    v.x = x, v.y = y, v.z = z;
    return v;
}

ON_DEVICE double number_of(BoxBodies bodies, int body, int member) {
    return bodies.number[member * bodies.count + body];
}

ON_DEVICE void put_number(BoxBodies bodies, int body, int member, double x) {
    bodies.number[member * bodies.count + body] = x;
}

/* v_b - v_a */
ON_DEVICE RealVec3 difference(BoxBodies bodies, const LaneRow *r) {
    return vector(number_of(bodies, r->b, 0) - number_of(bodies, r->a, 0),
                  number_of(bodies, r->b, 1) - number_of(bodies, r->a, 1),
                  number_of(bodies, r->b, 2) - number_of(bodies, r->a, 2));
}

/* s_b + s_a */
ON_DEVICE RealVec3 spins(BoxBodies bodies, const LaneRow *r) {
    return vector(number_of(bodies, r->b, 3) + number_of(bodies, r->a, 3),
                  number_of(bodies, r->b, 4) + number_of(bodies, r->a, 4),
                  number_of(bodies, r->b, 5) + number_of(bodies, r->a, 5));
}

/* ---------------------------------------------------------------- one row */

/* x -> x + beta (x - before) */
ON_DEVICE double lifted(double beta, double now, double before) {
    return now + beta * (now - before);
}

/* The row of a lane from a packet in shared memory. */
ON_DEVICE void take_row(const double *slot, int lane, double beta, SweepKind kind, LaneRow *r) {
    const uint32_t *pairs = (const uint32_t *)(slot + SLOT_PAIRS);
    const uint32_t pair = lane < ROWS ? pairs[lane] : SCREE_DEVICE_NO_ROW;
    r->exists = pair != SCREE_DEVICE_NO_ROW;
    if (!r->exists) {
        return;
    }
    const double *c = slot + lane, *x = c + SLOT_IMPULSES, *before = c + SLOT_BEFORE;
    r->wall = (pair & SCREE_DEVICE_WALL) != 0;
    r->a = (int)(pair & 0xffff);
    r->b = (int)((pair & ~SCREE_DEVICE_WALL) >> 16);
    r->n = vector(c[0], c[ROWS], kind.space ? c[2 * ROWS] : 0);
    r->bias = c[3 * ROWS];
    r->contact.mass_n = c[4 * ROWS];
    r->contact.mass_t = c[5 * ROWS];
    r->contact.mu = c[6 * ROWS];
    r->rn = r->rn_now = x[0];
    r->rt = r->rt_now =
        kind.space ? vector(x[ROWS], x[2 * ROWS], x[3 * ROWS]) : vector(x[ROWS], 0, 0);
    if (kind.momentum) {
        r->rn = lifted(beta, r->rn, before[0]);
        r->rt.x = lifted(beta, r->rt.x, before[ROWS]);
        r->rt.y = kind.space ? lifted(beta, r->rt.y, before[2 * ROWS]) : 0;
        r->rt.z = kind.space ? lifted(beta, r->rt.z, before[3 * ROWS]) : 0;
    }
}

/* Whether the row has no impulse and gets none, as in packet_stays_open of src/sweep/packet.h. */
ON_DEVICE bool stays_open(BoxBodies bodies, const LaneRow *r, SweepKind kind, double creep) {
    const double has = real_dot(r->rt, r->rt) + r->rn * r->rn;
    double push = real_dot(difference(bodies, r), r->n) + r->bias;
    push = kind.creeps ? push - r->contact.mu * creep : push;
    return !(has > 0) && !(0 > push);
}

ON_DEVICE void push_space(BoxBodies bodies, const LaneRow *r, RealVec3 d, RealVec3 twist) {
    const double part[6] = {d.x, d.y, d.z, twist.x, twist.y, twist.z};
    for (int k = 0; k < 6; k++) {
        const double per = number_of(bodies, r->a, k < 3 ? 6 : 7);
        put_number(bodies, r->a, k, number_of(bodies, r->a, k) - per * part[k]);
    }
    for (int k = 0; k < 6 && !r->wall; k++) {
        const double per = number_of(bodies, r->b, k < 3 ? 6 : 7), x = number_of(bodies, r->b, k);
        put_number(bodies, r->b, k, k < 3 ? x + per * part[k] : x - per * part[k]);
    }
}

/* As packet_space; adds |dR|^2 to `change`. */
ON_DEVICE double update_space(BoxBodies bodies, LaneRow *r, const double *creep, double change) {
    const RealVec3 n = r->n, s = spins(bodies, r);
    RealVec3 u = difference(bodies, r);
    const double un = real_dot(u, n), rn = r->rn;
    u = vector((u.x - s.y * n.z) + s.z * n.y, (u.y - s.z * n.x) + s.x * n.z,
               (u.z - s.x * n.y) + s.y * n.x);
    u = real_msub3(u, un, n);
    const RealVec3 rt = r->rt;
    law_round_space(&r->contact, un + r->bias, u, creep, &r->rn, &r->rt);

    const double dn = r->rn - rn;
    const RealVec3 dt = vector(r->rt.x - rt.x, r->rt.y - rt.y, r->rt.z - rt.z);
    const RealVec3 twist =
        vector(n.y * dt.z - n.z * dt.y, n.z * dt.x - n.x * dt.z, n.x * dt.y - n.y * dt.x);
    const RealVec3 d = real_madd3(dt, dn, n);
    push_space(bodies, r, d, twist);
    return ((change + d.x * d.x) + d.y * d.y) + d.z * d.z;
}

/* As packet_plane. */
ON_DEVICE double update_plane(BoxBodies bodies, LaneRow *r, const double *creep, double change) {
    const double nx = r->n.x, ny = r->n.y, rn = r->rn, rt = r->rt.x;
    const double ux = number_of(bodies, r->b, 0) - number_of(bodies, r->a, 0);
    const double uy = number_of(bodies, r->b, 1) - number_of(bodies, r->a, 1);
    const double un = ux * nx + uy * ny;
    const double ut =
        (uy * nx - ux * ny) - (number_of(bodies, r->a, 5) + number_of(bodies, r->b, 5));
    law_round_plane(&r->contact, un + r->bias, ut, creep, &r->rn, &r->rt.x);

    const double dn = r->rn - rn, dt = r->rt.x - rt;
    const double part[2] = {dn * nx - dt * ny, dn * ny + dt * nx};
    for (int k = 0; k < 2; k++) {
        const double by_a = number_of(bodies, r->a, 6) * part[k];
        const double by_b = number_of(bodies, r->b, 6) * part[k];
        put_number(bodies, r->a, k, number_of(bodies, r->a, k) - by_a);
        if (!r->wall) {
            put_number(bodies, r->b, k, number_of(bodies, r->b, k) + by_b);
        }
    }
    put_number(bodies, r->a, 5, number_of(bodies, r->a, 5) - number_of(bodies, r->a, 7) * dt);
    if (!r->wall) {
        put_number(bodies, r->b, 5, number_of(bodies, r->b, 5) - number_of(bodies, r->b, 7) * dt);
    }
    return (change + dn * dn) + dt * dt;
}

/* ---------------------------------------------------------------- packets on their way */

/* What a lane asks for of the 16-byte pieces of some columns of a packet; in the plane the columns
 * along z are left out. */
ON_DEVICE void fetch_columns(double *to, const double *from, int columns, unsigned skipped,
                             int lane) {
    for (int k = lane; k < columns * ROWS / 2; k += LANES) {
        if ((skipped >> (k / (ROWS / 2)) & 1) == 0) {
            async_copy(to + 2 * k, from + 2 * k, 16);
        }
    }
}

ON_DEVICE void fetch_packet(const SweepArguments *given, int packet, int lane, SweepKind kind,
                            double *slot) {
    const unsigned along_z = kind.space ? 0 : 4, beyond_x = kind.space ? 0 : 12;
    const int32_t at = packet;
    fetch_columns(slot, given->constant + (size_t)at * CONSTANTS, SCREE_DEVICE_CONSTANTS, along_z,
                  lane);
    fetch_columns(slot + SLOT_IMPULSES, given->impulse + (size_t)at * IMPULSES,
                  SCREE_DEVICE_IMPULSES, beyond_x, lane);
    if (kind.momentum) {
        fetch_columns(slot + SLOT_BEFORE, given->before + (size_t)at * IMPULSES,
                      SCREE_DEVICE_IMPULSES, beyond_x, lane);
    }
    if (lane < ROWS / 4) {
        async_copy(slot + SLOT_PAIRS + 2 * lane, given->pair + (size_t)at * ROWS + 4 * lane, 16);
    }
}

/* ---------------------------------------------------------------- the sums of a box */

/* Squares of R - R before by the rule of src/sweep/packets.c: of a full packet each lane has those of its
 * row; of others lane k has those of the k-th number of all rows. */
ON_DEVICE void leave_difference(double *scratch, int lane, const LaneRow *r) {
    if (r->exists) {
        double *d = scratch + SCREE_DEVICE_IMPULSES * lane;
        d[0] = r->rn - r->rn_now;
        d[1] = r->rt.x - r->rt_now.x;
        d[2] = r->rt.y - r->rt_now.y;
        d[3] = r->rt.z - r->rt_now.z;
    }
}

ON_DEVICE double add_squares(const double *scratch, int lane, bool full, const uint32_t *pairs,
                             bool space, double square) {
    if (lane >= ROWS) {
        return square;
    }
    for (int k = 0; full && k < (space ? SCREE_DEVICE_IMPULSES : 2); k++) {
        const double d = scratch[SCREE_DEVICE_IMPULSES * lane + k];
        square += d * d;
    }
    for (int k = 0; !full && lane < SCREE_DEVICE_IMPULSES && k < ROWS; k++) {
        if (pairs[k] != SCREE_DEVICE_NO_ROW) {
            const double d = scratch[SCREE_DEVICE_IMPULSES * k + lane];
            square += d * d;
        }
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

ON_DEVICE void bring_bodies(const SweepArguments *given, int begin, BoxBodies bodies, int lane) {
    for (int k = lane; k < SCREE_DEVICE_BODY * bodies.count; k += LANES) {
        const int32_t place = given->place[begin + k / SCREE_DEVICE_BODY];
        const size_t body = (size_t)(place < 0 ? -1 - place : place);
        const int member = k % SCREE_DEVICE_BODY;
        async_copy(&bodies.number[member * bodies.count + k / SCREE_DEVICE_BODY],
                   &given->body[SCREE_DEVICE_BODY * body + (size_t)member], 8);
    }
}

/* Walls stay as they are. */
ON_DEVICE void return_bodies(const SweepArguments *given, int begin, BoxBodies bodies, int lane) {
    enum { MOVING = 6 };
    for (int k = lane; k < MOVING * bodies.count; k += LANES) {
        const int32_t place = given->place[begin + k / MOVING];
        if (place >= 0) {
            given->body[SCREE_DEVICE_BODY * (size_t)place + (size_t)(k % MOVING)] =
                number_of(bodies, k / MOVING, k % MOVING);
        }
    }
}

ON_DEVICE void store_row(const SweepArguments *given, int packet, int lane, SweepKind kind,
                         const LaneRow *r) {
    double *x = given->impulse + (size_t)packet * IMPULSES + lane;
    double *before = given->before + (size_t)packet * IMPULSES + lane;
    if (!r->exists || (r->open && !kind.momentum)) {
        return;
    }
    x[0] = r->rn;
    x[ROWS] = r->rt.x;
    if (kind.space) {
        x[2 * ROWS] = r->rt.y;
        x[3 * ROWS] = r->rt.z;
    }
    if (kind.momentum) {
        before[0] = r->rn_now;
        before[ROWS] = r->rt_now.x;
    }
    if (kind.momentum && kind.space) {
        before[2 * ROWS] = r->rt_now.y;
        before[3 * ROWS] = r->rt_now.z;
    }
}

ON_DEVICE void sweep_box(const SweepArguments *given, const Block block, SweepKind kind) {
    const int box = given->first_box + block.index;
    const int first = box > 0 ? given->packet_end[box - 1] : 0, end = given->packet_end[box];
    const int begin = given->place_begin[box];
    const BoxBodies bodies = {block.shared, given->place_end[box] - begin};
    double *ring = block.shared + SCREE_DEVICE_BODY * bodies.count, *scratch = ring + AHEAD * SLOT;
    const double *creep = kind.creeps ? &given->creep : NULL;
    LANE_VALUE(LaneRow, row);
    LANE_VALUE(double, change);
    LANE_VALUE(double, square);

    EACH_LANE {
        OF(change) = OF(square) = 0;
        bring_bodies(given, begin, bodies, lane);
        for (int k = 0; k < AHEAD - 1; k++) {
            if (first + k < end) {
                fetch_packet(given, first + k, lane, kind, ring + k * SLOT);
            }
            async_end_lot();
        }
    }
    for (int k = 0; first + k < end; k++) {
        double *slot = ring + k % AHEAD * SLOT;
        const uint32_t *pairs = (const uint32_t *)(slot + SLOT_PAIRS);
        EACH_LANE {
            if (first + k + AHEAD - 1 < end) {
                fetch_packet(given, first + k + AHEAD - 1, lane, kind,
                             ring + (k + AHEAD - 1) % AHEAD * SLOT);
            }
            async_end_lot();
            async_wait(AHEAD - 1);
        }
        BARRIER();
        const bool full = pairs[ROWS - 1] != SCREE_DEVICE_NO_ROW;
        bool open;
        EACH_LANE {
            take_row(slot, lane, given->beta, kind, &OF(row));
            OF(row).open = kind.space && full &&
                           (!OF(row).exists || stays_open(bodies, &OF(row), kind, given->creep));
        }
        ALL_LANES(open, OF(row).open);
        EACH_LANE {
            OF(row).open = open;
            if (OF(row).exists && !open) {
                OF(change) = kind.space ? update_space(bodies, &OF(row), creep, OF(change))
                                        : update_plane(bodies, &OF(row), creep, OF(change));
            }
            store_row(given, first + k, lane, kind, &OF(row));
            if (kind.momentum) {
                leave_difference(scratch, lane, &OF(row));
            }
        }
        BARRIER();
        EACH_LANE {
            if (kind.momentum) {
                OF(square) = add_squares(scratch, lane, full, pairs, kind.space, OF(square));
            }
        }
        BARRIER();
    }
    async_wait(0);
    BARRIER();
    EACH_LANE {
        return_bodies(given, begin, bodies, lane);
        if (lane < ROWS) {
            scratch[lane] = OF(change);
            scratch[ROWS + lane] = OF(square);
        }
    }
    BARRIER();
    EACH_LANE {
        if (lane < 2) {
            given->sum[2 * box + lane] = total(scratch + ROWS * lane);
        }
    }
}

#define SWEEP_KERNEL(name, space, momentum, creeps)                                                \
    KERNEL(name, SweepArguments) {                                                                 \
        BLOCK_BEGIN                                                                                \
        const SweepKind kind = {space, momentum, creeps};                                          \
        sweep_box(&given, block, kind);                                                            \
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

enum { LIFTS = 8 }; /* numbers for each lane */

/* Extrapolates the velocities: x -> x + beta (x - before), before = x. */
KERNEL(lift_bodies, LiftArguments) {
    BLOCK_BEGIN
    EACH_LANE {
        for (int k = 0; k < LIFTS; k++) {
            const size_t i = (size_t)block.index * LIFTS * LANES + (size_t)(k * LANES + lane);
            if (i < given.count) {
                double *x = &given.body[SCREE_DEVICE_BODY * (i / 6) + i % 6];
                const double now = *x;
                *x = lifted(given.beta, now, given.velocity[i]);
                given.velocity[i] = now;
            }
        }
    }
}

#endif

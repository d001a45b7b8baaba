/* A lane and its row: the bodies of the row, and its update by Coulomb's law. */
#ifndef SCREE_CUDA_LANE_ROW_H
#define SCREE_CUDA_LANE_ROW_H

#include "box_sums.h"

#include "law/terms.h"

/* ---------------------------------------------------------------- numbers */

typedef struct LaneBody {
    RealVec3 v, s;
    double per_mass, per_inertia;
} LaneBody;

/* The law of a row beyond Coulomb's. */
typedef struct LaneLaw {
    double adhesion, least, most_at_rest, soft_n, soft_mass_n, soft_t, soft_mass_t;
    RealVec3 bias_t;
    LawRolls rolls;
    double per_length_a, per_length_b, hertz;
    RealVec3 turn;
    double before[TORQUES];
    unsigned signs; /* of the torque before the update */
} LaneLaw;

/* The row of a lane at its next turn. Registers are short, and decide how many boxes are under way: so nothing is kept
 * here that follows from the rest. */
typedef struct LaneRow {
    unsigned flags; /* 0: there is no row */
    int row;
    unsigned bodies, place; /* with b above a, and with what the row is above the place */
    RealVec3 n, rt;         /* n: the normal; after the update the change of the impulse */
    double bias, rn;
    double before[IMPULSES];
    LawRound contact;
    LaneLaw law; /* where rows have any */
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
/* Of a row with Coulomb's law, which is nothing else. */
ON_DEVICE bool meets_wall(const LaneRow *r) {
    return r->place >> 16 != 0;
}
/* What it is. */
ON_DEVICE bool is(const LaneRow *r, unsigned what) {
    return (r->place >> 16 & what) != 0;
}
ON_DEVICE unsigned parts_of(const LaneRow *r) {
    return (r->place >> 16) / SCREE_DEVICE_PARTS % LAW_PARTS;
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
ON_DEVICE void update_space(const BoxAtWork *at, const double *creep, bool wall, LaneRow *r) {
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
    if (!wall) {
        store_body(at, body_b(r), &b);
    }
    r->n = d;
    forget_constants(r);
}

/* As packet_plane. */
ON_DEVICE void update_plane(const BoxAtWork *at, const double *creep, bool wall, LaneRow *r) {
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
    if (!wall) {
        store_body(at, body_b(r), &b);
    }
    r->n = vector(dn, dt, 0);
}

#endif

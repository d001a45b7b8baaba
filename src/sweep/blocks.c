#include "sweep/blocks.h"

#include "sweep/sweeping.h"

#include "law/block.h"
#include "sweep/block_alone.h"
#include "sweep/block_columns.h"

_Static_assert(sizeof(Sym3) == 6 * sizeof(double), "xx, xy, xz, yy, yz, zz");

/* The inverse inertias of WIDE bodies. */
typedef struct Inertias {
    double *at[WIDE];
    double round[WIDE][6]; /* of bodies that have no tensor */
} Inertias;

/* `side` is 0 for a and 1 for b; `body` are those of this side. */
WIDE_INLINE void find_inertias(const Problem *p, const double *g, int side,
                               double *const body[WIDE], size_t count, Inertias *out) {
    const BodyIndex *index = (const BodyIndex *)(g + BLOCK_TENSORS * PACKET_ROWS) + side;
    BodyIndex signs = 0;
    for (size_t k = 0; k < WIDE; k++) {
        signs |= k < count ? index[2 * k] : -1;
    }
    for (size_t k = 0; k < WIDE && signs >= 0; k++) {
        out->at[k] = &p->tensor[index[2 * k]].inverse_inertia.xx;
    }
    for (size_t k = 0; k < WIDE && signs < 0; k++) {
        int32_t tensor = k < count ? index[2 * k] : -1;
        if (tensor >= 0) {
            out->at[k] = &p->tensor[tensor].inverse_inertia.xx;
        } else {
            const double i = body[k][7];
            double *of = out->round[k];
            of[0] = of[3] = of[5] = i;
            of[1] = of[2] = of[4] = 0;
            out->at[k] = of;
        }
    }
}

/* I^-1 t */
WIDE_INLINE WideVec3 turn_by(const Inertias *inertia, WideVec3 t) {
    Wide xx, xy, xz, yy, yz, zz, skip;
    wide_gather4(inertia->at, &xx, &xy, &xz, &yy);
    wide_gather4(members(inertia->at, 2).at, &skip, &skip, &yz, &zz);
    return (WideVec3){wide_madd(wide_madd(wide_mul(xx, t.x), xy, t.y), xz, t.z),
                      wide_madd(wide_madd(wide_mul(xy, t.x), yy, t.y), yz, t.z),
                      wide_madd(wide_madd(wide_mul(xz, t.x), yz, t.y), zz, t.z)};
}

/* ---------------------------------------------------------------- the parts of an update */

/* Rows of a packet share no body, so each part of the update is made for all of them before the next.
 * What passes from one to the next, as columns: */
enum {
    STOP_PUSH,
    STOP_N, /* the impulse that would stop the contact, and then the one that it gets */
    STOP_T1,
    STOP_T2,
    STOP_WAS1, /* tangential impulse before */
    STOP_WAS2,
    STOP_SLIDES, /* 1 or 0 */
    STOP_HARD,   /* likewise: of those that slide, which law/block.h leaves to law/coulomb.h */
    STOP_MEMBERS,
    STOP_NUMBERS = STOP_MEMBERS * PACKET_ROWS
};

WIDE_INLINE LawBlock block_contacts(const double *c, const double *g) {
    const Wide per_nn = column(c, ROW_MASS_N);
    return (LawBlock){per_nn,
                      wide_mul(column(g, BLOCK_W + 1), per_nn),
                      wide_mul(column(g, BLOCK_W + 2), per_nn),
                      column(g, BLOCK_REST),
                      column(g, BLOCK_REST + 1),
                      column(c, ROW_MU)};
}

/* The second tangent is made from the others, as problem.c makes it: rows that do not stay in the caches
 * wait for memory, not for products. */
WIDE_INLINE WideVec3 second_tangent(const double *c, const double *g) {
    return wide_cross(column3(c, ROW_NORMAL), column3(g, BLOCK_T1));
}

/* Relative velocities of WIDE rows, and the impulses that would stop them: `k`. Returns whether any of
 * them has an impulse, of any sign, or gets one. */
WIDE_INLINE bool stop_blocks(const double *c, const double *g, const Pairs *p, double *k) {
    WideVec3 u, sa, sb, rt = column3(c, ROW_RT);
    wide_relative_spins(p->a, p->b, &u, &sa, &sb);
    /* u = v_b - v_a + s_b x arm_b - s_a x arm_a */
    u = wide_sub3(u, wide_cross(sa, column3(g, BLOCK_ARM_A)));
    u = wide_add3(u, wide_cross(sb, column3(g, BLOCK_ARM_B)));
    const WideVec3 n = column3(c, ROW_NORMAL), t1 = column3(g, BLOCK_T1), t2 = second_tangent(c, g);
    Wide un = wide_add(wide_dot(u, n), column(c, ROW_BIAS));
    const LawParts at = {un, wide_dot(u, t1), wide_dot(u, t2)};
    const LawParts was = {column(c, ROW_RN), wide_dot(rt, t1), wide_dot(rt, t2)};
    const LawBlock contacts = block_contacts(c, g);
    const LawStop stop = law_block_stop(&contacts, at, was);
    const Wide zero = wide_all(0);
    put_column(k, STOP_PUSH, stop.push);
    put_column(k, STOP_N, wide_select(stop.closes, stop.x.n, zero));
    put_column(k, STOP_T1, wide_select(stop.closes, stop.x.t1, zero));
    put_column(k, STOP_T2, wide_select(stop.closes, stop.x.t2, zero));
    put_column(k, STOP_WAS1, was.t1);
    put_column(k, STOP_WAS2, was.t2);
    put_column(k, STOP_SLIDES, wide_select(stop.slides, wide_all(1), zero));
    Wide tangential = wide_madd(wide_mul(was.t1, was.t1), was.t2, was.t2);
    Wide square = wide_madd(tangential, was.n, was.n);
    return wide_any(wide_or(stop.closes, wide_above(square, zero)));
}

WIDE_INLINE bool any_slides(const double *k) {
    WideMask any = wide_above(column(k, STOP_SLIDES), wide_all(0));
    for (int j = WIDE; j < PACKET_ROWS; j += WIDE) {
        any = wide_or(any, wide_above(column(k + j, STOP_SLIDES), wide_all(0)));
    }
    return wide_any(any);
}

/* The rows of a packet that slide, WIDE by WIDE. */
typedef struct Sliders {
    int row[PACKET_ROWS + WIDE];
    int count;
} Sliders;

/* The last of WIDE rows are repeated if there are fewer. */
WIDE_INLINE Sliders find_sliders(const double *k) {
    Sliders s = {.count = 0};
    for (int j = 0; j < PACKET_ROWS; j++) {
        s.row[s.count] = j;
        s.count += k[STOP_SLIDES * PACKET_ROWS + j] > 0;
    }
    for (int j = 1; j < WIDE && s.count > 0; j++) {
        s.row[s.count + j - 1] = s.row[s.count - 1];
    }
    return s;
}

/* The numbers of one member of some rows. */
WIDE_INLINE Wide pick(const double *c, int member, const int row[WIDE]) {
    return wide_pick(c + member * PACKET_ROWS, row);
}

WIDE_INLINE LawBlock pick_block(const double *c, const double *g, const int row[WIDE]) {
    const Wide per_nn = pick(c, ROW_MASS_N, row);
    return (LawBlock){per_nn,
                      wide_mul(pick(g, BLOCK_W + 1, row), per_nn),
                      wide_mul(pick(g, BLOCK_W + 2, row), per_nn),
                      pick(g, BLOCK_REST, row),
                      pick(g, BLOCK_REST + 1, row),
                      pick(c, ROW_MU, row)};
}

/* The law that law/block.h leaves to law/coulomb.h. Without its own impulse a contact has the velocity
 * q_n = -W_nn push, q_i = -l_i x_i - W_ni push. */
static void slide_alone(const double *c, const double *g, double *k) {
    double w[BLOCK_REST - BLOCK_W], r[3];
    for (int m = 0; m < BLOCK_REST - BLOCK_W; m++) {
        w[m] = g[(BLOCK_W + m) * PACKET_ROWS];
    }
    const double push = k[STOP_PUSH * PACKET_ROWS], *per = g + BLOCK_REST * PACKET_ROWS;
    const double q[3] = {-w[0] * push, -k[STOP_T1 * PACKET_ROWS] / per[0] - w[1] * push,
                         -k[STOP_T2 * PACKET_ROWS] / per[PACKET_ROWS] - w[2] * push};
    scr_block_alone(w, q, c[ROW_MU * PACKET_ROWS], r);
    for (int m = 0; m < 3; m++) {
        k[(STOP_N + m) * PACKET_ROWS] = r[m];
    }
}

WIDE_INLINE void put_sliding(const LawSliding *x, const int row[WIDE], int count, const double *c,
                             const double *g, double *k) {
    double n[WIDE], t1[WIDE], t2[WIDE], hard[WIDE];
    wide_store(n, x->x.n), wide_store(t1, x->x.t1), wide_store(t2, x->x.t2);
    wide_store(hard, wide_select(x->hard, wide_all(1), wide_all(0)));
    for (int j = 0; j < WIDE && j < count; j++) {
        double *to = k + row[j];
        to[STOP_N * PACKET_ROWS] = n[j];
        to[STOP_T1 * PACKET_ROWS] = t1[j];
        to[STOP_T2 * PACKET_ROWS] = t2[j];
        if (hard[j] > 0) {
            slide_alone(c + row[j], g + row[j], to);
        }
    }
}

/* Lets a few rows slide that are picked out of the packet. */
WIDE_INLINE void slide_some(const double *c, const double *g, const Sliders *s, int first,
                            double *k) {
    const int *row = s->row + first;
    const LawBlock contacts = pick_block(c, g, row);
    const WideMask slides = wide_above(wide_all(1), wide_all(0));
    LawSliding x = {.push = pick(k, STOP_PUSH, row),
                    .was = {wide_all(0), pick(k, STOP_WAS1, row), pick(k, STOP_WAS2, row)},
                    .x = {pick(k, STOP_N, row), pick(k, STOP_T1, row), pick(k, STOP_T2, row)}};
    law_block_slip(&contacts, &slides, &x, 1);
    put_sliding(&x, row, s->count - first, c, g, k);
}

/* Where most rows slide, all are computed as they are. */
WIDE_INLINE void slide_most(const double *c, const double *g, const Sliders *s, double *k) {
    enum { GROUPS = PACKET_ROWS / WIDE };
    LawBlock contacts[GROUPS];
    LawSliding x[GROUPS];
    WideMask slides[GROUPS];
    for (int j = 0; j < GROUPS; j++) {
        const double *at = k + j * WIDE;
        contacts[j] = block_contacts(c + j * WIDE, g + j * WIDE);
        slides[j] = wide_above(column(at, STOP_SLIDES), wide_all(0));
        x[j].push = column(at, STOP_PUSH);
        x[j].was = (LawParts){wide_all(0), column(at, STOP_WAS1), column(at, STOP_WAS2)};
        x[j].x = (LawParts){column(at, STOP_N), column(at, STOP_T1), column(at, STOP_T2)};
    }
    law_block_slip(contacts, slides, x, GROUPS);
    for (int j = 0; j < GROUPS; j++) {
        double *at = k + j * WIDE;
        put_column(at, STOP_N, wide_select(slides[j], x[j].x.n, column(at, STOP_N)));
        put_column(at, STOP_T1, wide_select(slides[j], x[j].x.t1, column(at, STOP_T1)));
        put_column(at, STOP_T2, wide_select(slides[j], x[j].x.t2, column(at, STOP_T2)));
        put_column(at, STOP_HARD, wide_select(x[j].hard, wide_all(1), wide_all(0)));
    }
    for (int j = 0; j < s->count; j++) {
        const int row = s->row[j];
        if (k[STOP_HARD * PACKET_ROWS + row] > 0) {
            slide_alone(c + row, g + row, k + row);
        }
    }
}

/* Lets those rows of a packet slide that do. */
static __attribute__((noinline)) void slide_blocks(const double *c, const double *g, double *k) {
    const Sliders s = find_sliders(k);
    if (s.count > PACKET_ROWS / 2) {
        slide_most(c, g, &s, k);
        return;
    }
    for (int first = 0; first < s.count; first += WIDE) {
        slide_some(c, g, &s, first, k);
    }
}

/* New impulses, and the velocities that follow. Adds |dR|^2 to `change`. */
WIDE_INLINE Wide push_blocks(const Problem *problem, double *c, const double *g, const Pairs *p,
                             size_t count, const double *k, Wide change) {
    const Wide rn = column(k, STOP_N), r1 = column(k, STOP_T1), r2 = column(k, STOP_T2);
    const WideVec3 n = column3(c, ROW_NORMAL), t1 = column3(g, BLOCK_T1), t2 = second_tangent(c, g);
    WideVec3 rt = wide_madd3(wide_scale3(r1, t1), r2, t2);
    Wide dn = wide_sub(rn, column(c, ROW_RN));
    WideVec3 d = wide_madd3(wide_sub3(rt, column3(c, ROW_RT)), dn, n);
    put_column(c, ROW_RN, rn);
    put_column3(c, ROW_RT, rt);
    Inertias inertia_a, inertia_b;
    find_inertias(problem, g, 0, p->a, count, &inertia_a);
    find_inertias(problem, g, 1, p->b, count, &inertia_b);
    WideVec3 ta = turn_by(&inertia_a, wide_cross(column3(g, BLOCK_ARM_A), d));
    WideVec3 tb = turn_by(&inertia_b, wide_cross(column3(g, BLOCK_ARM_B), d));
    wide_push_turns(p->a, p->b, p->to, d, ta, tb);
    return wide_add(change, wide_dot(d, d));
}

/* Nothing happens in a packet whose rows are open and stay so. All rows decide together, at every
 * vector width. */
WIDE_INLINE void update_packet(const Problem *p, Walls walls, double *c, const double *g,
                               size_t count, double change[PACKET_ROWS]) {
    double k[STOP_NUMBERS];
    Pairs pairs[PACKET_ROWS / WIDE];
    ProblemBody nothing = {.inverse_mass = 0};
    bool acts = false;
    for (size_t j = 0; j < PACKET_ROWS; j += WIDE) {
        pairs[j / WIDE] = find_pairs(p->body, walls, &nothing, c + j, j < count ? count - j : 0);
        acts = stop_blocks(c + j, g + j, &pairs[j / WIDE], k + j) || acts;
    }
    if (!acts) {
        return;
    }
    if (any_slides(k)) {
        slide_blocks(c, g, k);
    }
    for (size_t j = 0; j < PACKET_ROWS && j < count; j += WIDE) {
        Wide sum = wide_load(change + j);
        sum = push_blocks(p, c + j, g + j, &pairs[j / WIDE], count - j, k + j, sum);
        wide_store(change + j, sum);
    }
}

void scr_update_blocks(const Problem *p, Walls walls, double *c, const double *g, size_t count,
                       double change[PACKET_ROWS]) {
    if (count == PACKET_ROWS) { /* compiled separately */
        update_packet(p, walls, c, g, PACKET_ROWS, change);
    } else {
        update_packet(p, walls, c, g, count, change);
    }
}

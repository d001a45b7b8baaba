/* The discrete contact problem as plain data: bodies that have velocities, and contacts (rows) that
 * exchange impulses between them. It knows neither shapes nor time nor the simulator.
 *
 * Unknown impulses R_c act on body b of contact c, and their opposites on its body a; velocities
 * follow them at once: V = V_free + M^-1 H R. The relative velocity at the contact is (Unger and
 * Kertesz, eq 3) u = v_b + w_b x l_b - v_a - w_a x l_a, and with the constraint term `bias` (max(g,
 * 0) / dt) the law is: u_n + bias >= 0, R_n >= 0, their product zero; |R_t| <= mu R_n, opposite to
 * u_t where it slides.
 *
 * Spin is stored as a velocity: s = l w, with l a length of the body (its radius, if it is round).
 * For round bodies l_a = r_a n, l_b = -r_b n, and so u = v_b - v_a - (s_a + s_b) x n: no arm needs
 * to be stored, and the block W = H^T M^-1 H is diagonal (eqs 17 to 19). Rows where it is not have
 * a GeneralRow as well, and rows whose law is more than rigid Coulomb friction a LawRow. */
#ifndef SCREE_PROBLEM_PROBLEM_H
#define SCREE_PROBLEM_PROBLEM_H

#include "base/memory.h"
#include "base/threads.h"
#include "math/root.h"
#include "math/vec.h"
#include "problem/cell_body.h"

#include <scree/scree.h>

/* One cache line. The kernels of the sweep rely on the order of the members. */
typedef struct ProblemBody {
    Vec3 v;
    Vec3 s; /* spin times the body's length */
    double inverse_mass;
    double inverse_inertia; /* of s: length^2 / inertia */
} ProblemBody;

/* Whether an impulse can change the body at all. It cannot change walls, which many rows may read
 * at once. */
static inline bool scr_is_movable(const ProblemBody *body) {
    return body->inverse_mass > 0 || body->inverse_inertia > 0;
}

/* Inverse masses that depend on direction: of a body that is frozen along some axis, or a
 * piston. */
typedef struct Tensor {
    Sym3 inverse_mass;
    Sym3 inverse_inertia;
} Tensor;

/* Whether the mass of a body is the same in all directions; its inertia need not be. NULL: no
 * tensor. */
static inline bool scr_is_scalar_mass(const ProblemBody *body, const Tensor *tensor) {
    const double m = body->inverse_mass;
    const Sym3 *t = tensor != NULL ? &tensor->inverse_mass : NULL;
    return t == NULL ||
           (t->xx == m && t->yy == m && t->zz == m && t->xy == 0 && t->xz == 0 && t->yz == 0);
}

/* The kernels of the sweep rely on the order of the members, four by four. */
typedef struct Row {
    Vec3 normal;           /* unit, from a to b */
    double bias;           /* [velocity] how far u_n may be below zero: max(g, 0) / dt */
    double rn;             /* normal impulse */
    Vec3 rt;               /* tangential impulse; in the plane rt.x is its part along (-n.y, n.x) */
    double mass_n, mass_t; /* 1 / W_nn, 1 / W_tt (0 where nothing can move) */
    double mu;
    int32_t a, b;
} Row;

/* What a row needs in addition when its block is full. In the plane the second tangent plays no
 * part, and n2 is replaced by 1 / (W_11 - W_n1^2 / W_nn), or by 0 where that would be beyond all
 * measure because the body cannot move along the tangent. */
enum { BLOCK_PER_REST = 2 };

/* In space, where packets can take the row (law/block.h), t1 and t2 are the principal axes of W_tt -
 * w w^T / W_nn, the larger first, and per_rest has the inverses of its eigenvalues. The bodies then
 * have scalar masses; their inertias may be tensors. per_rest is 0 where the block is out of the
 * ordinary, or nearly singular, or a mass depends on direction. The kernels of the sweep rely on the
 * order of the members. */
typedef struct GeneralRow {
    Vec3 arm_a, arm_b;          /* divided by the body's length */
    Vec3 t1, t2;                /* frame (normal, t1, t2); in the plane t1 = (-n.y, n.x, 0) */
    double block[6];            /* W: nn, n1, n2, 11, 12, 22 */
    double per_rest[2];         /* in space: 1 / (W_ii - W_ni^2 / W_nn), see below */
    int32_t tensor_a, tensor_b; /* -1: the body's own scalars */
} GeneralRow;

/* A torque T, by the normal n of its row: in these parts friction and rolling are coupled by one
 * number (law/rolling.h). In the plane T is along z, and is the twist. */
typedef struct Torque {
    Vec3 roll;    /* T x n */
    double twist; /* T . n */
} Torque;

static inline Torque scr_torque_parts(int dimension, Vec3 n, Vec3 torque) {
    return dimension == 3 ? (Torque){cross(torque, n), dot(torque, n)}
                          : (Torque){vec3(0, 0, 0), torque.z};
}

static inline Vec3 scr_whole_torque(int dimension, Vec3 n, Torque t) {
    return dimension == 3 ? add_scaled(cross(n, t.roll), t.twist, n) : vec3(0, 0, t.twist);
}

/* What a row needs in addition when its law is more than rigid, inelastic Coulomb friction.
 *
 * Normal: with P = R_n + adhesion, u_n + bias + soft_n P >= 0 and R_n >= least, complementary; for
 * an open bond see law/normal.h. Tangential: |R_t| <= mu P, opposite to u_t + bias_t + soft_t R_t
 * where it slides, which is zero where it does not. Torque T on b and -T on a: |T_t| <= (rolling +
 * (hertz P)^(1/3)) P (in the plane ^(1/2)) and |T_n| <= torsion P, opposite to the relative spin w =
 * w_b - w_a (Brendel, Unger and Wolf, eqs 1.38 to 1.45). */
typedef struct LawRow {
    double adhesion;            /* F_C dt of a bond */
    double least, most_at_rest; /* see law/normal.h */
    double soft_n, soft_t;      /* [velocity/impulse] 1 / (k dt^2); 0: rigid */
    double mass_n, mass_t;      /* 1 / (W_nn + soft_n), 1 / (W_tt + soft_t) */
    Vec3 bias_t;  /* [velocity] of restitution and the spring's memory; laid out like rt */
    bool torques; /* whether the members below are used */
    bool bonded;  /* two bodies are glued (dynamics/bonds.h): bias, bias_t and turn are what brings
                     them back to where they belong */
    bool bridged; /* by a liquid, which pulls with the adhesion whether the gap opens or closes */
    bool keeps;   /* a cohesive point that has never given way: bias draws it in from the tangent */
    /* Set by scr_law_complete: everything can move, and where friction holds the torques have a
     * closed form. */
    bool ordinary;
    double rolling, hertz, torsion;    /* hertz: rolling_hertz^3 r* / dt, in the plane ^2 */
    double reach;                      /* [length] reduced radius: unit of torque over impulse */
    double per_square;                 /* 1 / reach^2; 0 without torques */
    double per_length_a, per_length_b; /* w = s * per_length; 0 for walls */
    Vec3 turn;                         /* [1/time] spin of a wall, or see `bonded` */
    double coupling, mass_o; /* of u_t and T x n, and 1 / W of the relative spin: see problem.c */
    double mass_roll; /* the latter while friction holds: mass_o / (1 - coupling^2 mass_t mass_o) */
    Torque torque;    /* impulse on b */
} LawRow;

/* A contact with a static and a dynamic coefficient; mu of its row is one of the two. */
typedef struct TwoFriction {
    double sliding, holding;
    Vec3 before; /* tangential velocity at the start of the step, laid out like rt of the row */
    int32_t row;
    bool holds;  /* the static one is in use */
    bool turned; /* has changed to holding in this step, and must not do so again */
} TwoFriction;

enum { PROBLEM_SUMS = 12 };

typedef struct Problem {
    int dimension;
    size_t bodies, rows, tensors, twos;
    ProblemBody *body;
    Row *row;
    int32_t *general_of; /* [rows] index or -1; NULL when there can be no general row */
    GeneralRow *general;
    Tensor *tensor;
    int32_t *law_of; /* [rows] index or -1; NULL when there can be no law row */
    LawRow *law;
    void *packets;    /* work space of the sweep: see scr_packet_room in sweep/packets.h */
    TwoFriction *two; /* [twos] */
    /* Sum of |R|^2 of each row solved alone, from the relative velocity q at zero impulse,
     * including bias. */
    double free_square;
    double free_square_fclib; /* sum |q|^2 */
    double *approach;         /* [rows] max(0, -q_n); NULL: not known */
    double least_approach;    /* [velocity] what the residual in velocities is measured in at least:
                                 the velocity that a body at rest gains in a step */
    double gap_rounding; /* [velocity] what a last digit of positions makes of gaps in the step */
    /* A periodic cell that deforms; NULL: none. Its rows are records, and updated one by one. */
    CellBody *cell;
    Vec3 *branch; /* [rows] of each; zero at walls */
    double
        *cell_share; /* [rows] what the copy of the cell that a row sees adds to W, at most: |l|^2 /
                           its mass */
    double
        *growth; /* [rows] [velocity] at which the surfaces of both bodies grow towards each other,
                       part of the bias; NULL: none do */
    /* Rows that lie in one box of space. Sums over rows are made part by part, then over the parts
     * exactly, so that neither the order of the parts nor who has worked on them matters. */
    size_t parts;            /* 0: the rows are cut into pieces */
    const int32_t *part_end; /* [parts] in rows */
    double *part_sum;        /* [PROBLEM_SUMS parts] work space */
    /* Where parts are shared out among processes (sweep/domain.h); NULL: this process has all. */
    const ScreeProcesses *processes;
    const uint8_t *part_mine; /* [parts] 1: this process works on it, and knows its rows */
    bool spread;              /* it has no other rows at all */
    size_t rows_elsewhere;    /* that other processes have then */
    size_t twos_elsewhere;
} Problem;

/* Rows of all processes. */
static inline size_t scr_all_rows(const Problem *p) {
    return p->rows + p->rows_elsewhere;
}

/* Likewise, those with two coefficients of friction. */
static inline size_t scr_all_twos(const Problem *p) {
    return p->twos + p->twos_elsewhere;
}

/* Over which what is found in the rows here must still be added up; NULL: they are all. */
static inline const ScreeProcesses *scr_rows_over(const Problem *p) {
    return p->spread ? p->processes : NULL;
}

static inline bool scr_is_mine(const Problem *p, size_t part) {
    return p->processes == NULL || p->part_mine[part] != 0;
}

static inline size_t scr_parts(const Problem *p) {
    return p->parts > 0 ? p->parts : scr_pieces(p->rows);
}

static inline size_t scr_part_end(const Problem *p, size_t part) {
    return p->parts > 0 ? (size_t)p->part_end[part] : scr_piece_end(p->rows, part);
}

static inline size_t scr_part_begin(const Problem *p, size_t part) {
    return part > 0 ? scr_part_end(p, part - 1) : 0;
}

static inline const GeneralRow *scr_general_row(const Problem *p, size_t row) {
    int32_t g = p->general_of != NULL ? p->general_of[row] : -1;
    return g >= 0 ? &p->general[g] : NULL;
}

static inline LawRow *scr_law_row(const Problem *p, size_t row) {
    int32_t l = p->law_of != NULL ? p->law_of[row] : -1;
    return l >= 0 ? &p->law[l] : NULL;
}

/* What bounds the friction of a row: the normal impulse plus the adhesion of a bond. */
static inline double scr_row_pressure(const Problem *p, size_t row) {
    const LawRow *l = scr_law_row(p, row);
    return p->row[row].rn + (l != NULL ? l->adhesion : 0);
}

/* 1 / mean of the diagonal of W: the natural unit of impulse over velocity for a row. */
static inline double scr_row_rho(const Problem *p, size_t row) {
    const GeneralRow *g = scr_general_row(p, row);
    bool space = p->dimension == 3;
    if (g != NULL) {
        double trace = g->block[0] + g->block[3] + (space ? g->block[5] : 0);
        return trace > 0 ? (space ? 3 : 2) / trace : 0;
    }
    const Row *r = &p->row[row];
    /* 3 / (1 / m_n + 2 / m_t), with one division */
    double sum = r->mass_t + (space ? 2 : 1) * r->mass_n;
    return sum > 0 ? (space ? 3 : 2) * r->mass_n * r->mass_t / sum : 0;
}

/* Relative velocity of a row, without bias: normal part, and tangential part in world axes (in the
 * plane .x along t). */
typedef struct RowVelocity {
    double n;
    Vec3 t;
} RowVelocity;

static inline RowVelocity scr_split_velocity(int dimension, Vec3 normal, Vec3 u) {
    double n = dot(u, normal);
    if (dimension == 2) {
        return (RowVelocity){n, vec3(u.y * normal.x - u.x * normal.y, 0, 0)};
    }
    return (RowVelocity){n, add_scaled(u, -n, normal)};
}

/* That of two round bodies. */
static inline RowVelocity scr_round_velocity(int dimension, const ProblemBody *a,
                                             const ProblemBody *b, Vec3 normal) {
    Vec3 u = sub(sub(b->v, a->v), cross(add(a->s, b->s), normal));
    return scr_split_velocity(dimension, normal, u);
}

static inline RowVelocity scr_row_velocity(const Problem *p, size_t row) {
    const Row *r = &p->row[row];
    const ProblemBody *a = &p->body[r->a], *b = &p->body[r->b];
    const GeneralRow *g = scr_general_row(p, row);
    if (g == NULL && p->cell == NULL) {
        return scr_round_velocity(p->dimension, a, b, r->normal);
    }
    Vec3 u = g == NULL ? sub(sub(b->v, a->v), cross(add(a->s, b->s), r->normal))
                       : sub(add(b->v, cross(b->s, g->arm_b)), add(a->v, cross(a->s, g->arm_a)));
    if (p->cell != NULL) {
        u = add(u, mat3_apply(&p->cell->rate, p->branch[row]));
    }
    return scr_split_velocity(p->dimension, r->normal, u);
}

/* Relative spin of a row with a law row. */
static inline Vec3 scr_row_spin(const Problem *p, const Row *r, const LawRow *l) {
    Vec3 w = add_scaled(l->turn, l->per_length_b, p->body[r->b].s);
    return add_scaled(w, -l->per_length_a, p->body[r->a].s);
}

/* The largest rolling torque at the pressure P >= 0. */
static inline double scr_rolling_bound(int dimension, const LawRow *l, double pressure) {
    double width = l->hertz > 0 ? l->hertz * pressure : 0;
    return (l->rolling + (dimension == 2 ? sqrt(width) : scr_cbrt(width))) * pressure;
}

/* Completes coupling and masses of a law row from the bodies' masses. */
void scr_law_complete(const Problem *problem, const Row *row, LawRow *law);

/* Adds the impulse (on b, in world axes) of a row between round bodies to their velocities. */
static inline void scr_round_push(Problem *p, const Row *r, Vec3 impulse) {
    if (p->cell != NULL) {
        scr_cell_push(p->cell, impulse, p->branch[r - p->row]);
    }
    ProblemBody *a = &p->body[r->a], *b = &p->body[r->b];
    Vec3 twist = cross(r->normal, impulse);
    a->v = add_scaled(a->v, -a->inverse_mass, impulse);
    a->s = add_scaled(a->s, -a->inverse_inertia, twist);
    if (scr_is_movable(b)) { /* walls are read by many rows at once */
        b->v = add_scaled(b->v, b->inverse_mass, impulse);
        b->s = add_scaled(b->s, -b->inverse_inertia, twist);
    }
}

/* Adds the torque impulse (on b) of a row to the spins of its bodies. `general` may be NULL. */
void scr_torque_push(Problem *problem, const Row *row, const LawRow *law, const GeneralRow *general,
                     Vec3 torque);

/* A body in contact with its own image does not move relative to it as two bodies would. But
 * (x - y)^2 <= 2 (x^2 + y^2) for what an impulse does at the two points: twice the block of two bodies is at
 * least as large as the true one. So the solution is the same, and a sweep still converges. */
static const double scr_with_itself = 2;

/* Completes the masses of a row between round bodies. */
static inline void scr_row_complete(const Problem *p, Row *r) {
    const ProblemBody *a = &p->body[r->a], *b = &p->body[r->b];
    double wn = a->inverse_mass + b->inverse_mass;
    double wt = wn + a->inverse_inertia + b->inverse_inertia;
    if (r->a == r->b) {
        wn *= scr_with_itself;
        wt *= scr_with_itself;
    }
    r->mass_n = wn > 0 ? 1 / wn : 0;
    r->mass_t = wt > 0 ? 1 / wt : 0;
}

/* Adds the share of the cell to the diagonal of W of a complete row. That bounds its true part from
 * above, whatever is free: so the solution is the same, and a sweep still converges. */
void scr_add_cell_share(const Problem *problem, size_t row);

/* The tangents that make a right-handed frame with a unit normal; in the plane the second is z. */
void scr_tangents(int dimension, Vec3 normal, Vec3 *t1, Vec3 *t2);

/* Multiplies the blocks W with which rows are solved, which does not change the solution of the
 * problem: a row that obeys its law does so with any of them. */
void scr_scale_blocks(Problem *problem, double by);

/* Completes frame, block and masses of a general row from its arms, tensors and the bodies'
 * masses. */
void scr_general_complete(const Problem *problem, Row *row, GeneralRow *general);

/* Adds the impulse (on b, in world axes) of a general row to the velocities of its bodies. */
void scr_general_push(Problem *problem, const Row *row, const GeneralRow *general, Vec3 impulse);

/* |R|^2 of a row solved alone, from its velocity q at zero impulse, including bias. A full block
 * counts with its mean diagonal. */
double scr_row_alone_square(const Problem *problem, size_t row, double qn, double qt_square);

/* Adds the present impulses of some rows to the velocities. */
void scr_push_range(Problem *problem, size_t begin, size_t end);

/* The measure by which all solvers are judged, the natural map of the exact Coulomb problem,
 *     e_c = R_c - P(R_c - rho_c (u_c + bias n + mu |u_t| n)),
 * with P the projection onto the Coulomb cone. It vanishes exactly at solutions. */
typedef struct Residual {
    /* rho_c = 1 / mean diagonal of W; sqrt(sum |e|^2) over the impulses that the free motion
     * demands of each contact alone: dimensionless. In a pile that is the weight of the grains at
     * the floor, not the load there, which would hide the errors above. But it is not less than a
     * hundredth of |R|: a heavy piston demands next to nothing. */
    double relative;
    double loads; /* the same over |R|: each grain under a light piston would have to stop it alone,
                     which is far more than it carries in the end */
    /* The same in velocities: sqrt(sum |e / rho|^2) over the velocities that the contacts have to
     * deal with. Of each contact that is its free approach, but no more than what its impulse gives
     * the heavier of its bodies: a piston without mass would otherwise approach at any speed. In
     * impulses a contact of a light body weighs little, whatever it carries; in velocities it
     * weighs as much as any other. */
    double velocity;
    /* The least that the last digits of impulses and velocities leave of that: where a light body
     * carries a heavy load, its velocity is the small difference of large changes. `velocity` and
     * `worst` are what is above it, since no solver gets below. */
    double rounding;
    double fclib;    /* rho = 1; over max(|q|, |R|, |u|), as in FCLIB and Siconos */
    double approach; /* [velocity] largest -(u_n + bias): how fast contacts close that must not */
    double worst;    /* [velocity] largest |e / rho|: by how much any contact misses its law */
    /* What rounding alone may change in a sweep: the sum over rows of (epsilon |R|)^2 and of the square of the
     * impulse that the rounding of the bodies' velocities demands. */
    double noise;
} Residual;

/* [velocity] By how much a row misses its law: |e / rho|, or how fast it closes if that is more. */
double scr_row_error(const Problem *problem, size_t row);

Residual scr_problem_residual(const Problem *problem, Threads *threads);

/* The same when the sums of all parts are in part_sum already (LawSums of law/judge.h). */
Residual scr_judged_residual(const Problem *problem);

/* The sum of something over all rows. */
double scr_sum_rows(const Problem *problem, Threads *threads,
                    double (*term)(const Problem *problem, size_t row));

/* Two coefficients of friction. With given coefficients the problem is an ordinary one. When it is
 * solved, a contact that should hold but slides changes to the sliding coefficient, and one that
 * slid and has reversed changes to the holding one, once. Returns how many changed. Each can change
 * only a few times, so this comes to an end, and then every contact either holds within its static
 * bound or slides with its dynamic one. */
size_t scr_settle_frictions(Problem *problem);

/* How many contacts slide although they should hold. */
size_t scr_count_unsettled(const Problem *problem);

#endif

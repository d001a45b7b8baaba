/* The discrete contact problem as plain data: bodies that have velocities, and contacts (rows) that
 * exchange impulses between them. It knows no shapes, no time and no simulator.
 *
 * Unknown impulses R_c act on body b of contact c and opposite on its body a; velocities follow
 * them at once: V = V_free + M^-1 H R. The relative velocity at the contact is (Unger and Kertesz,
 * eq 3) u = v_b + w_b x l_b - v_a - w_a x l_a, and with the constraint term `bias` (max(g, 0) / dt)
 * the law is: u_n + bias >= 0, R_n >= 0, their product zero; |R_t| <= mu R_n, opposite to u_t where
 * it slides.
 *
 * Spin is stored as a velocity: s = l w, with l a length of the body (its radius, for round ones).
 * For round bodies then l_a = r_a n, l_b = -r_b n, and u = v_b - v_a - (s_a + s_b) x n: no arm
 * needs to be stored, and the block W = H^T M^-1 H is diagonal (eqs 17 to 19). Rows where it is not
 * have a GeneralRow beside them. */
#ifndef SCREE_PROBLEM_PROBLEM_H
#define SCREE_PROBLEM_PROBLEM_H

#include "base/memory.h"
#include "math/vec.h"

/* One cache line. */
typedef struct ProblemBody {
    Vec3 v;
    double inverse_mass;
    Vec3 s;                 /* spin times the body's length */
    double inverse_inertia; /* of s: length^2 / inertia */
} ProblemBody;

/* Whether an impulse can change the body at all; walls it cannot, and many rows may read them at
 * once. */
static inline bool scr_is_movable(const ProblemBody *body) {
    return body->inverse_mass > 0 || body->inverse_inertia > 0;
}

/* Inverse masses that differ by direction: a body that is frozen along some axis, a piston. */
typedef struct Tensor {
    Sym3 inverse_mass;
    Sym3 inverse_inertia;
} Tensor;

typedef struct Row {
    Vec3 normal;           /* unit, from a to b */
    double rn;             /* normal impulse */
    Vec3 rt;               /* tangential impulse; in the plane rt.x is its part along (-n.y, n.x) */
    double bias;           /* [velocity] what u_n may be below zero: max(g, 0) / dt */
    double mass_n, mass_t; /* 1 / W_nn, 1 / W_tt (0 where nothing can move); general rows: unused */
    double mu;
    int32_t a, b;
} Row;

/* What a row needs in addition when its block is full. */
typedef struct GeneralRow {
    Vec3 arm_a, arm_b;          /* over the body's length */
    Vec3 t1, t2;                /* frame (normal, t1, t2); in the plane t1 = (-n.y, n.x, 0) */
    double block[6];            /* W: nn, n1, n2, 11, 12, 22 */
    int32_t tensor_a, tensor_b; /* -1: the body's own scalars */
} GeneralRow;

typedef struct Problem {
    int dimension;
    size_t bodies, rows, generals, tensors;
    ProblemBody *body;
    Row *row;
    int32_t *general_of; /* [rows] index or -1; NULL when there is no general row */
    GeneralRow *general;
    Tensor *tensor;
    double free_square; /* sum |R|^2 of each row solved alone, from the relative velocity q at zero
                           impulse, bias included */
    double free_square_fclib; /* sum |q|^2 */
} Problem;

static inline const GeneralRow *scr_general_row(const Problem *p, size_t row) {
    int32_t g = p->general_of != NULL ? p->general_of[row] : -1;
    return g >= 0 ? &p->general[g] : NULL;
}

/* 1 / mean of the diagonal of W: the natural unit of impulse over velocity of a row. */
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

/* Relative velocity of a row, bias not included: (normal, tangential in world axes; in the plane .x
 * along t). */
typedef struct RowVelocity {
    double n;
    Vec3 t;
} RowVelocity;

static inline RowVelocity scr_row_velocity(const Problem *p, size_t row) {
    const Row *r = &p->row[row];
    const ProblemBody *a = &p->body[r->a], *b = &p->body[r->b];
    const GeneralRow *g = scr_general_row(p, row);
    Vec3 u = g != NULL ? sub(add(b->v, cross(b->s, g->arm_b)), add(a->v, cross(a->s, g->arm_a)))
                       : sub(sub(b->v, a->v), cross(add(a->s, b->s), r->normal));
    double n = dot(u, r->normal);
    if (p->dimension == 2) {
        return (RowVelocity){n, vec3(u.y * r->normal.x - u.x * r->normal.y, 0, 0)};
    }
    return (RowVelocity){n, add_scaled(u, -n, r->normal)};
}

/* Completes a general row's frame and block from its arms, tensors and the bodies' masses. */
void scr_general_complete(const Problem *problem, const Row *row, GeneralRow *general);

/* Adds an impulse (on b, in world axes) of a general row to the velocities of its bodies. */
void scr_general_push(Problem *problem, const Row *row, const GeneralRow *general, Vec3 impulse);

/* |R|^2 of a row solved alone by eq (1.30) of Brendel, Unger and Wolf, from its velocity q, bias
 * included. A full block counts with its mean diagonal. */
static inline double scr_row_alone_square(const Problem *p, size_t row, double qn,
                                          double qt_square) {
    const Row *r = &p->row[row];
    double mass_n = r->mass_n, mass_t = r->mass_t;
    if (scr_general_row(p, row) != NULL) {
        mass_n = mass_t = scr_row_rho(p, row);
    }
    double alone = qn < 0 ? -mass_n * qn : 0, limit = r->mu * alone;
    return alone * alone + fmin(mass_t * mass_t * qt_square, limit * limit);
}

/* Adds the rows' present impulses to the velocities: the warm start. */
void scr_problem_push_all(Problem *problem);

/* The judge of all solvers: the natural map of the exact Coulomb problem,
 *     e_c = R_c - P(R_c - rho_c (u_c + bias n + mu |u_t| n)),
 * P the projection on the Coulomb cone. It vanishes exactly at solutions. */
typedef struct Residual {
    /* rho_c = 1 / mean diagonal of W; sqrt(sum |e|^2) over the impulses that the free motion asks
     * of each contact alone: free of units. In a pile that is the weight of the grains at the
     * floor, not the load there, which would hide the errors above. But not less than a hundredth
     * of |R|: a heavy piston asks for next to nothing. */
    double relative;
    double fclib;    /* rho = 1; over max(|q|, |R|, |u|), as FCLIB and Siconos do */
    double approach; /* [velocity] largest -(u_n + bias): how fast a contact closes that must not */
} Residual;

Residual scr_problem_residual(const Problem *problem);

#endif

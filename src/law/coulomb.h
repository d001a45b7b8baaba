/* The one-contact problem between bodies of any shape: no contact, stick, or slip with exact
 * (non-associated) Coulomb friction, after Brendel, Unger, Wolf, "Contact Dynamics for Beginners",
 * eqs (1.24) to (1.30), in impulses. Round bodies, whose W is diagonal, have round.h.
 *
 * Stateless; nothing here knows a body. Components are in the order normal, tangent 1[, tangent 2].
 * The relative velocity after the contact's impulse r is u = W r + q, with q the velocity without
 * it; q_n already contains g_pos/dt, so that "the gap closes" reads u_n = 0. W is symmetric and
 * positive semidefinite.
 *
 *   1. no contact: q_n >= 0; r = 0.
 *   2. stick: the impulse that gives u = 0, if it lies in the cone |r_t| <= mu r_n.
 *   3. slip: u_n = 0 and r_t = -mu r_n u_t / |u_t|.
 *
 * The first case that applies is taken. There is at most one slip solution when
 * mu |w| (1 + k) <= 2 sqrt(k) W_nn, with w the coupling of normal and tangential parts and k the
 * ratio of the smaller to the larger eigenvalue of the tangential part at u_n = 0. Beyond that,
 * there can be several, also in addition to stick or to r = 0; of several slips the one with the
 * smallest normal impulse is taken. Slips that differ by rounding only cannot be told apart, but
 * whichever is returned is a solution.
 *
 * Frozen directions are those in which neither partner can move, so that W has zeros:
 *
 *   - along the normal: r = 0, because an impulse would have no effect.
 *   - tangential: the sliding velocity cannot be changed; friction is mu r_n against it, and 0
 *     if it is 0 (to rounding).
 *
 * There is always a solution unless W is singular (Painleve's paradox: friction pulls the partners
 * together faster than the normal impulse pushes them apart). Then the frictionless impulse is
 * returned, which stops the approach and adds no energy; the residual of the problem shows that the
 * law is violated.
 *
 * For finite input the results are finite, over the whole range of double. */
#ifndef SCREE_LAW_COULOMB_H
#define SCREE_LAW_COULOMB_H

#include <math.h>
#include <stdbool.h>

#include "law/slip.h"

typedef enum LawState { LAW_OPEN = 0, LAW_STICK = 1, LAW_SLIP = 2 } LawState;

/* A difference smaller than this fraction of its terms is rounding. */
#define LAW_ROUNDING 2e-15

/* The impulse that gives u_n = 0 with friction along a given direction d; coupling = w.d. */
LAW_INLINE void law_slip_along(double wnn, double coupling, double minus_qn, double mu, double *rn,
                               double *length) {
    double denominator = wnn + mu * coupling;
    bool solvable = denominator > 0.0;
    *rn = minus_qn / (solvable ? denominator : wnn);
    *length = solvable ? mu * *rn : 0.0;
}

/* The tangential problem u_t = S r_t + p that is left when u_n = 0 has eliminated r_n. */
typedef struct LawTangential {
    double s11, s12, s22;
    double p1, p2;
    /* Gaussian elimination of S from the larger diagonal entry on; 0: only rounding is left */
    double pivot, rest, ratio;
    bool second_first;
} LawTangential;

LAW_INLINE void law_eliminate_normal(const double W[6], const double q[3], LawTangential *k) {
    double per_nn = 1.0 / W[0];
    double k1 = W[1] * per_nn;
    double k2 = W[2] * per_nn;
    k->s11 = W[3] - W[1] * k1;
    k->s12 = W[4] - W[1] * k2;
    k->s22 = W[5] - W[2] * k2;
    k->p1 = q[1] - k1 * q[0];
    k->p2 = q[2] - k2 * q[0];
    k->second_first = k->s22 > k->s11;
    double s_large = k->second_first ? k->s22 : k->s11;
    double s_small = k->second_first ? k->s11 : k->s22;
    double w_large = k->second_first ? W[5] : W[3];
    double w_small = k->second_first ? W[3] : W[5];
    /* Without coupling between the two axes, each has its own rounding. But an axis whose entry is
     * out of all proportion to the other is taken as frozen, or its impulse could overflow. */
    double least = 1e-150 * law_max(w_small, w_large);
    double rounding = LAW_ROUNDING * (k->s12 == 0.0 ? w_small : law_max(w_small, w_large));
    k->pivot = s_large > law_max(LAW_ROUNDING * w_large, least) ? s_large : 0.0;
    k->ratio = k->pivot > 0.0 ? k->s12 / k->pivot : 0.0;
    k->rest = k->pivot > 0.0 ? s_small - k->ratio * k->s12 : 0.0;
    k->rest = k->rest > law_max(rounding, least) ? k->rest : 0.0;
}

LAW_INLINE void law_stick(const LawTangential *k, double rt[2]) {
    double p_large = k->second_first ? k->p2 : k->p1;
    double p_small = k->second_first ? k->p1 : k->p2;
    double r_small = -(p_small - k->ratio * p_large) / k->rest;
    double r_large = -(p_large + k->s12 * r_small) / k->pivot;
    rt[0] = k->second_first ? r_small : r_large;
    rt[1] = k->second_first ? r_large : r_small;
}

LAW_INLINE bool law_in_cone(const double W[6], const double q[3], double mu, const double rt[2],
                            double *rn) {
    *rn = -(q[0] + W[1] * rt[0] + W[2] * rt[1]) / W[0];
    return *rn > 0.0 && law_norm2(rt[0], rt[1]) <= mu * *rn;
}

/* Principal axes of S: the first, axis = (c, s), belongs to l[0] >= l[1]. */
LAW_INLINE void law_principal_axes(const LawTangential *k, double l[2], double axis[2]) {
    double half = 0.5 * (k->s11 - k->s22);
    double h = law_norm2(half, k->s12);
    axis[0] = 1.0;
    axis[1] = 0.0;
    if (h > 1e-250) { /* below that, S is isotropic to every digit */
        double big = sqrt(0.5 + 0.5 * fabs(half) / h);
        double small = k->s12 / (2.0 * h * big);
        axis[0] = half >= 0.0 ? big : small;
        axis[1] = half >= 0.0 ? small : big;
    }
    l[0] = k->pivot > 0.0 ? 0.5 * (k->s11 + k->s22) + h : 0.0;
    l[1] = k->rest > 0.0 ? law_min(k->pivot / l[0] * k->rest, l[0]) : 0.0; /* determinant over l1 */
}

/* Slip; and if S is singular, also stick. */
LAW_INLINE LawState law_slip3(const double W[6], const double q[3], double mu,
                              const LawTangential *k, double r[3]) {
    double l[2];
    double axis[2];
    law_principal_axes(k, l, axis);
    double c = axis[0];
    double s = axis[1];
    double p[2] = {c * k->p1 + s * k->p2, c * k->p2 - s * k->p1};
    double w[2] = {c * W[1] + s * W[2], c * W[2] - s * W[1]};
    double d[2] = {0.0, 0.0};
    if (!(l[1] > 0.0)) {
        double noise =
            LAW_ROUNDING * (law_norm2(q[1], q[2]) + law_norm2(W[1], W[2]) / W[0] * -q[0]);
        p[0] = !(l[0] > 0.0) && fabs(p[0]) <= noise ? 0.0 : p[0];
        p[1] = fabs(p[1]) <= noise ? 0.0 : p[1];
        double along = l[0] > 0.0 ? -p[0] / l[0] : 0.0;
        double rt[2] = {c * along, s * along};
        if (p[1] == 0.0 && (p[0] == 0.0 || l[0] > 0.0) && law_in_cone(W, q, mu, rt, &r[0])) {
            r[1] = rt[0];
            r[2] = rt[1];
            return LAW_STICK;
        }
    }
    double p_largest = law_max(fabs(p[0]), fabs(p[1]));
    double length = 0.0;
    bool slides = mu > 1e-200 && p_largest > 0.0;
    if (slides && (p[0] == 0.0 || p[1] == 0.0 || l[0] - l[1] <= 1e-16 * l[0])) {
        double p1 = p[0] / p_largest; /* the direction is that of -p */
        double p2 = p[1] / p_largest;
        double inverse = -1.0 / sqrt(p1 * p1 + p2 * p2);
        d[0] = p1 * inverse;
        d[1] = p2 * inverse;
    } else if (slides) {
        slides = law_slip_solve(l[0], l[1], p, w, W[0] / mu, -q[0], d, &length);
    }
    double coupling = w[0] * d[0] + w[1] * d[1];
    if (length > 0.0 && length < 1e200 && W[0] + mu * coupling < 0.125 * W[0]) {
        r[0] = length / mu; /* the sum loses digits to cancellation, the length does not */
    } else {
        law_slip_along(W[0], coupling, -q[0], slides ? mu : 0.0, &r[0], &length);
    }
    r[1] = length * (c * d[0] - s * d[1]);
    r[2] = length * (s * d[0] + c * d[1]);
    return LAW_SLIP;
}

/* For a block and a velocity of ordinary magnitude, with q_n < 0 and W_nn > 0. */
LAW_INLINE LawState law_block3_in_range(const double W[6], const double q[3], double mu,
                                        double r[3]) {
    LawTangential k;
    law_eliminate_normal(W, q, &k);
    if (k.rest > 0.0) {
        double rt[2];
        law_stick(&k, rt);
        if (law_in_cone(W, q, mu, rt, &r[0])) {
            r[1] = rt[0];
            r[2] = rt[1];
            return LAW_STICK;
        }
    }
    return law_slip3(W, q, mu, &k, r);
}

/* a b / (c d), at most the largest finite number. Exponents are computed separately, so that no
 * intermediate result overflows or underflows. */
LAW_INLINE double law_quotient(double a, double b, double c, double d) {
    const double largest = 0x1.fffffffffffffp1023;
    int exponent[4];
    double x = frexp(a, &exponent[0]) * frexp(b, &exponent[1]);
    double y = frexp(c, &exponent[2]) * frexp(d, &exponent[3]);
    x = ldexp(x / y, exponent[0] + exponent[1] - exponent[2] - exponent[3]);
    return x > largest ? largest : x < -largest ? -largest : x;
}

/* Solves the problem in other units: |q_n| / W_nn for r_n, and |q_n| / sqrt(W_nn W_tt) for r_t,
 * where W_tt is the larger of the two. Then q_n = -1, the diagonal of W is at most 1, and only mu
 * and q_t may be large. A q_t beyond 1e100 is reduced to that; the contact then slides along q_t to
 * every digit. */
LAW_INLINE LawState law_block3_scaled(const double W[6], const double q[3], double mu,
                                      double r[3]) {
    double push = -q[0];
    double root_n = sqrt(W[0]);
    double largest_t = law_max(W[3], W[5]);
    double root_t = largest_t > 0.0 ? sqrt(largest_t) : root_n;
    double slide = law_max(fabs(q[1]), fabs(q[2]));
    double scaled_slide = law_min(law_quotient(slide, root_n, push, root_t), 1e100);
    double per_slide = slide > 0.0 ? slide : 1.0;
    double scaled_q[3] = {-1.0, q[1] / per_slide * scaled_slide, q[2] / per_slide * scaled_slide};
    double scaled_w[6] = {1.0,
                          W[1] / root_n / root_t,
                          W[2] / root_n / root_t,
                          W[3] / root_t / root_t,
                          W[4] / root_t / root_t,
                          W[5] / root_t / root_t};
    double scaled_mu = law_min(law_quotient(mu, root_t, root_n, 1.0), 1e200);
    double scaled_r[3];
    LawState state = law_block3_in_range(scaled_w, scaled_q, scaled_mu, scaled_r);
    r[0] = law_quotient(scaled_r[0], push, root_n, root_n);
    r[1] = law_quotient(scaled_r[1], push, root_n, root_t);
    r[2] = law_quotient(scaled_r[2], push, root_n, root_t);
    return state;
}

LAW_INLINE bool law_is_ordinary(double magnitude) {
    return magnitude > 1e-40 && magnitude < 1e40;
}

/* The law in space. W: nn, n1, n2, 11, 12, 22. */
LAW_INLINE LawState law_coulomb_block3(const double W[6], const double q[3], double mu,
                                       double r[3]) {
    r[0] = 0.0;
    r[1] = 0.0;
    r[2] = 0.0;
    if (!(q[0] < 0.0) || !(W[0] > 0.0)) {
        return LAW_OPEN;
    }
    double largest_t = law_max(W[3], W[5]);
    if (law_is_ordinary(W[0]) && (largest_t == 0.0 || law_is_ordinary(largest_t)) &&
        law_is_ordinary(-q[0]) && fabs(q[1]) < 1e40 && fabs(q[2]) < 1e40 && mu < 1e40) {
        return law_block3_in_range(W, q, mu, r);
    }
    return law_block3_scaled(W, q, mu, r);
}

/* The law in the plane. W: nn, nt, tt. There are two directions to slide in, and p says which. */
LAW_INLINE LawState law_coulomb_block2(const double W[3], const double q[2], double mu,
                                       double r[2]) {
    r[0] = 0.0;
    r[1] = 0.0;
    if (!(q[0] < 0.0) || !(W[0] > 0.0)) {
        return LAW_OPEN;
    }
    if (!(law_is_ordinary(W[0]) && (W[2] == 0.0 || law_is_ordinary(W[2])) &&
          law_is_ordinary(-q[0]) && fabs(q[1]) < 1e40 && mu < 1e40)) {
        double W3[6] = {W[0], W[1], 0.0, W[2], 0.0, 0.0};
        double q3[3] = {q[0], q[1], 0.0};
        double r3[3] = {0.0, 0.0, 0.0};
        LawState state = law_block3_scaled(W3, q3, mu, r3);
        r[0] = r3[0];
        r[1] = r3[1];
        return state;
    }
    double ratio = W[1] / W[0];
    double s = W[2] - W[1] * ratio;
    double p = q[1] - ratio * q[0];
    bool frozen = !(s > LAW_ROUNDING * W[2]);
    if (frozen && fabs(p) <= LAW_ROUNDING * (fabs(q[1]) + fabs(ratio * q[0]))) {
        p = 0.0;
    }
    if (!frozen || p == 0.0) {
        double rt = p == 0.0 ? 0.0 : -p / s;
        double rn = -(q[0] + W[1] * rt) / W[0];
        if (rn > 0.0 && fabs(rt) <= mu * rn) {
            r[0] = rn;
            r[1] = rt;
            return LAW_STICK;
        }
    }
    double d = p > 0.0 ? -1.0 : 1.0;
    double length;
    law_slip_along(W[0], W[1] * d, -q[0], law_max(mu, 0.0), &r[0], &length);
    r[1] = length * d;
    return LAW_SLIP;
}

/* A right-handed orthonormal frame (n, t1, t2) from a unit normal: the shortest turn that takes the
 * x axis (its negative when n_x < 0) to n, applied to the y and z axes. For a normal in the plane z
 * = 0 it gives t1 = (-n_y, n_x, 0) and t2 = z, without a jump; elsewhere it jumps where n_x changes
 * sign. */
LAW_INLINE void law_frame3(const double n[3], double t1[3], double t2[3]) {
    double sign = n[0] >= 0.0 ? 1.0 : -1.0;
    double k = 1.0 / (1.0 + sign * n[0]);
    double yz = -n[1] * n[2] * k;
    t1[0] = -n[1];
    t1[1] = sign * (1.0 - n[1] * n[1] * k);
    t1[2] = sign * yz;
    t2[0] = -sign * n[2];
    t2[1] = yz;
    t2[2] = 1.0 - n[2] * n[2] * k;
}

#endif

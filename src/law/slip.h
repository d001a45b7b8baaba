/* The direction of sliding at one contact in space whose block couples the normal and the
 * tangential part; coulomb.h needs it.
 *
 * In the principal axes of the tangential block S (eigenvalues l1 >= l2 >= 0) the tangential
 * impulse of a sliding contact is r_i = -p_i / (l_i + s), where u_t = -s r_t and s > 0. The length
 * of r falls as s grows, and r stays in one quadrant, turning from the direction of sticking at
 * s = 0 to that of -p at infinity. With r_n from u_n = 0, where q_n < 0, Coulomb's |r_t| = mu r_n
 * reads
 *
 *     psi(s) = |q_n| / |r_t(s)| - a / mu - w.d(s) = 0,      d = r_t / |r_t|,   a = W_nn.
 *
 * This is the form in which Newton's method works: 1/|r_t| is nearly straight in s (exactly so when
 * l1 = l2), and d changes slowly. psi is positive for large s, and negative at s = 0 when sticking
 * would leave the cone, so a root exists. Of several roots the largest has the smallest |r_t|,
 * hence the smallest normal impulse: that is the one taken.
 *
 * Scales. With t = l2 + s = t_hi T, where t_hi bounds the largest root from above, and lengths made
 * free of units, everything below is of order one: T runs from T_lo >= 0 to 1. */
#ifndef SCREE_LAW_SLIP_H
#define SCREE_LAW_SLIP_H

#include <math.h>
#include <stdbool.h>

#include "law/real.h"

/* |(x, y)|, also where the squares leave the range of double. */
LAW_INLINE double law_norm2(double x, double y) {
    double square = x * x + y * y;
    if (square > 1e-280 && square < 1e280) {
        return sqrt(square);
    }
    double largest = law_max(fabs(x), fabs(y));
    if (!(largest > 0.0)) {
        return 0.0;
    }
    double a = x / largest;
    double b = y / largest;
    return largest * sqrt(a * a + b * b);
}

#ifdef LAW_WIDE_REALS

/* |(x, y)|, where the squares are in the range of double. */
LAW_INLINE Real real_norm2(Real x, Real y) {
    return real_sqrt(real_madd(real_mul(x, x), y, y));
}

#else

#define real_norm2 law_norm2

#endif

/* The constants of psi / (a/mu + |w|) as a function of T. */
typedef struct LawSlip {
    Real unit;   /* a/mu + |w| */
    Real p1, p2; /* p over its largest component */
    Real w1, w2; /* coupling, over the unit */
    Real m;      /* a/mu, over the unit */
    Real e;      /* |q_n| t_hi / max|p_i|, over the unit */
    /* t + l1 - l2 is proportional to alpha T + beta; the larger of the two is 1. */
    Real alpha, beta;
} LawSlip;

/* The curve at T: d = -n / |n|. */
typedef struct LawSlipPoint {
    Real area;    /* T L, L = alpha T + beta */
    Real inverse; /* 1 / |n| */
    Real d1, d2;
} LawSlipPoint;

LAW_INLINE LawSlipPoint law_slip_point(const LawSlip *k, Real T) {
    const Real zero = real_all(0.0);
    Real L = real_madd(k->beta, k->alpha, T);
    Real n1 = real_mul(k->p1, real_mul(k->alpha, T));
    Real n2 = real_mul(k->p2, L);
    Real inverse = real_div(real_all(1.0), real_norm2(n1, n2));
    LawSlipPoint at = {real_mul(T, L), inverse, real_mul(real_sub(zero, n1), inverse),
                       real_mul(real_sub(zero, n2), inverse)};
    return at;
}

/* Direction and length of r_t. */
LAW_INLINE void law_slip_impulse(const LawSlip *k, Real T, Real minus_qn, Real d[2], Real *length) {
    const LawSlipPoint at = law_slip_point(k, T);
    d[0] = at.d1;
    d[1] = at.d2;
    Real rise = real_mul(k->e, at.inverse);
    *length = real_div(minus_qn, real_mul(k->unit, real_mul(rise, at.area)));
}

#ifdef LAW_WIDE_REALS

/* psi times |n|, and the step that Newton's method would take from T: with d = -n / |n|,
 *     psi |n|            = e T L + w.n - m |n|
 *     psi' T L |n|^3     = e T L (alpha T |n|^2 + beta n_2^2) + beta n_1 n_2 (w_1 n_2 - w_2 n_1),
 * and the quotient of psi and psi' is one of these two: one division, and the root stands only in the
 * first. Its powers must be in the range of double. */
LAW_INLINE Real law_slip_psi(const LawSlip *k, Real T, Real *newton_step) {
    Real along = real_mul(k->alpha, T), L = real_add(along, k->beta), area = real_mul(T, L);
    Real n1 = real_mul(k->p1, along), n2 = real_mul(k->p2, L), n22 = real_mul(n2, n2);
    Real square = real_madd(n22, n1, n1), rise = real_mul(k->e, area);
    Real coupling = real_madd(real_mul(k->w1, n1), k->w2, n2);
    Real psi = real_msub(real_add(rise, coupling), k->m, real_sqrt(square));
    Real across = real_msub(real_mul(k->w1, n2), k->w2, n1);
    Real bent = real_madd(real_mul(along, square), k->beta, n22);
    Real slope = real_madd(real_mul(rise, bent), real_mul(k->beta, real_mul(n1, n2)), across);
    *newton_step = real_div(real_mul(real_sub(real_all(0.0), psi), real_mul(square, area)), slope);
    return psi;
}

#else

/* The value of psi, and the step that Newton's method would take from T. */
LAW_INLINE Real law_slip_psi(const LawSlip *k, Real T, Real *newton_step) {
    const LawSlipPoint at = law_slip_point(k, T);
    Real across = real_msub(real_mul(k->w1, at.d2), k->w2, at.d1);
    Real turn =
        real_mul(real_mul(real_mul(k->beta, at.d1), at.d2), across); /* d(w.d)/dT times T L */
    Real rise = real_mul(k->e, at.inverse);
    Real coupling = real_madd(real_mul(k->w1, at.d1), k->w2, at.d2);
    Real psi = real_sub(real_sub(real_mul(rise, at.area), k->m), coupling);
    Real bent = real_madd(real_mul(k->alpha, T), real_mul(at.d2, at.d2), k->beta);
    Real slope_times_area = real_sub(real_mul(real_mul(rise, bent), at.area), turn);
    *newton_step = real_div(real_mul(real_sub(real_all(0.0), psi), at.area), slope_times_area);
    return psi;
}

#endif

/* Where to divide a bracket: at the geometric mean while its ends differ in magnitude, and then in
 * the middle. */
LAW_INLINE Real law_slip_middle(Real low, Real high) {
    const Real half = real_mul(real_all(0.5), real_add(low, high));
    const Real mean = real_mul(real_sqrt(real_positive(low)), real_sqrt(high));
    const Real small = real_mul(high, real_all(0.015625));
    Real middle = real_select(real_above(high, real_mul(real_all(4.0), low)), mean, half);
    return real_select(real_above(low, real_all(0.0)), middle, small);
}

/* The root of psi between low (psi < 0) and high (psi > 0): Newton's method, which divides the
 * bracket instead whenever a step would leave it or the steps fail to halve. Only the contacts of
 * `going` are of interest; T stays as it is for the others. */
LAW_INLINE Real law_slip_root(const LawSlip *k, Real low, Real high, Real T, RealMask going) {
    Real last = real_sub(high, low);
    for (int i = 0; i < 200 && real_any(going); i++) {
        Real step;
        RealMask below = real_above(real_all(0.0), law_slip_psi(k, T, &step));
        low = real_select(below, T, low);
        high = real_select(below, high, T);
        Real next = real_add(T, step), size = real_abs(step);
        /* otherwise nothing is left to gain; also when psi is 0 */
        going = real_and(going, real_above(size, real_mul(real_all(4e-16), T)));
        RealMask inside = real_and(real_above(next, low), real_above(high, next));
        RealMask halves = real_not(real_above(size, real_mul(real_all(0.5), last)));
        RealMask newton = real_and(inside, halves);
        if (real_any(real_and(going, real_not(newton)))) {
            Real middle = law_slip_middle(low, high);
            next = real_select(newton, next, middle);
            size = real_select(newton, size, real_abs(real_sub(middle, T)));
            inside = real_and(real_above(next, low), real_above(high, next));
            going = real_and(going, inside); /* otherwise the ends are neighbours */
        }
        /* In the quadratic regime the step just computed is exact to rounding. */
        RealMask small = real_not(real_above(size, real_mul(real_all(1e-9), T)));
        RealMask much = real_not(real_above(size, real_mul(real_all(1e-4), last)));
        RealMask done = real_and(newton, real_and(small, much));
        last = real_select(going, size, last);
        T = real_select(going, next, T);
        going = real_and(going, real_not(done));
    }
    return T;
}

/* Whether psi is known to have only one root above T = low. Either of two cheap conditions is
 * sufficient: |r_t| grows faster than mu r_n along the whole curve (the coupling is weak compared
 * with the anisotropy), or the coupling turns the other way. */
LAW_INLINE RealMask law_slip_is_simple(const LawSlip *k, Real low) {
    const Real zero = real_all(0.0);
    Real least = real_mul(k->alpha, low);
    Real most = real_add(least, k->beta);
    Real sum = real_add(least, most);
    Real ww = real_madd(real_mul(k->w1, k->w1), k->w2, k->w2);
    Real weak = real_mul(real_mul(real_mul(real_all(4.0), least), most), real_mul(k->m, k->m));
    Real sign = real_mul(k->p1, k->p2);
    Real at_low = real_msub(real_mul(real_mul(k->w1, k->p2), most), real_mul(k->w2, k->p1), least);
    Real at_high = real_msub(real_mul(real_mul(k->w1, k->p2), real_add(k->alpha, k->beta)),
                             real_mul(k->w2, k->p1), k->alpha);
    RealMask turns = real_or(real_above(zero, real_mul(sign, at_low)),
                             real_above(zero, real_mul(sign, at_high)));
    RealMask strong = real_above(real_mul(ww, real_mul(sum, sum)), weak);
    return real_not(real_and(strong, turns));
}

/* First guess: the root if S were isotropic, with its stiffness along p. */
LAW_INLINE Real law_slip_guess(const LawSlip *k, Real low, Real high) {
    Real p11 = real_mul(k->p1, k->p1), pp = real_madd(p11, k->p2, k->p2);
    Real wp = real_madd(real_mul(k->w1, k->p1), k->w2, k->p2);
    Real bend = real_div(real_mul(p11, k->beta), real_mul(pp, k->alpha));
    Real rise = real_div(real_sub(real_mul(k->m, real_sqrt(pp)), wp), k->e);
    Real guess = real_sub(rise, bend);
    RealMask inside = real_and(real_above(guess, low), real_above(high, guess));
    if (!real_every(inside)) {
        guess = real_select(inside, guess, law_slip_middle(low, high));
    }
    return guess;
}

#ifndef LAW_WIDE_REALS /* what only single contacts need, where there may be several roots */

/* The real roots of a x^2 + 2 half_b x + c in ascending order. Returns how many there are. A double
 * root does not count, since it is no extremum of the cubic whose derivative this is. */
LAW_INLINE int law_quadratic_roots(double a, double half_b, double c, double root[2]) {
    double discriminant = half_b * half_b - a * c;
    if (!(discriminant > 0.0)) {
        return 0;
    }
    double big = -(half_b + copysign(sqrt(discriminant), half_b));
    if (a == 0.0 || fabs(c) > 1e300 * fabs(big)) {
        root[0] = c / big;
        return 1;
    }
    double x = big / a;
    double y = c / big;
    root[0] = law_min(x, y);
    root[1] = law_max(x, y);
    return 2;
}

/* Points of (low, 1), in descending order, that separate the roots of the quartic
 *     Q(T) = m^2 |n|^2 - (e T L + w.n)^2,
 * whose largest root is that of psi. They are the roots of its derivative, a cubic, and each lies
 * between two extrema of that. Returns how many there are. */
LAW_INLINE int law_slip_partings(const LawSlip *k, double low, double parting[3]) {
    double g2 = k->e * k->alpha;
    double g1 = k->e * k->beta + k->alpha * (k->w1 * k->p1 + k->w2 * k->p2);
    double g0 = k->w2 * k->p2 * k->beta;
    double mm = k->m * k->m;
    double c3 = -4.0 * g2 * g2;
    double c2 = -6.0 * g2 * g1;
    double c1 = 2.0 * (mm * k->alpha * k->alpha * (k->p1 * k->p1 + k->p2 * k->p2) - g1 * g1 -
                       2.0 * g2 * g0);
    double c0 = 2.0 * (mm * k->p2 * k->p2 * k->alpha * k->beta - g1 * g0);
    double cut[4] = {1.0, 1.0, 1.0, low};
    double extremum[2];
    int extrema = law_quadratic_roots(3.0 * c3, c2, c1, extremum);
    int cuts = 1;
    for (int i = extrema - 1; i >= 0; i--) {
        if (extremum[i] > low && extremum[i] < 1.0) {
            cut[cuts++] = extremum[i];
        }
    }
    cut[cuts] = low;
    int count = 0;
    for (int i = 0; i < cuts; i++) {
        double high_end = cut[i];
        double low_end = cut[i + 1];
        bool sign = ((c3 * high_end + c2) * high_end + c1) * high_end + c0 < 0.0;
        if (sign == (((c3 * low_end + c2) * low_end + c1) * low_end + c0 < 0.0)) {
            continue;
        }
        for (int j = 0; j < 80; j++) {
            double x = law_slip_middle(low_end, high_end);
            if (!(x > low_end && x < high_end)) {
                break;
            }
            if ((((c3 * x + c2) * x + c1) * x + c0 < 0.0) == sign) {
                high_end = x;
            } else {
                low_end = x;
            }
        }
        parting[count++] = high_end;
    }
    return count;
}

/* Fills in the constants, for l1 > l2 >= 0 and p1, p2 not 0. Returns T_lo, below which there is no
 * root. */
LAW_INLINE double law_slip_prepare(double l1, double l2, const double p[2], const double w[2],
                                   double a_over_mu, double minus_qn, LawSlip *k) {
    double p_largest = law_max(fabs(p[0]), fabs(p[1]));
    double w_norm = law_norm2(w[0], w[1]);
    double delta = l1 - l2;
    k->unit = a_over_mu + w_norm;
    /* |r_t| lies between |q_n| / (a/mu + |w|) and |q_n| / (a/mu - |w|). */
    double per_qn = 1.0 / minus_qn;
    double per_unit = 1.0 / k->unit;
    double far = 1.4142135623730954 * k->unit * per_qn;
    double near = law_max(a_over_mu - w_norm, 0.0) * per_qn;
    double t_hi = law_max(far * fabs(p[0]) - delta, far * fabs(p[1]));
    double t_lo = law_max(near * fabs(p[0]) - delta, near * fabs(p[1]));
    t_hi = law_max(t_hi, l2);
    t_lo = law_max(t_lo, l2);
    k->p1 = p[0] / p_largest;
    k->p2 = p[1] / p_largest;
    k->w1 = w[0] * per_unit;
    k->w2 = w[1] * per_unit;
    k->m = a_over_mu * per_unit;
    k->e = t_hi / p_largest * (minus_qn * per_unit);
    k->alpha = t_hi > delta ? 1.0 : t_hi / delta;
    k->beta = t_hi > delta ? delta / t_hi : 1.0;
    return law_min(t_lo / t_hi, 1.0);
}

/* The direction d and the length of the tangential impulse, for the slip with the smallest normal
 * impulse. l2 = 0 means that the second axis is frozen, and only then there may be no solution, so
 * that this returns false. */
LAW_INLINE bool law_slip_solve(double l1, double l2, const double p[2], const double w[2],
                               double a_over_mu, double minus_qn, double d[2], double *length) {
    LawSlip k;
    double low = law_slip_prepare(l1, l2, p, w, a_over_mu, minus_qn, &k);
    double high = 1.0;
    bool low_is_negative = l2 > 0.0 || k.w2 * copysign(1.0, k.p2) < k.m;
    if (!law_slip_is_simple(&k, low)) {
        double parting[3];
        int count = law_slip_partings(&k, low, parting);
        for (int i = 0; i < count; i++) {
            double unused;
            if (law_slip_psi(&k, parting[i], &unused) < 0.0) {
                low = parting[i];
                low_is_negative = true;
                break;
            }
            high = parting[i];
        }
    }
    if (!low_is_negative) {
        return false;
    }
    double T = law_slip_root(&k, low, high, law_slip_guess(&k, low, high), true);
    law_slip_impulse(&k, T, minus_qn, d, length);
    return true;
}

#endif

#endif

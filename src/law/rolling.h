/* Sliding and rolling friction of round bodies, solved together and exactly (BUW 1.38 to 1.42).
 *
 * Between round bodies (spheres, disks, walls) the normal impulse and the torsion are decoupled
 * from the rest. What is left at one contact are the tangential impulse x and the rolling torque y,
 * in the plane two numbers, in space two vectors of two components; the torque is turned by 90
 * degrees about the normal, so that one number k couples the two:
 *
 *     u = q_x + a x + k y          sliding velocity
 *     o = q_y + k x + c y          rolling velocity (difference of spins, turned likewise)
 *
 * With r_1, r_2, m_1, m_2, I_1, I_2 of the partners: a = 1/m_1 + 1/m_2 + r_1^2/I_1 + r_2^2/I_2,
 * c = 1/I_1 + 1/I_2, |k| = |r_1/I_1 - r_2/I_2|, hence a c >= k^2. Both bounds are known numbers,
 * X = mu P and Y = rho P with P the normal impulse, so that the law
 *
 *     |x| <= X, u opposite to x, u = 0 if |x| < X;     |y| <= Y, o opposite to y, o = 0 if |y| < Y
 *
 * says that (x, y) minimises  a x^2/2 + k x.y + c y^2/2 + q_x.x + q_y.y  over the two disks: there
 * is a solution, and if a c > k^2 only one.
 *
 * Three tries lead to it:
 *   1. x without its bound, eliminated by u = 0; y is then the projection of a point on its disk.
 *      If |x| <= X this is the solution: stick, or rolling without sliding.
 *   2. The same with x and y exchanged: sliding without rolling.
 *   3. If both fail, both bounds are reached; the directions remain (law_rolling_direction).
 *
 * In the plane the second step is only a clamp: the function of x that is left after minimising
 * over y is convex, so if its minimum is at x with |x| > X, the solution has x at that end.
 *
 * Singular a c = k^2 (say, a ball whose centre is held: it slides only by turning). If q can be
 * stopped at all, force and torque can share the work in many ways; then, to rounding, the force
 * takes all that it can. Otherwise the formulas above stay valid. Frozen parts (a = 0 or c = 0, so
 * that k = 0): see rolling_disk.h.
 *
 * For finite input the results are finite, over the whole range of double; with infinite bounds
 * and a singular block that cannot be stopped there is no solution, and the result is only that. */
#ifndef SCREE_LAW_ROLLING_H
#define SCREE_LAW_ROLLING_H

#include <math.h>
#include <stdbool.h>

#include "law/rolling_disk.h"

/* In the plane; all numbers of ordinary magnitude, a, c, X, Y > 0. */
LAW_INLINE void law_rolling_line(double a, double k, double c, double qx, double qy, double X,
                                 double Y, double *x, double *y) {
    double ratio = k / a;
    double rest = c - k * ratio;
    double p = qy - ratio * qx;
    bool shared = !(rest > LAW_ROUNDING * c) && fabs(p) <= LAW_ROUNDING * fabs(qy);
    *y = shared ? 0.0 : law_bounded1(law_max(rest, LAW_ROUNDING * c), p, Y);
    *x = -(qx + k * *y) / a;
    if (fabs(*x) > X) {
        *x = copysign(X, *x);
        *y = law_bounded1(c, qy + k * *x, Y);
    }
}

/* Both slide. Let e be the direction of k q_x, y = Y d with d at the angle beta from e, and theta
 * the angle from e to -q_y; beta is counted to that side, so 0 <= theta <= pi. Then x points
 * against v = q_x + k y, and y against q_y + k x. Sideways to d this reads
 *
 *     |q_y| sin(theta - beta) V(beta) - |k| X |q_x| sin(beta) = 0,      V = max(|v|, a X).
 *
 * Divided by sin(beta) both factors of the first term fall with beta, so there is one root between
 * 0 and theta. V = a X stands for an x that does not slide, and matters only when rounding has
 * brought us here; with it, any root gives an x that obeys its law, and a y that is parallel to
 * its velocity.
 *
 * x and y are to be named such that a X >= |k| Y, which is possible because a c >= k^2. Then
 * V >= |k| Y, no difference of nearly equal numbers is divided by, and V changes by a factor of 3
 * at most over all angles: nearly a linear problem. */
typedef struct LawRollingSlide {
    double end[2];     /* cos and sin of theta */
    double y_pull;     /* |q_y| (|q_x| + |k| Y), and */
    double x_pull;     /* |k| X |q_x|, over their sum */
    double base, turn; /* (|v| / (|q_x| + |k| Y))^2 = base + turn cos(beta) */
    double least;      /* a X / (|q_x| + |k| Y) */
} LawRollingSlide;

LAW_INLINE void law_direction(double x, double y, double d[2]) {
    double inverse = 1.0 / law_norm2(x, y);
    d[0] = x * inverse;
    d[1] = y * inverse;
}

/* The middle of the angle between two directions, not more than pi apart. */
LAW_INLINE void law_rolling_middle(const double low[2], const double high[2], double d[2]) {
    if (low[0] * high[0] + low[1] * high[1] > 0.0) {
        law_direction(low[0] + high[0], low[1] + high[1], d);
    } else {
        law_direction(high[1] - low[1], low[0] - high[0], d);
    }
}

/* The error of a direction; 0 where it is no more than rounding. In *step the angle by which
 * Newton's method would turn it, in *sticks whether |v| < a X there. */
LAW_INLINE double law_rolling_error(const LawRollingSlide *k, const double d[2], double *step,
                                    bool *sticks) {
    double square = k->base + k->turn * d[0];
    double least_square = k->least * k->least;
    *sticks = square < least_square;
    square = *sticks ? least_square : square;
    double half_fall = *sticks ? 0.0 : 0.5 * k->turn * d[1]; /* -V dV/dbeta */
    double reach = sqrt(square);
    double first = k->end[1] * d[0];
    double second = k->end[0] * d[1];
    double sine = first - second; /* of theta - beta */
    double cosine = k->end[0] * d[0] + k->end[1] * d[1];
    double y_term = k->y_pull * sine * square; /* all multiplied by V once more */
    double x_term = k->x_pull * d[1] * reach;
    double slope = k->y_pull * (sine * half_fall + cosine * square) + k->x_pull * d[0] * reach;
    double error = y_term - x_term;
    double noise = k->y_pull * (fabs(first) + fabs(second)) * square + x_term;
    *step = slope > 0.0 ? error / slope : 4.0;
    return fabs(error) > 2e-16 * noise ? error : 0.0;
}

LAW_INLINE void law_turn(const double d[2], double angle, double next[2]) {
    double half = 0.5 * angle; /* by 2 atan(half), without roots */
    double scale = 2.0 / (1.0 + half * half);
    double c = scale - 1.0;
    double s = scale * half;
    next[0] = c * d[0] - s * d[1];
    next[1] = c * d[1] + s * d[0];
}

/* Direction d = (cos beta, sin beta) of y. Newton's method, with a cut of the bracket whenever a
 * step leaves it or the steps fail to halve. Returns the number of steps. */
LAW_INLINE int law_rolling_direction(const LawRollingSlide *k, double d[2]) {
    double low[2] = {1.0, 0.0};
    double high[2] = {k->end[0], k->end[1]};
    double last = 4.0;
    bool kink_is_new = true;
    /* First guess: the root if V were constant, with V half way. */
    double reach = law_max(sqrt(k->base + k->turn * (0.5 + 0.5 * high[0])), k->least);
    double pull = k->y_pull * reach;
    law_direction(k->x_pull + pull * high[0], pull * high[1], d);
    for (int steps = 1; steps < 100; steps++) {
        double step;
        bool sticks;
        double error = law_rolling_error(k, d, &step, &sticks);
        if (error == 0.0) {
            return steps;
        }
        double *side = error > 0.0 ? low : high;
        side[0] = d[0];
        side[1] = d[1];
        bool good = fabs(step) <= 0.5 * last;
        double next[2];
        if (kink_is_new && sticks && error < 0.0) {
            /* The root lies before the kink of V, where Newton's method must not start behind. */
            kink_is_new = false;
            next[0] = law_min((k->least * k->least - k->base) / k->turn, 1.0);
            next[1] = sqrt((1.0 - next[0]) * (1.0 + next[0]));
            step = 4.0;
            good = true;
        } else {
            law_turn(d, step, next);
        }
        good = good && low[0] * next[1] > low[1] * next[0] && next[0] * high[1] > next[1] * high[0];
        if (!good) {
            law_rolling_middle(low, high, next);
            step = law_norm2(high[0] - low[0], high[1] - low[1]); /* or less */
        }
        d[0] = next[0];
        d[1] = next[1];
        /* In the quadratic regime the step just made is exact to rounding. */
        double size = fabs(step);
        if (size <= 1e-16 || (good && size <= 1e-8 && size <= 1e-3 * last)) {
            return steps;
        }
        last = good ? size : last;
    }
    return 100;
}

/* The unit vector of (x, y) times sign, or (1, 0). */
LAW_INLINE void law_unit_or_axis(double sign, const double v[2], double length, double e[2]) {
    e[0] = length > 0.0 ? sign * (v[0] / length) : 1.0;
    e[1] = length > 0.0 ? sign * (v[1] / length) : 0.0;
}

/* Both slide, and a X >= |k| Y. Returns the number of steps. */
LAW_INLINE int law_rolling_slide(double a, double k, double c, const double qx[2],
                                 const double qy[2], double X, double Y, double x[2], double y[2]) {
    double speed = law_norm2(qx[0], qx[1]);
    double spin = law_norm2(qy[0], qy[1]);
    double e[2];
    double f[2]; /* the direction of -q_y */
    law_unit_or_axis(copysign(1.0, k), qx, speed, e);
    law_unit_or_axis(-1.0, qy, spin, f);
    double along = e[0] * f[0] + e[1] * f[1];
    double across = e[0] * f[1] - e[1] * f[0];
    if (!(speed > 0.0) || !(spin > 0.0) || fabs(across) <= LAW_ROUNDING) {
        double *axis = speed > 0.0 ? e : f;
        double on_axis[2];
        law_rolling_line(a, k, c, axis[0] * qx[0] + axis[1] * qx[1],
                         axis[0] * qy[0] + axis[1] * qy[1], X, Y, &on_axis[0], &on_axis[1]);
        x[0] = on_axis[0] * axis[0];
        x[1] = on_axis[0] * axis[1];
        y[0] = on_axis[1] * axis[0];
        y[1] = on_axis[1] * axis[1];
        return 0;
    }
    double unit = speed + fabs(k) * Y;
    double x_part = speed / unit;
    double y_part = fabs(k) * Y / unit;
    double x_pull = fabs(k) * X * x_part;
    LawRollingSlide slide;
    slide.end[0] = along;
    slide.end[1] = fabs(across);
    slide.base = x_part * x_part + y_part * y_part;
    slide.turn = 2.0 * x_part * y_part;
    slide.least = a * X / unit;
    slide.y_pull = spin / (spin + x_pull);
    slide.x_pull = x_pull / (spin + x_pull);
    double d[2];
    int steps = law_rolling_direction(&slide, d);
    law_direction(d[0], copysign(d[1], across), d);
    y[0] = Y * (d[0] * e[0] - d[1] * e[1]);
    y[1] = Y * (d[0] * e[1] + d[1] * e[0]);
    const double v[2] = {qx[0] + k * y[0], qx[1] + k * y[1]};
    law_bounded2(a, v, X, x);
    return steps;
}

/* The first try: x without its bound. True if it is the solution. */
LAW_INLINE bool law_rolling_free(double a, double k, double c, const double qx[2],
                                 const double qy[2], double X, double Y, double x[2], double y[2]) {
    double ratio = k / a;
    double rest = c - k * ratio; /* what y can change once u = 0 */
    const double p[2] = {qy[0] - ratio * qx[0], qy[1] - ratio * qx[1]};
    law_bounded2(law_max(rest, LAW_ROUNDING * c), p, Y, y);
    x[0] = -(qx[0] + k * y[0]) / a;
    x[1] = -(qx[1] + k * y[1]) / a;
    return law_norm2(x[0], x[1]) <= X;
}

/* Singular to rounding, and so that q can be stopped. */
LAW_INLINE bool law_rolling_shared(double a, double k, double c, const double qx[2],
                                   const double qy[2]) {
    double ratio = k / a;
    return !(c - k * ratio > LAW_ROUNDING * c) &&
           law_norm2(qy[0] - ratio * qx[0], qy[1] - ratio * qx[1]) <=
               LAW_ROUNDING * law_norm2(qy[0], qy[1]);
}

/* All numbers of ordinary magnitude, a, c, X, Y > 0. */
LAW_INLINE int law_rolling_in_range(double a, double k, double c, const double qx[2],
                                    const double qy[2], double X, double Y, double x[2],
                                    double y[2]) {
    if (law_rolling_shared(a, k, c, qx, qy)) {
        law_bounded2(a, qx, X, x);
        const double left[2] = {qy[0] + k * x[0], qy[1] + k * x[1]};
        law_bounded2(c, left, Y, y);
        return 0;
    }
    if (law_rolling_free(a, k, c, qx, qy, X, Y, x, y) ||
        law_rolling_free(c, k, a, qy, qx, Y, X, y, x)) {
        return 0;
    }
    return a * X >= fabs(k) * Y ? law_rolling_slide(a, k, c, qx, qy, X, Y, x, y)
                                : law_rolling_slide(c, k, a, qy, qx, Y, X, y, x);
}

/* Units that are powers of two, in which a and c are of order one and the larger velocity too; the
 * products u x and o y have the same unit, so the form of the problem is kept. */
typedef struct LawRollingUnits {
    int sliding, rolling; /* exponents of the units of u and o, */
    int force, torque;    /* of x and y, */
    int coupling;         /* of k */
} LawRollingUnits;

LAW_INLINE LawRollingUnits law_rolling_units(double a, double c, double largest_x,
                                             double largest_y) {
    int of_a;
    int of_c;
    int of_x;
    int of_y;
    frexp(a, &of_a);
    frexp(c, &of_c);
    frexp(largest_x, &of_x);
    frexp(largest_y, &of_y);
    of_a += of_a % 2 != 0; /* even, so that halves are whole */
    of_c += of_c % 2 != 0;
    int energy_x = 2 * of_x - of_a;
    int energy_y = 2 * of_y - of_c;
    bool x_decides = largest_x > 0.0 && (energy_x > energy_y || !(largest_y > 0.0));
    int energy = x_decides ? energy_x : energy_y;
    LawRollingUnits units;
    units.sliding = (energy + of_a) / 2;
    units.rolling = (energy + of_c) / 2;
    units.force = (energy - of_a) / 2;
    units.torque = (energy - of_c) / 2;
    units.coupling = (of_a + of_c) / 2;
    return units;
}

LAW_INLINE int law_rolling_scaled(double a, double k, double c, const double qx[2],
                                  const double qy[2], double X, double Y, double x[2],
                                  double y[2]) {
    LawRollingUnits unit = law_rolling_units(a, c, law_max(fabs(qx[0]), fabs(qx[1])),
                                             law_max(fabs(qy[0]), fabs(qy[1])));
    const double sx[2] = {ldexp(qx[0], -unit.sliding), ldexp(qx[1], -unit.sliding)};
    const double sy[2] = {ldexp(qy[0], -unit.rolling), ldexp(qy[1], -unit.rolling)};
    int steps = law_rolling_in_range(ldexp(a, unit.force - unit.sliding), ldexp(k, -unit.coupling),
                                     ldexp(c, unit.torque - unit.rolling), sx, sy,
                                     ldexp(X, -unit.force), ldexp(Y, -unit.torque), x, y);
    for (int i = 0; i < 2; i++) {
        x[i] = law_clamp(ldexp(x[i], unit.force), LAW_LARGEST);
        y[i] = law_clamp(ldexp(y[i], unit.torque), LAW_LARGEST);
    }
    return steps;
}

LAW_INLINE bool law_rolling_is_ordinary(double a, double c, double largest_q) {
    return law_is_ordinary(a) && law_is_ordinary(c) && law_is_ordinary(largest_q);
}

/* In space. Returns the steps of Newton's method, 0 where the solution has a closed form. */
LAW_INLINE int law_rolling_space(double a, double k, double c, const double qx[2],
                                 const double qy[2], double X, double Y, double x[2], double y[2]) {
    if (k == 0.0 || !(a > 0.0) || !(c > 0.0) || !(X > 0.0) || !(Y > 0.0)) {
        law_bounded2(a, qx, X, x);
        law_bounded2(c, qy, Y, y);
        return 0;
    }
    double largest = law_max(law_max(fabs(qx[0]), fabs(qx[1])), law_max(fabs(qy[0]), fabs(qy[1])));
    return law_rolling_is_ordinary(a, c, largest)
               ? law_rolling_in_range(a, k, c, qx, qy, X, Y, x, y)
               : law_rolling_scaled(a, k, c, qx, qy, X, Y, x, y);
}

/* In the plane. */
LAW_INLINE void law_rolling_plane(double a, double k, double c, double qx, double qy, double X,
                                  double Y, double *x, double *y) {
    if (k == 0.0 || !(a > 0.0) || !(c > 0.0) || !(X > 0.0) || !(Y > 0.0)) {
        *x = law_bounded1(a, qx, X);
        *y = law_bounded1(c, qy, Y);
        return;
    }
    if (!law_rolling_is_ordinary(a, c, law_max(fabs(qx), fabs(qy)))) {
        const double qx2[2] = {qx, 0.0};
        const double qy2[2] = {qy, 0.0};
        double x2[2];
        double y2[2];
        law_rolling_scaled(a, k, c, qx2, qy2, X, Y, x2, y2);
        *x = x2[0];
        *y = y2[0];
        return;
    }
    law_rolling_line(a, k, c, qx, qy, X, Y, x, y);
}

#endif

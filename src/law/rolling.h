/* Sliding and rolling friction of round bodies, solved together and exactly (BUW 1.38 to 1.42).
 *
 * Between round bodies (spheres, disks, walls) the normal impulse and the torsion are decoupled
 * from the rest. What is left at one contact are the tangential impulse x and the rolling torque y,
 * in the plane two numbers, in space two vectors of two components. The torque is turned by 90
 * degrees about the normal, y = n x T or T x n, and the difference of spins likewise, so that one
 * number k couples the two:
 *
 *     u = q_x + a x + k y          sliding velocity
 *     o = q_y + k x + c y          rolling velocity
 *
 * With r, m, I of the partners: a = 1/m_1 + 1/m_2 + r_1^2/I_1 + r_2^2/I_2, c = 1/I_1 + 1/I_2 and
 * |k| = |r_1/I_1 - r_2/I_2| (a plane has r/I = 0), hence a c >= k^2; equal balls have k = 0. The
 * bounds are known numbers, X = mu P and Y = rho P with P the normal impulse, so that the law
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

/* What slides because its bound is too low to stop it; the values are added. For a bound of 0 the
 * velocity q alone decides, without the effect of the other impulse. */
enum { LAW_NOTHING_SLIDES = 0, LAW_FORCE_SLIDES = 1, LAW_TORQUE_SLIDES = 2 };

/* Solves the problem in the plane. All numbers are of ordinary magnitude, and a, c, X, Y > 0. */
LAW_INLINE int law_rolling_line(double a, double k, double c, double qx, double qy, double X,
                                double Y, double *x, double *y) {
    double ratio = k / a;
    double rest = c - k * ratio; /* do/dy while u = 0 */
    double p = qy - ratio * qx;
    bool shared = !(rest > LAW_ROUNDING * c) && fabs(p) <= LAW_ROUNDING * fabs(qy);
    bool rolls = law_bounded1(law_max(rest, LAW_ROUNDING * c), shared ? 0.0 : p, Y, y);
    *x = -(qx + k * *y) / a;
    if (fabs(*x) <= X) {
        return rolls ? LAW_TORQUE_SLIDES : LAW_NOTHING_SLIDES;
    }
    *x = copysign(X, *x);
    rolls = law_bounded1(c, qy + k * *x, Y, y);
    return LAW_FORCE_SLIDES + (rolls ? LAW_TORQUE_SLIDES : 0);
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
    double cosine, sine; /* of theta, times |q_y| (|q_x| + |k| Y); */
    double x_pull;       /* |k| X |q_x|; all three over the sum of their magnitudes */
    double base, turn;   /* (|v| / (|q_x| + |k| Y))^2 = base + turn cos(beta) */
    double least;        /* (a X / (|q_x| + |k| Y))^2 */
} LawRollingSlide;

LAW_INLINE void law_direction(double x, double y, double d[2]) {
    double inverse = 1.0 / law_norm2(x, y);
    d[0] = x * inverse;
    d[1] = y * inverse;
}

/* The direction that bisects the angle, of at most pi, between two directions. */
LAW_INLINE void law_rolling_middle(const double low[2], const double high[2], double d[2]) {
    if (low[0] * high[0] + low[1] * high[1] > 0.0) {
        law_direction(low[0] + high[0], low[1] + high[1], d);
    } else {
        law_direction(high[1] - low[1], low[0] - high[0], d);
    }
}

/* The error of a direction and its derivative, both multiplied by V. The error is 0 if it is mere
 * rounding; *sticks tells whether |v| < a X. */
LAW_INLINE double law_rolling_error(const LawRollingSlide *k, const double d[2], double *slope,
                                    bool *sticks) {
    double square = k->base + k->turn * d[0];
    *sticks = square < k->least;
    square = *sticks ? k->least : square;
    double fall = *sticks ? 0.0 : 0.5 * k->turn * d[1]; /* -V dV/dbeta */
    double reach = sqrt(square);
    double first = k->sine * d[0];
    double second = k->cosine * d[1];
    double across = first - second; /* sin(theta - beta) */
    double along = k->cosine * d[0] + k->sine * d[1];
    double x_term = k->x_pull * d[1] * reach;
    double error = across * square - x_term;
    double noise = (fabs(first) + fabs(second)) * square + x_term;
    *slope = -(across * fall + along * square + k->x_pull * d[0] * reach);
    return fabs(error) > 2e-16 * noise ? error : 0.0;
}

/* A step of Newton's method. It turns d not by the angle -error / slope but by 2 atan(angle / 2),
 * which takes no root. Returns the magnitude of the angle. */
LAW_INLINE double law_rolling_turn(const double d[2], double error, double slope, double next[2]) {
    double twice = 2.0 * slope;
    double per = 1.0 / (twice * twice + error * error);
    double sine = -2.0 * twice * error * per;
    double cosine = (twice * twice - error * error) * per;
    next[0] = cosine * d[0] - sine * d[1];
    next[1] = cosine * d[1] + sine * d[0];
    return fabs(sine);
}

/* The direction d = (cos beta, sin beta) of y, starting from a first guess: Newton's method, which
 * bisects the bracket instead whenever a step would leave it or the steps fail to halve. Returns
 * the number of steps. */
LAW_INLINE int law_rolling_direction(const LawRollingSlide *k, double d[2]) {
    double low[2] = {1.0, 0.0};
    double high[2] = {k->cosine, k->sine};
    double last = 4.0;
    bool kink_is_new = true;
    for (int steps = 1; steps < 100; steps++) {
        double slope;
        bool sticks;
        double error = law_rolling_error(k, d, &slope, &sticks);
        if (error == 0.0) {
            return steps;
        }
        double *side = error > 0.0 ? low : high;
        side[0] = d[0];
        side[1] = d[1];
        double next[2];
        double size;
        bool good;
        if (kink_is_new && sticks && error < 0.0) {
            /* The root lies before the kink of V, and Newton's method must not start beyond it. */
            kink_is_new = false;
            next[0] = law_min((k->least - k->base) / k->turn, 1.0);
            next[1] = sqrt((1.0 - next[0]) * (1.0 + next[0]));
            size = 4.0;
            good = true;
        } else {
            size = law_rolling_turn(d, error, slope, next);
            good = slope < 0.0 && size <= 0.5 * last;
        }
        good = good && low[0] * next[1] > low[1] * next[0] && next[0] * high[1] > next[1] * high[0];
        if (!good) {
            law_rolling_middle(low, high, next);
            size = law_norm2(high[0] - low[0], high[1] - low[1]); /* or less */
        }
        d[0] = next[0];
        d[1] = next[1];
        /* In the quadratic regime the step just made is exact to rounding. */
        if (size <= 1e-16 || (good && size <= 1e-8 && size <= 1e-3 * last)) {
            return steps;
        }
        last = good ? size : last;
    }
    return 100;
}

/* Both slide along one line, which is a problem in the plane. */
LAW_INLINE void law_rolling_aligned(double a, double k, double c, const double qx[2],
                                    const double qy[2], double X, double Y, double x[2],
                                    double y[2]) {
    bool by_x = law_norm2(qx[0], qx[1]) > 1e-200;
    double e[2];
    double x_along;
    double y_along;
    law_direction(by_x ? qx[0] : qy[0], by_x ? qx[1] : qy[1], e);
    law_rolling_line(a, k, c, e[0] * qx[0] + e[1] * qx[1], e[0] * qy[0] + e[1] * qy[1], X, Y,
                     &x_along, &y_along);
    x[0] = x_along * e[0];
    x[1] = x_along * e[1];
    y[0] = y_along * e[0];
    y[1] = y_along * e[1];
}

/* Both slide, and a X >= |k| Y. Returns the number of steps. */
LAW_INLINE int law_rolling_slide(double a, double k, double c, const double qx[2],
                                 const double qy[2], double X, double Y, double x[2], double y[2]) {
    double speed = law_norm2(qx[0], qx[1]);
    double per_speed = speed > 1e-200 ? copysign(1.0, k) / speed : 0.0;
    const double e[2] = {per_speed * qx[0], per_speed * qx[1]};
    double along = -(e[0] * qy[0] + e[1] * qy[1]); /* |q_y| cos(theta) */
    double across = e[1] * qy[0] - e[0] * qy[1];
    if (!(fabs(across) > LAW_ROUNDING * fabs(along))) {
        law_rolling_aligned(a, k, c, qx, qy, X, Y, x, y);
        return 0;
    }
    double unit = speed + fabs(k) * Y;
    double per_unit = 1.0 / unit;
    double x_part = speed * per_unit;
    double y_part = fabs(k) * Y * per_unit;
    double least = a * X * per_unit;
    double x_pull = fabs(k) * X * x_part;
    double per_pull = 1.0 / (fabs(along) + fabs(across) + x_pull);
    LawRollingSlide slide;
    slide.cosine = along * per_pull;
    slide.sine = fabs(across) * per_pull;
    slide.x_pull = x_pull * per_pull;
    slide.base = x_part * x_part + y_part * y_part;
    slide.turn = 2.0 * x_part * y_part;
    slide.least = least * least;
    /* First guess: the root if V were constant, a V in the middle. */
    double d[2];
    double reach = law_max(law_max(x_part, y_part), least);
    law_direction(slide.x_pull + slide.cosine * reach, slide.sine * reach, d);
    int steps = law_rolling_direction(&slide, d);
    double scale = Y * (1.5 - 0.5 * (d[0] * d[0] + d[1] * d[1])); /* |d| = 1 but for rounding */
    d[1] = copysign(d[1], across);
    y[0] = scale * (d[0] * e[0] - d[1] * e[1]);
    y[1] = scale * (d[0] * e[1] + d[1] * e[0]);
    const double v[2] = {qx[0] + k * y[0], qx[1] + k * y[1]};
    law_bounded2(a, v, X, x);
    return steps;
}

/* The first try, x without its bound. Returns whether it is the solution. */
LAW_INLINE bool law_rolling_free(double a, double k, double c, const double qx[2],
                                 const double qy[2], double X, double Y, double x[2], double y[2],
                                 bool *y_slides) {
    double per_a = 1.0 / a;
    double ratio = k * per_a;
    double rest = law_max(c - k * ratio, LAW_ROUNDING * c); /* do/dy while u = 0 */
    const double p[2] = {qy[0] - ratio * qx[0], qy[1] - ratio * qx[1]};
    *y_slides = law_bounded2(rest, p, Y, y);
    x[0] = -(qx[0] + k * y[0]) * per_a;
    x[1] = -(qx[1] + k * y[1]) * per_a;
    return law_within(x[0], x[1], X);
}

/* Whether the block is singular to rounding while q can be stopped. */
LAW_INLINE bool law_rolling_shared(double a, double k, double c, const double qx[2],
                                   const double qy[2]) {
    if (a * c - k * k > LAW_ROUNDING * (a * c)) {
        return false;
    }
    double ratio = k / a;
    return law_norm2(qy[0] - ratio * qx[0], qy[1] - ratio * qx[1]) <=
           LAW_ROUNDING * law_norm2(qy[0], qy[1]);
}

/* In space. All numbers are of ordinary magnitude, and a, c, X, Y > 0. */
LAW_INLINE int law_rolling_in_range(double a, double k, double c, const double qx[2],
                                    const double qy[2], double X, double Y, double x[2],
                                    double y[2], int *steps) {
    bool other;
    if (law_rolling_shared(a, k, c, qx, qy)) {
        bool slides = law_bounded2(a, qx, X, x);
        const double left[2] = {qy[0] + k * x[0], qy[1] + k * x[1]};
        other = law_bounded2(c, left, Y, y) && slides; /* otherwise only rounding is left */
        return (slides ? LAW_FORCE_SLIDES : 0) + (other ? LAW_TORQUE_SLIDES : 0);
    }
    if (law_rolling_free(a, k, c, qx, qy, X, Y, x, y, &other)) {
        return other ? LAW_TORQUE_SLIDES : LAW_NOTHING_SLIDES;
    }
    if (law_rolling_free(c, k, a, qy, qx, Y, X, y, x, &other)) {
        return other ? LAW_FORCE_SLIDES : LAW_NOTHING_SLIDES;
    }
    *steps = a * X >= fabs(k) * Y ? law_rolling_slide(a, k, c, qx, qy, X, Y, x, y)
                                  : law_rolling_slide(c, k, a, qy, qx, Y, X, y, x);
    return LAW_FORCE_SLIDES + LAW_TORQUE_SLIDES;
}

/* Units that are powers of two, in which a, c and the larger velocity are of order one. The
 * products u x and o y have the same unit, so that the problem keeps its form. */
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

/* A bound in these units. One that is too small to have any effect need not be any smaller. */
#define LAW_ROLLING_LEAST 1e-150

LAW_INLINE double law_rolling_bound(double bound, int unit) {
    return law_max(ldexp(bound, -unit), LAW_ROLLING_LEAST);
}

/* Converts back from these units, to a finite impulse within the bound. */
LAW_INLINE void law_rolling_impulse(double z[2], int unit, double bound) {
    double length = law_norm2(z[0], z[1]);
    bool beyond = ldexp(bound, -unit) < LAW_ROLLING_LEAST && ldexp(length, unit) > bound;
    for (int i = 0; i < 2; i++) {
        z[i] = beyond ? z[i] / length * bound : law_clamp(ldexp(z[i], unit), LAW_LARGEST);
    }
}

LAW_INLINE int law_rolling_scaled(double a, double k, double c, const double qx[2],
                                  const double qy[2], double X, double Y, double x[2], double y[2],
                                  int *steps) {
    LawRollingUnits unit = law_rolling_units(a, c, law_max(fabs(qx[0]), fabs(qx[1])),
                                             law_max(fabs(qy[0]), fabs(qy[1])));
    const double sx[2] = {ldexp(qx[0], -unit.sliding), ldexp(qx[1], -unit.sliding)};
    const double sy[2] = {ldexp(qy[0], -unit.rolling), ldexp(qy[1], -unit.rolling)};
    int slides = law_rolling_in_range(ldexp(a, unit.force - unit.sliding), ldexp(k, -unit.coupling),
                                      ldexp(c, unit.torque - unit.rolling), sx, sy,
                                      law_rolling_bound(X, unit.force),
                                      law_rolling_bound(Y, unit.torque), x, y, steps);
    law_rolling_impulse(x, unit.force, X);
    law_rolling_impulse(y, unit.torque, Y);
    return slides;
}

/* Whether x and y influence each other. They do not if k is 0, if a bound is 0, or if one of them
 * cannot change anything (a or c is 0) or stops its velocity without effort (infinity). */
LAW_INLINE bool law_rolling_is_coupled(double a, double k, double c, double X, double Y) {
    return k != 0.0 && a > 0.0 && a <= LAW_LARGEST && c > 0.0 && c <= LAW_LARGEST && X > 0.0 &&
           Y > 0.0;
}

LAW_INLINE bool law_rolling_is_ordinary(double a, double c, double largest_q) {
    return a > 1e-20 && a < 1e20 && c > 1e-20 && c < 1e20 && largest_q > 1e-20 && largest_q < 1e20;
}

/* Solves the problem in space and returns what slides. *steps becomes the number of steps of
 * Newton's method, 0 where the solution has a closed form. */
LAW_INLINE int law_rolling_space_counted(double a, double k, double c, const double qx[2],
                                         const double qy[2], double X, double Y, double x[2],
                                         double y[2], int *steps) {
    *steps = 0;
    if (!law_rolling_is_coupled(a, k, c, X, Y)) {
        bool force = law_bounded2(a, qx, X, x);
        bool torque = law_bounded2(c, qy, Y, y);
        return (force ? LAW_FORCE_SLIDES : 0) + (torque ? LAW_TORQUE_SLIDES : 0);
    }
    double largest = law_max(law_max(fabs(qx[0]), fabs(qx[1])), law_max(fabs(qy[0]), fabs(qy[1])));
    return law_rolling_is_ordinary(a, c, largest)
               ? law_rolling_in_range(a, k, c, qx, qy, X, Y, x, y, steps)
               : law_rolling_scaled(a, k, c, qx, qy, X, Y, x, y, steps);
}

LAW_INLINE int law_rolling_space(double a, double k, double c, const double qx[2],
                                 const double qy[2], double X, double Y, double x[2], double y[2]) {
    int steps;
    return law_rolling_space_counted(a, k, c, qx, qy, X, Y, x, y, &steps);
}

/* Solves the problem in the plane and returns what slides. */
LAW_INLINE int law_rolling_plane(double a, double k, double c, double qx, double qy, double X,
                                 double Y, double *x, double *y) {
    if (!law_rolling_is_coupled(a, k, c, X, Y)) {
        bool force = law_bounded1(a, qx, X, x);
        bool torque = law_bounded1(c, qy, Y, y);
        return (force ? LAW_FORCE_SLIDES : 0) + (torque ? LAW_TORQUE_SLIDES : 0);
    }
    if (law_rolling_is_ordinary(a, c, law_max(fabs(qx), fabs(qy)))) {
        return law_rolling_line(a, k, c, qx, qy, X, Y, x, y);
    }
    LawRollingUnits unit = law_rolling_units(a, c, fabs(qx), fabs(qy));
    double x2[2] = {0.0, 0.0};
    double y2[2] = {0.0, 0.0};
    int slides = law_rolling_line(ldexp(a, unit.force - unit.sliding), ldexp(k, -unit.coupling),
                                  ldexp(c, unit.torque - unit.rolling), ldexp(qx, -unit.sliding),
                                  ldexp(qy, -unit.rolling), law_rolling_bound(X, unit.force),
                                  law_rolling_bound(Y, unit.torque), x2, y2);
    law_rolling_impulse(x2, unit.force, X);
    law_rolling_impulse(y2, unit.torque, Y);
    *x = x2[0];
    *y = y2[0];
    return slides;
}

#endif

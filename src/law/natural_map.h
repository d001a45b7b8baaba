/* The natural map of the Coulomb problem: the error of a candidate at one contact, from its impulse
 * and velocity alone. With de Saxce's correction the law reads
 *     K_mu contains r,   its dual cone contains u + mu |u_t| n,   the two are orthogonal,
 * which holds exactly where r equals the projection P_K(r - rho (u + mu |u_t| n)), for any rho > 0.
 * The error is the difference e of the two.
 *
 * All numbers are doubles. Components are in the order normal, tangent 1[, tangent 2];
 * K_mu = { |r_t| <= mu r_n }. */
#ifndef SCREE_LAW_NATURAL_MAP_H
#define SCREE_LAW_NATURAL_MAP_H

#include <math.h>
#include <stdbool.h>

#include "law/round.h"
#include "law/slip.h"

/* The nearest point of the cone, for tangential length xt >= 0: its normal part, and in *scale the
 * factor on the tangential part. */
LAW_INLINE double law_cone_nearest(double mu, double xn, double xt, double *scale) {
    *scale = 0.0;
    if (xn < 0.0 && mu * xt <= -xn) {
        return 0.0; /* in the polar cone */
    }
    if (xt <= mu * xn) {
        *scale = 1.0;
        return xn;
    }
    if (!(mu > 0.0)) {
        return law_max(xn, 0.0); /* the cone is the normal axis */
    }
    if (mu <= 1.0) {
        double normal = (xn + mu * xt) / (1.0 + mu * mu);
        *scale = mu * normal / xt;
        return normal;
    }
    double inverse = 1.0 / mu; /* the same, without squares of a large mu */
    double tangential = (xn * inverse + xt) / (1.0 + inverse * inverse);
    *scale = tangential / xt;
    return tangential * inverse;
}

LAW_INLINE void law_cone_project2(double mu, const double x[2], double y[2]) {
    double scale;
    y[0] = law_cone_nearest(mu, x[0], fabs(x[1]), &scale);
    y[1] = scale * x[1];
}

LAW_INLINE void law_cone_project3(double mu, const double x[3], double y[3]) {
    double scale;
    y[0] = law_cone_nearest(mu, x[0], law_norm2(x[1], x[2]), &scale);
    y[1] = scale * x[1];
    y[2] = scale * x[2];
}

/* |e|^2, with the tangential parts as vectors perpendicular to the normal, in any frame. `un` is
 * u_n with de Saxce's term and the bias, `ut_square` is |u_t|^2. If the point to be projected lies
 * inside the cone, e is rho u, and if it lies in the polar cone, e is r: neither needs a root. */
LAW_INLINE double law_natural_square(double mu, double rho, double rn, RealVec3 rt, double un,
                                     RealVec3 ut, double ut_square) {
    double xn = rn - rho * un;
    double limit = mu * xn;
    RealVec3 xt = real_msub3(rt, rho, ut);
    double across = real_dot(xt, xt);
    if (xn < 0.0 && mu * mu * across <= xn * xn) {
        return rn * rn + real_dot(rt, rt);
    }
    if (xn >= 0.0 && across <= limit * limit) {
        return rho * rho * (un * un + ut_square);
    }
    double scale;
    double en = rn - law_cone_nearest(mu, xn, sqrt(across), &scale);
    RealVec3 et = real_msub3(rt, scale, xt);
    return en * en + real_dot(et, et);
}

/* The error of an impulse z whose bound is a known number (law/rolling_disk.h): z minus the
 * projection of z - v onto the disk of that radius. It vanishes if v does, or if z has the length
 * of the limit and v is opposite to it. */
LAW_INLINE RealVec3 law_disk_error(RealVec3 z, RealVec3 v, double limit) {
    RealVec3 x = real_msub3(z, 1.0, v);
    double square = real_dot(x, x);
    return square > limit * limit ? real_msub3(z, law_cut_factor(limit, square), x) : v;
}

#endif

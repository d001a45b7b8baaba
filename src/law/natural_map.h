/* The natural map of the Coulomb problem: the error of a candidate at one contact, from its impulse
 * and velocity alone. With de Saxce's correction the law reads
 *     K_mu contains r,   its dual cone contains u + mu |u_t| n,   the two are orthogonal,
 * which holds exactly where r equals its projection P_K(r - rho (u + mu |u_t| n)), for any rho > 0.
 * Components are in the order normal, tangent 1[, tangent 2]; K_mu = { |r_t| <= mu r_n }. */
#ifndef SCREE_LAW_NATURAL_MAP_H
#define SCREE_LAW_NATURAL_MAP_H

#include <math.h>
#include <stdbool.h>

#include "law/coulomb.h"

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

LAW_INLINE void law_natural_map2(double mu, double rho, const double r[2], const double u[2],
                                 double e[2]) {
    double x[2] = {r[0] - rho * (u[0] + mu * fabs(u[1])), r[1] - rho * u[1]};
    double y[2];
    law_cone_project2(mu, x, y);
    e[0] = r[0] - y[0];
    e[1] = r[1] - y[1];
}

LAW_INLINE void law_natural_map3(double mu, double rho, const double r[3], const double u[3],
                                 double e[3]) {
    double x[3] = {r[0] - rho * (u[0] + mu * law_norm2(u[1], u[2])), r[1] - rho * u[1],
                   r[2] - rho * u[2]};
    double y[3];
    law_cone_project3(mu, x, y);
    e[0] = r[0] - y[0];
    e[1] = r[1] - y[1];
    e[2] = r[2] - y[2];
}

#endif

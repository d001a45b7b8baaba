/* What one row adds to the residual of a problem (problem/residual.c), for the processor and for other
 * devices. All numbers are doubles. */
#ifndef SCREE_LAW_JUDGE_H
#define SCREE_LAW_JUDGE_H

#include "law/real.h"

#include <float.h>
#include <math.h>

/* Sums over rows, then what is the largest of all. */
typedef struct LawSums {
    double error, error_velocity, error_fclib, impulse, velocity, unit_velocity;
    double rounding, rounding_velocity;
    double noise; /* |R|^2 and the square of the impulse that the bodies' velocities stand for */
    double approach, worst;
    double asked; /* the velocity that it has to deal with, and the one that its impulse makes */
} LawSums;

/* A row, as far as its law does not matter. */
typedef struct LawJudged {
    double rho, mass_n;
    double impulse;          /* |R|^2 */
    double un, ut_square;    /* with the bias; |u_t|^2 */
    double closing;          /* how fast it closes that must not */
    double approach;         /* at free motion; INFINITY: not known */
    double mobility;         /* of its heavier body along the normal, walls aside */
    double body_v, body_all; /* |v|^2 of both bodies, and with |s|^2 */
} LawJudged;

enum { LAW_ROUNDINGS = 4 /* epsilons of a velocity that are lost */ };

/* How easily an impulse moves the heavier of two bodies, walls aside. */
LAW_INLINE double law_heavier(double a, double b) {
    return a > 0 && b > 0 ? law_min(a, b) : law_max(a, b);
}

/* The velocity that a row has to deal with, see Residual. Where the impulse is not yet known, that
 * of the contact alone stands in for it. */
LAW_INLINE double law_velocity_unit(const LawJudged *j) {
    double impulse = sqrt(j->impulse);
    if (isfinite(j->approach)) {
        impulse = law_max(impulse, j->approach * j->mass_n);
    }
    return law_min(j->approach, impulse * j->mobility);
}

/* What rounding alone may leave of a row's error, squared. Where a light body carries a heavy load, its
 * velocity is the small difference of large changes, and no solver gets below this. */
LAW_INLINE double law_rounding_square(const LawJudged *j) {
    double square = j->impulse + j->rho * j->rho * j->body_v;
    return LAW_ROUNDINGS * LAW_ROUNDINGS * DBL_EPSILON * DBL_EPSILON * square;
}

/* From |e|^2 with the row's rho, and with rho = 1. */
LAW_INLINE LawSums law_judge(const LawJudged *j, double error, double error_fclib) {
    LawSums sums;
    const double rounding = law_rounding_square(j), unit = law_velocity_unit(j), rho = j->rho;
    const double error_velocity = rho > 0 ? (error - rounding) / rho / rho : 0;
    sums.error = error;
    sums.error_velocity = law_max(error_velocity, 0);
    sums.error_fclib = error_fclib;
    sums.impulse = j->impulse;
    sums.velocity = j->un * j->un + j->ut_square;
    sums.unit_velocity = unit * unit;
    sums.rounding = rounding;
    sums.rounding_velocity = rho > 0 ? rounding / rho / rho : 0;
    sums.noise = j->impulse + rho * rho * j->body_all;
    sums.approach = j->closing;
    sums.worst = error_velocity;
    sums.asked = law_max(j->approach, sqrt(j->impulse) * j->mobility);
    return sums;
}

#endif

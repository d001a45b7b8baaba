#include "problem/problem.h"

#include "law/natural_map.h"

/* |e|^2 of one row. The tangential part is a vector across the normal, in any frame. */
static double error_square(const Row *r, RowVelocity u, double rho) {
    double un = u.n + r->bias + r->mu * sqrt(dot(u.t, u.t));
    double xn = r->rn - rho * un, keep;
    Vec3 xt = add_scaled(r->rt, -rho, u.t);
    double yn = law_cone_nearest(r->mu, xn, sqrt(dot(xt, xt)), &keep);
    Vec3 et = add_scaled(r->rt, -keep, xt);
    return (r->rn - yn) * (r->rn - yn) + dot(et, et);
}

Residual scr_problem_residual(const Problem *p) {
    double error = 0, error_fclib = 0, impulse = 0, velocity = 0, approach = 0;
    for (size_t i = 0; i < p->rows; i++) {
        const Row *r = &p->row[i];
        RowVelocity u = scr_row_velocity(p, i);
        approach = fmax(approach, -(u.n + r->bias));
        error += error_square(r, u, scr_row_rho(p, i));
        error_fclib += error_square(r, u, 1);
        impulse += r->rn * r->rn + dot(r->rt, r->rt);
        velocity += (u.n + r->bias) * (u.n + r->bias) + dot(u.t, u.t);
    }
    double scale_relative = sqrt(fmax(p->free_square, 1e-4 * impulse));
    double scale_fclib = sqrt(fmax(fmax(impulse, p->free_square_fclib), velocity));
    Residual residual = {sqrt(error), sqrt(error_fclib), approach};
    residual.relative /= scale_relative > 0 ? scale_relative : 1;
    residual.fclib /= scale_fclib > 0 ? scale_fclib : 1;
    return residual;
}

#include "matrix/local.h"

MatrixLocal scr_matrix_local(int block, const double *w, const double *compliance) {
    MatrixLocal local = {0};
    int plain = block == 2 ? 2 : 3;
    double sum = 0;
    for (int i = 0, next = 0; i < plain; i++) {
        for (int j = i; j < plain; j++) {
            local.force[next] = 0.5 * (w[i * block + j] + w[j * block + i]);
            local.force[next++] += i == j && compliance != NULL ? compliance[i] : 0;
            sum += i == j ? local.force[next - 1] : 0;
        }
    }
    for (int i = 3, next = 0; i < block; i++) {
        for (int j = i; j < block; j++) {
            local.torque[next] = 0.5 * (w[i * block + j] + w[j * block + i]);
            local.torque[next++] += i == j && compliance != NULL ? compliance[i] : 0;
        }
        for (int j = 0; j < 3; j++) {
            local.between[3 * (i - 3) + j] = 0.5 * (w[i * block + j] + w[j * block + i]);
        }
    }
    local.per_rho = sum > 0 ? sum / plain : 0;
    return local;
}

void scr_matrix_local_multiply(const MatrixLocal *l, int block, const double *x, double *y) {
    const double *w = l->force, *t = l->torque, *k = l->between;
    if (block == 2) {
        y[0] = w[0] * x[0] + w[1] * x[1];
        y[1] = w[1] * x[0] + w[2] * x[1];
        return;
    }
    y[0] = w[0] * x[0] + w[1] * x[1] + w[2] * x[2];
    y[1] = w[1] * x[0] + w[3] * x[1] + w[4] * x[2];
    y[2] = w[2] * x[0] + w[4] * x[1] + w[5] * x[2];
    if (block == 5) {
        for (int j = 0; j < 3; j++) {
            y[j] += k[j] * x[3] + k[3 + j] * x[4];
        }
        y[3] = k[0] * x[0] + k[1] * x[1] + k[2] * x[2] + t[0] * x[3] + t[1] * x[4];
        y[4] = k[3] * x[0] + k[4] * x[1] + k[5] * x[2] + t[1] * x[3] + t[2] * x[4];
    }
}

/* m = -(A + l)^-1 b. */
static bool shifted(const double a[3], double l, const double b[2], double m[2]) {
    double a11 = a[0] + l, a22 = a[2] + l, determinant = a11 * a22 - a[1] * a[1];
    m[0] = -(a22 * b[0] - a[1] * b[1]) / determinant;
    m[1] = -(a11 * b[1] - a[1] * b[0]) / determinant;
    return determinant > 0 && isfinite(m[0]) && isfinite(m[1]);
}

/* On the edge of the disk m = -(A + l)^-1 b, with the l > 0 for which |m| is the bound. 1 / |m| is
 * concave in l, so Newton's method on it approaches from the left and does not overshoot. */
void scr_least_on_disk(const double a[3], const double b[2], double bound, double m[2]) {
    enum { STEPS = 60 };
    double l = 0, largest = law_max(a[0], a[2]), push = law_norm2(b[0], b[1]);
    m[0] = m[1] = 0;
    if (!(bound > 0) || !(push > 0)) {
        return;
    }
    double rounding = 1e-15 * largest * largest;
    if (a[0] * a[2] - a[1] * a[1] > rounding && shifted(a, 0, b, m) &&
        law_norm2(m[0], m[1]) <= bound) {
        return;
    }
    if (!(a[0] * a[2] - a[1] * a[1] > rounding)) {
        l = law_max(1e-14 * largest, 1e-14 * push / bound);
        if (shifted(a, l, b, m) && law_norm2(m[0], m[1]) <= bound) {
            return;
        }
    }
    for (int i = 0; i < STEPS && shifted(a, l, b, m); i++) {
        double length = law_norm2(m[0], m[1]), turn[2];
        if (length <= bound * (1 + 4e-16)) {
            break;
        }
        shifted(a, l, m, turn); /* the derivative of m with respect to l */
        double slope = -(m[0] * turn[0] + m[1] * turn[1]) / (length * length); /* -|m|' / |m| */
        double next = l + (length / bound - 1) / slope;
        if (!(next > l)) {
            break;
        }
        l = next;
    }
    double length = law_norm2(m[0], m[1]);
    double shrink = length > bound ? bound / length : 1;
    m[0] *= shrink;
    m[1] *= shrink;
}

static void solve_rolling(const MatrixLocal *l, double mu, double rolling, const double *q,
                          double *r) {
    enum { TURNS = 100 };
    const double *k = l->between;
    for (int i = 0; i < TURNS; i++) {
        double before[5] = {r[0], r[1], r[2], r[3], r[4]};
        double force[3] = {q[0] + k[0] * r[3] + k[3] * r[4], q[1] + k[1] * r[3] + k[4] * r[4],
                           q[2] + k[2] * r[3] + k[5] * r[4]};
        law_coulomb_block3(l->force, force, mu, r);
        double torque[2] = {q[3] + k[0] * r[0] + k[1] * r[1] + k[2] * r[2],
                            q[4] + k[3] * r[0] + k[4] * r[1] + k[5] * r[2]};
        scr_least_on_disk(l->torque, torque, rolling * r[0], r + 3);
        double change = 0, size = 0;
        for (int j = 0; j < 5; j++) {
            change = law_max(change, fabs(r[j] - before[j]));
            size = law_max(size, fabs(r[j]));
        }
        if (!(change > 1e-14 * size)) {
            return;
        }
    }
}

void scr_matrix_local_solve(const MatrixLocal *l, int block, double mu, double rolling,
                            const double *q, double *r) {
    if (block == 3) {
        law_coulomb_block3(l->force, q, mu, r);
    } else if (block == 2) {
        law_coulomb_block2(l->force, q, mu, r);
    } else {
        solve_rolling(l, mu, rolling, q, r);
    }
}

/* Brute force for the one-contact problem, sharing nothing with src/law: every sliding direction
 * round the circle is tried, and every change of sign of the sideways velocity is refined by
 * bisection. Also the random blocks, and the residual of a candidate in extended precision. */
#ifndef SCREE_TESTS_LAW_BRUTE_H
#define SCREE_TESTS_LAW_BRUTE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct Random {
    uint64_t state;
} Random;

static inline double random_unit(Random *random) { /* in [0, 1) */
    uint64_t x = random->state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

static inline double random_between(Random *random, double low, double high) {
    return low + (high - low) * random_unit(random);
}

typedef struct Problem3 {
    double W[6]; /* nn, n1, n2, 11, 12, 22 */
    double q[3];
    double mu;
} Problem3;

/* A A^T + floor 1 with its rows stretched: the coupling is strong where the floor is low and a few
 * columns dominate. */
static inline Problem3 random_problem(Random *random, double coupling, double floor_part,
                                      double decades) {
    Problem3 problem;
    double A[3][3];
    double row[3] = {1.0, 1.0, 1.0};
    for (int j = 0; j < 3; j++) {
        double column = pow(10.0, random_between(random, -2.0 * coupling, 0.0));
        for (int i = 0; i < 3; i++) {
            double diagonal = i == j ? 1.0 : coupling;
            A[i][j] = column * diagonal * random_between(random, -1.0, 1.0);
        }
    }
    for (int i = 0; i < 3; i++) {
        row[i] = pow(10.0, random_between(random, -coupling, coupling));
    }
    double size = pow(10.0, random_between(random, -decades, decades));
    double M[3][3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double sum = i == j ? floor_part : 0.0;
            for (int k = 0; k < 3; k++) {
                sum += A[i][k] * A[j][k];
            }
            M[i][j] = sum * row[i] * row[j] * size;
        }
    }
    problem.W[0] = M[0][0];
    problem.W[1] = M[0][1];
    problem.W[2] = M[0][2];
    problem.W[3] = M[1][1];
    problem.W[4] = M[1][2];
    problem.W[5] = M[2][2];
    double speed = pow(10.0, random_between(random, -decades, decades));
    for (int i = 0; i < 3; i++) {
        problem.q[i] = speed * random_between(random, -1.0, 1.0);
    }
    problem.q[0] = problem.q[0] > 0.0 && random_unit(random) < 0.8 ? -problem.q[0] : problem.q[0];
    problem.mu = random_unit(random) < 0.05 ? 0.0 : random_between(random, 0.0, 5.0);
    problem.mu *= random_unit(random);
    return problem;
}

/* The same contact in a tangent frame turned by an angle. */
static inline Problem3 turned(const Problem3 *k, double angle) {
    Problem3 out = *k;
    double c = cos(angle);
    double s = sin(angle);
    out.W[1] = c * k->W[1] + s * k->W[2];
    out.W[2] = c * k->W[2] - s * k->W[1];
    out.W[3] = c * c * k->W[3] + 2.0 * c * s * k->W[4] + s * s * k->W[5];
    out.W[5] = s * s * k->W[3] - 2.0 * c * s * k->W[4] + c * c * k->W[5];
    out.W[4] = c * s * (k->W[5] - k->W[3]) + (c * c - s * s) * k->W[4];
    out.q[1] = c * k->q[1] + s * k->q[2];
    out.q[2] = c * k->q[2] - s * k->q[1];
    return out;
}

/* Made from principal axes: S has the eigenvalues 1 and `small`, so that the impulse turns on its
 * way from stick to slip, and with the coupling w three slips can exist side by side. */
static inline Problem3 anisotropic_problem(Random *random, double small) {
    Problem3 axis;
    double coupling = random_between(random, 0.5, 1.5);
    double angle = random_between(random, 0.0, 6.283185307179586);
    double w1 = coupling * cos(angle);
    double w2 = coupling * sin(angle);
    double push = pow(10.0, random_between(random, -3.0, 0.0));
    double p1 = random_between(random, -1.0, 1.0);
    double p2 = random_between(random, -1.0, 1.0);
    p2 *= pow(10.0, random_between(random, -3.0, 0.0));
    axis.mu = random_between(random, 0.7, 1.3);
    axis.W[0] = 1.0;
    axis.W[1] = w1;
    axis.W[2] = w2;
    axis.W[3] = 1.0 + w1 * w1;
    axis.W[4] = w1 * w2;
    axis.W[5] = small + w2 * w2;
    axis.q[0] = -push;
    axis.q[1] = p1 - w1 * push;
    axis.q[2] = p2 - w2 * push;
    return turned(&axis, random_between(random, 0.0, 6.3));
}

typedef struct Solutions {
    bool stick;          /* the sticking impulse lies in the cone */
    double stick_margin; /* (mu r_n - |r_t|) / (mu |r_n| + |r_t|) of the sticking impulse */
    double stick_r[3];
    int slips;
    double slip_r[8][3];
    double condition[8]; /* conditioning of the sliding angle and of the impulse along it */
    bool doubtful;       /* a pair of slips may have been missed */
} Solutions;

/* For an impulse direction given by its angle: the velocity sideways to it and along it, both times
 * the denominator W_nn + mu w.d, which is returned. */
static inline double sideways(const Problem3 *k, double angle, double *side, double *along) {
    double c = cos(angle);
    double s = sin(angle);
    double denominator = k->W[0] + k->mu * (k->W[1] * c + k->W[2] * s);
    double push = -k->q[0];
    double u1 = push * (k->mu * (k->W[3] * c + k->W[4] * s) + k->W[1]) + denominator * k->q[1];
    double u2 = push * (k->mu * (k->W[4] * c + k->W[5] * s) + k->W[2]) + denominator * k->q[2];
    *side = u2 * c - u1 * s;
    *along = u1 * c + u2 * s;
    return denominator;
}

static inline void keep_slip(const Problem3 *k, double low, double high, Solutions *found) {
    double side;
    double along;
    sideways(k, low, &side, &along);
    bool sign = side < 0.0;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        sideways(k, middle, &side, &along);
        if ((side < 0.0) == sign) {
            low = middle;
        } else {
            high = middle;
        }
    }
    double angle = 0.5 * (low + high);
    double denominator = sideways(k, angle, &side, &along);
    if (denominator > 0.0 && along < 0.0 && found->slips < 8) {
        double above;
        double below;
        double unused;
        sideways(k, angle + 1e-5, &above, &unused);
        sideways(k, angle - 1e-5, &below, &unused);
        double w = hypot(k->W[1], k->W[2]);
        double scale = -k->q[0] * (k->mu * (k->W[3] + k->W[5]) + w) +
                       (k->W[0] + k->mu * w) * hypot(k->q[1], k->q[2]);
        double *r = found->slip_r[found->slips];
        r[0] = -k->q[0] / denominator;
        r[1] = k->mu * r[0] * cos(angle);
        r[2] = k->mu * r[0] * sin(angle);
        found->condition[found->slips] =
            (1.0 + scale / (fabs(above - below) / 2e-5)) * (k->W[0] + k->mu * w) / denominator;
        found->slips++;
    }
}

static inline void brute_slips(const Problem3 *k, Solutions *found) {
    enum { STEPS = 720 };
    const double step = 6.283185307179586 / STEPS;
    double side[STEPS + 2];
    double along;
    double largest = 0.0;
    found->slips = 0;
    found->doubtful = false;
    for (int i = 0; i < STEPS + 2; i++) {
        sideways(k, (i + 0.5) * step, &side[i], &along);
        largest = fmax(largest, fabs(side[i]));
    }
    for (int i = 0; i < STEPS; i++) {
        if ((side[i] < 0.0) != (side[i + 1] < 0.0)) {
            keep_slip(k, (i + 0.5) * step, (i + 1.5) * step, found);
        } else if ((side[i + 1] < 0.0) == (side[i + 2] < 0.0) &&
                   fabs(side[i + 1]) <= fabs(side[i]) && fabs(side[i + 1]) <= fabs(side[i + 2]) &&
                   fabs(side[i + 1]) < 1e-4 * largest) {
            found->doubtful = true; /* nearly touches zero between two sampled angles */
        }
    }
}

/* The sticking impulse by Cramer's rule in extended precision. */
static inline void brute_stick(const Problem3 *k, Solutions *found) {
    long double a = k->W[0], b = k->W[1], c = k->W[2], d = k->W[3], e = k->W[4], f = k->W[5];
    long double x = -(long double)k->q[0], y = -(long double)k->q[1], z = -(long double)k->q[2];
    long double A = d * f - e * e, B = c * e - b * f, C = b * e - c * d;
    long double D = a * f - c * c, E = b * c - a * e, F = a * d - b * b;
    long double determinant = a * A + b * B + c * C;
    found->stick_r[0] = (double)((A * x + B * y + C * z) / determinant);
    found->stick_r[1] = (double)((B * x + D * y + E * z) / determinant);
    found->stick_r[2] = (double)((C * x + E * y + F * z) / determinant);
    double tangential = hypot(found->stick_r[1], found->stick_r[2]);
    double limit = k->mu * found->stick_r[0];
    found->stick_margin = (limit - tangential) / (fabs(limit) + tangential);
    found->stick = found->stick_margin >= 0.0;
}

static inline void velocity(const Problem3 *k, const double r[3], double u[3], double size[3]) {
    const double M[3][3] = {
        {k->W[0], k->W[1], k->W[2]}, {k->W[1], k->W[3], k->W[4]}, {k->W[2], k->W[4], k->W[5]}};
    for (int i = 0; i < 3; i++) {
        long double sum = k->q[i];
        size[i] = fabs(k->q[i]);
        for (int j = 0; j < 3; j++) {
            sum += (long double)M[i][j] * r[j];
            size[i] += fabs(M[i][j] * r[j]);
        }
        u[i] = (double)sum;
    }
}

/* How far r is from solving the given state, relative to the terms that cancel. */
static inline double law_error(const Problem3 *k, const double r[3], int state) {
    double u[3];
    double size[3];
    velocity(k, r, u, size);
    double tangential = hypot(r[1], r[2]);
    double size_t = hypot(size[1], size[2]);
    if (state == 0) {
        return u[0] >= 0.0 && r[0] == 0.0 && tangential == 0.0 ? 0.0 : 1.0;
    }
    double error = fabs(u[0]) / size[0];
    if (!(r[0] > 0.0)) {
        return 1.0;
    }
    if (state == 1) {
        error = fmax(error, size_t > 0.0 ? hypot(u[1], u[2]) / size_t : 0.0);
        return fmax(error, (tangential - k->mu * r[0]) / (k->mu * r[0] + tangential + 1e-300));
    }
    if (k->mu == 0.0) {
        return tangential == 0.0 ? error : 1.0;
    }
    error = fmax(error, fabs(tangential - k->mu * r[0]) / tangential);
    double side = (u[2] * r[1] - u[1] * r[2]) / tangential;
    double along = (u[1] * r[1] + u[2] * r[2]) / tangential;
    return fmax(error, fmax(fabs(side), along) / size_t);
}

#endif

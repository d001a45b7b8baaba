#include "matrix/scaled.h"

#include "base/clock.h"
#include "math/elementary.h"

#include <math.h>
#include <string.h>

/* Mean diagonals of a block, for the impulses and for the torques. */
static void mean_diagonals(const double *w, int block, double *impulse, double *torque) {
    int plain = block == 2 ? 2 : 3;
    *impulse = *torque = 0;
    for (int k = 0; k < block; k++) {
        *(k < plain ? impulse : torque) += w[k * block + k] / (k < plain ? plain : 2);
    }
}

static double inverse(double x) {
    return x > 0 ? 1 / x : 1;
}

/* The largest mean diagonal of all blocks: the unit of W. The roots below are of ratios to it, so
 * that another unit of mass, with its own root, cannot change a bit. */
static double unit_of_w(const MatrixScaled *s) {
    double most = 0;
    for (size_t c = 0; c < s->contacts; c++) {
        double impulse, torque;
        mean_diagonals(scr_block_at(&s->w, s->w.self[c]), s->block, &impulse, &torque);
        most = scr_max(most, impulse);
    }
    return most > 0 ? most : 1;
}

/* The larger eigenvalue of the symmetric part of the 2 x 2 block at (k, k). */
static double largest2(const double *w, int block, int k) {
    double a = w[k * block + k], c = w[(k + 1) * block + k + 1];
    double b = 0.5 * (w[k * block + k + 1] + w[(k + 1) * block + k]);
    return 0.5 * (a + c) + sqrt(0.25 * (a - c) * (a - c) + b * b);
}

static void add_compliance(MatrixScaled *s) {
    size_t d = (size_t)s->block;
    for (size_t i = 0; s->given->compliance != NULL && i < s->rows; i++) {
        size_t c = i / d, k = i % d;
        s->w.value[(size_t)s->w.self[c] * d * d + k * d + k] += s->given->compliance[i];
    }
}

static void choose_units(MatrixScaled *s, double whole) {
    for (size_t c = 0; c < s->contacts; c++) {
        double impulse, torque;
        mean_diagonals(scr_block_at(&s->w, s->w.self[c]), s->block, &impulse, &torque);
        double unit = impulse > 0 ? sqrt(whole / impulse) : 1;
        double of_torque = torque > 0 ? sqrt(whole / torque) : unit;
        for (int k = 0; k < s->block; k++) {
            s->unit[c * (size_t)s->block + (size_t)k] = k < 3 ? unit : of_torque;
        }
        if (s->block == 5) {
            s->rolling[c] = s->given->rolling[c] * unit / of_torque;
        }
    }
}

static void apply_units(MatrixScaled *s, double whole) {
    size_t d = (size_t)s->block;
    for (size_t c = 0; c < s->contacts; c++) {
        for (int32_t e = s->w.start[c]; e < s->w.start[c + 1]; e++) {
            double *value = s->w.value + (size_t)e * d * d;
            const double *left = s->unit + c * d, *right = s->unit + (size_t)s->w.column[e] * d;
            for (size_t k = 0; k < d * d; k++) {
                value[k] *= left[k / d] * right[k % d] / whole;
            }
        }
        const double *own = scr_block_at(&s->w, s->w.self[c]);
        s->normal[c] = inverse(own[0]);
        s->tangent[2 * c] = inverse(s->block == 2 ? own[3] : largest2(own, s->block, 1));
        s->tangent[2 * c + 1] = s->block == 5 ? inverse(largest2(own, 5, 3)) : 1;
    }
    double sum = 0;
    for (size_t i = 0; i < s->rows; i++) {
        s->q[i] = s->unit[i] * s->given->q[i];
        sum += s->q[i] * s->q[i];
    }
    double common = sum > 0 ? sqrt(sum) : 1;
    for (size_t i = 0; i < s->rows; i++) {
        s->q[i] /= common;
        s->unit[i] *= common / whole;
    }
}

bool scr_matrix_scale(MatrixScaled *s, const MatrixProblem *p, const MatrixSettings *settings,
                      const double *start) {
    size_t m = scr_matrix_rows(p), n = p->contacts;
    s->given = p;
    s->settings = settings;
    s->block = p->block;
    s->contacts = n;
    s->rows = m;
    s->iterations = 0;
    s->flops = 0;
    s->iterations_most = settings->iterations_most;
    s->end = settings->seconds_most > 0 ? scr_thread_seconds() + settings->seconds_most : 0;
    if (!scr_block_rows_make(&s->w, &p->delassus, p->block) ||
        !scr_block_reserve(&s->vector_block, 6 * m + 4 * n + 1, sizeof(double), 0)) {
        return false;
    }
    s->unit = s->vector_block.data;
    s->q = s->unit + m;
    s->best = s->q + m;
    s->x = s->best + m;
    s->impulse = s->x + m;
    s->velocity = s->impulse + m;
    s->rolling = s->velocity + m;
    s->normal = s->rolling + n;
    s->tangent = s->normal + n;
    memset(s->rolling, 0, n * sizeof *s->rolling);
    add_compliance(s);
    double whole = unit_of_w(s);
    choose_units(s, whole);
    apply_units(s, whole);
    memcpy(s->best, start, m * sizeof *start);
    s->best_measure = scr_matrix_measure(settings, p, s->best, s->velocity);
    if (!isfinite(s->best_measure)) { /* a useless start: begin at rest instead */
        memset(s->best, 0, m * sizeof *s->best);
        s->best_measure = scr_matrix_measure(settings, p, s->best, s->velocity);
    }
    scr_matrix_scaled_recall(s);
    return true;
}

void scr_matrix_scaled_free(MatrixScaled *s) {
    scr_block_rows_free(&s->w);
    scr_block_free(&s->vector_block);
    *s = (MatrixScaled){0};
}

void scr_matrix_scaled_velocity(const MatrixScaled *s, const double *x, double *u) {
    memcpy(u, s->q, s->rows * sizeof *u);
    for (size_t c = 0; c < s->contacts; c++) {
        scr_block_row_multiply(&s->w, c, x, u + c * (size_t)s->block);
    }
}

/* Newton's iterates leave the cones by as much as they miss the solution. What is measured and
 * returned does not: no contact pulls, and none rubs more than it may. */
static void put_on_cones(const MatrixProblem *p, double *r) {
    for (size_t c = 0; c < p->contacts; c++) {
        double *of_contact = r + c * (size_t)p->block;
        double rolling = p->block == 5 ? p->rolling[c] : 0;
        scr_matrix_project(p->block, p->mu[c], rolling, of_contact, of_contact);
    }
}

bool scr_matrix_scaled_judge(MatrixScaled *s) {
    for (size_t i = 0; i < s->rows; i++) {
        s->impulse[i] = s->unit[i] * s->x[i];
    }
    put_on_cones(s->given, s->impulse);
    double now = scr_matrix_measure(s->settings, s->given, s->impulse, s->velocity);
    if (now < s->best_measure) {
        s->best_measure = now;
        memcpy(s->best, s->impulse, s->rows * sizeof *s->best);
    }
    return s->best_measure <= s->settings->tolerance;
}

void scr_matrix_scaled_recall(MatrixScaled *s) {
    for (size_t i = 0; i < s->rows; i++) {
        s->x[i] = s->best[i] / s->unit[i];
    }
}

int scr_matrix_scaled_allowed(const MatrixScaled *s, int wanted) {
    int left = s->iterations_most - s->iterations;
    return s->iterations_most > 0 && left < wanted ? left : wanted;
}

static bool is_tired(const MatrixScaled *s) {
    return (s->iterations_most > 0 && s->iterations >= s->iterations_most) ||
           (s->settings->flops_most > 0 && s->flops >= s->settings->flops_most);
}

bool scr_matrix_scaled_over(const MatrixScaled *s) {
    return is_tired(s) || (s->end > 0 && scr_thread_seconds() >= s->end);
}

MatrixReport scr_matrix_scaled_report(const MatrixScaled *s, double *r) {
    MatrixReport report = {.iterations = s->iterations};
    report.residual = scr_matrix_judge(s->settings, s->given, s->best, s->velocity);
    memcpy(r, s->best, s->rows * sizeof *r);
    report.status = !isfinite(s->best_measure)                     ? MATRIX_NOT_FINITE
                    : s->best_measure <= s->settings->tolerance    ? MATRIX_SOLVED
                    : s->end > 0 && scr_thread_seconds() >= s->end ? MATRIX_SECONDS
                    : is_tired(s)                                  ? MATRIX_ITERATIONS
                                                                   : MATRIX_STALLED;
    if (report.status == MATRIX_STALLED) {
        report.reason = "neither sweeps nor Newton's method made further progress";
    }
    return report;
}

/* The verdict on contact problems, attacked: bodies that are squeezed, matrices that are not
 * positive, masses far apart, wrong answers near the truth, other orders and other units. */
#include "check.h"
#include "matrix/reduce.h"
#include "matrix/sample.h"
#include "solvers/verdict.h"

#include <float.h>

enum { ROWS_MOST = 400 };

typedef struct Result {
    MatrixReport report;
    MatrixProof proof;
    double r[ROWS_MOST], direction[ROWS_MOST], u[ROWS_MOST];
    size_t worst;
} Result;

static void decide(Result *k, const char *solver, const MatrixProblem *p, double tolerance) {
    MatrixSettings settings = scr_matrix_settings();
    settings.measure = MATRIX_MEASURE_LAW;
    settings.tolerance = tolerance;
    settings.patient = true;
    memset(k, 0, sizeof *k);
    k->proof.direction = k->direction;
    CHECK(scr_matrix_rows(p) <= ROWS_MOST);
    k->report =
        scr_matrix_decide(scr_find_matrix_method(solver), p, &settings, k->r, &k->proof, &k->worst);
    (void)scr_matrix_residual(p, k->r, k->u);
}

/* ---------------------------------------------------------------- spheres and walls */

/* A problem of spheres in space, contact by contact: a push along `normal` on sphere a and against
 * it on b (-1: a wall), with two tangents and the spins that they cause. */
typedef struct Spheres {
    MatrixProblem p;
    SparseEntry mass[6 * 16], h[36 * 64];
    size_t masses, entries, contacts;
    int bodies;
    double w[3 * 64], f[6 * 16];
} Spheres;

static int add_sphere(Spheres *k, double mass, const double push[3]) {
    for (int i = 0; i < 6; i++) {
        int32_t at = 6 * k->bodies + i;
        k->mass[k->masses++] = (SparseEntry){at, at, i < 3 ? mass : 0.4 * mass};
        k->f[at] = i < 3 ? push[i] : 0;
    }
    return k->bodies++;
}

static void cross(const double a[3], const double b[3], double c[3]) {
    for (int i = 0; i < 3; i++) {
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
}

static void normalise(double a[3]) {
    double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    for (int i = 0; i < 3; i++) {
        a[i] /= length;
    }
}

/* Radii are 1, so the arm of a is -normal and that of b is normal: spins enter alike. */
static void add_contact(Spheres *k, int a, int b, const double normal[3], double wall) {
    double axis[3][3], other[3] = {0.3, -0.5, 0.8}, spin[3], arm[3];
    memcpy(axis[0], normal, sizeof axis[0]);
    cross(normal, other, axis[1]);
    normalise(axis[1]);
    cross(normal, axis[1], axis[2]);
    for (int j = 0; j < 3; j++) {
        int32_t column = 3 * (int32_t)k->contacts + j;
        for (int i = 0; i < 3; i++) {
            arm[i] = -normal[i];
        }
        cross(arm, axis[j], spin);
        for (int i = 0; i < 3; i++) {
            k->h[k->entries++] = (SparseEntry){6 * a + i, column, axis[j][i]};
            k->h[k->entries++] = (SparseEntry){6 * a + 3 + i, column, j > 0 ? spin[i] : 0};
            if (b >= 0) {
                k->h[k->entries++] = (SparseEntry){6 * b + i, column, -axis[j][i]};
                k->h[k->entries++] = (SparseEntry){6 * b + 3 + i, column, j > 0 ? spin[i] : 0};
            }
        }
        k->w[column] = j == 0 ? wall : 0;
    }
    k->contacts++;
}

static void finish(Spheres *k, double mu) {
    int32_t n = 6 * k->bodies, m = 3 * (int32_t)k->contacts;
    CHECK(scr_matrix_problem_begin(&k->p, 3, k->contacts, (size_t)n, true, false));
    CHECK(scr_sparse_gather(&k->p.mass, n, n, k->mass, k->masses));
    CHECK(scr_sparse_gather(&k->p.h, n, m, k->h, k->entries));
    memcpy(k->p.f, k->f, (size_t)n * sizeof *k->f);
    memcpy(k->p.w, k->w, (size_t)m * sizeof *k->w);
    for (size_t c = 0; c < k->contacts; c++) {
        k->p.mu[c] = mu;
    }
    CHECK(scr_matrix_reduce(&k->p).status == SCREE_OK);
}

/* Drops the global form, as if W had come from a file. */
static void keep_local(MatrixProblem *p) {
    p->global = false;
}

static void random_direction(double a[3]) {
    for (int i = 0; i < 3; i++) {
        a[i] = sample_draw();
    }
    normalise(a);
}

/* A sphere between two walls that approach along `normal` at `speed`, and a pile of others on a
 * floor which leans on it. */
static void squeeze(Spheres *k, const double normal[3], double speed, int pile, double mass) {
    static const double down[3] = {0, 0, -0.1}, up[3] = {0, 0, 1};
    double back[3] = {-normal[0], -normal[1], -normal[2]}, lean[3] = {0.8, 0, 0.6};
    memset(k, 0, sizeof *k);
    int held = add_sphere(k, mass, down);
    for (int i = 0; i < pile; i++) {
        int next = add_sphere(k, 1 + i, (const double[3]){0, 0, -0.1 * (1 + i)});
        add_contact(k, next, i == 0 ? -1 : next - 1, up, 0);
    }
    add_contact(k, held, -1, normal, -speed);
    if (pile > 0) {
        add_contact(k, held, held + 1, lean, 0);
    }
    add_contact(k, held, -1, back, -speed);
}

/* Y >= 0 on normals alone, in balance (H Y = 0) although Y . w < 0: no motion opens all of these
 * contacts. From the matrices as they were made. */
static void check_squeezed(const Spheres *k, const Result *found, const size_t held[2]) {
    double push[6 * 16] = {0}, closing = 0;
    CHECK(found->report.status == MATRIX_INFEASIBLE);
    CHECK(found->proof.contacts == 2);
    for (size_t i = 0; i < 3 * k->contacts; i++) {
        bool part = i == 3 * held[0] || i == 3 * held[1];
        CHECK(part ? found->direction[i] > 0 : found->direction[i] == 0);
        closing += found->direction[i] * k->w[i];
    }
    for (size_t e = 0; e < k->entries; e++) {
        push[k->h[e].row] += k->h[e].value * found->direction[k->h[e].column];
    }
    CHECK(closing < 0);
    for (int i = 0; i < 6 * k->bodies; i++) {
        CHECK_NEAR(push[i], 0, 1e-14);
    }
    CHECK(found->proof.bound > 1e5);
}

/* In any direction, at any speed, of any mass, with and without friction, alone or at a pile, in
 * global and in local form: the two contacts are named. */
static void squeezed_bodies_are_infeasible(void) {
    static Spheres k;
    static Result found;
    for (int trial = 0; trial < 60; trial += CHECK_STRIDE) {
        double normal[3], speed = pow(10, -trial % 5), mass = pow(10, trial % 7 - 3);
        int pile = trial % 4;
        random_direction(normal);
        squeeze(&k, normal, speed, pile, mass);
        finish(&k, trial % 3 == 0 ? 0 : 0.4);
        if (trial % 2 == 1) {
            keep_local(&k.p);
        }
        const size_t held[2] = {(size_t)pile, (size_t)pile + (pile > 0 ? 2 : 1)};
        decide(&found, "auto", &k.p, 1e-8);
        check_squeezed(&k, &found, held);
        k.p.global = true;
        scr_matrix_problem_free(&k.p);
    }
}

static void every_solver_tells_what_is_squeezed(void) {
    static Spheres k;
    static Result found;
    const MatrixMethod *method;
    const double normal[3] = {0.6, 0, 0.8};
    squeeze(&k, normal, 1, 2, 1);
    finish(&k, 0.3);
    for (size_t i = 0; (method = scr_matrix_method(i)) != NULL; i++) {
        decide(&found, method->name, &k.p, 1e-8);
        check_squeezed(&k, &found, (const size_t[2]){2, 4});
    }
    scr_matrix_problem_free(&k.p);
}

/* Where one wall recedes as fast as the other approaches, or faster, there is a solution. */
static void what_only_looks_squeezed_is_solved(void) {
    static Spheres k;
    static Result found;
    for (int trial = 0; trial < 20; trial += CHECK_STRIDE) {
        double normal[3];
        random_direction(normal);
        squeeze(&k, normal, 0.5, trial % 3, 1);
        k.w[3 * (k.contacts - 1)] = trial % 2 == 0 ? 0.5 : 0.6;
        finish(&k, 0.4);
        decide(&found, "auto", &k.p, 1e-8);
        CHECK(found.report.status == MATRIX_SOLVED && found.proof.contacts == 0);
        CHECK(sample_worst_law_error(&k.p, found.r, found.u) < 1e-7);
        scr_matrix_problem_free(&k.p);
    }
}

/* ---------------------------------------------------------------- masses far apart */

/* A sphere of mass `ratio` on one of mass 1 on the ground, or the other way round. At rest r = (1 +
 * ratio) g dt and ratio g dt, all velocities 0. Where impulses have digits enough for that, it is
 * solved; whatever is called solved keeps every velocity below 1e-8 g dt; and it is never called
 * infeasible. */
static void mass_ratios_are_solved_or_not_called_so(void) {
    static Spheres k;
    static Result found;
    const double up[3] = {0, 0, 1}, g = 0.1;
    for (int exponent = 0; exponent <= 18; exponent++) {
        for (int heavy_below = 0; heavy_below < 2; heavy_below++) {
            double ratio = pow(10, exponent),
                   mass[2] = {heavy_below ? ratio : 1, heavy_below ? 1 : ratio};
            memset(&k, 0, sizeof k);
            for (int i = 0; i < 2; i++) {
                add_sphere(&k, mass[i], (const double[3]){0, 0, -g * mass[i]});
                add_contact(&k, i, i - 1, up, 0);
            }
            finish(&k, 0.3);
            decide(&found, "auto", &k.p, 1e-8);
            CHECK(found.report.status != MATRIX_INFEASIBLE);
            CHECK(found.report.status == MATRIX_SOLVED || (exponent > 7 && !heavy_below));
            for (int i = 0; found.report.status == MATRIX_SOLVED && i < 6; i++) {
                CHECK_NEAR(found.u[i], 0, 1e-8 * g);
            }
            if (found.report.status == MATRIX_SOLVED) {
                CHECK_CLOSE(found.r[0], (mass[0] + mass[1]) * g, 1e-7);
                CHECK_NEAR(found.r[3], mass[1] * g, 1e-7 * mass[1] * g + 1e-8 * g);
            }
            scr_matrix_problem_free(&k.p);
        }
    }
}

/* ---------------------------------------------------------------- W that is not positive */

static double energy(const MatrixProblem *p, const double *x) {
    double sum = 0;
    for (int32_t k = 0; k < p->delassus.columns; k++) {
        for (int32_t e = p->delassus.start[k]; e < p->delassus.start[k + 1]; e++) {
            sum += x[p->delassus.row[e]] * p->delassus.value[e] * x[k];
        }
    }
    return sum;
}

static void matrices_that_gain_energy_are_unbounded(void) {
    static Result found;
    static const int blocks[] = {2, 3, 5};
    const MatrixMethod *method;
    for (int trial = 0; trial < 12; trial++) {
        MatrixProblem p = {0};
        CHECK(sample_global(&p, blocks[trial % 3], 9, 6));
        CHECK(scr_matrix_reduce(&p).status == SCREE_OK);
        keep_local(&p);
        int32_t m = p.delassus.columns;
        if (trial < 6) { /* negated */
            for (int32_t e = 0; e < p.delassus.start[m]; e++) {
                p.delassus.value[e] *= -1;
            }
        } else { /* one pair of entries far too large */
            for (int32_t e = p.delassus.start[0]; e < p.delassus.start[m]; e++) {
                int32_t row = p.delassus.row[e];
                bool first = e < p.delassus.start[1];
                bool pair = (first && row == 1) || (!first && e < p.delassus.start[2] && row == 0);
                p.delassus.value[e] += pair ? 1e3 : 0;
            }
        }
        for (size_t i = 0; (method = scr_matrix_method(i)) != NULL; i++) {
            decide(&found, method->name, &p, 1e-8);
            CHECK(found.report.status == MATRIX_UNBOUNDED);
            CHECK(found.proof.contacts > 0 && energy(&p, found.direction) < 0);
        }
        p.global = true;
        scr_matrix_problem_free(&p);
    }
}

/* ---------------------------------------------------------------- wrong answers near the truth */

/* A solution, and impulses near it. Judged without projections (sample_law_error), in units in
 * which velocities and impulses are about one: what errs by 1e-4 must not pass at 1e-8, and what
 * passes must hold. */
static void wrong_answers_near_the_truth_are_not_solved(void) {
    static Result found;
    static const int blocks[] = {2, 3, 5};
    int wrong = 0;
    for (int trial = 0; trial < 30; trial += CHECK_STRIDE) {
        MatrixProblem p = {0};
        MatrixYardstick yardstick = {0};
        double other[ROWS_MOST], u[ROWS_MOST];
        CHECK(sample_global(&p, blocks[trial % 3], 12, 5));
        CHECK(scr_matrix_reduce(&p).status == SCREE_OK);
        decide(&found, "auto", &p, 1e-10);
        CHECK(found.report.status == MATRIX_SOLVED);
        CHECK(sample_worst_law_error(&p, found.r, found.u) < 1e-7);
        CHECK(scr_matrix_yardstick_make(&yardstick, &p));
        for (int attack = 0; attack < 60; attack++) {
            size_t m = scr_matrix_rows(&p), at = (size_t)attack % p.contacts;
            double size = pow(10, -1 - attack % 9);
            memcpy(other, found.r, m * sizeof *other);
            for (size_t i = 0; i < m; i++) {
                bool here = attack % 2 == 0 || i / (size_t)p.block == at;
                other[i] += here ? size * sample_draw() : 0;
            }
            double law = scr_matrix_law_error(&yardstick, other, u, NULL);
            double error = sample_worst_law_error(&p, other, u);
            CHECK(error < 1e-4 || law > 1e-8);
            CHECK(error <= 1e3 * law);
            wrong += error > 1e-4;
        }
        scr_matrix_yardstick_free(&yardstick);
        scr_matrix_problem_free(&p);
    }
    CHECK(wrong > 100 / CHECK_STRIDE);
}

/* ---------------------------------------------------------------- order and units */

/* The contacts in another order. */
static bool permuted(const MatrixProblem *p, MatrixProblem *other) {
    size_t n = p->contacts, m = scr_matrix_rows(p), entries = (size_t)p->delassus.start[m];
    int32_t d = p->block, place[80];
    SparseEntry *entry = malloc((entries + 1) * sizeof *entry);
    for (size_t c = 0; c < n; c++) {
        place[c] = (int32_t)c;
    }
    for (size_t c = n; c-- > 1;) {
        size_t with = (size_t)(0.5 * (1 + sample_draw()) * (double)(c + 1)) % (c + 1);
        int32_t saved = place[c];
        place[c] = place[with];
        place[with] = saved;
    }
    bool ok = entry != NULL && scr_matrix_problem_begin(other, d, n, 0, false, false);
    for (int32_t k = 0; ok && k < (int32_t)m; k++) {
        for (int32_t e = p->delassus.start[k]; e < p->delassus.start[k + 1]; e++) {
            int32_t row = p->delassus.row[e];
            entry[e] = (SparseEntry){d * place[row / d] + row % d, d * place[k / d] + k % d,
                                     p->delassus.value[e]};
        }
        other->q[d * place[k / d] + k % d] = p->q[k];
        other->mu[place[k / d]] = p->mu[k / d];
        if (p->rolling != NULL) {
            other->rolling[place[k / d]] = p->rolling[k / d];
        }
    }
    ok = ok && scr_sparse_gather(&other->delassus, (int32_t)m, (int32_t)m, entry, entries);
    free(entry);
    return ok;
}

static void every_order_is_solved(void) {
    static Result found;
    static const int blocks[] = {2, 3, 5};
    for (int trial = 0; trial < 15; trial += CHECK_STRIDE) {
        MatrixProblem p = {0};
        CHECK(sample_global(&p, blocks[trial % 3], 40, 12));
        CHECK(scr_matrix_reduce(&p).status == SCREE_OK);
        for (int order = 0; order < 5; order++) {
            MatrixProblem other = {0};
            CHECK(permuted(&p, &other));
            decide(&found, "auto", &other, 1e-8);
            CHECK(found.report.status == MATRIX_SOLVED);
            CHECK(sample_worst_law_error(&other, found.r, found.u) < 1e-5);
            scr_matrix_problem_free(&other);
        }
        scr_matrix_problem_free(&p);
    }
}

/* Multiplies mass, length and time by 2^mass, 2^length, 2^time. The freedoms are a mixture of
 * translations and rotations, which the sample does not tell apart: they stay velocities. */
static void change_units(MatrixProblem *p, int mass, int length, int time) {
    int d = p->block, velocity = length - time;
    for (int32_t k = 0; k < p->h.columns; k++) {
        for (int32_t e = p->h.start[k]; e < p->h.start[k + 1]; e++) {
            p->h.value[e] = ldexp(p->h.value[e], d == 5 && k % 5 >= 3 ? -length : 0);
        }
        p->w[k] = ldexp(p->w[k], d == 5 && k % 5 >= 3 ? -time : velocity);
    }
    for (int32_t e = 0; e < p->mass.start[p->mass.columns]; e++) {
        p->mass.value[e] = ldexp(p->mass.value[e], mass);
    }
    for (int32_t i = 0; i < p->h.rows; i++) {
        p->f[i] = ldexp(p->f[i], mass + velocity);
    }
    for (size_t c = 0; p->rolling != NULL && c < p->contacts; c++) {
        p->rolling[c] = ldexp(p->rolling[c], length);
    }
}

static void units_change_no_bit(void) {
    static Result found, other;
    static const int blocks[] = {2, 3, 5},
                     units[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-7, 3, 5}, {31, -20, 11}};
    static const char *const solvers[] = {"auto", "gauss_seidel", "newton", "interior_point"};
    for (int trial = 0; trial < 15; trial++) {
        const int *unit = units[trial % 5];
        for (int global = 0; global < 2; global++) {
            MatrixProblem p = {0}, q = {0};
            uint64_t drawn = sample_drawn;
            CHECK(sample_global(&p, blocks[trial % 3], 12, 5));
            sample_drawn = drawn;
            CHECK(sample_global(&q, blocks[trial % 3], 12, 5));
            change_units(&q, unit[0], unit[1], unit[2]);
            CHECK(scr_matrix_reduce(&p).status == SCREE_OK);
            CHECK(scr_matrix_reduce(&q).status == SCREE_OK);
            p.global = q.global = global == 1;
            for (int i = 0; i < 4; i++) {
                decide(&found, solvers[i], &p, 1e-9);
                decide(&other, solvers[i], &q, 1e-9);
                CHECK(found.report.status == other.report.status);
                CHECK(found.report.residual.law == other.report.residual.law);
                CHECK(found.report.iterations == other.report.iterations);
                for (size_t k = 0; k < scr_matrix_rows(&p); k++) {
                    int of_torque = p.block == 5 && k % 5 >= 3 ? unit[1] : 0;
                    int impulse = unit[0] + unit[1] - unit[2] + of_torque;
                    CHECK(other.r[k] == ldexp(found.r[k], impulse));
                }
            }
            p.global = q.global = true;
            scr_matrix_problem_free(&p);
            scr_matrix_problem_free(&q);
        }
    }
}

/* A measure in which impulses of 1e9 make everything small may end a solver, but calls nothing
 * solved. */
static void other_measures_call_nothing_solved_alone(void) {
    static Spheres k;
    static Result found;
    const double normal[3] = {0, 0, 1};
    MatrixSettings settings = scr_matrix_settings();
    squeeze(&k, normal, 1, 1, 1);
    finish(&k, 0.3);
    memset(&found, 0, sizeof found);
    found.proof.direction = found.direction;
    found.r[3] = found.r[9] = 1e9; /* contacts 1 and 3 hold the sphere */
    settings.tolerance = 1e-6;
    MatrixReport report = scr_matrix_decide(scr_find_matrix_method("gauss_seidel"), &k.p, &settings,
                                            found.r, &found.proof, &found.worst);
    CHECK(report.residual.siconos <= 1e-6 && report.residual.law > 0.1);
    CHECK(report.status == MATRIX_INFEASIBLE);
    scr_matrix_problem_free(&k.p);
}

int main(int argc, char **argv) {
    CHECK_RUN(squeezed_bodies_are_infeasible);
    CHECK_RUN(every_solver_tells_what_is_squeezed);
    CHECK_RUN(what_only_looks_squeezed_is_solved);
    CHECK_RUN(mass_ratios_are_solved_or_not_called_so);
    CHECK_RUN(matrices_that_gain_energy_are_unbounded);
    CHECK_RUN(wrong_answers_near_the_truth_are_not_solved);
    CHECK_RUN(every_order_is_solved);
    CHECK_RUN(units_change_no_bit);
    CHECK_RUN(other_measures_call_nothing_solved_alone);
    return check_result();
}

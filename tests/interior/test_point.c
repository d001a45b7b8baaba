/* The interior-point solver: closed forms; optimality of random problems, judged here
 * independently; other methods; problems without a solution; and the same bits again. */
#include "check.h"

#include "bench/random_problems.h"
#include "matrix/reduce.h"
#include "interior/exact.h"
#include "interior/point.h"

static double longest(const double *x, size_t count) {
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

static double tangent(const double *x, int block) {
    return block == 2 ? fabs(x[1]) : hypot(x[1], x[2]);
}

/* A point of mass m on a floor: normal along y, tangent along x, free velocity (a, -b). */
static void one_body(MatrixProblem *p, double m, double a, double b, double mu) {
    const SparseEntry mass[] = {{0, 0, m}, {1, 1, m}}, h[] = {{1, 0, 1}, {0, 1, 1}};
    CHECK(scr_matrix_problem_begin(p, 2, 1, 2, true, false));
    p->global = true;
    CHECK(scr_sparse_gather(&p->mass, 2, 2, mass, m > 0 ? 2 : 0));
    CHECK(scr_sparse_gather(&p->h, 2, 2, h, 2));
    p->f[0] = m * a;
    p->f[1] = -m * b;
    p->mu[0] = mu;
}

/* Sliding: r = l (1, -mu) and s_n = mu s_t give l = m (b + mu a) / (1 + mu^2): the body rises by mu
 * times its slip, whatever its mass. Sticking when a < mu b: v = 0. */
static void associated_block_rises_as_it_slides(void) {
    const InteriorPointSettings settings = scr_interior_point_settings();
    InteriorWork work = {0};
    const double masses[] = {1e-6, 1, 1e5};
    for (int k = 0; k < 3; k++) {
        double m = masses[k], a = 2, b = 0.7, mu = 0.3, r[2], s[2], v[2];
        MatrixProblem p = {0};
        one_body(&p, m, a, b, mu);
        InteriorPointReport report = scr_interior_point(&work, &p, &settings, r, s, v);
        double l = m * (b + mu * a) / (1 + mu * mu);
        CHECK(report.status == INTERIOR_SOLVED);
        CHECK_CLOSE(r[0], l, 1e-7);
        CHECK_CLOSE(r[1], -mu * l, 1e-7);
        CHECK_CLOSE(v[0], a - mu * l / m, 1e-7);
        CHECK_CLOSE(v[1] / v[0], mu, 1e-7);
        CHECK(report.law > 0.01); /* the result is not Coulomb's law */
        p.f[0] = m * 0.2;
        report = scr_interior_point(&work, &p, &settings, r, s, v);
        CHECK(report.status == INTERIOR_SOLVED && report.law < 1e-6);
        CHECK_CLOSE(r[0], m * b, 1e-7);
        CHECK_CLOSE(r[1], -m * 0.2, 1e-7);
        CHECK_NEAR(longest(v, 2), 0, 1e-7);
        p.f[1] = m * 0.5; /* the block leaves the floor */
        report = scr_interior_point(&work, &p, &settings, r, s, v);
        CHECK(report.status == INTERIOR_SOLVED && report.law < 1e-6);
        CHECK_NEAR(longest(r, 2) / m, 0, 1e-7);
        CHECK_CLOSE(v[1], 0.5, 1e-7);
        scr_matrix_problem_free(&p);
    }
    scr_interior_work_free(&work);
}

/* Without mass every load must be balanced: a load within the cone is carried as it is; for one
 * outside there is no equilibrium, and v is the motion that proves it. */
static void loads_outside_the_cone_have_no_equilibrium(void) {
    InteriorPointSettings settings = scr_interior_point_settings();
    InteriorWork work = {0};
    MatrixProblem p = {0};
    double r[2], v[2];
    one_body(&p, 0, 0, 0, 0.5);
    p.f[0] = 3;
    p.f[1] = -10;
    CHECK(scr_interior_point(&work, &p, &settings, r, NULL, v).status == INTERIOR_SOLVED);
    CHECK_CLOSE(r[0], 10.0, 1e-7);
    CHECK_CLOSE(r[1], -3.0, 1e-7);
    p.f[0] = 6;
    InteriorPointReport report = scr_interior_point(&work, &p, &settings, r, NULL, v);
    CHECK(report.status == INTERIOR_NO_BALANCE);
    CHECK(strstr(report.reason, "equilibrium") != NULL);
    CHECK(p.f[0] * v[0] + p.f[1] * v[1] > 0 && v[1] >= 0.5 * fabs(v[0]) * (1 - 1e-6));
    scr_matrix_problem_free(&p);
    scr_interior_work_free(&work);
}

/* A column of n massless grains between a floor and a lid that comes down by d, each contact a
 * spring: the force is d over the sum of the compliances. Rigid contacts lock, and r proves it:
 * opposite and equal pushes that do work. A lid that goes up leaves the grains loose. */
static void column_force_is_closure_over_compliance(void) {
    enum { N = 12 };
    for (int rigid = 0; rigid < 2; rigid++) {
        MatrixProblem p = {0};
        SparseEntry h[2 * N + 2];
        size_t count = 0;
        double r[2 * N + 2], sum = 0;
        CHECK(scr_matrix_problem_begin(&p, 2, N + 1, N, true, rigid == 0));
        p.global = true;
        for (int32_t c = 0; c <= N; c++) {
            if (c < N) {
                h[count++] = (SparseEntry){c, 2 * c, 1};
            }
            if (c > 0) {
                h[count++] = (SparseEntry){c - 1, 2 * c, -1};
            }
            p.mu[c] = c % 3 * 0.2;
            if (rigid == 0) {
                sum += p.compliance[2 * c] = 1e-3 * (c + 1);
                p.compliance[2 * c + 1] = 1e-3;
            }
        }
        CHECK(scr_sparse_gather(&p.mass, N, N, NULL, 0));
        CHECK(scr_sparse_gather(&p.h, N, 2 * N + 2, h, count));
        p.w[2 * N] = -0.01;
        const InteriorPointSettings settings = scr_interior_point_settings();
        InteriorWork work = {0};
        InteriorPointReport report = scr_interior_point(&work, &p, &settings, r, NULL, NULL);
        CHECK(report.status == (rigid ? INTERIOR_LOCKED : INTERIOR_SOLVED));
        for (int c = 0; c <= N; c++) {
            CHECK_CLOSE(r[2 * c], rigid ? r[0] : 0.01 / sum, 1e-5);
        }
        CHECK(r[2 * N] > 0);
        p.w[2 * N] = 0.01;
        report = scr_interior_point(&work, &p, &settings, r, NULL, NULL);
        CHECK(report.status == INTERIOR_SOLVED);
        scr_interior_work_free(&work);
        scr_matrix_problem_free(&p);
    }
}

/* Momentum, kinematics, cones and complementarity of the result, in the solver's units. */
static void judge(const MatrixProblem *p, const InteriorWork *unit, double tolerance,
                  const double *r, const double *s, const double *v) {
    size_t n = (size_t)p->h.rows, m = scr_matrix_rows(p);
    double *r1 = calloc(n + m, sizeof *r1), *r2 = r1 + n, outside = 0, power = 0;
    scr_sparse_multiply(&p->mass, 1, v, r1);
    scr_sparse_multiply(&p->h, -1, r, r1);
    scr_sparse_multiply_transposed(&p->h, 1, v, r2);
    for (size_t i = 0; i < n; i++) {
        r1[i] -= p->f[i];
    }
    for (size_t i = 0; i < m; i++) {
        r2[i] += p->w[i] + (p->compliance != NULL ? p->compliance[i] * r[i] : 0) - s[i];
        power += r[i] * s[i];
    }
    for (size_t c = 0; c < p->contacts; c++) {
        const double *x = r + c * (size_t)p->block, *z = s + c * (size_t)p->block;
        double roll = 0, spin = 0;
        if (p->block == 5) {
            roll = p->rolling[c];
            spin = hypot(z[3], z[4]);
            outside = fmax(outside, (hypot(x[3], x[4]) - roll * x[0]) / x[0]);
        }
        outside = fmax(outside, (tangent(x, p->block) - p->mu[c] * x[0]) / x[0]);
        outside = fmax(outside, (p->mu[c] * tangent(z, p->block) + roll * spin - z[0]) / z[0]);
    }
    CHECK(outside < 1e-14);
    CHECK_NEAR(longest(r1, n) / unit->force, 0, tolerance * sqrt((double)n));
    CHECK_NEAR(longest(r2, m) / unit->velocity, 0, tolerance * sqrt((double)m));
    CHECK_NEAR(power / unit->energy, 0, 2 * tolerance * (double)p->contacts);
    free(r1);
}

/* A small sample of the campaign: problems of every class are solved within 40 iterations. */
static void random_problems_are_solved_within_40_iterations(void) {
    const InteriorPointSettings settings = scr_interior_point_settings();
    InteriorWork work = {0};
    for (int i = 0; i < 180; i++) {
        int block = (int[]){2, 3, 5}[i % 3], bodies = i / 3 % 2 == 0 ? 8 : 25;
        const RandomKind kind = {
            block,           bodies,          bodies * (i / 6 % 2 == 0 ? 3 : 5),
            i / 12 % 2 == 1, i / 24 % 2 == 1, 4.0 * (i / 48 % 3)};
        MatrixProblem p = {0};
        CHECK(random_problem(&p, &kind, (uint64_t)i));
        size_t n = (size_t)p.h.rows, m = scr_matrix_rows(&p);
        double *r = malloc((2 * m + n) * sizeof *r), *s = r + m, *v = s + m;
        InteriorPointReport report = scr_interior_point(&work, &p, &settings, r, s, v);
        CHECK(report.status == INTERIOR_SOLVED);
        CHECK(report.iterations <= 40);
        judge(&p, &work, settings.tolerance, r, s, v);
        free(r);
        scr_matrix_problem_free(&p);
    }
    scr_interior_work_free(&work);
}

/* Local form: where masses are positive s is unique, so both forms agree on it. */
static void local_form_has_the_same_velocities(void) {
    InteriorPointSettings settings = scr_interior_point_settings();
    settings.tolerance = 1e-12;
    InteriorWork work = {0};
    for (int i = 0; i < 30; i++) {
        const RandomKind kind = {(int[]){2, 3, 5}[i % 3], 6, 18, false, i % 2 == 1, 0};
        MatrixProblem p = {0};
        CHECK(random_problem(&p, &kind, (uint64_t)i + 500));
        size_t m = scr_matrix_rows(&p);
        double *r = malloc(3 * m * sizeof *r), *s = r + m, *t = s + m;
        CHECK(scr_interior_point(&work, &p, &settings, r, s, NULL).status == INTERIOR_SOLVED);
        CHECK(scr_matrix_reduce(&p).status == SCREE_OK);
        p.global = false;
        CHECK(scr_interior_point(&work, &p, &settings, r, t, NULL).status == INTERIOR_SOLVED);
        double size = longest(s, m);
        for (size_t k = 0; k < m; k++) {
            CHECK_NEAR(t[k], s[k], 1e-6 * size);
        }
        p.global = true;
        free(r);
        scr_matrix_problem_free(&p);
    }
    scr_interior_work_free(&work);
}

/* An independent method: steps along -(W r + q + C r), projected on the cones. Slow but sure. */
static void projected_gradient_finds_the_same_velocities(void) {
    InteriorPointSettings settings = scr_interior_point_settings();
    settings.tolerance = 1e-12;
    InteriorWork work = {0};
    for (int i = 0; i < 6; i++) {
        const RandomKind kind = {i % 2 == 0 ? 2 : 3, 5, 8, false, i % 3 == 0, 0};
        MatrixProblem p = {0};
        CHECK(random_problem(&p, &kind, (uint64_t)i + 900));
        size_t m = scr_matrix_rows(&p), d = (size_t)p.block;
        double s[64], r[64] = {0}, u[64], trace = 0;
        CHECK(scr_interior_point(&work, &p, &settings, NULL, s, NULL).status == INTERIOR_SOLVED);
        CHECK(scr_matrix_reduce(&p).status == SCREE_OK);
        for (size_t k = 0; k < m; k++) {
            trace += scr_sparse_entry(&p.delassus, (int32_t)k, (int32_t)k) + 0.02;
        }
        for (int step = 0; step < 200000; step++) {
            memcpy(u, p.q, m * sizeof *u);
            scr_sparse_multiply(&p.delassus, 1, r, u);
            scr_interior_comply(&p, 1, r, u);
            for (size_t k = 0; k < m; k++) {
                r[k] -= u[k] / trace;
            }
            for (size_t c = 0; c < p.contacts; c++) {
                scr_matrix_project(p.block, p.mu[c], 0, r + c * d, r + c * d);
            }
        }
        for (size_t k = 0; k < m; k++) {
            CHECK_NEAR(s[k], u[k], 1e-5); /* errors shrink with the root of the duality gap */
        }
        scr_matrix_problem_free(&p);
    }
    scr_interior_work_free(&work);
}

/* Coulomb's law: a sliding block does not rise, r = m b (1, -mu). */
static void exact_block_does_not_rise(void) {
    InteriorPointSettings settings = scr_interior_point_settings();
    InteriorWork work = {0};
    MatrixProblem p = {0};
    double m = 3, a = 2, b = 0.7, mu = 0.3, r[2], s[2], v[2];
    settings.exact = true;
    one_body(&p, m, a, b, mu);
    InteriorPointReport report = scr_interior_point(&work, &p, &settings, r, s, v);
    CHECK(report.status == INTERIOR_SOLVED && report.law < 1e-6);
    CHECK_CLOSE(r[0], m * b, 1e-6);
    CHECK_CLOSE(r[1], -mu * m * b, 1e-6);
    CHECK_CLOSE(v[0], a - mu * b, 1e-6);
    CHECK_NEAR(v[1], 0, 1e-6);
    CHECK_NEAR(s[0], 0, 1e-6);
    scr_interior_work_free(&work);
    scr_matrix_problem_free(&p);
}

/* With little friction the exact law is reached as a rule. Where it is not, the report says so, and
 * the judge agrees with the report. */
static void exact_law_is_reached_or_reported(void) {
    InteriorPointSettings settings = scr_interior_point_settings();
    InteriorWork work = {0};
    int reached = 0;
    settings.exact = true;
    for (int i = 0; i < 24; i++) {
        const RandomKind kind = {(int[]){2, 3, 5}[i % 3], 10, 30, false, i % 2 == 1, 0};
        MatrixProblem p = {0};
        CHECK(random_problem(&p, &kind, (uint64_t)i + 70));
        for (size_t c = 0; c < p.contacts; c++) {
            p.mu[c] *= 0.2;
        }
        InteriorPointReport report = scr_interior_point(&work, &p, &settings, NULL, NULL, NULL);
        bool exact = report.status == INTERIOR_SOLVED || report.status == INTERIOR_NEARLY;
        CHECK(exact || report.status == INTERIOR_ASSOCIATED);
        CHECK(exact ? report.law < 1e-4 : report.law > 1e-4);
        reached += exact;
        scr_matrix_problem_free(&p);
    }
    CHECK(reached >= 20);
    scr_interior_work_free(&work);
}

/* Called through the table of methods: the residual is that of the exact law, and r is never worse
 * than the start. */
static void method_is_never_worse_than_its_start(void) {
    const MatrixSettings settings = scr_matrix_settings();
    for (int i = 0; i < 6; i++) {
        const RandomKind kind = {(int[]){2, 3, 5}[i % 3], 6, 18, false, false, 0};
        MatrixProblem p = {0};
        CHECK(random_problem(&p, &kind, (uint64_t)i + 7));
        CHECK(scr_matrix_reduce(&p).status == SCREE_OK);
        size_t m = scr_matrix_rows(&p);
        double *r = calloc(2 * m, sizeof *r), *u = r + m;
        double before = scr_matrix_residual(&p, r, u).siconos;
        MatrixReport report = scr_matrix_interior_point(&p, &settings, r);
        double after = scr_matrix_residual(&p, r, u).siconos;
        CHECK(after <= before && after == report.residual.siconos);
        CHECK((report.status == MATRIX_SOLVED) == (after <= settings.tolerance));
        CHECK(report.status == MATRIX_SOLVED || report.reason != NULL);
        free(r);
        scr_matrix_problem_free(&p);
    }
}

/* Work space that has seen other problems gives the same bits as a new one, and the symbolic factor
 * is kept while the pattern of H stays the same. */
static void used_work_space_gives_the_same_bits(void) {
    const InteriorPointSettings settings = scr_interior_point_settings();
    const RandomKind kind = {3, 20, 70, false, false, 2}, other = {2, 9, 30, true, false, 0};
    InteriorWork used = {0}, fresh = {0};
    MatrixProblem p = {0}, q = {0};
    double r[210], t[210];
    CHECK(random_problem(&p, &kind, 1) && random_problem(&q, &other, 2));
    (void)scr_interior_point(&used, &q, &settings, NULL, NULL, NULL);
    (void)scr_interior_point(&used, &p, &settings, r, NULL, NULL);
    int analyses = used.system.factor.analyses;
    (void)scr_interior_point(&used, &p, &settings, r, NULL, NULL);
    CHECK(used.system.factor.analyses == analyses);
    (void)scr_interior_point(&fresh, &p, &settings, t, NULL, NULL);
    CHECK(memcmp(r, t, sizeof r) == 0);
    scr_interior_work_free(&used);
    scr_interior_work_free(&fresh);
    scr_matrix_problem_free(&p);
    scr_matrix_problem_free(&q);
}

/* A rigid body between two contacts that close on each other is locked, whatever else is there; a
 * massless body pulled away from its only contact flies off. */
static void locked_and_flying_bodies_are_reported(void) {
    const InteriorPointSettings settings = scr_interior_point_settings();
    InteriorWork work = {0};
    for (int i = 0; i < 30; i++) {
        bool pulled = i % 2 == 1;
        const RandomKind kind = {i % 4 < 2 ? 2 : 3, 8, 24, pulled, false, 0};
        int32_t per = kind.block == 2 ? 3 : 6, d = kind.block;
        MatrixProblem p = {0};
        CHECK(random_problem(&p, &kind, (uint64_t)i + 40));
        for (int32_t c = 0; c < p.h.columns; c++) {
            for (int32_t e = p.h.start[c]; e < p.h.start[c + 1]; e++) {
                bool first = p.h.row[e] < per;
                if ((c < 2 * d && !first) || (c >= 2 * d && first)) {
                    p.h.value[e] = 0;
                } else if (c >= d && c < 2 * d) {
                    p.h.value[e] = 0;
                }
            }
        }
        SparseEntry *entry = malloc(sizeof *entry * (size_t)(p.h.start[p.h.columns] + 12 * d));
        size_t count = 0;
        for (int32_t c = 0; c < p.h.columns; c++) {
            for (int32_t e = p.h.start[c]; e < p.h.start[c + 1]; e++) {
                entry[count++] = (SparseEntry){p.h.row[e], c, p.h.value[e]};
                if (c < d && p.h.row[e] < per && !pulled) { /* contact 1 faces contact 0 */
                    double sign = c == 0 ? -1 : 1;
                    entry[count++] = (SparseEntry){p.h.row[e], c + d, sign * p.h.value[e]};
                }
            }
        }
        CHECK(scr_sparse_gather(&p.h, p.h.rows, p.h.columns, entry, count));
        p.w[0] = -1;
        p.w[d] = 0.5;
        for (int32_t k = 0; k < per && pulled; k++) {
            p.f[k] = scr_sparse_entry(&p.h, k, 0); /* pulled along the opening of contact 0 */
        }
        InteriorPointReport report = scr_interior_point(&work, &p, &settings, NULL, NULL, NULL);
        CHECK(report.status == INTERIOR_NO_BALANCE || report.status == INTERIOR_LOCKED);
        CHECK(pulled || report.status == INTERIOR_LOCKED);
        /* a programme for each start */
        CHECK(report.iterations < 40 * report.programmes && report.programmes <= 3);
        free(entry);
        scr_matrix_problem_free(&p);
    }
    scr_interior_work_free(&work);
}

/* Nothing to solve. */
static void problems_without_contacts_are_solved(void) {
    const InteriorPointSettings settings = scr_interior_point_settings();
    const SparseEntry mass[] = {{0, 0, 2}, {1, 1, 4}};
    InteriorWork work = {0};
    MatrixProblem p = {0};
    double v[2];
    CHECK(scr_matrix_problem_begin(&p, 2, 0, 2, true, false));
    p.global = true;
    CHECK(scr_sparse_gather(&p.mass, 2, 2, mass, 2) && scr_sparse_gather(&p.h, 2, 0, NULL, 0));
    p.f[0] = 1;
    p.f[1] = 1;
    CHECK(scr_interior_point(&work, &p, &settings, NULL, NULL, v).status == INTERIOR_SOLVED);
    CHECK_CLOSE(v[0], 0.5, 1e-12);
    CHECK_CLOSE(v[1], 0.25, 1e-12);
    scr_interior_work_free(&work);
    scr_matrix_problem_free(&p);
}

/* o(s + t ds) by central differences, whose error falls with t^2, for every kind of cone. */
static void dilation_slope_matches_differences(void) {
    for (int kind = 0; kind < 3; kind++) {
        const RandomKind of = {(int[]){2, 3, 5}[kind], 4, 12, false, false, 0};
        MatrixProblem p = {0};
        InteriorSystem system = {0};
        CHECK(random_problem(&p, &of, 3) && scr_interior_begin(&system, &p) == FACTOR_DONE);
        size_t m = scr_matrix_rows(&p), cones = (size_t)system.cone_start[p.contacts];
        double *s = calloc(3 * m + 3 * p.contacts + cones, sizeof *s), *ds = s + m, *at = ds + m;
        double *slope = at + m, *above = slope + p.contacts, *below = above + p.contacts;
        double *lead = below + p.contacts;
        Dice d = {17, 0};
        for (size_t i = 0; i < m; i++) {
            s[i] = dice_around(&d);
            ds[i] = dice_around(&d);
        }
        for (size_t i = 0; i < cones; i++) {
            Cone *cone = &system.cone[i];
            lead[i] = cone->lead = 3 + dice(&d);
            cone->dlead = dice_around(&d);
        }
        scr_interior_dilation_step(&system, s, ds, slope);
        double error[2] = {0, 0};
        for (int k = 0; k < 2; k++) {
            const double t = k == 0 ? 1e-2 : 1e-3;
            for (int side = 0; side < 2; side++) {
                double shift = side == 0 ? t : -t;
                for (size_t i = 0; i < m; i++) {
                    at[i] = s[i] + shift * ds[i];
                }
                for (size_t i = 0; i < cones; i++) {
                    system.cone[i].lead = lead[i] + shift * system.cone[i].dlead;
                }
                scr_interior_dilation(&system, at, side == 0 ? above : below);
            }
            for (size_t c = 0; c < p.contacts; c++) {
                double difference = (above[c] - below[c]) / (2 * t);
                error[k] = fmax(error[k], fabs(difference - slope[c]));
            }
        }
        CHECK(longest(slope, p.contacts) > 0.05);
        CHECK(error[0] < 1e-3 && error[1] < 0.011 * error[0]);
        free(s);
        scr_interior_system_free(&system);
        scr_matrix_problem_free(&p);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(associated_block_rises_as_it_slides);
    CHECK_RUN(loads_outside_the_cone_have_no_equilibrium);
    CHECK_RUN(column_force_is_closure_over_compliance);
    CHECK_RUN(random_problems_are_solved_within_40_iterations);
    CHECK_RUN(local_form_has_the_same_velocities);
    CHECK_RUN(projected_gradient_finds_the_same_velocities);
    CHECK_RUN(dilation_slope_matches_differences);
    CHECK_RUN(exact_block_does_not_rise);
    CHECK_RUN(exact_law_is_reached_or_reported);
    CHECK_RUN(method_is_never_worse_than_its_start);
    CHECK_RUN(used_work_space_gives_the_same_bits);
    CHECK_RUN(locked_and_flying_bodies_are_reported);
    CHECK_RUN(problems_without_contacts_are_solved);
    return check_result();
}

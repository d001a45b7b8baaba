/* The residual that judges every solver, against a natural map written here from the dense matrix W
 * = H^T M^-1 H: random problems in the plane and in space, with and without frozen axes, at random
 * impulses and at solutions.
 *
 * Spins are stored as s = l w; with arms in units of l the dense matrix needs no lengths: u = v_b +
 * s_b x arm_b - v_a - s_a x arm_a. */
#include "scenes.h"

#include "problem/problem.h"
#include "sweep/iteration.h"

#include <float.h>

enum { BODIES = 9, ROWS = 14, MOTIONS = 6 * BODIES, PARTS = 3 * ROWS };

typedef struct Dense {
    int parts; /* of a row: 2 or 3 */
    double inverse_mass[MOTIONS][MOTIONS];
    double H[MOTIONS][PARTS];
    double W[PARTS][PARTS];
    double free_velocity[MOTIONS], q[PARTS], r[PARTS], mu[ROWS];
    bool full[ROWS];
} Dense;

typedef struct Setup {
    Problem problem;
    ProblemBody body[BODIES];
    Row row[ROWS];
    GeneralRow general[ROWS];
    int32_t general_of[ROWS];
    Tensor tensor[BODIES];
    Dense dense;
} Setup;

static ScreeVec3 axis(int i) {
    return rig_vec(i == 0, i == 1, i == 2);
}

/* Normal and tangents; in the plane t1 = (-n.y, n.x). */
static void frame(int dimension, ScreeVec3 n, ScreeVec3 *out) {
    out[0] = n;
    out[1] = rig_vec(-n.y, n.x, 0);
    if (dimension == 3) {
        ScreeVec3 t = rig_cross(n, fabs(n.z) < 0.7 ? rig_vec(0, 0, 1) : rig_vec(1, 0, 0));
        out[1] = rig_scale(1 / rig_length(t), t);
    }
    out[2] = rig_cross(n, out[1]);
}

static Sym3 some_tensor(uint64_t *random, int dimension) {
    ScreeVec3 a = rig_random_vec(random, 1, dimension), b = rig_random_vec(random, 1, dimension);
    Sym3 s = {a.x * a.x + b.x * b.x, a.x * a.y + b.x * b.y, a.x * a.z + b.x * b.z,
              a.y * a.y + b.y * b.y, a.y * a.z + b.y * b.z, a.z * a.z + b.z * b.z};
    return s;
}

static void fill_inverse(Dense *d, int at, const Sym3 *s) {
    const double m[3][3] = {{s->xx, s->xy, s->xz}, {s->xy, s->yy, s->yz}, {s->xz, s->yz, s->zz}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            d->inverse_mass[at + i][at + j] = m[i][j];
        }
    }
}

static void make_bodies(Setup *s, uint64_t *random, int dimension, bool tensors) {
    for (int i = 0; i < BODIES; i++) {
        ProblemBody *b = &s->body[i];
        ScreeVec3 spin = rig_random_vec(random, 2, 3);
        b->v = rig_random_vec(random, 2, dimension);
        b->s = dimension == 3 ? spin : rig_vec(0, 0, spin.z);
        b->inverse_mass = i == 0 ? 0 : 0.2 + rig_random(random); /* body 0 is a wall */
        b->inverse_inertia = i == 0 ? 0 : 0.2 + 2 * rig_random(random);
        double m = b->inverse_mass, k = b->inverse_inertia;
        s->tensor[i] = (Tensor){{m, 0, 0, m, 0, dimension == 3 ? m : 0},
                                {dimension == 3 ? k : 0, 0, 0, dimension == 3 ? k : 0, 0, k}};
        if (tensors && i % 3 == 1) {
            s->tensor[i].inverse_mass = some_tensor(random, dimension);
            s->tensor[i].inverse_inertia =
                dimension == 3 ? some_tensor(random, 3) : (Sym3){0, 0, 0, 0, 0, i == 4 ? 0 : 1.3};
        }
        fill_inverse(&s->dense, 6 * i, &s->tensor[i].inverse_mass);
        fill_inverse(&s->dense, 6 * i + 3, &s->tensor[i].inverse_inertia);
        for (int k3 = 0; k3 < 3; k3++) {
            s->dense.free_velocity[6 * i + k3] = component(b->v, k3);
            s->dense.free_velocity[6 * i + 3 + k3] = component(b->s, k3);
        }
    }
}

static void make_row(Setup *s, uint64_t *random, int i, int dimension) {
    Dense *d = &s->dense;
    ScreeVec3 n = rig_random_vec(random, 1, dimension), e[3];
    n = rig_scale(1 / rig_length(n), n);
    frame(dimension, n, e);
    int a = 1 + i % (BODIES - 1), b = i % 4 == 0 ? 0 : 1 + (i + 1 + i / 8) % (BODIES - 1);
    double mu = i % 5 == 0 ? 0 : rig_random(random),
           bias = i % 3 == 0 ? 0.3 * rig_random(random) : 0;
    double r[3] = {rig_random(random), 0, 0};
    for (int k = 1; k < dimension; k++) {
        r[k] = 0.5 * rig_random(random) - 0.25;
    }
    if (i % 6 == 1) {
        r[0] = r[1] = r[2] = 0;
    }
    bool general = s->problem.general_of != NULL && (a % 3 == 1 || b % 3 == 1);
    Row *row = &s->row[i];
    *row = (Row){.normal = n, .rn = r[0], .bias = bias, .mu = mu, .a = a, .b = b};
    row->rt = dimension == 2 ? rig_vec(r[1], 0, 0) : rig_add(rig_scale(r[1], e[1]), r[2], e[2]);
    const ProblemBody *A = &s->body[a], *B = &s->body[b];
    row->mass_n = 1 / (A->inverse_mass + B->inverse_mass);
    row->mass_t = 1 / (A->inverse_mass + B->inverse_mass + A->inverse_inertia + B->inverse_inertia);
    d->mu[i] = mu;
    d->full[i] = general;
    for (int p = 0; p < d->parts; p++) {
        int column = d->parts * i + p;
        d->r[column] = r[p];
        for (int k = 0; k < 3;
             k++) { /* u = v_b - s_b x n - v_a - s_a x n, so du/ds along k is -(e_k x n) for both */
            ScreeVec3 turn = rig_scale(-1, rig_cross(axis(k), n));
            d->H[6 * b + k][column] += component(e[p], k);
            d->H[6 * a + k][column] -= component(e[p], k);
            d->H[6 * b + 3 + k][column] += rig_dot(turn, e[p]);
            d->H[6 * a + 3 + k][column] += rig_dot(turn, e[p]);
        }
        d->q[column] = p == 0 ? bias : 0;
    }
    if (general) {
        s->general_of[i] = i;
        s->general[i] =
            (GeneralRow){.arm_a = n, .arm_b = rig_scale(-1, n), .tensor_a = a, .tensor_b = b};
        scr_general_complete(&s->problem, row, &s->general[i]);
    } else if (s->problem.general_of != NULL) {
        s->general_of[i] = -1;
    }
}

/* W, q, and then the velocities with the impulses in them. */
static void finish(Setup *s) {
    Dense *d = &s->dense;
    int n = d->parts * ROWS;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < MOTIONS; k++) {
            d->q[i] += d->H[k][i] * d->free_velocity[k];
            for (int l = 0; l < MOTIONS; l++) {
                double weight = d->H[k][i] * d->inverse_mass[k][l];
                for (int j = 0; j < n && weight != 0; j++) {
                    d->W[i][j] += weight * d->H[l][j];
                }
            }
        }
    }
    for (size_t i = 0; i < ROWS; i++) {
        RowVelocity q = scr_row_velocity(&s->problem, i);
        double qn = q.n + s->row[i].bias, qt = rig_dot(q.t, q.t);
        s->problem.free_square += scr_row_alone_square(&s->problem, i, qn, qt);
        s->problem.free_square_fclib += qn * qn + qt;
    }
    scr_push_range(&s->problem, 0, s->problem.rows);
}

static void make_setup(Setup *s, uint64_t *random, int dimension, bool tensors) {
    memset(s, 0, sizeof *s);
    s->dense.parts = dimension;
    s->problem = (Problem){.dimension = dimension,
                           .bodies = BODIES,
                           .rows = ROWS,
                           .tensors = BODIES,
                           .body = s->body,
                           .row = s->row,
                           .general_of = tensors ? s->general_of : NULL,
                           .general = s->general,
                           .tensor = s->tensor};
    make_bodies(s, random, dimension, tensors);
    for (int i = 0; i < ROWS; i++) {
        make_row(s, random, i, dimension);
    }
    finish(s);
}

/* The nearest point of the cone |t| <= mu n, by brute force over its boundary: the ray (1, mu) in
 * the half plane of x. */
static void nearest_in_cone(double mu, const double *x, int parts, double *y) {
    double t = parts == 3 ? hypot(x[1], x[2]) : fabs(x[1]);
    double n = x[0], along = (n + mu * t) / (1 + mu * mu); /* foot on the ray */
    double best_n = along > 0 ? along : 0, best_t = mu * best_n;
    if (t <= mu * n) {
        best_n = n;
        best_t = t;
    }
    y[0] = best_n;
    for (int p = 1; p < parts; p++) {
        y[p] = t > 0 ? best_t * x[p] / t : 0;
    }
}

static double plain_square(const Dense *d, int row) {
    double sum = 0;
    for (int p = 0; p < d->parts; p++) {
        sum += d->q[d->parts * row + p] * d->q[d->parts * row + p];
    }
    return sum;
}

/* The impulse of a row that is alone in the world: its normal part stops the approach and its
 * tangential part the sliding, within the cone. A full block counts with the mean of its
 * diagonal. */
static double alone_square(const Dense *d, int row, double mean_mass) {
    int at = d->parts * row;
    const double *q = &d->q[at];
    double mass_n = d->full[row] ? mean_mass : 1 / d->W[at][at];
    double mass_t = d->full[row] ? mean_mass : 1 / d->W[at + 1][at + 1];
    double normal = q[0] < 0 ? -mass_n * q[0] : 0;
    double tangential = mass_t * (d->parts == 3 ? hypot(q[1], q[2]) : fabs(q[1]));
    tangential = fmin(tangential, d->mu[row] * normal);
    return normal * normal + tangential * tangential;
}

static double dense_residual(const Dense *d, bool fclib) {
    int n = d->parts * ROWS;
    double error = 0, impulse = 0, free_square = 0, velocity = 0;
    for (int row = 0; row < ROWS; row++) {
        double u[3] = {0}, x[3] = {0}, y[3] = {0}, trace = 0;
        int at = d->parts * row;
        for (int p = 0; p < d->parts; p++) {
            u[p] = d->q[at + p];
            for (int j = 0; j < n; j++) {
                u[p] += d->W[at + p][j] * d->r[j];
            }
            trace += d->W[at + p][at + p];
        }
        double rho = fclib ? 1 : d->parts / trace,
               slip = d->parts == 3 ? hypot(u[1], u[2]) : fabs(u[1]);
        for (int p = 0; p < d->parts; p++) {
            x[p] = d->r[at + p] - rho * (u[p] + (p == 0 ? d->mu[row] * slip : 0));
            impulse += d->r[at + p] * d->r[at + p];
            velocity += u[p] * u[p];
        }
        free_square += fclib ? plain_square(d, row) : alone_square(d, row, d->parts / trace);
        nearest_in_cone(d->mu[row], x, d->parts, y);
        for (int p = 0; p < d->parts; p++) {
            error += (d->r[at + p] - y[p]) * (d->r[at + p] - y[p]);
        }
    }
    double scale =
        fclib ? fmax(fmax(impulse, free_square), velocity) : fmax(free_square, 1e-4 * impulse);
    return sqrt(error / scale);
}

static void scale_rows(Setup *s, double factor) {
    for (int i = 0; i < ROWS; i++) {
        s->row[i].rn *= factor;
        s->row[i].rt = rig_scale(factor, s->row[i].rt);
    }
}

/* Multiplies all impulses; the velocities follow by the difference. */
static void enlarge_impulses(Setup *s, double factor) {
    scale_rows(s, factor - 1);
    scr_push_range(&s->problem, 0, s->problem.rows);
    scale_rows(s, factor / (factor - 1));
    for (int i = 0; i < s->dense.parts * ROWS; i++) {
        s->dense.r[i] *= factor;
    }
}

/* The fastest closing of a contact at u = W r + q. */
static double largest_approach(const Dense *d) {
    double most = 0;
    for (int row = 0; row < ROWS; row++) {
        double un = d->q[d->parts * row];
        for (int j = 0; j < d->parts * ROWS; j++) {
            un += d->W[d->parts * row][j] * d->r[j];
        }
        most = fmax(most, -un);
    }
    return most;
}

static void residual_is_the_natural_map(void) {
    uint64_t random = 41;
    static Setup s;
    for (int trial = 0; trial < 200; trial++) {
        make_setup(&s, &random, 2 + trial % 2, trial % 4 >= 2);
        if (trial % 3 == 2) { /* so large that the impulses, not the free motion, set the scale */
            enlarge_impulses(&s, 1e4);
        }
        Residual got = scr_problem_residual(&s.problem, NULL);
        CHECK_CLOSE(got.relative, dense_residual(&s.dense, false), 1e-11);
        CHECK_CLOSE(got.fclib, dense_residual(&s.dense, true), 1e-11);
        CHECK(got.relative > 1e-3); /* random impulses solve nothing */
        CHECK_CLOSE(got.approach, largest_approach(&s.dense), 1e-10);
    }
}

/* Two bodies move together but for their last digit, or last digits: no impulse is missing. At a ten
 * thousandth of their velocity, one is, and it is all that the free motion demands. */
static void rounding_is_no_error(void) {
    const double closing[3] = {DBL_EPSILON / 2, 16 * DBL_EPSILON, 1e-4};
    for (int k = 0; k < 3; k++) {
        ProblemBody body[2] = {{.v = {1, 0, 0}, .inverse_mass = 1},
                               {.v = {1 - closing[k], 0, 0}, .inverse_mass = 1}};
        Row row = {.normal = {1, 0, 0}, .mass_n = 0.5, .mass_t = 0.5, .mu = 0.3, .a = 0, .b = 1};
        Problem p = {.dimension = 2, .rows = 1, .bodies = 2, .row = &row, .body = body};
        p.free_square = scr_row_alone_square(&p, 0, -closing[k], 0);
        const Residual r = scr_problem_residual(&p, NULL);
        CHECK(p.free_square > 0);
        CHECK_CLOSE(r.approach, closing[k], 1e-11);
        CHECK_NEAR(r.relative, k == 2, 1e-9);
        CHECK(k == 2 || (r.velocity == 0 && r.rounding == 0 && r.loads == 0));
        CHECK(k > 0 || r.worst == 0);
        row.rn = closing[k] / 2; /* what parts them */
        body[0].v.x -= row.rn;
        body[1].v.x += row.rn;
        const Residual after = scr_problem_residual(&p, NULL);
        CHECK(fmax(fmax(after.relative, after.velocity), k < 2 ? after.rounding : 0) < 1e-10);
    }
}

/* Far from the origin, or over a short step, gaps are known to many digits less than velocities. Impulses
 * left over from before are no rounding, and neither is what friction of a bond has to stop. */
static void rounding_of_gaps_is_no_error(void) {
    for (int k = 0; k < 4; k++) {
        double closing = 1e-12;
        ProblemBody body[2] = {{.v = {1, 0, 0}, .inverse_mass = 1},
                               {.v = {1 - closing, 0, 0}, .inverse_mass = 1}};
        Row row = {.normal = {1, 0, 0}, .mass_n = 0.5, .mass_t = 0.5, .mu = 0.3, .a = 0, .b = 1};
        Problem p = {.dimension = 2, .rows = 1, .bodies = 2, .row = &row, .body = body};
        p.approach = &closing;
        p.free_square = scr_row_alone_square(&p, 0, -closing, 0);
        p.gap_rounding = k == 1 ? 0.1 * closing : 0.3 * closing;
        int32_t law_of = 0;
        LawRow law = {.adhesion = 1, .least = -1, .most_at_rest = -1};
        if (k == 2) {
            row.rn = 1;
            body[0].v.x -= row.rn;
            body[1].v.x += row.rn;
        } else if (k == 3) {
            p.law_of = &law_of;
            p.law = &law;
            body[0].v.y = 0.1;
        }
        const Residual r = scr_problem_residual(&p, NULL);
        if (k >= 2) {
            CHECK(r.relative > 1);
            continue;
        }
        CHECK_NEAR(r.relative, k, 1e-3); /* the last digit of velocities is 1e-4 of what closes */
        CHECK(k == 1 ? r.velocity > 0.1 : r.velocity == 0);
    }
}

/* Solutions are judged by the dense matrix: there the residual is within the tolerance, and it
 * agrees with the report. Damped sweeps come to solutions of the same problem, and leave the rows as
 * stiff as they were. */
static void solutions_satisfy_the_dense_problem(void) {
    uint64_t random = 43;
    static Setup s;
    int solved = 0;
    for (int trial = 0; trial < 200; trial++) {
        int dimension = 2 + trial % 2;
        make_setup(&s, &random, dimension, trial % 4 == 0);
        const Setup before = s;
        int32_t sequence[ROWS];
        SolveSettings settings = {.def = scree_solver_def_default(),
                                  .seed = 1,
                                  .sequence = sequence,
                                  .stiffness = trial % 5 < 2 ? 4 : 0,
                                  .limits = scr_impulse_limits(1e-11)};
        settings.def.order = trial % 3 == 0   ? SCREE_ORDER_RANDOM
                             : trial % 3 == 1 ? SCREE_ORDER_FIXED
                                              : SCREE_ORDER_ALTERNATING;
        settings.def.tolerance = 1e-11;
        settings.def.iterations = 20000;
        SolveReport report = scr_solve(&s.problem, &settings);
        for (int i = 0; i < ROWS; i++) {
            const Row *r = &s.row[i];
            ScreeVec3 e[3];
            CHECK(r->mass_n == before.row[i].mass_n && r->mass_t == before.row[i].mass_t);
            frame(dimension, r->normal, e);
            s.dense.r[dimension * i] = r->rn;
            s.dense.r[dimension * i + 1] = dimension == 2 ? r->rt.x : rig_dot(r->rt, e[1]);
            if (dimension == 3) {
                s.dense.r[dimension * i + 2] = rig_dot(r->rt, e[2]);
            }
        }
        CHECK(memcmp(s.general, before.general, sizeof s.general) == 0);
        double dense = dense_residual(&s.dense, false);
        CHECK_NEAR(report.residual.relative, dense, 1e-11);
        solved += dense <= 2e-11;
        CHECK((report.residual.relative <= 1e-11) == (report.iterations < 20000));
    }
    /* random directions make some problems without a solution; most have one */
    CHECK(solved > 150);
}

int main(int argc, char **argv) {
    CHECK_RUN(residual_is_the_natural_map);
    CHECK_RUN(rounding_is_no_error);
    CHECK_RUN(rounding_of_gaps_is_no_error);
    CHECK_RUN(solutions_satisfy_the_dense_problem);
    return check_result();
}

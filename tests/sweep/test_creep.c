/* Contacts that creep on the way to the solution (law/creep.h), the sweeps that allow it, and what
 * the accelerated method gains from it: the exact law, sooner, and never worse than
 * Gauss-Seidel. */
#include "a_fifth.h"

#include "law/round.h"
#include "sweep/packets.h"
#include "sweep/iteration.h"
#include "sweep/sweep.h"
#include "api/world.h"

#include <stdlib.h>

/* The same source, compiled for one row at a time. */
double scr_sweep_box_scalar(Problem *problem, const Order *order, size_t box, bool columns,
                            double (*alone)(Problem *problem, size_t row),
                            const RowMomentum *momentum, double *square);

static double noise(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-53;
}

/* ---------------------------------------------------------------- the law */

static double distance(double mass_n, double mass_t, double n, double t) {
    return n * n / mass_n + t * t / mass_t;
}

/* Below the creep speed the impulse is the point of the cone nearest to x in the metric W: no other
 * point is nearer. */
static void creeping_impulse_is_nearest_on_the_cone(void) {
    uint64_t state = 7;
    for (int i = 0; i < 400; i++) {
        double mass_n = 0.1 + noise(&state), mass_t = mass_n * (0.2 + 0.8 * noise(&state));
        double mu = 1.5 * noise(&state), xn = 2 * noise(&state) - 1, xt = 2 * noise(&state);
        double rn = xn, rt = xt * law_creep(mass_n, mass_t, mu, 0.5, 0.4, xt, &rn);
        double least = distance(mass_n, mass_t, rn - xn, rt - xt);
        CHECK(rn >= 0 && rt >= 0 && rt <= mu * rn * (1 + 1e-14));
        for (int k = 0; k < 200; k++) {
            double n = 3 * noise(&state), t = mu * n * noise(&state);
            CHECK(distance(mass_n, mass_t, n - xn, t - xt) >= least - 1e-12);
        }
        CHECK(distance(mass_n, mass_t, xn, xt) >= least - 1e-12);
    }
}

/* A single contact, u = W r + q, iterated until it rests. With creep = 0 this is Coulomb's law.
 * Otherwise a sliding contact opens with u_n = mu min(|u_t|, creep), by the equations of the
 * law. */
static void single_contact_comes_to_the_law_or_creeps(void) {
    uint64_t state = 3;
    int open = 0, sticks = 0, slips = 0;
    for (int i = 0; i < 600; i++) {
        double mass_n = 0.1 + noise(&state), mass_t = mass_n * (0.2 + 0.8 * noise(&state));
        double mu = 0.05 + noise(&state), creep = i % 2 == 0 ? 0 : noise(&state);
        double qn = 1 - 3 * noise(&state), qt = 3 * noise(&state), rn = 0, rt = 0, un = 0, ut = 0;
        const LawRound contact = {mass_n, mass_t, mu};
        for (int k = 0; k < 3000; k++) {
            un = qn + rn / mass_n;
            ut = qt + rt / mass_t;
            law_round_plane(&contact, un, ut, &creep, &rn, &rt);
        }
        un = qn + rn / mass_n;
        ut = qt + rt / mass_t;
        double exact_n = 0, exact_t = 0;
        law_round_plane(&contact, qn, qt, NULL, &exact_n, &exact_t);
        if (creep == 0) {
            CHECK_NEAR(rn, exact_n, 1e-9);
            CHECK_NEAR(rt, exact_t, 1e-9);
            open += qn >= 0;
            sticks += qn < 0 && fabs(exact_t) < mu * exact_n;
            slips += qn < 0 && fabs(exact_t) >= mu * exact_n;
        } else if (rn > 1e-9 && fabs(ut) > 1e-9) {
            CHECK_NEAR(un, mu * fmin(fabs(ut), creep), 1e-9);
            CHECK_NEAR(rt, -mu * rn, 1e-9);
        } else if (rn > 1e-9) {
            CHECK_NEAR(un, 0, 1e-9);
        }
    }
    CHECK(open > 50 && sticks > 20 && slips > 50);
}

/* ---------------------------------------------------------------- the sweep */

typedef struct Copy {
    Row *row;
    ProblemBody *body;
    double *before;
    double change, square;
} Copy;

/* Three sweeps with momentum and creep from the impulses of `start`: row by row, or by boxes. */
static Copy sweep(ScreeWorld *world, const Copy *start, bool boxes, bool columns) {
    Problem *p = &world->engine.task.problem;
    const Order *order = &world->engine.task.order;
    Copy made = {malloc(p->rows * sizeof(Row)), malloc(p->bodies * sizeof(ProblemBody)),
                 calloc(4 * p->rows, sizeof(double)), 0, 0};
    RowMomentum momentum = {.creep = 2e-3, .before = made.before};
    SweepOrder how = {.stored = boxes ? order : NULL,
                      .momentum = &momentum,
                      .square = &made.square,
                      .columns = columns};
    memcpy(p->row, start->row, p->rows * sizeof(Row));
    memcpy(p->body, start->body, p->bodies * sizeof(ProblemBody));
    if (columns) {
        scr_rows_to_columns(p, order, NULL);
    }
    for (int i = 0; i < 3; i++) { /* only the rows run ahead: as good a start as any */
        made.change = scr_sweep(p, how, NULL);
        momentum.beta = 0.4;
    }
    if (columns) {
        scr_rows_to_records(p, order, NULL);
    }
    memcpy(made.row, p->row, p->rows * sizeof(Row));
    memcpy(made.body, p->body, p->bodies * sizeof(ProblemBody));
    return made;
}

static void drop(Copy *c) {
    free(c->row);
    free(c->body);
    free(c->before);
}

static void compare(const Problem *p, const Copy *a, const Copy *b) {
    double most = 0, size = 0;
    for (size_t i = 0; i < p->rows; i++) {
        Vec3 dt = sub(a->row[i].rt, b->row[i].rt);
        most = fmax(most, fabs(a->row[i].rn - b->row[i].rn) + sqrt(dot(dt, dt)));
        size = fmax(size, a->row[i].rn);
    }
    for (size_t i = 0; i < p->bodies; i++) {
        Vec3 d = sub(a->body[i].v, b->body[i].v), s = sub(a->body[i].s, b->body[i].s);
        most = fmax(most, sqrt(dot(d, d) + dot(s, s)));
    }
    CHECK(size > 0 && most <= 1e-11 * fmax(size, 1));
    CHECK_CLOSE(a->change, b->change, 1e-9);
    CHECK_CLOSE(a->square, b->square, 1e-9);
}

/* The width of the vectors changes no bit. */
static void widths(ScreeWorld *world, const Copy *start, bool columns) {
    Problem *p = &world->engine.task.problem;
    const Order *order = &world->engine.task.order;
    ProblemBody *body = malloc(p->bodies * sizeof *body);
    Row *row = malloc(p->rows * sizeof *row);
    double *before = malloc(4 * p->rows * sizeof *before), sums[2][2] = {{0}};
    for (int scalar = 1; scalar >= 0; scalar--) {
        const RowMomentum momentum = {0.3, 1e-3, before, NULL};
        memset(before, 0, 4 * p->rows * sizeof *before);
        memcpy(p->row, start->row, p->rows * sizeof(Row));
        memcpy(p->body, start->body, p->bodies * sizeof(ProblemBody));
        if (columns) {
            scr_rows_to_columns(p, order, NULL);
        }
        for (size_t box = 0; box < order->boxes; box++) {
            double square;
            sums[scalar][0] += (scalar ? scr_sweep_box_scalar : scr_sweep_box)(
                p, order, box, columns, NULL, &momentum, &square);
            sums[scalar][1] += square;
        }
        if (scalar) {
            memcpy(body, p->body, p->bodies * sizeof *body);
            memcpy(row, p->row, p->rows * sizeof *row);
        }
    }
    CHECK(order->boxes > 1 && sums[0][0] > 0 && sums[0][0] == sums[1][0]);
    CHECK(sums[0][1] == sums[1][1]);
    CHECK(memcmp(body, p->body, p->bodies * sizeof *body) == 0);
    CHECK(memcmp(row, p->row, p->rows * sizeof *row) == 0);
    if (columns) {
        scr_rows_to_records(p, order, NULL);
    }
    free(body);
    free(row);
    free(before);
}

/* The boxes are stored one after another, so single rows, packets of records and packets of columns
 * must agree up to rounding. Few of the contacts that are solved may be open. */
static void rows_and_packets_agree(void) {
    static const char *const name[] = {"plane-200-1", "space-200-1"};
    for (int k = 0; k < 2; k++) {
        ScreeWorld *world = bench_solver_case(name[k], NULL, 1, 700 / CHECK_STRIDE);
        ScreeSolverDef solver = scree_solver_def_default();
        solver.warm_start = false;
        solver.criterion = SCREE_CRITERION_FIXED;
        solver.iterations = 10;
        CHECK(scree_world_set_solver(world, &solver) == SCREE_OK);
        CHECK(scree_world_step(world, NULL) == SCREE_OK);
        Problem *p = &world->engine.task.problem;
        Copy start = {malloc(p->rows * sizeof(Row)), malloc(p->bodies * sizeof(ProblemBody)), NULL,
                      0, 0};
        memcpy(start.row, p->row, p->rows * sizeof(Row));
        memcpy(start.body, p->body, p->bodies * sizeof(ProblemBody));
        for (size_t i = 0; i < p->rows / 2; i++) { /* whole packets that may or may not stay open */
            start.row[i].rn = 0;
            start.row[i].rt = vec3(0, 0, 0);
        }
        Copy rows = sweep(world, &start, false, false), boxes = sweep(world, &start, true, false),
             columns = sweep(world, &start, true, true);
        compare(p, &rows, &boxes);
        compare(p, &rows, &columns);
        widths(world, &start, false);
        widths(world, &start, true);
        drop(&start);
        drop(&rows);
        drop(&boxes);
        drop(&columns);
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- the method */

static int falling(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* Contacts creep below 100 times the noise of the velocities, sqrt(change / sum rho^2), provided
 * that no more than one in a hundred of those under pressure is faster; with one more, none
 * does. */
static void contacts_creep_only_where_few_slide(void) {
    ScreeWorld *world = bench_solver_case("plane-300-1", NULL, 1, 500);
    CHECK(scree_world_step(world, NULL) == SCREE_OK);
    const Problem *p = &world->engine.task.problem;
    double *speed = malloc(p->rows * sizeof *speed), square = 0;
    size_t pressed = 0;
    for (size_t i = 0; i < p->rows; i++) {
        double rho = scr_row_rho(p, i);
        square += rho * rho;
        if (p->row[i].rn > 0) {
            speed[pressed++] = length(scr_row_velocity(p, i).t);
        }
    }
    qsort(speed, pressed, sizeof *speed, falling);
    const size_t few = pressed / 100;
    CHECK(few > 1 && speed[few + 1] < speed[few] && speed[few] < speed[few - 1]);
    for (size_t faster = few; faster <= few + 1; faster++) {
        double creep = sqrt(speed[faster - 1] * speed[faster]);
        Momentum momentum = {0};
        scr_momentum_let_creep(&momentum, p, square * creep * creep / 1e4, NULL);
        CHECK_CLOSE(momentum.rows.creep, faster == few ? creep : 0, 1e-12);
    }
    free(speed);
    scree_world_destroy(world);
}

/* Nearly all packings reach 1e-8 as well. */
static void accelerated_takes_a_fifth_of_the_sweeps(void) {
    static const char *const name[] = {"plane-300-1", "space-300-2", "space-200-5"};
    int exact = 0;
    for (int i = 0; i < 3; i++) {
        exact += takes_a_fifth(name[i], i == 0 ? "random" : "boxed");
    }
    CHECK(exact >= 2);
}

/* One solution of a whole step from zero impulses: a step that did not converge would be made in halves (dynamics/halves.h).
 * The velocities, if wanted, are those after the step. */
static double reached(const ScreeWorld *from, ScreeMethod method, int sweeps, int threads,
                      ScreeVec3 *velocity) {
    size_t size = 0;
    ScreeWorld *world = NULL;
    ScreeReport report;
    scree_world_save(from, NULL, &size);
    void *bytes = malloc(size);
    CHECK(scree_world_save(from, bytes, &size) == SCREE_OK);
    CHECK(scree_world_load(bytes, size, &world, NULL) == SCREE_OK);
    ScreeSolverDef solver = scree_solver_def_default();
    solver.method = method;
    solver.warm_start = false;
    solver.tolerance = 1e-12;
    solver.overlap = 1;
    solver.iterations = sweeps;
    CHECK(scree_world_set_solver(world, &solver) == SCREE_OK);
    CHECK(scree_world_set_threads(world, threads) == SCREE_OK);
    if (velocity == NULL) {
        char message[SCREE_MESSAGE_SIZE];
        const StepParams with = scr_step_params(&world->state, &world->engine);
        memset(&report, 0, sizeof report);
        CHECK(scr_find_impulses(&with, &world->state, &world->engine, &report, message) ==
              SCREE_OK);
    } else {
        CHECK(scree_world_step(world, &report) == SCREE_OK);
        ScreeBodyView view = scree_world_get_bodies(world);
        memcpy(velocity, view.velocity, view.count * sizeof *velocity);
    }
    scree_world_destroy(world);
    free(bytes);
    return report.residual;
}

/* auto, with as many sweeps as Gauss-Seidel, at rest or in motion. */
static void auto_is_never_worse_than_gauss_seidel(void) {
    static const struct {
        const char *name;
        int steps;
    } cases[] = {{"plane-100-1", 3000}, {"plane-100-1", 150}, {"space-100-2", 3000},
                 {"space-100-2", 120},  {"plane-300-2", 500}, {"chain-100", 1},
                 {"array-80", 1}};
    static const int sweeps[] = {10, 50, 150, 400, 1200};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ScreeWorld *world = bench_solver_case(cases[i].name, NULL, 1, cases[i].steps);
        for (size_t k = 0; k < sizeof sweeps / sizeof *sweeps; k++) {
            double by_auto = reached(world, SCREE_METHOD_AUTO, sweeps[k], 1, NULL);
            double plain = reached(world, SCREE_METHOD_GAUSS_SEIDEL, sweeps[k], 1, NULL);
            CHECK(by_auto <= fmax(plain, 1e-12));
            if (!(by_auto <= fmax(plain, 1e-12))) {
                printf("       %s after %d steps, %d sweeps: %.3e instead of %.3e\n", cases[i].name,
                       cases[i].steps, sweeps[k], by_auto, plain);
            }
        }
        scree_world_destroy(world);
    }
}

/* The residual after 64, 128 and 256 sweeps, and after half of those allowed. */
typedef struct Watched {
    Problem *problem;
    const Order *order;
    int half;
    double best;
} Watched;

static bool watch(void *context, int sweep, bool columns) {
    Watched *w = context;
    if (sweep == 64 || sweep == 128 || sweep == 256 || sweep == w->half) {
        if (columns) {
            scr_rows_to_records(w->problem, w->order, NULL);
        }
        w->best = fmin(w->best, scr_problem_residual(w->problem, NULL).relative);
        if (columns) {
            scr_rows_to_columns(w->problem, w->order, NULL);
        }
    }
    return false;
}

/* Takes the impulses of the last step out of the velocities again. */
static void begin_again(Problem *p) {
    for (int turn = 0; turn < 2; turn++) {
        for (size_t i = 0; i < p->rows; i++) {
            p->row[i].rn *= turn == 0 ? -1 : 0;
            p->row[i].rt = scale(turn == 0 ? -1 : 0, p->row[i].rt);
        }
        scr_push_rows(p, NULL, NULL);
    }
}

/* The result is at least as good as anything a check has seen. */
static void result_is_the_best_seen(void) {
    ScreeWorld *world = bench_solver_case("plane-300-2", NULL, 1, 500);
    CHECK(scree_world_step(world, NULL) == SCREE_OK);
    Engine *e = &world->engine;
    Problem *p = &e->task.problem;
    void *memory = malloc(scr_momentum_bytes(p));
    for (int sweeps = 600; sweeps < 1000; sweeps += 10 * CHECK_STRIDE) {
        Watched watched = {p, &e->task.order, sweeps / 2, INFINITY};
        const SolveSettings settings = {.def = {.method = SCREE_METHOD_ACCELERATED,
                                                .criterion = SCREE_CRITERION_RESIDUAL,
                                                .iterations = sweeps},
                                        .limits = scr_impulse_limits(1e-30),
                                        .momentum = memory,
                                        .stored = &e->task.order,
                                        .look = watch,
                                        .looking = &watched};
        begin_again(p);
        SolveReport report = scr_solve(p, &settings);
        CHECK(report.residual.relative <= watched.best);
        CHECK(report.residual.relative == scr_problem_residual(p, NULL).relative);
    }
    free(memory);
    scree_world_destroy(world);
}

/* The same bits for any number of threads while contacts creep, which they do after 256 sweeps. */
static void threads_do_not_change_a_bit(void) {
    static const char *const name[] = {"plane-300-1", "space-300-1"};
    enum { SWEEPS = 400, COUNT = 300 };
    for (int k = 0; k < 2; k++) {
        ScreeWorld *world = bench_solver_case(name[k], NULL, 1, 1000 / CHECK_STRIDE);
        ScreeVec3 one[COUNT], three[COUNT];
        double a = reached(world, SCREE_METHOD_ACCELERATED, SWEEPS, 1, one);
        double b = reached(world, SCREE_METHOD_ACCELERATED, SWEEPS, 3, three);
        CHECK(a == b && memcmp(one, three, sizeof one) == 0);
        scree_world_destroy(world);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(creeping_impulse_is_nearest_on_the_cone);
    CHECK_RUN(single_contact_comes_to_the_law_or_creeps);
    CHECK_RUN(rows_and_packets_agree);
    CHECK_RUN(contacts_creep_only_where_few_slide);
    /* these measure how far solvers come; a sanitizer finds nothing new there */
    if (CHECK_STRIDE == 1) {
        CHECK_RUN(accelerated_takes_a_fifth_of_the_sweeps);
        CHECK_RUN(auto_is_never_worse_than_gauss_seidel);
    }
    CHECK_RUN(result_is_the_best_seen);
    CHECK_RUN(threads_do_not_change_a_bit);
    return check_result();
}

/* The chain of Unger and Kertesz, "The contact dynamics method for granular media", eqs 38 to 64:
 * forces that are not fully relaxed make a chain of rigid grains oscillate like an elastic one. */
#include "rig.h"

enum { CHAIN = 50 };

/* Disks of diameter 1 and mass 1 in a row behind a wall, at rest, pushed towards it at the far
 * end. */
static ScreeWorld *chain(ScreeOrder order, int grains, int sweeps, double gap, double force) {
    ScreeWorldDef def = rig_def(2, 1, rig_vec(0, 0, 0));
    def.solver.order = order;
    def.solver.criterion = SCREE_CRITERION_FIXED;
    def.solver.iterations = sweeps;
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(1, 0, 0));
    for (int i = 0; i < grains; i++) {
        ScreeBodyDef body = rig_ball(rig_vec(gap + 0.5 + i, 0, 0), 0.5, 1);
        body.force = rig_vec(i == grains - 1 ? -force : 0, 0, 0);
        rig_add_body(world, &body);
    }
    return world;
}

/* ---------------------------------------------------------------- q
 *
 * The chain lies at the wall. The forces all ought to be F; starting from zero, the error e_i of
 * contact i (0 the one with the wall) relaxes by e_i = (e_(i-1) + e_(i+1)) / 2, with e_0 = e_1 at
 * the wall (its own mass is m, not m / 2) and e_N = 0 beyond the pushed grain. The slowest mode is
 * cos(k i), k = pi / (2 N), and one sweep takes it down by exp(-q k^2): the diffusion of eqs 42
 * to 46. Two runs with different numbers of sweeps of the same random sequence give q. */
static double mode(ScreeOrder order, int grains, int sweeps) {
    const double force = 0.01, k = 0.5 * RIG_PI / grains;
    ScreeWorld *world = chain(order, grains, sweeps, 0, force);
    CHECK(rig_step(world).iterations == sweeps);
    double sum = 0;
    ScreeContactView view = scree_world_get_contacts(world);
    CHECK(view.count == (size_t)grains);
    for (size_t i = 0; i < view.count; i++) {
        const ScreeContact *c = &view.contact[i];
        int index = c->b.code < 0 ? 0 : c->a.index < c->b.code ? c->b.code : c->a.index;
        sum += (index == 0 ? 0.5 : 1) * cos(k * index) * (force - c->normal_impulse);
    }
    scree_world_destroy(world);
    return sum;
}

static double measured_q(ScreeOrder order, int grains) {
    const int first = 2 * grains * grains / 5, last = 2 * grains * grains;
    const double k = 0.5 * RIG_PI / grains;
    return log(mode(order, grains, first) / mode(order, grains, last)) / (k * k * (last - first));
}

/* The same for alternating sweeps by the recursion above alone: contacts 1 to N - 1, then the one
 * with the wall, which is found last, and back. */
static double alternating_q(int grains) {
    enum { MOST = 8 * CHAIN };
    const int first = 2 * grains * grains / 5, last = 2 * grains * grains;
    const double k = 0.5 * RIG_PI / grains;
    double e[MOST + 1], at_first = 0, sum = 0;
    for (int i = 0; i <= grains; i++) {
        e[i] = i < grains;
    }
    for (int sweep = 1; sweep <= last; sweep++) {
        for (int n = 0; n < grains; n++) {
            int place = sweep % 2 == 1 ? n : grains - 1 - n, i = (place + 1) % grains;
            e[i] = i == 0 ? e[1] : 0.5 * (e[i - 1] + e[i + 1]);
        }
        if (sweep == first || sweep == last) {
            at_first = sum;
            sum = 0;
            for (int i = 0; i < grains; i++) {
                sum += (i == 0 ? 0.5 : 1) * cos(k * i) * e[i];
            }
        }
    }
    return log(at_first / sum) / (k * k * (last - first));
}

static void sweeps_relax_as_theory_says(void) {
    const double random_sweep = (4 * sqrt(exp(1)) - 5) / 2; /* eq 46: 0.797 */
    CHECK_CLOSE(measured_q(SCREE_ORDER_RANDOM, CHAIN), random_sweep, 0.01);
    CHECK_CLOSE(measured_q(SCREE_ORDER_FIXED, CHAIN), 1.0, 0.01);
    /* The contact at a turning point is solved twice in a row, the second time in vain, and so is
     * the one with the wall, which is found last: an effect of order 1 / n, which vanishes in a
     * long chain. */
    CHECK_CLOSE(measured_q(SCREE_ORDER_ALTERNATING, CHAIN), alternating_q(CHAIN), 1e-6);
    CHECK_CLOSE(alternating_q(CHAIN), 0.942, 1e-3); /* as docs/method.md has it */
    CHECK_CLOSE(alternating_q(8 * CHAIN), 1.0, 0.01);
    CHECK_CLOSE(measured_q(SCREE_ORDER_COLOURED, CHAIN), 1.0, 0.01);
    CHECK_CLOSE(measured_q(SCREE_ORDER_BOXED, CHAIN), 1.0, 0.01);
}

/* Stiffness, sound speed and diffusion length in the report are those of eqs 67, 57 and 47, with
 * that q. */
static void certificate_states_stiffness_and_sound_speed(void) {
    for (int order = 0; order < SCREE_ORDER_COUNT; order++) {
        ScreeWorld *world = chain((ScreeOrder)order, CHAIN, 40, 0, 0.05);
        ScreeReport report = rig_step(world);
        double q = order == SCREE_ORDER_RANDOM ? (4 * sqrt(exp(1)) - 5) / 2 : 1;
        CHECK_CLOSE(report.stiffness, q * 40.0, 1e-12);
        CHECK_CLOSE(report.sound_speed, sqrt(q * 40), 1e-12);
        CHECK_CLOSE(report.diffusion_length, sqrt(4 * q * 40), 1e-12);
        CHECK(report.converged == 0);
        scree_world_destroy(world);
    }
    /* a warm start carries the front on, step by step, until the whole chain is one cluster, longer
     * than the diffusion length */
    ScreeWorld *world = chain(SCREE_ORDER_RANDOM, CHAIN, 40, 0, 0.05);
    ScreeReport report = {0};
    for (int step = 0; step < 20; step++) {
        report = rig_step(world);
    }
    CHECK(report.packing_length > 45 && report.packing_length < 50.5);
    CHECK(report.spurious_elasticity == 1);
    scree_world_destroy(world);
}

/* ---------------------------------------------------------------- when the sweeps end
 *
 * The same relaxation once more, written out here and stopped by eqs 35 and 36 as printed. */

typedef struct Stop {
    ScreeCriterion criterion;
    double tolerance, small_force;
} Stop;

static int expected_sweeps(const ScreeContactView *found, const Stop *stop, double force) {
    double v[CHAIN + 1] = {0}, r[CHAIN] = {0}, before = 0;
    v[CHAIN - 1] = -force; /* after one step of unit length; v[CHAIN] is the wall */
    for (int sweep = 1;; sweep++) {
        double sum = 0;
        bool at_rest = true;
        for (size_t i = 0; i < found->count; i++) {
            const ScreeContact *c = &found->contact[i];
            int right = c->b.code < 0            ? c->a.index
                        : c->a.index > c->b.code ? c->a.index
                                                 : c->b.code;
            int left = c->b.code < 0 ? CHAIN : right - 1;
            double mass = c->b.code < 0 ? 1 : 0.5,
                   next = fmax(0, r[i] - mass * (v[right] - v[left]));
            double change = next - r[i];
            r[i] = next;
            v[right] += change;
            v[left] -= left == CHAIN ? 0 : change;
            sum += next;
            at_rest = at_rest && fabs(change) <= stop->tolerance * next + stop->small_force;
        }
        bool settled = sweep > 1 && fabs(sum - before) <= stop->tolerance * sum;
        before = sum;
        if (stop->criterion == SCREE_CRITERION_LOCAL ? at_rest : settled) {
            return sweep;
        }
    }
}

static void criteria_stop_the_sweeps_as_printed(void) {
    static const Stop stops[] = {
        {SCREE_CRITERION_LOCAL, 1e-3, 0},  {SCREE_CRITERION_LOCAL, 1e-6, 0},
        {SCREE_CRITERION_LOCAL, 0, 1e-7},  {SCREE_CRITERION_LOCAL, 1e-4, 1e-6},
        {SCREE_CRITERION_GLOBAL, 1e-3, 0}, {SCREE_CRITERION_GLOBAL, 1e-6, 0}};
    const double force = 0.01;
    for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++) {
        ScreeWorld *world = chain(SCREE_ORDER_FIXED, CHAIN, 1, 0, force);
        ScreeSolverDef solver = scree_world_get_def(world).solver;
        solver.criterion = stops[i].criterion;
        solver.tolerance = stops[i].tolerance;
        solver.small_force = stops[i].small_force;
        solver.iterations = 100000;
        rig_must(scree_world_set_solver(world, &solver), "solver");
        ScreeReport report = rig_step(world);
        ScreeContactView found = scree_world_get_contacts(world);
        CHECK(found.count == CHAIN);
        int expected = expected_sweeps(&found, &stops[i], force);
        CHECK(report.iterations == expected && expected > 2);
        CHECK(report.converged == (report.residual <= stops[i].tolerance));
        scree_world_destroy(world);
    }
}

/* Without the forces of the step before, forty sweeps per step never carry the load to the wall,
 * and the chain collapses into it. */
static void chain_collapses_without_a_warm_start(void) {
    double overlap[2];
    for (int warm = 0; warm < 2; warm++) {
        ScreeWorld *world = chain(SCREE_ORDER_RANDOM, CHAIN, 40, 0, 0.05);
        ScreeSolverDef solver = scree_world_get_def(world).solver;
        solver.warm_start = warm == 1;
        rig_must(scree_world_set_solver(world, &solver), "solver");
        for (int step = 0; step < 300; step++) {
            rig_step(world);
        }
        overlap[warm] = CHAIN - 0.5 - scree_world_get_bodies(world).position[CHAIN - 1].x;
        scree_world_destroy(world);
    }
    CHECK(overlap[1] > 0 && overlap[1] < 0.5);
    CHECK(overlap[0] > 10 * overlap[1]);
}

/* ---------------------------------------------------------------- swing */

typedef struct Series {
    int begin, end;
    const double *x;
} Series;

/* Least squares fit of x0 + exp(-t/tau) (A sin wt + B cos wt) in x0, A and B by the normal
 * equations; returns the remaining sum of squares. */
static double misfit(const Series *s, double w, double tau) {
    double m[3][4] = {{0}}, square = 0;
    for (int t = s->begin; t < s->end; t++) {
        double decay = exp(-(t - s->begin) / tau);
        const double f[3] = {1, decay * sin(w * t), decay * cos(w * t)};
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                m[i][j] += f[i] * f[j];
            }
            m[i][3] += f[i] * s->x[t];
        }
        square += s->x[t] * s->x[t];
    }
    double right[3] = {m[0][3], m[1][3], m[2][3]};
    for (int i = 0; i < 3; i++) { /* Gauss-Jordan; the three functions are far from dependent */
        for (int row = 0; row < 3; row++) {
            double factor = m[row][i] / m[i][i];
            for (int j = i; j < 4 && row != i; j++) {
                m[row][j] -= factor * m[i][j];
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        square -= right[i] * m[i][3] / m[i][i];
    }
    return square;
}

/* Nelder and Mead's simplex in (w, tau). */
static void fit(const Series *s, double *w, double *tau) {
    double p[3][2] = {{*w, *tau}, {1.05 * *w, *tau}, {*w, 1.2 * *tau}}, f[3];
    for (int i = 0; i < 3; i++) {
        f[i] = misfit(s, p[i][0], p[i][1]);
    }
    for (int iteration = 0; iteration < 200; iteration++) {
        int best = 0, worst = 0;
        for (int i = 1; i < 3; i++) {
            best = f[i] < f[best] ? i : best;
            worst = f[i] > f[worst] ? i : worst;
        }
        int middle = 3 - best - worst;
        if (best == worst) {
            break;
        }
        double mean[2] = {0.5 * (p[best][0] + p[middle][0]), 0.5 * (p[best][1] + p[middle][1])};
        bool better = false;
        static const double move[4] = {2, 1, -0.5, 0.5}; /* expand, reflect, contract in and out */
        for (int k = 0; k < 4 && !better; k++) {
            double trial[2] = {mean[0] + move[k] * (mean[0] - p[worst][0]),
                               mean[1] + move[k] * (mean[1] - p[worst][1])};
            double value = trial[1] > 1 ? misfit(s, trial[0], trial[1]) : INFINITY;
            better = value < f[worst];
            if (better) {
                f[worst] = value;
                p[worst][0] = trial[0];
                p[worst][1] = trial[1];
            }
        }
        for (int i = 0; i < 3 && !better; i++) { /* shrink */
            for (int j = 0; j < 2; j++) {
                p[i][j] = 0.5 * (p[i][j] + p[best][j]);
            }
            f[i] = misfit(s, p[i][0], p[i][1]);
        }
    }
    *w = p[0][0];
    *tau = p[0][1];
}

/* The fit itself, on a made-up curve. */
static void fit_finds_frequency_and_damping(void) {
    double x[600];
    for (int t = 0; t < 600; t++) {
        x[t] = 3 + 0.7 * exp(-t / 80.0) * sin(0.2 * t + 0.4);
    }
    const Series s = {50, 600, x};
    double w = 0.19, tau = 60;
    fit(&s, &w, &tau);
    CHECK_CLOSE(w, 0.2, 1e-6);
    CHECK_CLOSE(tau, 80.0, 1e-5);
}

/* Eqs 58 and 60 for the quarter wave k = 2 pi / (4 n d), with q = 0.797: w = 0.1768, tau = 63.6. */
static void chain_swings_against_the_wall(void) {
    enum { STEPS = 900 };
    ScreeWorld *world = chain(SCREE_ORDER_RANDOM, CHAIN, 40, 1, 0.05);
    double x[STEPS];
    int open = 0;
    for (int t = 0; t < STEPS; t++) {
        ScreeReport report = rig_step(world);
        x[t] = scree_world_get_bodies(world).position[CHAIN - 1].x;
        open = report.active < CHAIN ? t : open;
    }
    scree_world_destroy(world);
    CHECK(open > 30 && open < 300); /* it hit the wall, jumped, and settled */
    double q = (4 * sqrt(exp(1)) - 5) / 2, k = 0.5 * RIG_PI / CHAIN, c2 = q * 40, D = q * 40;
    double w = k * sqrt(c2 - D * D * k * k / 4), tau = 2 / (D * k * k);
    CHECK_CLOSE(w, 0.1768, 1e-3); /* the half contact at the wall shifts k a little */
    CHECK_CLOSE(tau, 63.6, 2e-3);
    int begin = open + 64;
    const Series s = {begin, begin + 300 < STEPS ? begin + 300 : STEPS, x};
    double w_fit = 0.17, tau_fit = 50;
    fit(&s, &w_fit, &tau_fit);
    printf("       w %.5f (%.4f), tau %.2f (%.1f), last opening at %d\n", w_fit, w, tau_fit, tau,
           open);
    CHECK_CLOSE(w_fit, 0.1768, 0.01);
    CHECK_CLOSE(tau_fit, 63.6, 0.05);
}

int main(int argc, char **argv) {
    CHECK_RUN(sweeps_relax_as_theory_says);
    CHECK_RUN(certificate_states_stiffness_and_sound_speed);
    CHECK_RUN(criteria_stop_the_sweeps_as_printed);
    CHECK_RUN(chain_collapses_without_a_warm_start);
    CHECK_RUN(fit_finds_frequency_and_damping);
    CHECK_RUN(chain_swings_against_the_wall);
    return check_result();
}

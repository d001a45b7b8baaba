/* Contact problems when memory runs out: each allocation in turn fails once. Nothing leaks, the
 * status says so, and a second try works. */
#include "failing_memory.h"

typedef struct Sample {
    ScreeProblemDef def;
    ScreeEntry mass[12], h[24], w[16];
    double f[12], vector[8], mu[4];
} Sample;

/* Two bodies of three degrees of freedom each on a floor, one on the other: four contacts in the
 * plane. */
static void fill(Sample *s, bool global) {
    size_t entries = 0;
    for (int32_t i = 0; i < 6; i++) {
        s->mass[i] = (ScreeEntry){i, i, i % 3 == 2 ? 0.1 : 1};
        s->f[i] = i % 3 == 1 ? -1 : 0.2;
    }
    for (int32_t c = 0; c < 4; c++) {
        double side = c % 2 == 0 ? -0.4 : 0.4;
        int32_t body = c / 2;
        s->h[entries++] = (ScreeEntry){3 * body + 1, 2 * c, 1};
        s->h[entries++] = (ScreeEntry){3 * body + 2, 2 * c, side};
        s->h[entries++] = (ScreeEntry){3 * body, 2 * c + 1, 1};
        s->h[entries++] = (ScreeEntry){3 * body + 2, 2 * c + 1, 0.5};
        s->mu[c] = 0.3;
        s->vector[2 * c] = -0.1;
        s->w[2 * c] = (ScreeEntry){2 * c, 2 * c, 1};
        s->w[2 * c + 1] = (ScreeEntry){2 * c + 1, 2 * c + 1, 3};
    }
    s->def = scree_problem_def_default();
    s->def.components = 2;
    s->def.contacts = 4;
    s->def.global = global;
    s->def.freedoms = 6;
    s->def.M = (ScreeEntries){s->mass, 6};
    s->def.H = (ScreeEntries){s->h, entries};
    s->def.W = (ScreeEntries){s->w, 8};
    s->def.f = s->f;
    s->def.w = s->def.q = s->vector;
    s->def.mu = s->mu;
}

/* Returns whether an allocation was made to fail. A solver that goes on with another method after
 * the failure may succeed. */
static bool use(const Sample *s, const char *solver, long failing) {
    ScreeProblem *problem = NULL;
    ScreeProblemReport report = {0};
    ScreeProblemResidual residual = {0};
    ScreeProblemSettings settings = scree_problem_settings_default();
    double r[8] = {0}, v[6];
    long before = live;
    settings.solver = solver;
    calls = 0;
    fail_at = failing;
    failed = false;
    ScreeStatus status = scree_problem_create(&s->def, &problem, NULL);
    CHECK(status == (failed ? SCREE_NO_MEMORY : SCREE_OK));
    if (status == SCREE_OK) {
        status = scree_problem_solve(problem, &settings, r, &report, NULL);
        CHECK(status == SCREE_OK || (failed && status == SCREE_NO_MEMORY));
        if (status != SCREE_OK) {
            CHECK(scree_problem_solve(problem, &settings, r, &report, NULL) == SCREE_OK);
        }
        CHECK(report.solved);
        status = scree_problem_compute_residual(problem, r, NULL, &residual, NULL);
        CHECK(status == SCREE_OK || (failed && status == SCREE_NO_MEMORY));
        CHECK(status != SCREE_OK || residual.siconos <= settings.tolerance);
        if (s->def.global) {
            status = scree_problem_compute_velocities(problem, r, v, NULL);
            CHECK(status == SCREE_OK || (failed && status == SCREE_NO_MEMORY));
        }
    }
    bool did = failed;
    scree_problem_destroy(problem);
    CHECK(live == before);
    fail_at = -1;
    return did;
}

static void each_allocation_fails_once(void) {
    static const char *const solvers[] = {"auto", "gauss_seidel", "accelerated", "newton"};
    for (int form = 0; form < 2; form++) {
        Sample sample;
        fill(&sample, form == 1);
        for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
            long failing = 0;
            while (use(&sample, solvers[i], failing)) {
                failing++;
            }
            CHECK(failing > 5);
        }
    }
}

int main(int argc, char **argv) {
    (void)step_failed; /* no step is made here */
    CHECK_RUN(each_allocation_fails_once);
    return check_result();
}

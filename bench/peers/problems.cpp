/* Contact problems from files: Scree's solver `auto` and the solvers of Siconos, each from zero to
 * the same residual.
 *
 *     problems TOLERANCE SECONDS FILE...
 *
 * Prints one line of JSON for each file. Scree reads the file, makes the local form and judges
 * every result. The stopping tests of Siconos demand more than this residual, or less, so each of
 * its solvers is called with finer and finer tolerances until the result is good enough, and the
 * time is that of this last call. Each call runs in a process of its own, since some never end and
 * some end the program. Times are processor times, the best of a few calls. */
#include "common.h"

extern "C" {
#include "io/problem/file.h"
}

#include <numerics/FrictionContactProblem.h>
#include <numerics/Friction_cst.h>
#include <numerics/NonSmoothDrivers.h>
#include <numerics/NumericsMatrix.h>
#include <numerics/RollingFrictionContactProblem.h>
#include <numerics/SolverOptions.h>
#include <numerics/SparseBlockMatrix.h>

#include <map>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

struct Method {
    const char *name;
    int id;
    bool varied; /* Newton: begin with extragradient steps; NSGS: cheap check of the error */
    size_t most; /* contacts; larger problems are not tried */
};

static const Method plane[] = {{"NSGS", SICONOS_FRICTION_2D_NSGS, false, 100000},
                               {"CPG", SICONOS_FRICTION_2D_CPG, false, 100000},
                               {"Lemke", SICONOS_FRICTION_2D_LEMKE, false, 400}};
static const Method space[] = {{"NSGS", SICONOS_FRICTION_3D_NSGS, false, 100000},
                               {"NSGS light", SICONOS_FRICTION_3D_NSGS, true, 100000},
                               {"proximal", SICONOS_FRICTION_3D_PROX, false, 100000},
                               {"Newton", SICONOS_FRICTION_3D_NSN_AC, false, 100000},
                               {"Newton hybrid", SICONOS_FRICTION_3D_NSN_AC, true, 100000},
                               {"ADMM", SICONOS_FRICTION_3D_ADMM, false, 100000},
                               {"extragradient", SICONOS_FRICTION_3D_VI_EG, false, 100000}};
static const Method rolling[] = {{"NSGS", SICONOS_ROLLING_FRICTION_3D_NSGS, false, 100000},
                                 {"ADMM", SICONOS_ROLLING_FRICTION_3D_ADMM, false, 100000}};

/* What a child process leaves for its parent. */
struct Result {
    int done;
    int iterations;
    double seconds;
    double r[1];
};

template <class T> static T *take(size_t count) {
    return static_cast<T *>(calloc(count, sizeof(T)));
}

/* W in the form of Siconos: rows of dense blocks, each stored column by column. */
static NumericsMatrix *make_matrix(const ScreeProblemView &v) {
    size_t n = v.contacts, b = size_t(v.components), next = 0;
    std::vector<std::map<size_t, std::vector<double>>> rows(n);
    for (size_t i = 0; i < n; i++) {
        rows[i][i].resize(b * b);
    }
    for (size_t k = 0; k < n * b; k++) {
        for (int e = v.W.start[k]; e < v.W.start[k + 1]; e++) {
            size_t row = size_t(v.W.row[e]);
            std::vector<double> &block = rows[row / b][k / b];
            block.resize(b * b);
            block[k % b * b + row % b] = v.W.value[e];
        }
    }
    size_t blocks = 0;
    for (const auto &row : rows) {
        blocks += row.size();
    }
    SparseBlockStructuredMatrix *m = SBM_new();
    m->nbblocks = unsigned(blocks);
    m->blocknumber0 = m->blocknumber1 = unsigned(n);
    m->block = take<double *>(blocks);
    m->blocksize0 = take<unsigned>(n);
    m->blocksize1 = take<unsigned>(n);
    m->filled1 = n + 1;
    m->filled2 = blocks;
    m->index1_data = take<size_t>(n + 1);
    m->index2_data = take<size_t>(blocks);
    for (size_t i = 0; i < n; i++) {
        m->blocksize0[i] = m->blocksize1[i] = unsigned(b * (i + 1));
        m->index1_data[i] = next;
        for (const auto &[column, block] : rows[i]) {
            m->block[next] = take<double>(b * b);
            memcpy(m->block[next], block.data(), b * b * sizeof(double));
            m->index2_data[next++] = column;
        }
    }
    m->index1_data[n] = next;
    return NM_new_SBM(int(b * n), int(b * n), m);
}

static NumericsMatrix *make_dense(const ScreeProblemView &v) {
    size_t m = size_t(v.components) * v.contacts;
    NumericsMatrix *w = NM_create(NM_DENSE, int(m), int(m));
    for (size_t k = 0; k < m; k++) {
        for (int e = v.W.start[k]; e < v.W.start[k + 1]; e++) {
            w->matrix0[k * m + size_t(v.W.row[e])] = v.W.value[e];
        }
    }
    return w;
}

static double *copy(const double *from, size_t count) {
    double *to = take<double>(count);
    memcpy(to, from, count * sizeof(double));
    return to;
}

static int call_driver(const ScreeProblemView &v, NumericsMatrix *w, double *r, double *u,
                       SolverOptions *options) {
    int n = int(v.contacts);
    size_t m = size_t(v.components) * v.contacts;
    double *q = copy(v.q, m), *mu = copy(v.mu, v.contacts);
    if (v.components == 5) {
        RollingFrictionContactProblem *p =
            rollingFrictionContactProblem_new_with_data(5, n, w, q, mu, copy(v.mu_r, v.contacts));
        return rolling_fc3d_driver(p, r, u, options);
    }
    FrictionContactProblem *p = frictionContactProblem_new_with_data(v.components, n, w, q, mu);
    return v.components == 2 ? fc2d_driver(p, r, u, options) : fc3d_driver(p, r, u, options);
}

/* In the child: three calls if they are short; the time is the shortest. */
static void run_child(const ScreeProblemView &v, const Method &method, double tolerance,
                      Result *result) {
    size_t m = size_t(v.components) * v.contacts;
    double total = 0;
    for (int i = 0; i < 3 && total < 0.3; i++) {
        bool dense = method.id == SICONOS_FRICTION_2D_LEMKE;
        NumericsMatrix *w = dense ? make_dense(v) : make_matrix(v);
        SolverOptions *options = solver_options_create(method.id);
        options->dparam[SICONOS_DPARAM_TOL] = tolerance;
        options->iparam[SICONOS_IPARAM_MAX_ITER] = 1000000;
        if (method.varied && method.id == SICONOS_FRICTION_3D_NSN_AC) {
            options->iparam[SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY] =
                SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY_VI_EG_NSN;
        } else if (method.varied) {
            options->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] =
                SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_LIGHT;
        }
        if (method.id == SICONOS_FRICTION_3D_NSN_AC) {
            options->iparam[SICONOS_IPARAM_MAX_ITER] = 1000;
        }
        std::vector<double> r(m), u(m);
        double begin = cpu_seconds();
        (void)call_driver(v, w, r.data(), u.data(), options);
        double seconds = cpu_seconds() - begin;
        total += seconds;
        result->seconds = i == 0 || seconds < result->seconds ? seconds : result->seconds;
        result->iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
        memcpy(result->r, r.data(), m * sizeof(double));
        result->done = 1;
    }
}

static void run_siconos(const ScreeProblemView &v, const Method &method, double tolerance,
                        unsigned seconds, Result *result) {
    memset(result, 0, sizeof *result);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(seconds);
        if (freopen("/dev/null", "w", stdout) == nullptr ||
            freopen("/dev/null", "w", stderr) == nullptr) {
            _exit(1);
        }
        run_child(v, method, tolerance, result);
        _exit(0);
    }
    waitpid(child, nullptr, 0);
}

/* The best time in which the method gives a result that is good enough; 0: none. */
static double try_method(ScreeProblem *problem, const ScreeProblemView &v, const Method &method,
                         double tolerance, unsigned seconds, Result *result, double *residual) {
    for (double asked = 100 * tolerance; asked > 1e-4 * tolerance; asked *= 0.1) {
        ScreeProblemResidual judged;
        run_siconos(v, method, asked, seconds, result);
        if (!result->done) {
            return 0;
        }
        scree_problem_compute_residual(problem, result->r, nullptr, &judged, nullptr);
        *residual = judged.siconos;
        if (judged.siconos <= tolerance) {
            return result->seconds;
        }
    }
    return 0;
}

/* Scree, likewise the shortest of several calls. */
static ScreeProblemReport run_scree(ScreeProblem *problem, size_t m, double tolerance,
                                    double seconds, double *best) {
    ScreeProblemSettings settings = scree_problem_settings_default();
    ScreeProblemReport report = {};
    double total = 0;
    settings.tolerance = tolerance;
    settings.measure = "siconos"; /* what the others are judged by */
    settings.seconds = seconds;
    for (int i = 0; i < 10 && total < 0.3; i++) {
        std::vector<double> r(m + 1);
        double begin = cpu_seconds();
        if (scree_problem_solve(problem, &settings, r.data(), &report, nullptr) != SCREE_OK) {
            break;
        }
        double now = cpu_seconds() - begin;
        total += now;
        *best = i == 0 || now < *best ? now : *best;
    }
    return report;
}

static void compare(const char *path, double tolerance, unsigned seconds) {
    IoError error = {};
    ScreeProblem *problem = problem_read(path, &error);
    if (problem == nullptr) {
        give_up(error.text, path);
    }
    ScreeProblemView v = scree_problem_get_view(problem);
    size_t m = size_t(v.components) * v.contacts, size = sizeof(Result) + m * sizeof(double);
    double own = 0;
    ScreeProblemReport report = run_scree(problem, m, tolerance, seconds, &own);
    v = scree_problem_get_view(problem); /* now with W */
    auto *result = static_cast<Result *>(
        mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    const char *slash = strrchr(path, '/');
    printf(
        "{\"file\": \"%s\", \"components\": %d, \"contacts\": %zu, \"scree\": {\"seconds\": %.6g, "
        "\"residual\": %.3g, \"solved\": %s}, \"siconos\": {",
        slash != nullptr ? slash + 1 : path, v.components, v.contacts, own, report.residual.siconos,
        report.residual.siconos <= tolerance ? "true" : "false");
    const Method *method = v.components == 2 ? plane : v.components == 3 ? space : rolling;
    size_t count = v.components == 2 ? 3 : v.components == 3 ? 7 : 2;
    for (size_t i = 0; i < count; i++) {
        double residual = 0;
        double time = v.contacts <= method[i].most
                          ? try_method(problem, v, method[i], tolerance, seconds, result, &residual)
                          : 0;
        printf("%s\"%s\": {\"seconds\": %.6g, \"residual\": %.3g}", i > 0 ? ", " : "",
               method[i].name, time, residual);
    }
    printf("}}\n");
    fflush(stdout);
    munmap(result, size);
    scree_problem_destroy(problem);
}

int main(int argc, char **argv) {
    if (argc < 4) {
        give_up(argv[0], "TOLERANCE SECONDS FILE...");
    }
    for (int i = 3; i < argc; i++) {
        compare(argv[i], atof(argv[1]), unsigned(atoi(argv[2])));
    }
}

#include "bench/parts.h"

#include "bench/machine.h"
#include "bench/solver_cases.h"
#include "bench/solver_runs.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: scree bench solvers [OPTION...] [CASE...] [SOLVER...]\n"
    "\n"
    "Iterations and processor time to residuals of 1e-4, 1e-6 and 1e-8, from zero impulses, on "
    "one\n"
    "core: first touched, and held until the end. Every solver on every case; without names a few\n"
    "small cases, half a minute. bench/solvers.sh runs all of them, bench/solvers.py fits "
    "exponents.\n"
    "\n"
    "  cases     plane-N-SEED, space-N-SEED  N disks or spheres, settled in a box\n"
    "            ... with -xK                K of them side by side, settled further together\n"
    "            ... with -LAW               -rolling, -cohesion, -springs; in the plane "
    "-polygons\n"
    "            chain-N                     a column of N disks\n"
    "            array-N                     N disks in a row between two blocks\n"
    "  solvers   random                      Gauss-Seidel, in an order redrawn in every sweep\n"
    "            boxed                       Gauss-Seidel in the default order\n"
    "            accelerated                 the default: with momentum\n"
    "            matrix_NAME                 NAME of 'scree solve --solver'\n"
    "            none                        make and describe the cases without solving them\n"
    "\n"
    "  --packings DIR  folder in which settled packings are kept\n"
    "  --seconds S     time limit per solver (for matrices: and per residual); 20\n"
    "  --threads N     for settling packings; solvers use one\n"
    "  --steps N       limit for settling packings, also further; 6000\n"
    "  --json          a line of JSON per case and solver instead of a table\n"
    "  --history       the same, with the history of the residuals: iterations, seconds, both "
    "scales\n"
    "  --help          this text\n";

typedef struct Wanted {
    const char *packings;
    double seconds;
    int threads, steps;
    bool json, history;
    int cases, solvers;
    const char *named_case[64], *solver[32];
} Wanted;

enum { MOST_CASES = 64, MOST_SOLVERS = 32 };

/* 1 when an option with its value was read, 2 when the value is missing, 0 when it is another
 * word. */
static int read_value(int argc, char **argv, int *i, const char *name, const char **value) {
    if (strcmp(argv[*i], name) != 0) {
        return 0;
    }
    if (*i + 1 >= argc) {
        return 2;
    }
    *value = argv[++*i];
    return 1;
}

static bool read_word(const char *word, Wanted *w) {
    if (strcmp(word, "--json") == 0) {
        w->json = true;
    } else if (strcmp(word, "--history") == 0) {
        w->json = w->history = true;
    } else if (word[0] == '-') {
        return false;
    } else if (bench_is_solver_case(word) && w->cases < MOST_CASES) {
        w->named_case[w->cases++] = word;
    } else if ((bench_is_solver(word) || strcmp(word, "none") == 0) && w->solvers < MOST_SOLVERS) {
        w->solver[w->solvers++] = word;
    } else {
        return false;
    }
    return true;
}

/* Takes the number given in `text`, if it is one and large enough. */
static bool read_count(const char *text, int least, int *count) {
    char *end = NULL;
    long number = text != NULL ? strtol(text, &end, 10) : *count;
    bool ok = number >= least && number <= INT_MAX && (text == NULL || (end != text && *end == 0));
    *count = ok ? (int)number : *count;
    return ok;
}

static bool read_words(int argc, char **argv, Wanted *w) {
    for (int i = 1; i < argc; i++) {
        const char *seconds = NULL, *threads = NULL, *steps = NULL;
        int read = read_value(argc, argv, &i, "--packings", &w->packings) +
                   read_value(argc, argv, &i, "--seconds", &seconds) +
                   read_value(argc, argv, &i, "--threads", &threads) +
                   read_value(argc, argv, &i, "--steps", &steps);
        w->seconds = seconds != NULL ? strtod(seconds, NULL) : w->seconds;
        if (read > 1 || (read == 0 && !read_word(argv[i], w)) || !(w->seconds > 0) ||
            !read_count(threads, 1, &w->threads) || !read_count(steps, 0, &w->steps)) {
            fprintf(stderr,
                    "scree bench solvers: cannot use '%s': a case is one of\n"
                    "%s; a solver random, boxed, accelerated,\n"
                    "matrix_NAME or none; --help tells the options\n",
                    argv[i], bench_solver_case_forms);
            return false;
        }
    }
    return true;
}

static void choose_small(Wanted *w) {
    static const char *const cases[] = {"plane-300-1", "space-300-1", "chain-100", "array-80"};
    static const char *const solvers[] = {"random", "boxed", "accelerated", "matrix_newton"};
    for (int i = 0; w->cases == 0 && i < 4; i++) {
        w->named_case[i] = cases[i];
    }
    for (int i = 0; w->solvers == 0 && i < 4; i++) {
        w->solver[i] = solvers[i];
    }
    w->cases = w->cases == 0 ? 4 : w->cases;
    w->solvers = w->solvers == 0 ? 4 : w->solvers;
}

/* ---------------------------------------------------------------- lines */

static void print_case(const char *name, const ScreeWorld *world) {
    printf("%s: %zu grains, %llu steps, rms velocity %.3g of what gravity adds in a step\n", name,
           scree_world_get_bodies(world).count,
           (unsigned long long)scree_world_get_step_count(world), bench_unrest(world));
}

static void print_row(const char *solver, const SolverRun *run) {
    printf("  %-22s", solver);
    for (int l = 0; l < SOLVER_LEVELS; l++) {
        const SolverMark *mark = &run->mark[0][l];
        if (mark->first == 0) {
            printf("  %8s %16s", "-", "");
        } else {
            printf("  %8d (%6.3g s)%s", mark->first, mark->first_seconds,
                   mark->lasting == mark->first ? "      "
                   : mark->lasting > 0          ? " later"
                                                : " lost ");
        }
    }
    printf("  best %.1e after %d in %.3g s: %s\n", run->best[0], run->iterations, run->seconds,
           run->reason);
}

static void print_marks(const SolverRun *run) {
    for (int k = 0; k < SOLVER_SCALES; k++) {
        printf(", \"%s\": {", bench_solver_scale[k]);
        for (int l = 0; l < SOLVER_LEVELS; l++) {
            const SolverMark *m = &run->mark[k][l];
            printf("%s\"%.0e\": [%d, %.6g, %d, %.6g]", l > 0 ? ", " : "", bench_solver_level[l],
                   m->first, m->first_seconds, m->lasting, m->lasting > 0 ? m->lasting_seconds : 0);
        }
        printf("}");
    }
}

/* One line for every tenth more iterations: enough for a picture. */
static void print_history(const SolverRun *run) {
    int before = 0;
    printf(", \"history\": [");
    for (int i = 0; i < run->looks; i++) {
        const SolverLook *look = &run->history[i];
        if (i == 0 || i + 1 == run->looks || look->iterations > before + before / 10) {
            printf("%s[%d, %.5g, %.3g, %.3g]", i > 0 ? ", " : "", look->iterations, look->seconds,
                   look->residual[0], look->residual[1]);
            before = look->iterations;
        }
    }
    printf("]");
}

static void print_json(const char *name, const ScreeWorld *world, const char *solver,
                       const SolverRun *run, bool history) {
    printf("{\"case\": \"%s\", \"solver\": \"%s\", \"grains\": %zu, \"contacts\": %zu, "
           "\"steps\": %llu, \"unrest\": %.4g, \"iterations\": %d, \"seconds\": %.6g, "
           "\"best\": [%.4g, %.4g], \"reason\": \"%s\"",
           name, solver, scree_world_get_bodies(world).count, run->contacts,
           (unsigned long long)scree_world_get_step_count(world), bench_unrest(world),
           run->iterations, run->seconds, run->best[0], run->best[1], run->reason);
    print_marks(run);
    if (history) {
        print_history(run);
    }
    printf("}\n");
    fflush(stdout);
}

static bool run_case(const Wanted *w, const char *name) {
    ScreeWorld *world = bench_solver_case(name, w->packings, w->threads, w->steps);
    bool ok = world != NULL;
    if (ok && !w->json) {
        print_case(name, world);
    }
    for (int i = 0; ok && i < w->solvers; i++) {
        if (strcmp(w->solver[i], "none") == 0) {
            continue;
        }
        SolverRun run;
        /* sweeps continue below the last level, to see whether they stay there */
        bool sweeps = strncmp(w->solver[i], "matrix_", 7) != 0;
        const SolverLimits limits = {w->seconds, INT_MAX, sweeps ? 3e-9 : 1e-8};
        ok = bench_run_solver(world, w->solver[i], &limits, &run);
        if (ok && w->json) {
            print_json(name, world, w->solver[i], &run, w->history);
        } else if (ok) {
            print_row(w->solver[i], &run);
            fflush(stdout);
        }
        if (ok) {
            free(run.velocity);
        }
    }
    scree_world_destroy(world);
    return ok;
}

int bench_solvers(int argc, char **argv) {
    Wanted wanted = {.seconds = 20, .threads = 1, .steps = 6000};
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        fputs(help, stdout);
        return 0;
    }
    if (!read_words(argc, argv, &wanted)) {
        return 2;
    }
    choose_small(&wanted);
    if (wanted.json) {
        /* a line is written in one go: other processes may write to the same file */
        setvbuf(stdout, NULL, _IOFBF, 1 << 17);
    } else {
        char name[128];
        machine_name(name, sizeof name);
        printf("%s, one core; iterations (processor time) to a residual of 1e-4, 1e-6, 1e-8\n",
               name);
    }
    bool ok = true;
    for (int i = 0; i < wanted.cases; i++) {
        ok = run_case(&wanted, wanted.named_case[i]) && ok;
    }
    return ok ? 0 : 1;
}

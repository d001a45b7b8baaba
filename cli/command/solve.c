/* Contact problems from files, solved by one solver or by all of them. */
#include "cli/commands.h"
#include "cli/command/result_table.h"
#include "io/aside.h"
#include "io/problem/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct Solving {
    const char *solver, *out;
    ScreeProblemSettings settings;
    ResultTable table;
} Solving;

/* What one solver made of a problem. */
typedef struct Attempt {
    const char *solver;
    ScreeProblemReport report;
    char reason[512];
    double *r;
} Attempt;

enum { ATTEMPTS_MOST = 16 };

/* ---------------------------------------------------------------- options */

static bool is_solver(const char *name) {
    const char *known;
    for (size_t i = 0; (known = scree_problem_solver_get_name(i)) != NULL; i++) {
        if (strcmp(known, name) == 0) {
            return true;
        }
    }
    return strcmp(name, "all") == 0;
}

static bool is_measure(const char *name) {
    static const char *const known[] = {"law", "siconos", "paper", "fclib", "relative"};
    bool found = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        found = found || strcmp(known[i], name) == 0;
    }
    return found;
}

static int unknown_solver(const char *name) {
    char known[256] = "";
    const char *next;
    for (size_t i = 0; (next = scree_problem_solver_get_name(i)) != NULL; i++) {
        size_t length = strlen(known);
        snprintf(known + length, sizeof known - length, "%s, ", next);
    }
    cli_error("--solver %s: must be one of %sall", name, known);
    return CLI_USAGE;
}

static int read_options(const CliArguments *a, Solving *s) {
    long iterations = 0;
    s->settings = scree_problem_settings_default();
    s->solver = a->value[CLI_SOLVER] != NULL ? a->value[CLI_SOLVER] : "auto";
    s->out = a->value[CLI_OUTPUT];
    s->table.format = result_format(a);
    if (!is_solver(s->solver)) {
        return unknown_solver(s->solver);
    }
    s->settings.measure = a->value[CLI_MEASURE] != NULL ? a->value[CLI_MEASURE] : "law";
    if (!is_measure(s->settings.measure)) {
        cli_error("--measure %s: must be one of law, siconos, paper, fclib, relative",
                  s->settings.measure);
        return CLI_USAGE;
    }
    if (!cli_real("--tol", a->value[CLI_TOLERANCE], &s->settings.tolerance) ||
        !cli_real("--seconds", a->value[CLI_SECONDS], &s->settings.seconds) ||
        !cli_integer("--iterations", a->value[CLI_ITERATIONS], 1, 1000000000, &iterations)) {
        return CLI_USAGE;
    }
    s->settings.iterations = (int)iterations;
    if (!(s->settings.tolerance > 0) || !(s->settings.seconds >= 0)) {
        cli_error("--tol and --seconds must be positive");
        return CLI_USAGE;
    }
    if (s->out != NULL && a->operand_count != 1) {
        cli_error("--out writes the solution of a single file, but %zu are given",
                  a->operand_count);
        return CLI_USAGE;
    }
    IoError error = {0};
    IoRule rule = {a->operand, a->value[CLI_FORCE] != NULL};
    return s->out == NULL || io_may_write(s->out, rule, &error) ? CLI_DONE : cli_io_error(&error);
}

/* ---------------------------------------------------------------- solving */

/* Numbers of the contacts that have a part in a proof, the first few of them. */
static void list_contacts(const ScreeProblemView *v, const double *proof, char *text, size_t size) {
    enum { NAMED_MOST = 12 };
    size_t named = 0, others = 0, d = (size_t)v->components;
    text[0] = '\0';
    for (size_t c = 0; c < v->contacts; c++) {
        bool part = false;
        for (size_t k = 0; k < d; k++) {
            part = part || proof[c * d + k] != 0;
        }
        others += part && named >= NAMED_MOST;
        if (part && named < NAMED_MOST) {
            size_t length = strlen(text);
            snprintf(text + length, size - length, "%s%zu", named++ > 0 ? ", " : "", c);
        }
    }
    if (others > 0) {
        size_t length = strlen(text);
        snprintf(text + length, size - length, " and %zu more", others);
    }
}

/* Why it ended, with the contacts concerned. */
static void explain(const ScreeProblem *problem, Attempt *a) {
    char contacts[256];
    const ScreeProblemReport *r = &a->report;
    const double *proof = scree_problem_get_proof(problem);
    ScreeProblemView view = scree_problem_get_view(problem);
    snprintf(a->reason, sizeof a->reason, "%s", r->reason);
    if (proof != NULL) {
        list_contacts(&view, proof, contacts, sizeof contacts);
    }
    if (proof != NULL && r->verdict == SCREE_PROBLEM_INFEASIBLE) {
        snprintf(a->reason, sizeof a->reason,
                 "%s (contacts %s close at %.3g on average; a solution would need impulses of at "
                 "least %.2g)",
                 r->reason, contacts, r->closing_velocity, r->impulse_needed);
    } else if (proof != NULL) {
        snprintf(a->reason, sizeof a->reason, "%s (contacts %s)", r->reason, contacts);
    } else if (!r->solved && view.contacts > 0) {
        snprintf(a->reason, sizeof a->reason, "%s (worst at contact %zu)", r->reason, r->worst);
    }
}

/* Short solves are repeated, since the first one finds nothing in the cache: the time is the best
 * of those that fit into a fiftieth of a second. All of them start from zero and give the same
 * result. */
static int attempt(const Solving *s, ScreeProblem *problem, size_t m, Attempt *a) {
    enum { TIMES_MOST = 10 };
    char message[SCREE_MESSAGE_SIZE] = "";
    ScreeProblemSettings settings = s->settings;
    double total = 0, best = 0;
    settings.solver = a->solver;
    for (int i = 0; i < TIMES_MOST && (i == 0 || total < 0.02); i++) {
        memset(a->r, 0, m * sizeof *a->r);
        ScreeStatus status = scree_problem_solve(problem, &settings, a->r, &a->report, message);
        if (status != SCREE_OK) {
            cli_error("%s", message);
            return status == SCREE_NO_MEMORY ? CLI_FAILED : CLI_BAD_INPUT;
        }
        total += a->report.seconds;
        best = i == 0 || a->report.seconds < best ? a->report.seconds : best;
    }
    a->report.seconds = best;
    explain(problem, a);
    return CLI_DONE;
}

/* Solved comes before not solved, then the shorter time or the smaller error. */
static bool is_better(const ScreeProblemReport *a, const ScreeProblemReport *b) {
    if (a->solved != b->solved) {
        return a->solved;
    }
    return a->solved ? a->seconds < b->seconds : a->residual.law < b->residual.law;
}

static void make_columns(ResultTable *t) {
    result_column(t, "file", "", NULL);
    result_column(t, "components", "1", NULL);
    result_column(t, "contacts", "1", NULL);
    result_column(t, "solver", "", NULL);
    result_column(t, "won", "", NULL);
    result_column(t, "verdict", "", NULL);
    result_column(t, "iterations", "1", NULL);
    result_column(t, "seconds", "s", NULL);
    result_column(t, "law", "1", NULL);
    result_column(t, "siconos", "1", NULL);
    result_column(t, "paper", "1", NULL);
    result_column(t, "fclib", "1", NULL);
    result_column(t, "relative", "1", NULL);
    result_column(t, "reason", "", NULL);
}

static void add_row(ResultTable *t, const char *path, const ScreeProblemView *v, const Attempt *a,
                    bool won) {
    const char *slash = strrchr(path, '/');
    const ScreeProblemReport *r = &a->report;
    result_word(t, slash != NULL && t->format == RESULT_TEXT ? slash + 1 : path);
    result_integer(t, v->components);
    result_integer(t, (long long)v->contacts);
    result_word(t, a->solver);
    result_word(t, won ? "yes" : "no");
    result_word(t, scree_problem_verdict_get_name(r->verdict));
    result_integer(t, r->iterations);
    result_real(t, r->seconds);
    result_real(t, r->residual.law);
    result_real(t, r->residual.siconos);
    result_real(t, r->residual.paper);
    result_real(t, r->residual.fclib);
    result_real(t, r->residual.relative);
    result_word(t, a->reason);
}

/* ---------------------------------------------------------------- the solution as a file */

static bool ends_with(const char *text, const char *ending) {
    size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && strcmp(text + length - tail, ending) == 0;
}

static void print_numbers(FILE *file, const double *x, int count) {
    for (int k = 0; k < count; k++) {
        fprintf(file, ",%.17g", x[k]);
    }
}

static bool print_csv(FILE *file, const ScreeProblemView *v, const double *r, const double *u) {
    static const char *const names[5] = {"n", "t1", "t2", "m1", "m2"};
    fputs("contact", file);
    for (int k = 0; k < v->components; k++) {
        fprintf(file, ",r_%s", names[k]);
    }
    for (int k = 0; k < v->components; k++) {
        fprintf(file, ",u_%s", names[k]);
    }
    fputc('\n', file);
    for (size_t c = 0; c < v->contacts; c++) {
        fprintf(file, "%zu", c);
        print_numbers(file, r + c * (size_t)v->components, v->components);
        print_numbers(file, u + c * (size_t)v->components, v->components);
        fputc('\n', file);
    }
    return fflush(file) == 0 && !ferror(file);
}

static int write_csv(const char *path, const ScreeProblemView *v, const double *r,
                     const double *u) {
    IoError error = {0};
    char *aside = io_aside(path, &error);
    FILE *file = aside != NULL ? fopen(aside, "w") : NULL;
    bool ok = file != NULL && print_csv(file, v, r, u);
    int reason = errno;
    if (file != NULL && fclose(file) != 0 && ok) {
        ok = false;
        reason = errno;
    }
    if (aside != NULL) {
        ok = ok || io_error(&error, IO_FAILED, "%s: cannot be written: %s", path, strerror(reason));
        ok = io_in_place(aside, path, ok, &error);
    }
    return ok ? CLI_DONE : cli_io_error(&error);
}

/* Writes impulses r and velocities u: if the name ends with .csv, a table of 17 digits with a line
 * for each contact; otherwise the problem with its solution as FCLIB (HDF5). */
static int write_solution(const char *path, ScreeProblem *problem, const double *r) {
    IoError error = {0};
    char message[SCREE_MESSAGE_SIZE] = "";
    ScreeProblemResidual residual;
    ScreeProblemView view = scree_problem_get_view(problem);
    size_t m = (size_t)view.components * view.contacts;
    double *u = calloc(m + 1, sizeof *u), *v = calloc(view.freedoms + 1, sizeof *v);
    int status = CLI_DONE;
    if (u == NULL || v == NULL ||
        scree_problem_compute_residual(problem, r, u, &residual, message) != SCREE_OK ||
        (view.global && scree_problem_compute_velocities(problem, r, v, message) != SCREE_OK)) {
        cli_error("%s", message[0] != '\0' ? message : "out of memory");
        status = CLI_FAILED;
    } else if (ends_with(path, ".csv")) {
        status = write_csv(path, &view, r, u);
    } else {
        ProblemExtra extra = {.title = "contact problem with its solution by scree", .r = r};
        extra.u = u;
        extra.v = view.global ? v : NULL;
        status = problem_write(path, problem, &extra, &error) ? CLI_DONE : cli_io_error(&error);
    }
    free(u);
    free(v);
    return status;
}

/* ---------------------------------------------------------------- all */

static int solve_problem(Solving *s, const char *path, ScreeProblem *problem) {
    ScreeProblemView view = scree_problem_get_view(problem);
    size_t m = (size_t)view.components * view.contacts, count = 0, best = 0;
    Attempt tried[ATTEMPTS_MOST] = {{0}};
    int status = CLI_DONE;
    const char *name;
    for (size_t i = 0; status == CLI_DONE && (name = scree_problem_solver_get_name(i)) != NULL;
         i++) {
        if (strcmp(s->solver, "all") != 0 && strcmp(s->solver, name) != 0) {
            continue;
        }
        tried[count] = (Attempt){.solver = name, .r = calloc(m + 1, sizeof(double))};
        status = tried[count].r == NULL ? cli_no_memory() : attempt(s, problem, m, &tried[count]);
        best = is_better(&tried[count].report, &tried[best].report) ? count : best;
        count++;
    }
    for (size_t i = 0; status == CLI_DONE && i < count; i++) {
        add_row(&s->table, path, &view, &tried[i], i == best);
    }
    if (status == CLI_DONE && s->out != NULL) {
        status = write_solution(s->out, problem, tried[best].r);
    }
    if (status == CLI_DONE && !tried[best].report.solved) {
        status = CLI_NOT_CONVERGED;
    }
    for (size_t i = 0; i < count; i++) {
        free(tried[i].r);
    }
    return status;
}

/* A bad file does not keep the others from being solved. */
int cli_solve(const CliArguments *arguments) {
    Solving s = {0};
    CLI_TRY(read_options(arguments, &s));
    int status = CLI_DONE;
    make_columns(&s.table);
    for (size_t i = 0; i < arguments->operand_count && !s.table.failed; i++) {
        IoError error = {0};
        ScreeProblem *problem = problem_read(arguments->operands[i], &error);
        int result = problem != NULL ? solve_problem(&s, arguments->operands[i], problem)
                                     : cli_io_error(&error);
        scree_problem_destroy(problem);
        bool worse = result == CLI_FAILED || (result == CLI_BAD_INPUT && status != CLI_FAILED);
        status = worse || status == CLI_DONE ? result : status;
    }
    if (s.table.failed ||
        (s.table.cells > 0 && !result_write(&s.table, "contact problems", stdout))) {
        status = cli_no_memory();
    }
    result_free(&s.table);
    return status;
}

#include "cli/command/solve_output.h"

#include "cli/commands.h"
#include "cli/message.h"
#include "io/problem/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool ends_with(const char *text, const char *ending) {
    size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && strcmp(text + length - tail, ending) == 0;
}

static void print_numbers(FILE *file, const double *x, int count) {
    for (int k = 0; k < count; k++) {
        fprintf(file, ",%.17g", x[k]);
    }
}

static bool print_table(FILE *file, const ScreeProblemView *v, const double *r, const double *u) {
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

static int write_table(const char *path, const ScreeProblemView *v, const double *r,
                       const double *u) {
    FILE *file = fopen(path, "w");
    bool ok = file != NULL && print_table(file, v, r, u);
    int reason = errno;
    if (file != NULL && fclose(file) != 0 && ok) {
        ok = false;
        reason = errno;
    }
    if (!ok) {
        cli_error("%s: cannot be written: %s", path, strerror(reason));
    }
    return ok ? CLI_DONE : CLI_FAILED;
}

int solve_write(const char *path, ScreeProblem *problem, const double *r) {
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
        status = write_table(path, &view, r, u);
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

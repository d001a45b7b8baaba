/* Files of contact problems through the public header. */
#include "io/problem/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static ScreeStatus fail(char *message, ScreeStatus status, const char *path, const char *text) {
    if (message != NULL) {
        snprintf(message, SCREE_FILE_MESSAGE_SIZE, "%s%s%s", path, path[0] != '\0' ? ": " : "",
                 text);
    }
    return status;
}

ScreeStatus scree_problem_load(const char *path, ScreeProblem **problem, char *message) {
    IoError error = {0};
    *problem = problem_read(path, &error);
    return *problem != NULL ? SCREE_OK : fail(message, SCREE_BAD_ARGUMENT, "", error.text);
}

/* The velocities that follow from impulses: of contacts and, in the global form, of bodies. */
static ScreeStatus find_velocities(ScreeProblem *problem, const double *r, double *u, double *v,
                                   const char *path, char *message) {
    char text[SCREE_MESSAGE_SIZE] = "";
    ScreeProblemResidual residual;
    ScreeProblemView view = scree_problem_get_view(problem);
    for (size_t i = 0; i < (size_t)view.components * view.contacts; i++) {
        if (!isfinite(r[i])) {
            return fail(message, SCREE_BAD_ARGUMENT, path, "an impulse is not finite");
        }
    }
    ScreeStatus status = scree_problem_compute_residual(problem, r, u, &residual, text);
    if (status == SCREE_OK && view.global) {
        status = scree_problem_compute_velocities(problem, r, v, text);
    }
    return status == SCREE_OK ? SCREE_OK : fail(message, status, path, text);
}

ScreeStatus scree_problem_save(ScreeProblem *problem, const char *path, const double *r,
                               char *message) {
    IoError error = {0};
    ProblemExtra extra = {.title = "contact problem", .description = "written by scree", .r = r};
    ScreeProblemView view = scree_problem_get_view(problem);
    size_t m = (size_t)view.components * view.contacts;
    double *u = NULL;
    ScreeStatus status = SCREE_OK;
    if (r != NULL) {
        u = calloc(m + view.freedoms + 1, sizeof *u);
        status = u == NULL ? fail(message, SCREE_NO_MEMORY, path, "out of memory")
                           : find_velocities(problem, r, u, u + m, path, message);
        extra.u = u;
        extra.v = view.global ? u + m : NULL;
    }
    if (status == SCREE_OK && !problem_write(path, problem, &extra, &error)) {
        status = fail(message, SCREE_BAD_ARGUMENT, "", error.text);
    }
    free(u);
    return status;
}

#include "io/problem/parts.h"

#include <stdlib.h>

bool parts_add(PartMatrix *matrix, int64_t row, int64_t column, double value) {
    if (matrix->count == matrix->room) {
        size_t room = matrix->room > 0 ? 2 * matrix->room : 256;
        ScreeEntry *entry = realloc(matrix->entry, room * sizeof *entry);
        if (entry == NULL) {
            return false;
        }
        matrix->entry = entry;
        matrix->room = room;
    }
    matrix->entry[matrix->count++] = (ScreeEntry){(int32_t)row, (int32_t)column, value};
    return true;
}

void parts_free(ProblemParts *parts) {
    free(parts->M.entry);
    free(parts->H.entry);
    free(parts->W.entry);
    free(parts->f);
    free(parts->w);
    free(parts->q);
    free(parts->mu);
    free(parts->mu_r);
}

ScreeProblem *parts_finish(const ProblemParts *parts, IoError *error) {
    char message[SCREE_MESSAGE_SIZE] = "";
    ScreeProblem *problem = NULL;
    ScreeProblemDef def = scree_problem_def_default();
    def.components = parts->components;
    def.contacts = parts->contacts;
    def.global = parts->global;
    def.freedoms = parts->global ? (size_t)parts->M.rows : 0;
    def.M = (ScreeEntries){parts->M.entry, parts->M.count};
    def.H = (ScreeEntries){parts->H.entry, parts->H.count};
    def.W = (ScreeEntries){parts->W.entry, parts->W.count};
    def.f = parts->f;
    def.w = parts->w;
    def.q = parts->q;
    def.mu = parts->mu;
    def.mu_r = parts->mu_r;
    ScreeStatus status = scree_problem_create(&def, &problem, message);
    if (status != SCREE_OK) {
        io_error(error, status == SCREE_NO_MEMORY ? IO_FAILED : IO_BAD_FILE, "%s: %s", parts->path,
                 message);
    }
    return problem;
}

#include "io/problem_file.h"

#include "io/problem_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    ScreeProblemDef def = scree_default_problem();
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
    ScreeStatus status = scree_create_problem(&def, &problem, message);
    if (status != SCREE_OK) {
        io_error(error, status == SCREE_NO_MEMORY ? IO_FAILED : IO_BAD_FILE, "%s: %s", parts->path,
                 message);
    }
    return problem;
}

/* The whole file, with a 0 byte behind it. */
static char *read_all(const char *path, FILE *file, size_t *size, IoError *error) {
    size_t room = 1 << 16;
    char *text = malloc(room + 1);
    *size = 0;
    while (text != NULL) {
        *size += fread(text + *size, 1, room - *size, file);
        if (*size < room) {
            break;
        }
        room *= 2;
        char *larger = realloc(text, room + 1);
        if (larger == NULL) {
            free(text);
        }
        text = larger;
    }
    if (text == NULL) {
        io_no_memory(error, path);
    } else if (ferror(file)) {
        io_error(error, IO_FAILED, "%s: cannot be read: %s", path, strerror(errno));
        free(text);
        text = NULL;
    } else {
        text[*size] = '\0';
    }
    return text;
}

ScreeProblem *problem_read(const char *path, IoError *error) {
    static const char hdf5[8] = "\x89HDF\r\n\x1a\n";
    char begin[sizeof hdf5] = "";
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        io_error(error, IO_FAILED, "%s: cannot be opened: %s", path, strerror(errno));
        return NULL;
    }
    if (fread(begin, 1, sizeof begin, file) == sizeof begin &&
        memcmp(begin, hdf5, sizeof hdf5) == 0) {
        fclose(file);
        return problem_read_fclib(path, error);
    }
    rewind(file);
    size_t size = 0;
    char *text = read_all(path, file, &size, error);
    fclose(file);
    ScreeProblem *problem = text != NULL ? problem_parse(path, text, size, error) : NULL;
    free(text);
    return problem;
}

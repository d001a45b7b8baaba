/* Writes problems in FCLIB's layout: M and H as entries, W by compressed rows, as other programs
 * do. */
#include "io/aside.h"
#include "io/hdf5_tools.h"
#include "io/problem/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool write_array(hid_t group, const char *name, hid_t memory, hid_t file, size_t count,
                        const void *data) {
    hsize_t size = count;
    hid_t space = H5Screate_simple(1, &size, NULL);
    hid_t into = H5Dcreate2(group, name, file, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool ok = into >= 0 &&
              (count == 0 || H5Dwrite(into, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    H5Dclose(into);
    H5Sclose(space);
    return ok;
}

static bool write_integers(hid_t group, const char *name, size_t count, const int32_t *x) {
    return write_array(group, name, H5T_NATIVE_INT32, H5T_STD_I32LE, count, x);
}

static bool write_reals(hid_t group, const char *name, size_t count, const double *x) {
    return x == NULL || write_array(group, name, H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE, count, x);
}

static bool write_integer(hid_t group, const char *name, int32_t value) {
    return write_integers(group, name, 1, &value);
}

static bool write_text(hid_t group, const char *name, const char *text) {
    if (text == NULL) {
        return true;
    }
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, strlen(text) + 1);
    hid_t into = H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool ok = into >= 0 && H5Dwrite(into, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
    H5Dclose(into);
    H5Sclose(space);
    H5Tclose(type);
    return ok;
}

static hid_t make_group(hid_t parent, const char *name) {
    return H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}

/* ---------------------------------------------------------------- matrices */

/* Row and column of each entry, column by column. */
static void list_entries(const ScreeMatrix *a, int32_t *row, int32_t *column) {
    for (int32_t k = 0; k < a->columns; k++) {
        for (int32_t e = a->start[k]; e < a->start[k + 1]; e++) {
            row[e] = a->row[e];
            column[e] = k;
        }
    }
}

/* The same matrix by rows; start [rows + 1] ends up right because each start moves to the end of
 * its row. */
static void list_rows(const ScreeMatrix *a, int32_t *start, int32_t *column, double *value) {
    memset(start, 0, ((size_t)a->rows + 1) * sizeof *start);
    for (int32_t e = 0; e < a->start[a->columns]; e++) {
        start[a->row[e] + 1]++;
    }
    for (int32_t i = 0; i < a->rows; i++) {
        start[i + 1] += start[i];
    }
    for (int32_t k = 0; k < a->columns; k++) {
        for (int32_t e = a->start[k]; e < a->start[k + 1]; e++) {
            int32_t to = start[a->row[e]]++;
            column[to] = k;
            value[to] = a->value[e];
        }
    }
    for (int32_t i = a->rows; i > 0; i--) {
        start[i] = start[i - 1];
    }
    start[0] = 0;
}

static bool write_matrix(hid_t parent, const char *name, const ScreeMatrix *a, bool by_rows) {
    int32_t count = a->start[a->columns];
    size_t entries = (size_t)count, pointers = by_rows ? (size_t)a->rows + 1 : entries;
    int32_t *p = malloc((pointers + 1) * sizeof *p), *i = malloc((entries + 1) * sizeof *i);
    double *x = malloc((entries + 1) * sizeof *x);
    hid_t group = make_group(parent, name);
    bool ok = group >= 0 && p != NULL && i != NULL && x != NULL;
    if (ok && by_rows) {
        list_rows(a, p, i, x);
    } else if (ok) {
        list_entries(a, i, p);
        if (entries > 0) {
            memcpy(x, a->value, entries * sizeof *x);
        }
    }
    ok = ok && write_integer(group, "nzmax", count) && write_integer(group, "m", a->rows) &&
         write_integer(group, "n", a->columns) &&
         write_integer(group, "nz", by_rows ? -2 : count) &&
         write_integers(group, "p", pointers, p) && write_integers(group, "i", entries, i) &&
         write_reals(group, "x", entries, x);
    H5Gclose(group);
    free(p);
    free(i);
    free(x);
    return ok;
}

/* ---------------------------------------------------------------- the file */

static bool write_vectors(hid_t root, const ScreeProblemView *v) {
    size_t m = (size_t)v->components * v->contacts;
    hid_t group = make_group(root, "vectors");
    bool ok =
        group >= 0 && write_reals(group, "mu", v->contacts, v->mu) &&
        write_reals(group, "mu_r", v->contacts, v->mu_r) &&
        (v->global ? write_reals(group, "f", v->freedoms, v->f) && write_reals(group, "w", m, v->w)
                   : write_reals(group, "q", m, v->q));
    H5Gclose(group);
    return ok;
}

static bool write_about(hid_t root, const ProblemExtra *extra) {
    hid_t group = make_group(root, "info");
    bool ok = group >= 0 && write_text(group, "title", extra->title) &&
              write_text(group, "description", extra->description) &&
              write_text(group, "math_info", "");
    H5Gclose(group);
    return ok;
}

static bool write_solution(hid_t file, const ScreeProblemView *v, const ProblemExtra *extra) {
    size_t m = (size_t)v->components * v->contacts;
    hid_t group = make_group(file, "solution");
    bool ok = group >= 0 && write_reals(group, "r", m, extra->r) &&
              write_reals(group, "u", m, extra->u) &&
              write_reals(group, "v", v->freedoms, v->global ? extra->v : NULL);
    H5Gclose(group);
    return ok;
}

static bool write_all(hid_t file, const ScreeProblemView *v, const ProblemExtra *extra) {
    const char *name = !v->global           ? "fclib_local"
                       : v->components == 5 ? "fclib_global_rolling"
                                            : "fclib_global";
    hid_t root = make_group(file, name);
    bool ok =
        root >= 0 && write_integer(root, "spacedim", v->components) &&
        (v->global ? write_matrix(root, "M", &v->M, false) && write_matrix(root, "H", &v->H, false)
                   : write_matrix(root, "W", &v->W, true)) &&
        write_vectors(root, v) && write_about(root, extra) &&
        (extra->r == NULL || write_solution(file, v, extra));
    H5Gclose(root);
    return ok;
}

bool problem_write(const char *path, const ScreeProblem *problem, const ProblemExtra *extra,
                   IoError *error) {
    static const ProblemExtra nothing = {0};
    ScreeProblemView view = scree_problem_get_view(problem);
    if (view.compliance != NULL) {
        return io_error(error, IO_BAD_FILE, "%s: the format does not support springs at contacts",
                        path);
    }
    char *aside = io_aside(path, error);
    if (aside == NULL) {
        return false;
    }
    hdf5_quiet();
    hid_t file = hdf5_create_in_memory();
    bool ok = file >= 0 && write_all(file, &view, extra != NULL ? extra : &nothing);
    if (!ok) {
        hdf5_error(error, IO_FAILED, path, "cannot be written");
    }
    ok = ok && hdf5_save(file, aside, path, error);
    if (file >= 0) {
        H5Fclose(file);
    }
    return io_in_place(aside, path, ok, error);
}

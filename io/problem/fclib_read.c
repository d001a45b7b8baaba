/* Problems in FCLIB's layout of HDF5. Numbers that stand alone are arrays of one int; a matrix is a
 * group with its size m x n and
 *     nz >= 0: that many entries x at row i, column p;
 *     nz = -1: compressed columns, p has n + 1 places;     nz = -2: compressed rows, p has m + 1.
 */
#include "io/hdf5_tools.h"
#include "io/problem/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { BEST_PACKING = 1100 }; /* of zlib */

typedef struct Source {
    const char *path;
    hid_t file;
    char root[32]; /* "/fclib_local" */
    double bytes;  /* of the file */
    IoError *error;
} Source;

static bool bad(const Source *s, const char *item, const char *what) {
    return io_error(s->error, IO_BAD_FILE, "%s: %s/%s: %s", s->path, s->root, item, what);
}

static bool has(const Source *s, const char *item) {
    char name[128], *slash = name;
    snprintf(name, sizeof name, "%s/%s", s->root, item);
    /* HDF5 requires every link on the path to exist */
    while ((slash = strchr(slash + 1, '/')) != NULL) {
        *slash = '\0';
        if (H5Lexists(s->file, name, H5P_DEFAULT) <= 0) {
            return false;
        }
        *slash = '/';
    }
    return H5Lexists(s->file, name, H5P_DEFAULT) > 0;
}

/* An array of one dimension with at least `least` items, whose number goes to *count. Even
 * compressed, a file cannot hold many more numbers than bytes: larger sizes are refused. NULL on
 * error. */
static void *read_array(const Source *s, const char *item, hid_t type, size_t size, size_t least,
                        size_t *count) {
    char name[128];
    hsize_t length = 0;
    void *into = NULL;
    snprintf(name, sizeof name, "%s/%s", s->root, item);
    hid_t data = has(s, item) ? H5Dopen2(s->file, name, H5P_DEFAULT) : H5I_INVALID_HID;
    hid_t space = data >= 0 ? H5Dget_space(data) : H5I_INVALID_HID;
    hid_t found = data >= 0 ? H5Dget_type(data) : H5I_INVALID_HID;
    H5T_class_t kind = found >= 0 ? H5Tget_class(found) : H5T_NO_CLASS;
    bool wanted = kind == H5T_INTEGER || (kind == H5T_FLOAT && type != H5T_NATIVE_INT32);
    if (data < 0) {
        bad(s, item, "is missing");
    } else if (space < 0 || !wanted || !hdf5_stored_here(data) ||
               H5Sget_simple_extent_ndims(space) != 1 ||
               H5Sget_simple_extent_dims(space, &length, NULL) < 0) {
        bad(s, item, "is not a list of numbers");
    } else if (length < least || (double)length * (double)size > BEST_PACKING * (s->bytes + 4096)) {
        bad(s, item, length < least ? "is too short" : "is longer than the file can hold");
    } else if ((into = calloc((size_t)length + 1, size)) == NULL) {
        io_no_memory(s->error, s->path);
    } else if (H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, into) < 0) {
        hdf5_error(s->error, IO_BAD_FILE, s->path, name);
        free(into);
        into = NULL;
    }
    *count = (size_t)length;
    H5Tclose(found);
    H5Sclose(space);
    H5Dclose(data);
    return into;
}

static bool read_integer(const Source *s, const char *item, int32_t *value) {
    size_t count = 0;
    int32_t *list = read_array(s, item, H5T_NATIVE_INT32, sizeof *list, 1, &count);
    *value = list != NULL ? list[0] : 0;
    free(list);
    return list != NULL;
}

static double *read_vector(const Source *s, const char *item, size_t wanted) {
    size_t count = 0;
    double *x = read_array(s, item, H5T_NATIVE_DOUBLE, sizeof *x, wanted, &count);
    for (size_t i = 0; x != NULL && i < count; i++) {
        if (count != wanted || !isfinite(x[i])) {
            bad(s, item,
                count != wanted ? "has the wrong length" : "has a number that is not finite");
            free(x);
            return NULL;
        }
    }
    return x;
}

/* ---------------------------------------------------------------- matrices */

/* The lists of a matrix as they stand in the file. */
typedef struct Lists {
    int32_t nz, *p, *i;
    double *x;
    size_t entries;
} Lists;

static bool add(const Source *s, const char *name, PartMatrix *m, int32_t row, int32_t column,
                double value) {
    if (row < 0 || row >= m->rows || column < 0 || column >= m->columns) {
        return bad(s, name, "has an index outside the matrix");
    }
    if (!isfinite(value)) {
        return bad(s, name, "has an entry that is not finite");
    }
    return parts_add(m, row, column, value) || io_no_memory(s->error, s->path);
}

static bool add_compressed(const Source *s, const char *name, PartMatrix *m, const Lists *l) {
    int64_t lines = l->nz == -1 ? m->columns : m->rows;
    for (int64_t k = 0; k < lines; k++) {
        if (l->p[k] < 0 || l->p[k + 1] < l->p[k] || (size_t)l->p[k + 1] > l->entries) {
            return bad(s, name, "has pointers p that do not increase within its entries");
        }
        for (int32_t e = l->p[k]; e < l->p[k + 1]; e++) {
            int32_t line = (int32_t)k;
            if (!add(s, name, m, l->nz == -1 ? l->i[e] : line, l->nz == -1 ? line : l->i[e],
                     l->x[e])) {
                return false;
            }
        }
    }
    return true;
}

static bool add_triplets(const Source *s, const char *name, PartMatrix *m, const Lists *l) {
    for (int32_t e = 0; e < l->nz; e++) {
        if (!add(s, name, m, l->i[e], l->p[e], l->x[e])) {
            return false;
        }
    }
    return true;
}

static bool read_lists(const Source *s, const char *name, const PartMatrix *m, Lists *l) {
    char item[64];
    size_t places = 0, indices = 0;
    size_t least = l->nz >= 0 ? (size_t)l->nz : 0;
    int64_t pointers = l->nz == -1 ? m->columns + 1 : m->rows + 1;
    snprintf(item, sizeof item, "%s/p", name);
    l->p = read_array(s, item, H5T_NATIVE_INT32, sizeof *l->p,
                      l->nz >= 0 ? least : (size_t)pointers, &places);
    snprintf(item, sizeof item, "%s/i", name);
    l->i =
        l->p != NULL ? read_array(s, item, H5T_NATIVE_INT32, sizeof *l->i, least, &indices) : NULL;
    snprintf(item, sizeof item, "%s/x", name);
    l->x = l->i != NULL ? read_array(s, item, H5T_NATIVE_DOUBLE, sizeof *l->x, least, &l->entries)
                        : NULL;
    l->entries = indices < l->entries ? indices : l->entries;
    return l->x != NULL;
}

static bool read_matrix(const Source *s, const char *name, PartMatrix *m) {
    char item[64];
    int32_t rows = 0, columns = 0;
    Lists lists = {0};
    snprintf(item, sizeof item, "%s/m", name);
    bool ok = read_integer(s, item, &rows);
    snprintf(item, sizeof item, "%s/n", name);
    ok = ok && read_integer(s, item, &columns);
    snprintf(item, sizeof item, "%s/nz", name);
    ok = ok && read_integer(s, item, &lists.nz);
    if (!ok) {
        return false;
    }
    if (rows < 0 || columns < 0 || lists.nz < -2) {
        return bad(s, name, "has a size or a storage (nz) that does not exist");
    }
    m->rows = rows;
    m->columns = columns;
    ok = read_lists(s, name, m, &lists) &&
         (lists.nz >= 0 ? add_triplets(s, name, m, &lists) : add_compressed(s, name, m, &lists));
    free(lists.p);
    free(lists.i);
    free(lists.x);
    return ok;
}

/* ---------------------------------------------------------------- the problem */

/* Equations between bodies (joints) besides the contacts are another kind of problem. */
static bool refuse_joints(const Source *s, const char *name) {
    return !has(s, name) || bad(s, name,
                                "this file has bilateral constraints, which Scree does not "
                                "support");
}

static bool read_forms(const Source *s, ProblemParts *p) {
    PartMatrix *by_contact = p->global ? &p->H : &p->W;
    bool ok =
        p->global
            ? read_matrix(s, "M", &p->M) && read_matrix(s, "H", &p->H) && refuse_joints(s, "G")
            : read_matrix(s, "W", &p->W) && refuse_joints(s, "V") && refuse_joints(s, "R");
    if (!ok) {
        return false;
    }
    if (by_contact->columns % p->components != 0 ||
        (p->global ? p->M.rows != p->M.columns || p->H.rows != p->M.rows
                   : p->W.rows != p->W.columns)) {
        return bad(s, p->global ? "H" : "W", "the sizes of the matrices do not match");
    }
    size_t m = (size_t)by_contact->columns;
    p->contacts = m / (size_t)p->components;
    if (p->global) {
        p->f = read_vector(s, "vectors/f", (size_t)p->M.rows);
        p->w = p->f != NULL ? read_vector(s, "vectors/w", m) : NULL;
    } else {
        p->q = read_vector(s, "vectors/q", m);
    }
    return p->w != NULL || p->q != NULL;
}

static bool read_problem(Source *s, ProblemParts *p) {
    static const struct {
        const char *name;
        bool global, rolling;
    } kinds[] = {{"/fclib_local", false, false},
                 {"/fclib_global", true, false},
                 {"/fclib_global_rolling", true, true}};
    int32_t dimension = 0;
    bool rolling = false;
    for (size_t i = 0; i < 3 && s->root[0] == '\0'; i++) {
        if (H5Lexists(s->file, kinds[i].name, H5P_DEFAULT) > 0) {
            snprintf(s->root, sizeof s->root, "%s", kinds[i].name);
            p->global = kinds[i].global;
            rolling = kinds[i].rolling;
        }
    }
    if (s->root[0] == '\0') {
        return io_error(s->error, IO_BAD_FILE,
                        "%s: is an HDF5 file, but holds none of fclib_local, fclib_global and "
                        "fclib_global_rolling",
                        s->path);
    }
    if (!read_integer(s, "spacedim", &dimension)) {
        return false;
    }
    if (rolling ? dimension != 5 : dimension != 2 && dimension != 3 && dimension != 5) {
        return bad(s, "spacedim", rolling ? "must be 5" : "must be 2, 3 or 5");
    }
    p->components = dimension;
    if (!read_forms(s, p) || (p->mu = read_vector(s, "vectors/mu", p->contacts)) == NULL) {
        return false;
    }
    p->mu_r = dimension == 5 ? read_vector(s, "vectors/mu_r", p->contacts) : NULL;
    return dimension != 5 || p->mu_r != NULL;
}

ScreeProblem *problem_read_fclib(const char *path, IoError *error) {
    Source source = {.path = path, .error = error};
    ProblemParts parts = {.path = path};
    ScreeProblem *problem = NULL;
    struct stat about;
    hdf5_quiet();
    source.bytes = stat(path, &about) == 0 ? (double)about.st_size : 0;
    hid_t access = hdf5_access();
    source.file = H5Fopen(path, H5F_ACC_RDONLY, access);
    if (source.file < 0) {
        hdf5_error(error, IO_BAD_FILE, path, "cannot be opened as HDF5");
    } else if (read_problem(&source, &parts)) {
        problem = parts_finish(&parts, error);
    }
    parts_free(&parts);
    H5Fclose(source.file);
    H5Pclose(access);
    return problem;
}

/* Files of contact problems: both formats, every storage, and what is wrong with bad ones. */
#include "io/problem/file.h"
#include "io/problem/parts.h"
#include "check.h"

#include <hdf5.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/scree-problems-XXXXXX";

static const char *path_of(const char *name) {
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static ScreeProblem *parse(const char *text, IoError *error) {
    *error = (IoError){0};
    return problem_parse("p.dat", text, strlen(text), error);
}

/* ---------------------------------------------------------------- comparing */

static bool same_numbers(const double *a, const double *b, size_t count) {
    return (a == NULL) == (b == NULL) && (a == NULL || memcmp(a, b, count * sizeof *a) == 0);
}

static bool same_matrix(const ScreeMatrix *a, const ScreeMatrix *b) {
    if (a->rows != b->rows || a->columns != b->columns) {
        return false;
    }
    size_t columns = (size_t)a->columns, entries = a->start != NULL ? (size_t)a->start[columns] : 0;
    return a->start == NULL || (memcmp(a->start, b->start, (columns + 1) * sizeof *a->start) == 0 &&
                                memcmp(a->row, b->row, entries * sizeof *a->row) == 0 &&
                                same_numbers(a->value, b->value, entries));
}

static bool same_problem(const ScreeProblem *one, const ScreeProblem *other) {
    ScreeProblemView a = scree_problem_get_view(one), b = scree_problem_get_view(other);
    size_t m = (size_t)a.components * a.contacts;
    return a.components == b.components && a.contacts == b.contacts && a.global == b.global &&
           a.freedoms == b.freedoms && same_matrix(&a.M, &b.M) && same_matrix(&a.H, &b.H) &&
           same_matrix(&a.W, &b.W) && same_numbers(a.f, b.f, a.freedoms) &&
           same_numbers(a.w, b.w, m) && same_numbers(a.q, b.q, m) &&
           same_numbers(a.mu, b.mu, a.contacts) && same_numbers(a.mu_r, b.mu_r, a.contacts);
}

/* ---------------------------------------------------------------- samples */

/* Two contacts in the plane on one body of three degrees of freedom, in each form. The numbers are
 * not short binary fractions, so that lost digits would show. */
static const ScreeEntry mass[] = {{0, 0, 2.1}, {1, 1, 2.1}, {2, 2, 0.3}, {1, 0, 0.1}, {0, 1, 0.1}};
static const ScreeEntry h[] = {{1, 0, 1}, {0, 1, 1}, {2, 1, 0.7}, {2, 0, -0.3},
                               {1, 2, 1}, {0, 3, 1}, {2, 3, 0.7}, {2, 2, 0.3}};
static const double f[] = {0.1, -0.2, 1.0 / 3}, w[] = {0.01, 0.02, 0.03, -0.04};
static const double mu[] = {0.3, 0.6};

static ScreeProblem *make_global(void) {
    ScreeProblemDef def = scree_problem_def_default();
    ScreeProblem *problem = NULL;
    def.components = 2;
    def.contacts = 2;
    def.global = true;
    def.freedoms = 3;
    def.M = (ScreeEntries){mass, 5};
    def.H = (ScreeEntries){h, 8};
    def.f = f;
    def.w = w;
    def.mu = mu;
    CHECK(scree_problem_create(&def, &problem, NULL) == SCREE_OK);
    return problem;
}

/* One contact with rolling, local form: W is diagonal but for one pair. */
static ScreeProblem *make_rolling(void) {
    static const ScreeEntry entry[] = {{0, 0, 1},   {1, 1, 3.5}, {2, 2, 3.5}, {3, 3, 2.5},
                                       {4, 4, 2.5}, {4, 1, 0.7}, {1, 4, 0.7}};
    static const double q[] = {-1, 0.2, 0.1, 0, 1.0 / 7}, one = 0.3, other = 0.01;
    ScreeProblemDef def = scree_problem_def_default();
    ScreeProblem *problem = NULL;
    def.components = 5;
    def.contacts = 1;
    def.W = (ScreeEntries){entry, 7};
    def.q = q;
    def.mu = &one;
    def.mu_r = &other;
    CHECK(scree_problem_create(&def, &problem, NULL) == SCREE_OK);
    return problem;
}

/* ---------------------------------------------------------------- FCLIB */

static void problems_are_read_back(void) {
    ScreeProblem *made[] = {make_global(), make_rolling()};
    for (size_t i = 0; i < 2; i++) {
        IoError error = {0};
        const double r[5] = {1, 2, 3, 4, 5};
        ProblemExtra extra = {.title = "a title", .r = r, .u = r, .v = r};
        for (int with = 0; with < 2; with++) {
            CHECK(problem_write(path_of("p.hdf5"), made[i], with ? &extra : NULL, &error));
            ScreeProblem *back = problem_read(path_of("p.hdf5"), &error);
            CHECK(back != NULL);
            CHECK(back != NULL && same_problem(made[i], back));
            scree_problem_destroy(back);
        }
        scree_problem_destroy(made[i]);
    }
    CHECK(access(path_of("p.hdf5.part"), F_OK) != 0);
}

static void write_list(hid_t group, const char *name, hid_t type, hsize_t count, const void *data) {
    hid_t space = H5Screate_simple(1, &count, NULL);
    hid_t into = H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    CHECK(H5Dwrite(into, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    H5Dclose(into);
    H5Sclose(space);
}

static void write_number(hid_t group, const char *name, int value) {
    write_list(group, name, H5T_NATIVE_INT, 1, &value);
}

/* W = ((2, 0.5), (0.5, 3)) in the storage nz = 5 (entries, the last two at the same place), -1 or
 * -2. */
static void write_storage(const char *path, int nz, const int *p, hsize_t pointers, const int *i,
                          hsize_t entries, const double *x, int dimension) {
    const double q[2] = {-1, 0.5}, friction = 0.4;
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t root = H5Gcreate2(file, "fclib_local", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t matrix = H5Gcreate2(root, "W", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t vectors = H5Gcreate2(root, "vectors", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    write_number(root, "spacedim", dimension);
    write_number(matrix, "nzmax", 9);
    write_number(matrix, "m", 2);
    write_number(matrix, "n", 2);
    write_number(matrix, "nz", nz);
    write_list(matrix, "p", H5T_NATIVE_INT, pointers, p);
    write_list(matrix, "i", H5T_NATIVE_INT, entries, i);
    write_list(matrix, "x", H5T_NATIVE_DOUBLE, entries, x);
    write_list(vectors, "q", H5T_NATIVE_DOUBLE, 2, q);
    write_list(vectors, "mu", H5T_NATIVE_DOUBLE, 1, &friction);
    H5Gclose(vectors);
    H5Gclose(matrix);
    H5Gclose(root);
    H5Fclose(file);
}

static void every_fclib_storage_is_read(void) {
    static const int columns[] = {0, 2, 4}, index[] = {0, 1, 0, 1};
    static const int row[] = {1, 0, 0, 1, 0}, column[] = {1, 1, 0, 0, 1};
    static const double by_columns[] = {2, 0.25, 0.5, 3}, by_rows[] = {2, 0.5, 0.25, 3},
                        entries[] = {3, 0.375, 2, 0.25, 0.125};
    ScreeProblem *read[3];
    IoError error = {0};
    write_storage(path_of("w.hdf5"), -1, columns, 3, index, 4, by_columns, 2);
    read[0] = problem_read(path_of("w.hdf5"), &error);
    write_storage(path_of("w.hdf5"), -2, columns, 3, index, 4, by_rows, 2);
    read[1] = problem_read(path_of("w.hdf5"), &error);
    write_storage(path_of("w.hdf5"), 5, column, 5, row, 5, entries, 2);
    read[2] = problem_read(path_of("w.hdf5"), &error);
    for (int i = 0; i < 3; i++) {
        CHECK(read[i] != NULL);
        CHECK(read[0] != NULL && read[i] != NULL && same_problem(read[0], read[i]));
    }
    for (int i = 0; i < 3; i++) {
        scree_problem_destroy(read[i]);
    }
}

/* Each of these must be refused with these words. */
static void refused(const char *words) {
    IoError error = {0};
    ScreeProblem *problem = problem_read(path_of("w.hdf5"), &error);
    CHECK(problem == NULL);
    CHECK(error.kind == IO_BAD_FILE);
    CHECK(strstr(error.text, words) != NULL);
    if (strstr(error.text, words) == NULL) {
        fprintf(stderr, "    '%s' instead of '%s'\n", error.text, words);
    }
    scree_problem_destroy(problem);
}

static void bad_fclib_files_are_refused(void) {
    static const int columns[] = {0, 2, 4}, beyond[] = {0, 2, 5}, back[] = {3, 2, 4};
    static const int index[] = {0, 1, 0, 1}, outside[] = {0, 2, 0, 1};
    static const double x[] = {2, 0.25, 0.5, 3}, huge[] = {2, INFINITY, 0.5, 3};
    static const struct {
        int storage;
        const int *pointers;
        size_t pointer_count;
        const int *index;
        const double *x;
        int dimension;
        const char *words;
    } wrong[] = {
        {-1, columns, 3, index, x, 4, "/fclib_local/spacedim: must be 2, 3 or 5"},
        {-1, columns, 3, index, x, 3, "the sizes of the matrices do not match"},
        {-1, beyond, 3, index, x, 2, "/fclib_local/W: has pointers p that do not increase"},
        {-1, back, 3, index, x, 2, "/fclib_local/W: has pointers p that do not increase"},
        {-1, columns, 2, index, x, 2, "/fclib_local/W/p: is too short"},
        {-1, columns, 3, outside, x, 2, "/fclib_local/W: has an index outside"},
        {-1, columns, 3, index, huge, 2, "/fclib_local/W: has an entry that is not finite"},
        {-3, columns, 3, index, x, 2, "/fclib_local/W: has a size or a storage"},
        {9, columns, 3, index, x, 2, "/fclib_local/W/p: is too short"},
    };
    const char *path = path_of("w.hdf5");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        write_storage(path, wrong[i].storage, wrong[i].pointers, wrong[i].pointer_count,
                      wrong[i].index, 4, wrong[i].x, wrong[i].dimension);
        refused(wrong[i].words);
    }
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    refused("holds none of fclib_local");
}

/* A sound file without one of its parts, or with another list in its place. */
static void without(const char *part, hsize_t count, const double *instead, const char *words) {
    static const int columns[] = {0, 2, 4}, index[] = {0, 1, 0, 1};
    static const double x[] = {2, 0.25, 0.5, 3};
    write_storage(path_of("w.hdf5"), -1, columns, 3, index, 4, x, 2);
    hid_t file = H5Fopen(path_of("w.hdf5"), H5F_ACC_RDWR, H5P_DEFAULT);
    if (H5Lexists(file, part, H5P_DEFAULT) > 0) {
        CHECK(H5Ldelete(file, part, H5P_DEFAULT) >= 0);
    }
    if (instead != NULL) {
        write_list(file, part, H5T_NATIVE_DOUBLE, count, instead);
    }
    H5Fclose(file);
    refused(words);
}

static void fclib_files_with_other_parts_are_refused(void) {
    static const double list[] = {1, 2, 3}, broken[] = {1, NAN};
    without("fclib_local/spacedim", 0, NULL, "/fclib_local/spacedim: is missing");
    without("fclib_local/spacedim", 1, list, "/fclib_local/spacedim: is not a list of numbers");
    without("fclib_local/W", 0, NULL, "/fclib_local/W/m: is missing");
    without("fclib_local/W/nz", 0, NULL, "/fclib_local/W/nz: is missing");
    without("fclib_local/W/i", 0, NULL, "/fclib_local/W/i: is missing");
    without("fclib_local/W/p", 3, list, "/fclib_local/W/p: is not a list of numbers");
    without("fclib_local/vectors/q", 1, list, "/fclib_local/vectors/q: is too short");
    without("fclib_local/vectors/q", 3, list, "/fclib_local/vectors/q: has the wrong length");
    without("fclib_local/vectors/q", 2, broken, "vectors/q: has a number that is not finite");
    without("fclib_local/vectors/mu", 0, NULL, "/fclib_local/vectors/mu: is missing");
    without("fclib_local/V", 1, list, "/fclib_local/V: this file has bilateral constraints");
}

/* ---------------------------------------------------------------- Siconos */

/* The same W = ((1, 0.5), (0.375, 2)) in three storages; dense goes by columns. */
static void every_siconos_storage_is_read(void) {
    static const char *const texts[] = {
        "2\n1\n0\n2\n2\n2\t2\n1 0.375\n0.5 2\n-1 0.5\n0.4\n",
        "2\n1\n0\n2\n2\n2\t2\n1 0.375\n0.5 2\n-1 0.5\n0.4\n1\n",
        "2 1 1 2 2 1 1 1 2 2 2 1 0 1 0 0 1 0.375 0.5 2 -1 0.5 0.4",
        "2\n1\n1\n2\n2\n4\n2\n2\n1\t2\n1\t2\n3\n4\n0 2 4\n0 1 0 "
        "1\n0\n1\n1\n0.5\n2\n0.375\n3\n2\n-1 "
        "0.5\n"
        "0.4\n",
        "2\n1\n2\n2\n2\n2\nCSparse Version 3.1.9, May 4, 2016.  Copyright\n2-by-2, nzmax: 4 nnz: "
        "4, "
        "1-norm: 2.5\n    col 0 : locations 0 to 1\n      0 : 1\n      1 : 0.375\n    col 1 : "
        "locations 2 to 3\n      0 : 0.5\n      1 : 2\n-1 0.5\n0.4\n",
        "2\n1\n2\n2\n2\n1\nCSparse Version 3.1.9\ntriplet: 2-by-2, nzmax: 8 nnz: 5\n    1 1 : 2\n  "
        "  "
        "0 1 : 0.25\n    0 0 : 1\n 0 1 : 0.25\n 1 0 : 0.375\n-1 0.5\n0.4\n"};
    IoError error;
    ScreeProblem *first = parse(texts[0], &error);
    CHECK(first != NULL);
    ScreeProblemView v = scree_problem_get_view(first);
    CHECK(!v.global && v.contacts == 1 && v.components == 2);
    CHECK(v.W.start[2] == 4 && v.W.value[0] == 1 && v.W.value[1] == 0.375 && v.W.value[2] == 0.5);
    CHECK(v.q[0] == -1 && v.q[1] == 0.5 && v.mu[0] == 0.4);
    for (size_t i = 1; i < sizeof texts / sizeof *texts; i++) {
        ScreeProblem *other = parse(texts[i], &error);
        CHECK(other != NULL);
        CHECK(other != NULL && same_problem(first, other));
        scree_problem_destroy(other);
    }
    scree_problem_destroy(first);
}

/* M has the size that W would have: only what follows distinguishes the forms. */
static void local_and_global_forms_are_told_apart(void) {
    IoError error;
    ScreeProblem *local = parse("2 1 0 2 2 2 2 1 0 0 1  -1 0  0.5", &error);
    ScreeProblem *global =
        parse("2 1 0 2 2 2 2 1 0 0 1  0 2 2 2 2 1 0 0 1  -1 0  3 0  0.5", &error);
    CHECK(local != NULL && !scree_problem_get_view(local).global);
    CHECK(global != NULL && scree_problem_get_view(global).global);
    CHECK(global != NULL && scree_problem_get_view(global).f[0] == -1);
    CHECK(global != NULL && scree_problem_get_view(global).w[0] == 3);
    scree_problem_destroy(local);
    scree_problem_destroy(global);
    local = parse("5 1 1 5 5 0 1 1 5 5 2 0 0 0 -1 0 0 0 0 0.5 0.1", &error);
    CHECK(local != NULL && scree_problem_get_view(local).mu_r[0] == 0.1);
    scree_problem_destroy(local);
}

static void bad_siconos_files_are_refused(void) {
    static const struct {
        const char *text, *words;
    } bad[] = {
        {"", "p.dat:1: the file ends where the number of components of a contact should be"},
        {"4\n1\n", "p.dat:2: a contact has 2, 3 or 5 components"},
        {"7", "p.dat:1: the number of components of a contact is 7"},
        {"3\nmany", "p.dat:2: the number of contacts should be here, not 'many'"},
        {"3\n1.5", "p.dat:2: the number of contacts should be here, not '1.5'"},
        {"3 1\n3 3 3", "p.dat:2: the storage of the matrix W or M is 3"},
        {"2 1 0 2 2\n2 3", "p.dat:2: the number of columns is 3"},
        {"2 1 0 2 2 2 2\n1 0 x 1 -1 0 0.5",
         "p.dat:2: an entry of the matrix should be here, not 'x'"},
        {"2 1 0 2 2 2 2\n1 0 inf 1 -1 0 0.5", "p.dat:2: an entry of the matrix is not a finite"},
        {"2 1 0 2 2 2 2 1 0 0 1 -1 0\n", "p.dat:2: the file ends where mu should be"},
        {"2 1 0 2 2 2 2 1 0 0 1 -1 0 -0.5", "mu must be finite and not negative"},
        {"2 1 0 2 2 2 2 1 0 5 1 -1 0 0.5", "W is unsymmetric by more than a tenth"},
        {"2 1 1 2 2 1 1 1 2 3", "p.dat:1: "},
        {"2 1 1 2 2 1 1 1 2 2 2 1 0 2 0 0 1 0 0 1", "block row pointers must increase"},
        {"2 1 1 2 2 1 1 1 2 2 2 1 0 1 1 0 1 0 0 1", "lies in a column that does not exist"},
        {"2 1 1 2 2 1 1 1 2 2 2 1 0 1 0 4 1 0 0 1", "the number of the next block is 4"},
        {"2 1 2 2 2 1\nnonsense", "p.dat:2: 'CSparse' should be here, not 'nonsense'"},
        {"2 1 2 2 2 1\nCSparse\ntriplet: 2-by-2, nzmax: 1 nnz: 1\n2 0 : 1",
         "p.dat:4: row 2, column 0"},
        {"2 1 2 2 2 2\nCSparse\n2-by-2, nzmax: 1 nnz: 1\ncol 1 : locations 0 to 0\n",
         "p.dat:4: the number of the column is 1"},
        {"2 1 2 2 2 2\nCSparse\n2-by-2, nzmax: 1 nnz: 9\ncol 0 : locations 0 to -1\ncol 1 : "
         "locations "
         "0 to -1\n",
         "the matrix has 0 entries, and should have 9"},
        {"2 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1\n0 3 3 3 3 1 0 0 0 1 0 0 0 1",
         "H is 3 x 3, and must be 3 x 2"},
        {"2 1 0 2 2 2 2 1 0 0 1\n-1 0 0.5 1 2", "p.dat:2: 5 words follow the first matrix: the "
                                                "local form has 3 (q, mu), the global form a "
                                                "matrix H of 2 x 2 here"},
        {"2 9000000 0 0 0 0 0\n", "p.dat:2: "},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        IoError error;
        ScreeProblem *problem = parse(bad[i].text, &error);
        CHECK(problem == NULL);
        CHECK(error.kind == IO_BAD_FILE);
        CHECK(strstr(error.text, bad[i].words) != NULL);
        if (strstr(error.text, bad[i].words) == NULL) {
            fprintf(stderr, "    '%s' instead of '%s'\n", error.text, bad[i].words);
        }
        scree_problem_destroy(problem);
    }
}

/* A file cut anywhere is refused, or holds the whole problem. */
static void cut_files_are_refused_or_whole(void) {
    static const char text[] = "2\n1\n2\n2\n2\n1\nCSparse Version 3.1.9\ntriplet: 2-by-2, nzmax: 8 "
                               "nnz: 3\n    1 1 : 2\n    0 0 : 1\n 0 1 : 0.25\n-1 0.5\n0.4\n";
    char part[sizeof text];
    for (size_t length = 0; length + 4 < sizeof text; length++) { /* without "0.4" */
        IoError error = {0};
        memcpy(part, text, length);
        part[length] = '\0';
        ScreeProblem *problem = problem_parse("p.dat", part, length, &error);
        CHECK(problem == NULL && error.kind == IO_BAD_FILE && error.text[0] != '\0');
        scree_problem_destroy(problem);
    }
}

static void missing_files_are_told(void) {
    IoError error = {0};
    CHECK(problem_read(path_of("none.dat"), &error) == NULL);
    CHECK(error.kind == IO_FAILED && strstr(error.text, "cannot be opened") != NULL);
}

/* Reads a list of the solution in the file by its name; returns how many numbers it has, 0 when it
 * is missing. */
static size_t read_solution(const char *name, double *x, size_t room) {
    hid_t file = H5Fopen(path_of("p.hdf5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    hssize_t count = 0;
    if (H5Lexists(file, "solution", H5P_DEFAULT) > 0) {
        hid_t group = H5Gopen2(file, "solution", H5P_DEFAULT);
        if (H5Lexists(group, name, H5P_DEFAULT) > 0) {
            hid_t set = H5Dopen2(group, name, H5P_DEFAULT), space = H5Dget_space(set);
            count = H5Sget_simple_extent_npoints(space);
            bool fits = count >= 0 && (size_t)count <= room;
            CHECK(fits && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0);
            H5Sclose(space);
            H5Dclose(set);
        }
        H5Gclose(group);
    }
    H5Fclose(file);
    return (size_t)count;
}

/* Through the public header: the file has M v = H r + f and u = H^T v + w for the given impulses
 * r. */
static void public_functions_write_and_read_solutions(void) {
    char message[SCREE_FILE_MESSAGE_SIZE] = "";
    const double r[4] = {1, 0.2, 0.5, -0.1};
    double u[4], v[3], found[4];
    ScreeProblem *made = make_global(), *back = NULL;
    CHECK(scree_problem_save(made, path_of("p.hdf5"), r, message) == SCREE_OK);
    CHECK(read_solution("r", found, 4) == 4 && memcmp(found, r, sizeof r) == 0);
    CHECK(read_solution("v", v, 3) == 3 && read_solution("u", u, 4) == 4);
    double left[3] = {-f[0], -f[1], -f[2]}, slip[4] = {w[0], w[1], w[2], w[3]};
    for (size_t i = 0; i < sizeof mass / sizeof mass[0]; i++) {
        left[mass[i].row] += mass[i].value * v[mass[i].column];
    }
    for (size_t i = 0; i < sizeof h / sizeof h[0]; i++) {
        left[h[i].row] -= h[i].value * r[h[i].column];
        slip[h[i].column] += h[i].value * v[h[i].row];
    }
    for (int k = 0; k < 4; k++) {
        CHECK_NEAR(k < 3 ? left[k] : 0, 0, 1e-14);
        CHECK_NEAR(u[k], slip[k], 1e-14);
    }
    CHECK(scree_problem_load(path_of("p.hdf5"), &back, message) == SCREE_OK);
    scree_problem_destroy(back);
    CHECK(scree_problem_save(made, path_of("p.hdf5"), NULL, NULL) == SCREE_OK);
    CHECK(read_solution("r", found, 4) == 0);
    CHECK(scree_problem_load(path_of("none.dat"), &back, message) == SCREE_BAD_ARGUMENT);
    CHECK(back == NULL && strstr(message, "none.dat: cannot be opened") != NULL);
    const double endless[4] = {INFINITY, 0, 0, 0};
    CHECK(scree_problem_save(made, path_of("p.hdf5"), endless, message) == SCREE_BAD_ARGUMENT);
    CHECK(strstr(message, "p.hdf5: ") != NULL);
    CHECK(scree_problem_save(made, path_of("no/p.hdf5"), r, message) == SCREE_BAD_ARGUMENT);
    scree_problem_destroy(made);
}

int main(int argc, char **argv) {
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    CHECK_RUN(problems_are_read_back);
    CHECK_RUN(every_fclib_storage_is_read);
    CHECK_RUN(bad_fclib_files_are_refused);
    CHECK_RUN(fclib_files_with_other_parts_are_refused);
    CHECK_RUN(every_siconos_storage_is_read);
    CHECK_RUN(local_and_global_forms_are_told_apart);
    CHECK_RUN(bad_siconos_files_are_refused);
    CHECK_RUN(cut_files_are_refused_or_whole);
    CHECK_RUN(missing_files_are_told);
    CHECK_RUN(public_functions_write_and_read_solutions);
    unlink(path_of("p.hdf5"));
    unlink(path_of("w.hdf5"));
    rmdir(folder);
    return check_result();
}

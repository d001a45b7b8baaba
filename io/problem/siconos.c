/* Problems as Siconos prints them: plain numbers, in the order
 *     components, contacts, matrix W, q, mu                   the local form
 *     components, contacts, matrix M, matrix H, f, w, mu      the global form
 * and mu_r at the end with five components. Older files end with a 0 or a 1 that has no meaning
 * here. The file does not tell which form it has. It is the local one if no more words are left
 * behind the first matrix than that form has. */
#include "io/problem/parts.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Scanner {
    const char *path, *at, *end;
    long line;
    IoError *error;
} Scanner;

__attribute__((format(printf, 2, 3))) static bool fault(const Scanner *s, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return io_error(s->error, IO_BAD_FILE, "%s:%ld: %s", s->path, s->line, text);
}

/* ---------------------------------------------------------------- words */

static void skip_space(Scanner *s) {
    while (s->at < s->end && isspace((unsigned char)*s->at)) {
        s->line += *s->at++ == '\n';
    }
}

/* Reports what stands where something else was wanted. */
static bool unexpected(Scanner *s, const char *wanted) {
    int length = 0;
    skip_space(s);
    if (s->at >= s->end) {
        return fault(s, "the file ends where %s should be", wanted);
    }
    while (s->at + length < s->end && length < 24 && isgraph((unsigned char)s->at[length])) {
        length++;
    }
    return fault(s, "%s should be here, not '%.*s'", wanted, length, s->at);
}

static bool read_integer(Scanner *s, const char *what, long least, long most, long *value) {
    char *after = NULL;
    skip_space(s);
    *value = s->at < s->end ? strtol(s->at, &after, 10) : 0;
    if (after == NULL || after == s->at || *after == '.' || *after == 'e' || *after == 'E') {
        return unexpected(s, what);
    }
    if (*value < least || *value > most) {
        return fault(s, "%s is %ld, and must be between %ld and %ld", what, *value, least, most);
    }
    s->at = after;
    return true;
}

static bool read_real(Scanner *s, const char *what, double *value) {
    char *after = NULL;
    skip_space(s);
    *value = s->at < s->end ? strtod(s->at, &after) : 0;
    if (after == NULL || after == s->at) {
        return unexpected(s, what);
    }
    if (!isfinite(*value)) {
        return fault(s, "%s is not a finite number", what);
    }
    s->at = after;
    return true;
}

static bool read_word(Scanner *s, const char *word) {
    size_t length = strlen(word);
    skip_space(s);
    if ((size_t)(s->end - s->at) < length || memcmp(s->at, word, length) != 0) {
        char wanted[64];
        snprintf(wanted, sizeof wanted, "'%s'", word);
        return unexpected(s, wanted);
    }
    s->at += length;
    return true;
}

static void skip_line(Scanner *s) {
    while (s->at < s->end && *s->at != '\n') {
        s->at++;
    }
}

/* Number of words left, counted up to `most`. */
static size_t words_left(const Scanner *s, size_t most) {
    size_t count = 0;
    bool inside = false;
    for (const char *at = s->at; at < s->end && count <= most; at++) {
        bool space = isspace((unsigned char)*at);
        count += !space && !inside;
        inside = !space;
    }
    return count;
}

/* Reads `count` numbers; the file must be long enough for them before memory is allocated. */
static double *read_vector(Scanner *s, const char *what, size_t count) {
    if (count > (size_t)(s->end - s->at)) {
        fault(s, "the file is too short for the %zu numbers of %s", count, what);
        return NULL;
    }
    double *x = malloc((count > 0 ? count : 1) * sizeof *x);
    if (x == NULL) {
        io_no_memory(s->error, s->path);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        if (!read_real(s, what, &x[i])) {
            free(x);
            return NULL;
        }
    }
    return x;
}

/* ---------------------------------------------------------------- matrices */

enum { LARGEST = 1 << 27 };

static bool add(Scanner *s, PartMatrix *m, int64_t row, int64_t column, double value) {
    if (row < 0 || row >= m->rows || column < 0 || column >= m->columns) {
        return fault(s, "row %lld, column %lld is outside the matrix of %lld x %lld",
                     (long long)row, (long long)column, (long long)m->rows, (long long)m->columns);
    }
    return parts_add(m, row, column, value) || io_no_memory(s->error, s->path);
}

static bool read_dense(Scanner *s, PartMatrix *m) {
    long rows = 0, columns = 0;
    if (!read_integer(s, "the number of rows", m->rows, m->rows, &rows) ||
        !read_integer(s, "the number of columns", m->columns, m->columns, &columns)) {
        return false;
    }
    for (long k = 0; k < columns; k++) {
        for (long i = 0; i < rows; i++) {
            double value = 0;
            if (!read_real(s, "an entry of the matrix", &value) ||
                (value != 0 && !add(s, m, i, k, value))) {
                return false;
            }
        }
    }
    return true;
}

/* Rows of dense blocks: where their rows and columns end, and in which columns they lie. */
typedef struct BlockTable {
    long blocks, rows, columns, filled;
    double *row_end, *column_end, *first, *block_column; /* whole numbers, as read by read_vector */
} BlockTable;

static void table_free(BlockTable *t) {
    free(t->row_end);
    free(t->column_end);
    free(t->first);
    free(t->block_column);
}

static bool rises_to(const double *x, long count, double end) {
    double before = 0;
    for (long i = 0; i < count; i++) {
        if (!(x[i] >= before) || x[i] != floor(x[i])) {
            return false;
        }
        before = x[i];
    }
    return before == end;
}

static bool read_table(Scanner *s, const PartMatrix *m, BlockTable *t) {
    long indices = 0;
    if (!read_integer(s, "the number of blocks", 0, LARGEST, &t->blocks) ||
        !read_integer(s, "the number of block rows", 0, m->rows, &t->rows) ||
        !read_integer(s, "the number of block columns", 0, m->columns, &t->columns) ||
        (t->row_end = read_vector(s, "the ends of block rows", (size_t)t->rows)) == NULL ||
        (t->column_end = read_vector(s, "the ends of block columns", (size_t)t->columns)) == NULL ||
        !read_integer(s, "the number of block row pointers", 0, t->rows + 1, &t->filled) ||
        !read_integer(s, "the number of block column indices", t->blocks, t->blocks, &indices) ||
        (t->first = read_vector(s, "block row pointers", (size_t)t->filled)) == NULL ||
        (t->block_column = read_vector(s, "block column indices", (size_t)t->blocks)) == NULL) {
        return false;
    }
    if (!rises_to(t->row_end, t->rows, (double)m->rows) ||
        !rises_to(t->column_end, t->columns, (double)m->columns)) {
        return fault(s, "the sizes of the blocks do not add up to the matrix");
    }
    if (!rises_to(t->first, t->filled, (double)t->blocks) || (t->filled > 0 && t->first[0] != 0)) {
        return fault(s, "block row pointers must increase from 0 to the number of blocks");
    }
    return true;
}

static bool read_block(Scanner *s, PartMatrix *m, const BlockTable *t, long row, long block) {
    long number = 0;
    double at = t->block_column[block];
    if (!(at >= 0) || at >= (double)t->columns || at != floor(at)) {
        return fault(s, "block %ld lies in a column that does not exist", block);
    }
    long column = (long)at;
    long top = row > 0 ? (long)t->row_end[row - 1] : 0, bottom = (long)t->row_end[row];
    long left = column > 0 ? (long)t->column_end[column - 1] : 0,
         right = (long)t->column_end[column];
    if (!read_integer(s, "the number of the next block", block, block, &number)) {
        return false;
    }
    for (long k = left; k < right; k++) {
        for (long i = top; i < bottom; i++) {
            double value = 0;
            if (!read_real(s, "an entry of a block", &value) || !add(s, m, i, k, value)) {
                return false;
            }
        }
    }
    return true;
}

static bool read_blocks(Scanner *s, PartMatrix *m) {
    BlockTable table = {0};
    bool ok = read_table(s, m, &table);
    for (long row = 0; ok && row + 1 < table.filled; row++) {
        for (long k = (long)table.first[row]; ok && k < (long)table.first[row + 1]; k++) {
            ok = read_block(s, m, &table, row, k);
        }
    }
    table_free(&table);
    return ok;
}

/* "row column : value" */
static bool read_triplets(Scanner *s, PartMatrix *m, long count) {
    for (long e = 0; e < count; e++) {
        long row = 0, column = 0;
        double value = 0;
        if (!read_integer(s, "a row", 0, LARGEST, &row) ||
            !read_integer(s, "a column", 0, LARGEST, &column) || !read_word(s, ":") ||
            !read_real(s, "an entry of the matrix", &value) || !add(s, m, row, column, value)) {
            return false;
        }
    }
    return true;
}

/* "col k : locations from to to", then "row : value" for each place from `from` to `to`. */
static bool read_columns(Scanner *s, PartMatrix *m, long count) {
    long next = 0;
    for (long k = 0; k < m->columns; k++) {
        long number = 0, from = 0, to = 0;
        if (!read_word(s, "col") || !read_integer(s, "the number of the column", k, k, &number) ||
            !read_word(s, ":") || !read_word(s, "locations") ||
            !read_integer(s, "the first place of the column", next, next, &from) ||
            !read_word(s, "to") ||
            !read_integer(s, "the last place of the column", next - 1, count - 1, &to)) {
            return false;
        }
        for (; next <= to; next++) {
            long row = 0;
            double value = 0;
            if (!read_integer(s, "a row", 0, LARGEST, &row) || !read_word(s, ":") ||
                !read_real(s, "an entry of the matrix", &value) || !add(s, m, row, k, value)) {
                return false;
            }
        }
    }
    return next == count ||
           fault(s, "the matrix has %ld entries, and should have %ld", next, count);
}

/* As CSparse prints: a line about itself, then
 * "[triplet: ]R-by-C, nzmax: A nnz: B[, 1-norm: X]". */
static bool read_csparse(Scanner *s, PartMatrix *m) {
    long origin = 0, rows = 0, columns = 0, room = 0, count = 0;
    if (!read_integer(s, "the storage of the sparse matrix", 0, 3, &origin) ||
        !read_word(s, "CSparse")) {
        return false;
    }
    skip_line(s);
    skip_space(s);
    bool triplets = s->end - s->at > 7 && memcmp(s->at, "triplet", 7) == 0;
    if ((triplets && !read_word(s, "triplet:")) ||
        !read_integer(s, "the number of rows", m->rows, m->rows, &rows) || !read_word(s, "-by-") ||
        !read_integer(s, "the number of columns", m->columns, m->columns, &columns) ||
        !read_word(s, ", nzmax:") || !read_integer(s, "nzmax", 0, LARGEST, &room) ||
        !read_word(s, "nnz:") || !read_integer(s, "nnz", 0, LARGEST, &count)) {
        return false;
    }
    skip_line(s);
    return triplets ? read_triplets(s, m, count) : read_columns(s, m, count);
}

static bool read_matrix(Scanner *s, const char *name, PartMatrix *m) {
    long storage = 0, rows = 0, columns = 0;
    char what[64];
    snprintf(what, sizeof what, "the storage of the matrix %s", name);
    if (!read_integer(s, what, 0, 2, &storage) ||
        !read_integer(s, "the number of rows", 0, LARGEST, &rows) ||
        !read_integer(s, "the number of columns", 0, LARGEST, &columns)) {
        return false;
    }
    m->rows = rows;
    m->columns = columns;
    return storage == 0 ? read_dense(s, m) : storage == 1 ? read_blocks(s, m) : read_csparse(s, m);
}

/* ---------------------------------------------------------------- the problem */

static bool read_rest(Scanner *s, ProblemParts *p) {
    size_t m = (size_t)p->components * p->contacts;
    if (p->global) {
        if (p->M.rows != p->M.columns) {
            return fault(s, "M must be square");
        }
        if (!read_matrix(s, "H", &p->H)) {
            return false;
        }
        if (p->H.rows != p->M.rows || p->H.columns != (int64_t)m) {
            return fault(s, "H is %lld x %lld, and must be %lld x %zu", (long long)p->H.rows,
                         (long long)p->H.columns, (long long)p->M.rows, m);
        }
        p->f = read_vector(s, "f", (size_t)p->M.rows);
        p->w = p->f != NULL ? read_vector(s, "w", m) : NULL;
    } else {
        p->q = read_vector(s, "q", m);
    }
    if (p->w == NULL && p->q == NULL) {
        return false;
    }
    p->mu = read_vector(s, "mu", p->contacts);
    if (p->mu != NULL && p->components == 5) {
        p->mu_r = read_vector(s, "mu_r", p->contacts);
    }
    if (p->mu == NULL || (p->components == 5 && p->mu_r == NULL)) {
        return false;
    }
    skip_space(s);
    s->at += s->at < s->end && (*s->at == '0' || *s->at == '1');
    skip_space(s);
    return s->at >= s->end || fault(s, "the file continues after the end of the problem");
}

/* Whether a matrix of the right size begins here. */
static bool is_matrix_next(const Scanner *s, long rows, long columns) {
    IoError ignored = {0};
    Scanner ahead = *s;
    long storage = 0, found = 0;
    ahead.error = &ignored;
    return read_integer(&ahead, "", 0, 2, &storage) &&
           read_integer(&ahead, "", rows, rows, &found) &&
           read_integer(&ahead, "", columns, columns, &found);
}

/* A matrix of the size of W may be M as well. More words than the local form has must then be H and
 * what comes after it. */
static bool check_words(Scanner *s, const ProblemParts *p, int64_t m, size_t local, size_t left) {
    if (left <= local + 1 || p->W.rows != m || p->W.columns != m ||
        is_matrix_next(s, (long)m, (long)m)) {
        return true;
    }
    skip_space(s);
    return fault(s,
                 "%zu words follow the first matrix: the local form has %zu (q, mu%s), the global "
                 "form a matrix H of %lld x %lld here",
                 words_left(s, SIZE_MAX - 1), local, p->components == 5 ? ", mu_r" : "",
                 (long long)m, (long long)m);
}

static bool read_problem(Scanner *s, ProblemParts *p) {
    long components = 0, contacts = 0;
    if (!read_integer(s, "the number of components of a contact", 2, 5, &components) ||
        !read_integer(s, "the number of contacts", 0, LARGEST / 8, &contacts)) {
        return false;
    }
    if (components == 4) {
        return fault(s, "a contact has 2, 3 or 5 components");
    }
    p->components = (int)components;
    p->contacts = (size_t)contacts;
    if (!read_matrix(s, "W or M", &p->W)) {
        return false;
    }
    int64_t m = components * contacts;
    size_t local = (size_t)m + (size_t)contacts * (components == 5 ? 2 : 1);
    size_t left = words_left(s, local + 1);
    if (!check_words(s, p, m, local, left)) {
        return false;
    }
    p->global = p->W.rows != m || p->W.columns != m || left > local + 1;
    if (p->global) {
        p->M = p->W;
        p->W = (PartMatrix){0};
    }
    return read_rest(s, p);
}

ScreeProblem *problem_parse(const char *path, const char *text, size_t size, IoError *error) {
    Scanner scanner = {path, text, text + size, 1, error};
    ProblemParts parts = {.path = path};
    ScreeProblem *problem = read_problem(&scanner, &parts) ? parts_finish(&parts, error) : NULL;
    parts_free(&parts);
    return problem;
}

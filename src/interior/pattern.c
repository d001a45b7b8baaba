#include "interior/pattern.h"

#include <string.h>

static int32_t slot_of(const Sparse *a, int32_t row, int32_t column) {
    return scr_first_not_below(a->row, a->start[column], a->start[column + 1], row);
}

/* Whether the pattern was made from these matrices. */
static bool seen(const InteriorSystem *s, const Sparse *a, const Sparse *mass) {
    size_t columns = (size_t)a->columns + 1, entries = (size_t)a->start[a->columns];
    if (s->seen_columns != a->columns || (size_t)s->seen_entries != entries ||
        s->matrix.columns == 0 ||
        memcmp(s->seen_start, a->start, columns * sizeof *a->start) != 0 ||
        memcmp(s->seen_row, a->row, entries * sizeof *a->row) != 0) {
        return false;
    }
    if (mass == NULL) {
        return s->seen_mass_entries < 0;
    }
    size_t all = (size_t)mass->columns + 1 + (size_t)mass->start[mass->columns];
    size_t begin = (size_t)mass->columns + 1;
    return (size_t)s->seen_mass_entries == all &&
           memcmp(s->seen_mass, mass->start, begin * sizeof *mass->start) == 0 &&
           memcmp(s->seen_mass + begin, mass->row, (all - begin) * sizeof *mass->row) == 0;
}

static bool remember(InteriorSystem *s, const Sparse *a, const Sparse *mass) {
    size_t columns = (size_t)a->columns + 1, entries = (size_t)a->start[a->columns];
    size_t begin = mass != NULL ? (size_t)mass->columns + 1 : 0;
    size_t all = mass != NULL ? begin + (size_t)mass->start[mass->columns] : 0;
    if (!SCR_RESERVE(s, seen_start, columns) || !SCR_RESERVE(s, seen_row, entries + 1) ||
        !SCR_RESERVE(s, seen_mass, all + 1)) {
        return false;
    }
    memcpy(s->seen_start, a->start, columns * sizeof *a->start);
    memcpy(s->seen_row, a->row, entries * sizeof *a->row);
    if (mass != NULL) {
        memcpy(s->seen_mass, mass->start, begin * sizeof *mass->start);
        memcpy(s->seen_mass + begin, mass->row, (all - begin) * sizeof *mass->row);
    }
    s->seen_columns = a->columns;
    s->seen_entries = (int32_t)entries;
    s->seen_mass_entries = mass != NULL ? (int32_t)all : -1;
    return true;
}

/* The freedoms that a contact touches: its columns of H, merged. Returns how many there are. */
static int32_t contact_touches(const MatrixProblem *p, size_t contact, int32_t *to) {
    size_t first = contact * (size_t)p->block, end = first + (size_t)p->block;
    int32_t at[MATRIX_LARGEST_BLOCK], count = 0;
    for (size_t c = first; c < end; c++) {
        at[c - first] = p->h.start[c];
    }
    for (;;) {
        int32_t next = INT32_MAX;
        for (size_t c = first; c < end; c++) {
            if (at[c - first] < p->h.start[c + 1] && p->h.row[at[c - first]] < next) {
                next = p->h.row[at[c - first]];
            }
        }
        if (next == INT32_MAX) {
            return count;
        }
        to[count++] = next;
        for (size_t c = first; c < end; c++) {
            at[c - first] += at[c - first] < p->h.start[c + 1] && p->h.row[at[c - first]] == next;
        }
    }
}

static bool list_touches(InteriorSystem *s, const MatrixProblem *p) {
    size_t entries = (size_t)p->h.start[p->h.columns];
    if (!SCR_RESERVE(s, touch_start, p->contacts + 1) ||
        !SCR_RESERVE(s, slot_start, p->contacts + 1) || !SCR_RESERVE(s, touch_row, entries + 1)) {
        return false;
    }
    int32_t count = 0;
    size_t products = 0;
    for (size_t c = 0; c < p->contacts; c++) {
        s->touch_start[c] = count;
        s->slot_start[c] = products;
        int32_t here = contact_touches(p, c, s->touch_row + count);
        count += here;
        products += (size_t)here * ((size_t)here + 1) / 2;
    }
    s->touch_start[p->contacts] = count;
    s->slot_start[p->contacts] = products;
    return SCR_RESERVE(s, touch_value, (size_t)count * (size_t)p->block);
}

/* Products of contacts, the lower triangle of M, and the whole diagonal. The pattern is derived
 * from the structure, never from values: at the start Theta happens to be diagonal. */
static bool global_pattern(InteriorSystem *s, const MatrixProblem *p) {
    size_t mass = (size_t)p->mass.start[p->mass.columns], count = 0;
    size_t most = s->slot_start[p->contacts] + mass + s->freedoms;
    if (!scr_block_reserve(&s->entry_block, most, sizeof(SparseEntry), 0) ||
        !SCR_RESERVE(s, slot, s->slot_start[p->contacts]) || !SCR_RESERVE(s, mass_slot, mass + 1)) {
        return false;
    }
    SparseEntry *entry = s->entry_block.data;
    for (size_t c = 0; c < p->contacts; c++) {
        for (int32_t i = s->touch_start[c]; i < s->touch_start[c + 1]; i++) {
            for (int32_t j = s->touch_start[c]; j <= i; j++) {
                entry[count++] = (SparseEntry){s->touch_row[i], s->touch_row[j], 0};
            }
        }
    }
    for (int32_t j = 0; j < p->mass.columns; j++) {
        entry[count++] = (SparseEntry){j, j, 0};
        for (int32_t k = p->mass.start[j]; k < p->mass.start[j + 1]; k++) {
            if (p->mass.row[k] > j) {
                entry[count++] = (SparseEntry){p->mass.row[k], j, 0};
            }
        }
    }
    int32_t n = (int32_t)s->freedoms;
    if (!scr_sparse_gather(&s->matrix, n, n, entry, count)) {
        return false;
    }
    size_t products = s->slot_start[p->contacts];
    for (size_t k = 0; k < products; k++) {
        s->slot[k] = slot_of(&s->matrix, entry[k].row, entry[k].column);
    }
    for (int32_t j = 0; j < p->mass.columns; j++) {
        for (int32_t k = p->mass.start[j]; k < p->mass.start[j + 1]; k++) {
            bool below = p->mass.row[k] >= j;
            s->mass_slot[k] = below ? slot_of(&s->matrix, p->mass.row[k], j) : -1;
        }
    }
    return true;
}

static void global_values(InteriorSystem *s, const MatrixProblem *p) {
    for (size_t c = 0; c < p->contacts; c++) {
        for (int k = 0; k < p->block; k++) {
            size_t column = c * (size_t)p->block + (size_t)k;
            int32_t e = p->h.start[column];
            for (int32_t i = s->touch_start[c]; i < s->touch_start[c + 1]; i++) {
                bool here = e < p->h.start[column + 1] && p->h.row[e] == s->touch_row[i];
                s->touch_value[(size_t)i * (size_t)p->block + (size_t)k] = here ? p->h.value[e] : 0;
                e += here;
            }
        }
    }
}

/* The lower triangle of W with whole blocks on the diagonal. */
static bool local_pattern(InteriorSystem *s, const MatrixProblem *p) {
    const Sparse *w = &p->delassus;
    size_t entries = (size_t)w->start[w->columns], count = 0;
    int d = p->block;
    size_t most = entries + (size_t)(d * d) * p->contacts;
    if (!scr_block_reserve(&s->entry_block, most, sizeof(SparseEntry), 0) ||
        !SCR_RESERVE(s, local_slot, most)) {
        return false;
    }
    SparseEntry *entry = s->entry_block.data;
    for (int32_t j = 0; j < w->columns; j++) {
        for (int32_t k = w->start[j]; k < w->start[j + 1]; k++) {
            if (w->row[k] >= j) {
                entry[count++] = (SparseEntry){w->row[k], j, 0};
            } else {
                entry[count++] = (SparseEntry){j, w->row[k], 0}; /* W may be slightly unsymmetric */
            }
        }
    }
    for (size_t c = 0; c < p->contacts; c++) {
        for (int j = 0; j < d; j++) {
            for (int k = 0; k <= j; k++) {
                int32_t base = (int32_t)c * d;
                entry[count++] = (SparseEntry){base + j, base + k, 0};
            }
        }
    }
    if (!scr_sparse_gather(&s->matrix, w->rows, w->columns, entry, count)) {
        return false;
    }
    for (size_t k = 0; k < count; k++) {
        s->local_slot[k] = slot_of(&s->matrix, entry[k].row, entry[k].column);
    }
    return true;
}

bool scr_interior_pattern(InteriorSystem *s) {
    const MatrixProblem *p = s->problem;
    const Sparse *from = p->global ? &p->h : &p->delassus, *mass = p->global ? &p->mass : NULL;
    if (!seen(s, from, mass)) {
        s->seen_columns = -1; /* matches nothing, should this fail */
        bool made = p->global ? list_touches(s, p) && global_pattern(s, p) : local_pattern(s, p);
        if (!made || !remember(s, from, mass)) {
            return false;
        }
    }
    if (p->global) {
        global_values(s, p);
    }
    return true;
}

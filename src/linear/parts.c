#include "linear/parts.h"

/* The first member of its part; each visit halves the path to it. */
static int32_t root(int32_t *parent, int32_t i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* The smaller number becomes the root, so that parts are numbered by their first member. */
int32_t scr_sparse_parts(const Sparse *a, int size, int32_t *parent, int32_t *part) {
    int32_t groups = a->columns / size, parts = 0;
    for (int32_t i = 0; i < groups; i++) {
        parent[i] = i;
    }
    for (int32_t k = 0; k < a->columns; k++) {
        for (int32_t e = a->start[k]; e < a->start[k + 1]; e++) {
            if (a->value[e] != 0) {
                int32_t one = root(parent, k / size), other = root(parent, a->row[e] / size);
                parent[one > other ? one : other] = one < other ? one : other;
            }
        }
    }
    for (int32_t i = 0; i < groups; i++) {
        part[i] = parent[i] == i ? parts++ : part[root(parent, i)];
    }
    return parts;
}

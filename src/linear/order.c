/* Minimum degree on the quotient graph (Amestoy, Davis and Duff, An approximate minimum degree
 * ordering algorithm, SIAM J. Matrix Anal. Appl. 17, 1996).
 *
 * Eliminating a variable p connects all its neighbours. Instead of the edges between them, the
 * graph stores p as an element with the list L_p of these neighbours. A variable i has a list of
 * elements E_i and one of those variables A_i that no element covers. Its degree is bounded by
 * |A_i| + |L_p| + sum over the other elements e of |L_e \ L_p|. Variables with equal lists remain
 * alike and are merged: so the freedoms of a body are ordered as one. */
#include "linear/order.h"

#include <string.h>

enum { NONE = -1 };

typedef struct Graph {
    int32_t n;
    int32_t *begin, *elements, *count;      /* list of i: `elements` elements, then variables */
    int32_t *weight;                        /* variables merged into i; 0: it is gone itself */
    int32_t *merged;                        /* next in the chain of variables merged with i */
    int32_t *last;                          /* end of that chain */
    int32_t *degree, *next, *before, *head; /* lists of equal degree */
    int32_t *mark, *outside;                /* stamps; |L_e \ L_p| + stamp base */
    int32_t *size;                          /* weight of L_e; 0: absorbed */
    size_t *first;                          /* where L_e begins in the pool */
    int32_t *length;                        /* how many variables L_e has */
    int32_t *hash, *chain;
    int32_t stamp;
    int32_t *list; /* the lists of all variables */
    Block list_block;
    Block pool_block; /* all elements, one after another */
    size_t pool_used;
    Block node_block, first_block;
} Graph;

static bool reserve(Graph *g, const Sparse *a) {
    size_t n = (size_t)a->columns, entries = (size_t)a->start[n];
    if (!scr_block_reserve_exact(&g->node_block, 17 * n + 1, sizeof(int32_t), 0) ||
        !scr_block_reserve_exact(&g->first_block, n + 1, sizeof(size_t), 0) ||
        !scr_block_reserve_exact(&g->list_block, 2 * entries + 1, sizeof(int32_t), 0)) {
        return false;
    }
    g->n = a->columns;
    int32_t *to = g->node_block.data;
    int32_t **field[] = {&g->begin,  &g->elements, &g->count,  &g->weight, &g->merged, &g->last,
                         &g->degree, &g->next,     &g->before, &g->head,   &g->mark,   &g->outside,
                         &g->size,   &g->length,   &g->hash,   &g->chain};
    for (size_t i = 0; i < sizeof field / sizeof *field; i++, to += n) {
        *field[i] = to;
    }
    g->first = g->first_block.data;
    g->list = g->list_block.data;
    return true;
}

/* --- lists of equal degree --- */

static void put(Graph *g, int32_t i) {
    int32_t d = g->degree[i];
    g->before[i] = NONE;
    g->next[i] = g->head[d];
    if (g->head[d] != NONE) {
        g->before[g->head[d]] = i;
    }
    g->head[d] = i;
}

static void take(Graph *g, int32_t i) {
    if (g->before[i] == NONE) {
        g->head[g->degree[i]] = g->next[i];
    } else {
        g->next[g->before[i]] = g->next[i];
    }
    if (g->next[i] != NONE) {
        g->before[g->next[i]] = g->before[i];
    }
}

static void fill(Graph *g, const Sparse *a) {
    for (int32_t i = 0; i < g->n; i++) {
        g->count[i] = g->elements[i] = g->mark[i] = g->outside[i] = g->size[i] = 0;
        g->weight[i] = 1;
        g->merged[i] = g->head[i] = g->chain[i] = NONE;
        g->last[i] = i;
    }
    for (int32_t pass = 0; pass < 2; pass++) {
        for (int32_t j = 0; j < g->n; j++) {
            for (int32_t k = a->start[j]; k < a->start[j + 1]; k++) {
                int32_t i = a->row[k];
                if (i > j) {
                    if (pass == 1) {
                        g->list[g->begin[i] + g->count[i]] = j;
                        g->list[g->begin[j] + g->count[j]] = i;
                    }
                    g->count[i]++;
                    g->count[j]++;
                }
            }
        }
        for (int32_t i = 0, at = 0; pass == 0 && i < g->n; i++) {
            g->begin[i] = at;
            at += g->count[i];
            g->count[i] = 0;
        }
    }
    for (int32_t i = g->n - 1; i >= 0; i--) { /* so that the first variable comes first */
        g->degree[i] = g->count[i];
        put(g, i);
    }
}

/* --- elimination --- */

/* Puts L_p into the pool: the neighbours of p and of its elements, which it absorbs. */
static bool make_element(Graph *g, int32_t p) {
    size_t most = (size_t)(g->count[p] - g->elements[p]);
    for (int32_t k = 0; k < g->elements[p]; k++) {
        most += (size_t)g->length[g->list[g->begin[p] + k]];
    }
    if (!scr_block_reserve(&g->pool_block, g->pool_used + most, sizeof(int32_t),
                           g->pool_used * sizeof(int32_t))) {
        return false;
    }
    int32_t *pool = g->pool_block.data, *to = pool + g->pool_used, found = 0;
    g->size[p] = 0;
    g->mark[p] = ++g->stamp;
    for (int32_t k = 0; k < g->count[p]; k++) {
        int32_t e = g->list[g->begin[p] + k];
        bool element = k < g->elements[p];
        const int32_t *from = element ? pool + g->first[e] : &e;
        for (int32_t l = 0; l < (element ? g->length[e] : 1); l++) {
            int32_t i = from[l];
            if (g->weight[i] > 0 && g->mark[i] != g->stamp) {
                g->mark[i] = g->stamp;
                to[found++] = i;
                g->size[p] += g->weight[i];
            }
        }
        if (element) {
            g->size[e] = 0;
        }
    }
    g->first[p] = g->pool_used;
    g->length[p] = found;
    g->pool_used += (size_t)found;
    return true;
}

/* Sets outside[e] = |L_e \ L_p| for all elements e of the variables of L_p. */
static void measure_outside(Graph *g, const int32_t *lp, int32_t found) {
    for (int32_t k = 0; k < found; k++) {
        int32_t i = lp[k];
        for (int32_t l = 0; l < g->elements[i]; l++) {
            int32_t e = g->list[g->begin[i] + l];
            if (g->size[e] > 0 && g->chain[e] != g->stamp) {
                g->chain[e] = g->stamp; /* free to use, since elements are no longer variables */
                g->outside[e] = g->size[e];
            }
            g->outside[e] -= g->weight[i];
        }
    }
}

/* Removes from the lists of i what p covers, and adds p as the last element; updates degree and
 * hash. */
static void update(Graph *g, int32_t p, int32_t i, int32_t left) {
    int32_t *list = g->list + g->begin[i], kept = 0, degree = g->size[p] - g->weight[i];
    uint32_t hash = (uint32_t)p;
    for (int32_t k = 0; k < g->elements[i]; k++) {
        int32_t e = list[k];
        if (g->size[e] > 0 && g->outside[e] > 0) { /* otherwise L_e lies within L_p */
            degree += g->outside[e];
            hash += (uint32_t)e;
            list[kept++] = e;
        }
    }
    int32_t elements = kept;
    for (int32_t k = g->elements[i]; k < g->count[i]; k++) {
        int32_t j = list[k];
        if (g->weight[j] > 0 && g->mark[j] != g->stamp) {
            degree += g->weight[j];
            hash += (uint32_t)j;
            list[kept++] = j;
        }
    }
    list[kept++] = list[elements]; /* there is room, because p or an element of it is gone */
    list[elements] = p;
    g->elements[i] = elements + 1;
    g->count[i] = kept;
    g->degree[i] = degree < left - g->weight[i] ? degree : left - g->weight[i];
    g->hash[i] = (int32_t)(hash % (uint32_t)g->n);
}

static bool alike(Graph *g, int32_t i, int32_t j) {
    if (g->count[i] != g->count[j] || g->elements[i] != g->elements[j]) {
        return false;
    }
    for (int32_t k = 0; k < g->count[j]; k++) {
        if (g->mark[g->list[g->begin[j] + k]] != g->stamp) {
            return false;
        }
    }
    return true;
}

/* Merges the variables of L_p that have equal lists. Those with equal hashes are compared; `next`
 * chains them. */
static void merge(Graph *g, const int32_t *lp, int32_t found) {
    for (int32_t k = 0; k < found; k++) {
        g->outside[g->hash[lp[k]]] = NONE; /* not used between two eliminations */
    }
    for (int32_t k = 0; k < found; k++) {
        int32_t i = lp[k];
        g->next[i] = g->outside[g->hash[i]];
        g->outside[g->hash[i]] = i;
    }
    for (int32_t k = 0; k < found; k++) {
        int32_t i = g->weight[lp[k]] > 0 ? g->outside[g->hash[lp[k]]] : NONE;
        for (; i != NONE; i = g->next[i]) {
            if (g->weight[i] == 0) {
                continue;
            }
            g->stamp++;
            for (int32_t l = 0; l < g->count[i]; l++) {
                g->mark[g->list[g->begin[i] + l]] = g->stamp;
            }
            for (int32_t j = g->next[i]; j != NONE; j = g->next[j]) {
                if (g->weight[j] > 0 && alike(g, i, j)) {
                    g->weight[i] += g->weight[j];
                    g->degree[i] -= g->weight[j];
                    g->weight[j] = 0;
                    g->merged[g->last[i]] = j;
                    g->last[i] = g->last[j];
                }
            }
        }
        g->outside[g->hash[lp[k]]] = NONE;
    }
}

static bool eliminate(Graph *g, int32_t *order) {
    int32_t done = 0, least = 0;
    while (done < g->n) {
        while (g->head[least] == NONE) {
            least++;
        }
        int32_t p = g->head[least];
        take(g, p);
        for (int32_t i = p; i != NONE; i = g->merged[i]) {
            order[done++] = i;
        }
        g->weight[p] = 0;
        if (!make_element(g, p)) {
            return false;
        }
        const int32_t *lp = (const int32_t *)g->pool_block.data + g->first[p];
        int32_t found = g->length[p];
        for (int32_t k = 0; k < found; k++) {
            take(g, lp[k]);
        }
        measure_outside(g, lp, found);
        for (int32_t k = 0; k < found; k++) {
            update(g, p, lp[k], g->n - done);
        }
        merge(g, lp, found);
        for (int32_t k = 0; k < found; k++) {
            if (g->weight[lp[k]] > 0) {
                put(g, lp[k]);
                least = g->degree[lp[k]] < least ? g->degree[lp[k]] : least;
            }
        }
    }
    return true;
}

bool scr_minimum_degree(const Sparse *lower, int32_t *order) {
    Graph g = {0};
    bool fine = reserve(&g, lower);
    if (fine) {
        fill(&g, lower);
        fine = eliminate(&g, order);
    }
    scr_block_free(&g.node_block);
    scr_block_free(&g.first_block);
    scr_block_free(&g.list_block);
    scr_block_free(&g.pool_block);
    return fine;
}

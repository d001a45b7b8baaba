#include "linear/fronts.h"

#include <string.h>

enum { NONE = -1 };

/* The quotient graph. The list of a live node i has its elements first, then its neighbours, in the
 * memory of its original neighbours: every elimination that touches the node removes at least one
 * entry (the pivot, or an element that contained it) and adds one element. */
typedef struct Graph {
    int32_t nodes, alive;
    const int32_t *start;
    int32_t *list;     /* [entries] */
    int32_t *elements; /* [nodes] how many of the entries are elements */
    int32_t *entries;  /* [nodes] how many entries there are */
    int32_t *absorbed; /* [nodes] what absorbed the element of an eliminated pivot; NONE: live */
    int32_t *merged;   /* [nodes] the pivot together with which a node was eliminated; NONE: live */
    int32_t *chain;    /* [nodes] linked list of the pivots of a front */
    int32_t *last;     /* [nodes] the end of a pivot's list */
    int32_t *size;     /* [nodes] how many pivots the front has */
    int32_t *begin;    /* [nodes] where the nodes of an element begin in the pool */
    int32_t *length;   /* [nodes] how many nodes an element has */
    int32_t *outside;  /* [nodes] how many of these lie outside the newest element */
    int32_t *seen;     /* [nodes] stamp that says whether `outside` is current */
    int32_t *member;   /* [nodes] stamp that marks the nodes of the newest element */
    int32_t *degree;   /* [nodes] */
    int32_t *head;     /* [nodes] first node of each degree */
    int32_t *next, *previous;
    int32_t *order; /* [nodes] pivots in the order of elimination */
    int32_t least;
    int32_t *pool;
    size_t used;
    Block arrays, pool_block;
} Graph;

/* ---------------------------------------------------------------- nodes by degree */

static void put(Graph *g, int32_t i, int32_t degree) {
    int32_t first = g->head[degree];
    g->degree[i] = degree;
    g->next[i] = first;
    g->previous[i] = NONE;
    if (first != NONE) {
        g->previous[first] = i;
    }
    g->head[degree] = i;
    g->least = degree < g->least ? degree : g->least;
}

static void take(Graph *g, int32_t i) {
    int32_t before = g->previous[i], after = g->next[i];
    if (before != NONE) {
        g->next[before] = after;
    } else {
        g->head[g->degree[i]] = after;
    }
    if (after != NONE) {
        g->previous[after] = before;
    }
}

static int32_t take_least(Graph *g) {
    while (g->head[g->least] == NONE) {
        g->least++;
    }
    int32_t i = g->head[g->least];
    take(g, i);
    return i;
}

/* ---------------------------------------------------------------- one elimination */

static void add_member(Graph *g, int32_t i, int32_t p) {
    if (i != p && g->merged[i] == NONE && g->member[i] != p) {
        g->member[i] = p;
        g->pool[g->used++] = i;
        g->length[p]++;
    }
}

/* Collects the nodes of the new element: those of the pivot's elements, which it absorbs, and the
 * pivot's neighbours. */
static bool gather(Graph *g, int32_t p) {
    size_t most = g->used + (size_t)g->alive;
    if (most * sizeof *g->pool > g->pool_block.bytes &&
        !scr_block_reserve_exact(&g->pool_block, 2 * most, sizeof *g->pool,
                                 g->used * sizeof *g->pool)) {
        return false;
    }
    g->pool = g->pool_block.data;
    g->merged[p] = p;
    g->begin[p] = (int32_t)g->used;
    g->length[p] = 0;
    for (int32_t k = 0; k < g->entries[p]; k++) {
        int32_t other = g->list[g->start[p] + k];
        if (k >= g->elements[p]) {
            add_member(g, other, p);
        } else if (g->absorbed[other] == NONE) {
            for (int32_t j = 0; j < g->length[other]; j++) {
                add_member(g, g->pool[g->begin[other] + j], p);
            }
            g->absorbed[other] = p;
        }
    }
    return true;
}

/* Removes from node i what the new element p stands for, and counts for each of its other elements
 * how many nodes lie outside p. */
static void clean(Graph *g, int32_t i, int32_t p) {
    int32_t *list = g->list + g->start[i], kept = 0, elements = 0;
    for (int32_t k = 0; k < g->elements[i]; k++) {
        int32_t e = list[k];
        if (g->absorbed[e] == NONE) {
            if (g->seen[e] != p) {
                g->seen[e] = p;
                g->outside[e] = g->length[e];
            }
            g->outside[e]--;
            list[kept++] = e;
        }
    }
    elements = kept;
    for (int32_t k = g->elements[i]; k < g->entries[i]; k++) {
        int32_t j = list[k];
        if (g->merged[j] == NONE && g->member[j] != p) {
            list[kept++] = j;
        }
    }
    g->elements[i] = elements;
    g->entries[i] = kept;
}

/* Absorbs the elements that lie within p, too. Returns how many nodes lie outside p, counting those
 * twice that belong to several elements. */
static int32_t degree_outside(Graph *g, int32_t i, int32_t p) {
    int32_t *list = g->list + g->start[i], kept = 0, sum = 0;
    for (int32_t k = 0; k < g->entries[i]; k++) {
        int32_t other = list[k];
        bool element = k < g->elements[i];
        if (element && g->outside[other] == 0) {
            g->absorbed[other] = p;
            continue;
        }
        sum += element ? g->outside[other] : 1;
        list[kept++] = other;
    }
    g->elements[i] -= g->entries[i] - kept;
    g->entries[i] = kept;
    return sum;
}

static bool eliminate(Graph *g, int32_t p) {
    if (!gather(g, p)) {
        return false;
    }
    int32_t *member = g->pool + g->begin[p], count = g->length[p], kept = 0;
    g->alive--;
    g->chain[p] = NONE;
    g->last[p] = p;
    g->size[p] = 1;
    for (int32_t k = 0; k < count; k++) {
        take(g, member[k]);
        clean(g, member[k], p);
    }
    for (int32_t k = 0; k < count; k++) {
        int32_t i = member[k], outside = degree_outside(g, i, p);
        if (outside == 0) { /* coupled only to p's nodes, so it is eliminated with p */
            g->merged[i] = p;
            g->chain[i] = NONE;
            g->chain[g->last[p]] = i;
            g->last[p] = i;
            g->size[p]++;
            g->alive--;
            continue;
        }
        g->degree[i] = outside;
        member[kept++] = i;
    }
    g->length[p] = kept;
    g->used = (size_t)g->begin[p] + (size_t)kept;
    for (int32_t k = 0; k < kept; k++) {
        int32_t i = member[k], *list = g->list + g->start[i];
        /* the first neighbour makes room for p among the elements */
        list[g->entries[i]++] = list[g->elements[i]];
        list[g->elements[i]++] = p;
        int32_t degree = g->degree[i] + kept - 1;
        put(g, i, degree < g->alive ? degree : g->alive - 1);
    }
    return true;
}

/* ---------------------------------------------------------------- the tree */

/* A front absorbs the child whose rest is the whole of it: the same eliminations in one larger
 * front, without any fill. */
static void join_chains(Graph *g, const int32_t *order, int32_t fronts) {
    int32_t *widest = g->outside; /* the child with the largest rest */
    for (int32_t k = 0; k < fronts; k++) {
        widest[order[k]] = NONE;
    }
    for (int32_t k = 0; k < fronts; k++) {
        int32_t p = order[k], c = widest[p], up = g->absorbed[p];
        if (c != NONE && g->length[c] == g->size[p] + g->length[p]) {
            g->merged[c] = p; /* it is no longer a front of its own */
            g->chain[g->last[c]] = g->chain[p];
            g->last[p] = g->last[p] == p ? g->last[c] : g->last[p];
            g->chain[p] = c;
            g->size[p] += g->size[c];
        }
        if (up != NONE && (widest[up] == NONE || g->length[widest[up]] < g->length[p])) {
            widest[up] = p;
        }
    }
}

/* The front that p belongs to. */
static int32_t front_of(const Graph *g, int32_t p) {
    while (p != NONE && g->merged[p] != p) {
        p = g->merged[p];
    }
    return p;
}

/* Numbers the fronts so that each directly follows its descendants. `order` lists them by
 * elimination, parents after their children; `rank` gets their numbers. */
static int32_t number(Graph *g, const int32_t *order, int32_t fronts, int32_t *rank) {
    int32_t *child = g->head, *sibling = g->next, *stack = g->previous, depth = 0, count = 0;
    for (int32_t i = 0; i < g->nodes; i++) {
        child[i] = NONE;
    }
    int32_t roots = NONE;
    for (int32_t k = fronts - 1; k >= 0; k--) {
        int32_t p = order[k];
        if (g->merged[p] != p) {
            continue;
        }
        int32_t up = front_of(g, g->absorbed[p]), *first = up == NONE ? &roots : &child[up];
        sibling[p] = *first;
        *first = p;
    }
    for (int32_t root = roots; root != NONE; root = sibling[root]) {
        stack[depth++] = root;
        while (depth > 0) {
            int32_t p = stack[depth - 1], c = child[p];
            if (c != NONE) {
                child[p] = sibling[c];
                stack[depth++] = c;
            } else {
                rank[p] = count++;
                depth--;
            }
        }
    }
    return count;
}

static bool write(Fronts *f, Graph *g, const int32_t *order, int32_t fronts) {
    int32_t *rank = g->seen, *by_rank = g->member;
    int32_t count = number(g, order, fronts, rank);
    size_t rest = 0;
    for (int32_t k = 0; k < fronts; k++) {
        int32_t p = order[k];
        if (g->merged[p] == p) {
            by_rank[rank[p]] = p;
            rest += (size_t)g->length[p];
        }
    }
    size_t total = 3 * (size_t)count + 2 + (size_t)g->nodes + rest;
    if (!scr_block_reserve_exact(&f->integer_block, total + 1, sizeof(int32_t), 0)) {
        return false;
    }
    f->nodes = g->nodes;
    f->count = count;
    f->pivot_start = f->integer_block.data;
    f->rest_start = f->pivot_start + count + 1;
    f->parent = f->rest_start + count + 1;
    f->pivot = f->parent + count;
    f->rest = f->pivot + g->nodes;
    f->pivot_start[0] = f->rest_start[0] = 0;
    for (int32_t k = 0; k < count; k++) {
        int32_t p = by_rank[k], up = front_of(g, g->absorbed[p]), next = f->pivot_start[k];
        f->parent[k] = up == NONE ? NONE : rank[up];
        /* in any order, since a front is complete before its first pivot */
        for (int32_t i = p; i != NONE; i = g->chain[i]) {
            f->pivot[next++] = i;
        }
        f->pivot_start[k + 1] = next;
        for (int32_t j = 0; j < g->length[p]; j++) {
            f->rest[f->rest_start[k] + j] = g->pool[g->begin[p] + j];
        }
        f->rest_start[k + 1] = f->rest_start[k] + g->length[p];
    }
    return true;
}

/* ---------------------------------------------------------------- all of it */

static bool reserve(Graph *g, int32_t nodes) {
    enum { ARRAYS = 17 };
    size_t n = (size_t)nodes;
    if (!scr_block_reserve(&g->arrays, ARRAYS * (n + 1), sizeof(int32_t), 0)) {
        return false;
    }
    int32_t **array[ARRAYS] = {&g->elements, &g->entries, &g->absorbed, &g->merged, &g->chain,
                               &g->last,     &g->size,    &g->begin,    &g->length, &g->outside,
                               &g->seen,     &g->member,  &g->degree,   &g->head,   &g->next,
                               &g->previous, &g->order};
    int32_t *next = g->arrays.data;
    memset(next, 0xff, ARRAYS * (n + 1) * sizeof *next); /* all NONE */
    for (int k = 0; k < ARRAYS; k++) {
        *array[k] = next;
        next += n + 1;
    }
    return true;
}

bool scr_fronts_make(Fronts *f, int32_t nodes, const int32_t *start, int32_t *neighbour) {
    Graph g = {.nodes = nodes,
               .alive = nodes,
               .start = start,
               .list = neighbour,
               .least = nodes,
               .arrays = f->work[0],
               .pool_block = f->work[1]};
    bool ok = reserve(&g, nodes);
    int32_t fronts = 0;
    for (int32_t i = 0; ok && i < nodes; i++) {
        g.elements[i] = 0;
        g.entries[i] = start[i + 1] - start[i];
        put(&g, i, g.entries[i]);
    }
    while (ok && g.alive > 0) {
        int32_t p = take_least(&g);
        ok = eliminate(&g, p);
        g.order[fronts++] = p;
    }
    if (ok) {
        join_chains(&g, g.order, fronts);
        ok = write(f, &g, g.order, fronts);
    }
    f->work[0] = g.arrays;
    f->work[1] = g.pool_block;
    return ok;
}

void scr_fronts_free(Fronts *f) {
    scr_block_free(&f->integer_block);
    scr_block_free(&f->work[0]);
    scr_block_free(&f->work[1]);
    *f = (Fronts){0};
}

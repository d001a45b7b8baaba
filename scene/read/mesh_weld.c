/* Vertices that are one point become one: STL repeats each for every triangle that has it. */
#include "scene/read/mesh_scan.h"

#include "base/random.h"
#include "math/vec.h"

#include <stdlib.h>
#include <string.h>

typedef struct Weld {
    const ScreeVec3 *vertex;
    ScreeVec3 low;
    double reach, cell;   /* [length] the cells are twice as wide as the reach */
    int32_t *head, *next; /* chains of kept vertices by hash */
    size_t mask;
} Weld;

typedef struct Cell {
    int64_t n[3];
} Cell;

static size_t slot_of(const Weld *w, Cell c) {
    uint64_t hash = scr_mix((uint64_t)c.n[0]);
    hash = scr_mix(hash ^ (uint64_t)c.n[1]);
    return (size_t)scr_mix(hash ^ (uint64_t)c.n[2]) & w->mask;
}

/* The cell of a point, and in each direction the neighbour that lies within its reach. */
static Cell cell_of(const Weld *w, ScreeVec3 x, int side[3]) {
    Cell c;
    for (int k = 0; k < 3; k++) {
        double at = (component(x, k) - component(w->low, k)) / w->cell, whole = floor(at);
        c.n[k] = (int64_t)whole;
        side[k] = at - whole < 0.5 ? -1 : 1;
    }
    return c;
}

static int32_t look(const Weld *w, Cell c, ScreeVec3 x) {
    for (int32_t v = w->head[slot_of(w, c)]; v >= 0; v = w->next[v]) {
        ScreeVec3 d = sub(w->vertex[v], x);
        if (scr_max(fabs(d.x), scr_max(fabs(d.y), fabs(d.z))) <= w->reach) {
            return v;
        }
    }
    return -1;
}

/* The first vertex within reach, or -1. */
static int32_t find(const Weld *w, ScreeVec3 x) {
    int side[3];
    Cell own = cell_of(w, x, side);
    for (int bits = 0; bits < 8; bits++) {
        Cell c = own;
        for (int k = 0; k < 3; k++) {
            c.n[k] += (bits >> k & 1) ? side[k] : 0;
        }
        int32_t found = look(w, c, x);
        if (found >= 0) {
            return found;
        }
    }
    return -1;
}

static void keep(Weld *w, int32_t v) {
    int unused[3];
    size_t slot = slot_of(w, cell_of(w, w->vertex[v], unused));
    w->next[v] = w->head[slot];
    w->head[slot] = v;
}

static void measure(const SceneMesh *mesh, Weld *w) {
    ScreeVec3 low = mesh->vertex[0], high = low;
    for (size_t i = 1; i < mesh->vertices; i++) {
        for (int k = 0; k < 3; k++) {
            double x = component(mesh->vertex[i], k);
            *component_of(&low, k) = scr_min(component(low, k), x);
            *component_of(&high, k) = scr_max(component(high, k), x);
        }
    }
    w->low = low;
    w->reach = SCENE_WELD_SHARE * length(sub(high, low));
    w->cell = 2 * scr_max(w->reach, 1e-300);
}

/* `same`: for each vertex the first one at its place. */
static bool find_same(const SceneMesh *mesh, int32_t *same) {
    Weld w = {.vertex = mesh->vertex};
    size_t slots = 64;
    while (slots < 2 * mesh->vertices) {
        slots *= 2;
    }
    w.mask = slots - 1;
    w.head = malloc(slots * sizeof *w.head);
    w.next = malloc(mesh->vertices * sizeof *w.next);
    bool ok = w.head && w.next;
    if (ok) {
        memset(w.head, 0xFF, slots * sizeof *w.head);
        measure(mesh, &w);
    }
    for (size_t i = 0; i < mesh->vertices && ok; i++) {
        same[i] = find(&w, mesh->vertex[i]);
        if (same[i] < 0) {
            same[i] = (int32_t)i;
            keep(&w, (int32_t)i);
        }
    }
    free(w.head);
    free(w.next);
    return ok;
}

bool scene_mesh_weld(SceneMesh *mesh) {
    int32_t *same = malloc(mesh->vertices * sizeof *same);
    int32_t *number = malloc(mesh->vertices * sizeof *number);
    bool ok = same && number && find_same(mesh, same);
    if (ok) {
        memset(number, 0xFF, mesh->vertices * sizeof *number);
        for (size_t i = 0; i < mesh->total; i++) {
            number[same[mesh->corner[i]]] = 0;
        }
        size_t kept = 0;
        for (size_t i = 0; i < mesh->vertices; i++) {
            if (number[i] == 0) {
                number[i] = (int32_t)kept;
                mesh->vertex[kept++] = mesh->vertex[i];
            }
        }
        for (size_t i = 0; i < mesh->total; i++) {
            mesh->corner[i] = number[same[mesh->corner[i]]];
        }
        mesh->vertices = kept;
    }
    free(same);
    free(number);
    return ok;
}

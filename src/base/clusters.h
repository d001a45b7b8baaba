/* Sets that are joined: union by size. A root holds minus the size of its set, all others their parent. */
#ifndef SCREE_BASE_CLUSTERS_H
#define SCREE_BASE_CLUSTERS_H

#include <stddef.h>
#include <stdint.h>

/* Each item is a set of its own. */
static inline void scr_clusters_begin(int32_t *parent, size_t count) {
    for (size_t i = 0; i < count; i++) {
        parent[i] = -1;
    }
}

static inline int32_t scr_cluster_of(int32_t *parent, int32_t i) {
    while (parent[i] >= 0) {
        int32_t up = parent[i];
        if (parent[up] >= 0) {
            parent[i] = parent[up];
        }
        i = up;
    }
    return i;
}

static inline void scr_clusters_join(int32_t *parent, int32_t a, int32_t b) {
    if (parent[a] >= 0 && parent[a] == parent[b]) {
        return; /* true of most that come late */
    }
    a = scr_cluster_of(parent, a);
    b = scr_cluster_of(parent, b);
    if (a == b) {
        return;
    }
    int32_t large = parent[a] <= parent[b] ? a : b, small = large == a ? b : a;
    parent[large] += parent[small];
    parent[small] = large;
}

#endif

#include "narrow/part_pair.h"

enum { FEW_VERTICES = 8 };

static int32_t scan(const Polyhedron *p, Vec3 d) {
    int32_t best = 0;
    double most = -INFINITY;
    for (int32_t v = 0; v < p->vertices; v++) {
        double s = d.x * p->x[v] + d.y * p->y[v] + d.z * p->z[v];
        best = s > most ? v : best;
        most = s > most ? s : most;
    }
    return best;
}

int32_t scr_support(const Polyhedron *p, Vec3 d, int32_t start) {
    if (p->vertices <= FEW_VERTICES || !p->convex) {
        return scan(p, d);
    }
    int32_t at = start, before = -1;
    double most = d.x * p->x[at] + d.y * p->y[at] + d.z * p->z[at];
    while (at != before) {
        before = at;
        for (int32_t k = p->star_first[before]; k < p->star_first[before + 1]; k++) {
            int32_t v = p->star_vertex[k];
            double s = d.x * p->x[v] + d.y * p->y[v] + d.z * p->z[v];
            at = s > most ? v : at;
            most = s > most ? s : most;
        }
    }
    return at;
}

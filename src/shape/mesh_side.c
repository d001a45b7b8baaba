/* Which side of a closed surface of triangles a place is on. */
#include "shape/mesh.h"

/* ---------------------------------------------------------------- whether it is closed */

static int32_t root_of(int32_t *parent, int32_t t) {
    while (parent[t] != t) {
        parent[t] = parent[parent[t]];
        t = parent[t];
    }
    return t;
}

static bool runs_along(const Mesh *m, int32_t t, const int32_t vertex[2]) {
    const int32_t *c = scr_mesh_corners(m, t);
    for (int k = 0; k < 3; k++) {
        if (c[k] == vertex[0] && c[(k + 1) % 3] == vertex[1]) {
            return true;
        }
    }
    return false;
}

static Vec3 normal_of(const Mesh *m, int32_t t) {
    const int32_t *c = scr_mesh_corners(m, t);
    return cross(sub(m->vertex[c[1]], m->vertex[c[0]]), sub(m->vertex[c[2]], m->vertex[c[0]]));
}

/* Every edge has two triangles, which run along it in opposite ways, and planes have the normals of their triangles. */
static bool all_match(const Mesh *m) {
    for (int32_t e = 0; e < m->edges; e++) {
        const MeshEdge *edge = &m->edge[e];
        if (edge->triangle[1] < 0 || runs_along(m, edge->triangle[0], edge->vertex) ==
                                         runs_along(m, edge->triangle[1], edge->vertex)) {
            return false;
        }
    }
    for (int32_t t = 0; t < m->triangles; t++) {
        if (!(dot(normal_of(m, t), m->plane[m->triangle[t].plane].normal) > 0)) {
            return false;
        }
    }
    return true;
}

/* Six times the volumes of the pieces that hang together, at their roots. */
static void find_pieces(const Mesh *m, int32_t *parent, double *volume) {
    for (int32_t t = 0; t < m->triangles; t++) {
        parent[t] = t;
        volume[t] = 0;
    }
    for (int32_t e = 0; e < m->edges; e++) {
        parent[root_of(parent, m->edge[e].triangle[0])] = root_of(parent, m->edge[e].triangle[1]);
    }
    for (int32_t t = 0; t < m->triangles; t++) {
        Vec3 from = sub(m->vertex[scr_mesh_corners(m, t)[0]], m->vertex[0]);
        volume[root_of(parent, t)] += dot(from, normal_of(m, t));
    }
}

bool scr_mesh_sides(Mesh *m) {
    Block parents = {0}, volumes = {0};
    const size_t n = (size_t)m->triangles;
    int32_t outwards = 0, inwards = 0;
    m->outward = 0;
    m->pieces = 0;
    if (!all_match(m)) {
        return true;
    }
    bool ok = scr_block_reserve_exact(&parents, n, sizeof(int32_t), 0) &&
              scr_block_reserve_exact(&volumes, n, sizeof(double), 0);
    if (ok) {
        int32_t *parent = parents.data;
        double *volume = volumes.data;
        find_pieces(m, parent, volume);
        for (int32_t t = 0; t < m->triangles; t++) {
            outwards += parent[t] == t && volume[t] > 0;
            inwards += parent[t] == t && !(volume[t] > 0);
        }
        m->outward = inwards == 0 ? 1 : outwards == 0 ? -1 : 0;
        m->pieces = outwards + inwards;
    }
    scr_block_free(&parents);
    scr_block_free(&volumes);
    return ok;
}

/* ---------------------------------------------------------------- places */

/* How the way from one vertex to another passes x, seen from above and to the right of it: upwards 1, downwards -1. The
 * other triangle at the edge finds the same, so that none counts twice or not at all. */
static int passes(const Mesh *m, int32_t from, int32_t to, Vec3 x) {
    Vec3 p = m->vertex[from < to ? from : to], q = m->vertex[from < to ? to : from];
    const bool low = p.y <= x.y;
    if (low == (q.y <= x.y)) {
        return 0;
    }
    double side = (q.x - p.x) * (x.y - p.y) - (x.x - p.x) * (q.y - p.y);
    return (low ? side > 0 : side < 0) ? (low == (from < to) ? 1 : -1) : 0;
}

bool scr_mesh_winding(const Mesh *m, Vec3 x, MeshTriangles *room, int32_t *winding) {
    *winding = 0;
    if (!scr_mesh_find(m, x, vec3(x.x, x.y, INFINITY), room)) {
        return false;
    }
    for (size_t k = 0; k < room->count; k++) {
        const int32_t *c = scr_mesh_corners(m, room->item[k]);
        int around = passes(m, c[0], c[1], x) + passes(m, c[1], c[2], x) + passes(m, c[2], c[0], x);
        Vec3 n = normal_of(m, room->item[k]);
        *winding += dot(n, sub(m->vertex[c[0]], x)) * n.z > 0 ? around : 0;
    }
    return true;
}

/* The edges of a surface of triangles, and what is sharp on it. */
#include "shape/mesh.h"

#include "base/status.h"
#include "shape/plane_groups.h"

#include <stdlib.h>
#include <string.h>

/* A side of a triangle, by its two vertices. */
typedef struct Side {
    int32_t low, high, triangle, number;
} Side;

static int sides_in_order(const void *one, const void *other) {
    const Side *a = one, *b = other;
    return a->low != b->low     ? (a->low > b->low) - (a->low < b->low)
           : a->high != b->high ? (a->high > b->high) - (a->high < b->high)
                                : (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

static void list_sides(const Mesh *m, Side *side) {
    for (int32_t t = 0; t < m->triangles; t++) {
        for (int k = 0; k < 3; k++) {
            int32_t a = scr_mesh_corners(m, t)[k], b = scr_mesh_corners(m, t)[(k + 1) % 3];
            side[3 * (size_t)t + (size_t)k] = (Side){a < b ? a : b, a < b ? b : a, t, k};
        }
    }
    qsort(side, 3 * (size_t)m->triangles, sizeof *side, sides_in_order);
}

static int32_t third_vertex(const Mesh *m, const Side *s) {
    return scr_mesh_corners(m, s->triangle)[(s->number + 2) % 3];
}

static ScreeStatus check_doubles(const Mesh *m, const Side *side, size_t count, char *message) {
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count; j++) {
            if (third_vertex(m, &side[i]) == third_vertex(m, &side[j])) {
                return scr_fail(message, SCREE_BAD_ARGUMENT,
                                "triangle %d: it has the same vertices as triangle %d: remove one",
                                side[j].triangle, side[i].triangle);
            }
        }
    }
    return SCREE_OK;
}

static Vec3 away_from_side(const Mesh *m, const Side *s) {
    Vec3 from = m->vertex[s->low], along = unit(sub(m->vertex[s->high], from));
    Vec3 w = sub(m->vertex[third_vertex(m, s)], from);
    return unit(add_scaled(w, -dot(w, along), along));
}

/* Where several triangles meet, a body can touch their edge only if all of them lie between two, less
 * than half a turn apart: the two that are farthest apart. False: there are none such. */
static bool outermost(const Mesh *m, Side *side, size_t count) {
    size_t first = 0, last = 1;
    double least = 2;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count; j++) {
            double cosine = dot(away_from_side(m, &side[i]), away_from_side(m, &side[j]));
            first = cosine < least ? i : first;
            last = cosine < least ? j : last;
            least = cosine < least ? cosine : least;
        }
    }
    Vec3 a = away_from_side(m, &side[first]), b = away_from_side(m, &side[last]);
    Vec3 middle = add(a, b);
    for (size_t k = 0; k < count; k++) {
        if (dot(away_from_side(m, &side[k]), middle) < dot(a, middle) - 1e-9) {
            return false;
        }
    }
    Side one = side[first], other = side[last];
    side[last] = side[1];
    side[1] = other;
    first = first == 1 ? last : first;
    side[first] = side[0];
    side[0] = one;
    return true;
}

static int32_t add_edge(Mesh *m, const Side *one, const Side *other) {
    m->edge[m->edges] =
        (MeshEdge){{one->low, one->high}, {one->triangle, other != NULL ? other->triangle : -1}};
    m->triangle[one->triangle].edge[one->number] = m->edges;
    if (other != NULL) {
        m->triangle[other->triangle].edge[other->number] = m->edges;
    }
    return m->edges++;
}

/* For now an edge is sharp unless nothing can touch it. */
static void add_edges(Mesh *m, Side *side, size_t count) {
    if (count <= 2) {
        m->sharp_edge[add_edge(m, side, count == 2 ? side + 1 : NULL)] = 1;
        return;
    }
    bool open = outermost(m, side, count);
    size_t k = 0;
    if (open) {
        m->sharp_edge[add_edge(m, side, side + 1)] = 1;
        k = 2;
    }
    for (; k < count; k++) {
        m->sharp_edge[add_edge(m, side + k, NULL)] = 0;
    }
}

ScreeStatus scr_mesh_edges(Mesh *m, char *message) {
    Block sides = {0};
    size_t count = 3 * (size_t)m->triangles;
    if (!scr_block_reserve_exact(&sides, count, sizeof(Side), 0)) {
        return SCREE_NO_MEMORY;
    }
    Side *side = sides.data;
    list_sides(m, side);
    size_t edges = 0; /* as many as there are kinds of sides, and one for each beyond the second */
    for (size_t k = 0, next; k < count; k = next) {
        for (next = k + 1;
             next < count && side[next].low == side[k].low && side[next].high == side[k].high;) {
            next++;
        }
        edges += next - k <= 2 ? 1 : next - k;
    }
    ScreeStatus status = SCREE_OK;
    if (!scr_block_reserve_exact(&m->edge_block, edges, sizeof(MeshEdge), 0) ||
        !scr_block_reserve_exact(&m->sharp_edge_block, edges, 1, 0)) {
        status = SCREE_NO_MEMORY;
    }
    m->edge = m->edge_block.data;
    m->sharp_edge = m->sharp_edge_block.data;
    for (size_t k = 0, next; k < count && status == SCREE_OK; k = next) {
        for (next = k + 1;
             next < count && side[next].low == side[k].low && side[next].high == side[k].high;) {
            next++;
        }
        status = next - k > 1 ? check_doubles(m, side + k, next - k, message) : SCREE_OK;
        if (status == SCREE_OK) {
            add_edges(m, side + k, next - k);
        }
    }
    scr_block_free(&sides);
    return status;
}

/* ---------------------------------------------------------------- planes */

typedef struct Turning {
    Triangles of;
    int32_t *queue, *group;
    Block queue_block, group_block;
} Turning;

/* Makes the triangles run the same way around, as far as that is possible: what files say about
 * inside and outside is often wrong, and here both sides count. */
static void copy_turned(const Mesh *m, Turning *k) {
    for (int32_t t = 0; t < m->triangles; t++) {
        Triangle *to = &k->of.triangle[t];
        memcpy(to->vertex, scr_mesh_corners(m, t), sizeof to->vertex);
        for (int e = 0; e < 3; e++) {
            const MeshEdge *edge = &m->edge[m->triangle[t].edge[e]];
            to->neighbour[e] = edge->triangle[0] == t ? edge->triangle[1] : edge->triangle[0];
        }
        k->group[t] = -1;
    }
}

static void turn_over(Triangle *t) {
    int32_t v = t->vertex[0], n = t->neighbour[1];
    t->vertex[0] = t->vertex[1];
    t->vertex[1] = v;
    t->neighbour[1] = t->neighbour[2];
    t->neighbour[2] = n;
}

/* Whether a triangle runs from a to b. */
static bool runs(const Triangle *t, int32_t a, int32_t b) {
    for (int k = 0; k < 3; k++) {
        if (t->vertex[k] == a && t->vertex[(k + 1) % 3] == b) {
            return true;
        }
    }
    return false;
}

static void turn_alike(Turning *k) {
    Triangle *triangle = k->of.triangle;
    for (int32_t seed = 0; seed < k->of.count; seed++) {
        int32_t count = 0;
        if (k->group[seed] < 0) {
            k->group[seed] = 0;
            k->queue[count++] = seed;
        }
        for (int32_t i = 0; i < count; i++) {
            const Triangle *t = &triangle[k->queue[i]];
            for (int e = 0; e < 3; e++) {
                int32_t next = t->neighbour[e];
                if (next < 0 || k->group[next] >= 0) {
                    continue;
                }
                k->group[next] = 0;
                k->queue[count++] = next;
                if (runs(&triangle[next], t->vertex[e], t->vertex[(e + 1) % 3])) {
                    turn_over(&triangle[next]);
                }
            }
        }
    }
}

/* The plane of a group is that of its largest triangle. */
static bool set_planes(Mesh *m, const Turning *k) {
    int32_t planes = 0;
    Block largest = {0};
    for (int32_t t = 0; t < m->triangles; t++) {
        m->triangle[t].plane = k->group[t];
        planes = k->group[t] >= planes ? k->group[t] + 1 : planes;
    }
    if (!scr_block_reserve_exact(&m->plane_block, (size_t)planes, sizeof(MeshPlane), 0) ||
        !scr_block_reserve(&largest, (size_t)planes, sizeof(double), 0)) {
        scr_block_free(&largest);
        return false;
    }
    double *area = largest.data;
    m->plane = m->plane_block.data;
    m->planes = planes;
    for (int32_t p = 0; p < planes; p++) {
        area[p] = 0;
    }
    for (int32_t t = 0; t < m->triangles; t++) {
        const Triangle *on = &k->of.triangle[t];
        Vec3 n = scr_triangle_normal(m->vertex, on);
        double twice = length(n);
        int32_t p = k->group[t];
        if (twice > area[p]) {
            Vec3 normal = scale(1 / twice, n);
            area[p] = twice;
            m->plane[p] = (MeshPlane){normal, dot(normal, m->vertex[on->vertex[0]])};
        }
    }
    scr_block_free(&largest);
    return true;
}

/* Edges inside of a plane are flat, unless the surface is folded there. */
static void note_flat_edges(Mesh *m) {
    for (int32_t e = 0; e < m->edges; e++) {
        const MeshEdge *edge = &m->edge[e];
        if (edge->triangle[1] < 0 ||
            m->triangle[edge->triangle[0]].plane != m->triangle[edge->triangle[1]].plane) {
            continue;
        }
        const PolyhedronEdge sides = scr_mesh_edge(m, e);
        m->sharp_edge[e] = dot(sides.inward[0], sides.inward[1]) > 0;
    }
}

/* Sharp edges at each vertex: how many, and whether two of them run straight on. */
typedef struct AtVertex {
    int32_t count, edge;
    bool straight;
} AtVertex;

static Vec3 leaving(const Mesh *m, int32_t e, int32_t v) {
    const MeshEdge *edge = &m->edge[e];
    int32_t other = edge->vertex[0] == v ? edge->vertex[1] : edge->vertex[0];
    return unit(sub(m->vertex[other], m->vertex[v]));
}

static bool note_sharp_vertices(Mesh *m) {
    Block block = {0};
    if (!scr_block_reserve_exact(&m->sharp_vertex_block, (size_t)m->vertices, 1, 0) ||
        !scr_block_reserve(&block, (size_t)m->vertices, sizeof(AtVertex), 0)) {
        scr_block_free(&block);
        return false;
    }
    AtVertex *at = block.data;
    m->sharp_vertex = m->sharp_vertex_block.data;
    memset(at, 0, (size_t)m->vertices * sizeof *at);
    for (int32_t e = 0; e < m->edges; e++) {
        for (int k = 0; k < 2 && m->sharp_edge[e]; k++) {
            int32_t v = m->edge[e].vertex[k];
            at[v].straight =
                at[v].count == 1 && dot(leaving(m, e, v), leaving(m, at[v].edge, v)) < -1 + 1e-12;
            at[v].edge = e;
            at[v].count++;
        }
    }
    for (int32_t v = 0; v < m->vertices; v++) {
        m->sharp_vertex[v] = at[v].count > 0 && !(at[v].count == 2 && at[v].straight);
    }
    scr_block_free(&block);
    return true;
}

/* Files in single precision have planes that are flat to a ten-millionth of their coordinates. */
static const double flat = 1e-7;

ScreeStatus scr_mesh_planes(Mesh *m) {
    Turning k = {.of = {.count = m->triangles}};
    size_t count = (size_t)m->triangles;
    bool ok = SCR_RESERVE(&k.of, triangle, count) && SCR_RESERVE(&k, queue, count) &&
              SCR_RESERVE(&k, group, count);
    if (ok) {
        copy_turned(m, &k);
        turn_alike(&k);
        ok = scr_plane_groups(m->vertex, &k.of, flat * m->size, k.group) && set_planes(m, &k);
    }
    SCR_FREE_BLOCKS(&k.of.triangle_block, &k.queue_block, &k.group_block);
    if (ok) {
        note_flat_edges(m);
        ok = note_sharp_vertices(m);
    }
    return ok ? SCREE_OK : SCREE_NO_MEMORY;
}

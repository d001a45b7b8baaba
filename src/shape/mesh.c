#include "shape/mesh.h"

#include "base/status.h"
#include "shape/hull.h"
#include "shape/triangles.h"

#include <string.h>

void scr_mesh_free(Mesh *m) {
    SCR_FREE_BLOCKS(&m->vertex_block, &m->corner_block, &m->triangle_block, &m->edge_block,
                    &m->plane_block, &m->box_block, &m->order_block, &m->sharp_vertex_block,
                    &m->sharp_edge_block, &m->part_block);
    *m = (Mesh){0};
}

size_t scr_mesh_bytes(const Mesh *m) {
    return m->vertex_block.bytes + m->corner_block.bytes + m->triangle_block.bytes +
           m->edge_block.bytes + m->plane_block.bytes + m->box_block.bytes + m->order_block.bytes +
           m->sharp_vertex_block.bytes + m->sharp_edge_block.bytes + m->part_block.bytes;
}

/* ---------------------------------------------------------------- checks */

/* Names of contacts must have room for vertices, edges and two sides of planes. */
enum { MOST_TRIANGLES = 200 * 1000 * 1000 };

static ScreeStatus check_vertices(const ScreeMeshDef *def, char *message) {
    for (size_t k = 0; k < def->vertices; k++) {
        if (!is_finite(def->vertex[k])) {
            return scr_fail(message, SCREE_BAD_ARGUMENT,
                            "vertex %zu: its coordinates are not finite", k);
        }
    }
    double size, away;
    scr_extent(def->vertex, def->vertices, &size, &away);
    return size > 1e-30 && away < 1e30
               ? SCREE_OK
               : scr_fail(message, SCREE_BAD_ARGUMENT, "its size must lie between 1e-30 and 1e30");
}

static ScreeStatus check_triangle(const ScreeMeshDef *def, size_t t, double away, char *message) {
    const int32_t *v = def->corner + 3 * t;
    for (int k = 0; k < 3; k++) {
        if (v[k] < 0 || (size_t)v[k] >= def->vertices) {
            return scr_fail(message, SCREE_BAD_ARGUMENT,
                            "triangle %zu: there is no vertex %d, only %zu of them", t, v[k],
                            def->vertices);
        }
    }
    const Triangle triangle = {.vertex = {v[0], v[1], v[2]}};
    double longest = scr_longest_side(def->vertex, &triangle);
    double height = length(scr_triangle_normal(def->vertex, &triangle)) / longest;
    if (!(height > 4 * 0x1p-52 * away)) {
        return scr_fail(message, SCREE_BAD_ARGUMENT,
                        "triangle %zu: it has no area, its vertices %d, %d and %d lie on one line: "
                        "remove it",
                        t, v[0], v[1], v[2]);
    }
    if (def->part != NULL && (def->part[t] < 0 || def->part[t] >= def->parts)) {
        return scr_fail(message, SCREE_BAD_ARGUMENT, "triangle %zu: there is no part %d", t,
                        def->part[t]);
    }
    return SCREE_OK;
}

static ScreeStatus check(const ScreeMeshDef *def, char *message) {
    if (def->triangles == 0 || def->vertices == 0 || def->vertex == NULL || def->corner == NULL) {
        return scr_fail(message, SCREE_BAD_ARGUMENT, "a mesh needs at least one triangle");
    }
    if (def->triangles > MOST_TRIANGLES || def->vertices > MOST_TRIANGLES) {
        return scr_fail(message, SCREE_BAD_ARGUMENT,
                        "a mesh has at most %d triangles and as many vertices",
                        (int)MOST_TRIANGLES);
    }
    SCR_TRY(check_vertices(def, message));
    double size, away;
    scr_extent(def->vertex, def->vertices, &size, &away);
    for (size_t t = 0; t < def->triangles; t++) {
        SCR_TRY(check_triangle(def, t, away, message));
    }
    return SCREE_OK;
}

/* ---------------------------------------------------------------- the whole */

static bool take_over(const ScreeMeshDef *def, Mesh *m) {
    size_t parts = def->part != NULL && def->parts > 1 ? def->triangles : 0;
    if (!scr_block_reserve_exact(&m->vertex_block, def->vertices, sizeof(Vec3), 0) ||
        !scr_block_reserve_exact(&m->corner_block, def->triangles, 3 * sizeof(int32_t), 0) ||
        !scr_block_reserve_exact(&m->triangle_block, def->triangles, sizeof(MeshTriangle), 0) ||
        (parts > 0 && !scr_block_reserve_exact(&m->part_block, parts, sizeof(int32_t), 0))) {
        return false;
    }
    m->vertex = m->vertex_block.data;
    m->corner = m->corner_block.data;
    m->triangle = m->triangle_block.data;
    m->part = parts > 0 ? m->part_block.data : NULL;
    m->parts = parts > 0 ? def->parts : 1;
    m->vertices = (int32_t)def->vertices;
    m->triangles = (int32_t)def->triangles;
    memcpy(m->vertex, def->vertex, def->vertices * sizeof *m->vertex);
    memcpy(m->corner, def->corner, 3 * def->triangles * sizeof *m->corner);
    if (parts > 0) {
        memcpy(m->part, def->part, parts * sizeof *m->part);
    }
    scr_extent(m->vertex, def->vertices, &m->size, &m->away);
    return true;
}

ScreeStatus scr_mesh_build(const ScreeMeshDef *def, Mesh *m, char *message) {
    *m = (Mesh){0};
    SCR_TRY(check(def, message));
    ScreeStatus status = take_over(def, m) ? scr_mesh_edges(m, message) : SCREE_NO_MEMORY;
    status = status == SCREE_OK ? scr_mesh_planes(m) : status;
    bool known = status != SCREE_OK || (scr_mesh_sides(m) && scr_mesh_tree(m));
    status = known ? status : SCREE_NO_MEMORY;
    if (status != SCREE_OK) {
        scr_mesh_free(m);
    }
    return status == SCREE_NO_MEMORY ? scr_no_memory(message) : status;
}

ScreeMeshDef scr_mesh_def(const Mesh *m) {
    return (ScreeMeshDef){
        (size_t)m->vertices, (size_t)m->triangles, m->vertex, m->corner, m->part, m->parts};
}

static bool copy_block(const Block *from, Block *to, size_t bytes) {
    if (bytes == 0 || !scr_block_reserve_exact(to, bytes, 1, 0)) {
        return bytes == 0;
    }
    memcpy(to->data, from->data, bytes);
    return true;
}

bool scr_mesh_copy(const Mesh *from, Mesh *to) {
    const size_t v = (size_t)from->vertices, t = (size_t)from->triangles, e = (size_t)from->edges;
    *to = *from;
    to->vertex_block = to->corner_block = to->triangle_block = to->edge_block = (Block){0};
    to->plane_block = to->box_block = to->order_block = to->part_block = (Block){0};
    to->sharp_vertex_block = to->sharp_edge_block = (Block){0};
    bool ok = copy_block(&from->vertex_block, &to->vertex_block, v * sizeof *to->vertex) &&
              copy_block(&from->corner_block, &to->corner_block, 3 * t * sizeof *to->corner) &&
              copy_block(&from->triangle_block, &to->triangle_block, t * sizeof *to->triangle) &&
              copy_block(&from->edge_block, &to->edge_block, e * sizeof *to->edge) &&
              copy_block(&from->plane_block, &to->plane_block,
                         (size_t)from->planes * sizeof *to->plane) &&
              copy_block(&from->box_block, &to->box_block, (size_t)from->boxes * sizeof *to->box) &&
              copy_block(&from->order_block, &to->order_block, t * sizeof *to->order) &&
              copy_block(&from->sharp_vertex_block, &to->sharp_vertex_block, v) &&
              copy_block(&from->sharp_edge_block, &to->sharp_edge_block, e) &&
              copy_block(&from->part_block, &to->part_block,
                         from->part != NULL ? t * sizeof *to->part : 0);
    if (!ok) {
        scr_mesh_free(to);
        return false;
    }
    to->vertex = to->vertex_block.data;
    to->corner = to->corner_block.data;
    to->triangle = to->triangle_block.data;
    to->edge = to->edge_block.data;
    to->plane = to->plane_block.data;
    to->box = to->box_block.data;
    to->order = to->order_block.data;
    to->sharp_vertex = to->sharp_vertex_block.data;
    to->sharp_edge = to->sharp_edge_block.data;
    to->part = to->part_block.data;
    return true;
}

bool scr_meshes_are_equal(const Mesh *a, const Mesh *b) {
    const size_t v = (size_t)a->vertices, t = (size_t)a->triangles;
    return a->vertices == b->vertices && a->triangles == b->triangles && a->parts == b->parts &&
           memcmp(a->vertex, b->vertex, v * sizeof *a->vertex) == 0 &&
           memcmp(a->corner, b->corner, 3 * t * sizeof *a->corner) == 0 &&
           (a->part == NULL || memcmp(a->part, b->part, t * sizeof *a->part) == 0);
}

/* ---------------------------------------------------------------- one feature */

/* In triangle t, away from its edge from p along the unit vector `along`. */
static Vec3 inward_of(const Mesh *m, int32_t t, Vec3 p, Vec3 along) {
    Vec3 far = vec3(0, 0, 0);
    double most = 0;
    for (int k = 0; k < 3; k++) { /* the corner that is not on the edge */
        Vec3 w = sub(m->vertex[scr_mesh_corners(m, t)[k]], p);
        w = add_scaled(w, -dot(w, along), along);
        double square = dot(w, w);
        far = square > most ? w : far;
        most = square > most ? square : most;
    }
    return unit(far);
}

PolyhedronEdge scr_mesh_edge(const Mesh *m, int32_t e) {
    const MeshEdge *edge = &m->edge[e];
    Vec3 from = m->vertex[edge->vertex[0]], d = sub(m->vertex[edge->vertex[1]], from);
    PolyhedronEdge made = {.length = length(d), .kind = m->sharp_edge[e] ? EDGE_CONVEX : EDGE_FLAT};
    made.along = scale(1 / made.length, d);
    made.inward[0] = inward_of(m, edge->triangle[0], from, made.along);
    made.inward[1] =
        edge->triangle[1] >= 0 ? inward_of(m, edge->triangle[1], from, made.along) : made.inward[0];
    return made;
}

static void set_vertex(const Mesh *m, int32_t v, int k, MeshFeature *f) {
    f->x[k] = m->vertex[v].x;
    f->y[k] = m->vertex[v].y;
    f->z[k] = m->vertex[v].z;
}

void scr_mesh_feature(const Mesh *m, int32_t element, MeshFeature *f) {
    f->part = (Polyhedron){.x = f->x, .y = f->y, .z = f->z, .edge = &f->edge, .face = &f->face};
    f->part.radius = f->part.extent = m->away;
    if (element < m->vertices) {
        f->kind = ELEMENT_VERTEX;
        set_vertex(m, element, 0, f);
        return;
    }
    element -= m->vertices;
    if (element < m->edges) {
        f->kind = ELEMENT_EDGE;
        f->edge = scr_mesh_edge(m, element);
        for (int k = 0; k < 2; k++) {
            set_vertex(m, m->edge[element].vertex[k], k, f);
            f->edge.vertex[k] = k;
        }
        return;
    }
    element -= m->edges;
    const MeshPlane *plane = &m->plane[element / 2];
    double sign = element % 2 == 0 ? 1 : -1;
    f->kind = ELEMENT_FACE;
    f->face =
        (PolyhedronFace){.normal = scale(sign, plane->normal), .offset = sign * plane->offset};
}

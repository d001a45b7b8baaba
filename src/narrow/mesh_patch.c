#include "narrow/mesh_patch.h"

#include <string.h>

void scr_mesh_patch_free(MeshPatch *p) {
    SCR_FREE_BLOCKS(&p->near.item_block, &p->number_block, &p->name_block, &p->flag_block,
                    &p->edge_block, &p->face_block, &p->slot_block);
    *p = (MeshPatch){0};
}

Polyhedron scr_empty_patch(const Mesh *m) {
    return (Polyhedron){.radius = 2 * m->away, .extent = INFINITY};
}

/* ---------------------------------------------------------------- numbers */

/* Where a number of the surface stands in the table, or would. Vertices and edges are told apart by
 * their elements. */
static size_t find_slot(const MeshPatch *p, int32_t element) {
    size_t at = ((size_t)(uint32_t)element * 2654435761u) & (p->slots - 1);
    while (p->slot[2 * at] != -1 && p->slot[2 * at] != element) {
        at = (at + 1) & (p->slots - 1);
    }
    return at;
}

/* The number here, which is `next` for one that is new. */
static int32_t number_of(MeshPatch *p, int32_t element, int32_t next) {
    size_t at = find_slot(p, element);
    if (p->slot[2 * at] == -1) {
        p->slot[2 * at] = element;
        p->slot[2 * at + 1] = next;
    }
    return p->slot[2 * at + 1];
}

/* ---------------------------------------------------------------- room */

/* Every triangle may have three vertices and three edges of its own, and edges are there twice, for
 * both sides. A patch without triangles has room too, so that none of its arrays is missing. */
static bool make_room(MeshPatch *p, size_t triangles) {
    triangles = triangles > 0 ? triangles : 1;
    size_t faces = 2 * triangles, vertices = 3 * triangles, edges = 3 * faces;
    p->slots = 16;
    while (p->slots < 12 * triangles) {
        p->slots *= 2;
    }
    size_t names = 2 * (vertices + edges + faces) + 6 * faces + vertices + 2 + 2 * edges;
    if (!SCR_RESERVE(p, number, 3 * vertices) || !SCR_RESERVE(p, edge, edges) ||
        !SCR_RESERVE(p, face, faces) || !SCR_RESERVE(p, slot, 2 * p->slots) ||
        !SCR_RESERVE(p, name, names) || !SCR_RESERVE(p, flag, 2 * vertices + edges + faces)) {
        return false;
    }
    memset(p->slot, -1, 2 * p->slots * sizeof *p->slot);
    Polyhedron *h = &p->part;
    h->x = p->number;
    h->y = h->x + vertices;
    h->z = h->y + vertices;
    h->edge = p->edge;
    h->face = p->face;
    p->element[ELEMENT_VERTEX] = p->name;
    p->element[ELEMENT_EDGE] = p->element[ELEMENT_VERTEX] + vertices;
    p->element[ELEMENT_FACE] = p->element[ELEMENT_EDGE] + edges;
    h->loop_vertex = p->element[ELEMENT_FACE] + faces;
    h->loop_edge = h->loop_vertex + 3 * faces;
    h->star_first = h->loop_edge + 3 * faces;
    h->star_edge = h->star_first + vertices + 1;
    p->mute[ELEMENT_VERTEX] = p->flag;
    p->mute[ELEMENT_EDGE] = p->mute[ELEMENT_VERTEX] + vertices;
    p->mute[ELEMENT_FACE] = p->mute[ELEMENT_EDGE] + edges;
    p->sharp = p->mute[ELEMENT_FACE] + faces;
    return true;
}

/* ---------------------------------------------------------------- features */

static int32_t part_of(const Mesh *m, int32_t triangle) {
    return m->part != NULL ? m->part[triangle] : 0;
}

static int32_t add_vertex(const Mesh *m, int32_t v, bool own, MeshPatch *p) {
    Polyhedron *h = &p->part;
    int32_t here = number_of(p, v, h->vertices);
    if (here == h->vertices) {
        h->x[here] = m->vertex[v].x;
        h->y[here] = m->vertex[v].y;
        h->z[here] = m->vertex[v].z;
        p->element[ELEMENT_VERTEX][here] = v;
        p->sharp[here] = m->sharp_vertex[v];
        p->mute[ELEMENT_VERTEX][here] = 1;
        h->vertices++;
    }
    /* one that several parts have belongs to all of them */
    p->mute[ELEMENT_VERTEX][here] = p->mute[ELEMENT_VERTEX][here] && !own;
    return here;
}

/* Whether a sharp edge is hollow, seen from one side: the second triangle rises over the first. */
static bool is_hollow(const Mesh *m, int32_t e, const PolyhedronEdge *edge, MeshSides sides) {
    Vec3 n = m->plane[m->triangle[m->edge[e].triangle[0]].plane].normal;
    double rises = dot(edge->inward[1], n);
    return sides == MESH_FRONT ? rises > 0 : sides == MESH_BACK ? rises < 0 : false;
}

static int32_t add_edge(const Mesh *m, int32_t e, bool own, MeshSides sides, MeshPatch *p) {
    Polyhedron *h = &p->part;
    int32_t here = number_of(p, m->vertices + e, h->edges);
    if (here == h->edges) {
        h->edge[here] = scr_mesh_edge(m, e);
        if (is_hollow(m, e, &h->edge[here], sides)) {
            h->edge[here].kind = EDGE_REFLEX;
        }
        for (int k = 0; k < 2; k++) {
            h->edge[here].vertex[k] = add_vertex(m, m->edge[e].vertex[k], false, p);
            h->edge[here].face[k] = INT32_MAX;
        }
        p->element[ELEMENT_EDGE][here] = scr_mesh_edge_element(m, e);
        p->mute[ELEMENT_EDGE][here] = 1;
        h->edges++;
    }
    p->mute[ELEMENT_EDGE][here] = p->mute[ELEMENT_EDGE][here] && !own;
    return here;
}

/* The first side of a triangle: the back if only that is wanted. */
static void add_front(const Mesh *m, int32_t t, int32_t which, MeshSides sides, MeshPatch *p) {
    Polyhedron *h = &p->part;
    const MeshTriangle *on = &m->triangle[t];
    const MeshPlane *plane = &m->plane[on->plane];
    bool own = which < 0 || part_of(m, t) == which;
    int32_t f = h->faces++;
    const int side = sides == MESH_BACK ? 1 : 0;
    const double sign = side == 1 ? -1 : 1;
    h->face[f] = (PolyhedronFace){scale(sign, plane->normal), sign * plane->offset, 3 * f, 3};
    p->element[ELEMENT_FACE][f] = scr_mesh_plane_element(m, on->plane, side);
    p->mute[ELEMENT_FACE][f] = !own;
    for (int k = 0; k < 3; k++) {
        int32_t e = add_edge(m, on->edge[k], own, sides, p);
        h->loop_vertex[3 * f + k] = add_vertex(m, scr_mesh_corners(m, t)[k], own, p);
        h->loop_edge[3 * f + k] = e;
        h->edge[e].face[m->edge[on->edge[k]].triangle[0] == t ? 0 : 1] = f;
    }
}

/* The other side of a triangle has edges of its own, which are there for their inward directions only:
 * what touches an edge does not ask for sides. */
static void add_back(const Mesh *m, int32_t front, int32_t t, int32_t fronts, MeshPatch *p) {
    Polyhedron *h = &p->part;
    int32_t f = h->faces++;
    const PolyhedronFace *face = &h->face[front];
    h->face[f] = (PolyhedronFace){scale(-1, face->normal), -face->offset, 3 * f, 3};
    p->element[ELEMENT_FACE][f] = scr_mesh_plane_element(m, m->triangle[t].plane, 1);
    p->mute[ELEMENT_FACE][f] = p->mute[ELEMENT_FACE][front];
    for (int k = 0; k < 3; k++) {
        int32_t e = h->loop_edge[3 * front + k], copy = h->edges++;
        h->edge[copy] = h->edge[e];
        h->edge[copy].kind = EDGE_FLAT;
        for (int s = 0; s < 2; s++) {
            int32_t of = h->edge[e].face[s];
            h->edge[copy].face[s] = of < fronts ? fronts + of : INT32_MAX;
        }
        p->element[ELEMENT_EDGE][copy] = -1;
        h->loop_vertex[3 * f + k] = h->loop_vertex[3 * front + k];
        h->loop_edge[3 * f + k] = copy;
    }
}

/* The edges around each vertex, by counting; `edges` without those of other sides. */
static void make_stars(Polyhedron *h, int32_t edges) {
    memset(h->star_first, 0, ((size_t)h->vertices + 1) * sizeof *h->star_first);
    for (int32_t e = 0; e < edges; e++) {
        h->star_first[h->edge[e].vertex[0]]++;
        h->star_first[h->edge[e].vertex[1]]++;
    }
    int32_t sum = 0;
    for (int32_t v = 0; v <= h->vertices; v++) {
        int32_t own = h->star_first[v];
        sum += own;
        h->star_first[v] = sum; /* the end: filled from there down to the beginning */
    }
    for (int32_t e = edges - 1; e >= 0; e--) {
        h->star_edge[--h->star_first[h->edge[e].vertex[0]]] = e;
        h->star_edge[--h->star_first[h->edge[e].vertex[1]]] = e;
    }
}

/* ---------------------------------------------------------------- the whole */

static bool find_triangles(const Mesh *m, const Polyhedron *part, const RelativePose *pose,
                           double far, MeshPatch *p) {
    Vec3 low = vec3(INFINITY, INFINITY, INFINITY), high = scale(-1, low);
    if (scr_is_smooth(part)) {
        low = high = scr_point_to_b(pose, part->middle);
        far += part->extent;
    }
    for (int32_t v = 0; v < part->vertices && !scr_is_smooth(part); v++) {
        Vec3 x = scr_point_to_b(pose, scr_vertex(part, v));
        low = vec3(scr_min(low.x, x.x), scr_min(low.y, x.y), scr_min(low.z, x.z));
        high = vec3(scr_max(high.x, x.x), scr_max(high.y, x.y), scr_max(high.z, x.z));
    }
    const Vec3 more = vec3(far, far, far);
    return scr_mesh_find(m, sub(low, more), add(high, more), &p->near);
}

bool scr_make_patch(const Mesh *m, int32_t which, MeshSides sides, const Polyhedron *part,
                    const RelativePose *pose, double far, MeshPatch *p) {
    p->part = scr_empty_patch(m);
    if (!find_triangles(m, part, pose, far, p) || !make_room(p, p->near.count)) {
        return false;
    }
    for (size_t k = 0; k < p->near.count; k++) {
        add_front(m, p->near.item[k], which, sides, p);
    }
    int32_t edges = p->part.edges, faces = p->part.faces;
    for (int32_t f = 0; f < faces && sides == MESH_BOTH; f++) {
        add_back(m, f, p->near.item[f], faces, p);
    }
    make_stars(&p->part, edges);
    return true;
}

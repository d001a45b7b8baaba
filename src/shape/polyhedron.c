#include "shape/polyhedron.h"

#include <string.h>

/* Edges that bend by less than this, as a sine, are flat. */
static const double flat = 1e-9;

static size_t count_corners(const PolyhedronDef *def) {
    size_t count = 0;
    for (size_t f = 0; f < def->faces; f++) {
        count += (size_t)def->corners[f];
    }
    return count;
}

/* ---------------------------------------------------------------- room */

/* The arrays one after the other, the widest types first. Every edge has two corners of faces. */
static bool make_room(size_t vertices, size_t edges, size_t faces, size_t corners, Polyhedron *p) {
    size_t around = 2 * edges;
    size_t bytes = edges * sizeof *p->edge + faces * sizeof *p->face + 3 * vertices * sizeof *p->x +
                   (2 * corners + vertices + 1 + 3 * around) * sizeof(int32_t);
    if (!scr_block_reserve_exact(&p->block, bytes, 1, 0)) {
        return false;
    }
    memset(p->block.data, 0, bytes);
    p->edge = p->block.data;
    p->face = (PolyhedronFace *)(p->edge + edges);
    p->x = (double *)(p->face + faces);
    p->y = p->x + vertices;
    p->z = p->y + vertices;
    p->loop_vertex = (int32_t *)(p->z + vertices);
    p->loop_edge = p->loop_vertex + corners;
    p->star_first = p->loop_edge + corners;
    p->star_vertex = p->star_first + vertices + 1;
    p->star_edge = p->star_vertex + around;
    p->star_face = p->star_edge + around;
    p->vertices = (int32_t)vertices;
    p->edges = (int32_t)edges;
    p->faces = (int32_t)faces;
    return true;
}

/* ---------------------------------------------------------------- faces */

/* Newell's sum: the normal of the polygon that fits best, whichever corners lie in a line. */
static void make_face(Polyhedron *p, int32_t f) {
    PolyhedronFace *face = &p->face[f];
    const int32_t *loop = p->loop_vertex + face->first;
    Vec3 sum = vec3(0, 0, 0), origin = scr_vertex(p, loop[0]);
    for (int32_t k = 1; k + 1 < face->count; k++) {
        Vec3 one = sub(scr_vertex(p, loop[k]), origin),
             other = sub(scr_vertex(p, loop[k + 1]), origin);
        sum = add(sum, cross(one, other));
    }
    face->normal = unit(sum);
    face->offset = 0;
    for (int32_t k = 0; k < face->count; k++) {
        face->offset += dot(face->normal, scr_vertex(p, loop[k])) / face->count;
    }
}

static void make_faces(const PolyhedronDef *def, Polyhedron *p) {
    int32_t first = 0;
    for (int32_t f = 0; f < p->faces; f++) {
        p->face[f].first = first;
        p->face[f].count = def->corners[f];
        first += def->corners[f];
    }
    if (first > 0) {
        memcpy(p->loop_vertex, def->corner, (size_t)first * sizeof *p->loop_vertex);
    }
    for (int32_t f = 0; f < p->faces; f++) {
        make_face(p, f);
    }
}

/* ---------------------------------------------------------------- edges */

/* The next corner of a face. */
static int32_t next_in_loop(const PolyhedronFace *face, int32_t corner) {
    return corner + 1 < face->first + face->count ? corner + 1 : face->first;
}

/* Corners of faces by their vertex: star_first holds where those of a vertex begin, star_face the
 * face and star_vertex the corner. Each vertex of a closed surface has as many faces as edges. */
static void sort_corners(Polyhedron *p) {
    for (int32_t f = 0; f < p->faces; f++) {
        for (int32_t k = p->face[f].first; k < p->face[f].first + p->face[f].count; k++) {
            p->star_first[p->loop_vertex[k] + 1]++;
        }
    }
    for (int32_t v = 0; v < p->vertices; v++) {
        p->star_first[v + 1] += p->star_first[v];
    }
    for (int32_t f = p->faces - 1; f >= 0; f--) {
        for (int32_t k = p->face[f].first + p->face[f].count - 1; k >= p->face[f].first; k--) {
            int32_t at = --p->star_first[p->loop_vertex[k] + 1];
            p->star_face[at] = f;
            p->star_vertex[at] = k;
        }
    }
    /* each start has moved down to that of its own vertex: one place too far */
    for (int32_t v = 0; v < p->vertices; v++) {
        p->star_first[v] = p->star_first[v + 1];
    }
    p->star_first[p->vertices] = 2 * p->edges;
}

/* The corner of some face at vertex `from` that is followed by vertex `to`; -1: none, -2: several. */
static int32_t find_corner(const Polyhedron *p, int32_t from, int32_t to) {
    int32_t found = -1;
    for (int32_t at = p->star_first[from]; at < p->star_first[from + 1]; at++) {
        int32_t corner = p->star_vertex[at];
        if (p->loop_vertex[next_in_loop(&p->face[p->star_face[at]], corner)] == to) {
            found = found == -1 ? corner : -2;
        }
    }
    return found;
}

static EdgeKind kind_of_edge(const Polyhedron *p, const PolyhedronEdge *e) {
    double bend = dot(e->inward[0], p->face[e->face[1]].normal);
    if (fabs(bend) <= flat) { /* the rim of a plate has both faces on the same side */
        return dot(e->inward[0], e->inward[1]) > 0 ? EDGE_CONVEX : EDGE_FLAT;
    }
    return bend < 0 ? EDGE_CONVEX : EDGE_REFLEX;
}

static void make_edge(Polyhedron *p, int32_t at, int32_t from, int32_t to, int32_t left,
                      int32_t right) {
    PolyhedronEdge *e = &p->edge[at];
    Vec3 d = sub(scr_vertex(p, to), scr_vertex(p, from));
    *e = (PolyhedronEdge){
        .vertex = {from, to}, .face = {left, right}, .along = unit(d), .length = length(d)};
    if (left >= 0) {
        e->inward[0] = cross(p->face[left].normal, e->along);
        e->inward[1] = scale(-1, cross(p->face[right].normal, e->along));
        e->kind = kind_of_edge(p, e);
    }
}

static bool wrong(PolyhedronFault *fault, const char *words, int32_t from, int32_t to) {
    if (fault != NULL) {
        *fault = (PolyhedronFault){words, {from, to}};
    }
    return false;
}

/* Every corner of a face begins an edge, which another face must run along the other way. */
static bool make_edges(Polyhedron *p, PolyhedronFault *fault) {
    int32_t made = 0;
    for (int32_t f = 0; f < p->faces; f++) {
        const PolyhedronFace *face = &p->face[f];
        for (int32_t k = face->first; k < face->first + face->count; k++) {
            int32_t from = p->loop_vertex[k], to = p->loop_vertex[next_in_loop(face, k)];
            int32_t back = find_corner(p, to, from);
            if (find_corner(p, from, to) == -2 || back == -2) {
                return wrong(fault, "more than two faces meet at an edge, or one is turned over",
                             from, to);
            }
            if (back == -1) {
                return wrong(fault, "the surface is open at an edge", from, to);
            }
            int32_t right = p->star_face[p->star_first[to]];
            for (int32_t at = p->star_first[to]; p->star_vertex[at] != back; at++) {
                right = p->star_face[at + 1];
            }
            if (from < to) {
                p->loop_edge[k] = p->loop_edge[back] = made;
                make_edge(p, made++, from, to, f, right);
            }
        }
    }
    return true;
}

/* ---------------------------------------------------------------- stars */

/* Neighbours in the order in which the surface runs around the vertex: from the edge that begins at
 * a corner, across its face, to the edge that ends there. */
static bool order_star(Polyhedron *p, int32_t v, PolyhedronFault *fault) {
    int32_t first = p->star_first[v], count = p->star_first[v + 1] - first;
    int32_t corner = p->star_vertex[first], face = p->star_face[first];
    for (int32_t k = 0; k < count; k++) {
        int32_t edge = p->loop_edge[corner];
        const PolyhedronEdge *e = &p->edge[edge];
        p->star_edge[first + k] = edge;
        p->star_face[first + k] = face;
        p->star_vertex[first + k] = e->vertex[0] == v ? e->vertex[1] : e->vertex[0];
        const PolyhedronFace *of = &p->face[face];
        int32_t before = corner > of->first ? corner - 1 : of->first + of->count - 1;
        const PolyhedronEdge *back = &p->edge[p->loop_edge[before]];
        face = back->face[0] == face ? back->face[1] : back->face[0];
        corner = p->face[face].first;
        while (p->loop_vertex[corner] != v) {
            corner++;
        }
        if (k + 1 < count && face == p->star_face[first]) {
            return wrong(fault, "the surface touches itself at a vertex", v, v);
        }
    }
    return true;
}

static bool make_stars(Polyhedron *p, PolyhedronFault *fault) {
    for (int32_t v = 0; v < p->vertices; v++) {
        if (p->star_first[v] == p->star_first[v + 1]) {
            return wrong(fault, "a vertex belongs to no face", v, v);
        }
        if (!order_star(p, v, fault)) {
            return false;
        }
    }
    return true;
}

/* ---------------------------------------------------------------- the whole */

/* The one edge of a rod, and the stars of its ends. */
static void make_rod(Polyhedron *p) {
    make_edge(p, 0, 0, 1, -1, -1);
    for (int32_t v = 0; v < 2; v++) {
        p->star_first[v + 1] = v + 1;
        p->star_vertex[v] = 1 - v;
        p->star_face[v] = -1;
    }
}

/* The ball about the middle of its box that holds all vertices. */
static void make_ball(Polyhedron *p) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int32_t v = 0; v < p->vertices; v++) {
        const double x[3] = {p->x[v], p->y[v], p->z[v]};
        for (int i = 0; i < 3; i++) {
            low[i] = scr_min(low[i], x[i]);
            high[i] = scr_max(high[i], x[i]);
        }
    }
    p->middle = vec3(0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.5 * (low[2] + high[2]));
    for (int32_t v = 0; v < p->vertices; v++) {
        p->extent = scr_max(p->extent, length(sub(scr_vertex(p, v), p->middle)));
    }
}

/* One closed surface (Euler) without a reflex edge; a ball or a rod. */
static bool all_convex(const Polyhedron *p) {
    if (p->faces > 0 && p->vertices - p->edges + p->faces != 2) {
        return false;
    }
    for (int32_t e = 0; e < p->edges; e++) {
        if (p->edge[e].kind == EDGE_REFLEX) {
            return false;
        }
    }
    return true;
}

static void set_vertices(const PolyhedronDef *def, Polyhedron *p) {
    for (int32_t v = 0; v < p->vertices; v++) {
        p->x[v] = def->vertex[v].x;
        p->y[v] = def->vertex[v].y;
        p->z[v] = def->vertex[v].z;
        p->radius = scr_max(p->radius, length(def->vertex[v]));
    }
}

/* The surface of patches that the vertices are the control points of. */
static ScreeStatus make_patchwork(const PolyhedronDef *def, Polyhedron *p, PolyhedronFault *fault) {
    const PatchworkDef patches = {
        def->vertices, def->vertex, def->weight, {def->form[0], def->form[1]}};
    PatchFault found = {.words = "there is no such surface"};
    if (def->rounding != 0) {
        wrong(fault, "a NURBS surface takes no rounding", -1, -1);
        return SCREE_BAD_ARGUMENT;
    }
    if (!scr_block_reserve_exact(&p->patchwork_block, 1, sizeof(Patchwork), 0)) {
        return SCREE_NO_MEMORY;
    }
    Patchwork *made = p->patchwork_block.data;
    ScreeStatus status = scr_patchwork_build(&patches, made, &found);
    if (status == SCREE_BAD_ARGUMENT) {
        wrong(fault, found.words, found.patch, found.point);
    }
    p->smooth = (SmoothPart){
        .kind = SCREE_PART_NURBS, .form = {def->form[0], def->form[1]}, .patchwork = made};
    return status;
}

static ScreeStatus make_smooth(const PolyhedronDef *def, Polyhedron *p, PolyhedronFault *fault) {
    if (def->kind == SCREE_PART_NURBS && def->faces == 0) {
        return make_patchwork(def, p, fault);
    }
    const char *words =
        def->vertices != scr_smooth_vertices(def->kind) || def->faces > 0
            ? "a smooth part has other vertices, and no faces"
            : scr_smooth_make(def->kind, def->form, def->vertex, def->rounding, &p->smooth);
    if (words != NULL) {
        wrong(fault, words, 0, 0);
    }
    return words != NULL ? SCREE_BAD_ARGUMENT : SCREE_OK;
}

/* A smooth part, whose vertices say where it is. */
static ScreeStatus build_smooth(const PolyhedronDef *def, Polyhedron *p, PolyhedronFault *fault) {
    ScreeStatus status = make_smooth(def, p, fault);
    if (status == SCREE_OK && !make_room(def->vertices, 0, 0, 0, p)) {
        status = SCREE_NO_MEMORY;
    }
    if (status != SCREE_OK) {
        scr_polyhedron_free(p);
        return status;
    }
    set_vertices(def, p);
    p->convex = true; /* a surface of patches has its own methods, whether it is or not */
    p->elements = scr_is_patchwork(p) ? 2 * p->smooth.patchwork->cells : SMOOTH_ELEMENTS;
    p->middle = scr_smooth_middle(&p->smooth);
    p->extent = scr_smooth_extent(&p->smooth);
    p->radius = scr_smooth_radius(&p->smooth);
    return SCREE_OK;
}

ScreeStatus scr_polyhedron_build(const PolyhedronDef *def, Polyhedron *p, PolyhedronFault *fault) {
    if (def->kind != SCREE_PART_POLYHEDRON) {
        *p = (Polyhedron){.rounding = def->rounding};
        return build_smooth(def, p, fault);
    }
    size_t corners = count_corners(def), edges = def->faces > 0 ? corners / 2 : def->vertices - 1;
    *p = (Polyhedron){.rounding = def->rounding};
    if (corners % 2 != 0) {
        wrong(fault, "the surface is open", 0, 0);
        return SCREE_BAD_ARGUMENT;
    }
    if (!make_room(def->vertices, edges, def->faces, corners, p)) {
        return SCREE_NO_MEMORY;
    }
    set_vertices(def, p);
    make_ball(p);
    p->elements = p->vertices + p->edges + p->faces;
    bool sound = true;
    if (def->faces > 0) {
        make_faces(def, p);
        sort_corners(p);
        sound = make_edges(p, fault) && make_stars(p, fault);
    } else if (def->vertices == 2) {
        make_rod(p);
    }
    p->convex = all_convex(p);
    if (!sound) {
        scr_polyhedron_free(p);
    }
    return sound ? SCREE_OK : SCREE_BAD_ARGUMENT;
}

void scr_polyhedron_free(Polyhedron *p) {
    if (p->patchwork_block.data != NULL) {
        scr_patchwork_free(p->patchwork_block.data);
    }
    scr_block_free(&p->patchwork_block);
    scr_block_free(&p->block);
    *p = (Polyhedron){0};
}

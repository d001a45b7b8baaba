#include "shape/simple_solids.h"

#include <string.h>

void scr_ball_solid(double radius, BallSolid *b) {
    memset(b, 0, sizeof *b);
    b->part.vertices = b->part.elements = 1;
    b->part.convex = true;
    b->part.rounding = radius;
    b->part.x = b->part.y = b->part.z = &b->origin;
    b->part.star_first = b->star_first;
    b->solid.parts = b->solid.elements = 1;
    b->solid.part = &b->part;
    b->solid.radius = radius;
}

/* ---------------------------------------------------------------- boxes
 *
 * Bit k of a vertex tells on which side it is along axis k. Edge 4 k + m runs along axis k, from the
 * m-th vertex that has no bit k. Face 2 k + h is the one across axis k, on its upper side with h = 1. */

/* The vertex with bits `low` and `high` along the two axes after `axis`, in cyclic order. */
static int32_t vertex_at(int axis, int low, int high, int own) {
    return (int32_t)(low << (axis + 1) % 3 | high << (axis + 2) % 3 | own << axis);
}

static int32_t edge_between(int32_t from, int32_t to) {
    int axis = (from ^ to) == 1 ? 0 : (from ^ to) == 2 ? 1 : 2;
    int32_t v = from & to;
    return (int32_t)(4 * axis + (v >> (axis + 1) % 3 & 1) + 2 * (v >> (axis + 2) % 3 & 1));
}

static void make_faces(BoxSolid *b, const double half[3]) {
    static const int turn[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    for (int f = 0; f < BOX_FACES; f++) {
        int axis = f / 2, upper = f % 2;
        Vec3 normal = vec3(0, 0, 0);
        *component_of(&normal, axis) = upper ? 1 : -1;
        b->face[f] = (PolyhedronFace){normal, half[axis], 4 * f, 4};
        for (int k = 0; k < 4; k++) {
            const int *at = turn[upper ? k : 3 - k];
            b->loop_vertex[4 * f + k] = vertex_at(axis, at[0], at[1], upper);
        }
        for (int k = 0; k < 4; k++) {
            b->loop_edge[4 * f + k] =
                edge_between(b->loop_vertex[4 * f + k], b->loop_vertex[4 * f + (k + 1) % 4]);
        }
    }
}

/* The face that has the edge from the first to the second vertex on its left. */
static int32_t face_along(const BoxSolid *b, int32_t from, int32_t to) {
    for (int32_t k = 0; k < BOX_CORNERS; k++) {
        int32_t next = k % 4 == 3 ? k - 3 : k + 1;
        if (b->loop_vertex[k] == from && b->loop_vertex[next] == to) {
            return k / 4;
        }
    }
    return -1;
}

static void make_edges(BoxSolid *b, const double half[3]) {
    for (int e = 0; e < BOX_EDGES; e++) {
        int axis = e / 4;
        int32_t from = vertex_at(axis, e % 4 & 1, e % 4 >> 1, 0), to = from | 1 << axis;
        PolyhedronEdge *made = &b->edge[e];
        *made = (PolyhedronEdge){.vertex = {from, to},
                                 .face = {face_along(b, from, to), face_along(b, to, from)},
                                 .length = 2 * half[axis],
                                 .kind = EDGE_CONVEX};
        *component_of(&made->along, axis) = 1;
        made->inward[0] = cross(b->face[made->face[0]].normal, made->along);
        made->inward[1] = cross(made->along, b->face[made->face[1]].normal);
    }
}

/* Around each vertex: the edge that begins at a corner of a face, then that face. */
static void make_stars(BoxSolid *b) {
    for (int32_t v = 0; v < BOX_VERTICES; v++) {
        int32_t at = b->star_first[v] = 3 * v;
        int32_t face = -1;
        for (int32_t k = 0; k < BOX_CORNERS && face < 0; k++) {
            face = b->loop_vertex[k] == v ? k / 4 : -1;
        }
        for (int k = 0; k < 3; k++, at++) {
            int32_t corner = 4 * face;
            while (b->loop_vertex[corner] != v) {
                corner++;
            }
            int32_t edge = b->loop_edge[corner];
            int32_t before = b->loop_edge[corner % 4 == 0 ? corner + 3 : corner - 1];
            b->star_edge[at] = edge;
            b->star_vertex[at] = b->edge[edge].vertex[b->edge[edge].vertex[0] == v];
            b->star_face[at] = face;
            face = b->edge[before].face[b->edge[before].face[0] == face];
        }
    }
    b->star_first[BOX_VERTICES] = BOX_CORNERS;
}

void scr_box_solid(Vec3 half, BoxSolid *b) {
    const double side[3] = {half.x, half.y, half.z};
    for (int32_t v = 0; v < BOX_VERTICES; v++) {
        b->x[v] = v & 1 ? half.x : -half.x;
        b->y[v] = v & 2 ? half.y : -half.y;
        b->z[v] = v & 4 ? half.z : -half.z;
    }
    make_faces(b, side);
    make_edges(b, side);
    make_stars(b);
    b->part = (Polyhedron){.vertices = BOX_VERTICES,
                           .edges = BOX_EDGES,
                           .faces = BOX_FACES,
                           .elements = BOX_VERTICES + BOX_EDGES + BOX_FACES,
                           .convex = true,
                           .radius = length(half),
                           .extent = length(half),
                           .x = b->x,
                           .y = b->y,
                           .z = b->z,
                           .edge = b->edge,
                           .face = b->face,
                           .loop_vertex = b->loop_vertex,
                           .loop_edge = b->loop_edge,
                           .star_first = b->star_first,
                           .star_vertex = b->star_vertex,
                           .star_edge = b->star_edge,
                           .star_face = b->star_face};
    b->solid = (Solid){.parts = 1,
                       .elements = BOX_VERTICES + BOX_EDGES + BOX_FACES,
                       .part = &b->part,
                       .volume = 8 * half.x * half.y * half.z,
                       .radius = length(half)};
}

/* ---------------------------------------------------------------- cones */

void scr_cone_solid(Vec3 from, Vec3 to, const double radius[2], ConeSolid *c) {
    const Vec3 end[2] = {from, to};
    memset(c, 0, sizeof *c);
    for (int k = 0; k < 2; k++) {
        c->x[k] = end[k].x;
        c->y[k] = end[k].y;
        c->z[k] = end[k].z;
    }
    Polyhedron *p = &c->part;
    scr_smooth_make(SCREE_PART_CONE, radius, end, 0, &p->smooth);
    p->vertices = 2;
    p->elements = SMOOTH_ELEMENTS;
    p->convex = true;
    p->middle = scr_smooth_middle(&p->smooth);
    p->extent = scr_smooth_extent(&p->smooth);
    p->radius = scr_smooth_radius(&p->smooth);
    p->x = c->x;
    p->y = c->y;
    p->z = c->z;
    c->solid = (Solid){.parts = 1, .elements = SMOOTH_ELEMENTS, .part = p, .radius = p->radius};
}

/* ---------------------------------------------------------------- lines and points */

static void set_end(FeaturePart *f, int k, Vec3 at) {
    f->x[k] = at.x;
    f->y[k] = at.y;
    f->z[k] = at.z;
}

/* All but the numbers of its features. */
static Polyhedron feature_part(FeaturePart *f, Vec3 from, Vec3 to) {
    return (Polyhedron){.convex = true,
                        .radius = scr_max(length(from), length(to)),
                        .middle = scale(0.5, add(from, to)),
                        .extent = 0.5 * length(sub(to, from)),
                        .x = f->x,
                        .y = f->y,
                        .z = f->z,
                        .edge = &f->edge,
                        .star_first = f->star_first,
                        .star_vertex = f->star_vertex,
                        .star_edge = f->star_edge,
                        .star_face = f->star_face};
}

void scr_line_part(Vec3 from, Vec3 to, FeaturePart *f) {
    Vec3 d = sub(to, from);
    double far = length(d);
    f->part = feature_part(f, from, to);
    f->part.vertices = 2;
    f->part.edges = 1;
    f->part.elements = 3;
    f->edge = (PolyhedronEdge){.vertex = {0, 1},
                               .face = {-1, -1},
                               .along = scale(1 / far, d),
                               .length = far,
                               .kind = EDGE_CONVEX};
    set_end(f, 0, from);
    set_end(f, 1, to);
    for (int32_t v = 0; v < 2; v++) {
        f->star_first[v + 1] = v + 1;
        f->star_vertex[v] = 1 - v;
        f->star_edge[v] = 0;
        f->star_face[v] = -1;
    }
    f->star_first[0] = 0;
}

void scr_point_part(Vec3 at, FeaturePart *f) {
    f->part = feature_part(f, at, at);
    f->part.vertices = f->part.elements = 1;
    f->star_first[0] = f->star_first[1] = 0;
    set_end(f, 0, at);
}

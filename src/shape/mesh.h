/* Surfaces of triangles, which are walls: open or closed, in the wall's own frame, shared by all
 * walls that are made of one. Both sides are solid: a body stays on the side on which it is.
 *
 * Coplanar neighbours are one plane, and the edges between them are no features of the surface; nor
 * are vertices inside of a plane or on a straight edge. So how a plane is cut into triangles changes
 * no contact. Contacts name elements: vertices, then edges, then planes, each twice, for its two
 * sides. */
#ifndef SCREE_SHAPE_MESH_H
#define SCREE_SHAPE_MESH_H

#include "base/memory.h"
#include "math/vec.h"
#include "shape/polyhedron.h"

typedef struct MeshTriangle {
    int32_t edge[3]; /* from corner k to the next */
    int32_t plane;
} MeshTriangle;

/* Of the triangles at an edge two at most lie beside it: those between which a body may touch it.
 * Where more than two meet, the others have edges of their own there, which are not sharp. */
typedef struct MeshEdge {
    int32_t vertex[2];
    int32_t triangle[2]; /* the second is -1 at the rim of the surface */
} MeshEdge;

typedef struct MeshPlane {
    Vec3 normal;   /* unit */
    double offset; /* normal . x */
} MeshPlane;

/* A box of the tree, rounded outwards. The children of an inner one follow each other; a leaf has
 * `count` numbers of triangles, from `first` in the order of the tree. */
typedef struct MeshBox {
    float low[3], high[3];
    int32_t first, count; /* count 0: the number of the first child */
} MeshBox;

/* Zero-initialise it. */
typedef struct ScreeMesh {
    int32_t vertices, triangles, edges, planes, boxes;
    Vec3 *vertex;
    int32_t *corner; /* [3 triangles] vertices */
    MeshTriangle *triangle;
    MeshEdge *edge;
    MeshPlane *plane;
    MeshBox *box;                       /* the first holds all */
    int32_t *order;                     /* [triangles] as the leaves have them */
    uint8_t *sharp_vertex, *sharp_edge; /* those that are features */
    int32_t *part;                      /* [triangles]; NULL: there is only one part */
    int32_t parts;
    int32_t outward,
        pieces; /* of a closed surface, and how many pieces it has that do not hang together: 1 if its normals
                                lead out of all of them, -1 if into all; 0: it is open, or of both kinds */
    double size; /* the longest side of the box around it */
    double away; /* the largest coordinate */
    Block vertex_block, corner_block, triangle_block, edge_block, plane_block, box_block,
        order_block;
    Block sharp_vertex_block, sharp_edge_block, part_block;
} Mesh;

/* SCREE_BAD_ARGUMENT with a message (SCREE_MESSAGE_SIZE bytes, or NULL) that names the triangle: a
 * vertex that there is not, or that is not finite; a triangle without area; one that is there twice.
 * Nothing is left to free when it fails. */
ScreeStatus scr_mesh_build(const ScreeMeshDef *def, Mesh *mesh, char *message);
void scr_mesh_free(Mesh *mesh);
size_t scr_mesh_bytes(const Mesh *mesh);

/* Another one that is the same; false when out of memory. */
bool scr_mesh_copy(const Mesh *from, Mesh *to);
bool scr_meshes_are_equal(const Mesh *a, const Mesh *b);
ScreeMeshDef scr_mesh_def(const Mesh *mesh);

/* The steps of it that have files of their own. */

/* Edges from triangles whose vertices are set. */
ScreeStatus scr_mesh_edges(Mesh *mesh, char *message);
/* Planes, and what is sharp. */
ScreeStatus scr_mesh_planes(Mesh *mesh);
/* Whether it is closed; false when out of memory. */
bool scr_mesh_sides(Mesh *mesh);
/* The tree. */
bool scr_mesh_tree(Mesh *mesh);

static inline const int32_t *scr_mesh_corners(const Mesh *m, int32_t triangle) {
    return m->corner + 3 * (size_t)triangle;
}

/* ---------------------------------------------------------------- elements */

static inline int64_t scr_mesh_elements(const Mesh *m) {
    return (int64_t)m->vertices + m->edges + 2 * (int64_t)m->planes;
}
static inline int32_t scr_mesh_edge_element(const Mesh *m, int32_t e) {
    return m->vertices + e;
}
/* Side 0 is the one that the normal of the plane points to. */
static inline int32_t scr_mesh_plane_element(const Mesh *m, int32_t plane, int side) {
    return m->vertices + m->edges + 2 * plane + side;
}

/* The features of a mesh by themselves, as a polyhedron of that one feature, which has the number
 * 0. */
typedef struct MeshFeature {
    ElementKind kind;
    Polyhedron part;
    double x[2], y[2], z[2];
    PolyhedronEdge edge;
    PolyhedronFace face;
} MeshFeature;

void scr_mesh_feature(const Mesh *mesh, int32_t element, MeshFeature *feature);

/* Along an edge, and in its triangles away from it; the second is the first at a rim. */
PolyhedronEdge scr_mesh_edge(const Mesh *mesh, int32_t e);

/* ---------------------------------------------------------------- searching */

/* Numbers of triangles. Zero-initialise it. */
typedef struct MeshTriangles {
    size_t count;
    int32_t *item;
    Block item_block;
} MeshTriangles;

/* All triangles whose boxes meet this one; false when out of memory. */
bool scr_mesh_find(const Mesh *mesh, Vec3 low, Vec3 high, MeshTriangles *found);

/* How often a closed surface goes around x: 0 outside, 1 inside, -1 if its normals lead inwards. Uses the room; false
 * when out of memory. */
bool scr_mesh_winding(const Mesh *mesh, Vec3 x, MeshTriangles *room, int32_t *winding);

/* The point of a part (-1: of the whole mesh) that is nearest to p. */
Vec3 scr_mesh_nearest(const Mesh *mesh, int32_t part, Vec3 p);

/* The point of a triangle that is nearest to p, and the feature that it lies on. */
typedef struct TrianglePoint {
    Vec3 at;
    ElementKind kind;
    int corner; /* of an edge: the one where it begins */
} TrianglePoint;

TrianglePoint scr_nearest_on_triangle(Vec3 a, Vec3 b, Vec3 c, Vec3 p);

#endif

/* Polyhedra with their features: vertices, edges and faces, and what each knows of its neighbours.
 * They are the parts of solids, seen in the frame of the solid, about its centre of mass, and are
 * shared by all bodies of one shape.
 *
 * The body is everything within `rounding` of the polyhedron. One vertex makes a ball, two make a
 * rod with round ends, and a flat polygon with two opposite faces makes a plate. Faces are plane
 * convex polygons. Coplanar neighbours have been merged where they are convex together, else there
 * are flat edges between them; no vertex lies on a straight edge, unless other faces have it as a
 * corner.
 *
 * A smooth part (smooth.h) stands in the same struct: its vertices tell where it is, it has no edges
 * and faces, and its elements are places that contacts name (smooth_points.h). */
#ifndef SCREE_SHAPE_POLYHEDRON_H
#define SCREE_SHAPE_POLYHEDRON_H

#include "base/memory.h"
#include "shape/smooth.h"

/* How two faces meet at their edge. Only convex edges have contacts of their own. */
typedef enum EdgeKind { EDGE_CONVEX, EDGE_FLAT, EDGE_REFLEX } EdgeKind;

typedef struct PolyhedronEdge {
    int32_t vertex[2];
    int32_t face[2]; /* the first has it on its left, seen from outside; -1: a rod has none */
    Vec3 along;      /* unit, from the first vertex to the second */
    Vec3 inward[2];  /* unit, in each face, away from the edge; zero where there is no face */
    double length;
    EdgeKind kind;
} PolyhedronEdge;

typedef struct PolyhedronFace {
    Vec3 normal;          /* unit, outwards */
    double offset;        /* normal . x of its plane */
    int32_t first, count; /* its corners in loop_vertex and loop_edge */
} PolyhedronFace;

typedef struct Polyhedron {
    int32_t vertices, edges, faces;
    bool convex;
    double rounding;
    double radius; /* from the origin to the farthest vertex; the rounding not included */
    Vec3 middle;   /* of its box; `extent` is from there to the farthest vertex */
    double extent;
    double *x, *y, *z; /* [vertices] */
    PolyhedronEdge *edge;
    PolyhedronFace *face;
    /* Corners of faces, counterclockwise seen from outside: the vertex, and the edge from it to the
     * next one. */
    int32_t *loop_vertex, *loop_edge;
    /* Around vertex v, from star_first[v] to star_first[v + 1]: neighbours, the edges to them, and
     * the faces that have v as a corner. */
    int32_t *star_first, *star_vertex, *star_edge, *star_face;
    SmoothPart smooth;     /* its kind is SCREE_PART_POLYHEDRON unless the part is smooth */
    int32_t elements;      /* how many it has */
    int32_t first_element; /* of the solid's elements: see below */
    Block block;           /* holds the arrays */
    Block
        patchwork_block; /* holds what smooth.patchwork is, the control points of which are the vertices */
} Polyhedron;

/* Vertices and faces as given. Without faces: a single vertex, or two. */
typedef struct PolyhedronDef {
    size_t vertices, faces;
    const Vec3 *vertex;
    const int32_t *corners; /* [faces] how many each face has */
    const int32_t *corner;  /* of all faces, one after the other: vertices */
    double rounding;
    ScreePartKind kind;
    double form[2];
    const double *weight; /* [vertices] of patches, or NULL */
} PolyhedronDef;

/* What is wrong with a surface, and where: the two vertices of an edge; of patches, the patch and one of
 * its control points or sides, or -1. */
typedef struct PolyhedronFault {
    const char *words;
    int32_t vertex[2];
} PolyhedronFault;

/* SCREE_BAD_ARGUMENT when the faces do not close around a body: `fault` (or NULL) tells. */
ScreeStatus scr_polyhedron_build(const PolyhedronDef *def, Polyhedron *made,
                                 PolyhedronFault *fault);
void scr_polyhedron_free(Polyhedron *polyhedron);

/* The elements of a smooth part. */
enum { SMOOTH_ELEMENTS = 192 };

static inline bool scr_is_smooth(const Polyhedron *p) {
    return p->smooth.kind != SCREE_PART_POLYHEDRON;
}

/* A surface of patches, which has places of its own (patch_points.h). */
static inline bool scr_is_patchwork(const Polyhedron *p) {
    return p->smooth.kind == SCREE_PART_NURBS;
}

static inline Vec3 scr_vertex(const Polyhedron *p, int32_t v) {
    return vec3(p->x[v], p->y[v], p->z[v]);
}

/* ---------------------------------------------------------------- solids */

/* A body of one or several parts. Vertices, edges and faces of all parts, and the places of smooth
 * ones, are its elements, counted part by part: contacts name them. */
typedef struct Solid {
    int32_t parts, elements;
    Polyhedron *part; /* [parts] */
    Vec3 gyration;    /* principal moments of inertia over mass */
    Quat axes;        /* turns the coordinate axes into the principal ones */
    double volume;
    double radius; /* of the ball about the centre of mass that holds it */
    Block block;
} Solid;

static inline int32_t scr_vertex_element(const Polyhedron *p, int32_t v) {
    return p->first_element + v;
}
static inline int32_t scr_edge_element(const Polyhedron *p, int32_t e) {
    return p->first_element + p->vertices + e;
}
static inline int32_t scr_face_element(const Polyhedron *p, int32_t f) {
    return p->first_element + p->vertices + p->edges + f;
}

typedef enum ElementKind {
    ELEMENT_VERTEX,
    ELEMENT_EDGE,
    ELEMENT_FACE,
    ELEMENT_PLACE /* of a smooth part */
} ElementKind;

/* An element again: its part, its kind, and its number there. */
typedef struct Element {
    const Polyhedron *part;
    ElementKind kind;
    int32_t number;
} Element;

static inline Element scr_element(const Solid *s, int32_t element) {
    int32_t low = 0, high = s->parts - 1;
    while (low < high) {
        int32_t middle = (low + high + 1) / 2;
        low = s->part[middle].first_element <= element ? middle : low;
        high = s->part[middle].first_element <= element ? high : middle - 1;
    }
    const Polyhedron *p = &s->part[low];
    int32_t k = element - p->first_element;
    if (scr_is_smooth(p)) {
        return (Element){p, ELEMENT_PLACE, k};
    }
    return k < p->vertices              ? (Element){p, ELEMENT_VERTEX, k}
           : k < p->vertices + p->edges ? (Element){p, ELEMENT_EDGE, k - p->vertices}
                                        : (Element){p, ELEMENT_FACE, k - p->vertices - p->edges};
}

#endif

/* The part of a surface of triangles that lies beside a body, as a polyhedron in the frame of the
 * surface: the same functions then tell what features see of each other. Each triangle is there twice,
 * for its two sides; of a closed surface, for a body that is known to be inside or outside, once. */
#ifndef SCREE_NARROW_MESH_PATCH_H
#define SCREE_NARROW_MESH_PATCH_H

#include "narrow/part_pair.h"
#include "shape/mesh.h"

typedef enum MeshSides {
    MESH_FRONT, /* that to which normals lead */
    MESH_BACK,
    MESH_BOTH
} MeshSides;

/* Zero-initialise it. */
typedef struct MeshPatch {
    Polyhedron part;
    int32_t *element[3]; /* of its vertices, edges and faces: elements of the surface */
    uint8_t *mute[3];    /* whether they belong to another part of the surface */
    uint8_t *sharp;      /* [vertices] */
    MeshTriangles near;
    int32_t *slot; /* table of numbers: those of the surface, and here */
    size_t slots;
    double *number;
    int32_t *name;
    uint8_t *flag;
    PolyhedronEdge *edge;
    PolyhedronFace *face;
    Block number_block, name_block, flag_block, edge_block, face_block, slot_block;
} MeshPatch;

void scr_mesh_patch_free(MeshPatch *patch);

/* What a pair of parts needs to know of a patch before it is there. */
Polyhedron scr_empty_patch(const Mesh *mesh);

/* The triangles no farther than `far` from the box around a part of a body; `which`: the part of the
 * surface that counts, or -1. False when out of memory. */
bool scr_make_patch(const Mesh *mesh, int32_t which, MeshSides sides, const Polyhedron *part,
                    const RelativePose *pose, double far, MeshPatch *patch);

#endif

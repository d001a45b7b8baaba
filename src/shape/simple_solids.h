/* Solids that need no memory of their own: a ball is a polyhedron of one vertex, and a block, which
 * is a wall, is a box. They let one narrow phase serve all. */
#ifndef SCREE_SHAPE_SIMPLE_SOLIDS_H
#define SCREE_SHAPE_SIMPLE_SOLIDS_H

#include "shape/polyhedron.h"

typedef struct BallSolid {
    Solid solid;
    Polyhedron part;
    double origin;
    int32_t star_first[2];
} BallSolid;

/* A ball about its centre. */
void scr_ball_solid(double radius, BallSolid *ball);

enum { BOX_VERTICES = 8, BOX_EDGES = 12, BOX_FACES = 6, BOX_CORNERS = 24 };

typedef struct BoxSolid {
    Solid solid;
    Polyhedron part;
    double x[BOX_VERTICES], y[BOX_VERTICES], z[BOX_VERTICES];
    PolyhedronEdge edge[BOX_EDGES];
    PolyhedronFace face[BOX_FACES];
    int32_t loop_vertex[BOX_CORNERS], loop_edge[BOX_CORNERS];
    int32_t star_first[BOX_VERTICES + 1];
    int32_t star_vertex[BOX_CORNERS], star_edge[BOX_CORNERS], star_face[BOX_CORNERS];
} BoxSolid;

/* A box about its centre, with these half sides. */
void scr_box_solid(Vec3 half, BoxSolid *box);

#endif

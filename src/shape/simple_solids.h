/* Solids that need no memory of their own: a ball is a polyhedron of one vertex, and walls are boxes
 * and cylinders. They let one narrow phase serve all. */
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

typedef struct ConeSolid {
    Solid solid;
    Polyhedron part;
    double x[2], y[2], z[2];
} ConeSolid;

/* A cone between two circles about an axis, or a cylinder. */
void scr_cone_solid(Vec3 from, Vec3 to, const double radius[2], ConeSolid *cone);

/* A single feature of a surface as a part: a line, whose elements are its two ends and itself, or a
 * point. */
typedef struct FeaturePart {
    Polyhedron part;
    double x[2], y[2], z[2];
    PolyhedronEdge edge;
    int32_t star_first[3], star_vertex[2], star_edge[2], star_face[2];
} FeaturePart;

void scr_line_part(Vec3 from, Vec3 to, FeaturePart *line);
void scr_point_part(Vec3 at, FeaturePart *point);

#endif

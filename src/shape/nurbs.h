/* Closed NURBS curves as outlines in the plane: evaluation, what is wrong with one, its area and
 * inertia.
 *
 * A curve is cut at its knots into rational Bezier pieces, and these are halved until each is
 * nearly straight. The ends of the resulting spans are the nodes: the sample points from which
 * contacts are searched, and the corners of the polygon that represents the curve wherever a
 * drawing will do. A contact itself lies on the curve, anywhere between nodes. */
#ifndef SCREE_SHAPE_NURBS_H
#define SCREE_SHAPE_NURBS_H

#include "base/memory.h"
#include "math/vec.h"

enum {
    MOST_DEGREE = 7,
    MOST_NODES = 1 << 13, /* the names of contacts have no room for more */
};

/* Between two nodes the curve deviates from their chord by at most this fraction of the shape's
 * diameter... */
#define NURBS_BULGE 4e-4
/* ...and turns by at most this angle. */
#define NURBS_TURN 0.2

/* Control points of a piece in homogeneous coordinates: (w x, w y, w). */
typedef struct NurbsPiece {
    double b[MOST_DEGREE + 1][3];
} NurbsPiece;

typedef enum NurbsNodeKind {
    NODE_SMOOTH,
    NODE_END,    /* smooth, and the end of a nearly straight side */
    NODE_CORNER, /* the tangent jumps to the left */
    NODE_REFLEX, /* the tangent jumps to the right: nothing flat can touch it first */
} NurbsNodeKind;

/* A node and the span from it to the next one: t from `begin` to `end` of a piece. */
typedef struct NurbsNode {
    double x, y;
    double in[2], out[2]; /* unit tangents before and after it; equal where the curve is smooth */
    double begin, end;
    int32_t piece;
    NurbsNodeKind kind;
} NurbsNode;

/* A curve ready for use, about its centroid and counterclockwise. */
typedef struct Nurbs {
    int32_t degree, pieces, nodes;
    NurbsPiece *piece;
    NurbsNode *node;
    double bulge; /* no span deviates from its chord by more */
    double seam;  /* how far apart the ends of the definition were */
    Block piece_block, node_block;
} Nurbs;

/* A point of the curve, and the derivatives with respect to t. */
typedef struct NurbsAt {
    double x, y, dx, dy, ddx, ddy;
} NurbsAt;

/* The point at t, from 0 to 1, of a piece. */
NurbsAt scr_nurbs_at(const Nurbs *nurbs, int32_t piece, double t);

static inline double scr_nurbs_curvature(const NurbsAt *p) {
    double square = p->dx * p->dx + p->dy * p->dy;
    return (p->dx * p->ddy - p->dy * p->ddx) / (square * sqrt(square));
}

/* Makes the pieces of a definition whose numbers are sound; no nodes yet. False when out of
 * memory. */
bool scr_nurbs_cut(const ScreeNurbs *def, Nurbs *nurbs);

/* Makes the nodes for a shape of this diameter. False when out of memory, or when there would be
 * too many: then `nodes` is MOST_NODES + 1. */
bool scr_nurbs_sample(Nurbs *nurbs, double diameter);

void scr_nurbs_free(Nurbs *nurbs);

/* SCREE_OK, SCREE_NO_MEMORY, or SCREE_BAD_ARGUMENT and a message (SCREE_MESSAGE_SIZE bytes), which
 * begins with the number of a bad point, weight or knot, if it is one: "point 3: ", "weight 3: ",
 * "knot 3: ". */
ScreeStatus scr_nurbs_check(const ScreeNurbs *def, char *message);

/* Area, centroid, gyration and radius of pieces, by Gauss quadrature: exact for polynomials up to
 * degree 4, otherwise to 1e-12 of their size. The area is negative when the curve runs
 * clockwise. */
typedef struct NurbsMeasures {
    double area, gyration, radius;
    Vec3 centroid;
} NurbsMeasures;

NurbsMeasures scr_nurbs_measure(const Nurbs *nurbs);

/* The definition about the centroid and counterclockwise, written into arrays of the same lengths
 * as the definition's own; `weight` is always written. */
void scr_nurbs_normalise(const ScreeNurbs *def, const NurbsMeasures *measures, Vec3 *point,
                         double *weight, double *knot);

#endif

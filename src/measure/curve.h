/* The outlines of shapes, as curves made of straight lines and arcs. */
#ifndef SCREE_MEASURE_CURVE_H
#define SCREE_MEASURE_CURVE_H

#include "math/vec.h"

/* A piece of a curve that runs counterclockwise around what it encloses. */
typedef struct Piece {
    bool arc;
    Vec3 from, to; /* its ends, which neighbouring pieces share bit for bit */
    Vec3 centre;   /* of an arc */
    double radius;
    double begin, turn; /* angles; turn > 0 */
} Piece;

typedef void PieceVisitor(const Piece *piece, void *context);

/* Visits the curves of all parts, as seen from the centroid and rotated by the angle whose cosine
 * and sine are given. */
void scr_curve_walk(const ScreeShape *shape, double cosine, double sine, PieceVisitor *visit,
                    void *context);

/* Cosine and sine of a rotation about z. */
void scr_turn_of(Quat orientation, double *cosine, double *sine);

/* How far a rotated shape reaches along x and y. */
void scr_curve_reach(const ScreeShape *shape, double cosine, double sine, double low[2],
                     double high[2]);

#endif

/* What two features of two parts see of each other: a vertex and a face, two edges, a vertex and an
 * edge, or two vertices. Whatever is said about a contact point of solids is computed here, from
 * its name and the pose alone; so it has the same bits whichever way the name was found.
 *
 * Between convex bodies a pair whose normal lies in the normal cones of both features is an axis on
 * which its gap is the separation of the bodies: the greatest such gap is the distance, or minus
 * the depth of the shortest way out. */
#ifndef SCREE_NARROW_FEATURE_SIGHT_H
#define SCREE_NARROW_FEATURE_SIGHT_H

#include "narrow/part_pair.h"

/* A vertex with a face, an edge with an edge, a vertex with an edge, or two vertices. */
typedef struct FeaturePair {
    ElementKind kind_a, kind_b;
    int32_t a, b; /* numbers in their parts */
} FeaturePair;

typedef struct FeatureSight {
    double gap;    /* between the polyhedra; their roundings are not taken off */
    Vec3 normal;   /* unit, from a to b, in the frame of a */
    Vec3 foot;     /* the point on a, in the frame of a */
    double beyond; /* how far the feet lie outside of the features, at most */
    double tilt;   /* sine of the angle by which the normal lies outside of the normal cones */
    double blur;   /* rounding error of the normal */
} FeatureSight;

/* What is still looked at. To make lists that hold while the bodies move a little: `slide` is how
 * far any point may go, relative to the other body, and `turn` how far one may turn. */
typedef struct SightLimits {
    double low, high; /* of the gap */
    double beyond;    /* of a vertex and a face, or two edges */
    double region;    /* of a vertex and an edge, or two vertices, whose regions do not overlap */
    double tilt;
    double slide, turn;
    double
        hollow; /* how far the foot of a vertex may lie behind an edge where two faces meet at less
                    * than half a turn: it has entered both */
    bool over;  /* a vertex over a face that it has not entered counts however it is turned */
} SightLimits;

/* Edges at a smaller sine than this are parallel: their ends stand for them. The error of the
 * normal of two edges is that of a double over the sine. */
#define PARALLEL_EDGES 1e-6

/* False: not within the limits, or nothing to be seen (parallel edges, points that coincide). */
bool scr_see_features(const PartPair *parts, FeaturePair pair, const SightLimits *limits,
                      FeatureSight *sight);

/* How far the foot of x lies outside of a face; both in the frame of the part. Behind an edge where
 * two faces meet at less than half a turn, what is beyond `hollow`. */
double scr_beyond_face(const Polyhedron *part, int32_t face, Vec3 x, double hollow);

/* Where a named pair is, without asking whether its features still face each other. The direction of
 * a vertex and an edge, or of two vertices, is taken to be `normal`, since at a small gap their own
 * is nothing but rounding error; of two edges `normal` tells the side only. */
typedef struct FeaturePlace {
    double gap;
    Vec3 normal, foot; /* of the pair as it is; in the frame of a */
} FeaturePlace;

FeaturePlace scr_place_features(const PartPair *parts, FeaturePair pair, Vec3 normal);

static inline bool scr_has_own_normal(FeaturePair pair) {
    return (int)pair.kind_a + (int)pair.kind_b == 2; /* a face, or two edges */
}

/* Whether features of these kinds make contact points. */
static inline bool scr_can_touch(ElementKind a, ElementKind b) {
    return (int)a + (int)b <= 2;
}

#endif

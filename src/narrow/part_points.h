/* The contact points of two convex parts, from a list of pairs of features that may face each other.
 *
 * The pair that lies within both normal cones and has the greatest gap tells the distance, or the
 * shortest way out, and its normal is the axis of the two. All pairs that face each other but for a
 * little tilt are contact points: as the bodies turn, each of them may become the nearest one.
 *
 * Where the bodies may pass each other in the step (they overlap, or the gap is not longer than the
 * way that they go), the axis is the one along which they will be farthest apart at the end of the
 * expected motion, and points off that axis which this motion would close are no obstacles: they
 * are seen across an edge. So a block that slides along a row of blocks does not catch at the seams.
 *
 * The points are a function of pose, motion, reach and the names of the step before: of a longer
 * list, the pairs that are too much do nothing. */
#ifndef SCREE_NARROW_PART_POINTS_H
#define SCREE_NARROW_PART_POINTS_H

#include "narrow/feature_list.h"
#include "narrow/named_point.h"

typedef struct SolidPoint {
    double gap;  /* of the surfaces */
    Vec3 normal; /* unit, from a to b, in the frame of a */
    Vec3 middle; /* of the gap, in the frame of a */
    double near; /* other points within this distance are the same place */
    int32_t name;
    bool own;     /* the normal is that of a face or of two edges, not a direction between points */
    bool strict;  /* the normal lies in both normal cones */
    bool within;  /* the polyhedra themselves overlap here, not just their roundings */
    bool aimless; /* a vertex so near to an edge or a vertex that its direction means nothing */
    bool old, beaten, gone;
} SolidPoint;

/* One pair of the list, as it is now and at the end of the expected motion. */
typedef struct SeenPair {
    FeatureSight now;
    double later; /* gap */
    int32_t name;
    FeaturePair pair;
    bool seen, strict;
} SeenPair;

/* Zero-initialise it. */
typedef struct SolidPoints {
    size_t count;
    SolidPoint *item;
    SeenPair *seen;
    Block item_block, seen_block;
} SolidPoints;

typedef struct PointRules {
    double reach;  /* between the surfaces */
    double tilt;   /* of a normal outside of the normal cones: how far the bodies may turn */
    double motion; /* no point moves farther in the step, relative to the other body */
    OldPoints old;
} PointRules;

/* False when out of memory. */
bool scr_put_solid_point(SolidPoints *points, const SolidPoint *point);

/* The tilt that a turn of one body against the other asks for: normals of edges that cross at an
 * angle turn by more than the edges do. A step turns by less than half. */
static inline double scr_tilt_of_turn(double turn) {
    return scr_min(scr_max(0.01, 4 * turn), 0.5);
}

/* Where the bodies are expected to be at the end of the step; most pairs need not know. */
typedef struct LaterPose {
    const PlacedSolid *a, *b;
    Vec3 d;
    const StepMotion *motion;
    bool known;
    RelativePose pose;
} LaterPose;

/* Gaps between the polyhedra that the list must hold: up to the one, which depends on whether they may
 * pass each other, and down to minus the other where they overlap by no more than `depth`. */
double scr_farthest_listed(const PartPair *now, const PointRules *rules, bool passing);
double scr_deepest_listed(const PartPair *now, double depth);

/* The gap up to which the expected motion counts. */
double scr_passing_zone(const PartPair *now, const PointRules *rules);

/* Limits of the list for bodies that stand as they do now. */
SightLimits scr_point_limits(const PartPair *now, const PointRules *rules);

/* What a pair of features sees of each other now and, in the passing zone, at the end of the step. */
void scr_see_now(const PartPair *now, const SightLimits *limits, SeenPair *pair);
void scr_see_later(const PartPair *now, const PartPair *later, const SightLimits *limits,
                   double zone, SeenPair *pair);

/* Appends a pair that is a contact point; false when out of memory. */
bool scr_add_solid_point(const PartPair *now, const SeenPair *pair, OldPoints old,
                         SolidPoints *points);

/* Whether one of the points from `first` to `last` is where the sight is. */
bool scr_is_at_a_point(const PartPair *now, const FeatureSight *sight, const SolidPoints *points,
                       size_t first, size_t last);

bool scr_is_old(OldPoints old, int32_t name);

/* Where the bodies will be. */
const RelativePose *scr_later_of(LaterPose *later);

/* Appends the points of two parts, from the names of their list. `depth` is that of their overlap, 0
 * if there is none. Of a list that does not go so deep it is no less than that of the list: it must
 * be made anew. */
ScreeStatus scr_part_points(const PartPair *now, LaterPose *later, const int32_t *name,
                            size_t count, const PointRules *rules, SolidPoints *points,
                            double *depth);

/* One point for each place: that whose gap is the distance or the depth there or, if
 * gaps agree, that of the step before. */
void scr_thin_points(SolidPoints *points);

void scr_solid_points_free(SolidPoints *points);

/* Points nearer than this are one; part of the smaller diameter. */
#define ONE_PLACE 1e-3

#endif

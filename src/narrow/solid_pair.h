/* All contact points of two solids: those of all pairs of their parts, convex (part_points.h) or not
 * (local_points.h).
 *
 * The list of points is a function of the poses, the expected motion, the reach and the names of the
 * step before, bit for bit. What is kept from step to step only saves the search for features that
 * may face each other: the kept list has all of them, and whatever a point is told by is computed
 * from its name. */
#ifndef SCREE_NARROW_SOLID_PAIR_H
#define SCREE_NARROW_SOLID_PAIR_H

#include "narrow/local_points.h"
#include "narrow/mesh_patch.h"
#include "narrow/solid_kept.h"

/* Work space. Zero-initialise it. */
typedef struct SolidWork {
    FeatureList list;
    SolidPoints points;
    LocalWork local;
    MeshPatch patch;
    SolidKept *kept; /* what the pair in hand keeps from step to step, or NULL */
} SolidWork;

void scr_solid_work_free(SolidWork *work);

/* All contact points with a gap of at most `reach`, with d = x_b - x_a; the list is emptied first.
 * SCREE_NO_MEMORY leaves it incomplete. */
ScreeStatus scr_touch_solids(const PlacedSolid *a, const PlacedSolid *b, Vec3 d,
                             const StepMotion *motion, double reach, OldPoints old, SolidWork *work,
                             OutlineTouches *touches);

/* Appends the points in the directions of the world; false when out of memory. */
bool scr_give_points(const PlacedSolid *a, const SolidPoints *points, OutlineTouches *touches);

/* What counts as a point in such a step. */
PointRules scr_solid_rules(const PlacedSolid *a, const PlacedSolid *b, const StepMotion *motion,
                           double reach, OldPoints old);

/* The gap of one contact point after the bodies have moved. Of a vertex beside an edge or a vertex it
 * is measured along `normal`. */
double scr_solids_gap(const PlacedSolid *a, const PlacedSolid *b, Vec3 d, Vec3 normal,
                      int32_t feature);

/* From the centre of a to the middle between the surfaces, where the features are now. */
Vec3 scr_solids_arm(const PlacedSolid *a, const PlacedSolid *b, Vec3 d, Vec3 normal,
                    int32_t feature);

/* The point of the same name, or else one that shares a vertex with it, or else an edge or a face:
 * the bodies have slid past the end of a feature. NULL: none. */
const Contact *scr_same_elements(const Solid *a, const Solid *b, OldPoints old, int32_t feature);

/* ---------------------------------------------------------------- walls
 *
 * A plane and the inside of a cylinder are met by vertices only: the distance from them is a convex
 * function of the place, so that the deepest point of a polyhedron is a vertex; smooth_wall.h has
 * smooth parts. `seen` is the centre of the body in the image that is nearest to the wall. */

/* A solid at a wall. */
typedef struct SolidAtWall {
    const ScreeWorldDef *def;
    const ScreeWallDef *wall;
    const PlacedSolid *solid;
    Vec3 seen;
} SolidAtWall;

ScreeStatus scr_touch_solid_wall(const SolidAtWall *at, const StepMotion *motion, double reach,
                                 OutlineTouches *touches);

/* The point that a name means where the body stands, from its centre and without its rounding. Of a
 * smooth part it moves over the surface: `normal` is that of the contact, into the wall. */
Vec3 scr_solid_wall_point(const SolidAtWall *at, Vec3 normal, int32_t feature, double *rounding);

double scr_solid_wall_gap(const SolidAtWall *at, Vec3 normal, int32_t feature);

#endif

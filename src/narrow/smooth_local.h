/* The contact points of a smooth part with one that is not convex, or with a patch of a surface of
 * triangles.
 *
 * Over the faces they are the places that a plane has, as far as they lie over the face: however a
 * plane is cut into triangles, they are the same. Edges and vertices are looked at one by one, as
 * convex parts of their own, and count where nothing beside them is nearer. */
#ifndef SCREE_NARROW_SMOOTH_LOCAL_H
#define SCREE_NARROW_SMOOTH_LOCAL_H

#include "narrow/local_list.h"

/* Appends the points. */
ScreeStatus scr_smooth_local_points(const LocalParts *parts, LaterPose *later,
                                    const PointRules *rules, SolidPoints *points);

/* A place of the smooth part and a feature of the other. */
typedef struct SmoothName {
    int32_t place;
    ElementKind kind;
    int32_t number;
} SmoothName;

/* Where a named point is, from the normal that it had; with `here` that is the normal of now. Of the
 * other part only the feature is needed. */
FeaturePlace scr_place_smooth_local(const PartPair *parts, SmoothName name, Vec3 normal, bool here);

#endif

/* All points of a part that are farthest along a direction: one point, an edge or a line on the side
 * of a cone, a face, or a cap. */
#ifndef SCREE_NARROW_SUPPORT_SET_H
#define SCREE_NARROW_SUPPORT_SET_H

#include "shape/polyhedron.h"

typedef enum SupportKind { SUPPORT_POINT, SUPPORT_LINE, SUPPORT_FACE, SUPPORT_CAP } SupportKind;

typedef struct SupportSet {
    SupportKind kind;
    Vec3 at;       /* the point, one end of the line, the middle of the cap */
    Vec3 to;       /* the other end of the line */
    int32_t place; /* number of the edge, the face or the cap; -1: a line on the side of a cone */
} SupportSet;

/* Along a unit vector of the part's own frame, within a small angle. `vertex` is the farthest one of a
 * polyhedron. */
SupportSet scr_support_set(const Polyhedron *part, Vec3 n, int32_t vertex, double angle);

/* The point of the set that is nearest to another. */
Vec3 scr_nearest_in_set(const Polyhedron *part, const SupportSet *set, Vec3 x);

#endif

/* The surface of a thin wall between its rims, as a solid sees it. */
#ifndef SCREE_NARROW_SHELL_SURFACE_H
#define SCREE_NARROW_SHELL_SURFACE_H

#include "narrow/outline_touch.h"
#include "narrow/part_pair.h"
#include "shape/wall_shell.h"

/* A solid at such a wall. */
typedef struct AtShell {
    const ScreeWallDef *wall;
    const PlacedSolid *solid;
    Vec3 seen; /* the centre of the body */
} AtShell;

typedef struct SurfaceSight {
    double height; /* over the side that the normal points to */
    Vec3 normal;   /* of a cone, away from its axis */
    bool within;   /* the foot lies on the wall */
} SurfaceSight;

/* A point of a part over the surface: from which side, and how high. */
typedef struct OverSurface {
    double gap;  /* of the part without its rounding */
    Vec3 normal; /* into the wall */
    bool within, inside;
} OverSurface;

/* The wall as the code for cones has it: a hollow cylinder with ends is a cone whose radii are equal, from one end
 * on. Uses the room for that. */
const ScreeWallDef *scr_as_shell(const ScreeWallDef *wall, ScreeWallDef *room);

/* Of a point in space. The first takes cones only. */
SurfaceSight scr_cone_surface(const ScreeWallDef *cone, Vec3 x);
SurfaceSight scr_surface_at(const ScreeWallDef *shell, Vec3 x);

/* Whether a wall bulges on one of its sides. */
bool scr_bulges(const ScreeWallDef *shell);

/* A place in the frame of the body, in space. */
Vec3 scr_world_of(const AtShell *at, Vec3 own);

/* A point of a convex part, given in the frame of the body. */
OverSurface scr_over_surface(const AtShell *at, const Polyhedron *part, Vec3 own);

/* A vertex of a polyhedron, convex or not. */
OverSurface scr_vertex_over_surface(const AtShell *at, const Polyhedron *part, int32_t vertex);

/* Whether a place of a surface of patches overlaps the wall as one that has entered it from that side: by no more than
 * half of what is there of the body. */
bool scr_patch_is_entered(const Polyhedron *part, int32_t element, double gap);

/* Whether a contact of the solid that a cone encloses is one of the thin wall, seen from outside. */
bool scr_is_outside_cone(const AtShell *at, const OutlineTouch *touch);

#endif

/* Solids of a scene: made from what is written, measured by the library. */
#ifndef SCREE_SCENE_MAKE_SOLIDS_H
#define SCREE_SCENE_MAKE_SOLIDS_H

#include "scene/internal.h"
#include "scene/make/random.h"

/* One part as vertices and faces; no faces: their hull, or a smooth part. */
typedef struct ScenePart {
    ScreeVec3 *vertex;
    int32_t *corners, *corner;
    size_t vertices, faces, total;
    double rounding;
    ScreePartKind kind;
    double form[2];
    double *weight; /* of the control points of a surface */
} ScenePart;

/* Where a part stands in the scene: "grains[0]", "shapes.nut.compound[2]". */
typedef struct SceneSolidSite {
    Scene *scene;
    SceneError *error;
    const SceneOutlineSpec *outline; /* the rods and regular ones */
    const SceneSolidSpec *solid;
    char name[100];
} SceneSolidSite;

/* Checks a shape in space and makes its solid, unless it is drawn at random. */
bool scene_make_solid(Scene *scene, SceneShapeSpec *spec, const char *owner, SceneError *error);

/* solid_parts.c: vertices and faces of what is given at the site, in the scene's memory. */
bool scene_make_part(const SceneSolidSite *site, ScenePart *part);

/* surfaces.c: the same of NURBS surfaces. */
bool scene_make_surface(const SceneSolidSite *site, ScenePart *part);
bool scene_make_torus(const SceneSolidSite *site, ScenePart *part);

/* The solid of a definition, everything copied into the arena. */
ScreeStatus scene_keep_solid(SceneArena *arena, const ScreeSolidDef *def, SceneSolid *made,
                             char *message);

/* Draws a rock and keeps it in the arena. */
ScreeStatus scene_draw_rock(SceneArena *arena, const SceneRockSpec *spec, double size,
                            SceneRandom *random, SceneSolid *made, char *message);

/* No rock of the shape reaches farther from its centre. */
double scene_largest_rock(const SceneRockSpec *spec);

/* The same solid larger; false when out of memory. */
bool scene_scale_solid(SceneArena *arena, const SceneSolid *from, double factor, SceneSolid *to);

#endif

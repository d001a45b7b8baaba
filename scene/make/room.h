/* The room that `fill` puts grains into: a box, or what a wall encloses. */
#ifndef SCREE_SCENE_MAKE_ROOM_H
#define SCREE_SCENE_MAKE_ROOM_H

#include "scene/internal.h"

typedef struct SceneRoom {
    SceneFillSpec box; /* around it */
    int dimension;
    double volume;     /* in 2D an area */
    ScreeRoom round;   /* a cylinder; radius 0: there is none */
    ScreeWallDef cone; /* or a cone; length 0: there is none */
    /* or a surface */
    ScreeVec3 *corner; /* [3 triangles] in the scene; NULL: there is none */
    size_t triangles;
} SceneRoom;

/* False with an error. The room must be freed. */
bool scene_room_make(SceneRoom *room, const Scene *scene, const SceneFillSpec *fill,
                     SceneError *error);
void scene_room_free(SceneRoom *room);

/* Whether a point of the box is in the room. */
bool scene_room_holds(const SceneRoom *room, ScreeVec3 x);

#endif

/* A scene that begins with the grains of another run. */
#ifndef SCREE_SCENE_MAKE_START_H
#define SCREE_SCENE_MAKE_START_H

#include "scene/internal.h"

/* What is taken from that run. */
typedef struct SceneStarted {
    ScreeStart *from;
    ScreeTakeDef take;
    ScreeMaterialId *material; /* for each of the run's materials */
    ScreeWallId *wall;         /* for each of its walls */
    int32_t *kept;  /* for each wall of the scene: that of the run which it goes on, or -1 */
    bool same_cell; /* the periodic cell is the one that the run has left */
    size_t bodies;  /* taken, with all copies: the first ones of `world` */
    const ScreeWorld *world;
    double overlap; /* [length] the deepest that the run has left */
} SceneStarted;

/* Reads the run. */
bool scene_read_start(Scene *scene, SceneStarted *started, SceneError *error);
void scene_free_start(SceneStarted *started);

/* The periodic cell, unless the scene has another. */
bool scene_start_cell(Scene *scene, const SceneStarted *started, ScreeWorldDef *def,
                      SceneError *error);

/* Into a world that has its materials. */
bool scene_start_bodies(Scene *scene, SceneStarted *started, ScreeWorld *world, SceneError *error);

/* Puts a wall where the run has left it, unless the scene says otherwise; false if the run has removed
 * it. `started` may be NULL. */
bool scene_start_wall(const SceneStarted *started, size_t wall, ScreeWallDef *def);

/* Once the walls are there: removes those that the run has removed, and takes the contacts. */
bool scene_start_contacts(Scene *scene, const SceneStarted *started, ScreeWorld *world,
                          SceneError *error);

/* Whether nothing in the scene is new that could overlap with something. */
bool scene_start_is_all(const Scene *scene, const SceneStarted *started);

#endif

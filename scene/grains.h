/* Grains on their way from the scene into the world. */
#ifndef SCREE_SCENE_GRAINS_H
#define SCREE_SCENE_GRAINS_H

#include "scene/internal.h"
#include "scene/random.h"

typedef struct SceneGrain {
    ScreeVec3 x;
    double r;
} SceneGrain;

/* The grains of one entry; a file gives more than places and radii. */
typedef struct SceneBatch {
    SceneGrain *grains;
    size_t count;
    ScreeBodyDef *bodies; /* from a file, else NULL */
    int *lines;           /* in that file */
} SceneBatch;

/* What random numbers are for. */
enum { RANDOM_RADIUS = 1, RANDOM_PLACE, RANDOM_JITTER };

double scene_volume(int dimension, double radius);

/* Room for `count` grains in the batch; an error names the limit or the entry. */
bool scene_make_room(Scene *scene, const SceneGrainsSpec *spec, double count, SceneBatch *batch,
                     SceneError *error);

bool scene_make_lattice(Scene *scene, const SceneGrainsSpec *spec, SceneBatch *batch,
                        SceneError *error);
bool scene_read_csv(Scene *scene, const SceneGrainsSpec *spec, SceneBatch *batch,
                    SceneError *error);

/* Random insertion into `batches[index]`, clear of all other batches made so far. */
bool scene_make_fill(Scene *scene, const SceneGrainsSpec *spec, SceneBatch *batches, size_t count,
                     size_t index, SceneError *error);

#endif

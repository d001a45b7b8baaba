/* Grains on their way from the scene into the world. */
#ifndef SCREE_SCENE_MAKE_BATCH_H
#define SCREE_SCENE_MAKE_BATCH_H

#include "scene/internal.h"
#include "scene/make/random.h"

typedef struct SceneGrain {
    ScreeVec3 x;
    double r;     /* of a shape: of the circle about its centroid that holds it */
    int32_t form; /* -1: round; else its number among the forms */
} SceneGrain;

/* The grains of one entry; a file gives more than places and radii. */
typedef struct SceneBatch {
    SceneGrain *grains;
    size_t count;
    ScreeBodyDef *bodies; /* from a file, else NULL */
    int *lines;           /* in that file */
} SceneBatch;

/* What random numbers are for. */
enum { RANDOM_RADIUS = 1, RANDOM_PLACE, RANDOM_JITTER, RANDOM_CORNERS, RANDOM_ANGLE };

/* A shape that some grain has, and its number in the world once it is there, else -1. */
typedef struct SceneOutline {
    ScreeShape shape;
    ScreeShapeId id;  /* SCREE_NO_SHAPE: not in the world yet */
    ScreeNurbs curve; /* with points: the shape is this; shape.def is the polygon through its nodes,
                         and its rounding the room that the curve takes beyond it */
    const ScreeNurbs *source; /* the curve of the scene that it is, multiplied by `scale` */
    double scale;
} SceneOutline;

/* A grain's outline, and how it is turned: the quaternion (w, 0, 0, z). */
typedef struct SceneForm {
    int32_t outline;
    double w, z;
} SceneForm;

/* The forms of all grains; the same outline stands here once. */
typedef struct SceneForms {
    SceneForm *form;
    SceneOutline *outline;
    size_t forms, outlines, form_capacity, outline_capacity;
    int32_t *table; /* outlines by hash, -1: none */
    size_t mask;
    SceneArena arena; /* of their corners */
} SceneForms;

void scene_free_forms(SceneForms *forms);

/* Makes the grains of one entry, one after the other: sizes, shapes and angles, not places. */
typedef struct SceneMaker {
    Scene *scene;
    const SceneGrainsSpec *spec;
    const SceneShapeSpec *shape; /* NULL: round */
    SceneForms *forms;
    SceneAngle angle;
    SceneRandom sizes, corners, angles;
} SceneMaker;

SceneMaker scene_maker(Scene *scene, const SceneGrainsSpec *spec, SceneForms *forms);

/* Grain number k, all but its place; `volume` (or NULL) is its volume, in two dimensions its area.
 */
bool scene_make_grain(SceneMaker *maker, size_t k, SceneGrain *grain, double *volume,
                      SceneError *error);

/* The same with shape, scale and angle given. */
bool scene_make_shaped(SceneMaker *maker, const SceneShapeSpec *shape, double scale, double angle,
                       SceneGrain *grain, double *volume, SceneError *error);

/* The largest radius that a grain of the entry may have. */
double scene_largest(const SceneMaker *maker);

double scene_volume(int dimension, double radius);

/* `count` round grains of no size in the batch; an error names the limit or the entry. */
bool scene_make_room(Scene *scene, const SceneGrainsSpec *spec, double count, SceneBatch *batch,
                     SceneError *error);

/* Room for so many grains, without making any. */
bool scene_grow_room(Scene *scene, const SceneGrainsSpec *spec, double count, SceneBatch *batch,
                     SceneError *error);

#endif

/* Grains on their way from the scene into the world. */
#ifndef SCREE_SCENE_MAKE_BATCH_H
#define SCREE_SCENE_MAKE_BATCH_H

#include "scene/internal.h"
#include "scene/make/random.h"

typedef struct SceneGrain {
    ScreeVec3 x;
    double r;     /* of a shape: radius of the circle about its centroid that holds it */
    int32_t form; /* -1: round; else its number among the forms */
} SceneGrain;

/* The grains of one entry; a file gives more than positions and radii. */
typedef struct SceneBatch {
    SceneGrain *grains;
    size_t count;
    ScreeBodyDef *bodies; /* from a file, else NULL */
    int *lines;           /* in that file */
} SceneBatch;

/* Purposes of random numbers. */
enum {
    RANDOM_RADIUS = 1,
    RANDOM_POSITION,
    RANDOM_JITTER,
    RANDOM_CORNERS,
    RANDOM_ANGLE,
    RANDOM_VELOCITY
};

/* A shape that some grain has, and its id in the world once it has been added. */
typedef struct SceneOutline {
    ScreeShape shape;
    ScreeShapeId id; /* SCREE_NO_SHAPE: not in the world yet */
    /* a curve, if it has points: shape.def is then the polygon through its nodes, and its rounding
     * the room that the curve takes beyond it */
    ScreeNurbs curve;
    SceneSolid solid;   /* if it has parts: shape then has its radius, centroid and volume only */
    const void *source; /* the scene's curve or solid of which this is a copy, times `scale` */
    double scale;
} SceneOutline;

/* A grain's outline or solid and its rotation; in the plane the quaternion is (w, 0, 0, z). */
typedef struct SceneForm {
    int32_t outline;
    ScreeQuat turn;
} SceneForm;

/* The forms of all grains; equal outlines are stored once. */
typedef struct SceneForms {
    SceneForm *form;
    SceneOutline *outline;
    size_t forms, outlines, form_capacity, outline_capacity;
    int32_t *table; /* outlines by hash, -1: none */
    size_t mask;
    SceneArena arena; /* holds their corners */
} SceneForms;

void scene_free_forms(SceneForms *forms);

/* Makes the grains of one entry, one after the other: sizes, shapes and angles, but not
 * positions. */
typedef struct SceneMaker {
    Scene *scene;
    const SceneGrainsSpec *spec;
    const SceneShapeSpec *shape; /* NULL: round */
    SceneForms *forms;
    SceneAngle angle;             /* in the plane */
    SceneOrientation orientation; /* in space */
    SceneRandom sizes, corners, angles;
} SceneMaker;

SceneMaker scene_maker(Scene *scene, const SceneGrainsSpec *spec, SceneForms *forms);

/* Makes grain number k without its position; `volume` (or NULL) receives its volume, in two
 * dimensions its area. */
bool scene_make_grain(SceneMaker *maker, size_t k, SceneGrain *grain, double *volume,
                      SceneError *error);

/* The same with a given shape, scale and rotation. */
bool scene_make_shaped(SceneMaker *maker, const SceneShapeSpec *shape, double scale, ScreeQuat turn,
                       SceneGrain *grain, double *volume, SceneError *error);

/* The rotation of grain number k. */
ScreeQuat scene_draw_turn(SceneMaker *maker, size_t k);

/* The largest radius that a grain of the entry may have. */
double scene_largest(const SceneMaker *maker);

double scene_volume(int dimension, double radius);

/* Puts `count` round grains without size into the batch; an error names the limit or the entry. */
bool scene_make_room(Scene *scene, const SceneGrainsSpec *spec, double count, SceneBatch *batch,
                     SceneError *error);

/* Room for that many grains, without making any. */
bool scene_grow_room(Scene *scene, const SceneGrainsSpec *spec, double count, SceneBatch *batch,
                     SceneError *error);

#endif

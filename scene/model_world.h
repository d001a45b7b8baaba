/* Sections of a scene in memory that tell of the world as a whole: time, cell, engines, output,
 * materials. */
#ifndef SCREE_SCENE_MODEL_WORLD_H
#define SCREE_SCENE_MODEL_WORLD_H

#include "scene/model_values.h"

typedef struct SceneTimeSpec {
    SceneHead head;
    double step, end, theta; /* step 0: the soft engine chooses */
} SceneTimeSpec;

typedef struct ScenePeriodicSpec {
    SceneHead head;
    SceneSpan axis[3];
} ScenePeriodicSpec;

typedef struct SceneSolverSpec {
    SceneHead head;
    int method, order, criterion, policy;
    double tolerance, overlap, projection, small_force;
    int64_t iterations, cuts;
    bool warm_start;
} SceneSolverSpec;

typedef struct SceneSoftSpec {
    SceneHead head;
    int integrator, friction, long_step;
} SceneSoftSpec;

/* What is done about a time step in which soft contacts are unstable. */
typedef enum SceneLongStep { SCENE_LONG_STEP_REFUSE, SCENE_LONG_STEP_WARN } SceneLongStep;

typedef struct SceneVariationalSpec {
    SceneHead head;
    int friction; /* 1: exact */
    double tolerance, range;
    long long iterations;
} SceneVariationalSpec;

typedef struct SceneNeighboursSpec {
    SceneHead head;
    int method;
    double skin, cell;
} SceneNeighboursSpec;

typedef struct SceneOutputSpec {
    SceneHead head;
    double every, checkpoint_seconds;
    bool contacts;
} SceneOutputSpec;

/* Where walls stand that a run has left somewhere. */
typedef enum SceneStartWalls { START_WALLS_RUN, START_WALLS_SCENE } SceneStartWalls;

/* A moment of another run to begin from. */
typedef struct SceneStartSpec {
    SceneHead head;
    const char *run;
    int64_t frame; /* -1: the last */
    int walls;     /* SceneStartWalls */
    SceneCounts replicate;
} SceneStartSpec;

typedef enum SceneOverlapPolicy {
    OVERLAP_REFUSE,
    OVERLAP_ACCEPT,
    OVERLAP_TOLERATE
} SceneOverlapPolicy;

typedef struct SceneOverlapSpec {
    SceneHead head;
    SceneOverlapPolicy policy;
    double tolerate;
} SceneOverlapSpec;

/* How grains of a material grow or shrink: by one of two programmes. */
typedef struct SceneGrowthSpec {
    SceneHead head;
    const char *material;    /* of an event; NULL: all */
    SceneDrive rate, factor; /* numbers */
    int keep;                /* ScreeGrowthKeeps */
} SceneGrowthSpec;

typedef struct SceneMaterialSpec {
    SceneHead head;
    double density;
    const char *colour; /* one of the schema's words, or "#rrggbb"; NULL: not given */
    ScreeLaw law;       /* only the given numbers count; see scene_has */
    SceneGrowthSpec growth;
} SceneMaterialSpec;

typedef struct ScenePairSpec {
    SceneHead head;
    SceneNames between;
    ScreeLaw law; /* likewise */
    int32_t a, b;
} ScenePairSpec;

/* Components row by row: xx, xy, xz, yx, ... */
typedef struct SceneCellRateSpec {
    SceneHead head;
    SceneDrive of[9]; /* numbers */
} SceneCellRateSpec;

typedef struct SceneCellStressSpec {
    SceneHead head;
    SceneDrive of[9];
} SceneCellStressSpec;

typedef struct SceneCellSpec {
    SceneHead head;
    SceneCellRateSpec rate;
    SceneCellStressSpec stress;
    SceneDrive pressure;
    double mass, viscosity;
    bool symmetric;
} SceneCellSpec;

typedef struct SceneRegionSpec {
    SceneHead head;
    SceneSpan axis[3];
} SceneRegionSpec;

/* Grains by number, both ends included. */
typedef struct SceneGrainRange {
    bool given, all;
    int64_t first, last;
} SceneGrainRange;

/* Glue between grains, or to walls. */
typedef struct SceneBondSpec {
    SceneHead head;
    double tension, shear, tension_stress, shear_stress, neck, bending, torsion, within;
    SceneNames between, walls;
    SceneGrainRange pair;
    bool at_start;
} SceneBondSpec;

/* Who has a liquid bridge at the start. */
enum { SCENE_BRIDGES_TOUCHING, SCENE_BRIDGES_NEAR };

/* Nothing but the grains that it holds. */
typedef struct SceneHolderSpec {
    SceneHead head;
    ScreeVec3 point;
} SceneHolderSpec;

#endif

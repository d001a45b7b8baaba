/* Values of a scene in memory that many of its sections have: lists, motions in time, sizes. */
#ifndef SCREE_SCENE_MODEL_VALUES_H
#define SCREE_SCENE_MODEL_VALUES_H

#include <scree/scree.h>

/* The beginning of every struct that a section fills. */
typedef struct SceneHead {
    int node; /* the mapping's node; 0 when the section is absent */
    int index;
    const char *name; /* name of an entry that has one, else NULL */
} SceneHead;

typedef struct SceneList {
    void *items;
    size_t count;
} SceneList;

/* How components of a velocity are spread. */
typedef enum SceneSpreadKind { SPREAD_NORMAL, SPREAD_UNIFORM } SceneSpreadKind;

typedef struct SceneNames {
    const char **names;
    const int *nodes;
    size_t count;
} SceneNames;

typedef struct SceneSpan {
    bool given;
    double from, to;
} SceneSpan;

typedef struct SceneCounts {
    int64_t n[3];
} SceneCounts;

typedef struct ScenePoints {
    ScreeVec3 *points;
    size_t count;
} ScenePoints;

/* ---------------------------------------------------------------- motions in time */

/* A value of a motion; in three dimensions a single number means: about the wall's own axis. */
typedef struct SceneTurn {
    ScreeVec3 v;
    bool scalar;
} SceneTurn;

typedef struct SceneTable {
    double (*rows)[4]; /* time, x, y, z */
    size_t count;
    bool scalar; /* rows hold a time and one number, stored in x */
} SceneTable;

typedef struct SceneDriveSpec {
    SceneHead head;
    SceneTable table;
    SceneTurn amplitude, mean;
    double frequency, phase;
} SceneDriveSpec;

typedef enum SceneDriveKind {
    DRIVE_NONE,
    DRIVE_CONSTANT,
    DRIVE_TABLE,
    DRIVE_HARMONIC
} SceneDriveKind;

/* A vector as a function of time: mean + amplitude sin(2 pi frequency t + phase), or a table. */
typedef struct SceneDrive {
    SceneDriveKind kind;
    bool scalar; /* still a number about an axis; see scene_drive_about */
    ScreeVec3 mean, amplitude;
    double frequency, phase;
    SceneTable table;
} SceneDrive;

/* ---------------------------------------------------------------- sizes */

typedef struct ScenePowerSpec {
    SceneHead head;
    double min, max, exponent;
} ScenePowerSpec;

typedef struct SceneTwoSpec {
    SceneHead head;
    double small, large, fraction;
    int by_volume;
} SceneTwoSpec;

typedef struct SceneBellSpec {
    SceneHead head;
    double middle, deviation;
    SceneSpan cut;
} SceneBellSpec;

typedef struct SceneSizesSpec {
    SceneHead head;
    SceneSpan uniform, uniform_volume;
    ScenePowerSpec power;
    SceneTwoSpec two;
    SceneBellSpec normal, lognormal;
} SceneSizesSpec;

typedef enum SceneSizesKind {
    SIZES_NONE,
    SIZES_ONE,
    SIZES_LIST,
    SIZES_UNIFORM,
    SIZES_POWER, /* number density proportional to r^-exponent */
    SIZES_TWO,
    SIZES_NORMAL,
    SIZES_LOGNORMAL
} SceneSizesKind;

typedef struct SceneSizes {
    SceneSizesKind kind;
    double min, max; /* bounds on all radii */
    double exponent;
    double share; /* two: share of the large ones, by number */
    double middle, deviation;
    double *list;
    size_t count;
} SceneSizes;

#endif

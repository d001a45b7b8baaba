/* What the files of the playground share. */
#ifndef SCREE_PLAYGROUND_INTERNAL_H
#define SCREE_PLAYGROUND_INTERNAL_H

#include "io/run/file.h"
#include "playground/play.h"
#include "view/bytes.h"
#include "view/series.h"

#include <scree/scree.h>

/* A spring by which something follows a hand. */
typedef struct Spring {
    ScreeVec3 target;
    double frequency; /* angular */
} Spring;

typedef struct Grab {
    int32_t body; /* -1: none */
    Spring spring;
    ScreeVec3 force, torque; /* what acted on it before */
} Grab;

/* The box in the hand of someone who stands still. */
typedef struct Box {
    ScreeVec3 place, velocity;
    Spring spring;
    ScreeVec3 amplitude; /* of shaking */
    double shaking, phase;
} Box;

/* Shapes that were made for pouring: those of the same form, size and kind of pebble are one. */
typedef struct PouredShape {
    PlayForm form;
    uint32_t variety;
    double radius;
    ScreeShapeId id;
} PouredShape;

enum { POURED_SHAPES_MAX = 256 };

struct Play {
    char *text;
    size_t text_room, text_size;
    ScreeScene *scene;
    ScreeWorld *world;
    ScreeReport report;
    ScreeSolverDef solver; /* of the scene */
    ScreeVec3 gravity;     /* as it would be if the box stood still */
    Grab grab;
    Box box;
    PouredShape poured[POURED_SHAPES_MAX];
    size_t poured_count, scene_walls;
    RunFrame frame;
    ViewSeries series;
    double origin[3];
    bool has_origin;
    ViewBytes out;
    char message[SCREE_FILE_MESSAGE_SIZE];
};

/* Remembers what was wrong; returns 1. */
int play_fail(Play *play, const char *text);

/* The mean radius and mass of the grains; 1 where there are none. */
double play_mean_radius(const ScreeWorld *world);
double play_mean_mass(const ScreeWorld *world);

/* The state of the world as a scene, in YAML. */
void play_write_scene(const Play *play, ViewBytes *into);

#endif

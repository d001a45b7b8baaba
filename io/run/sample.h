/* Frames of run files for the functions that measure. */
#ifndef SCREE_IO_RUN_SAMPLE_H
#define SCREE_IO_RUN_SAMPLE_H

#include "io/run/file.h"

typedef struct RunSample {
    ScreeSample sample; /* of the frame made last; valid as long as header and frame are */
    size_t contact_room;
    ScreeContactForce *contact;
    ScreeShape *form;
    ScreeShapePart *part;       /* in the plane */
    ScreeSolid *solid;          /* in space */
    ScreeSolidPart *solid_part; /* likewise */
    int32_t *face_corners;      /* likewise, of all faces */
    ScreeLaw *law;
    ScreeWallState *wall;
} RunSample;

/* May be called repeatedly with the same memory, which begins as {0}, for frames of one run. False
 * when out of memory. */
bool run_sample_make(const RunHeader *header, const RunFrame *frame, RunSample *into);
void run_sample_free(RunSample *sample);

/* What holds the bodies of a frame: walls and frozen axes. */
typedef struct RunSurroundings {
    ScreeSurroundings surroundings; /* valid as long as the header is */
    ScreeSampleWall *wall;
} RunSurroundings;

/* Begins as {0} and is made once. False when out of memory. */
bool run_surroundings_make(const RunHeader *header, const RunFrame *frame, RunSurroundings *into);
void run_surroundings_free(RunSurroundings *surroundings);

#endif

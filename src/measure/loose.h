/* A sample without the bodies that walls hold: these are parts of their walls, so what they touch
 * touches a wall there. */
#ifndef SCREE_MEASURE_LOOSE_H
#define SCREE_MEASURE_LOOSE_H

#include "base/memory.h"
#include "measure/region.h"

/* Where walls hold nothing, `sample` is the one that is given, and there is nothing to free. */
typedef struct Loose {
    ScreeSample sample;
    Block block;
} Loose;

ScreeStatus scr_loose_make(const ScreeSample *sample, Loose *loose, char *message);
void scr_loose_free(Loose *loose);

#endif

/* Who carries the load over windows of time. */
#ifndef SCREE_MEASURE_CARRIERS_H
#define SCREE_MEASURE_CARRIERS_H

#include "base/memory.h"
#include "measure/region.h"

/* What a pair of partners has passed on. */
typedef struct Carrier {
    int32_t a, b;
    double impulse;
} Carrier;

/* Means of a window. */
typedef struct CarrierWindow {
    double coordination, partners, carriers;
} CarrierWindow;

struct ScreeCarriers {
    ScreeMeasureDef def;
    double window;
    double begin, last; /* of the present window; time of the last sample */
    bool begun;
    double moments, touching, bodies; /* sums over the samples of the window */
    size_t all_bodies;
    Carrier *carrier;
    Block carrier_block;
    size_t carriers;
    CarrierWindow *done;
    Block done_block;
    size_t windows;
    Block self;
};

ScreeStatus scr_carriers_add(ScreeCarriers *carriers, const ScreeSample *sample, double time,
                             char *message);

ScreeCarrying scr_carriers_get(const ScreeCarriers *carriers);

#endif

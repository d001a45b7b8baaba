/* Mass through a plane. */
#ifndef SCREE_MEASURE_FLOW_H
#define SCREE_MEASURE_FLOW_H

#include "measure/region.h"

ScreeStatus scr_measure_flow(const ScreeSample *sample, const ScreeMeasureDef *def, Vec3 point,
                             Vec3 normal, ScreeFlow *flow, char *message);

#endif

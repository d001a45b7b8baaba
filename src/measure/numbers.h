/* The measures that are numbers. */
#ifndef SCREE_MEASURE_NUMBERS_H
#define SCREE_MEASURE_NUMBERS_H

#include "measure/region.h"

ScreeStatus scr_measure(const ScreeSample *sample, const ScreeMeasureDef *def,
                        ScreeMeasures *measures, char *message);

/* |T| / (friction (N + cohesion)) of an active contact between bodies; NaN where that is not
 * defined: without friction, at walls, and when the laws are not known. */
double scr_mobilisation(const ScreeSample *sample, const ScreeContactForce *contact);

#endif

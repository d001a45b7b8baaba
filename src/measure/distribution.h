/* Distributions of forces, directions and partners, and the pair correlation. */
#ifndef SCREE_MEASURE_DISTRIBUTION_H
#define SCREE_MEASURE_DISTRIBUTION_H

#include "measure/region.h"

ScreeStatus scr_measure_distribution(const ScreeSample *sample, const ScreeMeasureDef *def,
                                     ScreeDistribution kind, double most, ScreeBin *bin,
                                     size_t bins, char *message);

#endif

/* Coarse graining on a grid. */
#ifndef SCREE_MEASURE_GRID_H
#define SCREE_MEASURE_GRID_H

#include "measure/region.h"

ScreeStatus scr_measure_grid(const ScreeSample *sample, const ScreeGridDef *def, ScreeCell *cell,
                             char *message);

#endif

/* The free surface: its slope and the angle of repose. */
#ifndef SCREE_MEASURE_SURFACE_H
#define SCREE_MEASURE_SURFACE_H

#include "measure/region.h"

ScreeStatus scr_measure_surface(const ScreeSample *sample, const ScreeMeasureDef *def,
                                double column, ScreeSurface *surface, char *message);

#endif

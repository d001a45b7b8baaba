/* The measures of a sample. Each has a file of its own. */
#ifndef SCREE_MEASURE_OF_SAMPLE_H
#define SCREE_MEASURE_OF_SAMPLE_H

#include "measure/region.h"

/* Those that are numbers. */
ScreeStatus scr_measure(const ScreeSample *sample, const ScreeMeasureDef *def,
                        ScreeMeasures *measures, char *message);

/* |T| / (friction (N + cohesion)) of an active contact between bodies; NaN where that is not
 * defined: without friction, at walls, and when the laws are not known. */
double scr_mobilisation(const ScreeSample *sample, const ScreeContactForce *contact);

/* How many partners of each material the bodies of each material have, on average. */
ScreeStatus scr_measure_partners(const ScreeSample *sample, const ScreeMeasureDef *def,
                                 double *mean, char *message);

/* Distributions of forces, directions and partners, and the pair correlation. */
ScreeStatus scr_measure_distribution(const ScreeSample *sample, const ScreeMeasureDef *def,
                                     ScreeDistribution kind, double most, ScreeBin *bin,
                                     size_t bins, char *message);

/* Empty bins of equal width up to `most`. */
static inline void scr_empty_bins(ScreeBin *bin, size_t bins, double most) {
    for (size_t k = 0; k < bins; k++) {
        bin[k] = (ScreeBin){.low = most * (double)k / (double)bins,
                            .high = most * (double)(k + 1) / (double)bins};
    }
}

/* The pair correlation, in bins of equal width up to `most`; with 0 a width is chosen. */
ScreeStatus scr_measure_pairs(const Region *region, double most, ScreeBin *bin, size_t bins,
                              char *message);

/* Coarse graining on a grid. */
ScreeStatus scr_measure_grid(const ScreeSample *sample, const ScreeGridDef *def, ScreeCell *cell,
                             char *message);

/* The free surface: its slope and the angle of repose. */
ScreeStatus scr_measure_surface(const ScreeSample *sample, const ScreeMeasureDef *def,
                                double column, ScreeSurface *surface, char *message);

/* What the stress ratio is made of. */
ScreeStatus scr_measure_anisotropy(const ScreeSample *sample, const ScreeMeasureDef *def,
                                   ScreeAnisotropy *anisotropy, char *message);

/* The volume of a body beyond the plane across the unit vector n, d ahead of its centre. */
double scr_body_beyond(const ScreeSample *sample, size_t body, Vec3 n, double d);

/* Mass through a plane. */
ScreeStatus scr_measure_flow(const ScreeSample *sample, const ScreeMeasureDef *def, Vec3 point,
                             Vec3 normal, ScreeFlow *flow, char *message);

#endif

/* Averages over slices and over time. */
#ifndef SCREE_MEASURE_PROFILE_H
#define SCREE_MEASURE_PROFILE_H

#include "base/memory.h"
#include "measure/slices.h"

/* Sums over the bodies and contacts of a slice. They add up over samples, and everything that is wanted
 * follows from them, so that averages are those of sums, and errors follow from leaving out some. */
typedef struct SliceSums {
    double samples, low, high; /* numbers of samples; sums of where the slice is */
    double volume, solid, mass, bodies, diameters; /* bodies by their part in the slice */
    double place[2];                               /* mass times place, times its square */
    double momentum[3], moment[3];                 /* ..., times place */
    double motion[9];                              /* mass times velocity times velocity */
    double stress[9];                              /* force times branch */
    double rate[9];                                /* that of the cell */
    double carried[3]; /* velocity of the cell in the middle of the slice */
    double normal[3];  /* of a slab */
} SliceSums;

enum { SLICE_SUMS = sizeof(SliceSums) / sizeof(double) };

struct ScreeProfile {
    ScreeProfileDef def;
    int dimension; /* 0 before the first sample */
    Reach reach;
    size_t bins, samples;
    SliceSums *sums; /* [samples][bins] */
    Block sums_block;
    Block self; /* where this struct is */
};

ScreeStatus scr_profile_cover(ScreeProfile *profile, const ScreeSample *sample, char *message);
ScreeStatus scr_profile_add(ScreeProfile *profile, const ScreeSample *sample, char *message);

/* Into how many blocks the samples fall. */
size_t scr_profile_blocks(const ScreeProfile *profile);

void scr_profile_get_bins(const ScreeProfile *profile, ScreeProfileBin *bin);

#endif

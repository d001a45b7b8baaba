/* The angle of repose of a heap. */
#ifndef SCREE_MEASURE_REPOSE_H
#define SCREE_MEASURE_REPOSE_H

#include "measure/cap.h"

typedef struct Repose {
    double angle, error; /* degrees */
} Repose;

/* From the upper sides of the bodies, their mean diameter, and the width of the windows. */
ScreeStatus scr_repose_fit(const Cap *cap, size_t caps, bool flat, double diameter, double width,
                           Repose *repose, char *message);

#endif

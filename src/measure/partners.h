/* Who touches whom: partners of bodies, and rattlers. */
#ifndef SCREE_MEASURE_PARTNERS_H
#define SCREE_MEASURE_PARTNERS_H

#include "base/memory.h"
#include "measure/region.h"

/* Two bodies, or a body and a wall (negative), that touch: at one point or at several. */
typedef struct Couple {
    int32_t a, b;
} Couple;

typedef struct Partners {
    size_t pairs;
    Couple *pair;
    int32_t *count;    /* [bodies] partners of each */
    int32_t *backbone; /* [bodies] partners that are no rattlers; -1: is a rattler itself */
    Block pair_block, count_block, backbone_block;
} Partners;

/* A body with fewer than `least` partners is a rattler and does not count as a partner, which may
 * make others rattlers. */
ScreeStatus scr_partners_find(const ScreeSample *sample, int32_t least, Partners *partners,
                              char *message);
void scr_partners_free(Partners *partners);

ScreeStatus scr_measure_partners(const ScreeSample *sample, const ScreeMeasureDef *def,
                                 double *mean, char *message);

#endif

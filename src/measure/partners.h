/* Who touches whom: partners of bodies, and rattlers. */
#ifndef SCREE_MEASURE_PARTNERS_H
#define SCREE_MEASURE_PARTNERS_H

#include "base/memory.h"
#include "measure/region.h"

/* Two bodies, or a body and a wall (negative), that touch at one or more points. */
typedef struct Couple {
    int32_t a, b;
} Couple;

typedef struct Partners {
    size_t pairs;
    Couple *pair;
    int32_t *count;    /* [bodies] how many partners each has */
    int32_t *backbone; /* [bodies] how many of these are not rattlers; -1: is one itself */
    Block pair_block, count_block, backbone_block;
} Partners;

/* A body with fewer than `least` partners is a rattler and does not count as anyone's partner,
 * which may turn others into rattlers. To be freed if SCREE_OK is returned. */
ScreeStatus scr_partners_find(const ScreeSample *sample, int32_t least, Partners *partners,
                              char *message);
void scr_partners_free(Partners *partners);

#endif

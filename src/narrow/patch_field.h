/* Places of a surface of patches that lie over a flat wall, or in a hollow cylinder or cone: a wall that has one
 * direction and one gap at each point of space. */
#ifndef SCREE_NARROW_PATCH_FIELD_H
#define SCREE_NARROW_PATCH_FIELD_H

#include "narrow/patch_choice.h"

/* In parts of the diameter: overlaps that are still seen at walls. Sine: how far a flank may be tilted. */
#define DEEPEST_AT_WALL 0.25
#define LEAST_TILT      0.1

typedef struct PatchField {
    const Patchwork *surface;
    PatchPartner partner;    /* a plane or a tube */
    double reach, low, tilt; /* of gaps, the greatest and the least; sine, of flanks */
    /* Whether the wall is there at a place of that cell; NULL: it is everywhere. */
    bool (*is_there)(const void *wall, const PatchMeeting *meeting, int32_t cell);
    const void *wall;
    PatchChoice choice; /* the places, empty to begin with but for its size */
} PatchField;

void scr_search_field(PatchField *field);

#endif

/* Inside the library ids are plain numbers, and whatever a body touches is a single one: the number
 * of the other body or, for a wall, a negative code. This is the code of ScreePartner. */
#ifndef SCREE_BASE_PARTNER_H
#define SCREE_BASE_PARTNER_H

#include <scree/scree.h>

static inline int32_t scr_wall_code(size_t wall) {
    const ScreeWallId id = {(int32_t)wall};
    return scree_partner_from_wall(id).code;
}

/* The number of the wall that a negative code stands for. */
static inline size_t scr_wall_of(int32_t code) {
    const ScreePartner partner = {code};
    return (size_t)scree_partner_get_wall(partner).index;
}

#endif

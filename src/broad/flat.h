/* Searching in an oblique cell: in coordinates along the normals of its faces (CellFrame), where images
 * repeat along the axes and no component of a difference is longer than the difference. */
#ifndef SCREE_BROAD_FLAT_H
#define SCREE_BROAD_FLAT_H

#include "broad/neighbours.h"

/* Zero-initialise it. It must live as long as the input that uses it. */
typedef struct FlatSpace {
    CellFrame frame;
    ScreeWorldDef def;
    Vec3 *position;
    Block position_block;
} FlatSpace;

/* Changes the input of a search if its cell, with these edges, needs it; false when out of memory. */
static inline bool scr_flatten(FlatSpace *flat, BroadInput *input, const Vec3 edge[3]) {
    if (!input->def->deform.tilted) {
        return true;
    }
    if (!SCR_RESERVE(flat, position, input->count + 1)) {
        return false;
    }
    flat->frame = scr_cell_frame(input->def, edge);
    for (size_t i = 0; i < input->count; i++) {
        flat->position[i] =
            mat3_apply(&flat->frame.to, sub(input->position[i], flat->frame.corner));
    }
    flat->def = *input->def;
    flat->def.deform.tilted = false;
    flat->def.cell_min = vec3(0, 0, 0);
    flat->def.cell_max = flat->frame.side;
    input->def = &flat->def;
    input->position = flat->position;
    input->oblique = &flat->frame.from;
    return true;
}

#endif

#include "dynamics/engine.h"

#include <string.h>

ScreeStatus scr_keep_solved(Engine *e) {
    size_t count = e->problem.bodies;
    if (!e->keeps_problem) {
        return SCREE_OK;
    }
    if (!scr_block_reserve(&e->solved_block, count, sizeof(ProblemBody), 0)) {
        return SCREE_NO_MEMORY;
    }
    memcpy(e->solved_block.data, e->problem.body, count * sizeof(ProblemBody));
    e->solved_bodies = count;
    return SCREE_OK;
}

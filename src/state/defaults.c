/* All defaults of the definition structs. */
#include "base/cookie.h"

#include <scree/scree.h>

#include <math.h>

ScreeSolverDef scree_solver_def_default(void) {
    return (ScreeSolverDef){.tolerance = 0.1,
                            .overlap = 2.5e-4,
                            .iterations = 2000,
                            .warm_start = true,
                            .projection = 0.3,
                            .cookie = SCR_COOKIE};
}

ScreeWorldDef scree_world_def_default(void) {
    return (ScreeWorldDef){.dimension = 3,
                           .theta = 1,
                           .seed = 1,
                           .threads = 1,
                           .deform = {.mass = 1},
                           .solver = scree_solver_def_default(),
                           .variational = {.tolerance = 1e-8, .iterations = 100, .range = 0.1},
                           .cookie = SCR_COOKIE};
}

ScreeMaterialDef scree_material_def_default(void) {
    return (ScreeMaterialDef){.density = 1, .law = scree_law_default(), .cookie = SCR_COOKIE};
}

ScreeLaw scree_law_default(void) {
    return (ScreeLaw){
#define X(name, dimension, preset, meaning) .name = preset,
        SCREE_LAW_MAP(X)
#undef X
    };
}

ScreeBodyDef scree_body_def_default(void) {
    return (ScreeBodyDef){
        .orientation = {1, 0, 0, 0}, .shape = SCREE_NO_SHAPE, .cookie = SCR_COOKIE};
}

ScreeTakeDef scree_take_def_default(void) {
    return (ScreeTakeDef){.copies = {1, 1, 1}, .cookie = SCR_COOKIE};
}

ScreeWallDef scree_wall_def_default(void) {
    return (ScreeWallDef){.orientation = {1, 0, 0, 0},
                          .axis = {0, 0, 1},
                          .part = -1,
                          .material = SCREE_NO_MATERIAL,
                          .between = {SCREE_NO_WALL, SCREE_NO_WALL, SCREE_NO_WALL, SCREE_NO_WALL},
                          .cookie = SCR_COOKIE};
}

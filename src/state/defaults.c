/* All defaults of the definition structs. */
#include <scree/scree.h>

#include <math.h>

ScreeSolverDef scree_default_solver(void) {
    return (ScreeSolverDef){.tolerance = 1e-2,
                            .overlap = 1e-3,
                            .iterations = 2000,
                            .warm_start = true,
                            .recover = false};
}

ScreeWorldDef scree_default_world(void) {
    return (ScreeWorldDef){.dimension = 3,
                           .theta = 1,
                           .seed = 1,
                           .threads = 1,
                           .solver = scree_default_solver(),
                           .variational = {.tolerance = 1e-8, .iterations = 100, .range = 0.1}};
}

ScreeMaterialDef scree_default_material(void) {
    return (ScreeMaterialDef){.density = 1, .law = scree_default_law()};
}

ScreeLaw scree_default_law(void) {
    return (ScreeLaw){
#define X(name, dimension, preset, meaning) .name = preset,
        SCREE_LAW_MAP(X)
#undef X
    };
}

ScreeBodyDef scree_default_body(void) {
    return (ScreeBodyDef){.orientation = {1, 0, 0, 0}, .shape = -1};
}

ScreeWallDef scree_default_wall(void) {
    return (ScreeWallDef){.orientation = {1, 0, 0, 0},
                          .axis = {0, 0, 1},
                          .material = -1,
                          .between = {-1, -1, -1, -1}};
}

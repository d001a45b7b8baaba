#include "scene/make/wall_distance.h"

#include "math/vec.h"

double scene_wall_distance(const ScreeWallDef *wall, ScreeVec3 x) {
    if (wall->shape != SCREE_WALL_CYLINDER || !wall->inside || !(wall->length > 0) ||
        fabs(dot(sub(x, wall->point), wall->axis)) > wall->length / 2) {
        return scree_wall_def_get_distance(wall, x);
    }
    ScreeWallDef endless = *wall;
    endless.length = 0;
    return scree_wall_def_get_distance(&endless, x);
}

#include "narrow/narrow.h"

#include "shape/wall.h"

/* What touches what: one column (round bodies), one row a wall shape. */
typedef WallSight Sight(const ScreeWallDef *wall, Vec3 p);

static Sight *const sight_of[SCREE_WALL_SHAPE_COUNT] = {
    [SCREE_WALL_PLANE] = scr_plane_sight,
    [SCREE_WALL_SEGMENT] = scr_segment_sight,
    [SCREE_WALL_BLOCK] = scr_block_sight,
    [SCREE_WALL_CYLINDER] = scr_cylinder_sight,
};

Touch scr_touch_wall(const ScreeWallDef *wall, Vec3 position, double radius) {
    WallSight sight = sight_of[wall->shape](wall, position);
    return (Touch){sight.distance - radius, sight.normal};
}

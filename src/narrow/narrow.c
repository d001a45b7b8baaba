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

Vec3 scr_seen_by_wall(const ScreeWorldDef *def, const ScreeWallDef *wall, Vec3 position) {
    if (wall->shape == SCREE_WALL_PLANE || !scr_any_periodic(def)) {
        return position;
    }
    Vec3 middle =
        wall->shape == SCREE_WALL_SEGMENT ? scale(0.5, add(wall->point, wall->end)) : wall->point;
    return add(middle, scr_nearest_image(def, sub(position, middle)));
}

Touch scr_touch_wall(const ScreeWorldDef *def, const ScreeWallDef *wall, Vec3 position,
                     double radius) {
    WallSight sight = sight_of[wall->shape](wall, scr_seen_by_wall(def, wall, position));
    return (Touch){sight.distance - radius, sight.normal, 0};
}

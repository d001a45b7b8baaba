#include "narrow/narrow.h"

#include "shape/wall.h"

Vec3 scr_seen_by_wall(const ScreeWorldDef *def, const ScreeWallDef *wall, Vec3 position) {
    if (wall->shape == SCREE_WALL_PLANE || !scr_any_periodic(def)) {
        return position;
    }
    Vec3 middle =
        wall->shape == SCREE_WALL_SEGMENT ? scale(0.5, add(wall->point, wall->end)) : wall->point;
    return add(middle, scr_shortest_image(def, sub(position, middle)));
}

Touch scr_touch_wall(const ScreeWorldDef *def, const ScreeWallDef *wall, Vec3 position,
                     double radius) {
    WallSight sight = scr_wall_sight(wall, scr_seen_by_wall(def, wall, position));
    return (Touch){sight.distance - radius, sight.normal, 0};
}

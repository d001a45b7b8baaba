#include "narrow/shell_pair.h"

#include "shape/wall_shell.h"

ScreeStatus scr_ball_shell_points(const PlacedPair *p, const StepMotion *motion, double reach,
                                  OutlineTouches *touches) {
    (void)motion;
    double radius = p->radius[0];
    WallSight sight[SHELL_POINTS];
    int count = scr_shell_sights(p->wall, p->seen, sight);
    touches->count = 0;
    for (int k = 0; k < count; k++) {
        double gap = sight[k].distance - radius;
        const OutlineTouch found = {.gap = gap,
                                    .normal = sight[k].normal,
                                    .arm = scale(radius + 0.5 * gap, sight[k].normal),
                                    .feature = -1 - k};
        if (gap <= reach && !scr_add_touch(touches, &found)) {
            return SCREE_NO_MEMORY;
        }
    }
    return SCREE_OK;
}

double scr_ball_shell_gap(const PlacedPair *p, Vec3 normal, int32_t feature) {
    const WallSight sight = feature == -1 ? scr_shell_sight(p->wall, p->seen)
                                          : scr_shell_sight_along(p->wall, p->seen, normal);
    return sight.distance - p->radius[0];
}

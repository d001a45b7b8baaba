/* Pistons that exert a stress: their force is the stress times the area between the other walls. */
#include "state/state.h"

#include "base/status.h"

/* Where a plane will be at the end of the step, as far as that is known beforehand. */
static Vec3 point_after(const State *s, const ScreeWallDef *w) {
    return w->motion == SCREE_WALL_MOVED ? add_scaled(w->point, s->def.time_step, w->velocity)
                                         : w->point;
}

static const ScreeWallDef *bound(const State *s, ScreeWallId id) {
    const int32_t wall = id.index;
    if (wall < 0 || (size_t)wall >= s->walls.count || !s->walls.item[wall].present ||
        s->walls.item[wall].now.shape != SCREE_WALL_PLANE) {
        return NULL;
    }
    return &s->walls.item[wall].now;
}

ScreeStatus scr_stress_pistons(State *s, char *message) {
    for (size_t i = 0; i < s->walls.count; i++) {
        ScreeWallDef *w = &s->walls.item[i].now;
        double area = 1;
        if (!s->walls.item[i].present || w->stress == 0) {
            continue;
        }
        for (int k = 0; k < s->def.dimension - 1; k++) {
            const ScreeWallDef *a = bound(s, w->between[2 * k]),
                               *b = bound(s, w->between[2 * k + 1]);
            if (a == NULL || b == NULL || a == b) {
                return scr_fail(message, SCREE_BAD_ID,
                                "wall %zu: its stress acts between walls %d and %d, which must be "
                                "two planes that have not been removed",
                                i, w->between[2 * k].index, w->between[2 * k + 1].index);
            }
            area *= fabs(dot(a->normal, sub(point_after(s, b), point_after(s, a))));
        }
        w->force = scale(w->stress * area, w->normal);
    }
    return SCREE_OK;
}

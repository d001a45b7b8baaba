/* Pistons that exert a stress: their force is the stress times the area between the other walls, and
 * the sides of the periodic cell. Two strips of the widths d1 and d2 with the normals n1 and n2 have a
 * parallelogram in common, of the area d1 d2 / |n1 x n2|. */
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

/* What the cell contributes to the area: the periodic edges span a parallelogram, a length or nothing. */
static double cell_area(const State *s, Vec3 normal, bool *along) {
    const Vec3 *edge = s->def.deform.vector;
    Vec3 span[3];
    int spans = 0;
    *along = true;
    for (int k = 0; k < 3; k++) {
        if (s->def.periodic[k]) {
            *along = *along && fabs(dot(edge[k], normal)) <= 1e-9 * length(edge[k]);
            span[spans++] = edge[k];
        }
    }
    return spans == 0 ? 1 : spans == 1 ? length(span[0]) : length(cross(span[0], span[1]));
}

static ScreeStatus stress_piston(const State *s, size_t i, ScreeWallDef *w, char *message) {
    const Vec3 normal = w->shape == SCREE_WALL_PLANE ? w->normal : w->direction;
    const int periodic = s->def.periodic[0] + s->def.periodic[1] + s->def.periodic[2];
    bool along;
    double area = cell_area(s, normal, &along);
    if (!along || periodic > s->def.dimension - 1) {
        return scr_fail(message, SCREE_BAD_ARGUMENT,
                        "wall %zu: a stress acts on an area, and the cell is periodic across it",
                        i);
    }
    Vec3 across[2] = {normal, normal};
    const int pairs = s->def.dimension - 1 - periodic;
    for (int k = 0; k < pairs; k++) {
        const ScreeWallDef *a = bound(s, w->between[2 * k]), *b = bound(s, w->between[2 * k + 1]);
        if (a == NULL || b == NULL || a == b) {
            return scr_fail(message, SCREE_BAD_ID,
                            "wall %zu: its stress acts between walls %d and %d, which must be "
                            "two planes that have not been removed",
                            i, w->between[2 * k].index, w->between[2 * k + 1].index);
        }
        area *= fabs(dot(a->normal, sub(point_after(s, b), point_after(s, a))));
        across[k] = a->normal;
    }
    const double lean = pairs == 2 ? length(cross(across[0], across[1])) : 1;
    if (lean <= 1e-9) {
        return scr_fail(message, SCREE_BAD_ARGUMENT,
                        "wall %zu: its stress acts between four walls, of which two have to stand "
                        "across the others",
                        i);
    }
    area /= lean;
    w->force = scale(w->stress * area, normal);
    return SCREE_OK;
}

ScreeStatus scr_stress_pistons(State *s, char *message) {
    for (size_t i = 0; i < s->walls.count; i++) {
        ScreeWallDef *w = &s->walls.item[i].now;
        if (s->walls.item[i].present && w->stress != 0) {
            SCR_TRY(stress_piston(s, i, w, message));
        }
    }
    return SCREE_OK;
}

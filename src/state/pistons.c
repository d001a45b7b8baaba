/* Pistons that exert a stress: their force is the stress times the area that other walls, and the sides of the
 * periodic cell, bound in their plane where they are now. */
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

/* Where a plane cuts that of a piston: a x + b y = c in its coordinates. */
typedef struct Cut {
    double a, b, c;
} Cut;

static Cut cut_by(const State *s, const ScreeWallDef *w, const ScreeWallDef *piston, Vec3 x,
                  Vec3 y) {
    return (Cut){dot(w->normal, x), dot(w->normal, y),
                 dot(w->normal, sub(point_after(s, w), piston->point))};
}

static const double parallel = 1e-9;

/* The corner of two cuts; false where they are parallel, or one of the walls is to the piston. */
static bool corner(Cut p, Cut q, Vec3 *at) {
    const double turn = p.a * q.b - p.b * q.a;
    *at = vec3((p.c * q.b - p.b * q.c) / turn, (p.a * q.c - p.c * q.a) / turn, 0);
    return fabs(turn) > parallel * (p.a * p.a + p.b * p.b + q.a * q.a + q.b * q.b);
}

/* Between two walls, along x. */
static bool find_length(const Cut cut[2], double *length) {
    *length = fabs(cut[0].c / cut[0].a - cut[1].c / cut[1].a);
    return fabs(cut[0].a) > parallel && fabs(cut[1].a) > parallel;
}

/* Between two and two, which need neither be parallel nor stand upright. */
static bool find_area(const Cut cut[4], double *area) {
    const int around[5] = {0, 2, 1, 3, 0};
    Vec3 at[4];
    for (int k = 0; k < 4; k++) {
        if (!corner(cut[around[k]], cut[around[k + 1]], &at[k])) {
            return false;
        }
    }
    *area = 0.5 * fabs(cross(sub(at[2], at[0]), sub(at[3], at[1])).z);
    return true;
}

/* Axes of a piston's plane; the second along the periodic edge, if there is one. */
static void axes_of(const State *s, Vec3 normal, Vec3 *x, Vec3 *y) {
    *y = s->def.dimension == 2 ? vec3(0, 0, 1) : perpendicular(normal);
    for (int k = 0; k < 3 && s->def.dimension == 3; k++) {
        *y = s->def.periodic[k] ? unit(s->def.deform.vector[k]) : *y;
    }
    *x = cross(normal, *y);
}

static ScreeStatus stress_piston(const State *s, size_t i, ScreeWallDef *w, char *message) {
    const Vec3 normal = w->shape == SCREE_WALL_PLANE ? w->normal : w->direction;
    const int periodic = s->def.periodic[0] + s->def.periodic[1] + s->def.periodic[2];
    const int pairs = s->def.dimension - 1 - periodic;
    bool along;
    const double of_cell = cell_area(s, normal, &along);
    if (!along || pairs < 0) {
        return scr_fail(message, SCREE_BAD_ARGUMENT,
                        "wall %zu: a stress acts on an area, and the cell is periodic across it",
                        i);
    }
    Vec3 x, y;
    Cut cut[4];
    axes_of(s, normal, &x, &y);
    for (int k = 0; k < 2 * pairs; k++) {
        const ScreeWallId id = w->between[k], other = w->between[k ^ 1];
        const ScreeWallDef *wall = bound(s, id);
        if (wall == NULL || id.index == other.index) {
            return scr_fail(message, SCREE_BAD_ID,
                            "wall %zu: its stress acts between walls %d and %d, which must be "
                            "two planes that have not been removed",
                            i, w->between[k & ~1].index, w->between[k | 1].index);
        }
        cut[k] = cut_by(s, wall, w, x, y);
    }
    double area = 1;
    if (pairs > 0 && !(pairs == 1 ? find_length(cut, &area) : find_area(cut, &area))) {
        return scr_fail(message, SCREE_BAD_ARGUMENT,
                        "wall %zu: the walls between which its stress acts bound no area: all of "
                        "them have to stand across it%s",
                        i, pairs == 2 ? ", and two across the other two" : "");
    }
    w->force = scale(w->stress * area * of_cell, normal);
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

#include "scene/make/solid_clear.h"

#include "math/vec.h"
#include "scene/make/wall_distance.h"

/* A solid in its place; a sphere has no solid. */
typedef struct Placed {
    const ScreeSolid *solid;
    ScreeQuat turn;
    ScreeVec3 at;
    double r;
} Placed;

typedef struct Extent {
    double low, high;
} Extent;

static const ScreeSolid *solid_of(const SceneForms *forms, const SceneGrain *grain) {
    const SceneOutline *outline =
        grain->form < 0 ? NULL : &forms->outline[forms->form[grain->form].outline];
    return outline && outline->solid.def.parts > 0 ? &outline->solid.kept : NULL;
}

bool scene_is_solid(const SceneForms *forms, const SceneGrain *grain) {
    return solid_of(forms, grain) != NULL;
}

static Placed placed(const SceneForms *forms, const SceneGrain *grain, ScreeVec3 at) {
    const ScreeSolid *solid = solid_of(forms, grain);
    ScreeQuat turn = solid ? forms->form[grain->form].turn : (ScreeQuat){1, 0, 0, 0};
    return (Placed){solid, turn, at, grain->r};
}

/* Its farthest point along a unit vector. */
static ScreeVec3 farthest(const Placed *p, ScreeVec3 along) {
    if (!p->solid) {
        return add_scaled(p->at, p->r, along);
    }
    const ScreeSolidDef *def = &p->solid->def;
    ScreeVec3 own = quat_rotate_back(p->turn, along), best = {0, 0, 0}, point;
    const ScreeVec3 *v = def->vertex;
    double most = -INFINITY;
    for (size_t k = 0; k < def->parts; v += def->part[k++].vertices) {
        if (scree_solid_part_support(&def->part[k], v, own, &point) == SCREE_OK &&
            dot(own, point) > most) {
            best = point;
            most = dot(own, point);
        }
    }
    return add(p->at, quat_rotate(p->turn, best));
}

/* What it covers along a unit vector. */
static Extent extent(const Placed *p, ScreeVec3 along) {
    return (Extent){dot(along, farthest(p, scale(-1, along))), dot(along, farthest(p, along))};
}

static bool parted(const Placed *a, const Placed *b, ScreeVec3 direction) {
    ScreeVec3 along;
    if (!direction_of(direction, &along)) {
        return false;
    }
    Extent p = extent(a, along), q = extent(b, along);
    return p.high <= q.low || q.high <= p.low;
}

/* Twice the area of a face as a vector along its normal (Newell). */
static ScreeVec3 face_normal(const ScreeVec3 *vertex, const int32_t *corner, int32_t count) {
    ScreeVec3 sum = {0, 0, 0};
    for (int32_t k = 2; k < count; k++) {
        ScreeVec3 u = sub(vertex[corner[k - 1]], vertex[corner[0]]);
        sum = add(sum, cross(u, sub(vertex[corner[k]], vertex[corner[0]])));
    }
    return sum;
}

/* Whether a plane along a face of `of`, or beside a rod, parts the two. */
static bool parted_by(const Placed *of, const Placed *other) {
    if (!of->solid) {
        return false;
    }
    const ScreeSolidDef *def = &of->solid->def;
    const ScreeVec3 *v = def->vertex;
    const int32_t *corners = def->corners, *corner = def->corner;
    for (size_t p = 0; p < def->parts; v += def->part[p++].vertices) {
        for (size_t f = 0; f < def->part[p].faces; corner += *corners++, f++) {
            if (parted(of, other, quat_rotate(of->turn, face_normal(v, corner, *corners)))) {
                return true;
            }
        }
        if (def->part[p].kind == SCREE_PART_CONE &&
            parted(of, other, quat_rotate(of->turn, sub(v[1], v[0])))) {
            return true;
        }
        if (def->part[p].vertices == 2) {
            ScreeVec3 rod = unit(quat_rotate(of->turn, sub(v[1], v[0]))),
                      d = sub(other->at, of->at);
            if (parted(of, other, add_scaled(d, -dot(d, rod), rod))) {
                return true;
            }
        }
    }
    return false;
}

static bool is_smooth(const Placed *p) {
    bool any = false;
    for (size_t k = 0; p->solid && k < p->solid->def.parts; k++) {
        any = any || p->solid->def.part[k].kind != SCREE_PART_POLYHEDRON;
    }
    return any;
}

/* Whether some plane is found that parts bodies of which one is smooth: from the line between their
 * centres it turns towards the points where they come nearest to it. */
static bool parted_by_turning(const Placed *a, const Placed *b) {
    ScreeVec3 n;
    bool found = false;
    if (!direction_of(sub(b->at, a->at), &n) || !(is_smooth(a) || is_smooth(b))) {
        return false;
    }
    for (int k = 0; k < 16 && !found; k++) {
        ScreeVec3 w = sub(farthest(b, scale(-1, n)), farthest(a, n)), to;
        found = dot(n, w) >= 0;
        if (found || !direction_of(add_scaled(w, -dot(n, w), n), &to)) {
            break;
        }
        n = unit(add_scaled(n, 0.5 / (1 + k), to));
    }
    return found;
}

bool scene_solids_clear(const SceneForms *forms, const SceneGrain *a, const SceneGrain *b,
                        ScreeVec3 d) {
    Placed p = placed(forms, a, (ScreeVec3){0, 0, 0}), q = placed(forms, b, d);
    return parted(&p, &q, d) || parted_by(&p, &q) || parted_by(&q, &p) || parted_by_turning(&p, &q);
}

void scene_solid_box(const SceneForms *forms, const SceneGrain *grain, double low[3],
                     double high[3]) {
    Placed p = placed(forms, grain, (ScreeVec3){0, 0, 0});
    for (int k = 0; k < 3; k++) {
        ScreeVec3 along = {0, 0, 0};
        *component_of(&along, k) = 1;
        Extent e = extent(&p, along);
        low[k] = e.low;
        high[k] = e.high;
    }
}

/* A smooth part: its farthest points along the normal of a plane, and in many directions, of which some
 * lie around the axis of a cylinder. */
static bool smooth_clear_of_wall(const Placed *p, const ScreeSolidPart *part,
                                 const ScreeVec3 *vertex, const ScreeWallDef *wall) {
    enum { AROUND = 48, UP = 3 };
    ScreeVec3 axis = wall->shape == SCREE_WALL_PLANE ? wall->normal : unit(wall->axis);
    axis = length(axis) > 0 ? axis : (ScreeVec3){0, 0, 1};
    ScreeVec3 across = perpendicular(axis), third = cross(axis, across), point;
    for (int k = 0; k < AROUND * (2 * UP + 1); k++) {
        double angle = 2 * M_PI * (k % AROUND) / AROUND, up = 0.5 * M_PI * (k / AROUND - UP) / UP;
        ScreeVec3 u = add_scaled(scale(scr_cos(angle), across), scr_sin(angle), third);
        ScreeVec3 d =
            add_scaled(scale(scr_sin(up), axis), k / AROUND % (2 * UP) ? scr_cos(up) : 0, u);
        if (scree_solid_part_support(part, vertex, quat_rotate_back(p->turn, d), &point) !=
                SCREE_OK ||
            scene_wall_distance(wall, add(p->at, quat_rotate(p->turn, point))) < 0) {
            return false;
        }
    }
    return true;
}

bool scene_solid_clear_of_wall(const SceneForms *forms, const ScreeWallDef *wall,
                               const SceneGrain *grain) {
    Placed p = placed(forms, grain, grain->x);
    const ScreeSolidDef *def = &p.solid->def;
    const ScreeVec3 *v = def->vertex;
    for (size_t k = 0; k < def->parts; v += def->part[k++].vertices) {
        bool smooth = def->part[k].kind != SCREE_PART_POLYHEDRON;
        if (smooth && !smooth_clear_of_wall(&p, &def->part[k], v, wall)) {
            return false;
        }
        for (size_t i = 0; i < def->part[k].vertices && !smooth; i++) {
            ScreeVec3 at = add(p.at, quat_rotate(p.turn, v[i]));
            if (scene_wall_distance(wall, at) < def->part[k].rounding) {
                return false;
            }
        }
    }
    return true;
}

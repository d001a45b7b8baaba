#include "scene/make/clear.h"

#include "scene/make/solid_clear.h"
#include "scene/make/wall_distance.h"

#include "math/vec.h"

/* A turned outline of a grain; a disk is one corner with its radius as the rounding. */
typedef struct Turned {
    ScreeShapeDef def;
    ScreeVec3 centroid, at; /* `at`: where the centre is */
    double c, s, r;
    ScreeShapePart round; /* for a disk */
} Turned;

static const ScreeVec3 origin = {0, 0, 0};

static void turned(const SceneForms *forms, const SceneGrain *grain, ScreeVec3 at, Turned *t) {
    *t = (Turned){.at = at, .c = 1, .r = grain->r, .round = {1, grain->r}};
    if (grain->form < 0) {
        t->def = (ScreeShapeDef){&t->round, 1, &origin};
        return;
    }
    const SceneForm *form = &forms->form[grain->form];
    const ScreeShape *shape = &forms->outline[form->outline].shape;
    t->def = shape->def;
    t->centroid = shape->centroid;
    t->c = form->turn.w * form->turn.w - form->turn.z * form->turn.z;
    t->s = 2 * form->turn.w * form->turn.z;
}

static ScreeVec3 corner(const Turned *t, size_t k) {
    ScreeVec3 p = sub(t->def.corner[k], t->centroid);
    return (ScreeVec3){t->at.x + t->c * p.x - t->s * p.y, t->at.y + t->s * p.x + t->c * p.y, 0};
}

/* One part, whose corners are first, first + 1, ... */
typedef struct Part {
    const Turned *of;
    size_t first, count;
    double rounding;
} Part;

static Part part_of(const Turned *t, size_t number, size_t first) {
    const ScreeShapePart *p = &t->def.part[number];
    return (Part){t, first, (size_t)p->corners, p->rounding};
}

static ScreeVec3 edge_end(const Part *p, size_t k) {
    return corner(p->of, p->first + (k + 1) % p->count);
}

/* ---------------------------------------------------------------- lines */

/* Squared distance of x from the segment between p and q. */
static double from_line(ScreeVec3 x, ScreeVec3 p, ScreeVec3 q) {
    ScreeVec3 along = sub(q, p), from = sub(x, p);
    double square = dot(along, along);
    double t = square > 0 ? scr_min(scr_max(dot(from, along) / square, 0), 1) : 0;
    from = sub(from, scale(t, along));
    return dot(from, from);
}

/* Positive when x lies to the left of the line from p to q. */
static double side(ScreeVec3 p, ScreeVec3 q, ScreeVec3 x) {
    return (q.x - p.x) * (x.y - p.y) - (q.y - p.y) * (x.x - p.x);
}

static bool lines_clear(ScreeVec3 p, ScreeVec3 q, ScreeVec3 u, ScreeVec3 v, double reach) {
    bool crossed = side(p, q, u) * side(p, q, v) < 0 && side(u, v, p) * side(u, v, q) < 0;
    double near = scr_min(scr_min(from_line(p, u, v), from_line(q, u, v)),
                          scr_min(from_line(u, p, q), from_line(v, p, q)));
    return !crossed && near >= reach * reach;
}

/* ---------------------------------------------------------------- parts */

/* Counts how often a ray from x to the right crosses the outline. */
static bool within(const Part *p, ScreeVec3 x) {
    bool inside = false;
    for (size_t k = 0; k < p->count && p->count > 2; k++) {
        ScreeVec3 a = corner(p->of, p->first + k), b = edge_end(p, k);
        if ((a.y > x.y) != (b.y > x.y)) {
            inside ^= (side(a, b, x) > 0) == (b.y > a.y);
        }
    }
    return inside;
}

/* Edges outside the circle around the other grain cannot touch it. */
static bool far_from(ScreeVec3 p, ScreeVec3 q, double rounding, const Turned *other) {
    double reach = other->r + rounding;
    return from_line(other->at, p, q) >= reach * reach;
}

static bool parts_clear(const Part *a, const Part *b) {
    double reach = a->rounding + b->rounding;
    for (size_t i = 0; i < a->count; i++) {
        ScreeVec3 p = corner(a->of, a->first + i), q = edge_end(a, i);
        if (far_from(p, q, a->rounding, b->of)) {
            continue;
        }
        for (size_t j = 0; j < b->count; j++) {
            ScreeVec3 u = corner(b->of, b->first + j), v = edge_end(b, j);
            if (!far_from(u, v, b->rounding, a->of) && !lines_clear(p, q, u, v, reach)) {
                return false;
            }
        }
    }
    return !within(a, corner(b->of, b->first)) && !within(b, corner(a->of, a->first));
}

bool scene_outlines_clear(const SceneForms *forms, const SceneGrain *a, const SceneGrain *b,
                          ScreeVec3 d) {
    if (scene_is_solid(forms, a) || scene_is_solid(forms, b)) {
        return scene_solids_clear(forms, a, b, d);
    }
    Turned p, q;
    turned(forms, a, origin, &p);
    turned(forms, b, d, &q);
    for (size_t i = 0, first = 0; i < p.def.parts; first += (size_t)p.def.part[i++].corners) {
        Part one = part_of(&p, i, first);
        for (size_t j = 0, from = 0; j < q.def.parts; from += (size_t)q.def.part[j++].corners) {
            Part other = part_of(&q, j, from);
            if (!parts_clear(&one, &other)) {
                return false;
            }
        }
    }
    return true;
}

/* ---------------------------------------------------------------- boxes and walls */

void scene_grain_box(const SceneForms *forms, const SceneGrain *grain, double low[3],
                     double high[3]) {
    if (scene_is_solid(forms, grain)) {
        scene_solid_box(forms, grain, low, high);
        return;
    }
    Turned t;
    turned(forms, grain, origin, &t);
    for (int k = 0; k < 3; k++) {
        low[k] = grain->form < 0 ? -grain->r : INFINITY;
        high[k] = -low[k];
    }
    size_t k = 0;
    for (size_t p = 0; grain->form >= 0 && p < t.def.parts; p++) {
        double r = t.def.part[p].rounding;
        for (int32_t i = 0; i < t.def.part[p].corners; i++, k++) {
            ScreeVec3 x = corner(&t, k);
            low[0] = scr_min(low[0], x.x - r);
            low[1] = scr_min(low[1], x.y - r);
            high[0] = scr_max(high[0], x.x + r);
            high[1] = scr_max(high[1], x.y + r);
        }
    }
}

/* Along a line the distance from such a wall is least at an end. */
static bool hollow(const ScreeWallDef *wall) {
    return wall->shape == SCREE_WALL_PLANE ||
           (wall->shape == SCREE_WALL_CYLINDER && wall->inside && wall->length == 0);
}

bool scene_clear_of_wall(const SceneForms *forms, const ScreeWallDef *wall,
                         const SceneGrain *grain) {
    if (grain->form < 0 || !hollow(wall)) {
        return scene_wall_distance(wall, grain->x) >= grain->r;
    }
    if (scene_is_solid(forms, grain)) {
        return scene_solid_clear_of_wall(forms, wall, grain);
    }
    Turned t;
    turned(forms, grain, grain->x, &t);
    size_t k = 0;
    for (size_t p = 0; p < t.def.parts; p++) {
        for (int32_t i = 0; i < t.def.part[p].corners; i++) {
            if (scene_wall_distance(wall, corner(&t, k++)) < t.def.part[p].rounding) {
                return false;
            }
        }
    }
    return true;
}

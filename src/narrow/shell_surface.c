#include "narrow/shell_surface.h"

#include "narrow/part_level.h"
#include "narrow/patch_choice.h"

const ScreeWallDef *scr_as_shell(const ScreeWallDef *w, ScreeWallDef *room) {
    if (w->shape != SCREE_WALL_CYLINDER) {
        return w;
    }
    *room = *w;
    room->shape = SCREE_WALL_CONE;
    room->point = add_scaled(w->point, -0.5 * w->length, w->axis);
    room->end_radius = w->radius;
    return room;
}

SurfaceSight scr_cone_surface(const ScreeWallDef *w, Vec3 x) {
    Vec3 d = sub(x, w->point), outward;
    double up = dot(d, w->axis), wider = w->end_radius - w->radius;
    double slant = scr_hypot(wider, w->length), sine = wider / slant, cosine = w->length / slant;
    Vec3 across = add_scaled(d, -up, w->axis);
    double out = length(across);
    outward = out > 0 ? scale(1 / out, across) : perpendicular(w->axis);
    double share = ((out - w->radius) * sine + up * cosine) / slant;
    return (SurfaceSight){(out - w->radius) * cosine - up * sine,
                          add_scaled(scale(cosine, outward), -sine, w->axis),
                          share >= 0 && share <= 1};
}

static SurfaceSight plate_surface(const ScreeWallDef *w, Vec3 x) {
    Vec3 own = quat_rotate_back(w->orientation, sub(x, w->point));
    bool within = fabs(own.x) <= w->half.x && fabs(own.y) <= w->half.y;
    if (within && w->holes[0] > 0) {
        const WallRim r = scr_wall_rim(w, scr_nearest_hole(w, x));
        Vec3 d = sub(x, r.centre);
        within = length(add_scaled(d, -dot(d, r.axis), r.axis)) >= r.radius;
    }
    return (SurfaceSight){own.z, quat_rotate(w->orientation, vec3(0, 0, 1)), within};
}

SurfaceSight scr_surface_at(const ScreeWallDef *w, Vec3 x) {
    return w->shape == SCREE_WALL_CONE ? scr_cone_surface(w, x) : plate_surface(w, x);
}

bool scr_bulges(const ScreeWallDef *w) {
    return w->shape == SCREE_WALL_CONE && w->length > 0;
}

Vec3 scr_world_of(const AtShell *at, Vec3 own) {
    return add(at->seen, scr_out_of_frame(at->solid, own));
}

OverSurface scr_over_surface(const AtShell *at, const Polyhedron *part, Vec3 own) {
    const SurfaceSight s = scr_surface_at(at->wall, scr_world_of(at, own));
    double middle = scr_surface_at(at->wall, scr_world_of(at, part->middle)).height;
    bool other = s.height < 0;
    if (other != (middle < 0)) {
        /* It lies on the other side than the middle. Where the way between them, which belongs to the
         * part, meets the wall, it has entered it; else the part reaches through an opening. */
        double share = s.height / (s.height - middle);
        Vec3 at_wall = add_scaled(own, share, sub(part->middle, own));
        other = scr_surface_at(at->wall, scr_world_of(at, at_wall)).within ? !other : other;
    }
    return (OverSurface){other ? -s.height : s.height, scale(other ? 1 : -1, s.normal), s.within,
                         other};
}

/* ---------------------------------------------------------------- bodies that are not convex
 *
 * Their middle may lie anywhere. What tells that a vertex has entered the wall is an edge that leads from it through the
 * wall and goes farther on the other side. */

static bool has_entered(const AtShell *at, const Polyhedron *p, int32_t v, double height) {
    Vec3 here = scr_vertex(p, v);
    for (int32_t k = p->star_first[v]; k < p->star_first[v + 1]; k++) {
        Vec3 other = scr_vertex(p, p->star_vertex[k]);
        double there = scr_surface_at(at->wall, scr_world_of(at, other)).height;
        double share = height / (height - there);
        if ((there < 0) != (height < 0) && fabs(there) >= fabs(height) &&
            scr_surface_at(at->wall, scr_world_of(at, add_scaled(here, share, sub(other, here))))
                .within) {
            return true;
        }
    }
    return false;
}

OverSurface scr_vertex_over_surface(const AtShell *at, const Polyhedron *p, int32_t v) {
    if (p->convex) {
        return scr_over_surface(at, p, scr_vertex(p, v));
    }
    const SurfaceSight s = scr_surface_at(at->wall, scr_world_of(at, scr_vertex(p, v)));
    bool other = (s.height < 0) != has_entered(at, p, v, s.height);
    return (OverSurface){other ? -s.height : s.height, scale(other ? 1 : -1, s.normal), s.within,
                         other};
}

/* Where a part that is not convex stands inside of the wall, all of it is in the solid cone. It has entered the wall only
 * if the point of the wall is in it. */
static bool reaches_wall(const AtShell *at, const Element *e, const OutlineTouch *touch) {
    Vec3 on_wall =
        scr_into_frame(at->solid, add_scaled(touch->arm, 0.5 * touch->gap, touch->normal));
    if (touch->gap >= 0 || scr_part_level(e->part, on_wall) <= 1e-9 * e->part->extent) {
        return true;
    }
    Vec3 own = e->kind == ELEMENT_VERTEX ? scr_vertex(e->part, e->number) : on_wall;
    return e->kind == ELEMENT_VERTEX &&
           has_entered(at, e->part, e->number,
                       scr_cone_surface(at->wall, scr_world_of(at, own)).height);
}

bool scr_patch_is_entered(const Polyhedron *part, int32_t element, double gap) {
    const Patchwork *s = part->smooth.patchwork;
    double depth = -gap;
    return !(depth > 2e-3 * part->extent) ||
           2 * depth <= s->cell[scr_cell_of(s, element)].thickness;
}

/* A convex part that has entered the wall from outside: the way from its middle to its deepest point leads through the wall,
 * and not through the opening at one of its ends. */
static bool comes_from_outside(const AtShell *at, const Polyhedron *part, const OutlineTouch *t) {
    Vec3 middle = scr_world_of(at, part->middle), here = add(at->seen, t->arm);
    Vec3 deepest = add_scaled(here, -0.5 * t->gap, t->normal);
    double over = scr_cone_surface(at->wall, middle).height;
    double under = scr_cone_surface(at->wall, deepest).height;
    if (!(dot(t->normal, sub(middle, here)) < 0)) {
        return false;
    }
    Vec3 way = add_scaled(deepest, under / (under - over), sub(middle, deepest));
    return !(over > 0 && under < 0) || scr_cone_surface(at->wall, way).within;
}

bool scr_is_outside_cone(const AtShell *at, const OutlineTouch *touch) {
    const Element e = scr_element(at->solid->solid, scr_feature_a(touch->feature));
    Vec3 out = scale(-1, touch->normal), here = add(at->seen, touch->arm);
    const SurfaceSight s = scr_cone_surface(at->wall, here);
    if (scr_is_patchwork(e.part)) {
        return dot(out, s.normal) > 0.99 && s.within &&
               scr_patch_is_entered(e.part, e.number, touch->gap);
    }
    return dot(out, s.normal) > 0.99 && s.within &&
           (e.part->convex ? comes_from_outside(at, e.part, touch) : reaches_wall(at, &e, touch));
}

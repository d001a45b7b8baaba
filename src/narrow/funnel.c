#include "narrow/funnel.h"

#include "narrow/smooth_places.h"
#include "narrow/wall_curve.h"

Facing scr_facing(const AtShell *at) {
    const ScreeWallDef *w = at->wall;
    double wider = w->end_radius - w->radius, slant = scr_hypot(wider, w->length);
    Facing f = {.axis = w->axis, .from = perpendicular(w->axis)};
    f.third = cross(f.axis, f.from);
    f.across = w->length / slant;
    f.along = -wider / slant;
    return f;
}

static Vec3 outward_at(const Facing *f, double turns) {
    return scr_turned(f->from, f->third, turns);
}

Vec3 scr_farthest_at(const AtShell *at, const Polyhedron *part, const Facing *f, int rim,
                     double turns, double *ahead) {
    Vec3 u = outward_at(f, turns), n = add_scaled(scale(f->across, u), f->along, f->axis);
    Vec3 own = scr_into_frame(at->solid, n);
    Vec3 x =
        rim < 0 ? scr_smooth_support(&part->smooth, own) : scr_rim_support(&part->smooth, rim, own);
    *ahead = dot(sub(scr_world_of(at, x), at->wall->point), cross(f->axis, u));
    return x;
}

Vec3 scr_farthest_between(const AtShell *at, const Polyhedron *part, const Facing *f, int rim,
                          double low, double high) {
    double ahead;
    for (int k = 0; k < 60 && high - low > 1e-14; k++) {
        double middle = 0.5 * (low + high);
        scr_farthest_at(at, part, f, rim, middle, &ahead);
        low = ahead > 0 ? middle : low;
        high = ahead > 0 ? high : middle;
    }
    return scr_farthest_at(at, part, f, rim, 0.5 * (low + high), &ahead);
}

Vec3 scr_towards_line(const AtShell *at, const Polyhedron *part, const Facing *f, int32_t number,
                      double turns) {
    double ahead;
    if (!scr_is_smooth(part)) {
        return scr_vertex(part, number);
    }
    bool cone = part->smooth.kind == SCREE_PART_CONE;
    return scr_farthest_at(at, part, f, cone ? (number - PLACE_SECTOR) / SECTORS : -1, turns,
                           &ahead);
}

OverSurface scr_over_line(const AtShell *at, const Polyhedron *part, const Facing *f, Vec3 own,
                          double turns) {
    const ScreeWallDef *w = at->wall;
    Vec3 u = outward_at(f, turns), n = add_scaled(scale(f->across, u), f->along, f->axis);
    Vec3 d = sub(scr_world_of(at, own), add_scaled(w->point, w->radius, u));
    double slant = scr_hypot(w->end_radius - w->radius, w->length);
    double along = f->across * dot(d, f->axis) - f->along * dot(d, u);
    bool within = along >= 0 && along <= slant;
    if (within) { /* the cone is there at this height, and the part has not reached through it */
        const OverSurface s = scr_over_surface(at, part, own);
        within = s.within && s.inside;
    }
    return (OverSurface){-dot(n, d), n, within, true};
}

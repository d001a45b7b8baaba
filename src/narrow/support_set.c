#include "narrow/support_set.h"

#include "narrow/smooth_places.h"

static SupportSet point_set(Vec3 at) {
    return (SupportSet){SUPPORT_POINT, at, at, -1};
}

/* ---------------------------------------------------------------- along a direction */

static SupportSet polyhedron_set(const Polyhedron *p, Vec3 n, int32_t v, double angle) {
    for (int32_t k = p->star_first[v]; k < p->star_first[v + 1]; k++) {
        int32_t f = p->star_face[k];
        if (f >= 0 && length(sub(p->face[f].normal, n)) <= angle) {
            return (SupportSet){SUPPORT_FACE, scr_vertex(p, v), scr_vertex(p, v), f};
        }
    }
    for (int32_t k = p->star_first[v]; k < p->star_first[v + 1]; k++) {
        const PolyhedronEdge *e = &p->edge[p->star_edge[k]];
        if (fabs(dot(e->along, n)) <= angle) {
            return (SupportSet){SUPPORT_LINE, scr_vertex(p, e->vertex[0]),
                                scr_vertex(p, e->vertex[1]), p->star_edge[k]};
        }
    }
    return point_set(scr_vertex(p, v));
}

static SupportSet cone_set(const SmoothPart *s, Vec3 n, double angle) {
    double up = dot(n, s->axis[2]), across, along;
    Vec3 out = add_scaled(n, -up, s->axis[2]);
    if (length(out) <= angle) {
        int cap = up > 0;
        Vec3 middle = add_scaled(s->centre, cap * s->length, s->axis[2]);
        return s->form[cap] > 0 ? (SupportSet){SUPPORT_CAP, middle, middle, cap}
                                : point_set(middle);
    }
    Vec3 u = unit(out);
    scr_cone_side(s, &across, &along);
    if (scr_hypot(up - along, length(out) - across) <= angle) {
        return (SupportSet){SUPPORT_LINE, scr_rim_point(s, 0, u), scr_rim_point(s, 1, u), -1};
    }
    return point_set(scr_smooth_support(s, n));
}

SupportSet scr_support_set(const Polyhedron *p, Vec3 n, int32_t vertex, double angle) {
    return !scr_is_smooth(p)                   ? polyhedron_set(p, n, vertex, angle)
           : p->smooth.kind == SCREE_PART_CONE ? cone_set(&p->smooth, n, angle)
                                               : point_set(scr_smooth_support(&p->smooth, n));
}

/* ---------------------------------------------------------------- the nearest point */

static Vec3 nearest_on_line(Vec3 from, Vec3 to, Vec3 x) {
    Vec3 along = sub(to, from);
    double all = dot(along, along), share = all > 0 ? dot(sub(x, from), along) / all : 0;
    return add_scaled(from, scr_min(scr_max(share, 0), 1), along);
}

static Vec3 nearest_in_face(const Polyhedron *p, int32_t f, Vec3 x) {
    const PolyhedronFace *face = &p->face[f];
    Vec3 foot = add_scaled(x, face->offset - dot(face->normal, x), face->normal), best = foot;
    double least = INFINITY;
    bool inside = true;
    for (int32_t k = 0; k < face->count; k++) {
        Vec3 from = scr_vertex(p, p->loop_vertex[face->first + k]);
        Vec3 to = scr_vertex(p, p->loop_vertex[face->first + (k + 1) % face->count]);
        inside = inside && dot(cross(face->normal, sub(to, from)), sub(foot, from)) >= 0;
        Vec3 side = nearest_on_line(from, to, foot);
        double far = length(sub(side, foot));
        best = far < least ? side : best;
        least = scr_min(least, far);
    }
    return inside ? foot : best;
}

static Vec3 nearest_in_cap(const SmoothPart *s, const SupportSet *set, Vec3 x) {
    Vec3 d = sub(x, set->at);
    d = add_scaled(d, -dot(d, s->axis[2]), s->axis[2]);
    double out = length(d), radius = s->form[set->place];
    return add_scaled(set->at, out > radius ? radius / out : 1, d);
}

Vec3 scr_nearest_in_set(const Polyhedron *p, const SupportSet *set, Vec3 x) {
    return set->kind == SUPPORT_POINT  ? set->at
           : set->kind == SUPPORT_LINE ? nearest_on_line(set->at, set->to, x)
           : set->kind == SUPPORT_FACE ? nearest_in_face(p, set->place, x)
                                       : nearest_in_cap(&p->smooth, set, x);
}

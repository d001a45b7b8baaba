#include "narrow/narrow.h"
#include "narrow/patch_wall.h"
#include "narrow/smooth_wall.h"
#include "narrow/solid_pair.h"

/* Of one vertex, given from the centre of its body. */
static Touch touch_vertex(const SolidAtWall *w, Vec3 vertex, double rounding) {
    return scr_touch_wall(w->def, w->wall, add(w->seen, vertex), rounding);
}

static ScreeStatus touch_vertices(const SolidAtWall *w, const Polyhedron *p, double reach,
                                  OutlineTouches *touches) {
    const PlacedSolid *s = w->solid;
    for (int32_t v = 0; v < p->vertices; v++) {
        Vec3 vertex = scr_out_of_frame(s, scr_vertex(p, v));
        const Touch touch = touch_vertex(w, vertex, p->rounding);
        if (touch.gap > reach) {
            continue;
        }
        const OutlineTouch found = {
            .gap = touch.gap,
            .normal = touch.normal,
            .arm = add_scaled(vertex, p->rounding + 0.5 * touch.gap, touch.normal),
            .feature = scr_feature(scr_vertex_element(p, v), 0),
        };
        /* parts of one body may have vertices in common */
        double same = 1e-9 * s->solid->radius;
        if (!(s->solid->parts == 1 ? scr_add_touch(touches, &found)
                                   : scr_join_touch(touches, &found, same))) {
            return SCREE_NO_MEMORY;
        }
    }
    return SCREE_OK;
}

static SmoothAtWall smooth_at(const SolidAtWall *w, const Polyhedron *part) {
    return (SmoothAtWall){
        .def = w->def, .wall = w->wall, .solid = w->solid, .part = part, .seen = w->seen};
}

static ScreeStatus touch_part(const SolidAtWall *w, const Polyhedron *p, const StepMotion *motion,
                              double reach, OutlineTouches *touches) {
    if (!scr_is_smooth(p)) {
        return touch_vertices(w, p, reach, touches);
    }
    SmoothAtWall at = smooth_at(w, p);
    at.shift = motion->shift;
    at.tilt = scr_tilt_of_turn(length(sub(motion->turn_b, motion->turn_a)));
    bool ok = scr_is_patchwork(p) ? scr_touch_patch_wall(&at, reach, touches)
                                  : scr_touch_smooth_wall(&at, reach, touches);
    return ok ? SCREE_OK : SCREE_NO_MEMORY;
}

ScreeStatus scr_touch_solid_wall(const SolidAtWall *w, const StepMotion *motion, double reach,
                                 OutlineTouches *touches) {
    const Solid *solid = w->solid->solid;
    ScreeStatus status = SCREE_OK;
    touches->count = 0;
    for (int32_t i = 0; i < solid->parts && status == SCREE_OK; i++) {
        status = touch_part(w, &solid->part[i], motion, reach, touches);
    }
    return status;
}

Vec3 scr_solid_wall_point(const SolidAtWall *w, Vec3 normal, int32_t feature, double *rounding) {
    const Element e = scr_element(w->solid->solid, scr_feature_a(feature));
    *rounding = e.part->rounding;
    if (e.kind != ELEMENT_PLACE) {
        return scr_out_of_frame(w->solid, scr_vertex(e.part, e.number));
    }
    const SmoothAtWall at = smooth_at(w, e.part);
    return scr_is_patchwork(e.part) ? scr_patch_wall_point(&at, e.number, normal)
                                    : scr_smooth_wall_point(&at, e.number, normal);
}

double scr_solid_wall_gap(const SolidAtWall *w, Vec3 normal, int32_t feature) {
    double rounding;
    Vec3 point = scr_solid_wall_point(w, normal, feature, &rounding);
    return touch_vertex(w, point, rounding).gap;
}

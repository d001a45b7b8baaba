#include "narrow/narrow.h"
#include "narrow/solid_pair.h"

/* Of one vertex, given from the centre of its body. */
static Touch touch_vertex(const ScreeWorldDef *def, const ScreeWallDef *wall, Vec3 seen,
                          Vec3 vertex, double rounding) {
    return scr_touch_wall(def, wall, add(seen, vertex), rounding);
}

static ScreeStatus touch_part(const ScreeWorldDef *def, const ScreeWallDef *wall,
                              const PlacedSolid *s, const Polyhedron *p, Vec3 seen, double reach,
                              OutlineTouches *touches) {
    for (int32_t v = 0; v < p->vertices; v++) {
        Vec3 vertex = scr_out_of_frame(s, scr_vertex(p, v));
        const Touch touch = touch_vertex(def, wall, seen, vertex, p->rounding);
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

ScreeStatus scr_touch_solid_wall(const ScreeWorldDef *def, const ScreeWallDef *wall,
                                 const PlacedSolid *s, Vec3 seen, double reach,
                                 OutlineTouches *touches) {
    ScreeStatus status = SCREE_OK;
    touches->count = 0;
    for (int32_t i = 0; i < s->solid->parts && status == SCREE_OK; i++) {
        status = touch_part(def, wall, s, &s->solid->part[i], seen, reach, touches);
    }
    return status;
}

double scr_solid_wall_gap(const ScreeWorldDef *def, const ScreeWallDef *wall, const PlacedSolid *s,
                          Vec3 seen, int32_t feature) {
    const Element e = scr_element(s->solid, scr_feature_a(feature));
    Vec3 vertex = scr_out_of_frame(s, scr_vertex(e.part, e.number));
    return touch_vertex(def, wall, seen, vertex, e.part->rounding).gap;
}

Vec3 scr_solid_wall_arm(const PlacedSolid *s, Vec3 normal, double gap, int32_t feature) {
    const Element e = scr_element(s->solid, scr_feature_a(feature));
    Vec3 vertex = scr_out_of_frame(s, scr_vertex(e.part, e.number));
    return add_scaled(vertex, e.part->rounding + 0.5 * gap, normal);
}

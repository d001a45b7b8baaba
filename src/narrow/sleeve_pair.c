#include "narrow/sleeve_pair.h"

#include "narrow/shell_pair.h"
#include "narrow/solid_methods.h"
#include "state/rotation.h"

static bool as_cone(const State *s, int32_t body) {
    return scr_meets_shells(scr_solid_of(s, (size_t)body));
}

ScreeStatus scr_sleeve_points(const PlacedPair *p, const StepMotion *motion, double reach,
                              OutlineTouches *touches) {
    return scr_meets_shells(p->solid[0]->solid) ? scr_shell_points(p, motion, reach, touches)
                                                : scr_vertex_points(p, motion, reach, touches);
}

double scr_sleeve_gap(const PlacedPair *p, Vec3 normal, int32_t feature) {
    return scr_meets_shells(p->solid[0]->solid) ? scr_shell_gap(p, normal, feature)
                                                : scr_vertex_gap(p, normal, feature);
}

Arms scr_sleeve_arms(const State *s, const Contact *c, const Surface *const side[2]) {
    return as_cone(s, c->a) ? scr_shell_arms(s, c, side) : scr_vertex_arms(s, c, side);
}

double scr_sleeve_loss(const State *s, const Contact *c, const Surface *const side[2],
                       const StepMotion *motion) {
    return as_cone(s, c->a) ? scr_shell_loss(s, c, side, motion)
                            : scr_vertex_loss(s, c, side, motion);
}

const Contact *scr_sleeve_before(const State *s, const PairSides *pair, OldPoints old,
                                 int32_t feature) {
    return as_cone(s, pair->body[0]) ? scr_shell_before(s, pair, old, feature)
                                     : scr_vertex_before(s, pair, old, feature);
}

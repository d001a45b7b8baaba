#include "narrow/solid_methods.h"

#include "narrow/narrow.h"
#include "state/rotation.h"

/* ---------------------------------------------------------------- two solids */

ScreeStatus scr_solid_points(const PlacedPair *p, const StepMotion *motion, double reach,
                             OutlineTouches *touches) {
    return scr_touch_solids(p->solid[0], p->solid[1], p->d, motion, reach, p->old, p->work,
                            touches);
}

double scr_solid_gap(const PlacedPair *p, Vec3 normal, int32_t feature) {
    return scr_solids_gap(p->solid[0], p->solid[1], p->d, normal, feature);
}

/* One side of a contact, as the state has it. */
typedef struct Side {
    PlacedSolid placed;
    BallSolid ball;
    BoxSolid box;
} Side;

static void place_side(const State *s, int32_t body, Side *side) {
    const Quat none = {1, 0, 0, 0};
    if (body < 0) {
        const ScreeWallDef *w = &s->walls.item[scr_wall_of(body)].now;
        scr_box_solid(w->half, &side->box);
        scr_place_solid(&side->box.solid, w->orientation, &side->placed);
        return;
    }
    const Solid *solid = scr_solid_of(s, (size_t)body);
    if (solid != NULL) {
        scr_place_solid(solid, s->bodies.orientation[body], &side->placed);
    } else {
        scr_ball_solid(s->bodies.radius[body], &side->ball);
        scr_place_solid(&side->ball.solid, none, &side->placed);
    }
}

Arms scr_solid_arms(const State *s, const Contact *c, const Surface *const unused[2]) {
    (void)unused;
    Side a, b;
    place_side(s, c->a, &a);
    place_side(s, c->b, &b);
    Vec3 d = scr_between(s, c->a, c->b);
    Vec3 arm = scr_solids_arm(&a.placed, &b.placed, d, c->normal, c->feature);
    return (Arms){arm, sub(arm, d)};
}

double scr_solid_loss(const State *s, const Contact *c, const Surface *const unused[2],
                      const StepMotion *m) {
    (void)unused;
    Side a, b;
    place_side(s, c->a, &a);
    place_side(s, c->b, &b);
    Vec3 d = scr_between(s, c->a, c->b);
    Vec3 arm = scr_solids_arm(&a.placed, &b.placed, d, c->normal, c->feature);
    double expected = scr_forecast(c, arm, sub(arm, d), m);
    scr_turn_placed(&a.placed, m->turn_a);
    scr_turn_placed(&b.placed, m->turn_b);
    return expected - scr_solids_gap(&a.placed, &b.placed, add(d, m->shift), c->normal, c->feature);
}

static const Contact *same_name(OldPoints old, int32_t feature) {
    for (size_t i = 0; i < old.count; i++) {
        if (old.item[i].feature == feature) {
            return &old.item[i];
        }
    }
    return NULL;
}

const Contact *scr_solid_before(const State *s, const PairSides *pair, OldPoints old,
                                int32_t feature) {
    const Contact *same = same_name(old, feature);
    if (same != NULL) {
        return same;
    }
    Side a, b;
    place_side(s, pair->body[0], &a);
    place_side(s, pair->body[1], &b);
    return scr_same_elements(a.placed.solid, b.placed.solid, old, feature);
}

/* ---------------------------------------------------------------- vertices at walls */

ScreeStatus scr_vertex_points(const PlacedPair *p, const StepMotion *motion, double reach,
                              OutlineTouches *touches) {
    (void)motion;
    return scr_touch_solid_wall(p->def, p->wall, p->solid[0], p->seen, reach, touches);
}

double scr_vertex_gap(const PlacedPair *p, Vec3 normal, int32_t feature) {
    (void)normal;
    return scr_solid_wall_gap(p->def, p->wall, p->solid[0], p->seen, feature);
}

const Contact *scr_vertex_before(const State *s, const PairSides *pair, OldPoints old,
                                 int32_t feature) {
    (void)s, (void)pair;
    return same_name(old, feature);
}

/* The vertex of a contact, from the centre of its body. */
static Vec3 contact_vertex(const State *s, const Contact *c, double *rounding) {
    const Element e = scr_element(scr_solid_of(s, (size_t)c->a), scr_feature_a(c->feature));
    *rounding = e.part->rounding;
    return quat_rotate(s->bodies.orientation[c->a], scr_vertex(e.part, e.number));
}

Arms scr_vertex_arms(const State *s, const Contact *c, const Surface *const unused[2]) {
    (void)unused;
    double rounding;
    Vec3 vertex = contact_vertex(s, c, &rounding);
    Vec3 arm = add_scaled(vertex, rounding + 0.5 * c->gap, c->normal);
    return (Arms){arm, sub(arm, scr_between(s, c->a, c->b))};
}

/* With n into the grains, v the vertex and d the wall's point, both from the centre of the body, the
 * gap changes from n.(v - d) to R_b n.(R_a v - d - shift). What a hollow wall adds as the vertex
 * slides along it is found elsewhere (scr_wall_sag). */
double scr_vertex_loss(const State *s, const Contact *c, const Surface *const side[2],
                       const StepMotion *m) {
    double rounding;
    const Arms arms = scr_vertex_arms(s, c, side);
    Vec3 n = scale(-1, c->normal), v = contact_vertex(s, c, &rounding);
    Vec3 d = scr_between(s, c->a, c->b);
    Vec3 after = sub(quat_rotate(quat_from_turn(m->turn_a), v), add(d, m->shift));
    double change = dot(quat_rotate(quat_from_turn(m->turn_b), n), after) - dot(n, sub(v, d));
    return scr_forecast(c, arms.a, arms.b, m) - (c->gap + change);
}

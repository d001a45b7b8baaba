#include "narrow/solid_methods.h"

#include "narrow/narrow.h"
#include "narrow/patch_choice.h"
#include "narrow/smooth_places.h"
#include "shape/wall.h"
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
    WallSolid wall;
} Side;

static void place_side(const State *s, int32_t body, int32_t partner, Side *side) {
    const Quat none = {1, 0, 0, 0};
    if (body < 0) {
        scr_place_wall_solid(&s->walls.item[scr_wall_of(body)].now, scr_between(s, partner, body),
                             s->bodies.radius[partner], &side->wall);
        side->placed = side->wall.placed;
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
    place_side(s, c->a, c->b, &a);
    place_side(s, c->b, c->a, &b);
    Vec3 d = scr_between(s, c->a, c->b);
    Vec3 arm = scr_solids_arm(&a.placed, &b.placed, d, c->normal, c->feature);
    return (Arms){arm, sub(arm, d)};
}

double scr_solid_loss(const State *s, const Contact *c, const Surface *const unused[2],
                      const StepMotion *m) {
    (void)unused;
    Side a, b;
    place_side(s, c->a, c->b, &a);
    place_side(s, c->b, c->a, &b);
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

/* How far two elements are apart that stand for each other as a body rolls; -1: they do not. */
static double apart(const Element *e, const Element *was) {
    if (was->part != e->part || e->kind != ELEMENT_PLACE) {
        return -1;
    }
    return scr_is_patchwork(e->part)
               ? scr_cells_apart(e->part->smooth.patchwork, e->number, was->number)
               : scr_places_apart(e->number, was->number);
}

/* A place that moves over the surface may have had another name: that of a neighbouring sector or cell,
 * or of a fixed point. Of the same part of the body, the nearest one. */
static const Contact *nearest_place(const Solid *solid, OldPoints old, const Element *e) {
    const Contact *best = NULL;
    double least = 0;
    for (size_t i = 0; i < old.count; i++) {
        const Element was = scr_element(solid, scr_feature_a(old.item[i].feature));
        double far = apart(e, &was);
        if (far >= 0 && (best == NULL || far < least)) {
            best = &old.item[i];
            least = far;
        }
    }
    return best;
}

/* The point of a surface of patches whose cells are nearest. */
static const Contact *moved_cell(const Solid *a, const Solid *b, OldPoints old, int32_t feature) {
    const Element of[2] = {scr_element(a, scr_feature_a(feature)),
                           scr_element(b, scr_feature_b(feature))};
    const Contact *best = NULL;
    double least = INFINITY;
    for (size_t i = 0; i < old.count; i++) {
        const Element was[2] = {scr_element(a, scr_feature_a(old.item[i].feature)),
                                scr_element(b, scr_feature_b(old.item[i].feature))};
        double far = 0;
        for (int k = 0; k < 2; k++) {
            bool patches = scr_is_patchwork(of[k].part) && was[k].part == of[k].part;
            double own = patches ? apart(&of[k], &was[k]) : 0;
            far = own < 0 ? INFINITY : far + own;
        }
        bool any = scr_is_patchwork(of[0].part) || scr_is_patchwork(of[1].part);
        best = any && far < least ? &old.item[i] : best;
        least = any ? scr_min(far, least) : least;
    }
    return best;
}

const Contact *scr_solid_before(const State *s, const PairSides *pair, OldPoints old,
                                int32_t feature) {
    const Contact *same = same_name(old, feature);
    if (same != NULL) {
        return same;
    }
    Side a, b;
    place_side(s, pair->body[0], pair->body[1], &a);
    place_side(s, pair->body[1], pair->body[0], &b);
    const Contact *moved = moved_cell(a.placed.solid, b.placed.solid, old, feature);
    return moved != NULL ? moved : scr_same_elements(a.placed.solid, b.placed.solid, old, feature);
}

static int32_t next_element(const Solid *solid, int32_t element) {
    const Element e = scr_element(solid, element);
    bool moving = e.kind == ELEMENT_PLACE && !scr_is_patchwork(e.part);
    int32_t next = moving ? scr_next_place(e.number) : -1;
    return next < 0 ? -1 : e.part->first_element + next;
}

int32_t scr_another_name(const Solid *a, const Solid *b, int32_t feature) {
    int32_t of_a = scr_feature_a(feature), of_b = scr_feature_b(feature);
    int32_t next = a != NULL ? next_element(a, of_a) : -1;
    if (next >= 0) {
        return scr_feature(next, of_b);
    }
    next = b != NULL ? next_element(b, of_b) : -1;
    return next >= 0 ? scr_feature(of_a, next) : 0;
}

/* ---------------------------------------------------------------- points at walls */

ScreeStatus scr_vertex_points(const PlacedPair *p, const StepMotion *motion, double reach,
                              OutlineTouches *touches) {
    const SolidAtWall at = {p->def, p->wall, p->solid[0], p->seen};
    return scr_touch_solid_wall(&at, motion, reach, touches);
}

double scr_vertex_gap(const PlacedPair *p, Vec3 normal, int32_t feature) {
    const SolidAtWall at = {p->def, p->wall, p->solid[0], p->seen};
    return scr_solid_wall_gap(&at, normal, feature);
}

const Contact *scr_vertex_before(const State *s, const PairSides *pair, OldPoints old,
                                 int32_t feature) {
    const Contact *same = same_name(old, feature);
    const Solid *solid = scr_solid_of(s, (size_t)pair->body[0]);
    const Element e = scr_element(solid, scr_feature_a(feature));
    return same != NULL || e.kind != ELEMENT_PLACE ? same : nearest_place(solid, old, &e);
}

/* A contact of a body with a wall, as the state has it. */
typedef struct WallContact {
    PlacedSolid solid;
    SolidAtWall at;
    bool smooth;
} WallContact;

static void place_at_wall(const State *s, const Contact *c, WallContact *w) {
    const ScreeWallDef *wall = &s->walls.item[scr_wall_of(c->b)].now;
    const Solid *solid = scr_solid_of(s, (size_t)c->a);
    scr_place_solid(solid, s->bodies.orientation[c->a], &w->solid);
    w->at = (SolidAtWall){&s->def, wall, &w->solid,
                          scr_seen_by_wall(&s->def, wall, s->bodies.position[c->a])};
    w->smooth = scr_element(solid, scr_feature_a(c->feature)).kind == ELEMENT_PLACE;
}

static Arms arms_at(const WallContact *w, const Contact *c, Vec3 d, Vec3 *point) {
    double rounding;
    *point = scr_solid_wall_point(&w->at, c->normal, c->feature, &rounding);
    Vec3 arm = add_scaled(*point, rounding + 0.5 * c->gap, c->normal);
    return (Arms){arm, sub(arm, d)};
}

Arms scr_vertex_arms(const State *s, const Contact *c, const Surface *const unused[2]) {
    (void)unused;
    WallContact w;
    Vec3 point;
    place_at_wall(s, c, &w);
    return arms_at(&w, c, scr_between(s, c->a, c->b), &point);
}

/* A vertex: with n into the grains, v the vertex and d the wall's point, both from the centre of the
 * body, the gap changes from n.(v - d) to R_b n.(R_a v - d - shift). What a hollow wall adds as the
 * vertex slides along it is found elsewhere (scr_wall_sag). */
static double vertex_change(const Contact *c, Vec3 v, Vec3 d, const StepMotion *m) {
    Vec3 n = scale(-1, c->normal);
    Vec3 after = sub(quat_rotate(quat_from_turn(m->turn_a), v), add(d, m->shift));
    return dot(quat_rotate(quat_from_turn(m->turn_b), n), after) - dot(n, sub(v, d));
}

/* A place that moves over the surface: the gap is looked up after the motion, which is given to the
 * body alone, so that the wall stays where it is. */
static double place_change(const WallContact *w, const Contact *c, Vec3 point, Vec3 d,
                           const StepMotion *m) {
    const Quat back = quat_from_turn(scale(-1, m->turn_b));
    PlacedSolid turned = w->solid;
    scr_turn_placed(&turned, m->turn_a);
    for (int k = 0; k < 3; k++) {
        turned.axis[k] = quat_rotate(back, turned.axis[k]);
    }
    SolidAtWall then = w->at;
    Vec3 moved = sub(d, quat_rotate(back, add(d, m->shift)));
    then.solid = &turned;
    then.seen = add(w->at.seen, moved);
    double change = scr_solid_wall_gap(&then, c->normal, c->feature) - c->gap;
    /* of a point that slides, a part of this is found elsewhere, as above */
    Vec3 slid = add(moved, cross(sub(m->turn_a, m->turn_b), point));
    return change + scr_wall_sag(w->at.wall, add(w->at.seen, point), slid);
}

double scr_vertex_loss(const State *s, const Contact *c, const Surface *const unused[2],
                       const StepMotion *m) {
    (void)unused;
    WallContact w;
    Vec3 point, d = scr_between(s, c->a, c->b);
    place_at_wall(s, c, &w);
    const Arms arms = arms_at(&w, c, d, &point);
    double change = w.smooth ? place_change(&w, c, point, d, m) : vertex_change(c, point, d, m);
    return scr_forecast(c, arms.a, arms.b, m) - (c->gap + change);
}

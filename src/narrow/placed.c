#include "narrow/placed.h"

#include "narrow/narrow.h"
#include "narrow/outline_sunk.h"
#include "narrow/rim_wall.h"
#include "narrow/rims.h"
#include "shape/wall.h"

/* ---------------------------------------------------------------- bodies */

static size_t corners_of(const State *s, size_t body) {
    int32_t shape = s->bodies.shape[body];
    return shape >= 0 ? (size_t)s->shapes.shape[shape].corners : 1;
}

static bool reserve(const State *s, Placed *p) {
    size_t corners = 0, n = s->bodies.count;
    for (size_t i = 0; i < n; i++) {
        corners += corners_of(s, i);
    }
    if (!scr_block_reserve(&p->corner_block, corners, sizeof(Corner), 0) ||
        !scr_block_reserve(&p->outline_block, n, sizeof *p->outline, 0) ||
        !scr_block_reserve(&p->ball_block, n, sizeof(OutlinePart), 0)) {
        return false;
    }
    p->outline = p->outline_block.data;
    return true;
}

/* The curve of a body, or NULL. For the soft engine a curve is the polygon of its nodes. */
static const Nurbs *curve_of(const State *s, int32_t body) {
    int32_t shape = s->bodies.shape[body];
    int32_t curve =
        shape >= 0 && s->def.engine != SCREE_ENGINE_SOFT ? s->shapes.shape[shape].curve : -1;
    return curve >= 0 ? &s->shapes.curve[curve].nurbs : NULL;
}

/* Makes the outline of a curve's nodes that of the curve. */
static void bend_outline(const Nurbs *nurbs, Outline *outline) {
    outline->nurbs = nurbs;
    for (int i = 0; i < 2; i++) {
        outline->low[i] -= nurbs->bulge;
        outline->high[i] += nurbs->bulge;
    }
}

bool scr_place_turned(const State *s, const Quat *orientation, Placed *p) {
    const Bodies *b = &s->bodies;
    if (s->shapes.count == 0) {
        return true;
    }
    if (!reserve(s, p)) {
        return false;
    }
    Corner *corner = p->corner_block.data;
    OutlinePart *ball = p->ball_block.data;
    for (size_t i = 0; i < b->count; i++) {
        if (b->shape[i] >= 0) {
            const ShapeRecord *shape = &s->shapes.shape[b->shape[i]];
            scr_outline_turn(s->shapes.edge + shape->first_corner,
                             s->shapes.outline + shape->first_part, shape->parts, orientation[i],
                             corner, &p->outline[i]);
            const Nurbs *nurbs = curve_of(s, (int32_t)i);
            if (nurbs != NULL) {
                bend_outline(nurbs, &p->outline[i]);
            }
        } else {
            double r = b->radius[i];
            ball[i] = (OutlinePart){0, 1, r};
            *corner = (Corner){0};
            p->outline[i] = (Outline){
                .corner = corner, .part = &ball[i], .parts = 1, .low = {-r, -r}, .high = {r, r}};
        }
        corner += corners_of(s, i);
    }
    return true;
}

bool scr_place_outlines(const State *s, Placed *p) {
    return scr_place_turned(s, s->bodies.orientation, p);
}

void scr_placed_free(Placed *p) {
    scr_block_free(&p->outline_block);
    scr_block_free(&p->corner_block);
    scr_block_free(&p->ball_block);
    *p = (Placed){0};
}

/* ---------------------------------------------------------------- walls */

/* Planes and hollow cylinders are met by corners only. */
static bool is_met_by_corners(const ScreeWallDef *w) {
    return w->shape == SCREE_WALL_PLANE || (w->shape == SCREE_WALL_CYLINDER && w->inside);
}

static int32_t wall_corners(const ScreeWallDef *w, Vec3 corner[4]) {
    if (w->shape == SCREE_WALL_CYLINDER) {
        corner[0] = vec3(0, 0, 0);
        return 1;
    }
    if (w->shape == SCREE_WALL_SEGMENT) {
        corner[0] = vec3(0, 0, 0);
        corner[1] = sub(w->end, w->point);
        return 2;
    }
    const double x = w->half.x, y = w->half.y;
    const Vec3 own[4] = {{-x, -y, 0}, {x, -y, 0}, {x, y, 0}, {-x, y, 0}};
    for (int k = 0; k < 4; k++) {
        corner[k] = quat_rotate(w->orientation, own[k]);
    }
    return 4;
}

void scr_wall_outline(const ScreeWallDef *w, WallOutline *o) {
    Vec3 corner[4];
    const Quat none = {1, 0, 0, 0};
    int32_t count = wall_corners(w, corner);
    o->part = (OutlinePart){0, count, w->shape == SCREE_WALL_CYLINDER ? w->radius : 0};
    Corner edge[4];
    scr_outline_edges(&o->part, 1, corner, edge);
    scr_outline_turn(edge, &o->part, 1, none, o->corner, &o->outline);
}

static Vec3 wall_from(const State *s, const ScreeWallDef *w, int32_t body) {
    return sub(w->point, scr_seen_by_wall(&s->def, w, s->bodies.position[body]));
}

/* Gap of one corner, given from the centre of its body, to a plane or from inside a cylinder. */
static Touch touch_corner(const State *s, const ScreeWallDef *w, int32_t body, Vec3 corner,
                          double rounding) {
    Vec3 seen = scr_seen_by_wall(&s->def, w, s->bodies.position[body]);
    return scr_touch_wall(&s->def, w, add(seen, corner), rounding);
}

static ScreeStatus touch_by_corners(const State *s, const Outline *o, const ScreeWallDef *w,
                                    int32_t body, double reach, OutlineTouches *touches) {
    touches->count = 0;
    for (int32_t p = 0; p < o->parts; p++) {
        const OutlinePart *part = &o->part[p];
        for (int32_t k = part->first; k < part->first + part->count; k++) {
            Vec3 corner = vec3(o->corner[k].x, o->corner[k].y, 0);
            Touch touch = touch_corner(s, w, body, corner, part->rounding);
            if (o->corner[k].reflex || touch.gap > reach) {
                continue;
            }
            Vec3 arm = add_scaled(corner, part->rounding + 0.5 * touch.gap, touch.normal);
            const OutlineTouch found = {touch.gap, touch.normal, arm, scr_feature(2 * k, 1), false};
            if (!scr_add_touch(touches, &found)) {
                return SCREE_NO_MEMORY;
            }
        }
    }
    return SCREE_OK;
}

/* ---------------------------------------------------------------- pairs */

ScreeStatus scr_touch_shapes(const State *s, const Placed *placed, int32_t a, int32_t b,
                             const OutlineMotion *motion, double reach, OutlineTouches *touches) {
    const Outline *outline = &placed->outline[a];
    if (b >= 0) {
        const Outline *other = &placed->outline[b];
        Vec3 d = scr_nearest_image(&s->def, sub(s->bodies.position[b], s->bodies.position[a]));
        return outline->nurbs != NULL || other->nurbs != NULL
                   ? scr_touch_rims(outline, other, d, reach, touches)
                   : scr_touch_outlines(outline, other, d, motion, reach, touches);
    }
    const ScreeWallDef *w = &s->walls.item[scr_wall_of(b)].now;
    if (is_met_by_corners(w) && outline->nurbs != NULL) {
        Vec3 seen = scr_seen_by_wall(&s->def, w, s->bodies.position[a]);
        return scr_touch_rim_wall(&s->def, w, seen, outline, reach, touches);
    }
    if (is_met_by_corners(w)) {
        return touch_by_corners(s, outline, w, a, reach, touches);
    }
    WallOutline wall;
    scr_wall_outline(w, &wall);
    return outline->nurbs != NULL
               ? scr_touch_rims(outline, &wall.outline, wall_from(s, w, a), reach, touches)
               : scr_touch_outlines(outline, &wall.outline, wall_from(s, w, a), motion, reach,
                                    touches);
}

ScreeStatus scr_shape_overlap(const State *s, const Placed *placed, int32_t a, int32_t b,
                              OutlineTouches *touches, double *depth) {
    const OutlineMotion none = {.turn_a = 0};
    ScreeStatus status = scr_touch_shapes(s, placed, a, b, &none, 0, touches);
    *depth = 0;
    for (size_t i = 0; i < touches->count; i++) {
        *depth = fmax(*depth, -touches->item[i].gap);
    }
    return status;
}

double scr_shape_gap(const State *s, const Placed *placed, const Contact *c) {
    const Outline *outline = &placed->outline[c->a];
    if (c->b >= 0) {
        Vec3 d =
            scr_nearest_image(&s->def, sub(s->bodies.position[c->b], s->bodies.position[c->a]));
        const Outline *other = &placed->outline[c->b];
        return outline->nurbs != NULL || other->nurbs != NULL
                   ? scr_rims_gap(outline, other, d, c->feature)
                   : scr_outline_gap(outline, other, d, c->normal, c->feature);
    }
    const ScreeWallDef *w = &s->walls.item[scr_wall_of(c->b)].now;
    if (is_met_by_corners(w) && outline->nurbs != NULL) {
        Vec3 seen = scr_seen_by_wall(&s->def, w, s->bodies.position[c->a]);
        return scr_rim_wall_gap(&s->def, w, seen, outline, c->feature);
    }
    if (is_met_by_corners(w)) {
        int32_t k = scr_feature_a(c->feature) / 2;
        return touch_corner(s, w, c->a, vec3(outline->corner[k].x, outline->corner[k].y, 0),
                            scr_rounding_at(outline->part, outline->parts, k))
            .gap;
    }
    WallOutline wall;
    scr_wall_outline(w, &wall);
    return outline->nurbs != NULL
               ? scr_rims_gap(outline, &wall.outline, wall_from(s, w, c->a), c->feature)
               : scr_outline_gap(outline, &wall.outline, wall_from(s, w, c->a), c->normal,
                                 c->feature);
}

/* ---------------------------------------------------------------- arms */

/* What a curve's outline must have for its points to be found. */
static Outline turned_curve(const State *s, int32_t body, const Nurbs *nurbs) {
    Quat q = s->bodies.orientation[body];
    double square = q.w * q.w + q.z * q.z;
    return (Outline){
        .nurbs = nurbs, .cosine = (q.w * q.w - q.z * q.z) / square, .sine = 2 * q.w * q.z / square};
}

/* The corner of a body that an even element of a contact names, as it is turned now, and its
 * rounding. Of a curve it is the point with the outward normal `out`. */
static Vec3 body_corner(const State *s, int32_t body, int32_t code, Vec3 out, double *rounding) {
    int32_t shape = s->bodies.shape[body];
    const Nurbs *nurbs = curve_of(s, body);
    if (shape < 0) {
        *rounding = s->bodies.radius[body];
        return vec3(0, 0, 0);
    }
    if (nurbs != NULL) {
        const Outline curve = turned_curve(s, body, nurbs);
        *rounding = 0;
        return scr_curve_point(&curve, code, out).at;
    }
    const ShapeRecord *r = &s->shapes.shape[shape];
    *rounding = scr_rounding_at(s->shapes.outline + r->first_part, r->parts, code / 2);
    return quat_rotate(s->bodies.orientation[body], s->shapes.corner[r->first_corner + code / 2]);
}

static Vec3 wall_corner(const ScreeWallDef *w, int32_t k, double *rounding) {
    Vec3 corner[4];
    wall_corners(w, corner);
    *rounding = w->shape == SCREE_WALL_CYLINDER ? w->radius : 0;
    return corner[k];
}

Arms scr_shape_arms(const State *s, const Contact *c) {
    const Bodies *b = &s->bodies;
    int32_t of_a = scr_feature_a(c->feature), of_b = scr_feature_b(c->feature);
    Vec3 d = c->b >= 0 ? scr_nearest_image(&s->def, sub(b->position[c->b], b->position[c->a]))
                       : wall_from(s, &s->walls.item[scr_wall_of(c->b)].now, c->a);
    double rounding;
    if (of_a % 2 == 0) {
        Vec3 corner = body_corner(s, c->a, of_a, c->normal, &rounding);
        Vec3 arm = add_scaled(corner, rounding + 0.5 * c->gap, c->normal);
        return (Arms){arm, sub(arm, d)};
    }
    Vec3 corner = c->b >= 0
                      ? body_corner(s, c->b, of_b, scale(-1, c->normal), &rounding)
                      : wall_corner(&s->walls.item[scr_wall_of(c->b)].now, of_b / 2, &rounding);
    Vec3 arm = add_scaled(corner, -(rounding + 0.5 * c->gap), c->normal);
    return (Arms){add(d, arm), arm};
}

/* ---------------------------------------------------------------- turning */

static Vec3 turn_by(double angle, Vec3 a) {
    double c = cos(angle), s = sin(angle);
    return vec3(c * a.x - s * a.y, s * a.x + c * a.y, 0);
}

/* The radius of curvature of the body that says where the contact is. */
static double radius_at(const State *s, int32_t body, int32_t code, Vec3 out) {
    double rounding = 0;
    const Nurbs *nurbs = curve_of(s, body);
    if (nurbs == NULL) {
        body_corner(s, body, code, out, &rounding);
        return rounding;
    }
    const Outline curve = turned_curve(s, body, nurbs);
    return scr_curve_point(&curve, code, out).radius;
}

/* The curvature of the other one at the contact; `at` is seen from its centre. Hollow walls have a
 * loss of their own as the contact slides: what rolling adds is left. */
static double bend_at(const State *s, int32_t partner, int32_t code, Vec3 at) {
    if (partner < 0) {
        const ScreeWallDef *w = &s->walls.item[scr_wall_of(partner)].now;
        return w->shape == SCREE_WALL_CYLINDER && w->inside ? -1 / w->radius : 0;
    }
    const Nurbs *nurbs = curve_of(s, partner);
    if (nurbs == NULL) {
        return 0; /* an edge */
    }
    const Outline curve = turned_curve(s, partner, nurbs);
    return scr_curve_bend(&curve, code, at);
}

static double curve_loss(const State *s, const Contact *c, const OutlineMotion *m) {
    if (scr_is_sunk(c->feature)) {
        return 0; /* there is enough overlap as it is */
    }
    const Arms arms = scr_shape_arms(s, c);
    const Vec3 n = c->normal, t = vec3(-n.y, n.x, 0);
    Vec3 at[2] = {add_scaled(arms.a, -0.5 * c->gap, n), add_scaled(arms.b, 0.5 * c->gap, n)};
    int32_t of[2] = {scr_feature_a(c->feature), scr_feature_b(c->feature)};
    int32_t body[2] = {c->a, c->b};
    double turn[2] = {m->turn_a, m->turn_b}, height[2] = {dot(at[0], n), -dot(at[1], n)};
    int own = of[0] % 2 == 0 ? 0 : 1, other = 1 - own;
    Vec3 out = scale(own == 0 ? 1 : -1, n), spin[2] = {{0, 0, turn[0]}, {0, 0, turn[1]}};
    CurveLoss loss = {.turn = {turn[own], turn[other]},
                      .height = {height[own], height[other]},
                      .gap = c->gap,
                      .slide =
                          dot(t, sub(add(m->shift, cross(spin[1], at[1])), cross(spin[0], at[0])))};
    if (body[own] < 0) { /* the end of a wall, or a round one */
        double rounding;
        wall_corner(&s->walls.item[scr_wall_of(body[own])].now, of[own] / 2, &rounding);
        loss.radius = rounding;
    } else {
        loss.radius = radius_at(s, body[own], of[own], out);
    }
    loss.curvature = bend_at(s, body[other], of[other], at[other]);
    double lost = scr_curve_loss(&loss);
    bool hollow = body[other] < 0 && loss.curvature < 0;
    lost += hollow ? 0.5 * loss.slide * loss.slide * loss.curvature : 0;
    return isfinite(lost) ? lost : 0;
}

/* Let l be the corner in its own body and q the same point seen from the body of the edge, n the
 * edge's normal; by the step q moves by x and the two turn by f and e. The distance from the edge
 * goes from n.q to n.R(-e)(q + x + R(f) l - l), while the law reckons with n.(q + x + f x l - e x
 * q). */
double scr_turning_loss(const State *s, const Contact *c, const OutlineMotion *m) {
    if (curve_of(s, c->a) != NULL || (c->b >= 0 && curve_of(s, c->b) != NULL)) {
        return curve_loss(s, c, m);
    }
    bool corner_of_a = scr_feature_a(c->feature) % 2 == 0;
    int32_t other = corner_of_a ? scr_feature_b(c->feature) : scr_feature_a(c->feature);
    if (other % 2 == 0) {
        return 0;
    }
    double rounding, half = 0.5 * c->gap;
    const Arms arms = scr_shape_arms(s, c);
    double turn_corner = corner_of_a ? m->turn_a : m->turn_b;
    double turn_edge = corner_of_a ? m->turn_b : m->turn_a;
    Vec3 n = scale(corner_of_a ? -1 : 1, c->normal), x = scale(corner_of_a ? -1 : 1, m->shift);
    Vec3 l = corner_of_a ? body_corner(s, c->a, scr_feature_a(c->feature), n, &rounding)
             : c->b >= 0 ? body_corner(s, c->b, scr_feature_b(c->feature), n, &rounding)
                         : wall_corner(&s->walls.item[scr_wall_of(c->b)].now,
                                       scr_feature_b(c->feature) / 2, &rounding);
    Vec3 q = add_scaled(corner_of_a ? arms.b : arms.a, rounding + half, n);
    Vec3 after = add(add(q, x), sub(turn_by(turn_corner, l), l));
    Vec3 linear = add(add(q, x), vec3(turn_edge * q.y - turn_corner * l.y,
                                      turn_corner * l.x - turn_edge * q.x, 0));
    return dot(n, sub(linear, turn_by(-turn_edge, after)));
}

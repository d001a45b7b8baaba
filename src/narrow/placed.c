#include "narrow/placed.h"

#include "narrow/narrow.h"
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
        } else {
            double r = b->radius[i];
            ball[i] = (OutlinePart){0, 1, r};
            *corner = (Corner){0};
            p->outline[i] = (Outline){corner, &ball[i], 1, {-r, -r}, {r, r}};
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
            if (!scr_block_reserve(&touches->block, touches->count + 1, sizeof *touches->item,
                                   touches->count * sizeof *touches->item)) {
                return SCREE_NO_MEMORY;
            }
            touches->item = touches->block.data;
            Vec3 arm = add_scaled(corner, part->rounding + 0.5 * touch.gap, touch.normal);
            touches->item[touches->count++] =
                (OutlineTouch){touch.gap, touch.normal, arm, scr_feature(2 * k, 1)};
        }
    }
    return SCREE_OK;
}

/* ---------------------------------------------------------------- pairs */

ScreeStatus scr_touch_shapes(const State *s, const Placed *placed, int32_t a, int32_t b,
                             const OutlineMotion *motion, double reach, OutlineTouches *touches) {
    const Outline *outline = &placed->outline[a];
    if (b >= 0) {
        Vec3 d = scr_nearest_image(&s->def, sub(s->bodies.position[b], s->bodies.position[a]));
        return scr_touch_outlines(outline, &placed->outline[b], d, motion, reach, touches);
    }
    const ScreeWallDef *w = &s->walls.item[-1 - b].now;
    if (is_met_by_corners(w)) {
        return touch_by_corners(s, outline, w, a, reach, touches);
    }
    WallOutline wall;
    scr_wall_outline(w, &wall);
    return scr_touch_outlines(outline, &wall.outline, wall_from(s, w, a), motion, reach, touches);
}

/* The rounding of a corner of an outline. */
static double rounding_at(const OutlinePart *part, int32_t parts, int32_t corner) {
    for (int32_t p = 0; p < parts; p++) {
        if (corner < part[p].first + part[p].count) {
            return part[p].rounding;
        }
    }
    return 0;
}

double scr_shape_gap(const State *s, const Placed *placed, const ScreeContact *c) {
    const Outline *outline = &placed->outline[c->a];
    if (c->b >= 0) {
        Vec3 d =
            scr_nearest_image(&s->def, sub(s->bodies.position[c->b], s->bodies.position[c->a]));
        return scr_outline_gap(outline, &placed->outline[c->b], d, c->normal, c->feature);
    }
    const ScreeWallDef *w = &s->walls.item[-1 - c->b].now;
    if (is_met_by_corners(w)) {
        int32_t k = scr_feature_a(c->feature) / 2;
        return touch_corner(s, w, c->a, vec3(outline->corner[k].x, outline->corner[k].y, 0),
                            rounding_at(outline->part, outline->parts, k))
            .gap;
    }
    WallOutline wall;
    scr_wall_outline(w, &wall);
    return scr_outline_gap(outline, &wall.outline, wall_from(s, w, c->a), c->normal, c->feature);
}

/* ---------------------------------------------------------------- arms */

/* A corner of a body as it is turned now, and its rounding. */
static Vec3 body_corner(const State *s, int32_t body, int32_t k, double *rounding) {
    int32_t shape = s->bodies.shape[body];
    if (shape < 0) {
        *rounding = s->bodies.radius[body];
        return vec3(0, 0, 0);
    }
    const ShapeRecord *r = &s->shapes.shape[shape];
    *rounding = rounding_at(s->shapes.outline + r->first_part, r->parts, k);
    return quat_rotate(s->bodies.orientation[body], s->shapes.corner[r->first_corner + k]);
}

static Vec3 wall_corner(const ScreeWallDef *w, int32_t k, double *rounding) {
    Vec3 corner[4];
    wall_corners(w, corner);
    *rounding = w->shape == SCREE_WALL_CYLINDER ? w->radius : 0;
    return corner[k];
}

Arms scr_shape_arms(const State *s, const ScreeContact *c) {
    const Bodies *b = &s->bodies;
    int32_t of_a = scr_feature_a(c->feature), of_b = scr_feature_b(c->feature);
    Vec3 d = c->b >= 0 ? scr_nearest_image(&s->def, sub(b->position[c->b], b->position[c->a]))
                       : wall_from(s, &s->walls.item[-1 - c->b].now, c->a);
    double rounding;
    if (of_a % 2 == 0) {
        Vec3 corner = body_corner(s, c->a, of_a / 2, &rounding);
        Vec3 arm = add_scaled(corner, rounding + 0.5 * c->gap, c->normal);
        return (Arms){arm, sub(arm, d)};
    }
    Vec3 corner = c->b >= 0 ? body_corner(s, c->b, of_b / 2, &rounding)
                            : wall_corner(&s->walls.item[-1 - c->b].now, of_b / 2, &rounding);
    Vec3 arm = add_scaled(corner, -(rounding + 0.5 * c->gap), c->normal);
    return (Arms){add(d, arm), arm};
}

/* ---------------------------------------------------------------- turning */

static Vec3 turn_by(double angle, Vec3 a) {
    double c = cos(angle), s = sin(angle);
    return vec3(c * a.x - s * a.y, s * a.x + c * a.y, 0);
}

/* Let l be the corner in its own body and q the same point seen from the body of the edge, n the
 * edge's normal; by the step q moves by x and the two turn by f and e. The distance from the edge
 * goes from n.q to n.R(-e)(q + x + R(f) l - l), while the law reckons with n.(q + x + f x l - e x
 * q). */
double scr_turning_loss(const State *s, const ScreeContact *c, const OutlineMotion *m) {
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
    Vec3 l = corner_of_a ? body_corner(s, c->a, scr_feature_a(c->feature) / 2, &rounding)
             : c->b >= 0 ? body_corner(s, c->b, scr_feature_b(c->feature) / 2, &rounding)
                         : wall_corner(&s->walls.item[-1 - c->b].now, scr_feature_b(c->feature) / 2,
                                       &rounding);
    Vec3 q = add_scaled(corner_of_a ? arms.b : arms.a, rounding + half, n);
    Vec3 after = add(add(q, x), sub(turn_by(turn_corner, l), l));
    Vec3 linear = add(add(q, x), vec3(turn_edge * q.y - turn_corner * l.y,
                                      turn_corner * l.x - turn_edge * q.x, 0));
    return dot(n, sub(linear, turn_by(-turn_edge, after)));
}

#include "narrow/placed.h"

#include "narrow/narrow.h"
#include "state/rotation.h"

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
    return scr_block_reserve(&p->corner_block, corners, sizeof(Corner), 0) &&
           SCR_RESERVE(p, outline, n) &&
           scr_block_reserve(&p->ball_block, n, sizeof(OutlinePart), 0);
}

/* Makes the outline of a curve's nodes that of the curve. */
static void bend_outline(const Nurbs *nurbs, Outline *outline) {
    outline->nurbs = nurbs;
    for (int i = 0; i < 2; i++) {
        outline->low[i] -= nurbs->bulge;
        outline->high[i] += nurbs->bulge;
    }
}

void scr_place_solid(const Solid *solid, Quat q, PlacedSolid *p) {
    *p = (PlacedSolid){solid,
                       {quat_rotate(q, vec3(1, 0, 0)), quat_rotate(q, vec3(0, 1, 0)),
                        quat_rotate(q, vec3(0, 0, 1))}};
}

void scr_turn_placed(PlacedSolid *p, Vec3 turn) {
    const Quat q = quat_from_turn(turn);
    for (int k = 0; k < 3; k++) {
        p->axis[k] = quat_rotate(q, p->axis[k]);
    }
}

double scr_forecast(const Contact *c, Vec3 arm_a, Vec3 arm_b, const StepMotion *m) {
    Vec3 b = add(m->shift, cross(m->turn_b, arm_b));
    return c->gap + dot(c->normal, sub(b, cross(m->turn_a, arm_a)));
}

static bool place_solids(const State *s, const Quat *orientation, Placed *p) {
    const Quat none = {1, 0, 0, 0};
    const Bodies *b = &s->bodies;
    if (!SCR_RESERVE(p, solid, b->count) ||
        !scr_block_reserve(&p->ball_block, b->count, sizeof(BallSolid), 0)) {
        return false;
    }
    BallSolid *ball = p->ball_block.data;
    for (size_t i = 0; i < b->count; i++) {
        const Solid *solid = scr_solid_of(s, i);
        if (solid == NULL) {
            scr_ball_solid(b->radius[i], ball);
        }
        scr_place_solid(solid != NULL ? solid : &ball++->solid,
                        solid != NULL ? orientation[i] : none, &p->solid[i]);
    }
    return true;
}

/* One body, with room for its corners, or for the part of a round one. */
static void place_outline(const State *s, size_t i, Quat orientation, Corner *corner,
                          OutlinePart *ball, Outline *outline) {
    const Bodies *b = &s->bodies;
    if (b->shape[i] < 0) {
        double r = b->radius[i];
        *ball = (OutlinePart){0, 1, r};
        *corner = (Corner){0};
        *outline =
            (Outline){.corner = corner, .part = ball, .parts = 1, .low = {-r, -r}, .high = {r, r}};
        return;
    }
    const ShapeRecord *shape = &s->shapes.shape[b->shape[i]];
    scr_outline_turn(s->shapes.edge + shape->first_corner, s->shapes.outline + shape->first_part,
                     shape->parts, orientation, corner, outline);
    if (scr_surface_kind(s, (int32_t)i) == SURFACE_CURVE) {
        bend_outline(&s->shapes.curve[shape->curve].nurbs, outline);
    }
}

bool scr_place_turned(const State *s, const Quat *orientation, Placed *p) {
    const Bodies *b = &s->bodies;
    if (s->shapes.count == 0) {
        return true;
    }
    if (s->def.dimension == 3) {
        return place_solids(s, orientation, p);
    }
    if (!reserve(s, p)) {
        return false;
    }
    Corner *corner = p->corner_block.data;
    OutlinePart *ball = p->ball_block.data;
    for (size_t i = 0; i < b->count; i++) {
        place_outline(s, i, orientation[i], corner, &ball[i], &p->outline[i]);
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
    scr_block_free(&p->solid_block);
    *p = (Placed){0};
}

/* ---------------------------------------------------------------- pairs */

static void place_wall_outline(const ScreeWallDef *w, PlacedPair *p) {
    Vec3 corner[4];
    Corner edge[4];
    const Quat none = {1, 0, 0, 0};
    int32_t count = scr_wall_corners(w, corner);
    p->wall_part = (OutlinePart){0, count, w->shape == SCREE_WALL_CYLINDER ? w->radius : 0};
    scr_outline_edges(&p->wall_part, 1, corner, edge);
    scr_outline_turn(edge, &p->wall_part, 1, none, p->wall_corner, &p->wall_outline);
    p->b = &p->wall_outline;
}

void scr_place_at_wall(const ScreeWorldDef *def, SurfaceKind kind, const Outline *body, Vec3 x,
                       const ScreeWallDef *wall, PlacedPair *p) {
    Vec3 seen = scr_seen_by_wall(def, wall, x);
    p->kind[0] = kind;
    p->kind[1] = scr_wall_kind(wall);
    p->def = def;
    p->a = body;
    p->b = NULL;
    p->solid[0] = p->solid[1] = NULL;
    p->wall = wall;
    p->x = x;
    p->seen = seen;
    p->d = sub(wall->point, seen);
    if (p->kind[1] != SURFACE_PLANE && body != NULL) {
        place_wall_outline(wall, p);
    }
}

/* Its axis stands still in the frame of the wall, so the points of its rims turn with the wall. */
static void place_rod(const ScreeWallDef *w, Vec3 d, double radius, WallSolid *s) {
    Vec3 axis = unit(quat_rotate_back(w->orientation, w->axis));
    bool endless = !(w->length > 0);
    double middle = endless ? -dot(d, w->axis) : 0, half = endless ? 4 * radius : 0.5 * w->length;
    const double radii[2] = {w->radius, w->radius};
    scr_cone_solid(scale(middle - half, axis), scale(middle + half, axis), radii, &s->cone);
    scr_place_solid(&s->cone.solid, w->orientation, &s->placed);
}

void scr_place_wall_solid(const ScreeWallDef *w, Vec3 d, double radius, WallSolid *s) {
    if (w->shape != SCREE_WALL_BLOCK) {
        place_rod(w, d, radius, s);
        return;
    }
    scr_box_solid(w->half, &s->box);
    scr_place_solid(&s->box.solid, w->orientation, &s->placed);
}

static void place_beside(const State *s, const Placed *placed, int32_t a, const ScreeWallDef *wall,
                         Vec3 xa, PlacedPair *p) {
    const Outline *body = placed->outline != NULL ? &placed->outline[a] : NULL;
    p->radius[0] = s->bodies.radius[a];
    scr_place_at_wall(&s->def, scr_surface_kind(s, a), body, xa, wall, p);
    p->solid[0] = placed->solid != NULL ? &placed->solid[a] : NULL;
    if (p->solid[0] != NULL && (p->kind[1] == SURFACE_BLOCK || p->kind[1] == SURFACE_ROD)) {
        scr_place_wall_solid(wall, p->d, p->radius[0], &p->wall_solid);
        p->solid[1] = &p->wall_solid.placed;
    }
}

void scr_place_by_code(const State *s, const Placed *placed, int32_t a, int32_t code, Vec3 xa,
                       PlacedPair *p) {
    place_beside(s, placed, a, &s->walls.item[scr_wall_of(code)].now, xa, p);
}

/* ---------------------------------------------------------------- after a motion */

/* A wall that has turned about its point. */
static ScreeWallDef turned_wall(const ScreeWallDef *wall, Vec3 turn) {
    const Quat q = quat_from_turn(turn);
    ScreeWallDef w = *wall;
    w.end = add(w.point, quat_rotate(q, sub(w.end, w.point)));
    w.normal = quat_rotate(q, w.normal);
    w.axis = quat_rotate(q, w.axis);
    w.orientation = quat_multiply(q, w.orientation);
    return w;
}

/* Side k, body i of the pair, turned in the plane. */
static bool turn_outline(const State *s, int32_t i, int k, Vec3 turn, MovedPair *moved) {
    const Bodies *b = &s->bodies;
    if (!scr_block_reserve(&moved->corner_block[k], corners_of(s, (size_t)i), sizeof(Corner), 0)) {
        return false;
    }
    const Quat q = quat_multiply(quat_from_turn(turn), b->orientation[i]);
    place_outline(s, (size_t)i, q, moved->corner_block[k].data, &moved->ball[k],
                  &moved->outline[k]);
    return true;
}

bool scr_place_moved(const State *s, const Placed *placed, int32_t a, int32_t b,
                     const StepMotion *m, MovedPair *moved, PlacedPair *p) {
    const Vec3 *x = s->bodies.position, turn[2] = {m->turn_a, m->turn_b};
    const int32_t body[2] = {a, b};
    if (b >= 0) {
        scr_place_pair(s, placed, a, b, x[a], add(x[b], m->shift), p);
    } else {
        moved->wall = turned_wall(&s->walls.item[scr_wall_of(b)].now, m->turn_b);
        place_beside(s, placed, a, &moved->wall, sub(x[a], m->shift), p);
        p->old = (OldPoints){NULL, 0};
    }
    for (int k = 0; k < 2 && body[k] >= 0; k++) {
        if (p->solid[k] != NULL) {
            moved->solid[k] = *p->solid[k];
            scr_turn_placed(&moved->solid[k], turn[k]);
            p->solid[k] = &moved->solid[k];
        } else if (placed->outline != NULL) {
            if (!turn_outline(s, body[k], k, turn[k], moved)) {
                return false;
            }
            *(k == 0 ? &p->a : &p->b) = &moved->outline[k];
        }
    }
    return true;
}

void scr_moved_pair_free(MovedPair *moved) {
    scr_block_free(&moved->corner_block[0]);
    scr_block_free(&moved->corner_block[1]);
}

#include "dynamics/shaped_pairs.h"

#include "base/status.h"

/* ---------------------------------------------------------------- motion */

/* How a pair moves through the step: velocities of the centres, and spins. */
typedef struct PairMotion {
    Vec3 va, vb, wa, wb;
} PairMotion;

/* At the start of the step. */
static PairMotion start_motion(const State *s, int32_t a, int32_t b) {
    const Bodies *k = &s->bodies;
    PairMotion m = {.va = k->velocity[a], .wa = k->spin[a]};
    if (b >= 0) {
        m.vb = k->velocity[b];
        m.wb = k->spin[b];
    } else {
        const ScreeWallDef *w = &s->walls.item[scr_wall_of(b)].now;
        m.vb = scr_wall_motion(w, w->point);
        m.wb = w->motion == SCREE_WALL_MOVED ? w->spin : vec3(0, 0, 0);
    }
    return m;
}

static PairMotion free_pair_motion(const StepTask *t, Pair p) {
    const State *s = t->state;
    PairMotion m = start_motion(s, p.a, p.b);
    m.va = t->free->motion[p.a];
    m.wa = scr_free_turn(t->with, s, (size_t)p.a);
    if (p.b >= 0) {
        m.vb = t->free->motion[p.b];
        m.wb = scr_free_turn(t->with, s, (size_t)p.b);
    }
    return m;
}

/* The same as the solution has it. */
static PairMotion solved_motion(const StepTask *t, Pair p) {
    const Bodies *k = &t->state->bodies;
    PairMotion m = free_pair_motion(t, p);
    m.va = scr_problem_body(t, p.a)->v;
    m.wa = scale(1 / k->radius[p.a], scr_problem_body(t, p.a)->s);
    if (p.b >= 0) {
        m.vb = scr_problem_body(t, p.b)->v;
        m.wb = scale(1 / k->radius[p.b], scr_problem_body(t, p.b)->s);
    } else if (t->state->walls.item[scr_wall_of(p.b)].now.motion == SCREE_WALL_PISTON) {
        m.vb = t->problem.body[scr_wall_place(t->state, scr_wall_of(p.b))].v;
    }
    return m;
}

/* From the centre of a to that of b; a wall is where its `point` is. */
static Vec3 between(const State *s, int32_t a, int32_t b) {
    const Bodies *k = &s->bodies;
    if (b >= 0) {
        return scr_nearest_image(&s->def, sub(k->position[b], k->position[a]));
    }
    const ScreeWallDef *w = &s->walls.item[scr_wall_of(b)].now;
    return sub(w->point, scr_seen_by_wall(&s->def, w, k->position[a]));
}

/* Velocity of b against a along the normal of a contact point. */
static double approach(const PairMotion *m, Vec3 d, const OutlineTouch *t) {
    Vec3 ua = add(m->va, cross(m->wa, t->arm)), ub = add(m->vb, cross(m->wb, sub(t->arm, d)));
    return dot(sub(ub, ua), t->normal);
}

/* No point of the two can come nearer than this within the step. */
static double farthest_approach(const StepTask *t, const PairMotion *m, Pair p, Vec3 d) {
    const double *radius = t->state->bodies.radius;
    double ra = radius[p.a], rb = p.b >= 0 ? radius[p.b] : length(d) + ra;
    Vec3 v = sub(m->vb, m->va);
    double turning = fabs(m->wa.z) * ra + fabs(m->wb.z) * rb;
    return t->with->time_step * (fabs(v.x) + fabs(v.y) + turning);
}

static OutlineMotion outline_motion(double dt, const PairMotion *m) {
    return (OutlineMotion){scale(dt, sub(m->vb, m->va)), dt * m->wa.z, dt * m->wb.z};
}

/* All contact points within the reach. Which way two corners pass each other is told by the
 * velocities at the start of the step: in free motion every body falls a little, and one that
 * glides slowly over a seam would seem to fall into it. */
static ScreeStatus find_points(const StepTask *t, Outlines *outlines, Pair p, double reach) {
    const PairMotion start = start_motion(t->state, p.a, p.b);
    const OutlineMotion step = outline_motion(t->with->time_step, &start);
    return scr_touch_shapes(t->state, &outlines->placed, p.a, p.b, &step, reach,
                            &outlines->touches);
}

/* ---------------------------------------------------------------- contacts */

/* The old contact of the same point; when none has its name, one that shares a corner with it: a
 * corner that has come over the end of an edge. */
static const Contact *same_point(const Contact *old, size_t count, int32_t feature) {
    const Contact *near = NULL;
    for (size_t i = 0; i < count; i++) {
        int32_t of_a = scr_feature_a(old[i].feature), of_b = scr_feature_b(old[i].feature);
        if (old[i].feature == feature) {
            return &old[i];
        }
        if ((of_a == scr_feature_a(feature) && of_a % 2 == 0) ||
            (of_b == scr_feature_b(feature) && of_b % 2 == 0)) {
            near = &old[i];
        }
    }
    return near;
}

/* How far apart two elements are: nodes along a curve of `nodes`, or of a polygon 0 when they are
 * the same. */
static int32_t apart(int32_t one, int32_t other, int32_t nodes) {
    if (nodes == 0) {
        return one / 2 != other / 2;
    }
    int32_t d = one > other ? (one - other) / 4 : (other - one) / 4;
    return d < nodes - d ? d : nodes - d;
}

static int32_t nodes_of(const State *s, int32_t body) {
    int32_t shape = body >= 0 ? s->bodies.shape[body] : -1;
    bool curve = shape >= 0 && s->shapes.shape[shape].curve >= 0;
    return curve ? s->shapes.shape[shape].corners : 0;
}

/* A contact on a curve moves from node to node: the old one of the same name, or else the nearest,
 * an eighth of the way round away at most. */
static const Contact *nearest_point(const State *s, const Contact *old, size_t count, int32_t a,
                                    int32_t b, int32_t feature) {
    const Contact *best = NULL;
    int32_t nodes_a = nodes_of(s, a), nodes_b = nodes_of(s, b), least = INT32_MAX;
    for (size_t i = 0; i < count; i++) {
        int32_t of_a = apart(scr_feature_a(old[i].feature), scr_feature_a(feature), nodes_a);
        int32_t of_b = apart(scr_feature_b(old[i].feature), scr_feature_b(feature), nodes_b);
        bool near = of_a <= (nodes_a > 0 ? nodes_a / 8 : 1);
        near = near && of_b <= (nodes_b > 0 ? nodes_b / 8 : 1);
        int32_t distance = old[i].feature == feature ? -1 : of_a + of_b;
        if (near && distance < least) {
            best = &old[i];
            least = distance;
        }
    }
    return best;
}

static bool is_curved(const State *s, int32_t a, int32_t b) {
    return s->shapes.curves > 0 && (nodes_of(s, a) > 0 || nodes_of(s, b) > 0);
}

ScreeStatus scr_try_shapes(const StepTask *t, State *s, Outlines *outlines, OldCursor *cursor,
                           Pair p) {
    size_t points = 0;
    const OldContacts *old = cursor->old;
    const Contact *before = scr_find_old_points(cursor, p.a, p.b, &points);
    const PairMotion m = free_pair_motion(t, p);
    Vec3 d = between(s, p.a, p.b);
    double least = scr_least_radius(s, p.a, p.b);
    double reach = t->list->slack * least + farthest_approach(t, &m, p, d);
    reach = points > 0 ? fmax(reach, s->materials.longest_range) : reach;
    if (scr_round_gap(s, p.a, p.b) > reach) {
        return SCREE_OK;
    }
    const bool curved = is_curved(s, p.a, p.b);
    SCR_TRY(find_points(t, outlines, p, reach));
    for (size_t i = 0; i < outlines->touches.count; i++) {
        const OutlineTouch *at = &outlines->touches.item[i];
        const Contact *same = curved ? nearest_point(s, before, points, p.a, p.b, at->feature)
                                     : same_point(before, points, at->feature);
        if (!scr_was_bonded(old, same) &&
            !scr_may_close(t->with, t->list, at->gap, approach(&m, d, at), least)) {
            continue;
        }
        if (!scr_reserve_contacts(s, s->contacts.count + 1)) {
            return SCREE_NO_MEMORY;
        }
        const Touch touch = {at->gap, at->normal, at->feature};
        scr_carry_contact(t->with, s, s->contacts.count++, p, &touch, old, same);
    }
    return SCREE_OK;
}

/* ---------------------------------------------------------------- turning */

double scr_lost_to_turning(const StepParams *with, const State *s, const Contact *c) {
    double dt = with->time_step;
    const PairMotion m = start_motion(s, c->a, c->b);
    const OutlineMotion step = outline_motion(dt, &m);
    double loss = scr_turning_loss(s, c, &step);
    if (!(loss > 0)) {
        return 0;
    }
    const OutlineTouch touch = {.normal = c->normal, .arm = scr_shape_arms(s, c).a};
    return fmin(loss, fmax(0, -dt * approach(&m, between(s, c->a, c->b), &touch)));
}

/* ---------------------------------------------------------------- audit */

bool scr_shapes_missed(const StepTask *t, Outlines *outlines, Pair p) {
    const State *s = t->state;
    const PairMotion free = free_pair_motion(t, p), now = solved_motion(t, p);
    Vec3 d = between(s, p.a, p.b);
    double least = scr_least_radius(s, p.a, p.b), dt = t->with->time_step;
    double reach = farthest_approach(t, &now, p, d);
    if (scr_round_gap(s, p.a, p.b) > reach) {
        return false;
    }
    if (find_points(t, outlines, p, reach) != SCREE_OK) {
        return true; /* the next attempt will say that there is no memory */
    }
    for (size_t i = 0; i < outlines->touches.count; i++) {
        const OutlineTouch *at = &outlines->touches.item[i];
        bool taken = scr_may_close(t->with, t->list, at->gap, approach(&free, d, at), least);
        if (!taken && at->gap + dt * approach(&now, d, at) < -1e-9 * least) {
            return true;
        }
    }
    return false;
}

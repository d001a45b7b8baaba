#include "narrow/named_point.h"

#include "narrow/curve_contact.h"
#include "narrow/hull_overlap.h"
#include "narrow/narrow.h"

Vec3 scr_between(const State *s, int32_t a, int32_t b) {
    const Vec3 *x = s->bodies.position;
    if (b >= 0) {
        return scr_nearest_image(&s->def, sub(x[b], x[a]));
    }
    const ScreeWallDef *w = &s->walls.item[scr_wall_of(b)].now;
    return sub(w->point, scr_seen_by_wall(&s->def, w, x[a]));
}

/* ---------------------------------------------------------------- arms */

Arms scr_named_arms(const State *s, const Contact *c, const Surface *const side[2]) {
    int32_t of_a = scr_feature_a(c->feature), of_b = scr_feature_b(c->feature);
    Vec3 d = scr_between(s, c->a, c->b);
    if (of_a % 2 == 0) {
        SurfacePoint p = side[0]->point(s, c->a, of_a, c->normal);
        Vec3 arm = add_scaled(p.at, p.rounding + 0.5 * c->gap, c->normal);
        return (Arms){arm, sub(arm, d)};
    }
    SurfacePoint p = side[1]->point(s, c->b, of_b, scale(-1, c->normal));
    Vec3 arm = add_scaled(p.at, -(p.rounding + 0.5 * c->gap), c->normal);
    return (Arms){add(d, arm), arm};
}

/* ---------------------------------------------------------------- turning */

double scr_round_loss(const State *s, const Contact *c, const Surface *const side[2],
                      const StepMotion *m) {
    (void)s, (void)c, (void)side, (void)m;
    return 0;
}

static Vec3 turn_by(double angle, Vec3 a) {
    double c = scr_cos(angle), s = scr_sin(angle);
    return vec3(c * a.x - s * a.y, s * a.x + c * a.y, 0);
}

/* Let l be the corner in its own body, q the same point relative to the centre of the edge's body,
 * and n the normal of the edge. In the step q moves by x, and the two bodies turn by f and e. The
 * distance from the edge goes from n.q to
 *
 *     n.R(-e) (q + x + R(f) l - l),
 *
 * while the law expects n.(q + x + f x l - e x q). */
double scr_edge_loss(const State *s, const Contact *c, const Surface *const side[2],
                     const StepMotion *m) {
    const int32_t of[2] = {scr_feature_a(c->feature), scr_feature_b(c->feature)};
    const int32_t body[2] = {c->a, c->b};
    const double turn[2] = {m->turn_a.z, m->turn_b.z};
    int own = of[0] % 2 == 0 ? 0 : 1, other = 1 - own;
    if (of[other] % 2 == 0) {
        return 0;
    }
    const Arms arms = scr_named_arms(s, c, side);
    Vec3 n = scale(own == 0 ? -1 : 1, c->normal), x = scale(own == 0 ? -1 : 1, m->shift);
    const SurfacePoint corner = side[own]->point(s, body[own], of[own], n);
    Vec3 l = corner.at;
    Vec3 q = add_scaled(own == 0 ? arms.b : arms.a, corner.rounding + 0.5 * c->gap, n);
    Vec3 after = add(add(q, x), sub(turn_by(turn[own], l), l));
    Vec3 linear = add(add(q, x), vec3(turn[other] * q.y - turn[own] * l.y,
                                      turn[own] * l.x - turn[other] * q.x, 0));
    return dot(n, sub(linear, turn_by(-turn[other], after)));
}

double scr_rolling_loss(const State *s, const Contact *c, const Surface *const side[2],
                        const StepMotion *m) {
    if (scr_is_hull_contact(c->feature)) {
        return 0; /* there is enough overlap as it is */
    }
    const Arms arms = scr_named_arms(s, c, side);
    const Vec3 n = c->normal, t = vec3(-n.y, n.x, 0);
    Vec3 at[2] = {add_scaled(arms.a, -0.5 * c->gap, n), add_scaled(arms.b, 0.5 * c->gap, n)};
    int32_t of[2] = {scr_feature_a(c->feature), scr_feature_b(c->feature)};
    int32_t body[2] = {c->a, c->b};
    double turn[2] = {m->turn_a.z, m->turn_b.z}, height[2] = {dot(at[0], n), -dot(at[1], n)};
    int own = of[0] % 2 == 0 ? 0 : 1, other = 1 - own;
    Vec3 out = scale(own == 0 ? 1 : -1, n), spin[2] = {{0, 0, turn[0]}, {0, 0, turn[1]}};
    CurveLoss loss = {.turn = {turn[own], turn[other]},
                      .height = {height[own], height[other]},
                      .gap = c->gap,
                      .slide =
                          dot(t, sub(add(m->shift, cross(spin[1], at[1])), cross(spin[0], at[0])))};
    loss.radius = side[own]->point(s, body[own], of[own], out).radius;
    loss.curvature = side[other]->curvature(s, body[other], of[other], at[other]);
    double lost = scr_curve_loss(&loss);
    /* hollow walls have a loss of their own as the contact slides: what rolling adds is left */
    bool hollow = body[other] < 0 && loss.curvature < 0;
    lost += hollow ? 0.5 * loss.slide * loss.slide * loss.curvature : 0;
    return isfinite(lost) ? lost : 0;
}

/* ---------------------------------------------------------------- from step to step */

const Contact *scr_only_point(const State *s, const PairSides *pair, OldPoints old,
                              int32_t feature) {
    (void)s, (void)pair, (void)feature;
    return old.count > 0 ? old.item : NULL;
}

const Contact *scr_same_corner(const State *s, const PairSides *pair, OldPoints old,
                               int32_t feature) {
    (void)s, (void)pair;
    const Contact *near = NULL;
    for (size_t i = 0; i < old.count; i++) {
        const Contact *c = &old.item[i];
        int32_t of_a = scr_feature_a(c->feature), of_b = scr_feature_b(c->feature);
        if (c->feature == feature) {
            return c;
        }
        if ((of_a == scr_feature_a(feature) && of_a % 2 == 0) ||
            (of_b == scr_feature_b(feature) && of_b % 2 == 0)) {
            near = c;
        }
    }
    return near;
}

/* How far apart two elements are: on a curve the number of nodes between them, of `nodes` in all;
 * on a polygon 0 if they are the same and 1 if not. */
static int32_t apart(int32_t one, int32_t other, int32_t nodes) {
    if (nodes == 0) {
        return one / 2 != other / 2;
    }
    int32_t d = one > other ? (one - other) / 4 : (other - one) / 4;
    return d < nodes - d ? d : nodes - d;
}

const Contact *scr_nearest_node(const State *s, const PairSides *pair, OldPoints old,
                                int32_t feature) {
    const int32_t nodes[2] = {pair->side[0]->nodes(s, pair->body[0]),
                              pair->side[1]->nodes(s, pair->body[1])};
    const Contact *best = NULL;
    int32_t least = INT32_MAX;
    for (size_t i = 0; i < old.count; i++) {
        const Contact *c = &old.item[i];
        int32_t of_a = apart(scr_feature_a(c->feature), scr_feature_a(feature), nodes[0]);
        int32_t of_b = apart(scr_feature_b(c->feature), scr_feature_b(feature), nodes[1]);
        bool near = of_a <= (nodes[0] > 0 ? nodes[0] / 8 : 1);
        near = near && of_b <= (nodes[1] > 0 ? nodes[1] / 8 : 1);
        int32_t distance = c->feature == feature ? -1 : of_a + of_b;
        if (near && distance < least) {
            best = c;
            least = distance;
        }
    }
    return best;
}

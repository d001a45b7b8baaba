#include "narrow/glued.h"

static Vec3 point_of(const State *s, int32_t body, Vec3 arm) {
    return scale(s->bodies.radius[body], quat_rotate(s->bodies.orientation[body], arm));
}

/* The place on a wall has no image of its own: that nearest to the body is meant. */
Vec3 scr_glued_apart(const State *s, const ScreeBond *bond, int32_t a, int32_t b) {
    if (b < 0) {
        const Vec3 way = sub(bond->arm_b, s->bodies.position[a]);
        return sub(scr_nearest_image(&s->def, way), point_of(s, a, bond->arm_a));
    }
    const Vec3 d = scr_between(s, a, b);
    return add(d, sub(point_of(s, b, bond->arm_b), point_of(s, a, bond->arm_a)));
}

Touch scr_glued_touch(const State *s, const ScreeBond *bond, int32_t a, int32_t b) {
    const Vec3 n = quat_rotate(s->bodies.orientation[a], bond->normal);
    return (Touch){bond->gap + dot(scr_glued_apart(s, bond, a, b), n), n, SCR_GLUED};
}

Arms scr_glued_arms(const State *s, const Contact *c) {
    const ScreeBond *bond = scr_seek_bond(&s->bonds, c->a, c->b);
    if (bond == NULL) {
        return scr_round_arms(s, c, NULL);
    }
    if (c->b < 0) {
        const Vec3 apart = scr_glued_apart(s, bond, c->a, c->b);
        return (Arms){add_scaled(point_of(s, c->a, bond->arm_a), 0.5, apart), vec3(0, 0, 0)};
    }
    const Vec3 d = scr_between(s, c->a, c->b);
    const Vec3 to_b = add(d, point_of(s, c->b, bond->arm_b));
    const Vec3 arm = scale(0.5, add(point_of(s, c->a, bond->arm_a), to_b));
    return (Arms){arm, sub(arm, d)};
}

double scr_glued_gap(const State *s, const Contact *c) {
    const ScreeBond *bond = scr_seek_bond(&s->bonds, c->a, c->b);
    return bond != NULL ? bond->gap + dot(scr_glued_apart(s, bond, c->a, c->b), c->normal) : c->gap;
}

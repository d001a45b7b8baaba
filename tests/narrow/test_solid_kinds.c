/* Contact points of every kind of solid: balls, rods, plates, compounds; and at walls. */
#include "narrow/solid_rig.h"

static RigBody a, b, c;
static RigTouch t, u;

/* ---------------------------------------------------------------- balls, rods, plates */

static void ball(RigBody *body, double radius) {
    const Vec3 p = {0, 0, 0};
    rig_hull(body, &p, 1, radius);
}
static void rod(RigBody *body, double half, double radius) {
    const Vec3 p[2] = {{-half, 0, 0}, {half, 0, 0}};
    rig_hull(body, p, 2, radius);
}

static void balls_and_rods(void) {
    ball(&a, 0.5);
    ball(&b, 0.3);
    b.x = vec3(0.3, 0.4, 0.6);
    rig_forget(&t);
    rig_touch(&t, &a, &b, 0.1);
    CHECK(t.touches.count == 1);
    CHECK_NEAR(t.touches.item[0].gap, sqrt(0.61) - 0.8, 1e-15);
    b.x = vec3(0, 0, 0); /* the same centre */
    rig_touch(&t, &a, &b, 0.1);
    CHECK(t.touches.count == 1);
    CHECK_NEAR(t.touches.item[0].gap, -0.8, 1e-15);
    CHECK_NEAR(length(t.touches.item[0].normal), 1, 1e-15);
    rig_free(&b);
    rod(&b, 1, 0.1);
    b.x = vec3(0.2, 0, 0.65);
    rig_touch(&t, &a, &b, 0.1);
    CHECK(t.touches.count == 1);
    CHECK_NEAR(t.touches.item[0].gap, 0.05, 1e-15);
    CHECK_NEAR(t.touches.item[0].normal.z, 1, 1e-15);
    b.x = vec3(1.4, 0.3, 0); /* beyond its end */
    rig_touch(&t, &a, &b, 0.1);
    CHECK(t.touches.count == 1);
    CHECK_NEAR(t.touches.item[0].gap, 0.5 - 0.6, 1e-15);
    b.x = vec3(0.2, 0, 0); /* the centre on its axis */
    rig_touch(&t, &a, &b, 0.1);
    CHECK(t.touches.count == 1);
    CHECK_NEAR(t.touches.item[0].gap, -0.6, 1e-15);
    CHECK_NEAR(t.touches.item[0].normal.x, 0, 1e-15);
    rig_free(&a);
    rod(&a, 1, 0.2);
    rig_turn(&b, rig_about(0, 0, 1, 1.0));
    b.x = vec3(0.1, 0.2, 0.35); /* crossed */
    rig_touch(&t, &a, &b, 0.1);
    CHECK(t.touches.count == 1);
    CHECK_NEAR(t.touches.item[0].gap, 0.05, 1e-15);
    rig_turn(&b, (Quat){1, 0, 0, 0}); /* side by side: at the ends of what they have in common */
    b.x = vec3(0.5, 0, 0.35);
    rig_touch(&t, &a, &b, 0.1);
    CHECK(t.touches.count == 2);
    for (size_t i = 0; i < t.touches.count; i++) {
        CHECK_NEAR(t.touches.item[i].gap, 0.05, 1e-15);
    }
    if (t.touches.count == 2) {
        double one = t.touches.item[0].arm.x, other = t.touches.item[1].arm.x;
        CHECK_NEAR(fmin(one, other), -0.5, 1e-15);
        CHECK_NEAR(fmax(one, other), 1, 1e-15);
    }
    b.x = vec3(0, 0, 0); /* the same axis */
    rig_touch(&t, &a, &b, 0.1);
    CHECK(t.touches.count >= 1);
    CHECK_NEAR(rig_least(&t), -0.3, 1e-15);
    rig_free(&a);
    rig_free(&b);
}

/* A ball on, in and beside a box: the distance of its centre from the box less its radius. */
static void balls_at_boxes(void) {
    rig_box(&a, 0.5, 0.4, 0.3, 0);
    ball(&b, 0.2);
    for (int i = 0; i < rig_pairs(2000); i++) {
        if (!rig_begin(i)) {
            continue;
        }
        Vec3 x = rig_in_box(vec3(-0.8, -0.7, -0.6), vec3(0.8, 0.7, 0.6));
        double over[3] = {fabs(x.x) - 0.5, fabs(x.y) - 0.4, fabs(x.z) - 0.3};
        double inside = fmax(over[0], fmax(over[1], over[2]));
        double outside = length(vec3(fmax(over[0], 0), fmax(over[1], 0), fmax(over[2], 0)));
        rig_turn_at_random(&a);
        b.x = scr_out_of_frame(&a.placed, x);
        rig_forget(&t);
        rig_touch(&t, &a, &b, 0.5);
        CHECK(t.touches.count >= 1);
        CHECK_NEAR(rig_least(&t), (inside > 0 ? outside : inside) - 0.2, 1e-12);
    }
    rig_free(&a);
    rig_free(&b);
}

/* ---------------------------------------------------------------- compounds */

/* A box made of two halves has the points of the box, whatever touches it. */
static void halves_make_a_whole(void) {
    rig_box(&a, 0.5, 0.4, 0.3, 0);
    rig_box_part(&c, 0, vec3(-0.25, 0, 0), vec3(0.25, 0.4, 0.3), 0);
    rig_box_part(&c, 1, vec3(0.25, 0, 0), vec3(0.25, 0.4, 0.3), 0);
    rig_finish(&c, 2);
    for (int i = 0; i < rig_pairs(500); i++) {
        if (!rig_begin(i)) {
            continue;
        }
        rig_any(&b, i, 0);
        rig_set_near(&a, &b, rig_between(1e-6, 0.01));
        for (int k = 0; k < 3; k++) {
            c.placed.axis[k] = a.placed.axis[k];
        }
        rig_forget(&t);
        rig_touch(&t, &a, &b, 0.01);
        double least = rig_least(&t);
        rig_touch(&t, &c, &b, 0.01);
        CHECK_NEAR(rig_least(&t), least, 1e-12);
        for (size_t k = 0; k < t.touches.count; k++) {
            CHECK(t.touches.item[k].gap >= least - 1e-12);
        }
        rig_free(&b);
    }
    rig_free(&a);
    rig_free(&c);
}

/* ---------------------------------------------------------------- walls */

static void vertices_meet_planes_and_tubes(void) {
    ScreeWorldDef def = scree_world_def_default();
    const ScreeWallDef plane = {.shape = SCREE_WALL_PLANE, .normal = {0, 0, 1}};
    rig_box(&a, 0.5, 0.4, 0.3, 0.05);
    const PlacedSolid *s = &a.placed;
    Vec3 x = vec3(3, 4, 0.36), none = vec3(0, 0, 0);
    const SolidAtWall on_plane = {&def, &plane, s, x};
    CHECK(scr_touch_solid_wall(&on_plane, &rig_rest, 0.1, &t.touches) == SCREE_OK);
    CHECK(t.touches.count == 4);
    for (size_t i = 0; i < t.touches.count; i++) {
        const OutlineTouch *at = &t.touches.item[i];
        CHECK_NEAR(at->gap, 0.01, 1e-15);
        CHECK_NEAR(at->normal.z, -1, 1e-15);
        CHECK_NEAR(at->arm.z, -0.355, 1e-15);
        CHECK_NEAR(scr_solid_wall_gap(&on_plane, at->normal, at->feature), at->gap, 1e-15);
        double rounding;
        Vec3 point = scr_solid_wall_point(&on_plane, at->normal, at->feature, &rounding);
        Vec3 arm = add_scaled(point, rounding + 0.5 * at->gap, at->normal);
        CHECK_NEAR(length(sub(arm, at->arm)), 0, 1e-15);
    }
    const ScreeWallDef tube = {
        .shape = SCREE_WALL_CYLINDER, .axis = {1, 0, 0}, .radius = 0.56, .inside = true};
    const SolidAtWall in_tube = {&def, &tube, s, none};
    CHECK(scr_touch_solid_wall(&in_tube, &rig_rest, 0.1, &t.touches) == SCREE_OK);
    CHECK(t.touches.count == 8);
    for (size_t i = 0; i < t.touches.count; i++) {
        CHECK_NEAR(t.touches.item[i].gap, 0.56 - 0.55, 1e-15);
    }
    rig_free(&a);
}

static void points_are_known_again(void) {
    rig_box(&a, 0.5, 0.5, 0.5, 0);
    const Polyhedron *p = &a.part[0];
    int32_t v = scr_vertex_element(p, 3), e = scr_edge_element(p, 2), f = scr_face_element(p, 1);
    const Contact item[3] = {{.feature = scr_feature(v, f)},
                             {.feature = scr_feature(e, e)},
                             {.feature = scr_feature(e, v)}};
    const OldPoints old = {item, 3};
    const Solid *s = &a.solid;
    CHECK(scr_same_elements(s, s, old, scr_feature(e, e)) == &item[1]);
    CHECK(scr_same_elements(s, s, old, scr_feature(v, e + 1)) == &item[0]);
    CHECK(scr_same_elements(s, s, old, scr_feature(f, v)) == &item[2]);
    CHECK(scr_same_elements(s, s, old, scr_feature(e, e + 1)) == &item[1]);
    CHECK(scr_same_elements(s, s, old, scr_feature(v + 1, v + 1)) == NULL);
    rig_free(&a);
}

int main(int argc, char **argv) {
    CHECK_RUN(balls_and_rods);
    CHECK_RUN(balls_at_boxes);
    CHECK_RUN(halves_make_a_whole);
    CHECK_RUN(vertices_meet_planes_and_tubes);
    CHECK_RUN(points_are_known_again);
    rig_touch_free(&t);
    rig_touch_free(&u);
    return check_result();
}

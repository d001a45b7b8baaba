/* Polygons at rest and on the verge of moving: closed forms of statics. */
#include "polygon_rig.h"

static const double g = 9.81;

/* ---------------------------------------------------------------- a block on a slope */

/* Sticks up to tan a = mu, and slides at g (sin a - mu cos a) beyond; it is wide enough not to
 * turn. */
static void block_sticks_and_slides(void) {
    for (int slides = 0; slides < 2; slides++) {
        const double mu = 0.5, dt = 0.004;
        double angle = atan((slides ? 1.001 : 0.999) * mu);
        double a = slides ? g * (sin(angle) - mu * cos(angle)) : 0;
        ScreeVec3 down = rig_vec(cos(angle), -sin(angle), 0),
                  up = rig_vec(sin(angle), cos(angle), 0);
        ScreeWorld *world = rig_world(2, dt, rig_vec(0, -g, 0), mu);
        rig_add_plane(world, rig_vec(0, 0, 0), up);
        rig_add_shaped(world, rig_add_rectangle_shape(world, 1, 1), rig_scale(0.5, up), -angle);
        for (int n = 1; n <= 300; n++) {
            rig_step(world);
            CHECK_VEC(scree_world_get_bodies(world).velocity[0], rig_scale(a * n * dt, down),
                      1e-10);
            CHECK_NEAR(scree_world_get_bodies(world).spin[0].z, 0, 1e-10);
        }
        RigLoad load = rig_load(world, 0);
        CHECK(load.contacts == 2);
        CHECK_CLOSE(rig_dot(load.force, up), g * cos(angle), 1e-10); /* mass 1 */
        scree_world_destroy(world);
    }
}

/* A narrow block topples when its weight passes beyond the lower corner, at tan a = w / h. From
 * rest its angular acceleration about that corner is m g (h sin a - w cos a) / 2 over m (w^2 + h^2)
 * / 3. */
static void block_topples(void) {
    for (int falls = 0; falls < 2; falls++) {
        const double mu = 1.5, w = 0.5, h = 1.2, dt = 1e-3;
        double angle = atan((falls ? 1.001 : 0.999) * w / h);
        ScreeVec3 up = rig_vec(sin(angle), cos(angle), 0);
        ScreeWorld *world = rig_world(2, dt, rig_vec(0, -g, 0), mu);
        rig_add_plane(world, rig_vec(0, 0, 0), up);
        rig_add_shaped(world, rig_add_rectangle_shape(world, w, h), rig_scale(0.5 * h, up), -angle);
        double torque = 0.5 * g * (h * sin(angle) - w * cos(angle));
        double expected = falls ? torque / ((w * w + h * h) / 3) : 0;
        rig_step(world);
        CHECK_NEAR(scree_world_get_bodies(world).spin[0].z, -expected * dt, 1e-12);
        for (int n = 0; n < 3000; n++) {
            rig_step(world);
        }
        CHECK(falls ? rig_angle(world, 0) < -angle - 0.5
                    : fabs(rig_angle(world, 0) + angle) < 1e-9);
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- resultants */

/* A block on two contact points: horizontal forces can be traded between them, so only the
 * resultant is unique. */
static void resultant_is_unique(void) {
    ScreeVec3 force[2];
    for (int seed = 0; seed < 2; seed++) {
        const double dt = 0.01, push = 1.7;
        ScreeWorldDef def = rig_def(2, dt, rig_vec(0, -g, 0));
        def.seed = (uint64_t)seed + 1;
        def.solver.order = seed == 0 ? SCREE_ORDER_BOXED : SCREE_ORDER_RANDOM;
        ScreeWorld *world = rig_create(&def);
        rig_material(world, 0.6);
        rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        ScreeBodyDef body = rig_shaped(rig_add_rectangle_shape(world, 2, 1), rig_vec(0, 0.5, 0), 0);
        body.force = rig_vec(push, 0, 0);
        body.torque = rig_vec(0, 0, 0.9);
        rig_add_body(world, &body);
        for (int n = 0; n < 20; n++) {
            rig_step(world);
        }
        RigLoad load = rig_load(world, 0);
        CHECK_VEC(load.force, rig_vec(-push, 2 * g, 0), 1e-9);
        CHECK_NEAR(load.torque, -0.9, 1e-9);
        CHECK(load.contacts == 2);
        CHECK_VEC(scree_world_get_bodies(world).position[0], rig_vec(0, 0.5, 0), 1e-12);
        force[seed] = load.force;
        scree_world_destroy(world);
    }
    CHECK_VEC(force[0], force[1], 1e-9);
}

/* ---------------------------------------------------------------- a ladder */

/* A rod of length L and radius r leans at the angle q against a smooth wall. The weight acts L cos
 * q / 2 beside the foot and the wall's force r + L sin q above the floor, so the foot needs the
 * friction mu = (L cos q / 2) / (r + L sin q). */
static void ladder_stands_or_slips(void) {
    for (int slips = 0; slips < 2; slips++) {
        const double length = 3, r = 0.05, q = 1.1, dt = 2e-3;
        double critical = 0.5 * length * cos(q) / (r + length * sin(q));
        ScreeWorld *world = rig_world(2, dt, rig_vec(0, -g, 0), (slips ? 0.999 : 1.001) * critical);
        int32_t smooth = rig_material(world, 0);
        const ScreeVec3 end[2] = {{0, 0, 0}, {length * cos(q), length * sin(q), 0}};
        int32_t shape = rig_add_polygon_shape(world, end, 2, r);
        rig_add_plane(world, rig_vec(0, -r, 0), rig_vec(0, 1, 0));
        ScreeWallDef wall = rig_plane(rig_vec(length * cos(q) + r, 0, 0), rig_vec(-1, 0, 0));
        wall.material.index = smooth;
        rig_add_wall(world, &wall);
        rig_add_shaped(world, shape, rig_scale(0.5, end[1]), 0);
        double fastest = 0;
        for (int n = 0; n < 1500; n++) {
            rig_step(world);
            fastest = fmax(fastest, rig_length(scree_world_get_bodies(world).velocity[0]));
        }
        CHECK(slips ? fastest > 1e-3 : fastest < 1e-9);
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- a stack */

/* Ten blocks, not exactly above each other, stay where they are. */
static void stack_does_not_creep(void) {
    enum { BLOCKS = 10, STEPS = 10000 };
    ScreeWorld *world = rig_world(2, 5e-3, rig_vec(0, -g, 0), 0.4);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    int32_t shape = rig_add_rectangle_shape(world, 1, 1);
    ScreeVec3 start[BLOCKS];
    for (int i = 0; i < BLOCKS; i++) {
        start[i] = rig_vec(i % 3 * 0.05, 0.5 + i, 0);
        rig_add_shaped(world, shape, start[i], 0);
    }
    for (int n = 0; n < STEPS; n++) {
        rig_step(world);
    }
    for (int i = 0; i < BLOCKS; i++) {
        CHECK_VEC(scree_world_get_bodies(world).position[i], start[i], 1e-8);
        CHECK_NEAR(rig_angle(world, i), 0, 1e-8);
    }
    CHECK_NEAR(rig_load(world, 0).force.y, g, 1e-6); /* what carries it less what it carries */
    CHECK_CLOSE(rig_wall(world, 0).load.y, -BLOCKS * g, 1e-8);
    scree_world_destroy(world);
}

/* ---------------------------------------------------------------- non-convex bodies */

/* A bracket (a U upside down) hangs over a fixed beam, on two corners or on a corner and an edge:
 * the beam carries its weight, and it stays. */
static void bracket_hangs(void) {
    const ScreeVec3 u[8] = {{-1, -1, 0},  {-0.7, -1, 0}, {-0.7, 0.7, 0}, {0.7, 0.7, 0},
                            {0.7, -1, 0}, {1, -1, 0},    {1, 1, 0},      {-1, 1, 0}};
    ScreeWorld *world = rig_world(2, 5e-3, rig_vec(0, -g, 0), 0.3);
    int32_t beam_shape = rig_add_rectangle_shape(world, 1, 1);
    ScreeBodyDef beam = rig_shaped(beam_shape, rig_vec(0.1, 0.2, 0), 0);
    beam.frozen = SCREE_FREEZE_ALL;
    rig_add_body(world, &beam);
    int32_t hook = rig_add_polygon(world, u, 8);
    ScreeVec3 start = scree_world_get_bodies(world).position[hook];
    double weight = g * scree_world_get_bodies(world).mass[hook];
    for (int n = 0; n < 2000; n++) {
        rig_step(world);
    }
    CHECK_VEC(rig_load(world, hook).force, rig_vec(0, weight, 0), 1e-8 * weight);
    CHECK_NEAR(rig_load(world, hook).torque, 0, 1e-8 * weight);
    CHECK_VEC(scree_world_get_bodies(world).position[hook], start, 1e-8);
    scree_world_destroy(world);
}

/* An L hangs with its short arm hooked over that of a fixed one: it swings about the hook, never
 * comes off and never sinks in, and comes to rest with its centre of mass below the hook. */
static void hooks_hold(void) {
    const ScreeVec3 up[6] = {{0, 0, 0},     {1, 0, 0},     {1, 0.6, 0},
                             {0.8, 0.6, 0}, {0.8, 0.2, 0}, {0, 0.2, 0}};
    ScreeWorld *world = rig_world(2, 1e-3, rig_vec(0, -g, 0), 0.2);
    int32_t shape = rig_add_polygon_shape(world, up, 6, 0);
    ScreeShape measured;
    rig_must(scree_shape_get(world, (ScreeShapeId){shape}, &measured), "shape");
    ScreeBodyDef fixed = rig_shaped(shape, measured.centroid, 0);
    fixed.frozen = SCREE_FREEZE_ALL;
    rig_add_body(world, &fixed);
    /* the same upside down, so that the two notches grip each other */
    ScreeVec3 turned = rig_rotate_z(RIG_PI, measured.centroid);
    rig_add_shaped(world, shape, rig_add(rig_vec(1.45, 0.81, 0), 1, turned), RIG_PI);
    double deepest = 0;
    for (int n = 0; n < 20000; n++) {
        deepest = fmax(deepest, rig_step(world).overlap_max);
    }
    CHECK(deepest < 1e-4);
    CHECK_NEAR(rig_load(world, 1).force.y, g * scree_world_get_bodies(world).mass[1], 0.05 * g);
    CHECK(rig_length(scree_world_get_bodies(world).velocity[1]) < 0.5);
    scree_world_destroy(world);
}

int main(int argc, char **argv) {
    CHECK_RUN(block_sticks_and_slides);
    CHECK_RUN(block_topples);
    CHECK_RUN(resultant_is_unique);
    CHECK_RUN(ladder_stands_or_slips);
    CHECK_RUN(stack_does_not_creep);
    CHECK_RUN(bracket_hangs);
    CHECK_RUN(hooks_hold);
    return check_result();
}

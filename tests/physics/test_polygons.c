/* Polygons in motion: what collisions conserve, walls of every kind, and the same bits again. */
#include "polygon_rig.h"

#include <stdlib.h>

static const double g = 9.81;

/* A star with this many points, not convex. */
static int32_t add_star(ScreeWorld *world, int points, double inner, double rounding) {
    ScreeVec3 corner[16];
    for (int k = 0; k < 2 * points; k++) {
        double r = k % 2 == 0 ? 1 : inner, angle = RIG_PI * k / points;
        corner[k] = rig_vec(r * cos(angle), r * sin(angle), 0);
    }
    return rig_add_polygon_shape(world, corner, 2 * points, rounding);
}

/* ---------------------------------------------------------------- conservation */

/* Free bodies that collide: contact forces are opposite and act at one point, so momentum and
 * angular momentum are conserved, and energy is lost, never made. A step moves bodies along their
 * momenta, so the orbital angular momentum is conserved as well. */
static void collisions_of_polygons_conserve(void) {
    for (int rounded = 0; rounded < 2; rounded++) {
        ScreeWorld *world = rig_world(2, 2e-3, rig_vec(0, 0, 0), 0.4);
        int32_t star = add_star(world, 5, 0.45, rounded * 0.1);
        int32_t hook = add_star(world, 3, 0.25, rounded * 0.05);
        uint64_t random = 7;
        for (int i = 0; i < 9; i++) {
            ScreeVec3 at = rig_vec(2.6 * (i % 3 - 1), 2.6 * (i / 3 - 1), 0);
            ScreeBodyDef body = rig_shaped(i % 2 ? star : hook, at, 6 * rig_random(&random));
            body.velocity = rig_add(rig_scale(-1.5, at), 1, rig_random_vec(&random, 0.5, 2));
            body.spin = rig_vec(0, 0, 8 * rig_random(&random) - 4);
            rig_add_body(world, &body);
        }
        double energy = scree_world_get_kinetic_energy(world), first = energy;
        ScreeVec3 start = rig_momentum(world), angular = rig_angular_momentum(world);
        for (int n = 0; n < 1500; n++) {
            ScreeReport report = rig_step(world);
            CHECK_VEC(rig_momentum(world), start, 1e-10);
            CHECK_VEC(rig_angular_momentum(world), angular, 1e-9);
            CHECK_NEAR(report.energy_error, 0, 1e-11 * first);
            CHECK(report.kinetic_energy <= energy + 1e-12 * first);
            energy = report.kinetic_energy;
        }
        CHECK(energy < 0.5 * first);
        scree_world_destroy(world);
    }
}

/* A corner strikes a smooth plane at the arm x beside the centre: impulse (1 + e) u / (1/m + x^2 /
 * I). */
static void corner_bounces_by_its_arm(void) {
    ScreeWorld *world = rig_world(2, 1e-3, rig_vec(0, 0, 0), 0);
    ScreeMaterialDef bouncy = scree_material_def_default();
    bouncy.law.restitution = 0.6;
    ScreeMaterialId material = SCREE_NO_MATERIAL;
    rig_must(scree_world_add_material(world, &bouncy, &material), "material");
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    const double angle = 0.4;
    ScreeVec3 lowest = rig_rotate_z(angle, rig_vec(-0.8, -0.5, 0));
    CHECK(lowest.y < rig_rotate_z(angle, rig_vec(0.8, -0.5, 0)).y);
    ScreeBodyDef body =
        rig_shaped(rig_add_rectangle_shape(world, 1.6, 1), rig_vec(0, -lowest.y, 0), angle);
    body.material = material;
    body.velocity = rig_vec(0.7, -2, 0);
    body.spin = rig_vec(0, 0, 0.5);
    rig_add_body(world, &body);
    double m = 1.6, inertia = m * (1.6 * 1.6 + 1) / 12, u = -2 + 0.5 * lowest.x;
    double impulse = -1.6 * u / (1 / m + lowest.x * lowest.x / inertia);
    rig_step(world);
    CHECK_VEC(scree_world_get_bodies(world).velocity[0], rig_vec(0.7, -2 + impulse / m, 0), 1e-12);
    CHECK_NEAR(scree_world_get_bodies(world).spin[0].z, 0.5 + lowest.x * impulse / inertia, 1e-12);
    scree_world_destroy(world);
}

/* ---------------------------------------------------------------- a disk as a shape */

/* The outline of a single corner is a disk: it rolls down a slope as a round body does. */
static void disk_outline_rolls_like_a_ball(void) {
    ScreeVec3 end[2];
    for (int shaped = 0; shaped < 2; shaped++) {
        double angle = 0.3;
        ScreeVec3 up = rig_vec(sin(angle), cos(angle), 0), centre = rig_vec(3, 4, 0);
        ScreeWorld *world = rig_world(2, 2e-3, rig_vec(0, -g, 0), 0.5);
        rig_add_plane(world, rig_vec(0, 0, 0), up);
        ScreeBodyDef body = rig_ball(rig_scale(0.5, up), 0.5, 0);
        body.shape.index = shaped ? rig_add_polygon_shape(world, &centre, 1, 0.5) : -1;
        rig_add_body(world, &body);
        body.position = rig_add(body.position, 1, rig_vec(cos(angle), -sin(angle), 0));
        rig_add_body(world, &body);
        for (int n = 0; n < 500; n++) {
            rig_step(world);
        }
        end[shaped] = scree_world_get_bodies(world).position[0];
        CHECK_CLOSE(scree_world_get_bodies(world).inertia[0], 0.5 * RIG_PI * 0.25 * 0.25, 1e-14);
        scree_world_destroy(world);
    }
    CHECK_VEC(end[0], end[1], 1e-9);
}

/* ---------------------------------------------------------------- walls */

/* A square falls on a wall of each kind and comes to rest: the wall carries its weight, at the
 * height given by geometry. */
static void every_wall_carries_a_square(void) {
    for (int kind = 0; kind < 5; kind++) {
        ScreeWorld *world = rig_world(2, 2e-3, rig_vec(0, -g, 0), 0.6);
        ScreeWallDef wall = rig_plane(rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        double rest = 0.5;
        if (kind == 1) {
            wall.shape = SCREE_WALL_SEGMENT;
            wall.point = rig_vec(-2, 0, 0);
            wall.end = rig_vec(2, 0, 0);
        } else if (kind == 2) {
            wall.shape = SCREE_WALL_BLOCK;
            wall.point = rig_vec(0, -0.3, 0);
            /* smaller than the square: the block's corners carry it */
            wall.half = rig_vec(0.3, 0.3, 0);
        } else if (kind == 3) {
            wall.shape = SCREE_WALL_CYLINDER;
            wall.radius = 2;
            wall.inside = true;
            rest = 0.5 - sqrt(2 * 2 - 0.25); /* two corners on the arc */
        } else if (kind == 4) {
            wall.shape = SCREE_WALL_CYLINDER;
            wall.point = rig_vec(0, -2, 0);
            wall.radius = 2; /* balances on top: an edge on a curved surface */
        }
        rig_add_wall(world, &wall);
        rig_add_shaped(world, rig_add_rectangle_shape(world, 1, 1), rig_vec(0, rest + 0.01, 0), 0);
        for (int n = 0; n < 400; n++) {
            rig_step(world);
        }
        CHECK_VEC(scree_world_get_bodies(world).position[0], rig_vec(0, rest, 0), 1e-9);
        CHECK_VEC(rig_wall(world, 0).load, rig_vec(0, -g, 0), 1e-8);
        double arm = -rig_wall(world, 0).now.pivot.x;
        CHECK_VEC(rig_wall(world, 0).load_torque, rig_vec(0, 0, -g * arm), 1e-7);
        CHECK(rig_load(world, 0).contacts == (kind == 4 ? 1 : 2));
        scree_world_destroy(world);
    }
}

/* A thin segment acts on both sides: a square pushed up against it stays below. */
static void segment_holds_from_below(void) {
    ScreeWorld *world = rig_world(2, 2e-3, rig_vec(0, g, 0), 0.6);
    ScreeWallDef wall = rig_plane(rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    wall.shape = SCREE_WALL_SEGMENT;
    wall.point = rig_vec(-2, 0, 0);
    wall.end = rig_vec(2, 0, 0);
    rig_add_wall(world, &wall);
    rig_add_shaped(world, rig_add_rectangle_shape(world, 1, 1), rig_vec(0, -0.8, 0), 0.2);
    for (int n = 0; n < 1000; n++) {
        rig_step(world);
    }
    CHECK_NEAR(scree_world_get_bodies(world).position[0].y, -0.5, 1e-6);
    CHECK_NEAR(rig_angle(world, 0), 0, 1e-6);
    scree_world_destroy(world);
}

/* ---------------------------------------------------------------- a mixture */

/* Stars, rods, disks and rounded polygons fall into a box under a piston. */
static ScreeWorld *mixture(int threads, ScreeOrder order) {
    ScreeWorldDef def = scree_world_def_default();
    def.dimension = 2;
    def.time_step = 4e-3;
    def.gravity = rig_vec(0, -g, 0);
    def.threads = threads;
    def.solver.order = order;
    def.periodic[0] = true;
    def.cell_min = rig_vec(0, 0, 0);
    def.cell_max = rig_vec(12, 1, 1);
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0.4);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    ScreeWallDef lid = rig_plane(rig_vec(0, 40, 0), rig_vec(0, -1, 0));
    lid.motion = SCREE_WALL_PISTON;
    lid.mass = 3;
    lid.force = rig_vec(0, -100, 0);
    rig_add_wall(world, &lid);
    const ScreeVec3 rod[2] = {{-0.6, 0, 0}, {0.6, 0, 0}};
    const int32_t shape[4] = {add_star(world, 4, 0.5, 0), add_star(world, 3, 0.7, 0.05),
                              rig_add_polygon_shape(world, rod, 2, 0.2), -1};
    uint64_t random = 3;
    for (int i = 0; i < 60; i++) {
        ScreeVec3 at = rig_vec(1.2 + 2.4 * (i % 5), 1.5 + 2.4 * (i / 5), 0);
        ScreeBodyDef body = rig_shaped(shape[i % 4], at, 6 * rig_random(&random));
        body.radius = 0.6;
        rig_add_body(world, &body);
    }
    return world;
}

static void restarts_and_threads_change_no_bit(void) {
    ScreeWorld *one = mixture(1, SCREE_ORDER_BOXED), *four = mixture(4, SCREE_ORDER_BOXED),
               *loaded = NULL;
    for (int n = 0; n < 500; n++) {
        rig_step(one);
        rig_step(four);
        if (n == 250) {
            loaded = rig_reload(one);
        }
        if (n > 250) {
            rig_step(loaded);
        }
    }
    CHECK(scree_world_hash(one) == scree_world_hash(four));
    CHECK(scree_world_hash(one) == scree_world_hash(loaded));
    scree_world_destroy(one);
    scree_world_destroy(four);
    scree_world_destroy(loaded);
}

/* It comes to rest under the piston without any body sinking in, and the floor carries
 * everything. */
static void mixture_settles_without_sinking(void) {
    ScreeWorld *world = mixture(1, SCREE_ORDER_BOXED);
    double deepest = 0, weight = 0;
    for (int n = 0; n < 2500; n++) {
        deepest = fmax(deepest, rig_step(world).overlap_max);
    }
    ScreeBodyView b = scree_world_get_bodies(world);
    for (size_t i = 0; i < b.count; i++) {
        weight += g * b.mass[i];
    }
    CHECK(deepest < 0.02);
    CHECK_NEAR(rig_wall(world, 0).load.y, -weight - 100, 0.02 * weight);
    ScreeOverlap overlap;
    rig_must(scree_world_find_overlaps(world, &overlap), "overlaps");
    CHECK(overlap.depth < 0.02);
    scree_world_destroy(world);
}

/* A block that turns as it meets another one, or the ground, presses springs together and is thrown back: no
 * step gives energy, and what is lost is of first order in the step. */
static double lost_to_springs(bool ground, double dt) {
    ScreeWorldDef def = rig_def(2, dt, rig_vec(0, 0, 0));
    ScreeWorld *world = rig_create(&def);
    ScreeLaw law = scree_law_default();
    law.stiffness = 2e4;
    rig_law(world, &law);
    const int32_t block = rig_add_rectangle_shape(world, 0.3, 0.2);
    ScreeBodyDef falls = rig_shaped(block, rig_vec(0.05, ground ? 0.3 : 0.35, 0), 0.5);
    falls.velocity = rig_vec(0, -1, 0);
    falls.mass = 17.4;
    rig_add_body(world, &falls);
    if (ground) {
        rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    } else {
        falls.position = falls.velocity = rig_vec(0, 0, 0);
        falls.orientation = rig_turn_z(0);
        rig_add_body(world, &falls);
    }
    const double first = rig_step(world).kinetic_energy;
    double most = first, last = first;
    for (int k = 0; k < (int)(0.35 / dt); k++) {
        ScreeReport report = rig_step(world);
        CHECK(report.converged == 1);
        last = report.kinetic_energy + report.energy_elastic;
        most = fmax(most, last);
    }
    CHECK(most <= first * (1 + 1e-9));
    scree_world_destroy(world);
    return 1 - last / first;
}

static void springs_between_blocks_give_no_energy(void) {
    for (int ground = 0; ground < 2; ground++) {
        const double coarse = lost_to_springs(ground, 2e-3), fine = lost_to_springs(ground, 2e-4);
        CHECK(coarse < 0.3);
        CHECK_CLOSE(coarse / fine, 10.0, 0.25);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(springs_between_blocks_give_no_energy);
    CHECK_RUN(collisions_of_polygons_conserve);
    CHECK_RUN(corner_bounces_by_its_arm);
    CHECK_RUN(disk_outline_rolls_like_a_ball);
    CHECK_RUN(every_wall_carries_a_square);
    CHECK_RUN(segment_holds_from_below);
    CHECK_RUN(restarts_and_threads_change_no_bit);
    CHECK_RUN(mixture_settles_without_sinking);
    return check_result();
}

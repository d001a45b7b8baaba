/* Single solids: free flight, sliding, toppling, rocking; and that worlds of them can be saved and do
 * not depend on threads. */
#include "physics/solid_rig.h"

#include <string.h>

static const double g = 9.81;

/* The angular momentum of a box with these sides in world axes, by the tests' own means. */
static ScreeVec3 momentum_of(const ScreeWorld *world, const double side[3]) {
    ScreeBodyView b = scree_world_get_bodies(world);
    ScreeQuat q = b.orientation[0], back = {q.w, -q.x, -q.y, -q.z};
    ScreeVec3 w = rig_rotate(back, b.spin[0]);
    double x = side[0] * side[0], y = side[1] * side[1], z = side[2] * side[2], m = b.mass[0] / 12;
    return rig_rotate(q, rig_vec(m * (y + z) * w.x, m * (x + z) * w.y, m * (x + y) * w.z));
}

/* Nothing touches a box that tumbles about its middle axis and turns over: it keeps its angular
 * momentum to rounding, and its energy to second order, whatever theta. */
static void a_tumbling_box_keeps_momentum_and_energy(void) {
    const double side[3] = {0.3, 1, 0.7}, theta[3] = {1, 0.5, 0.75};
    for (int k = 0; k < 3; k++) {
        double worst[2] = {0, 0};
        for (int half = 0; half < 2; half++) {
            double dt = half ? 1e-3 : 2e-3;
            ScreeWorldDef def = rig_def(3, dt, rig_vec(0, 0, -g));
            def.theta = theta[k];
            ScreeWorld *world = rig_create(&def);
            rig_material(world, 0.5);
            ScreeBodyDef body = scree_body_def_default();
            body.shape = rig_box(world, side[0], side[1], side[2]);
            body.orientation = rig_rotation(rig_vec(1, 2, 3), 0.7);
            body.spin = rig_rotate(body.orientation, rig_vec(0.01, 0.02, 5));
            rig_add_body(world, &body);
            ScreeVec3 before = momentum_of(world, side);
            double start = scree_world_get_kinetic_energy(world), off = 0, gained = 0;
            for (int step = 0; step < (half ? 10000 : 5000); step++) {
                ScreeReport r = rig_step(world);
                gained += r.work_external - r.dissipation_scheme;
                off = fmax(off, fabs(scree_world_get_kinetic_energy(world) - gained - start));
                ScreeVec3 v = scree_world_get_bodies(world).velocity[0];
                double fall = 0.5 * scree_world_get_bodies(world).mass[0] * rig_dot(v, v);
                worst[half] =
                    fmax(worst[half], fabs(scree_world_get_kinetic_energy(world) - fall - start));
                CHECK(r.contacts == 0);
            }
            CHECK(off < 1e-9 * scree_world_get_kinetic_energy(world));
            ScreeVec3 after = momentum_of(world, side);
            double drift = rig_length(rig_sub(after, before)) / rig_length(before);
            CHECK(drift < 3e-16 * (half ? 10000 : 5000)); /* a rounding or two each step */
            scree_world_destroy(world);
        }
        CHECK(worst[1] > 0);
        CHECK_NEAR(worst[0] / worst[1], 4, 0.2);
    }
}

/* A box on an incline with tan(angle) above the friction slides as a point would; below, it stays. */
static void boxes_slide_if_the_incline_is_steep(void) {
    const double friction = 0.4, dt = 1e-3;
    for (int steep = 0; steep < 2; steep++) {
        double angle = atan(steep ? 0.55 : 0.39);
        ScreeVec3 up = rig_vec(0, -sin(angle), cos(angle)),
                  down = rig_vec(0, -cos(angle), -sin(angle));
        ScreeWorld *world = rig_world(3, dt, rig_vec(0, 0, -g), friction);
        rig_add_plane(world, rig_vec(0, 0, 0), up);
        /* turned within the incline, so that no edge lies along it */
        ScreeQuat lie = rig_rotation(rig_vec(1, 0, 0), angle),
                  yaw = rig_rotation(rig_vec(0, 0, 1), 0.3);
        ScreeQuat q = {lie.w * yaw.w, lie.x * yaw.w, -lie.x * yaw.z, lie.w * yaw.z};
        rig_add_solid(world, rig_box(world, 0.8, 1, 0.3), rig_scale(0.15, up), q);
        for (int step = 0; step < 500; step++) {
            rig_step(world);
        }
        ScreeVec3 v = scree_world_get_bodies(world).velocity[0];
        double expected = steep ? g * (sin(angle) - friction * cos(angle)) * 500 * dt : 0;
        CHECK_NEAR(rig_dot(v, down), expected, 1e-9);
        CHECK(rig_length(rig_sub(v, rig_scale(expected, down))) < 1e-9);
        CHECK(rig_length(scree_world_get_bodies(world).spin[0]) < 1e-9);
        scree_world_destroy(world);
    }
}

/* With enough friction a box of width b and height h topples if tan(angle) > b / h. */
static void boxes_topple_if_they_are_slender(void) {
    for (int over = 0; over < 2; over++) {
        double b = 0.4, h = 1, angle = atan(b / h) + (over ? 1e-3 : -1e-3);
        ScreeVec3 up = rig_vec(0, -sin(angle), cos(angle));
        ScreeWorld *world = rig_world(3, 1e-3, rig_vec(0, 0, -g), 2);
        rig_add_plane(world, rig_vec(0, 0, 0), up);
        rig_add_solid(world, rig_box(world, 0.7, b, h), rig_scale(h / 2, up),
                      rig_rotation(rig_vec(1, 0, 0), angle));
        for (int step = 0; step < 1000; step++) {
            rig_step(world);
        }
        double spin = rig_length(scree_world_get_bodies(world).spin[0]);
        CHECK(over ? spin > 1e-2 : spin < 1e-9);
        scree_world_destroy(world);
    }
}

/* Housner's block: released at the angle t from upright, it comes down after arcosh(1 / (1 - t / a))
 * / p with p^2 = 3 g / (4 R), to first order in a, and goes on about its other edge at
 * 1 - 3/2 sin^2 a of its spin. Only the impact needs short steps. */
static void a_rocking_block_follows_housner(void) {
    const double b = 0.1, h = 1, alpha = atan(b / h), radius = 0.5 * sqrt(b * b + h * h);
    const double t = 0.5 * alpha, p = sqrt(0.75 * g / radius);
    const double comes_down = acosh(1 / (1 - t / alpha)) / p;
    ScreeWorld *world = rig_world(3, 1e-4, rig_vec(0, 0, -g), 10);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 0, 1));
    rig_add_solid(world, rig_box(world, b, 0.3, h),
                  rig_vec(-radius * sin(alpha - t), 0, radius * cos(alpha - t)),
                  rig_rotation(rig_vec(0, 1, 0), t));
    double fastest = 0, after = 0, impact = 0;
    for (int step = 0, steps_after = 0; steps_after < 3; step++) {
        if (step == (int)(0.95 * comes_down / 1e-4)) {
            rig_must(scree_world_set_time_step(world, 1e-5), "time step");
        }
        rig_step(world);
        after = scree_world_get_bodies(world).spin[0].y;
        bool slower = steps_after > 0 || fabs(after) < fabs(fastest);
        impact = slower ? impact : scree_world_get_time(world);
        fastest = slower ? fastest : after;
        steps_after += slower;
    }
    CHECK_CLOSE(impact, comes_down, 2e-3);
    CHECK_NEAR(after / fastest, 1 - 1.5 * sin(alpha) * sin(alpha), 2e-4);
    scree_world_destroy(world);
}

/* Boxes and hulls that fall into a heap. */
static ScreeWorld *heap(void) {
    ScreeWorldDef def = rig_def(3, 2e-3, rig_vec(0, 0, -g));
    def.solver = scree_world_def_default().solver;
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0.5);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 0.1, 1));
    uint64_t random = 11;
    ScreeVec3 vertex[12];
    ScreeShapeId shape[3] = {rig_box(world, 0.5, 0.4, 0.3)};
    for (int k = 1; k < 3; k++) {
        for (int v = 0; v < 12; v++) {
            vertex[v] = rig_random_vec(&random, 0.3, 3);
        }
        shape[k] = rig_hull(world, vertex, 12, k == 1 ? 0 : 0.02);
    }
    for (int k = 0; k < 24; k++) {
        ScreeVec3 axis = rig_random_vec(&random, 1, 3);
        rig_add_solid(world, shape[k % 3],
                      rig_vec(0.95 * (k % 3), 0.95 * (k / 3 % 2), 0.8 + 0.95 * (k / 6)),
                      rig_rotation(axis, 3 * rig_random(&random)));
    }
    rig_add_ball(world, rig_vec(0.95, 0.5, 4.8), 0.2, 0.05);
    return world;
}

static void heaps_are_the_same_for_any_number_of_threads(void) {
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        ScreeWorld *world = heap();
        rig_must(scree_world_set_threads(world, k == 0 ? 1 : 3), "threads");
        for (int step = 0; step < 400; step++) {
            rig_step(world);
        }
        hash[k] = scree_world_hash(world);
        scree_world_destroy(world);
    }
    CHECK(hash[0] == hash[1]);
}

static void saved_heaps_go_on_bit_for_bit(void) {
    ScreeWorld *world = heap(), *copy = NULL;
    double deepest = 0;
    for (int step = 0; step < 600; step++) {
        if (step % 150 == 149) {
            size_t size = 0;
            rig_must(scree_world_save(world, NULL, &size), "size");
            unsigned char *data = malloc(size);
            rig_must(scree_world_save(world, data, &size), "save");
            scree_world_destroy(copy);
            rig_must(scree_world_load(data, size, &copy, NULL), "load");
            CHECK(scree_world_hash(copy) == scree_world_hash(world));
            /* damaged bytes are refused, whichever they are */
            for (size_t at = (size_t)step % 97; at < size; at += size / 50 + 1) {
                ScreeWorld *broken = NULL;
                data[at] ^= 0x20;
                CHECK(scree_world_load(data, size, &broken, NULL) != SCREE_OK);
                data[at] ^= 0x20;
            }
            free(data);
        }
        deepest = fmax(deepest, rig_step(world).overlap_max);
        if (copy != NULL) {
            rig_step(copy);
        }
    }
    CHECK(scree_world_hash(copy) == scree_world_hash(world));
    CHECK(deepest < 6e-4); /* of a diameter of 0.6: a thousandth */
    scree_world_destroy(world);
    scree_world_destroy(copy);
}

/* Four smooth boxes on each other between plates that close: no motion does justice to all. That is proven, without
 * friction, so nothing is tried after the first sweeps: at most 500 of them, and as many iterations of the proof, in each
 * of the five tries that a step in halves may take. (It took 98,000, and a second.) */
static void what_is_proven_to_have_no_solution_is_given_up(void) {
    const double side = 0.1;
    ScreeWorld *world = rig_world(3, 1e-3, rig_vec(0, 0, 0), 0);
    for (int end = 0; end < 2; end++) {
        ScreeWallDef plate =
            rig_plane(rig_vec(0, 0, 4 * side * end), rig_vec(0, 0, end == 0 ? 1 : -1));
        plate.motion = SCREE_WALL_MOVED;
        plate.velocity = plate.normal;
        CHECK(scree_world_add_wall(world, &plate, NULL) == SCREE_OK);
    }
    const ScreeShapeId box = rig_box(world, side, side, side);
    for (int i = 0; i < 4; i++) {
        rig_add_solid(world, box, rig_vec(0, 0, (i + 0.5) * side), (ScreeQuat){1, 0, 0, 0});
    }
    ScreeReport report;
    CHECK(scree_world_step(world, &report) == SCREE_OK);
    CHECK(report.converged == 0);
    CHECK(report.iterations <= 5 * 2 * 500);
    scree_world_destroy(world);
}

int main(int argc, char **argv) {
    CHECK_RUN(a_tumbling_box_keeps_momentum_and_energy);
    CHECK_RUN(boxes_slide_if_the_incline_is_steep);
    CHECK_RUN(boxes_topple_if_they_are_slender);
    CHECK_RUN(a_rocking_block_follows_housner);
    CHECK_RUN(heaps_are_the_same_for_any_number_of_threads);
    CHECK_RUN(saved_heaps_go_on_bit_for_bit);
    CHECK_RUN(what_is_proven_to_have_no_solution_is_given_up);
    return check_result();
}

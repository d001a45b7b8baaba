/* Input that is allowed but unreasonable gets an answer or one clear error, in bounded time, and
 * never a NaN. */
#include "scenes.h"

#include <time.h>

/* CPU time of this process, so that a busy machine does not matter. */
static double seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

static bool all_finite(const ScreeWorld *world) {
    ScreeBodyView b = scree_world_get_bodies(world);
    for (size_t i = 0; i < b.count; i++) {
        ScreeVec3 sum = rig_add(rig_add(b.position[i], 1e-300, b.velocity[i]), 1e-300, b.spin[i]);
        ScreeQuat q = b.orientation[i];
        if (!isfinite(sum.x + sum.y + sum.z) ||
            !(fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1) < 1e-9)) {
            return false;
        }
    }
    return true;
}

/* Steps a world; each step works, or fails with a message and leaves the world unchanged. */
static void survive(ScreeWorld *world, int steps) {
    for (int step = 0; step < steps; step++) {
        uint64_t before = visible_hash(world);
        ScreeReport report;
        ScreeStatus status = scree_world_step(world, &report);
        if (status != SCREE_OK) {
            CHECK(status == SCREE_NOT_FINITE || status == SCREE_TOO_CROWDED);
            CHECK(scree_world_get_message(world)[0] != '\0');
            CHECK(visible_hash(world) == before); /* nothing moves when a step fails */
            CHECK(all_finite(world));
            return;
        }
        CHECK(all_finite(world));
        CHECK(isfinite(report.residual) && isfinite(report.kinetic_energy) &&
              isfinite(report.overlap_max));
    }
}

static void huge_steps_and_speeds_are_survived(void) {
    static const double steps[] = {1e-300, 1e-12, 1e3, 1e12, 1e150, 1e300};
    static const double speeds[] = {1e-300, 1e6, 1e12, 1e150, 1e300};
    double begin = seconds();
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int i = 0; i < 6; i++) {
            const int stride = CHECK_STRIDE == 1 ? 1 : 2;
            for (int j = i % stride; j < 5; j += stride) {
                ScreeWorldDef def = rig_def(dimension, steps[i], rig_vec(0, -10, 0));
                def.solver.tolerance = 1e-6;
                def.solver.iterations = 100;
                ScreeWorld *world = rig_create(&def);
                rig_material(world, 0.5);
                rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
                for (int k = 0; k < 30; k++) {
                    ScreeBodyDef ball = rig_ball(rig_vec(k % 6, 0.5 + k / 6, 0), 0.5, 1);
                    ball.velocity = rig_vec(k % 2 == 0 ? speeds[j] : -speeds[j], -speeds[j], 0);
                    ball.spin = rig_vec(0, 0, k % 3 == 0 ? speeds[j] : 0);
                    rig_add_body(world, &ball);
                }
                survive(world, 5);
                scree_world_destroy(world);
            }
        }
    }
    CHECK(seconds() - begin < 30);
}

static void huge_and_tiny_bodies_are_survived(void) {
    static const double radii[] = {1e-100, 1e-6, 1, 1e6, 1e50};
    for (int i = 0; i < 5; i++) {
        const int stride = CHECK_STRIDE == 1 ? 1 : 2;
        for (int j = i % stride; j < 5; j += stride) {
            ScreeWorld *world = rig_world(3, 0.01, rig_vec(0, -10, 0), 0.4);
            rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
            rig_add_ball(world, rig_vec(0, radii[i], 0), radii[i], 1);
            rig_add_ball(world, rig_vec(radii[i] + radii[j], radii[j], 0), radii[j], 2);
            ScreeBodyDef light = rig_ball(rig_vec(0, 2 * radii[i] + radii[j], 0), radii[j], 1e-250);
            light.inertia = 1e-250;
            rig_add_body(world, &light);
            survive(world, CHECK_STRIDE == 1 ? 10 : 3);
            scree_world_destroy(world);
        }
    }
}

/* Grains at one and the same place are refused before they use up all memory. */
static void a_million_grains_in_one_place_are_refused(void) {
    enum { CROWD = 1000000 / CHECK_STRIDE };
    ScreeWorldDef def = rig_def(3, 0.01, rig_vec(0, -10, 0));
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0.5);
    ScreeBodyDef *grain = malloc(CROWD * sizeof *grain);
    if (grain == NULL) {
        abort();
    }
    for (int i = 0; i < CROWD; i++) {
        grain[i] = rig_ball(rig_vec(1, 2, 3), 0.5, 0);
    }
    rig_must(scree_world_add_bodies(world, grain, CROWD, NULL), "crowd");
    free(grain);
    double begin = seconds();
    uint64_t before = visible_hash(world);
    CHECK(scree_world_step(world, NULL) == SCREE_TOO_CROWDED);
    CHECK(scree_world_get_message(world)[0] != '\0');
    CHECK(visible_hash(world) == before);
    CHECK(seconds() - begin < 10);
    ScreeOverlap overlap;
    begin = seconds();
    CHECK(scree_world_find_overlaps(world, &overlap) == SCREE_OK);
    CHECK(overlap.count >= 1000000 && overlap.depth == 1);
    CHECK(seconds() - begin < 10);
    scree_world_destroy(world);
}

/* A few coincident grains are solved: some normal has to be chosen. */
static void coincident_grains_are_solved(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int is_signed = 0; is_signed < 2; is_signed++) {
            ScreeWorldDef def = rig_def(dimension, 0.01, rig_vec(0, -10, 0));
            def.signed_gap = is_signed == 1;
            def.solver.iterations = 200;
            ScreeWorld *world = rig_create(&def);
            rig_material(world, 0.5);
            rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
            for (int i = 0; i < 40; i++) {
                rig_add_ball(world, rig_vec(0, 0.3, 0), 0.5, 0);
            }
            survive(world, 50);
            ScreeOverlap overlap;
            CHECK(scree_world_find_overlaps(world, &overlap) == SCREE_OK);
            CHECK(is_signed || overlap.count >= 780);
            scree_world_destroy(world);
        }
    }
}

/* The overlaps found are those that are there. */
static void overlaps_found_are_those_there(void) {
    ScreeWorld *world = rig_world(3, 0.01, rig_vec(0, 0, 0), 0);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    ScreeOverlap o;
    CHECK(scree_world_find_overlaps(world, &o) == SCREE_OK && o.count == 0 && o.a.index == -1 &&
          o.depth == 0);
    rig_add_ball(world, rig_vec(0, 0.5, 0), 0.5, 0);   /* touches the floor */
    rig_add_ball(world, rig_vec(0.9, 0.5, 0), 0.5, 0); /* 0.1 into the first */
    rig_add_ball(world, rig_vec(5, 0.3, 0), 0.5, 0);   /* 0.2 into the floor */
    rig_add_ball(world, rig_vec(7, 3, 0), 0.5, 0);
    CHECK(scree_world_find_overlaps(world, &o) == SCREE_OK);
    CHECK(o.count == 2 && o.a.index == 2 && o.b.code == -1);
    CHECK_CLOSE(o.depth, 0.2, 1e-14);
    rig_must(scree_wall_remove(world, (ScreeWallId){0}), "remove");
    CHECK(scree_world_find_overlaps(world, &o) == SCREE_OK);
    CHECK(o.count == 1 && o.a.index == 0 && o.b.code == 1);
    CHECK_CLOSE(o.depth, 0.1, 1e-14);
    scree_world_destroy(world);
}

/* Empty worlds, worlds without grains, worlds without walls. */
static void empty_worlds_step(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        ScreeWorldDef def = rig_def(dimension, 0.01, rig_vec(0, -10, 0));
        ScreeWorld *world = rig_create(&def);
        ScreeReport report = rig_step(world);
        CHECK(report.contacts == 0 && report.converged == 1 && report.step == 1);
        rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        ScreeWallDef lid = rig_plane(rig_vec(0, 1, 0), rig_vec(0, -1, 0));
        lid.motion = SCREE_WALL_PISTON;
        lid.mass = 2;
        lid.force = rig_vec(0, -4, 0);
        rig_add_wall(world, &lid);
        rig_step(world);
        CHECK_NEAR(rig_wall(world, 1).now.velocity.y, -0.02, 1e-17);
        CHECK(scree_world_get_coordination(world) == 0 &&
              scree_world_get_bodies(world).count == 0 &&
              scree_world_get_contacts(world).count == 0);
        size_t size = 0;
        unsigned char *data = rig_save(world, &size);
        ScreeWorld *copy = NULL;
        CHECK(scree_world_load(data, size, &copy, NULL) == SCREE_OK);
        rig_step(copy);
        rig_step(world);
        CHECK(scree_world_hash(copy) == scree_world_hash(world));
        free(data);
        scree_world_destroy(copy);
        scree_world_destroy(world);
    }
}

/* Once the cause of an error is removed, the run goes on. */
static void runs_go_on_once_the_cause_of_an_error_is_gone(void) {
    ScreeWorld *world = rig_world(3, 0.01, rig_vec(0, -10, 0), 0.5);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    rig_add_ball(world, rig_vec(0, 0.5, 0), 0.5, 1);
    rig_step(world);
    rig_must(
        scree_body_set_force(world, (ScreeBodyId){0}, rig_vec(1e308, 1e308, 0), rig_vec(0, 0, 0)),
        "force");
    rig_must(scree_world_set_time_step(world, 1e6), "time step");
    uint64_t before = visible_hash(world);
    CHECK(scree_world_step(world, NULL) == SCREE_NOT_FINITE);
    CHECK(visible_hash(world) == before);
    rig_must(scree_body_set_force(world, (ScreeBodyId){0}, rig_vec(0, 0, 0), rig_vec(0, 0, 0)),
             "force");
    rig_must(scree_world_set_time_step(world, 0.01), "time step");
    ScreeReport report = rig_step(world);
    CHECK(report.active == 1);
    CHECK_CLOSE(rig_contact(world, 0, -1).normal_impulse, 0.1, 1e-10);
    CHECK_NEAR(scree_world_get_bodies(world).velocity[0].y, 0, 1e-14);
    scree_world_destroy(world);
}

/* Time is counted, not summed. */
static void time_is_exact(void) {
    ScreeWorld *world = rig_world(2, 1e-3, rig_vec(0, 0, 0), 0);
    for (int step = 0; step < 1000; step++) {
        rig_step(world);
    }
    CHECK(scree_world_get_time(world) == 1 && scree_world_get_step_count(world) == 1000);
    rig_must(scree_world_set_time_step(world, 0.1), "time step");
    for (int step = 0; step < 10; step++) {
        rig_step(world);
    }
    CHECK(scree_world_get_time(world) == 2);
    scree_world_destroy(world);
}

int main(int argc, char **argv) {
    CHECK_RUN(huge_steps_and_speeds_are_survived);
    CHECK_RUN(huge_and_tiny_bodies_are_survived);
    CHECK_RUN(a_million_grains_in_one_place_are_refused);
    CHECK_RUN(coincident_grains_are_solved);
    CHECK_RUN(overlaps_found_are_those_there);
    CHECK_RUN(empty_worlds_step);
    CHECK_RUN(runs_go_on_once_the_cause_of_an_error_is_gone);
    CHECK_RUN(time_is_exact);
    return check_result();
}

/* Ellipsoids, superellipsoids, cylinders and cones. */
#include "physics/smooth_rig.h"

static const double g = 9.81;

static ScreeVec3 up_of(const ScreeWorld *world, int32_t body) {
    return rig_rotate(scree_world_get_bodies(world).orientation[body], rig_vec(0, 0, 1));
}

/* ---------------------------------------------------------------- ellipsoids */

/* What a sphere is made as. */
typedef enum Made { AS_BALL, AS_VERTEX, AS_ELLIPSOID } Made;

static void add_sphere(ScreeWorld *world, Made made, ScreeVec3 at, ScreeQuat turn) {
    const ScreeVec3 centre = {0, 0, 0};
    if (made == AS_BALL) {
        rig_add_ball(world, at, 0.2, 0.5);
        return;
    }
    ScreeBodyDef def = scree_body_def_default();
    def.shape =
        made == AS_VERTEX ? rig_hull(world, &centre, 1, 0.2) : rig_ellipsoid(world, 0.4, 0.4, 0.4);
    def.position = at;
    def.orientation = turn;
    def.mass = 0.5;
    rig_add_body(world, &def);
}

/* The greatest difference in 1000 steps of spheres that fall on an incline, or lie there and roll. */
static double difference(Made one, Made other, int spheres, double above) {
    ScreeWorld *world[2];
    double worst = 0;
    for (int k = 0; k < 2; k++) {
        ScreeWorldDef def = rig_def(3, 1e-3, rig_vec(0, 0, -g));
        double slope = sqrt(1 + 0.05);
        world[k] = rig_create(&def);
        rig_material(world[k], 0.4);
        rig_add_plane(world[k], rig_vec(0, 0, 0), rig_vec(0.1 / slope, 0.2 / slope, 1 / slope));
        rig_add_plane(world[k], rig_vec(0, -1.5, 0), rig_vec(0, 1, 0.1));
        for (int i = 0; i < spheres; i++) {
            double x = 0.03 * i, y = 0.45 * i;
            add_sphere(world[k], k == 0 ? one : other,
                       rig_vec(x, y, 0.2 * slope - 0.1 * x - 0.2 * y + above),
                       rig_rotation(rig_vec(1, 2, 3), 0.7 * i));
        }
    }
    for (int step = 0; step < 1000; step++) {
        rig_step(world[0]);
        rig_step(world[1]);
        for (int i = 0; i < spheres; i++) {
            ScreeVec3 off = rig_sub(scree_world_get_bodies(world[0]).position[i],
                                    scree_world_get_bodies(world[1]).position[i]);
            worst = fmax(worst, rig_length(off));
        }
    }
    scree_world_destroy(world[0]);
    scree_world_destroy(world[1]);
    return worst;
}

/* Balls have their contact points on their own surfaces, and solids midway between the two: before the
 * first touch these are not the same. */
static void spheres_as_ellipsoids_move_as_balls_do(void) {
    double solids = difference(AS_VERTEX, AS_ELLIPSOID, 4, 0.1),
           rolling = difference(AS_BALL, AS_ELLIPSOID, 1, 0);
    printf("spheres: %.1e and %.1e apart\n", solids, rolling);
    CHECK(solids < 1e-9);
    CHECK(rolling < 1e-9);
}

/* On its flat side, an ellipsoid rocks about y. Its centre is c above the plane, where the surface has
 * the radius of curvature a^2/c: omega^2 = g (a^2/c - c) / (k^2 + c^2) with k^2 = (a^2 + c^2) / 5. */
static void ellipsoids_rock_at_their_period(void) {
    const double a = 0.5, b = 0.4, c = 0.3, tilt = 0.01, dt = 1e-4;
    double square = (a * a + c * c) / 5 + c * c, omega = sqrt(g * (a * a / c - c) / square);
    ScreeWorldDef def = rig_def(3, dt, rig_vec(0, 0, -g));
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 2);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 0, 1));
    double height = sqrt(c * c * cos(tilt) * cos(tilt) + a * a * sin(tilt) * sin(tilt));
    rig_add_solid(world, rig_ellipsoid(world, 2 * a, 2 * b, 2 * c), rig_vec(0, 0, height),
                  rig_rotation(rig_vec(0, 1, 0), tilt));
    double before = up_of(world, 0).x, crossed[3];
    int crossings = 0;
    for (int step = 1; crossings < 3 && step < 100000; step++) {
        rig_step(world);
        double now = up_of(world, 0).x;
        if ((now > 0) != (before > 0)) {
            crossed[crossings++] = dt * (step - now / (now - before));
        }
        before = now;
    }
    CHECK(crossings == 3);
    double period = crossed[2] - crossed[0];
    printf("rocking: %.6f of the period\n", period * omega / (2 * RIG_PI));
    CHECK_CLOSE(period, 2 * RIG_PI / omega, 3e-4);
    CHECK(fabs(scree_world_get_bodies(world).position[0].y) < 1e-9);
    scree_world_destroy(world);
}

/* ---------------------------------------------------------------- cylinders */

/* An incline, as a plane or as the face of a block that cannot move. */
static ScreeVec3 add_incline(ScreeWorld *world, double angle, bool block) {
    ScreeVec3 up = rig_vec(0, -sin(angle), cos(angle));
    if (block) {
        ScreeBodyDef def = scree_body_def_default();
        def.shape = rig_box(world, 20, 20, 1);
        def.position = rig_scale(-0.5, up);
        def.orientation = rig_rotation(rig_vec(1, 0, 0), angle);
        def.frozen = SCREE_FREEZE_ALL;
        rig_add_body(world, &def);
    } else {
        rig_add_plane(world, rig_vec(0, 0, 0), up);
    }
    return up;
}

/* Lying across the slope, a cylinder rolls with 2/3 of what gravity has along it. */
static void cylinders_roll_straight_down(void) {
    for (int block = 0; block < 2; block++) {
        const double angle = 0.3, r = 0.2, dt = 1e-3;
        ScreeWorld *world = rig_world(3, dt, rig_vec(0, 0, -g), 0.6);
        ScreeVec3 up = add_incline(world, angle, block),
                  down = rig_vec(0, -cos(angle), -sin(angle));
        int32_t body = rig_add_solid(world, rig_cone(world, r, r, 0.7, 0), rig_scale(r, up),
                                     rig_rotation(rig_vec(0, 1, 0), RIG_PI / 2));
        for (int step = 0; step < 500; step++) {
            rig_step(world);
        }
        ScreeBodyView b = scree_world_get_bodies(world);
        double speed = 2 * g * sin(angle) / 3 * 500 * dt;
        printf("rolling: %.9f of the speed\n", rig_dot(b.velocity[body], down) / speed);
        CHECK_CLOSE(rig_dot(b.velocity[body], down), speed, 1e-6);
        CHECK_NEAR(b.position[body].x, 0, 1e-9);
        CHECK_NEAR(rig_dot(b.position[body], up), r, 1e-6 * r);
        CHECK_CLOSE(rig_length(b.spin[body]), speed / r, 1e-6);
        scree_world_destroy(world);
    }
}

/* With enough friction a cylinder that stands topples if tan(angle) > 2 r / h, whichever way it is
 * turned about its axis. */
static void cylinders_topple_where_their_rim_is(void) {
    const int stride = CHECK_STRIDE > 1 ? 3 : 1;
    for (int k = 0; k < 8; k += stride) {
        bool over = k % 2, block = k / 2 % 2;
        double r = 0.2, h = 1, angle = atan(2 * r / h) + (over ? 1e-3 : -1e-3);
        ScreeWorld *world = rig_world(3, 1e-3, rig_vec(0, 0, -g), 2);
        ScreeVec3 up = add_incline(world, angle, block);
        ScreeQuat lie = rig_rotation(rig_vec(1, 0, 0), angle),
                  yaw = rig_rotation(rig_vec(0, 0, 1), 0.13 * (k / 4));
        ScreeQuat q = {lie.w * yaw.w, lie.x * yaw.w, -lie.x * yaw.z, lie.w * yaw.z};
        int32_t body = rig_add_solid(world, rig_cone(world, r, r, h, 0), rig_scale(h / 2, up), q);
        for (int step = 0; step < (CHECK_STRIDE == 1 ? 1000 : 60); step++) {
            rig_step(world);
        }
        double spin = rig_length(scree_world_get_bodies(world).spin[body]);
        CHECK(CHECK_STRIDE > 1 ? spin < 0.1 : over ? spin > 1e-2 : spin < 1e-5);
        if (over ? spin <= 1e-2 : spin >= 1e-5) {
            printf("over %d block %d yaw %g: spin %g\n", over, block, 0.13 * (k / 4), spin);
        }
        scree_world_destroy(world);
    }
}

/* Standing on a cap, lying on a side, standing on each other: nothing moves. */
static void cylinders_stay_where_they_are(void) {
    for (int block = 0; block < 2; block++) {
        ScreeWorld *world = rig_world(3, 1e-3, rig_vec(0, 0, -g), 0.5);
        add_incline(world, 0, block);
        ScreeShapeId tablet = rig_cone(world, 0.3, 0.3, 0.2, 0);
        int32_t first = rig_add_solid(world, tablet, rig_vec(0, 0, 0.1), rig_upright);
        rig_add_solid(world, tablet, rig_vec(0.1, 0.05, 0.3), rig_rotation(rig_vec(0, 0, 1), 0.4));
        rig_add_solid(world, tablet, rig_vec(2, 0, 0.3),
                      rig_rotation(rig_vec(0, 1, 0), RIG_PI / 2));
        rig_add_solid(world, rig_cone(world, 0.4, 0, 0.6, 0), rig_vec(0, 2, 0.15), rig_upright);
        rig_add_solid(world, rig_cone(world, 0.3, 0.3, 0.1, 0.05), rig_vec(0, -2, 0.1),
                      rig_upright);
        ScreeVec3 start[5];
        for (int k = 0; k < 5; k++) {
            start[k] = scree_world_get_bodies(world).position[first + k];
        }
        for (int step = 0; step < (CHECK_STRIDE == 1 ? 1000 : 100); step++) {
            rig_step(world);
        }
        for (int k = 0; k < 5; k++) {
            ScreeVec3 off = rig_sub(scree_world_get_bodies(world).position[first + k], start[k]);
            printf("at rest: %d has moved by %.1e\n", k, rig_length(off));
            CHECK(rig_length(off) < 1e-8);
        }
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- heaps */

static ScreeWorld *heap(void) {
    ScreeWorldDef def = rig_def(3, 5e-4, rig_vec(0, 0, -g)); /* they fall with up to 10 m/s */
    def.solver = scree_world_def_default().solver;
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0.5);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 0, 1));
    ScreeWallDef tube = scree_wall_def_default();
    tube.shape = SCREE_WALL_CYLINDER;
    tube.point = rig_vec(0, 0, 0);
    tube.axis = rig_vec(0, 0, 1);
    tube.radius = 0.6;
    tube.inside = true;
    rig_add_wall(world, &tube);
    const ScreeShapeId shape[] = {rig_ellipsoid(world, 0.5, 0.4, 0.3),
                                  rig_superellipsoid(world, rig_vec(0.4, 0.4, 0.3), 4, 3),
                                  rig_box(world, 0.35, 0.3, 0.25),
                                  rig_cone(world, 0.2, 0.2, 0.15, 0),
                                  rig_cone(world, 0.15, 0.15, 0.35, 0.02),
                                  rig_cone(world, 0.2, 0.05, 0.3, 0)};
    const int shapes = (int)(sizeof shape / sizeof shape[0]);
    uint64_t random = 5;
    for (int k = 0; k < 12; k++) {
        rig_add_solid(world, shape[k % shapes],
                      rig_vec(k % 2 ? 0.27 : -0.27, 0.05 * (k % 3), 0.4 + 0.6 * (k / 2)),
                      rig_random_rotation(&random, 3));
    }
    rig_add_ball(world, rig_vec(0.1, 0.1, 4.4), 0.2, 0.04);
    return world;
}

static void heaps_settle_without_deep_overlaps(void) {
    ScreeWorld *world = heap();
    double deepest = 0;
    for (int step = 0; step < 2200 / CHECK_STRIDE; step++) {
        const ScreeReport r = rig_step(world);
        deepest = fmax(deepest, r.overlap_max);
    }
    printf("heap: deepest overlap %.1e, spin %.1e\n", deepest,
           rig_length(scree_world_get_bodies(world).spin[0]));
    CHECK(deepest < 1e-3 * 0.5);
    scree_world_destroy(world);
}

static void heaps_are_the_same_for_any_number_of_threads(void) {
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        ScreeWorld *world = heap();
        rig_must(scree_world_set_threads(world, k == 0 ? 1 : 3), "threads");
        for (int step = 0; step < 900 / CHECK_STRIDE; step++) {
            rig_step(world);
        }
        hash[k] = scree_world_hash(world);
        scree_world_destroy(world);
    }
    CHECK(hash[0] == hash[1]);
}

static void saved_heaps_go_on_bit_for_bit(void) {
    ScreeWorld *world = heap();
    for (int step = 0; step < 800 / CHECK_STRIDE; step++) {
        rig_step(world);
    }
    CHECK(rig_restarts(world, 60));
    scree_world_destroy(world);
}

/* ---------------------------------------------------------------- fast pairs */

/* Two bodies that fly at each other, by a sixth of a radius and up to a quarter of a radian in a step, so
 * that where they meet, and at which normal, depends on the impulse itself. */
static ScreeWorld *fast_pair(int kind, uint64_t *random) {
    ScreeWorldDef def = rig_def(3, 1e-3, rig_vec(0, 0, 0));
    def.solver = scree_world_def_default().solver;
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0.4);
    const ScreeShapeId shape = kind == 0   ? rig_cone(world, 0.5, 0, 1, 0)
                               : kind == 1 ? rig_cone(world, 0.5, 0.5, 0.4, 0)
                               : kind == 2 ? rig_ellipsoid(world, 1, 0.5, 0.3)
                                           : rig_superellipsoid(world, rig_vec(1, 0.8, 0.6), 6, 4);
    for (int k = 0; k < 2; k++) {
        const ScreeVec3 at = k == 0 ? rig_vec(0, 0, 0) : rig_random_vec(random, 0.2, 3);
        rig_add_solid(world, shape, rig_add(at, 1.7 * k, rig_vec(1, 0, 0)),
                      rig_random_rotation(random, 3));
    }
    const ScreeVec3 velocity[2] = {rig_vec(40, 0, 0), rig_vec(-40, 0, 0)};
    for (int32_t k = 0; k < 2; k++) {
        rig_set_motion(world, k, velocity[k], rig_random_vec(random, 150, 3));
    }
    return world;
}

static void fast_pairs_meet_without_overlap(void) {
    uint64_t random = 3;
    int failed = 0;
    double deepest = 0;
    for (int k = 0; k < 400; k += CHECK_STRIDE) {
        ScreeWorld *world = fast_pair(k % 4, &random);
        for (int step = 0; step < 16; step++) {
            const ScreeReport r = rig_step(world);
            failed += !r.converged;
            deepest = fmax(deepest, r.overlap_max);
        }
        scree_world_destroy(world);
    }
    printf("fast pairs: %d steps did not converge, deepest overlap %.1e\n", failed, deepest);
    CHECK(failed == 0);
    CHECK(deepest < 3e-3);
}

/* Where two nearly flat faces meet, the place goes far while the normal hardly turns. Both places must bear: the last one
 * that was seen alone left an overlap of 0.004 for three steps, the first of which did not converge. */
static void flat_faces_meet_at_several_places_in_one_step(void) {
    ScreeWorldDef def = rig_def(3, 1e-3, rig_vec(0, 0, 0));
    def.solver = scree_world_def_default().solver;
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0.4);
    const ScreeShapeId shape = rig_superellipsoid(world, rig_vec(1, 0.8, 0.6), 6, 4);
    const ScreeVec3 at[2] = {{0, 0, 0},
                             {1.7437960585680812, -0.18464716517576196, 0.043008616104208523}};
    const ScreeQuat turned[2] = {
        {0.67793294048310326, -0.038922218629913567, 0.3894171664196806, 0.62229113733245889},
        {0.66589692843992632, -0.47751558625071561, 0.45094186408715514, -0.35385248451227364}};
    const ScreeVec3 spin[2] = {{-121.35613335828198, 103.41155702498911, 148.23156973939555},
                               {-10.450488328748719, 113.42625972409047, 6.7177462436078139}};
    double deepest = 0;
    for (int32_t k = 0; k < 2; k++) {
        rig_add_solid(world, shape, at[k], turned[k]);
        rig_set_motion(world, k, rig_vec(k == 0 ? 40 : -40, 0, 0), spin[k]);
    }
    for (int step = 0; step < 16; step++) {
        const ScreeReport r = rig_step(world);
        CHECK(r.converged);
        deepest = fmax(deepest, r.overlap_max);
    }
    CHECK(deepest < 1e-3);
    CHECK(scree_world_get_bodies(world).velocity[0].x < 39); /* they have met */
    scree_world_destroy(world);
}

int main(int argc, char **argv) {
    CHECK_RUN(fast_pairs_meet_without_overlap);
    CHECK_RUN(flat_faces_meet_at_several_places_in_one_step);
    CHECK_RUN(spheres_as_ellipsoids_move_as_balls_do);
    CHECK_RUN(ellipsoids_rock_at_their_period);
    CHECK_RUN(cylinders_roll_straight_down);
    CHECK_RUN(cylinders_topple_where_their_rim_is);
    CHECK_RUN(cylinders_stay_where_they_are);
    CHECK_RUN(heaps_settle_without_deep_overlaps);
    CHECK_RUN(heaps_are_the_same_for_any_number_of_threads);
    CHECK_RUN(saved_heaps_go_on_bit_for_bit);
    return check_result();
}

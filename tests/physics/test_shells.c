/* Walls with round openings: funnels, discs and rings, and plates with holes. */
#include "physics/smooth_rig.h"

static const double g = 10;

static ScreeWallDef cone_wall(ScreeVec3 point, double radius, double end_radius, double height) {
    ScreeWallDef def = scree_wall_def_default();
    def.shape = SCREE_WALL_CONE;
    def.point = point;
    def.radius = radius;
    def.end_radius = end_radius;
    def.length = height;
    return def;
}

static void steps(ScreeWorld *world, int count) {
    for (int k = 0; k < count; k++) {
        rig_step(world);
    }
}

static ScreeVec3 load_of(const ScreeWorld *world, int32_t wall) {
    ScreeWallState state;
    rig_must(scree_wall_get_state(world, (ScreeWallId){wall}, &state), "wall");
    return state.load;
}

/* ---------------------------------------------------------------- balls */

/* Without friction, at the height h of its centre over the tip of the cone that the centre moves on, a
 * ball orbits with v^2 = g h: what the wall presses, g / sin a along the normal, has v^2 / r across the
 * axis, with tan a = r / h. The cone of the centre is as steep as that of the wall. */
static void a_ball_orbits_in_a_funnel(void) {
    const double ball = 0.1, half = 0.6, dt = 2e-4;
    ScreeWorld *world = rig_world(3, dt, rig_vec(0, 0, -g), 0);
    const ScreeWallDef wall = cone_wall(rig_vec(0, 0, 0), 0, 4 * tan(half), 4);
    rig_add_wall(world, &wall);
    /* the tip of the cone of the centre is ball / sin a above that of the wall */
    double h = 1.5, r = h * tan(half), z = h + ball / sin(half), v = sqrt(g * h);
    ScreeBodyDef body = scree_body_def_default();
    body.radius = ball;
    body.position = rig_vec(r, 0, z);
    body.velocity = rig_vec(0, v, 0);
    rig_add_body(world, &body);
    double most = 0, turn = 0;
    for (int k = 1; k <= 5000; k++) {
        rig_step(world);
        const ScreeBodyView b = scree_world_get_bodies(world);
        most = fmax(most, fabs(b.position[0].z - z));
        turn = atan2(b.position[0].y, b.position[0].x);
    }
    /* once around in 2 pi r / v = 1.66: 1.0 of time turn it by v / r */
    printf("orbit: off by %.1e in height, %.1e in angle\n", most,
           fabs(remainder(v / r - turn, 2 * RIG_PI)));
    CHECK(most < 2e-3 * h);
    CHECK(fabs(remainder(v / r - turn, 2 * RIG_PI)) < 2e-3);
    scree_world_destroy(world);
}

/* Rolling straight down a funnel from outside or inside is the same as on a plane: 5/7 of g cos a. */
static void a_ball_rolls_down_a_funnel(void) {
    for (int outside = 0; outside < 2; outside++) {
        const double ball = 0.05, half = 0.9, dt = 1e-3, time = 0.4;
        ScreeWorld *world = rig_world(3, dt, rig_vec(0, 0, -g), 1);
        const ScreeWallDef wall =
            outside ? cone_wall(rig_vec(0, 0, 0), 3 * tan(half), 0, 3)
                    : cone_wall(rig_vec(0, 0, 0), 0.2 * tan(half), 3 * tan(half), 2.8);
        rig_add_wall(world, &wall);
        /* a point of the wall, and the ball on it */
        double s = outside ? 1 : 2.4;
        double out = s * sin(half), up = outside ? 3 - s * cos(half) : s * cos(half) - 0.2;
        ScreeVec3 at = outside ? rig_vec(out + ball * cos(half), 0, up + ball * sin(half))
                               : rig_vec(out - ball * cos(half), 0, up + ball * sin(half));
        rig_add_ball(world, at, ball, 1);
        steps(world, (int)(time / dt + 0.5));
        ScreeVec3 way = rig_sub(scree_world_get_bodies(world).position[0], at);
        /* the velocity after n steps is exact, and the place that of n (n + 1) / 2 of them */
        double expected = 0.5 * (5.0 / 7) * g * cos(half) * time * (time + dt);
        printf("down: %.9f of the way, %.1e aside\n", rig_length(way) / expected, fabs(way.y));
        CHECK_CLOSE(rig_length(way), expected, 1e-9);
        CHECK(fabs(way.y) < 1e-9);
        scree_world_destroy(world);
    }
}

/* A ball of radius b on a hole of radius r sits sqrt(b^2 - r^2) above it, and the wall bears it: a ring,
 * a plate with two holes, or the outlet of a funnel whose sides it does not reach. It stays there. */
static void a_ball_sits_in_a_hole(void) {
    const double ball = 0.1, hole = 0.06, height = sqrt(ball * ball - hole * hole);
    for (int kind = 0; kind < 4; kind++) {
        ScreeWorld *world = rig_world(3, 1e-3, rig_vec(0, 0, -g), 0.3);
        ScreeWallDef wall = cone_wall(rig_vec(0.3, 0.2, 1), hole, 0.5, kind == 1 ? 0.1 : 0);
        if (kind == 2) {
            wall.shape = SCREE_WALL_PLATE;
            wall.half = rig_vec(0.5, 0.4, 0);
            wall.orientation = rig_rotation(rig_vec(0, 0, 1), 0.7);
            wall.holes[0] = 2;
            wall.holes[1] = 1;
            wall.spacing[0] = 0.3;
            wall.point = rig_add(wall.point, 0.15, rig_rotate(wall.orientation, rig_vec(1, 0, 0)));
        }
        wall.axis = kind == 3 ? rig_vec(0, 0, -1) : wall.axis;
        rig_add_wall(world, &wall);
        rig_add_ball(world, rig_vec(0.3 + 1e-4, 0.2, 1.002 + height), ball, 2);
        steps(world, 500);
        ScreeVec3 at = scree_world_get_bodies(world).position[0], load = load_of(world, 0);
        steps(world, 1000);
        ScreeVec3 later = scree_world_get_bodies(world).position[0];
        printf("hole %d: %.2e high, %.1e aside, then %.1e of way; load %.9f\n", kind,
               at.z - 1 - height, hypot(at.x - 0.3, at.y - 0.2), rig_length(rig_sub(later, at)),
               load.z);
        CHECK_NEAR(at.z, 1 + height, 1e-4);
        CHECK_NEAR(hypot(at.x - 0.3, at.y - 0.2), 0, 2e-4);
        CHECK_NEAR(rig_length(rig_sub(later, at)), 0, 1e-7);
        CHECK_NEAR(load.z, -20, 1e-6);
        scree_world_destroy(world);
    }
}

/* In a funnel a ball touches all around, at the height b / sin a over the tip. */
static void a_ball_sits_in_a_funnel(void) {
    const double ball = 0.1, half = 0.5;
    ScreeWorld *world = rig_world(3, 1e-3, rig_vec(0, 0, -g), 0.3);
    const ScreeWallDef wall = cone_wall(rig_vec(0, 0, 0.1), 0.1 * tan(half), 2 * tan(half), 1.9);
    rig_add_wall(world, &wall);
    rig_add_ball(world, rig_vec(1e-4, -1e-4, ball / sin(half) + 0.001), ball, 2);
    steps(world, 500);
    ScreeVec3 at = scree_world_get_bodies(world).position[0], load = load_of(world, 0);
    steps(world, 500);
    CHECK_NEAR(at.z, ball / sin(half), 1e-6);
    CHECK_NEAR(rig_length(rig_sub(scree_world_get_bodies(world).position[0], at)), 0, 1e-8);
    CHECK_NEAR(load.z, -20, 1e-6);
    scree_world_destroy(world);
}

/* Smaller balls fall through the holes of a sieve, larger ones stay. */
static void a_sieve_parts_balls_by_size(void) {
    ScreeWorld *world = rig_world(3, 1e-3, rig_vec(0, 0, -g), 0.2);
    ScreeWallDef sieve = scree_wall_def_default();
    sieve.shape = SCREE_WALL_PLATE;
    sieve.half = rig_vec(0.5, 0.5, 0);
    sieve.radius = 0.05;
    sieve.holes[0] = sieve.holes[1] = 4;
    sieve.spacing[0] = sieve.spacing[1] = 0.2;
    sieve.motion = SCREE_WALL_MOVED;
    rig_add_wall(world, &sieve);
    for (int k = 0; k < 16; k++) {
        rig_add_ball(world, rig_vec(0.2 * (k % 4) - 0.3 + 0.01, 0.2 * (k / 4) - 0.3, 0.06),
                     k % 2 ? 0.045 : 0.052, 1);
    }
    steps(world, 600);
    const ScreeBodyView b = scree_world_get_bodies(world);
    for (int k = 0; k < 16; k++) {
        CHECK(k % 2 ? b.position[k].z < -0.5 : b.position[k].z > 0);
    }
    CHECK_NEAR(load_of(world, 0).z, -8 * g, 1e-6);
    scree_world_destroy(world);
}

/* A disc that turns carries a ball with it: no slip, so the surface below it moves by 2/7 more (a ball on
 * a turntable circles at 2/7 of its spin). */
static void a_ball_circles_on_a_turntable(void) {
    const double ball = 0.1, spin = 3, dt = 1e-4;
    ScreeWorld *world = rig_world(3, dt, rig_vec(0, 0, -g), 2);
    ScreeWallDef disc = cone_wall(rig_vec(0, 0, 0), 0, 5, 0);
    disc.motion = SCREE_WALL_MOVED;
    disc.spin = rig_vec(0, 0, spin);
    rig_add_wall(world, &disc);
    ScreeBodyDef body = scree_body_def_default();
    body.radius = ball;
    body.position = rig_vec(1, 0, ball);
    /* rolls without slip in a circle of radius 1 about the middle: v = 2/7 spin x */
    double v = 2.0 / 7 * spin;
    body.velocity = rig_vec(0, v, 0);
    /* the contact moves with the disc: v - w x b = spin 1, w along x */
    body.spin = rig_vec((spin - v) / ball, 0, 0);
    rig_add_body(world, &body);
    double time = 1.2;
    steps(world, (int)(time / dt + 0.5));
    ScreeVec3 at = scree_world_get_bodies(world).position[0];
    printf("turntable: radius %.6f, angle %.6f of %.6f\n", hypot(at.x, at.y), atan2(at.y, at.x),
           v * time);
    CHECK_NEAR(hypot(at.x, at.y), 1, 2e-3);
    CHECK_NEAR(atan2(at.y, at.x), v * time, 2e-3);
    scree_world_destroy(world);
}

/* ---------------------------------------------------------------- solids */

typedef enum Kind { BOX, ELLIPSOID, CYLINDER, KINDS } Kind;

static ScreeShapeId shape_of(ScreeWorld *world, Kind kind) {
    return kind == BOX         ? rig_box(world, 0.3, 0.24, 0.2)
           : kind == ELLIPSOID ? rig_ellipsoid(world, 0.3, 0.24, 0.2)
                               : rig_cone(world, 0.1, 0.1, 0.2, 0);
}

/* A plane, and the middle of a large disc and of a large plate: the same motion. */
static void solids_go_alike_on_a_plane_a_disc_and_a_plate(void) {
    for (Kind kind = 0; kind < KINDS; kind++) {
        ScreeWorld *world[3];
        double most = 0;
        for (int k = 0; k < 3; k++) {
            world[k] = rig_world(3, 1e-3, rig_vec(1.4, 0.4, -9.7), 0.3);
            ScreeWallDef wall = cone_wall(rig_vec(0, 0, 0), 0, 5, 0);
            if (k == 2) {
                wall.shape = SCREE_WALL_PLATE;
                wall.half = rig_vec(6, 5, 0);
                wall.holes[0] = wall.holes[1] = 2;
                wall.spacing[0] = wall.spacing[1] = 7;
                wall.radius = 0.3;
            }
            if (k == 0) {
                rig_add_plane(world[k], rig_vec(0, 0, 0), rig_vec(0, 0, 1));
            } else {
                rig_add_wall(world[k], &wall);
            }
            ScreeBodyDef body = scree_body_def_default();
            body.shape = shape_of(world[k], kind);
            body.position = rig_vec(-0.7, -0.4, 0.1);
            body.velocity = rig_vec(1.2, 0.7, 0);
            rig_add_body(world[k], &body);
        }
        for (int step = 0; step < 600; step++) {
            for (int k = 0; k < 3; k++) {
                rig_step(world[k]);
                most =
                    fmax(most, rig_length(rig_sub(scree_world_get_bodies(world[0]).position[0],
                                                  scree_world_get_bodies(world[k]).position[0])));
            }
        }
        CHECK(most < 1e-9);
        for (int k = 0; k < 3; k++) {
            scree_world_destroy(world[k]);
        }
    }
}

/* A hollow cylinder whose upper rim is at a height of zero. */
static ScreeWallDef tube_wall(double radius) {
    ScreeWallDef def = scree_wall_def_default();
    def.shape = SCREE_WALL_CYLINDER;
    def.inside = true;
    def.radius = radius;
    def.length = 0.4;
    def.point = rig_vec(0, 0, -0.5 * def.length);
    return def;
}

/* A box lies over a hole that all of its corners reach beyond; a smaller one sits with two edges on the
 * rim; a ball as an ellipsoid sits as the ball does. Each is borne, by the hole of a ring and by the rim of a
 * hollow cylinder. */
static void solids_lie_over_a_hole(void) {
    const double hole = 0.06;
    for (int k = 0; k < 6; k += CHECK_STRIDE) {
        const int kind = k % 3;
        ScreeWorld *world = rig_world(3, 1e-3, rig_vec(0, 0, -g), 0.4);
        const ScreeWallDef wall =
            k < 3 ? cone_wall(rig_vec(0, 0, 0), hole, 0.5, 0) : tube_wall(hole);
        rig_add_wall(world, &wall);
        ScreeBodyDef body = scree_body_def_default();
        body.shape = kind == 0   ? rig_box(world, 0.3, 0.24, 0.2)
                     : kind == 1 ? rig_ellipsoid(world, 0.2, 0.2, 0.2)
                                 : rig_cone(world, 0.1, 0.1, 0.1, 0);
        double rest = kind == 0 ? 0.1 : kind == 1 ? sqrt(0.01 - hole * hole) : 0.05;
        body.position = rig_vec(1e-4, 0, rest + 1e-3);
        body.mass = 2;
        rig_add_body(world, &body);
        steps(world, kind == 2 ? 60 : 200);
        ScreeVec3 at = scree_world_get_bodies(world).position[0], load = load_of(world, 0);
        CHECK_NEAR(at.z, rest, kind == 1 ? 1e-5 : 1e-7);
        CHECK_NEAR(load.z, -20, 1e-5);
        scree_world_destroy(world);
    }
}

/* Discs smaller than what lies on them bear it by their rim; and past the rim it falls. */
static void a_box_lies_on_a_small_disc(void) {
    for (int off = 0; off < 2; off++) {
        ScreeWorld *world = rig_world(3, 1e-3, rig_vec(0, 0, -g), 0.4);
        const ScreeWallDef wall = cone_wall(rig_vec(0, 0, 0), 0, 0.1, 0);
        rig_add_wall(world, &wall);
        ScreeBodyDef body = scree_body_def_default();
        body.shape = rig_box(world, 0.6, 0.5, 0.1);
        body.position = rig_vec(off ? 0.13 : 0.095, 0, 0.05);
        body.mass = 2;
        rig_add_body(world, &body);
        steps(world, 300);
        ScreeVec3 at = scree_world_get_bodies(world).position[0];
        CHECK(off ? at.z < 0.045 : fabs(at.z - 0.05) < 1e-6);
        scree_world_destroy(world);
    }
}

/* Bodies in a funnel stay above its outlet, which is too narrow for them. What the funnel bears in a time is
 * their weight and the change of their momentum; a restart makes no difference. */
static void a_funnel_bears_solids(void) {
    for (Kind kind = 0; kind < KINDS; kind++) {
        ScreeWorld *world = rig_world(3, 1e-3, rig_vec(0, 0, -g), 0.4);
        const ScreeWallDef wall = cone_wall(rig_vec(0, 0, 0), 0.07, 0.9, 0.7);
        rig_add_wall(world, &wall);
        for (int k = 0; k < 2; k++) {
            ScreeBodyDef body = scree_body_def_default();
            body.shape = shape_of(world, kind);
            body.position = rig_vec(0.3 * cos(1.1 * k), 0.3 * sin(1.1 * k), 0.5 + 0.2 * k);
            body.orientation = rig_rotation(rig_vec(1, 2, 0.5 * k), 0.9 + k);
            body.mass = 2;
            rig_add_body(world, &body);
        }
        double worst = 0, borne = 0;
        for (int step = 0; step < 600; step++) {
            ScreeReport report = rig_step(world);
            worst = fmax(worst, report.overlap_max);
            borne -= 1e-3 * load_of(world, 0).z;
        }
        CHECK_NEAR(borne, 0.6 * 40 + rig_momentum(world).z, 1e-9);
        CHECK(worst < 1e-3);
        for (int k = 0; k < 2; k++) {
            ScreeVec3 at = scree_world_get_bodies(world).position[k];
            CHECK(at.z > 0.05 && hypot(at.x, at.y) < 0.07 + at.z * 0.83 / 0.7);
        }
        CHECK(rig_restarts(world, 5));
        scree_world_destroy(world);
    }
}

/* Through a plate with holes of radius 0.06 goes a bar that is 0.08 wide, and one that is 0.2 wide stays. */
static void a_sieve_parts_solids_by_size(void) {
    for (int kind = 0; kind < 2; kind++) {
        ScreeWorld *world = rig_world(3, 1e-3, rig_vec(0, 0, -g), 0.3);
        ScreeWallDef plate = scree_wall_def_default();
        plate.shape = SCREE_WALL_PLATE;
        plate.half = rig_vec(0.4, 0.4, 0);
        plate.holes[0] = plate.holes[1] = 2;
        plate.spacing[0] = plate.spacing[1] = 0.3;
        plate.radius = 0.06;
        rig_add_wall(world, &plate);
        const double wide = kind == 0 ? 0.08 : 0.2;
        rig_add_solid(world, rig_box(world, wide, wide, 0.3), rig_vec(0.152, 0.149, 0.16),
                      rig_rotation(rig_vec(1, 1, 0), 0.02));
        double worst = 0;
        for (int step = 0; step < 400; step++) {
            worst = fmax(worst, rig_step(world).overlap_max);
        }
        double z = scree_world_get_bodies(world).position[0].z;
        CHECK(kind == 0 ? z < -0.2 : fabs(z - 0.15) < 1e-6);
        CHECK(worst < 1e-4);
        scree_world_destroy(world);
    }
}

/* Outside, a box leans on the cone as it does on a solid cone that cannot move. */
static void the_outside_of_a_cone_is_that_of_a_solid_one(void) {
    for (Kind kind = 0; kind < KINDS; kind++) {
        ScreeWorld *world[2];
        double most = 0;
        for (int k = 0; k < 2; k++) {
            world[k] = rig_world(3, 1e-3, rig_vec(0, 0, -g), 0.3);
            rig_add_plane(world[k], rig_vec(0, 0, -0.6), rig_vec(0, 0, 1));
            if (k == 0) {
                const ScreeWallDef wall = cone_wall(rig_vec(0, 0, -0.6), 0.9, 0.1, 1.2);
                rig_add_wall(world[k], &wall);
            } else {
                ScreeShape info;
                ScreeBodyDef cone = scree_body_def_default();
                cone.shape = rig_cone(world[k], 0.9, 0.1, 1.2, 0);
                rig_must(scree_shape_get(world[k], cone.shape, &info), "shape");
                cone.position = info.centroid;
                cone.frozen = SCREE_FREEZE_ALL;
                rig_add_body(world[k], &cone);
            }
            rig_add_solid(world[k], shape_of(world[k], kind), rig_vec(0.75, 0.1, 0.3),
                          rig_rotation(rig_vec(1, 2, 0.5), 0.9));
        }
        for (int step = 0; step < 200; step++) {
            rig_step(world[0]);
            rig_step(world[1]);
            most = fmax(most, rig_length(rig_sub(scree_world_get_bodies(world[0]).position[0],
                                                 scree_world_get_bodies(world[1]).position[1])));
        }
        CHECK(most < 1e-9);
        scree_world_destroy(world[0]);
        scree_world_destroy(world[1]);
    }
}

/* A plate with a hole, or a funnel. */
static ScreeWorld *with_opening(bool funnel) {
    ScreeWorldDef def = scree_world_def_default();
    ScreeWallDef wall = scree_wall_def_default();
    def.dimension = 3;
    def.time_step = 1e-3;
    def.gravity = rig_vec(0, 0, -9.81);
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0.4);
    wall.shape = funnel ? SCREE_WALL_CONE : SCREE_WALL_PLATE;
    wall.radius = 0.008;
    wall.axis = rig_vec(0, 0, 1);
    wall.length = funnel ? 0.04 : 0;
    wall.end_radius = funnel ? 0.05 : 0;
    wall.half = rig_vec(0.05, 0.05, 0);
    wall.holes[0] = wall.holes[1] = 1;
    rig_add_wall(world, &wall);
    return world;
}

/* A tablet without rounding that falls on the rim, anyhow. */
static ScreeWorld *falling_tablet(bool funnel, uint64_t random) {
    ScreeWorld *world = with_opening(funnel);
    ScreeBodyDef body = scree_body_def_default();
    double angle = 2 * RIG_PI * rig_random(&random);
    double out =
        0.008 + (funnel ? 0.01 * rig_random(&random) : rig_random_vec(&random, 0.006, 1).x);
    body.shape = rig_cone(world, 0.006, 0.006, 0.004, 0);
    body.position = rig_vec(out * cos(angle), out * sin(angle), 0.02);
    body.orientation = rig_random_rotation(&random, 3);
    body.velocity = rig_add(rig_vec(0, 0, -1), 1, rig_random_vec(&random, 0.4, 3));
    body.spin = rig_random_vec(&random, 30, 3);
    rig_add_body(world, &body);
    return world;
}

/* Where its sharp rim crosses that of the wall, it is parted across both: no step misses its tolerance, and it never enters
 * the wall by more than 2e-3 of its diameter, of which it moves a tenth in a step. */
static void sharp_tablets_fall_on_rims(void) {
    for (int k = 0; k < 32; k += CHECK_STRIDE) {
        ScreeWorld *world = falling_tablet(k % 2 == 1, 1000 + (uint64_t)k);
        double deepest = 0;
        int open = 0;
        for (int step = 0; step < 100; step++) {
            const ScreeReport report = rig_step(world);
            open += !report.converged;
            deepest = fmax(deepest, report.overlap_max);
        }
        CHECK(open == 0);
        CHECK(deepest < 2e-3 * 0.012);
        scree_world_destroy(world);
    }
}

/* A cone that is cut off and sharp, at these places, flies at a plate with a hole or into a funnel; how deep it is in the wall
 * at most. Where a step does not converge, infinitely. */
static double depth_of_cone(bool funnel, const ScreeBodyDef *start) {
    ScreeWorld *world = with_opening(funnel);
    ScreeBodyDef body = *start;
    double deepest = 0;
    body.shape = rig_cone(world, 0.006, 0.003, 0.006, 0);
    rig_add_body(world, &body);
    for (int step = 0; step < 80; step++) {
        const ScreeReport report = rig_step(world);
        deepest = fmax(deepest, report.converged ? report.overlap_max : INFINITY);
    }
    scree_world_destroy(world);
    return deepest;
}

/* It strikes the plate with its lower rim, turns within the step and passes the plate by more than a tenth of its size
 * elsewhere, unless that is seen, too. */
static void a_cone_does_not_fly_through_a_plate(void) {
    ScreeBodyDef body = scree_body_def_default();
    body.position = rig_vec(0.0095561859678151423, 4.2626633437091344e-09, 0.02);
    body.orientation = (ScreeQuat){0.99663438919820224, -0.055206427367825217,
                                   -0.042155733810868665, -0.043532042815316974};
    body.velocity = rig_vec(-0.012998153609538755, -0.017298083683799991, -1.3300946657025237);
    body.spin = rig_vec(22.797873052499316, 12.591207051214553, 15.573865575642179);
    CHECK(depth_of_cone(false, &body) < 1e-3 * 0.012);
}

/* Half out of the mouth of a funnel it is outside of it, and what of it is still within has not entered the wall. */
static void a_cone_leaves_a_funnel_through_its_mouth(void) {
    ScreeBodyDef body = scree_body_def_default();
    body.position = rig_vec(0.012417347241289057, 5.0841999594730852e-09, 0.02);
    body.orientation = (ScreeQuat){0.81196078797712889, 0.011053325202166326, -0.2144905591824969,
                                   0.54276265790040756};
    body.velocity = rig_vec(-0.030773153952356937, -0.063664093909825012, -0.70168473547929255);
    body.spin = rig_vec(-15.732699413794439, -24.022808000916747, 16.797201640331355);
    CHECK(depth_of_cone(true, &body) < 1e-3 * 0.012);
}

int main(int argc, char **argv) {
    CHECK_RUN(a_ball_orbits_in_a_funnel);
    CHECK_RUN(a_ball_rolls_down_a_funnel);
    CHECK_RUN(a_ball_sits_in_a_hole);
    CHECK_RUN(a_ball_sits_in_a_funnel);
    CHECK_RUN(a_sieve_parts_balls_by_size);
    CHECK_RUN(a_ball_circles_on_a_turntable);
    CHECK_RUN(solids_go_alike_on_a_plane_a_disc_and_a_plate);
    CHECK_RUN(solids_lie_over_a_hole);
    CHECK_RUN(a_box_lies_on_a_small_disc);
    CHECK_RUN(a_funnel_bears_solids);
    CHECK_RUN(a_sieve_parts_solids_by_size);
    CHECK_RUN(the_outside_of_a_cone_is_that_of_a_solid_one);
    CHECK_RUN(sharp_tablets_fall_on_rims);
    CHECK_RUN(a_cone_does_not_fly_through_a_plate);
    CHECK_RUN(a_cone_leaves_a_funnel_through_its_mouth);
    return check_result();
}

/* Walls that hold bodies: rough plates, fixed, moved and loaded; and pistons that slide. */
#include "rig.h"

static ScreeWallDef plate(ScreeVec3 pivot, ScreeWallMotion motion) {
    ScreeWallDef def = scree_wall_def_default();
    def.shape = SCREE_WALL_HOLDER;
    def.point = pivot;
    def.motion = motion;
    def.direction = rig_vec(0, 1, 0);
    def.mass = 1;
    return def;
}

static void hold(ScreeWorld *world, int32_t body, int32_t wall) {
    rig_must(scree_body_set_holder(world, (ScreeBodyId){body}, (ScreeWallId){wall}), "hold");
}

/* A plate of K balls falls free under its force, y = F/M dt^2 n (n + 1) / 2 by implicit Euler, takes
 * all of its balls along, and gravity and their own masses count for nothing. */
static void plate_falls_by_its_force_alone(void) {
    const double M = 3, F = -2, dt = 0.01;
    for (int dimension = 2; dimension <= 3; dimension++) {
        ScreeWorld *world = rig_world(dimension, dt, rig_vec(0, -9.81, 0), 0.3);
        ScreeWallDef wall = plate(rig_vec(0, 0, 0), SCREE_WALL_PISTON);
        wall.mass = M;
        wall.force = rig_vec(5, F, 0);
        int32_t lid = rig_add_wall(world, &wall);
        for (int i = 0; i < 4; i++) { /* they overlap, and that is nobody's concern */
            hold(world, rig_add_ball(world, rig_vec(0.7 * i, 0.1 * i, 0), 0.5, 1 + i), lid);
        }
        for (int n = 1; n <= 50; n++) {
            ScreeReport report = rig_step(world);
            double v = F / M * dt * n, y = F / M * dt * dt * n * (n + 1) / 2;
            for (int i = 0; i < 4; i++) {
                CHECK_VEC(scree_world_get_bodies(world).position[i],
                          rig_vec(0.7 * i, 0.1 * i + y, 0), 1e-13);
                CHECK_VEC(scree_world_get_bodies(world).velocity[i], rig_vec(0, v, 0), 1e-13);
            }
            CHECK_CLOSE(report.kinetic_energy, 0.5 * M * v * v, 1e-12);
            CHECK_NEAR(report.energy_error, 0, 1e-14);
            CHECK(report.contacts == 0 && report.overlap_max == 0);
        }
        scree_world_destroy(world);
    }
}

/* A plate of one ball is a ball of the plate's mass that moves along y alone: an independent way through
 * the program for whatever it meets. */
static void plate_of_one_ball_moves_like_a_ball(void) {
    const double M = 2, F = -30, dt = 2e-3;
    for (int dimension = 2; dimension <= 3; dimension++) {
        ScreeWorld *world[2];
        const ScreeVec3 start = rig_vec(0.1, 2.5, 0);
        for (int k = 0; k < 2; k++) {
            uint64_t random = 7;
            world[k] = rig_world(dimension, dt, rig_vec(0, -9.81, 0), 0.4);
            rig_add_plane(world[k], rig_vec(0, 0, 0), rig_vec(0, 1, 0));
            for (int i = 0; i < 8; i++) {
                double x = -0.9 + 0.6 * (i % 4) + 0.05 * rig_random(&random);
                rig_add_ball(world[k], rig_vec(x, 0.3 + 0.6 * (i / 4), 0), 0.25, 0.2);
            }
            ScreeBodyDef tooth = rig_ball(start, 0.8, M);
            if (k == 0) {
                ScreeWallDef wall = plate(start, SCREE_WALL_PISTON);
                wall.mass = M;
                wall.force = rig_vec(0, F, 0);
                tooth.mass = 17; /* does not matter */
                hold(world[k], rig_add_body(world[k], &tooth), rig_add_wall(world[k], &wall));
            } else {
                tooth.force = rig_vec(0, F + M * 9.81, 0);
                tooth.frozen = SCREE_FREEZE_X | SCREE_FREEZE_Z | SCREE_FREEZE_ROTATION;
                rig_add_body(world[k], &tooth);
            }
        }
        for (int step = 0; step < 200; step++) {
            rig_step(world[0]);
            rig_step(world[1]);
        }
        CHECK(scree_world_get_bodies(world[0]).position[8].y < 2); /* it is among the grains */
        for (int i = 0; i < 9; i++) {
            CHECK_VEC(scree_world_get_bodies(world[0]).position[i],
                      scree_world_get_bodies(world[1]).position[i], 1e-8);
        }
        scree_world_destroy(world[0]);
        scree_world_destroy(world[1]);
    }
}

/* A ball of weight W lies on two held ones, symmetric about x = 1: the load is its weight, and the
 * torque about a pivot at 0 is -W times 1. */
static void load_and_torque_are_those_of_the_grains(void) {
    const double W = 9.81 * 0.6;
    for (int piston = 0; piston < 2; piston++) {
        ScreeWorld *world = rig_world(2, 1e-3, rig_vec(0, -9.81, 0), 0.5);
        ScreeWallDef wall = plate(rig_vec(0, 0, 0), piston ? SCREE_WALL_PISTON : SCREE_WALL_FIXED);
        wall.force = rig_vec(0, W, 0);
        int32_t tray = rig_add_wall(world, &wall);
        hold(world, rig_add_ball(world, rig_vec(0.6, 0, 0), 0.5, 1), tray);
        rig_add_ball(world, rig_vec(1, sqrt(1 - 0.16), 0), 0.5, 0.6);
        hold(world, rig_add_ball(world, rig_vec(1.4, 0, 0), 0.5, 1), tray);
        for (int step = 0; step < 50; step++) {
            rig_step(world);
        }
        CHECK_VEC(rig_wall(world, tray).load, rig_vec(0, -W, 0), 1e-9 * W);
        CHECK_NEAR(rig_wall(world, tray).load_torque.z, -W * 1, 1e-9 * W);
        CHECK_NEAR(rig_wall(world, tray).displacement.y, 0, 1e-10);
        scree_world_destroy(world);
    }
}

/* Held bodies stay on their circle, to rounding, however coarse the steps; in a periodic cell too. */
static void turning_plate_takes_bodies_along_its_arc(void) {
    const double dt = 0.05, w = 1.7, pi = RIG_PI;
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int periodic = 0; periodic < 2; periodic++) {
            ScreeWorldDef def = rig_def(dimension, dt, rig_vec(0, 0, 0));
            def.periodic[0] = periodic == 1;
            def.cell_min = rig_vec(0, 0, 0);
            def.cell_max = rig_vec(5, 1, 1);
            ScreeWorld *world = rig_create(&def);
            rig_material(world, 0.2);
            ScreeWallDef wall = plate(rig_vec(0.5, 3, 0), SCREE_WALL_MOVED);
            wall.spin = rig_vec(0, 0, w);
            wall.velocity = rig_vec(0, 0.1, 0);
            int32_t arm = rig_add_wall(world, &wall);
            hold(world, rig_add_ball(world, rig_vec(1.7, 3, 0), 0.3, 1), arm);
            for (int n = 1; n <= 200; n++) {
                rig_step(world);
                double angle = fmod(w * dt * n, 2 * pi);
                ScreeVec3 x =
                    rig_vec(0.5 + 1.2 * cos(angle), 3 + 0.1 * dt * n + 1.2 * sin(angle), 0);
                ScreeVec3 off = rig_sub(scree_world_get_bodies(world).position[0], x);
                off.x -= periodic ? 5 * nearbyint(off.x / 5) : 0;
                CHECK_VEC(off, rig_vec(0, 0, 0), 1e-12);
                CHECK_VEC(scree_world_get_bodies(world).velocity[0],
                          rig_vec(-1.2 * w * sin(angle), 0.1 + 1.2 * w * cos(angle), 0), 1e-11);
            }
            scree_world_destroy(world);
        }
    }
}

/* Rough plates that span a periodic cell shear a packing: upper and lower plate as given. */
typedef struct Shear {
    ScreeWorld *world;
    int32_t lower, upper;
    size_t grains;
} Shear;

static Shear make_shear(int dimension, int shapes, int threads, double theta, unsigned laws) {
    ScreeWorldDef def = rig_def(dimension, 5e-3, rig_vec(0, 0, 0));
    def.periodic[0] = true;
    def.periodic[2] = dimension == 3;
    def.cell_max = rig_vec(3, 3, 3);
    def.theta = theta;
    def.threads = threads;
    def.solver.tolerance = 1e-9;
    Shear k = {.world = rig_create(&def)};
    ScreeMaterialDef material = scree_material_def_default();
    material.law.friction = 0.4;
    material.law.cohesion = laws & 1 ? 0.2 : 0;
    material.law.cohesion_range = laws & 1 ? 0.02 : 0;
    material.law.rolling = laws & 2 ? 0.1 : 0;
    material.law.restitution = laws & 4 ? 0.5 : 0;
    rig_must(scree_world_add_material(k.world, &material, NULL), "material");
    ScreeShapeId square = SCREE_NO_SHAPE;
    if (shapes) {
        const ScreeShapePart part = {4, 0.02};
        const ScreeVec3 corner[4] = {rig_vec(-0.1, -0.1, 0), rig_vec(0.1, -0.1, 0),
                                     rig_vec(0.1, 0.1, 0), rig_vec(-0.1, 0.1, 0)};
        const ScreeShapeDef shape = {&part, 1, corner};
        rig_must(scree_world_add_shape(k.world, &shape, &square), "shape");
    }
    ScreeWallDef low = plate(rig_vec(0, 0, 0), SCREE_WALL_MOVED);
    low.velocity = rig_vec(0.4, 0, 0);
    k.lower = rig_add_wall(k.world, &low);
    ScreeWallDef up = plate(rig_vec(0, 1.6, 0), SCREE_WALL_PISTON);
    up.mass = 0.3;
    up.direction = rig_vec(0, -1, 0);
    up.stress = 0.7;
    up.velocity = rig_vec(-0.2, 0, 0);
    k.upper = rig_add_wall(k.world, &up);
    uint64_t random = 11;
    for (int layer = 0; layer < 5; layer++) {
        for (int i = 0; i < 8; i++) {
            for (int j = 0; j < (dimension == 3 ? 8 : 1); j++) {
                ScreeVec3 x = rig_vec(0.375 * i + 0.1, 0.4 * layer, dimension == 3 ? 0.375 * j : 0);
                ScreeBodyDef ball = rig_ball(x, 0.15 + 0.03 * rig_random(&random), 0.1);
                ball.shape = square;
                int32_t body = rig_add_body(k.world, &ball);
                if (layer == 0 || layer == 4) {
                    hold(k.world, body, layer == 0 ? k.lower : k.upper);
                } else {
                    k.grains++;
                }
            }
        }
    }
    return k;
}

static ScreeVec3 momentum(const ScreeWorld *world) {
    ScreeBodyView b = scree_world_get_bodies(world);
    ScreeVec3 sum = rig_vec(0, 0, 0);
    for (size_t i = 0; i < b.count; i++) {
        if (b.holder[i].index < 0) {
            sum = rig_add(sum, b.mass[i], b.velocity[i]);
        }
    }
    return sum;
}

/* What the free grains gain in momentum is what the plates exert on them; the piston's own balance
 * holds with stress times the area of the cell; and energy is accounted for to rounding, with the work
 * of the plates. */
static void plates_exchange_momentum_and_energy(void) {
    for (int kind = 0; kind < 6; kind++) {
        const int dimension = kind == 5 ? 3 : 2;
        const unsigned laws = kind == 2 ? 3 : kind == 3 ? 4 : 0;
        Shear k = make_shear(dimension, kind == 1, 1, kind == 4 ? 0.5 : 1, laws);
        const double dt = 5e-3, force = 0.7 * (dimension == 3 ? 9 : 3);
        double work = 0;
        ScreeVec3 before = momentum(k.world);
        for (int step = 0; step < (dimension == 3 ? 40 : 150); step++) {
            const double v = rig_wall(k.world, k.upper).now.velocity.y;
            ScreeReport report = rig_step(k.world);
            ScreeWallState lower = rig_wall(k.world, k.lower), upper = rig_wall(k.world, k.upper);
            ScreeVec3 after = momentum(k.world), load = rig_add(lower.load, 1, upper.load);
            CHECK_VEC(rig_sub(after, before), rig_scale(-dt, load), 1e-12);
            CHECK_NEAR(0.3 * (upper.now.velocity.y - v), dt * (upper.load.y - force), 1e-12);
            CHECK_NEAR(upper.now.velocity.x, -0.2, 1e-15);
            CHECK_NEAR(report.energy_error, 0, 1e-13);
            CHECK_NEAR(report.kinetic_energy, scree_world_get_kinetic_energy(k.world), 1e-13);
            /* all that the plates exert, times their own velocities */
            CHECK_NEAR(report.work_walls, -dt * (0.4 * lower.load.x - 0.2 * upper.load.x), 1e-13);
            work += report.work_walls;
            before = after;
        }
        CHECK(work > 1e-3);
        CHECK(k.grains == (dimension == 3 ? 192 : 24));
        scree_world_destroy(k.world);
    }
}

static uint64_t hash_of(const ScreeWorld *world) {
    return scree_world_hash(world);
}

/* Threads and restarts change no bit; a snapshot knows what is held. */
static void held_bodies_restart_bit_for_bit(void) {
    for (int kind = 0; kind < 3; kind++) {
        uint64_t last = 0;
        for (int threads = 1; threads <= 3; threads += 2) {
            Shear k = make_shear(kind == 2 ? 3 : 2, kind == 1, threads, 1, 1);
            for (int step = 0; step < 20; step++) {
                rig_step(k.world);
            }
            size_t size = 0;
            rig_must(scree_world_save(k.world, NULL, &size), "size");
            void *bytes = malloc(size);
            rig_must(scree_world_save(k.world, bytes, &size), "save");
            ScreeWorld *copy = NULL;
            rig_must(scree_world_load(bytes, size, &copy, NULL), "load");
            free(bytes);
            CHECK(scree_world_get_bodies(copy).holder[0].index == k.lower);
            for (int step = 0; step < 20; step++) {
                rig_step(k.world);
                rig_step(copy);
            }
            CHECK(hash_of(k.world) == hash_of(copy));
            CHECK(last == 0 || last == hash_of(k.world));
            last = hash_of(k.world);
            scree_world_destroy(copy);
            scree_world_destroy(k.world);
        }
    }
}

/* A body that is let go falls like any other; removing the wall lets all go; removing bodies keeps the
 * others with their walls. */
static void bodies_are_let_go(void) {
    ScreeWorld *world = rig_world(2, 0.01, rig_vec(0, -10, 0), 0);
    ScreeWallDef wall = plate(rig_vec(0, 0, 0), SCREE_WALL_MOVED);
    wall.velocity = rig_vec(1, 0, 0);
    int32_t arm = rig_add_wall(world, &wall);
    for (int i = 0; i < 4; i++) {
        int32_t body = rig_add_ball(world, rig_vec(3 * i, 0, 0), 0.5, 1);
        if (i > 0) {
            hold(world, body, arm);
        }
    }
    rig_step(world);
    CHECK(scree_body_set_frozen(world, (ScreeBodyId){1}, 0) == SCREE_BAD_ARGUMENT);
    CHECK(scree_body_set_holder(world, (ScreeBodyId){1}, (ScreeWallId){7}) == SCREE_BAD_ID);
    hold(world, 1, -1);
    const ScreeBodyId gone = {0};
    rig_must(scree_world_remove_bodies(world, &gone, 1), "remove");
    rig_step(world);
    ScreeBodyView b = scree_world_get_bodies(world);
    CHECK(b.count == 3 && b.holder[0].index == -1 && b.holder[1].index == arm);
    CHECK_VEC(b.velocity[0], rig_vec(1, -0.1, 0), 1e-15);
    CHECK_VEC(b.velocity[1], rig_vec(1, 0, 0), 1e-15);
    rig_must(scree_wall_remove(world, (ScreeWallId){arm}), "remove");
    rig_step(world);
    b = scree_world_get_bodies(world);
    CHECK(b.holder[1].index == -1 && b.holder[2].index == -1);
    CHECK_VEC(b.velocity[2], rig_vec(1, -0.1, 0), 1e-15);
    scree_world_destroy(world);
}

/* Without inertia: the load of a plate at rest is its force, by matrices and in statics. */
static void matrices_and_statics_find_the_same(void) {
    for (int engine = 0; engine < 3; engine++) {
        ScreeWorldDef def = rig_def(2, 1e-2, rig_vec(0, -1, 0));
        def.solver.tolerance = 1e-9;
        if (engine == 1) {
            def.solver.method = SCREE_METHOD_NEWTON;
        } else if (engine == 2) {
            def.engine = SCREE_ENGINE_QUASISTATIC;
            def.solver.tolerance = 1e-6;
        }
        ScreeWorld *world = rig_create(&def);
        rig_material(world, 0.5);
        int32_t ground = rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        ScreeWallDef wall = plate(rig_vec(0, 2, 0), SCREE_WALL_PISTON);
        wall.force = rig_vec(0, -5, 0);
        int32_t lid = rig_add_wall(world, &wall);
        for (int i = 0; i < 3; i++) {
            rig_add_ball(world, rig_vec(1.5 * i, 0.5, 0), 0.5, 0.2);
            hold(world, rig_add_ball(world, rig_vec(1.5 * i, 1.5, 0), 0.5, 1), lid);
        }
        for (int step = 0; step < 10; step++) {
            rig_step(world);
        }
        CHECK_NEAR(rig_wall(world, lid).load.y, 5, 5e-6);
        CHECK_NEAR(rig_wall(world, ground).load.y, -(5 + 0.6), 5e-6);
        CHECK_NEAR(rig_wall(world, lid).displacement.y, 0, 1e-6);
        scree_world_destroy(world);
    }
}

/* A piston turns into a moved wall and back. A block of friction mu under a load F that slides over
 * a ball that cannot turn takes it along with mu F. */
static void piston_slides_and_turns_into_a_moved_wall(void) {
    const double F = 4, mu = 0.3, m = 0.5, dt = 0.01;
    ScreeWorld *world = rig_world(2, dt, rig_vec(0, 0, 0), mu);
    ScreeMaterialDef smooth = scree_material_def_default();
    ScreeMaterialId ice;
    rig_must(scree_world_add_material(world, &smooth, &ice), "material");
    ScreeWallDef floor = rig_plane(rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    floor.material = ice;
    rig_add_wall(world, &floor);
    ScreeWallDef lid = rig_plane(rig_vec(0, 1, 0), rig_vec(0, -1, 0));
    lid.motion = SCREE_WALL_PISTON;
    lid.mass = 2;
    lid.force = rig_vec(0, -F, 0);
    lid.velocity = rig_vec(9, 0, 0);
    lid.material = (ScreeMaterialId){0};
    int32_t wall = rig_add_wall(world, &lid);
    ScreeBodyDef ball = rig_ball(rig_vec(0, 0.5, 0), 0.5, m);
    ball.frozen = SCREE_FREEZE_ROTATION;
    rig_add_body(world, &ball);
    for (int n = 1; n <= 20; n++) {
        ScreeReport report = rig_step(world);
        CHECK_NEAR(scree_world_get_bodies(world).velocity[0].x, mu * F / m * dt * n, 1e-10);
        CHECK_VEC(rig_wall(world, wall).load, rig_vec(-mu * F, F, 0), 1e-9);
        CHECK_NEAR(rig_wall(world, wall).displacement.x, 9 * dt * n, 1e-12);
        CHECK_NEAR(report.work_walls, mu * F * 9 * dt, 1e-10);
        CHECK_NEAR(report.kinetic_energy, 0.5 * m * pow(mu * F / m * dt * n, 2), 1e-10);
        CHECK_NEAR(report.energy_error, 0, 1e-13);
    }
    rig_must(
        scree_wall_set_velocity(world, (ScreeWallId){wall}, rig_vec(-1, 5, 0), rig_vec(0, 0, 0)),
        "slide");
    CHECK_VEC(rig_wall(world, wall).now.velocity, rig_vec(-1, 0, 0), 1e-9);
    CHECK(scree_wall_set_velocity(world, (ScreeWallId){wall}, rig_vec(0, 0, 0), rig_vec(0, 0, 1)) ==
          SCREE_BAD_ARGUMENT);
    rig_must(scree_wall_make_moved(world, (ScreeWallId){wall}), "moved");
    CHECK(scree_wall_make_moved(world, (ScreeWallId){wall}) == SCREE_BAD_ARGUMENT);
    rig_must(
        scree_wall_set_velocity(world, (ScreeWallId){wall}, rig_vec(0, 0.25, 0), rig_vec(0, 0, 0)),
        "move");
    for (int n = 0; n < 4; n++) {
        rig_step(world);
    }
    CHECK_NEAR(rig_wall(world, wall).now.point.y, 1.01, 1e-9);
    CHECK_NEAR(rig_wall(world, wall).load.y, 0, 0);
    rig_must(scree_wall_make_piston(world, (ScreeWallId){wall}, 0.7, rig_vec(0, 0, 0)), "piston");
    rig_must(scree_wall_set_force(world, (ScreeWallId){wall}, rig_vec(0, -F, 0)), "force");
    rig_step(world); /* from 0.25 upwards, slowed by F / m */
    CHECK_NEAR(rig_wall(world, wall).now.velocity.y, 0.25 - F / 0.7 * dt, 1e-12);
    CHECK(scree_wall_make_piston(world, (ScreeWallId){wall}, 0, rig_vec(0, 1, 0)) ==
          SCREE_BAD_ARGUMENT);
    scree_world_destroy(world);
}

int main(int argc, char **argv) {
    CHECK_RUN(plate_falls_by_its_force_alone);
    CHECK_RUN(plate_of_one_ball_moves_like_a_ball);
    CHECK_RUN(load_and_torque_are_those_of_the_grains);
    CHECK_RUN(turning_plate_takes_bodies_along_its_arc);
    CHECK_RUN(plates_exchange_momentum_and_energy);
    CHECK_RUN(held_bodies_restart_bit_for_bit);
    CHECK_RUN(bodies_are_let_go);
    CHECK_RUN(matrices_and_statics_find_the_same);
    CHECK_RUN(piston_slides_and_turns_into_a_moved_wall);
    return check_result();
}

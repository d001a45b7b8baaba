/* The quasi-static engine: closed forms of springs and levers, balance of walls, a small biaxial
 * test, and what it says when there is no equilibrium. */
#include "physics/polygon_rig.h"
#include "shape/nurbs_shapes.h"

static ScreeWorldDef quasistatic(int dimension, ScreeVec3 gravity) {
    ScreeWorldDef def = rig_def(dimension, 1, gravity);
    def.engine = SCREE_ENGINE_QUASISTATIC;
    return def;
}

/* Disks of two sizes between four frictionless walls: left and bottom fixed, the right one under a
 * stress, the top one moving. They were packed between pistons by contact dynamics without
 * friction. */
enum { SIDE = CHECK_STRIDE == 1 ? 8 : 5, DISKS = SIDE * SIDE };

typedef struct Packing {
    ScreeVec3 position[DISKS];
    double radius[DISKS], width, height;
} Packing;

static Packing pack(void) {
    const double sigma = 100;
    Packing p;
    uint64_t seed = 7;
    ScreeWorldDef def = rig_def(2, 2e-3, rig_vec(0, 0, 0));
    def.solver.tolerance = 1e-4;
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0);
    for (int i = 0; i < DISKS; i++) {
        p.radius[i] = 0.35 + 0.15 * rig_random(&seed);
        ScreeVec3 at = rig_vec(0.5 + 1.05 * (i % SIDE), 0.5 + 1.05 * (double)(i / SIDE), 0);
        rig_add_ball(world, rig_add(at, 1, rig_random_vec(&seed, 0.02, 2)), p.radius[i], 0);
    }
    const double far = 1.05 * SIDE + 0.1;
    rig_add_plane(world, rig_vec(-0.1, 0, 0), rig_vec(1, 0, 0));
    rig_add_plane(world, rig_vec(0, -0.1, 0), rig_vec(0, 1, 0));
    ScreeWallDef lid = rig_plane(rig_vec(far, 0, 0), rig_vec(-1, 0, 0));
    lid.motion = SCREE_WALL_PISTON;
    lid.mass = 5;
    lid.stress = sigma;
    lid.between[0].index = 1;
    lid.between[1].index = 3;
    rig_add_wall(world, &lid);
    lid.point = rig_vec(0, far, 0);
    lid.normal = rig_vec(0, -1, 0);
    lid.between[0].index = 0;
    lid.between[1].index = 2;
    rig_add_wall(world, &lid);
    for (int i = 0; i < 1500; i++) {
        rig_step(world);
    }
    ScreeVec3 corner = rig_vec(-0.1, -0.1, 0);
    for (int i = 0; i < DISKS; i++) {
        p.position[i] = rig_sub(scree_world_get_bodies(world).position[i], corner);
    }
    p.width = rig_wall(world, 2).now.point.x - corner.x;
    p.height = rig_wall(world, 3).now.point.y - corner.y;
    scree_world_destroy(world);
    return p;
}

/* Packed once for all the tests of this file. */
static const Packing *packing(void) {
    static Packing p;
    static bool packed;
    if (!packed) {
        p = pack();
        packed = true;
    }
    return &p;
}

typedef struct Biaxial {
    ScreeWorld *world;
    int32_t left, bottom, right, top;
} Biaxial;

static Biaxial biaxial(const Packing *p, const ScreeLaw *law, double sigma, double speed,
                       bool exact) {
    ScreeWorldDef def = quasistatic(2, rig_vec(0, 0, 0));
    def.variational.exact = exact;
    Biaxial b = {.world = rig_create(&def)};
    rig_law(b.world, law);
    ScreeLaw smooth = *law;
    smooth.friction = 0;
    int32_t slippery = rig_law(b.world, &smooth);
    for (int i = 0; i < DISKS; i++) {
        rig_add_ball(b.world, p->position[i], p->radius[i], 0);
    }
    ScreeWallDef wall = rig_plane(rig_vec(0, 0, 0), rig_vec(1, 0, 0));
    wall.material.index = slippery;
    b.left = rig_add_wall(b.world, &wall);
    wall.normal = rig_vec(0, 1, 0);
    b.bottom = rig_add_wall(b.world, &wall);
    wall.point = rig_vec(0, p->height, 0);
    wall.normal = rig_vec(0, -1, 0);
    wall.motion = SCREE_WALL_MOVED;
    wall.velocity = rig_vec(0, -speed, 0);
    b.top = rig_add_wall(b.world, &wall);
    wall.point = rig_vec(p->width, 0, 0);
    wall.normal = rig_vec(-1, 0, 0);
    wall.motion = SCREE_WALL_PISTON;
    wall.velocity = rig_vec(0, 0, 0);
    wall.mass = 1;
    wall.stress = sigma;
    wall.between[0].index = b.bottom;
    wall.between[1].index = b.top;
    b.right = rig_add_wall(b.world, &wall);
    return b;
}

static double largest_force(const ScreeWorld *world) {
    ScreeContactView view = scree_world_get_contacts(world);
    double most = 0;
    for (size_t i = 0; i < view.count; i++) {
        most = fmax(most, view.contact[i].normal_impulse / view.time_step);
    }
    return most;
}

static void biaxial_loads_balance(void) {
    const Packing *p = packing();
    const double sigma = 125, d = 0.85;
    const double stiffness[4] = {INFINITY, 1e8, 1e6, 1e5};
    for (int k = 0; k < 4; k++) {
        ScreeLaw law = scree_law_default();
        law.friction = 0.5;
        law.stiffness = stiffness[k];
        law.stiffness_tangential = 2 * stiffness[k] / 3;
        Biaxial b = biaxial(p, &law, sigma, 0.0014 * p->height, false);
        for (int step = 0; step < 30; step++) {
            ScreeReport r = rig_step(b.world);
            ScreeWallState top = rig_wall(b.world, b.top), right = rig_wall(b.world, b.right);
            double height = top.now.point.y;
            CHECK(r.converged == 1 && r.iterations <= 35);
            CHECK_CLOSE(right.load.x, sigma * height, 1e-6);
            CHECK_NEAR(top.load.y + rig_wall(b.world, b.bottom).load.y, 0, 1e-5 * sigma * d);
            double most = largest_force(b.world); /* overlaps are those of the springs */
            CHECK(r.overlap_max <= 2 * most / law.stiffness + 1e-6 * d);
            CHECK(fabs(r.energy_error) <
                  1e-6 * (fabs(r.work_walls) + fabs(r.work_external)) + 1e-4);
        }
        scree_world_destroy(b.world);
    }
}

/* Coulomb's exact law is reached as a rule. Where it is not, the certificate says so, and the rest
 * of the increment obeys the associated law: all of it if it was made at once, else those strides
 * that follow the last exact one, and the certificate has the largest residual of each law. Loads
 * balance either way. */
static void exact_friction_is_reached_or_reported(void) {
    const Packing *p = packing();
    const double sigma = 125, frictions[2] = {0.5, 0.1};
    const int steps = CHECK_STRIDE == 1 ? 4 : 2;
    for (int k = 0; k < 2; k += CHECK_STRIDE) {
        ScreeLaw law = scree_law_default();
        law.friction = frictions[k];
        Biaxial b = biaxial(p, &law, sigma, 0.0014 * p->height, true);
        int reached = 0;
        for (int step = 0; step < steps; step++) {
            ScreeReport r = rig_step(b.world);
            ScreeWallState right = rig_wall(b.world, b.right);
            CHECK_CLOSE(right.load.x, sigma * rig_wall(b.world, b.top).now.point.y, 1e-4);
            CHECK(r.converged == 1 ? r.residual < 1e-5
                                   : r.residual_associated < 1e-5 || r.strides > 0);
            CHECK(r.converged == 0 || r.residual_associated > 10 * r.residual);
            CHECK(r.overlap_max < 1e-3);
            reached += r.converged == 1;
        }
        CHECK(reached >= steps - 1);
        scree_world_destroy(b.world);
    }
}

static ScreeLaw springs(double stiffness) {
    ScreeLaw law = scree_law_default();
    law.friction = 0.5;
    law.stiffness = stiffness;
    law.stiffness_tangential = 2 * stiffness / 3;
    return law;
}

/* With springs forces change continuously, and Coulomb's law is reached in every increment: where
 * the walls move too far at once, in strides. Everything else is as it is without them: walls are
 * where they should be, loads and energy balance, and a contact that slides is not lifted, so that
 * the associated law is violated. */
static void exact_friction_is_reached_with_springs(void) {
    const Packing *p = packing();
    const double sigma = 125, speed = 0.0014 * p->height, stiffness[2] = {1e5, 1e7};
    const int steps = CHECK_STRIDE == 1 ? 8 : 3;
    for (int k = 0; k < 2; k++) {
        const ScreeLaw law = springs(stiffness[k]);
        Biaxial b = biaxial(p, &law, sigma, speed, true);
        int64_t strides = 0;
        for (int step = 1; step <= steps; step++) {
            ScreeReport r = rig_step(b.world);
            double height = rig_wall(b.world, b.top).now.point.y;
            CHECK(r.converged == 1 && r.residual < 1e-5);
            CHECK(step == 1 || r.residual_associated > 10 * r.residual);
            CHECK_CLOSE(height, p->height - step * speed, 1e-12);
            CHECK_CLOSE(rig_wall(b.world, b.right).load.x, sigma * height, 1e-4);
            CHECK(fabs(r.energy_error) <
                  1e-4 * (fabs(r.work_walls) + fabs(r.work_external)) + 1e-4);
            strides += r.strides;
        }
        CHECK(k == 0 || strides > 0);
        CHECK(rig_restarts(b.world, 2));
        scree_world_destroy(b.world);
    }
}

/* ---------------------------------------------------------------- closed forms */

/* A lattice of n by n disks with springs between smooth walls: each column and row is n + 1 springs
 * in series. */
static void lattice_of_springs_deforms_as_computed(void) {
    enum { N = 4 };
    const double k = 1e4, sigma = 20, step = 1e-3;
    ScreeWorldDef def = quasistatic(2, rig_vec(0, 0, 0));
    ScreeWorld *world = rig_create(&def);
    ScreeLaw law = scree_law_default();
    law.stiffness = k;
    law.stiffness_tangential = 0.5 * k;
    rig_law(world, &law);
    for (int i = 0; i < N * N; i++) {
        rig_add_ball(world, rig_vec(0.5 + i % N, 0.5 + (double)(i / N), 0), 0.5, 0);
    }
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(1, 0, 0));
    int32_t floor = rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    ScreeWallDef wall = rig_plane(rig_vec(0, N, 0), rig_vec(0, -1, 0));
    wall.motion = SCREE_WALL_MOVED;
    wall.velocity = rig_vec(0, -step, 0);
    int32_t lid = rig_add_wall(world, &wall);
    wall = rig_plane(rig_vec(N, 0, 0), rig_vec(-1, 0, 0));
    wall.motion = SCREE_WALL_PISTON;
    wall.mass = 1e-9; /* has no effect */
    wall.stress = sigma;
    wall.between[0].index = floor;
    wall.between[1].index = lid;
    int32_t right = rig_add_wall(world, &wall);
    for (int n = 1; n <= 5; n++) {
        ScreeReport r = rig_step(world);
        double column = k * step * n / (N + 1), row = sigma * (N - step * n) / N;
        CHECK_CLOSE(rig_wall(world, lid).load.y, N * column, 1e-5);
        CHECK_CLOSE(N - rig_wall(world, right).now.point.x, row * (N + 1) / k, 1e-6);
        CHECK_CLOSE(rig_wall(world, right).load.x, N * row, 1e-9);
        /* overlap p / k of the more loaded kind, and the energy of all springs */
        CHECK_CLOSE(r.overlap_max, fmax(column, row) / k, 1e-5);
        CHECK_CLOSE(r.energy_elastic, N * (N + 1) * (column * column + row * row) / (2 * k), 1e-5);
        CHECK(r.kinetic_energy == 0 && r.converged == 1);
        CHECK_NEAR(r.energy_error, 0, 1e-6 * r.energy_elastic);
    }
    scree_world_destroy(world);
}

/* A ball in a groove with sides at 45 degrees, in the plane and (with end walls) in space. Each
 * side bears weight / (2 cos 45), rigid or not, with or without friction: the force that friction
 * could add is undetermined, and zero is the middle of what is possible. */
static void groove_sides_bear_equal_forces(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        ScreeWorldDef def = quasistatic(dimension, rig_vec(0, -10, 0));
        ScreeWorld *world = rig_create(&def);
        rig_material(world, 0);
        const double side = sqrt(0.5);
        ScreeWallDef wall = rig_plane(rig_vec(0, 0, 0), rig_vec(side, side, 0));
        int32_t a = rig_add_wall(world, &wall);
        wall.normal.x = -side;
        int32_t b = rig_add_wall(world, &wall);
        int32_t ball = rig_add_ball(world, rig_vec(0, 0.5 / side, 0), 0.5, 3);
        ScreeReport r = rig_step(world);
        CHECK(r.converged == 1);
        CHECK_VEC(rig_wall(world, a).load, rig_vec(-15, -15, 0), 1e-5);
        CHECK_VEC(rig_wall(world, b).load, rig_vec(15, -15, 0), 1e-5);
        CHECK_VEC(scree_world_get_bodies(world).position[ball], rig_vec(0, 0.5 / side, 0), 1e-8);
        CHECK_VEC(scree_world_get_bodies(world).velocity[ball], rig_vec(0, 0, 0), 0);
        scree_world_destroy(world);
    }
}

/* Five disks in a row between two walls, the middle one pushed along the row. The springs share the
 * force in proportion to the stiffness of both sides, 3 springs on each: half and half. Forces do
 * not depend on the pseudo-time. */
static void forces_do_not_depend_on_pseudo_time(void) {
    for (int k = 0; k < 3; k++) {
        ScreeWorldDef def = quasistatic(2, rig_vec(0, 0, 0));
        def.time_step = pow(10, 2 * k - 2);
        ScreeWorld *world = rig_create(&def);
        ScreeLaw law = scree_law_default();
        law.stiffness = 1e3;
        rig_law(world, &law);
        int32_t left = rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(1, 0, 0));
        int32_t right = rig_add_plane(world, rig_vec(4.99, 0, 0), rig_vec(-1, 0, 0));
        for (int i = 0; i < 5; i++) { /* squeezed by 0.01 in all */
            ScreeBodyDef ball = rig_ball(rig_vec(0.5 + 0.9975 * i, 0, 0), 0.5, 1);
            ball.force.x = i == 2 ? 0.5 : 0;
            ball.frozen = SCREE_FREEZE_Y;
            rig_add_body(world, &ball);
        }
        rig_step(world);
        double before = 1e3 * 0.01 / 6;
        CHECK_CLOSE(rig_wall(world, left).load.x, -(before - 0.25), 1e-6);
        CHECK_CLOSE(rig_wall(world, right).load.x, before + 0.25, 1e-6);
        scree_world_destroy(world);
    }
}

/* A barrel whose arcs have the radius r stands on a plane or on a flat curve, under a load F and a
 * torque F e about its centre at the height h: it leans until the load is above the contact, (r -
 * h) sin f = e. Between its flanks a step turns it at no cost, so it may be off by that much. A
 * flank at the distance s is higher by d = s^2 / (2 r) < 8 * 4e-4 of the size, so the angle may be
 * off by s / (2 r), and the overlap stays below d. */
static void barrel_leans_until_the_load_is_over_the_contact(void) {
    const double radii[] = {6, 10, 20}, h = 1, e = 0.6, size = 2;
    static const ScreeVec3 slab[] = {{-3, -1, 0}, {3, -1, 0}, {3, 0, 0}, {-3, 0, 0}};
    for (int k = 0; k < 6; k++) {
        double r = radii[k / 2], d = 8 * 4e-4 * sqrt(2) * size, s = sqrt(2 * r * d);
        ScreeWorldDef def = quasistatic(2, rig_vec(0, 0, 0));
        ScreeWorld *world = rig_create(&def);
        rig_material(world, 0.5);
        NurbsRig rig;
        ScreeShapeId barrel = SCREE_NO_SHAPE, flat = SCREE_NO_SHAPE;
        rig_barrel(&rig, 1, h, r);
        rig_must(scree_world_add_nurbs(world, &rig.def, &barrel), scree_world_get_message(world));
        rig_polygon(&rig, slab, 4);
        rig_must(scree_world_add_nurbs(world, &rig.def, &flat), scree_world_get_message(world));
        ScreeBodyDef body = scree_body_def_default();
        body.shape = barrel;
        body.position = rig_vec(0, h, 0);
        body.force = rig_vec(0, -10, 0);
        body.torque = rig_vec(0, 0, -10 * e);
        rig_add_body(world, &body);
        if (k % 2 == 0) {
            rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        } else {
            body = scree_body_def_default();
            body.shape = flat;
            body.position = rig_vec(0, -0.5, 0);
            body.frozen = SCREE_FREEZE_X | SCREE_FREEZE_Y | SCREE_FREEZE_ROTATION_Z;
            rig_add_body(world, &body);
        }
        for (int n = 0; n < 12; n++) {
            ScreeReport report = rig_step(world);
            CHECK(report.converged == 1 && report.overlap_max < d);
            CHECK(n < 3 || fabs(rig_angle(world, 0) + asin(e / (r - h))) < s / (2 * r));
        }
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- no solution */

static ScreeWorld *squeezed(double speed, double load) {
    ScreeWorldDef def = quasistatic(2, rig_vec(0, 0, 0));
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0.3);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(1, 0, 0));
    ScreeWallDef wall = rig_plane(rig_vec(2, 0, 0), rig_vec(-1, 0, 0));
    wall.motion = load != 0 ? SCREE_WALL_PISTON : SCREE_WALL_MOVED;
    wall.mass = 1;
    wall.force = rig_vec(load, 0, 0);
    wall.velocity = rig_vec(speed, 0, 0);
    rig_add_wall(world, &wall);
    rig_add_ball(world, rig_vec(0.5, 0, 0), 0.5, 1);
    rig_add_ball(world, rig_vec(1.5, 0, 0), 0.5, 1);
    return world;
}

static void check_refusal(ScreeWorld *world, const char *words) {
    ScreeVec3 before = scree_world_get_bodies(world).position[1];
    ScreeReport report;
    CHECK(scree_world_step(world, &report) == SCREE_NO_SOLUTION);
    CHECK(strstr(scree_world_get_message(world), words) != NULL);
    CHECK_VEC(scree_world_get_bodies(world).position[1], before, 0);
    CHECK(scree_world_get_step_count(world) == 0);
    scree_world_destroy(world);
}

static void missing_equilibrium_is_refused(void) {
    check_refusal(squeezed(-0.01, 0), "squeezed");
    check_refusal(squeezed(0, 5), "nothing holds wall 1"); /* pulled outwards */
    ScreeWorldDef def = quasistatic(3, rig_vec(-1, 0, -10));
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0.3);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 0, 1));
    rig_add_ball(world, rig_vec(0, 0, 2.5), 0.5, 1);
    rig_add_ball(world, rig_vec(0, 0, 0.5), 0.5, 1); /* rolls down a slope for ever */
    check_refusal(world, "no equilibrium: nothing holds grain");
    ScreeWorld *fine = squeezed(0, -5);
    ScreeReport r = rig_step(fine);
    CHECK(r.converged == 1);
    CHECK_CLOSE(rig_wall(fine, 0).load.x, -5.0, 1e-6);
    scree_world_destroy(fine);
}

/* A ball that nothing near holds rolls off another one and comes to rest on the floor, which lies
 * beyond the first candidates. The floor carries both. */
static void unsupported_ball_rolls_off_to_the_floor(void) {
    ScreeWorldDef def = quasistatic(3, rig_vec(0, 0, -10));
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0.3);
    int32_t floor = rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 0, 1));
    rig_add_ball(world, rig_vec(0, 0, 0.5), 0.5, 1);
    rig_add_ball(world, rig_vec(0.4, 0, 1.4), 0.5, 1);
    ScreeReport r = rig_step(world);
    CHECK(r.converged == 1);
    for (int i = 0; i < 2; i++) {
        CHECK_CLOSE(scree_world_get_bodies(world).position[i].z, 0.5, 1e-9);
    }
    CHECK_CLOSE(rig_wall(world, floor).load.z, -20.0, 1e-6);
    CHECK(r.overlap_max < 1e-9);
    scree_world_destroy(world);
}

/* A piston away from the grains comes down to them in one step, over up to 64 radii; from farther
 * away the refusal says so. */
static void distant_piston_comes_down_in_one_step(void) {
    const double away[] = {0.01, 0.7, 5, 25, 300};
    for (int k = 0; k < 5; k++) {
        ScreeWorldDef def = quasistatic(2, rig_vec(0, 0, 0));
        ScreeWorld *world = rig_create(&def);
        rig_material(world, 0.3);
        int32_t floor = rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        ScreeWallDef wall = rig_plane(rig_vec(0, 2 + away[k], 0), rig_vec(0, -1, 0));
        wall.motion = SCREE_WALL_PISTON;
        wall.mass = 1;
        wall.force = rig_vec(0, -5, 0);
        int32_t lid = rig_add_wall(world, &wall);
        rig_add_ball(world, rig_vec(0, 0.5, 0), 0.5, 1);
        rig_add_ball(world, rig_vec(0, 1.5, 0), 0.5, 1);
        if (away[k] > 32 + 2) {
            check_refusal(world, "away from the grains");
            continue;
        }
        ScreeReport r = rig_step(world);
        CHECK(r.converged == 1);
        CHECK_CLOSE(rig_wall(world, lid).now.point.y, 2.0, 1e-8);
        CHECK_CLOSE(rig_wall(world, floor).load.y, -5.0, 1e-6);
        CHECK_VEC(scree_world_get_bodies(world).position[1], rig_vec(0, 1.5, 0), 1e-8);
        scree_world_destroy(world);
    }
}

/* Saved and loaded, the test goes on with the same bits. */
static void restarted_test_goes_on_bit_for_bit(void) {
    ScreeLaw law = scree_law_default();
    law.friction = 0.3;
    law.stiffness = 1e5;
    law.stiffness_tangential = 1e5;
    const Packing *p = packing();
    Biaxial b = biaxial(p, &law, 100, 0.01, false);
    rig_step(b.world);
    ScreeWorld *other = rig_reload(b.world);
    for (int i = 0; i < 3; i++) {
        rig_step(b.world);
        rig_step(other);
    }
    CHECK(scree_world_hash(b.world) == scree_world_hash(other));
    scree_world_destroy(other);
    scree_world_destroy(b.world);
}

int main(int argc, char **argv) {
    CHECK_RUN(lattice_of_springs_deforms_as_computed);
    CHECK_RUN(groove_sides_bear_equal_forces);
    CHECK_RUN(forces_do_not_depend_on_pseudo_time);
    CHECK_RUN(barrel_leans_until_the_load_is_over_the_contact);
    CHECK_RUN(missing_equilibrium_is_refused);
    CHECK_RUN(unsupported_ball_rolls_off_to_the_floor);
    CHECK_RUN(distant_piston_comes_down_in_one_step);
    CHECK_RUN(biaxial_loads_balance);
    CHECK_RUN(exact_friction_is_reached_or_reported);
    CHECK_RUN(exact_friction_is_reached_with_springs);
    CHECK_RUN(restarted_test_goes_on_bit_for_bit);
    return check_result();
}

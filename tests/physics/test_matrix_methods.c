/* The methods of contact dynamics that factor matrices find the velocities that plain sweeps find,
 * never end worse than these, and name the laws they cannot treat. */
#include "polygon_rig.h"

static const ScreeMethod methods[2] = {SCREE_METHOD_NEWTON, SCREE_METHOD_INTERIOR_POINT};

typedef enum Kind { DISKS, POLYGONS, SPHERES, KINDS } Kind;

typedef enum Case { COULOMB, SMOOTH, SPRINGS, BOUNCING, ROLLING, WET, CASES } Case;

static ScreeLaw law_of(Case of) {
    ScreeLaw law = scree_law_default();
    law.friction = of == SMOOTH ? 0 : 0.3;
    if (of == SPRINGS) {
        law.stiffness = 2e4;
        law.stiffness_tangential = 1e4;
    } else if (of == BOUNCING) {
        law.restitution = 0.6;
        law.restitution_tangential = 0.3;
    } else if (of == ROLLING) {
        law.rolling = 0.03;
    } else if (of == WET) { /* a bridge pulls with half the weight of a ball and more */
        law.bridge_volume = 0.005;
        law.bridge_tension = 1;
    }
    return law;
}

static ScreeSolverDef solver_of(ScreeMethod method, double tolerance) {
    ScreeSolverDef solver = scree_solver_def_default();
    solver.method = method;
    solver.tolerance = tolerance;
    solver.iterations = 200000;
    return solver;
}

/* Bodies thrown into a corner under a piston; one of them is held along x and cannot turn.
 * Pentagons are turned at random, so that they do not lie flat on each other. */
static ScreeWorld *heap(Kind kind, Case of) {
    const int dimension = kind == SPHERES ? 3 : 2, n = kind == SPHERES ? 3 : 5;
    ScreeLaw law = law_of(of);
    /* with much friction there can be several solutions */
    law.friction *= kind == POLYGONS ? 0.3 : 1;
    ScreeVec3 down = dimension == 2 ? rig_vec(0, -10, 0) : rig_vec(0, 0, -10);
    ScreeWorldDef def = rig_def(dimension, 5e-3, down);
    def.theta = 0.8;
    ScreeWorld *world = rig_create(&def);
    rig_law(world, &law);
    ScreeVec3 corner[5];
    for (int i = 0; i < 5; i++) {
        corner[i] = rig_vec(0.5 * cos(0.4 * RIG_PI * i), 0.5 * sin(0.4 * RIG_PI * i), 0);
    }
    int32_t shape = dimension == 2 ? rig_add_polygon_shape(world, corner, 5, 0) : -1;
    rig_add_plane(world, rig_vec(-0.5, 0, 0), rig_vec(1, 0, 0));
    rig_add_plane(world, rig_vec(0, -0.5, 0), rig_vec(0, 1, 0));
    if (dimension == 3) {
        rig_add_plane(world, rig_vec(0, 0, -0.5), rig_vec(0, 0, 1));
    }
    ScreeWallDef piston = rig_plane(rig_vec(0, 1.001 * n - 0.5, 0), rig_vec(0, -1, 0));
    piston.motion = SCREE_WALL_PISTON;
    piston.mass = 3;
    piston.force = rig_vec(0, -40, 0);
    rig_add_wall(world, &piston);
    uint64_t seed = 11;
    for (int i = 0; i < n * n * (dimension == 3 ? n : 1); i++) {
        ScreeVec3 at = rig_vec(1.001 * (i % n), 1.001 * (i / n % n),
                               dimension == 3 ? 1.001 * (double)(i / n / n) : 0);
        ScreeBodyDef body = kind == POLYGONS ? rig_shaped(shape, at, 6 * rig_random(&seed))
                                             : rig_ball(at, 0.5 - 0.02 * (double)(i % 2), 0);
        body.velocity = rig_add(rig_vec(-1, -1, dimension == 3 ? -1 : 0), 1,
                                rig_random_vec(&seed, 0.3, dimension));
        if (i == 7) { /* held where it is along x */
            body.frozen = SCREE_FREEZE_X | SCREE_FREEZE_ROTATION;
            body.velocity.x = 0;
        }
        rig_add_body(world, &body);
    }
    return world;
}

/* A copy of a world that will step with another method. */
static ScreeWorld *copy_with(const ScreeWorld *from, ScreeMethod method, double tolerance) {
    ScreeWorld *world = rig_reload(from);
    const ScreeSolverDef solver = solver_of(method, tolerance);
    rig_must(scree_world_set_solver(world, &solver), "solver");
    return world;
}

static double difference(const ScreeWorld *a, const ScreeWorld *b) {
    ScreeBodyView va = scree_world_get_bodies(a), vb = scree_world_get_bodies(b);
    double most = 0;
    for (size_t i = 0; i < va.count; i++) {
        most = fmax(most, rig_length(rig_sub(va.velocity[i], vb.velocity[i])));
        most = fmax(most, rig_length(rig_sub(va.spin[i], vb.spin[i])));
    }
    return most;
}

/* One step with the impulses of the steps before, from the same state by both methods. (The first
 * impact of the lattice of spheres with rolling friction has several solutions.) */
static void compare(Kind kind, Case of) {
    ScreeWorld *world = heap(kind, of);
    int64_t active = 0;
    int first = kind == POLYGONS ? 40 : of == ROLLING ? 4 : 0; /* pentagons have farther to fall */
    for (int step = 0; step < first + 12; step++) {
        bool compared = step >= first && step % 4 == 0;
        ScreeWorld *swept = copy_with(world, SCREE_METHOD_GAUSS_SEIDEL, compared ? 1e-11 : 1e-6);
        ScreeReport a = rig_step(swept);
        active += a.active;
        for (int m = 0; m < 2 && compared; m++) {
            ScreeWorld *other = copy_with(world, methods[m], 1e-11);
            ScreeReport b = rig_step(other);
            CHECK(b.converged == 1 && b.residual <= 1e-11);
            CHECK_NEAR(difference(swept, other), 0, 1e-6); /* velocities are about 1 */
            scree_world_destroy(other);
        }
        scree_world_destroy(world);
        world = swept;
    }
    CHECK(active > 50);
    scree_world_destroy(world);
}

static void matrix_methods_agree_with_sweeps(void) {
    for (Kind kind = DISKS; kind < KINDS; kind++) {
        for (Case of = COULOMB; of < CASES; of++) {
            if ((of != ROLLING || kind != POLYGONS) && (of != WET || kind != POLYGONS)) {
                compare(kind, of);
            }
        }
    }
}

/* With only a handful of sweeps allowed and an unreachable tolerance. */
static void matrix_methods_are_never_worse_than_sweeps(void) {
    for (Kind kind = DISKS; kind < KINDS; kind++) {
        ScreeWorld *world = heap(kind, COULOMB);
        for (int step = 0; step < 6; step++) {
            ScreeWorld *swept = copy_with(world, SCREE_METHOD_GAUSS_SEIDEL, 1e-17);
            ScreeSolverDef solver = solver_of(SCREE_METHOD_GAUSS_SEIDEL, 1e-17);
            solver.iterations = 5;
            rig_must(scree_world_set_solver(swept, &solver), "solver");
            double sweeps = rig_step(swept).residual;
            for (int m = 0; m < 2; m++) {
                ScreeWorld *other = copy_with(world, methods[m], 1e-17);
                solver.method = methods[m];
                rig_must(scree_world_set_solver(other, &solver), "solver");
                CHECK(rig_step(other).residual <= sweeps + 1e-14); /* but for rounding */
                scree_world_destroy(other);
            }
            scree_world_destroy(world);
            world = swept;
        }
        scree_world_destroy(world);
    }
}

/* The same bits with more threads, and after saving and loading on the way. */
static void threads_and_restarts_change_no_bit(void) {
    for (int m = 0; m < 2; m++) {
        ScreeWorld *start = heap(SPHERES, COULOMB);
        ScreeWorld *one = copy_with(start, methods[m], 1e-6);
        ScreeWorld *three = copy_with(start, methods[m], 1e-6);
        rig_must(scree_world_set_threads(three, 3), "threads");
        for (int step = 0; step < 10; step++) {
            CHECK(rig_step(one).converged == 1);
            rig_step(three);
            if (step == 4) {
                ScreeWorld *loaded = copy_with(three, methods[m], 1e-6);
                scree_world_destroy(three);
                three = loaded;
            }
            CHECK(scree_world_hash(one) == scree_world_hash(three));
        }
        scree_world_destroy(one);
        scree_world_destroy(three);
        scree_world_destroy(start);
    }
}

/* Laws that matrices cannot express are an error of the step with a message, and nothing moves. */
static void laws_outside_matrices_are_refused(void) {
    static const char *const key[] = {"cohesion", "rolling_hertz", "friction_static", "torsion"};
    for (int of = 0; of < 4; of++) {
        ScreeLaw law = law_of(COULOMB);
        bool space = of == 3;
        law.cohesion = of == 0 ? 1 : 0;
        law.cohesion_range = of == 0 ? 1 : 0;
        law.rolling_hertz = of == 1 ? 0.1 : 0;
        law.friction_static = of == 2 ? 0.5 : 0;
        law.torsion = of == 3 ? 0.1 : 0;
        for (int m = 0; m < 2; m++) {
            ScreeWorldDef def = rig_def(space ? 3 : 2, 1e-2, rig_vec(0, -10, 0));
            def.solver.method = methods[m];
            ScreeWorld *world = rig_create(&def);
            rig_law(world, &law);
            rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
            rig_add_ball(world, rig_vec(0, 0.5, 0), 0.5, 1);
            CHECK(scree_world_step(world, NULL) == SCREE_BAD_ARGUMENT);
            CHECK(strstr(scree_world_get_message(world), key[of]) != NULL);
            CHECK(scree_world_get_bodies(world).position[0].y == 0.5);
            scree_world_destroy(world);
        }
    }
    ScreeWorldDef def = rig_def(2, 1e-2, rig_vec(0, -10, 0));
    ScreeWorld *world = NULL;
    def.solver.method = SCREE_METHOD_NEWTON;
    def.solver.criterion = SCREE_CRITERION_FIXED;
    CHECK(scree_world_create(&def, &world, NULL) == SCREE_BAD_ARGUMENT);
}

int main(int argc, char **argv) {
    CHECK_RUN(matrix_methods_agree_with_sweeps);
    CHECK_RUN(matrix_methods_are_never_worse_than_sweeps);
    CHECK_RUN(threads_and_restarts_change_no_bit);
    CHECK_RUN(laws_outside_matrices_are_refused);
    return check_result();
}

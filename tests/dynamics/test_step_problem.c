/* The contact problem of a world's last step: solved by itself, it must give the motion that the
 * step has made. */
#include "check.h"

#include <scree/scree.h>

#include <stdlib.h>

typedef struct Kind {
    const char *name;
    int dimension;
    bool piston, shapes;
    double rolling, stiffness;
    uint32_t frozen; /* freezing flags of the first body */
    int threads;
} Kind;

static ScreeShapeId add_shape(ScreeWorld *world) {
    const ScreeVec3 corner[] = {{-0.45, -0.35, 0}, {0.5, -0.4, 0}, {0.1, 0.5, 0}};
    const ScreeShapePart part = {3, 0.05};
    const ScreeShapeDef shape = {&part, 1, corner};
    ScreeShapeId id = SCREE_NO_SHAPE;
    CHECK(scree_world_add_shape(world, &shape, &id) == SCREE_OK);
    return id;
}

/* Three layers of bodies on a floor, pushed sideways. */
static ScreeWorld *make_world(const Kind *kind) {
    ScreeWorldDef def = scree_world_def_default();
    ScreeMaterialDef material = scree_material_def_default();
    ScreeWallDef wall = scree_wall_def_default();
    ScreeWorld *world = NULL;
    bool space = kind->dimension == 3;
    def.dimension = kind->dimension;
    def.gravity = space ? (ScreeVec3){3, 1, -10} : (ScreeVec3){3, -10, 0};
    def.time_step = 0.01;
    def.threads = kind->threads;
    def.solver.tolerance = 1e-11;
    def.solver.overlap = 1e-11;
    def.solver.iterations = 200000;
    def.solver.projection = 0; /* elsewhere the piston's packing has several motions */
    CHECK(scree_world_create(&def, &world, NULL) == SCREE_OK);
    material.law.friction = 0.4;
    material.law.rolling = kind->rolling;
    material.law.stiffness = kind->stiffness;
    material.law.stiffness_tangential = 0.5 * kind->stiffness;
    CHECK(scree_world_add_material(world, &material, NULL) == SCREE_OK);
    ScreeShapeId shape = kind->shapes ? add_shape(world) : SCREE_NO_SHAPE;
    for (int i = 0; i < (space ? 27 : 9); i++) {
        double across = 1.01 * (i % 3) + 0.013 * (i % 2),
               layer = 0.49 + 0.99 * (i / (space ? 9 : 3));
        double deep = space ? 1.01 * (i / 3 % 3) : 0;
        ScreeBodyDef body = scree_body_def_default();
        body.radius = 0.48 + 0.02 * (i % 2);
        body.position = space ? (ScreeVec3){across, deep, layer} : (ScreeVec3){across, layer, 0};
        body.shape = shape;
        body.frozen = i == 0 ? kind->frozen : 0;
        CHECK(scree_world_add_bodies(world, &body, 1, NULL) == SCREE_OK);
    }
    wall.normal = space ? (ScreeVec3){0, 0, 1} : (ScreeVec3){0, 1, 0};
    CHECK(scree_world_add_wall(world, &wall, NULL) == SCREE_OK);
    if (kind->piston) {
        wall.normal = space ? (ScreeVec3){0, 0, -1} : (ScreeVec3){0, -1, 0};
        wall.point = space ? (ScreeVec3){0, 0, 2.98} : (ScreeVec3){0, 2.98, 0};
        wall.motion = SCREE_WALL_PISTON;
        wall.mass = 5;
        wall.force = space ? (ScreeVec3){0, 0, -60} : (ScreeVec3){0, -60, 0};
        CHECK(scree_world_add_wall(world, &wall, NULL) == SCREE_OK);
    }
    scree_world_keep_problem(world, true);
    return world;
}

static double square(ScreeVec3 v) {
    return v.x * v.x + v.y * v.y + v.z * v.z;
}

/* Kinetic energy of the bodies that are not held along any axis. Those that are, and pistons, have
 * the velocity after the step as their reference, and so are at rest in the problem. */
static double kinetic_energy(const ScreeWorld *world) {
    ScreeBodyView b = scree_world_get_bodies(world);
    double sum = 0;
    for (size_t i = 0; i < b.count; i++) {
        bool turns = (b.frozen[i] & SCREE_FREEZE_ROTATION) != SCREE_FREEZE_ROTATION;
        bool held = (b.frozen[i] & (SCREE_FREEZE_X | SCREE_FREEZE_Y)) != 0;
        sum += held ? 0 : 0.5 * b.mass[i] * square(b.velocity[i]);
        sum += held || !turns ? 0 : 0.5 * b.inertia[i] * square(b.spin[i]);
    }
    return sum;
}

/* v.M v / 2 of the solved problem without the springs, which come last and have a single entry in H
 * each, a 1. */
static double problem_energy(ScreeProblem *problem) {
    ScreeProblemView view = scree_problem_get_view(problem);
    size_t m = (size_t)view.components * view.contacts, n = view.freedoms;
    double *r = calloc(m + 1, sizeof *r), *v = calloc(n + 1, sizeof *v), sum = 0;
    ScreeProblemSettings settings = scree_problem_settings_default();
    ScreeProblemReport report = {0};
    bool *spring = calloc(n + 1, sizeof *spring);
    settings.tolerance = 1e-11;
    CHECK(scree_problem_solve(problem, &settings, r, &report, NULL) == SCREE_OK);
    CHECK(report.solved);
    CHECK(scree_problem_compute_velocities(problem, r, v, NULL) == SCREE_OK);
    for (size_t d = 0; d < n; d++) {
        size_t met = 0;
        for (int32_t e = 0; e < view.H.start[m]; e++) {
            met += (size_t)view.H.row[e] == d ? (view.H.value[e] == 1 ? 1 : 2) : 0;
        }
        spring[d] = met == 1 && d >= n - m;
    }
    for (size_t d = 0; d < n; d++) { /* M is diagonal */
        CHECK(view.M.start[d + 1] - view.M.start[d] == 1);
        sum += spring[d] ? 0 : 0.5 * view.M.value[view.M.start[d]] * v[d] * v[d];
    }
    free(spring);
    free(r);
    free(v);
    return sum;
}

static void same_motion(const Kind *kind) {
    ScreeWorld *world = make_world(kind);
    ScreeReport report = {0};
    for (int i = 0; i < 12; i++) {
        CHECK(scree_world_step(world, &report) == SCREE_OK);
    }
    ScreeProblem *problem = NULL;
    char message[SCREE_MESSAGE_SIZE] = "";
    CHECK(report.contacts > 3);
    CHECK(scree_world_create_problem(world, &problem, message) == SCREE_OK);
    if (problem == NULL) {
        fprintf(stderr, "    %s: %s\n", kind->name, message);
        return;
    }
    CHECK(scree_problem_get_view(problem).contacts == (size_t)report.contacts);
    CHECK(scree_problem_get_view(problem).components == (kind->rolling > 0 ? 5 : kind->dimension));
    double energy = kinetic_energy(world);
    CHECK(energy > 1e-3);
    CHECK_CLOSE(problem_energy(problem), energy, 1e-6);
    scree_problem_destroy(problem);
    scree_world_destroy(world);
}

static void solving_the_problem_gives_the_motion_of_the_step(void) {
    static const Kind kinds[] = {
        {.name = "disks", .dimension = 2, .stiffness = INFINITY, .threads = 1},
        {.name = "spheres", .dimension = 3, .stiffness = INFINITY, .threads = 1},
        {.name = "piston", .dimension = 2, .piston = true, .stiffness = INFINITY, .threads = 1},
        {.name = "piston in space",
         .dimension = 3,
         .piston = true,
         .stiffness = INFINITY,
         .threads = 2},
        {.name = "triangles", .dimension = 2, .shapes = true, .stiffness = INFINITY, .threads = 1},
        {.name = "rolling", .dimension = 3, .rolling = 0.1, .stiffness = INFINITY, .threads = 1},
        {.name = "springs", .dimension = 2, .stiffness = 2e4, .threads = 1},
        {.name = "obstacle",
         .dimension = 3,
         .stiffness = INFINITY,
         .frozen = SCREE_FREEZE_ALL,
         .threads = 1},
        {.name = "no rotation",
         .dimension = 3,
         .stiffness = INFINITY,
         .frozen = SCREE_FREEZE_ROTATION,
         .threads = 1},
        {.name = "on a rail",
         .dimension = 2,
         .stiffness = INFINITY,
         .frozen = SCREE_FREEZE_X,
         .threads = 1},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        int before = check_failures;
        same_motion(&kinds[i]);
        if (check_failures > before) {
            fprintf(stderr, "    in '%s'\n", kinds[i].name);
        }
    }
}

/* A ball of mass 2 falls on the floor. The gap is g = 0.01 and the step 0.1, so it moves at no more
 * than -g / dt = -0.1 and r_n = 2 (2 + 0.1 10 - 0.1) = 5.8. It slides at 3 with friction 0.5, which
 * allows r_t = 2.9; stopping the contact takes 3 / (7/2 / 2) = 1.71 only, so it sticks. */
static void problem_of_a_falling_ball_has_its_closed_form(void) {
    ScreeWorldDef def = scree_world_def_default();
    ScreeMaterialDef material = scree_material_def_default();
    ScreeBodyDef body = scree_body_def_default();
    ScreeWallDef floor = scree_wall_def_default();
    ScreeWorld *world = NULL;
    ScreeProblem *problem = NULL;
    double r[3] = {0};
    ScreeProblemReport report;
    ScreeProblemSettings settings = scree_problem_settings_default();
    def.time_step = 0.1;
    def.gravity.z = -10;
    material.law.friction = 0.5;
    body.position.z = 0.51;
    body.radius = 0.5;
    body.mass = 2;
    body.velocity = (ScreeVec3){3, 0, -2};
    floor.normal.z = 1;
    CHECK(scree_world_create(&def, &world, NULL) == SCREE_OK);
    CHECK(scree_world_add_material(world, &material, NULL) == SCREE_OK);
    CHECK(scree_world_add_bodies(world, &body, 1, NULL) == SCREE_OK);
    CHECK(scree_world_add_wall(world, &floor, NULL) == SCREE_OK);
    scree_world_keep_problem(world, true);
    CHECK(scree_world_create_problem(world, &problem, NULL) ==
          SCREE_BAD_ARGUMENT); /* no step yet */
    CHECK(problem == NULL);
    CHECK(scree_world_step(world, NULL) == SCREE_OK);
    CHECK(scree_world_create_problem(world, &problem, NULL) == SCREE_OK);
    ScreeProblemView view = scree_problem_get_view(problem);
    CHECK(view.contacts == 1 && view.freedoms == 6 && view.mu[0] == 0.5);
    CHECK_NEAR(view.w[0], 0.1, 1e-12);
    CHECK(scree_problem_solve(problem, &settings, r, &report, NULL) == SCREE_OK);
    CHECK_NEAR(r[0], 5.8, 1e-6);
    CHECK_NEAR(hypot(r[1], r[2]), 3 / 1.75, 1e-6);
    scree_problem_destroy(problem);
    scree_world_destroy(world);
}

/* Laws outside this form are refused with a message, and so is the soft engine. Bonds have the form
 * as long as they are closed: the first stack is drawn off its floor. */
static void laws_outside_the_form_are_refused(void) {
    for (int i = 0; i < 4; i++) {
        const Kind kind = {.name = "", .dimension = 2, .stiffness = INFINITY, .threads = 1};
        ScreeWorld *world = make_world(&kind);
        ScreeLaw law;
        ScreeProblem *problem = NULL;
        char message[SCREE_MESSAGE_SIZE] = "";
        static const char *const words[] = {"bonds that can open", "torques in the plane",
                                            "two coefficients", "soft engine"};
        CHECK(scree_law_get(world, (ScreeMaterialId){0}, (ScreeMaterialId){0}, &law) == SCREE_OK);
        law.cohesion = i == 0 ? 1 : 0;
        law.cohesion_range = i == 0 ? 0.1 : 0;
        law.rolling = i == 1 ? 0.1 : 0;
        law.friction_static = i == 2 ? 0.6 : 0;
        CHECK(scree_law_set(world, (ScreeMaterialId){0}, (ScreeMaterialId){0}, &law) == SCREE_OK);
        if (i == 3) {
            scree_world_destroy(world);
            ScreeWorldDef def = scree_world_def_default();
            def.engine = SCREE_ENGINE_SOFT;
            def.time_step = 1e-3;
            CHECK(scree_world_create(&def, &world, NULL) == SCREE_OK);
        }
        for (int step = 0; step < 22; step++) {
            if (i == 0 && step == 20) {
                CHECK(scree_world_set_gravity(world, (ScreeVec3){0, 100, 0}) == SCREE_OK);
            }
            CHECK(scree_world_step(world, NULL) == SCREE_OK);
        }
        CHECK(scree_world_create_problem(world, &problem, message) == SCREE_BAD_ARGUMENT);
        CHECK(problem == NULL && strstr(message, words[i]) != NULL);
        scree_world_destroy(world);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(solving_the_problem_gives_the_motion_of_the_step);
    CHECK_RUN(problem_of_a_falling_ball_has_its_closed_form);
    CHECK_RUN(laws_outside_the_form_are_refused);
    return check_result();
}

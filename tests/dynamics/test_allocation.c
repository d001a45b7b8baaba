/* Memory: a settled step allocates nothing, and when memory runs out every call says so, changes
 * nothing and loses nothing. */
#include "failing_memory.h"
#include "shape/nurbs_shapes.h"

/* ---------------------------------------------------------------- settled */

static void run_settled(const Scene *scene, bool moving) {
    ScreeWorld *world = scene_make(scene);
    ScreeSolverDef solver = scree_world_get_def(world).solver;
    solver.iterations = 60;
    rig_must(scree_world_set_solver(world, &solver), "solver");
    for (int step = 0; step < 500; step++) {
        rig_step(world);
    }
    long before = calls;
    int rebuilt = 0;
    for (int step = 0; step < 100; step++) {
        rebuilt += (int)rig_step(world).rebuilt;
    }
    CHECK(calls == before);
    CHECK(moving || rebuilt <= 10); /* a neighbour list that lasts */
    CHECK(scree_world_get_contacts(world).count >= (size_t)scene->grains);
    scree_world_destroy(world);
}

static void settled_step_allocates_nothing(void) {
    static const Scene scenes[] = {
        {2, SCREE_ORDER_BOXED, false, false, false, 90, false},
        {3, SCREE_ORDER_BOXED, false, false, false, 200, false},
        {2, SCREE_ORDER_COLOURED, true, false, false, 90, false}, /* slides round for ever */
        {3, SCREE_ORDER_RANDOM, false, false, false, 150, false},
        {3, SCREE_ORDER_BOXED, false, false, false, 150, true},
    };
    for (int i = 0; i < 5; i++) {
        run_settled(&scenes[i], i == 2);
    }
}

/* Sixteen disks between two walls and two pistons. */
static ScreeWorld *pressed(ScreeEngine engine, ScreeMethod method, bool exact) {
    bool still = engine == SCREE_ENGINE_QUASISTATIC;
    ScreeWorldDef def = rig_def(2, still ? 1 : 1e-3, rig_vec(0, still ? 0 : -10, 0));
    def.engine = engine;
    def.variational.exact = exact;
    def.solver.method = method;
    def.solver.tolerance = 1e-8;
    def.solver.warm_start = false;
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0.3);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(1, 0, 0));
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    ScreeWallDef lid = rig_plane(rig_vec(4.03, 0, 0), rig_vec(-1, 0, 0));
    lid.motion = SCREE_WALL_PISTON;
    lid.mass = 1;
    lid.force = rig_vec(-40, 0, 0);
    rig_add_wall(world, &lid);
    lid.point = rig_vec(0, 4.5, 0);
    lid.normal = rig_vec(0, -1, 0);
    lid.force = rig_vec(0, -30, 0);
    rig_add_wall(world, &lid);
    uint64_t seed = 5;
    for (int i = 0; i < 16; i++) {
        ScreeVec3 at = rig_vec(0.5 + 1.01 * (i % 4), 0.5 + 1.01 * (double)(i / 4), 0);
        at = rig_add(at, 1, rig_random_vec(&seed, 0.004, 2));
        rig_add_ball(world, at, 0.45 + 0.05 * rig_random(&seed), 0);
    }
    return world;
}

/* Steps that solve with matrices: interior point, damped motion, Newton's method. Now and then a
 * step has more contacts than any before it and needs more room; the other steps allocate
 * nothing. */
static void matrix_step_allocates_nothing(void) {
    for (int k = 0; k < 5; k++) {
        ScreeEngine engine = k < 2    ? SCREE_ENGINE_QUASISTATIC
                             : k == 2 ? SCREE_ENGINE_VARIATIONAL
                                      : SCREE_ENGINE_CONTACT_DYNAMICS;
        ScreeMethod method = k < 3    ? SCREE_METHOD_AUTO
                             : k == 3 ? SCREE_METHOD_NEWTON
                                      : SCREE_METHOD_INTERIOR_POINT;
        ScreeWorld *world = pressed(engine, method, k == 1 || k == 2);
        int solved = 0;
        for (int step = 0; step < 400; step++) {
            CHECK(rig_step(world).converged == 1);
        }
        long before = calls;
        for (int step = 0; step < 40; step++) {
            solved += rig_step(world).iterations > 0;
        }
        CHECK(solved == 40 && calls == before);
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- failure of each call in turn */

static ScreeStatus copy_world(const ScreeWorld *world, ScreeWorld **copy) {
    static unsigned char
        buffer[300000]; /* static, so that no allocation of the test itself is counted */
    size_t size = sizeof buffer;
    ScreeStatus status = scree_world_save(world, buffer, &size);
    return status == SCREE_OK ? scree_world_load(buffer, size, copy, NULL) : status;
}

/* A short life of a world; returns the hash at its end. */
static uint64_t life(ScreeOrder order, int sweeps, bool laws) {
    ScreeWorldDef def = scree_world_def_default();
    def.time_step = 0.01;
    def.gravity = rig_vec(0, -10, 0);
    def.solver.order = order;
    def.solver.iterations = sweeps; /* too few to converge, so that the clusters are measured too */
    ScreeWorld *world = NULL, *copy = NULL;
    INSIST(world, scree_world_create(&def, &world, NULL));
    ScreeMaterialDef stone = scree_material_def_default();
    stone.law = laws ? scene_all_laws() : stone.law;
    stone.law.friction = 0.4;
    INSIST(world, scree_world_add_material(world, &stone, NULL));
    stone.law.friction = 0.2;
    INSIST(world, scree_world_add_material(world, &stone, NULL));
    INSIST(world, add_some(world, 0, 30));
    for (int which = 0; which < 3; which++) {
        INSIST(world, add_walls(world, which));
    }
    ScreeOverlap overlap;
    INSIST(world, scree_world_find_overlaps(world, &overlap));
    for (int step = 0; step < 5; step++) {
        ScreeReport report;
        INSIST(world, scree_world_step(world, &report));
        CHECK(report.packing_length >= 0); /* never a wrong number in place of an error */
    }
    INSIST(world, add_some(world, 30, 40));
    for (int step = 0; step < 6; step++) {
        INSIST(world, scree_world_step(world, NULL));
    }
    double coordination = scree_world_get_coordination(world);
    CHECK(coordination > 0 || failed);
    INSIST(copy, copy_world(world, &copy));
    INSIST(copy, scree_world_step(copy, NULL));
    INSIST(world, scree_world_step(world, NULL));
    uint64_t hash = scree_world_hash(world);
    CHECK(scree_world_hash(copy) == hash || step_failed);
    scree_world_destroy(world);
    scree_world_destroy(copy);
    return hash;
}

static uint64_t life_of_kind(int kind) {
    static const ScreeOrder order[] = {SCREE_ORDER_BOXED, SCREE_ORDER_RANDOM, SCREE_ORDER_COLOURED,
                                       SCREE_ORDER_BOXED};
    return life(order[kind], 8, kind == 3);
}

static void every_allocation_fails_once(void) {
    for (int kind = 0; kind < 4; kind++) {
        fail_each_in_turn(life_of_kind, kind);
    }
}

/* An ellipse that a plate pushes over in several strides. */
static ScreeWorld *ellipse_under_plate(void) {
    ScreeWorldDef def = rig_def(2, 1, rig_vec(0, 0, 0));
    def.engine = SCREE_ENGINE_QUASISTATIC;
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0);
    NurbsRig rig;
    rig_ellipse(&rig, 0.5, 1, 0, 0, 0);
    ScreeBodyDef body = scree_body_def_default();
    rig_must(scree_world_add_nurbs(world, &rig.def, &body.shape), scree_world_get_message(world));
    const double lean = 1.1, high = 2 * hypot(cos(lean), 0.5 * sin(lean));
    body.position = rig_vec(0, high / 2, 0);
    body.orientation = rig_turn_z(-lean);
    body.torque = rig_vec(0, 0, 1);
    rig_add_body(world, &body);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    ScreeWallDef plate = rig_plane(rig_vec(0, high, 0), rig_vec(0, -1, 0));
    plate.motion = SCREE_WALL_MOVED;
    plate.velocity = rig_vec(0, -0.1, 0);
    rig_add_wall(world, &plate);
    return world;
}

/* Whichever allocation fails, nothing has moved, and the next try does what the first would have
 * done. */
static void failed_strides_move_nothing(void) {
    ScreeReport report;
    long all = 0;
    ScreeVec3 end = {0};
    for (long k = -1; k < all; k++) {
        ScreeWorld *world = ellipse_under_plate();
        const ScreeVec3 start = scree_world_get_bodies(world).position[0];
        calls = 0;
        fail_at = k;
        ScreeStatus status = scree_world_step(world, &report);
        fail_at = -1;
        if (k < 0) {
            CHECK(status == SCREE_OK && report.strides > 0);
            all = calls;
            end = scree_world_get_bodies(world).position[0];
            CHECK(all > 10);
        } else {
            CHECK(status == SCREE_NO_MEMORY);
            CHECK_VEC(scree_world_get_bodies(world).position[0], start, 0);
            CHECK(rig_wall(world, 1).now.point.y == 2 * start.y);
            CHECK(scree_world_step(world, &report) == SCREE_OK);
            CHECK_VEC(scree_world_get_bodies(world).position[0], end, 0);
        }
        scree_world_destroy(world);
    }
}

/* Creation and loading without memory give no world. */
static void creation_and_loading_without_memory_give_no_world(void) {
    ScreeWorldDef def = scree_world_def_default();
    def.time_step = 1;
    char message[SCREE_MESSAGE_SIZE] = "";
    ScreeWorld *world = (ScreeWorld *)&def;
    calls = 0;
    fail_at = 0;
    CHECK(scree_world_create(&def, &world, message) == SCREE_NO_MEMORY);
    fail_at = -1;
    CHECK(world == NULL && strstr(message, "memory") != NULL);
    scree_world_destroy(NULL);
}

int main(int argc, char **argv) {
    if (CHECK_STRIDE == 1) { /* a sanitizer changes nothing about how often memory is asked for */
        CHECK_RUN(settled_step_allocates_nothing);
        CHECK_RUN(matrix_step_allocates_nothing);
    }
    CHECK_RUN(every_allocation_fails_once);
    CHECK_RUN(failed_strides_move_nothing);
    CHECK_RUN(creation_and_loading_without_memory_give_no_world);
    return check_result();
}

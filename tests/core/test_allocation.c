/* Memory: a settled step takes none, and when there is none every call says so, changes nothing,
 * and loses nothing. */
#include "core/failing_memory.h"

/* ---------------------------------------------------------------- settled */

static void run_settled(const Scene *scene, bool moving) {
    ScreeWorld *world = scene_make(scene);
    ScreeSolverDef solver = scree_world_def(world).solver;
    solver.iterations = 400;
    rig_must(scree_set_solver(world, &solver), "solver");
    for (int step = 0; step < 1000; step++) {
        rig_step(world);
    }
    long before = calls;
    int rebuilt = 0;
    for (int step = 0; step < 100; step++) {
        rebuilt += (int)rig_step(world).rebuilt;
    }
    CHECK(calls == before);
    CHECK(moving || rebuilt <= 10); /* a list that lasts */
    CHECK(scree_contacts(world).count >= (size_t)scene->grains);
    scree_destroy_world(world);
}

static void settled_step_allocates_nothing(void) {
    const Scene flat = {2, SCREE_ORDER_BOXED, false, false, false, 90, false};
    const Scene space = {3, SCREE_ORDER_BOXED, false, false, false, 200, false};
    const Scene random = {3, SCREE_ORDER_RANDOM, false, false, false, 150, false};
    const Scene coloured = {2, SCREE_ORDER_COLOURED, true, false, false, 90, false};
    const Scene laws = {3, SCREE_ORDER_BOXED, false, false, false, 150, true};
    run_settled(&flat, false);
    run_settled(&space, false);
    run_settled(&random, false);
    run_settled(&laws, false);
    run_settled(&coloured, true); /* slides round the cell for ever */
}

/* ---------------------------------------------------------------- failure of each call in turn */

static ScreeStatus copy_world(const ScreeWorld *world, ScreeWorld **copy) {
    static unsigned char
        buffer[300000]; /* static, so that no allocation of the test itself is counted */
    size_t size = sizeof buffer;
    ScreeStatus status = scree_save(world, buffer, &size);
    return status == SCREE_OK ? scree_load(buffer, size, copy, NULL) : status;
}

/* A short life of a world; returns the hash at its end. */
static uint64_t life(ScreeOrder order, int sweeps, bool laws) {
    ScreeWorldDef def = scree_default_world();
    def.time_step = 0.01;
    def.gravity = rig_vec(0, -10, 0);
    def.solver.order = order;
    def.solver.iterations = sweeps; /* few: not converged, so that the clusters are measured too */
    ScreeWorld *world = NULL, *copy = NULL;
    INSIST(world, scree_create_world(&def, &world, NULL));
    ScreeMaterialDef stone = scree_default_material();
    stone.law = laws ? scene_all_laws() : stone.law;
    stone.law.friction = 0.4;
    INSIST(world, scree_add_material(world, &stone, NULL));
    stone.law.friction = 0.2;
    INSIST(world, scree_add_material(world, &stone, NULL));
    INSIST(world, add_some(world, 0, 30));
    for (int which = 0; which < 3; which++) {
        INSIST(world, add_walls(world, which));
    }
    ScreeOverlap overlap;
    INSIST(world, scree_find_overlaps(world, &overlap));
    for (int step = 0; step < 12; step++) {
        ScreeReport report;
        INSIST(world, scree_step(world, &report));
        CHECK(report.packing_length >= 0); /* never a wrong number in place of an error */
    }
    INSIST(world, add_some(world, 30, 40));
    for (int step = 0; step < 20; step++) {
        INSIST(world, scree_step(world, NULL));
    }
    double coordination = scree_coordination(world);
    CHECK(coordination > 0 || failed);
    INSIST(copy, copy_world(world, &copy));
    INSIST(copy, scree_step(copy, NULL));
    INSIST(world, scree_step(world, NULL));
    uint64_t hash = scree_hash(world);
    CHECK(scree_hash(copy) == hash || step_failed);
    scree_destroy_world(world);
    scree_destroy_world(copy);
    return hash;
}

static void every_allocation_fails_once(void) {
    static const ScreeOrder order[] = {SCREE_ORDER_BOXED, SCREE_ORDER_RANDOM, SCREE_ORDER_COLOURED,
                                       SCREE_ORDER_BOXED};
    for (int i = 0; i < 4; i++) {
        long before = live;
        calls = 0;
        failed = false;
        uint64_t undisturbed = life(order[i], 20, i == 3);
        CHECK(live == before);
        long all = calls;
        CHECK(all > 30);
        for (long k = i % CHECK_STRIDE; k < all; k += CHECK_STRIDE) {
            calls = 0;
            failed = step_failed = false;
            fail_at = k;
            uint64_t hash = life(order[i], 20, i == 3);
            fail_at = -1;
            CHECK(failed);
            CHECK(hash == undisturbed || step_failed); /* another try leaves no trace */
            CHECK(live == before);                     /* and no memory behind */
        }
    }
}

/* Creation and loading without memory give no world. */
static void nothing_at_all(void) {
    ScreeWorldDef def = scree_default_world();
    def.time_step = 1;
    char message[SCREE_MESSAGE_SIZE] = "";
    ScreeWorld *world = (ScreeWorld *)&def;
    calls = 0;
    fail_at = 0;
    CHECK(scree_create_world(&def, &world, message) == SCREE_NO_MEMORY);
    fail_at = -1;
    CHECK(world == NULL && strstr(message, "memory") != NULL);
    scree_destroy_world(NULL);
}

int main(int argc, char **argv) {
    CHECK_RUN(settled_step_allocates_nothing);
    CHECK_RUN(every_allocation_fails_once);
    CHECK_RUN(nothing_at_all);
    return check_result();
}

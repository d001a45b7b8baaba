/* The number of threads changes nothing, in worlds large enough for many boxes of the sweep, with
 * everything that boxes could share: bodies across a periodic boundary, a piston, a large grain
 * among small ones, frozen axes, turning walls. */
#include "scenes.h"

typedef struct Kind {
    int dimension;
    ScreeOrder order;
    bool periodic, piston, giant, frozen, turning, laws;
} Kind;

static const Kind kinds[] = {
    {2, SCREE_ORDER_BOXED, false, false, false, false, false, false},
    {3, SCREE_ORDER_BOXED, false, false, false, false, false, false},
    {2, SCREE_ORDER_BOXED, true, true, false, false, true, false},
    {3, SCREE_ORDER_BOXED, true, true, false, false, true, false},
    {3, SCREE_ORDER_BOXED, true, false, true, true, false, false},
    {2, SCREE_ORDER_BOXED, false, true, true, true, true, false},
    {3, SCREE_ORDER_COLOURED, true, true, false, false, true, false},
    {2, SCREE_ORDER_COLOURED, true, false, true, true, false, false},
    {3, SCREE_ORDER_RANDOM, true, true, true, true, true, false},
    {3, SCREE_ORDER_BOXED, true, true, false, true, true, true},
    {2, SCREE_ORDER_BOXED, false, true, true, true, true, true},
};

static void add_walls(ScreeWorld *world, const Kind *k, double width) {
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    for (int axis = 0; axis < 3 && !k->periodic; axis += 2) {
        ScreeVec3 e = rig_vec(axis == 0, 0, axis == 2);
        if (axis == 0 || k->dimension == 3) {
            rig_add_plane(world, rig_vec(0, 0, 0), e);
            rig_add_plane(world, rig_scale(width, e), rig_scale(-1, e));
        }
    }
    if (k->piston) {
        ScreeWallDef lid = rig_plane(rig_vec(0, k->dimension == 2 ? 31 : 8, 0), rig_vec(0, -1, 0));
        lid.motion = SCREE_WALL_PISTON;
        lid.mass = 50;
        lid.force = rig_vec(0, -3000, 0);
        lid.velocity = rig_vec(0, -3, 0);
        rig_add_wall(world, &lid);
    }
    if (k->turning) {
        ScreeWallDef rod = scree_wall_def_default();
        rod.shape = SCREE_WALL_CYLINDER;
        rod.point = rig_vec(width / 2, 0.5, 0);
        rod.radius = 1;
        rod.motion = SCREE_WALL_MOVED;
        rod.spin = rig_vec(0, 0, 3);
        rig_add_wall(world, &rod);
    }
}

static ScreeWorld *make_world(const Kind *k, int threads) {
    int across = k->dimension == 2 ? 80 : 24, high = k->dimension == 2 ? 24 : 5,
        deep = k->dimension == 2 ? 1 : 24;
    ScreeWorldDef def = scree_world_def_default();
    def.dimension = k->dimension;
    def.time_step = 0.02;
    def.gravity = rig_vec(2, -10, 0);
    def.solver.order = k->order;
    def.solver.iterations = 25;
    def.threads = threads;
    for (int axis = 0; axis < 3; axis += 2) {
        def.periodic[axis] = k->periodic && axis < k->dimension;
    }
    def.cell_max = rig_vec(across, across, across);
    ScreeWorld *world = rig_create(&def);
    scene_material(world, 0.4, k->laws);
    add_walls(world, k, across);
    uint64_t random = 8;
    int count = across * high * deep;
    ScreeBodyDef *grain = calloc((size_t)count + 1, sizeof *grain);
    if (grain == NULL) {
        abort();
    }
    for (int i = 0; i < count; i++) {
        ScreeVec3 x = rig_vec(0.5 + i % across, 2.2 + 1.02 * (i / (across * deep)), 0);
        x.z = k->dimension == 3 ? 0.5 + i / across % deep : 0;
        grain[i] = rig_ball(x, 0.42 + 0.08 * rig_random(&random), 0);
        grain[i].velocity = rig_random_vec(&random, 2, k->dimension);
        grain[i].frozen = k->frozen && i % 11 == 0 ? SCREE_FREEZE_X | SCREE_FREEZE_ROTATION_Z : 0;
    }
    if (k->giant) { /* falls on the others */
        grain[count] = rig_ball(rig_vec(across / 3.0, (k->dimension == 2 ? 35 : 13),
                                        k->dimension == 3 ? across / 2.0 : 0),
                                4, 0);
        grain[count].velocity = rig_vec(0, -40, 0);
        count++;
    }
    rig_must(scree_world_add_bodies(world, grain, (size_t)count, NULL), "grains");
    free(grain);
    return world;
}

static void threads_do_not_change_a_bit(void) {
    static const int threads[] = {5, 2};
    enum { ALL = CHECK_STRIDE == 1, STEPS = ALL ? 8 : 6, COUNTS = ALL ? 2 : 1 };
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k += ALL ? 1 : 2) {
        uint64_t hash[STEPS];
        ScreeReport last = {0};
        for (int t = -1; t < COUNTS; t++) {
            ScreeWorld *world = make_world(&kinds[k], t < 0 ? 1 : threads[t]);
            bool same = true;
            for (int step = 0; step < STEPS; step++) {
                ScreeReport report = rig_step(world);
                if (t < 0) {
                    hash[step] = scree_world_hash(world);
                    last = report;
                } else {
                    same = same && hash[step] == scree_world_hash(world);
                }
                if (t >= 0 && step == STEPS - 1) {
                    CHECK(memcmp(&report, &last, sizeof report) == 0);
                }
            }
            CHECK(same);
            scree_world_destroy(world);
        }
        CHECK(last.active > 200);
    }
}

/* Threads may be changed between steps. */
static void threads_may_change_between_steps(void) {
    ScreeWorld *one = make_world(&kinds[3], 1), *other = make_world(&kinds[3], 1);
    for (int step = 0; step < 16 / CHECK_STRIDE; step++) {
        rig_must(scree_world_set_threads(other, 1 + step % 4), "threads");
        rig_step(one);
        rig_step(other);
        CHECK(scree_world_hash(one) == scree_world_hash(other));
    }
    scree_world_destroy(one);
    scree_world_destroy(other);
}

int main(int argc, char **argv) {
    CHECK_RUN(threads_do_not_change_a_bit);
    CHECK_RUN(threads_may_change_between_steps);
    return check_result();
}

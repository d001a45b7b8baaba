/* Whole worlds with each method of search: the same bits in both engines, with bodies added and
 * moved on the way and after a restart; and a list that never misses anything. */
#include "math/elementary.h"
#include "physics/rig.h"

typedef struct Scene {
    ScreeEngine engine;
    int dimension;
    bool periodic;
    double ratio; /* of sizes */
    double skin, cell;
    int steps;
} Scene;

static const Scene scenes[] = {
    {SCREE_ENGINE_CONTACT_DYNAMICS, 2, false, 2, 0, 0, 400},
    {SCREE_ENGINE_CONTACT_DYNAMICS, 3, false, 20, 0, 0, 300},
    {SCREE_ENGINE_CONTACT_DYNAMICS, 3, true, 3, 0, 0, 300},
    {SCREE_ENGINE_CONTACT_DYNAMICS, 2, true, 2, 0.1, 0.5, 300},
    {SCREE_ENGINE_SOFT, 2, false, 3, 0, 0, 1200},
    {SCREE_ENGINE_SOFT, 3, true, 2, 0, 0, 900},
    {SCREE_ENGINE_SOFT, 3, false, 10, 0.1, 2, 900},
};
enum { SCENES = sizeof scenes / sizeof scenes[0] };

static void add_grains(ScreeWorld *world, const Scene *s, int first, int count) {
    uint64_t random = 99 + (uint64_t)first;
    for (int i = first; i < first + count; i++) {
        int deep = s->dimension == 3 ? 5 : 1;
        ScreeVec3 x = rig_vec(0.6 + 0.9 * (i % 5), 1 + 0.9 * (i / (5 * deep)),
                              s->dimension == 3 ? 0.6 + 0.9 * (i / 5 % deep) : 0);
        x = rig_add(x, 1, rig_random_vec(&random, 0.03, s->dimension));
        ScreeBodyDef def = rig_ball(x, 0.4 / scr_pow(s->ratio, rig_random(&random)), 0);
        def.mass = 1;
        def.velocity = rig_random_vec(&random, i % 10 == 0 ? 5 : 1, s->dimension);
        rig_add_body(world, &def);
    }
}

static ScreeWorld *make_world(const Scene *s, int method) {
    bool soft = s->engine == SCREE_ENGINE_SOFT;
    ScreeWorldDef def = scree_world_def_default();
    def.engine = s->engine;
    def.dimension = s->dimension;
    def.time_step = soft ? 1e-3 : 3e-3;
    def.gravity = rig_vec(1, -10, 0);
    def.solver.iterations = 40;
    def.search = (ScreeSearch)method;
    def.skin = s->skin;
    def.cell = s->cell;
    def.periodic[0] = s->periodic;
    def.periodic[2] = s->periodic && s->dimension == 3;
    def.cell_max = rig_vec(4.7, 4.7, 4.7);
    ScreeWorld *world = rig_create(&def);
    ScreeMaterialDef stone = scree_material_def_default();
    stone.law.friction = 0.4;
    stone.law.stiffness = soft ? 2e3 : stone.law.stiffness;
    stone.law.restitution = soft ? 0.7 : 0;
    rig_must(scree_world_add_material(world, &stone, NULL), "material");
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    for (int axis = 0; axis < 3 && !s->periodic; axis += 2) {
        ScreeVec3 e = rig_vec(axis == 0, 0, axis == 2);
        if (axis == 0 || s->dimension == 3) {
            rig_add_plane(world, rig_vec(0, 0, 0), e);
            rig_add_plane(world, rig_scale(5, e), rig_scale(-1, e));
        }
    }
    add_grains(world, s, 0, 100);
    return world;
}

/* The same world from its snapshot. */
static ScreeWorld *reload(ScreeWorld *world) {
    size_t size = 0;
    rig_must(scree_world_save(world, NULL, &size), "size of a snapshot");
    unsigned char *data = malloc(size);
    ScreeWorld *copy = NULL;
    if (data == NULL) {
        abort();
    }
    rig_must(scree_world_save(world, data, &size), "save");
    rig_must(scree_world_load(data, size, &copy, NULL), "load");
    CHECK(scree_world_get_def(copy).search == scree_world_get_def(world).search);
    free(data);
    scree_world_destroy(world);
    return copy;
}

/* What happens to a world in the middle of its life. */
static void disturb(ScreeWorld *world, const Scene *s, int step) {
    if (step == s->steps / 3) {
        add_grains(world, s, 200, 10);
    }
    if (step == s->steps / 2) {
        rig_must(scree_body_set_position(world, (ScreeBodyId){3}, rig_vec(2.1, 30, 0)), "position");
        rig_must(
            scree_body_set_velocity(world, (ScreeBodyId){4}, rig_vec(0, 8, 0), rig_vec(0, 0, 0)),
            "fast");
    }
}

static void every_method_gives_the_same_bits(void) {
    for (int k = 0; k < SCENES; k++) {
        const Scene *s = &scenes[k];
        ScreeWorld *world[SCREE_SEARCH_COUNT];
        int different = 0, rebuilt = 0, active = 0;
        for (int m = 0; m < SCREE_SEARCH_COUNT; m++) {
            world[m] = make_world(s, m);
        }
        for (int step = 0; step < s->steps; step++) {
            ScreeReport first;
            for (int m = 0; m < SCREE_SEARCH_COUNT; m++) {
                disturb(world[m], s, step);
                if (m > 0 && step % 97 == 40 + m) { /* each method at another time */
                    world[m] = reload(world[m]);
                }
                ScreeReport report = rig_step(world[m]);
                first = m == 0 ? report : first;
                different += memcmp(&first, &report, sizeof report) != 0;
            }
            rebuilt += (int)first.rebuilt;
            active += (int)first.active;
            for (int m = 1; m < SCREE_SEARCH_COUNT && step % 10 == 9; m++) {
                different += scree_world_hash(world[m]) != scree_world_hash(world[0]);
            }
        }
        CHECK(different == 0);
        CHECK(rebuilt > 8 && rebuilt < s->steps && active > s->steps * 8);
        for (int m = 0; m < SCREE_SEARCH_COUNT; m++) {
            scree_world_destroy(world[m]);
        }
    }
}

/* During a run the list must at all times hold every pair that comes into touch: no two bodies
 * overlap without being a contact, since the report has the largest overlap of all contacts. Fast
 * grains cross several diameters in a step, others stand still. */
static void nothing_is_missed_in_a_run(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        ScreeWorldDef def = rig_def(dimension, 0.05, rig_vec(0, -10, 0));
        def.solver.tolerance = 1e-8;
        ScreeWorld *world = rig_create(&def);
        rig_material(world, 0.3);
        rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        uint64_t random = 31;
        for (int i = 0; i < 100; i++) {
            int nx = dimension == 3 ? 5 : 10;
            ScreeVec3 x = rig_vec(1.1 * (i % nx), 0.6 + 1.1 * (i / nx % 5),
                                  dimension == 3 ? 1.1 * (i / 25) : 0);
            if (dimension == 2) {
                x.y = 0.6 + 1.1 * (i / 10);
            }
            ScreeBodyDef ball = rig_ball(x, 0.3 + 0.2 * rig_random(&random), 0);
            ball.velocity = rig_random_vec(&random, i % 9 == 0 ? 60 : 0.5, dimension);
            rig_add_body(world, &ball);
        }
        for (int step = 0; step < 60; step++) {
            ScreeReport report = rig_step(world);
            ScreeBodyView b = scree_world_get_bodies(world);
            for (size_t i = 0; i < b.count; i++) {
                for (size_t j = 0; j < i; j++) {
                    double gap = rig_length(rig_sub(b.position[i], b.position[j])) - b.radius[i] -
                                 b.radius[j];
                    CHECK(gap >= -report.overlap_max - 1e-12);
                }
            }
        }
        scree_world_destroy(world);
    }
}

/* All grains in one place: every method refuses in the same words. */
static void every_method_refuses_a_crowd_in_the_same_words(void) {
    char message[SCREE_MESSAGE_SIZE] = "";
    for (int engine = 0; engine < 2; engine++) {
        for (int m = 0; m < SCREE_SEARCH_COUNT; m++) {
            ScreeWorldDef def = rig_def(3, 0.01, rig_vec(0, 0, 0));
            def.engine = engine == 0 ? SCREE_ENGINE_CONTACT_DYNAMICS : SCREE_ENGINE_SOFT;
            def.search = (ScreeSearch)m;
            ScreeWorld *world = rig_create(&def);
            ScreeMaterialDef stone = scree_material_def_default();
            stone.law.stiffness = 1e3;
            rig_must(scree_world_add_material(world, &stone, NULL), "material");
            for (int i = 0; i < 600; i++) {
                ScreeBodyDef ball = rig_ball(rig_vec(0, 0, 0), 1, 0);
                rig_add_body(world, &ball);
            }
            CHECK(scree_world_step(world, NULL) == SCREE_TOO_CROWDED);
            snprintf(message, sizeof message, "%s", scree_world_get_message(world));
            CHECK(strstr(message, "of 600 grains") != NULL);
            scree_world_destroy(world);
        }
    }
}

/* A crowd of bodies with odd numbers, and loners with even ones far away on the other side: the
 * search works in the order of space, but the message must name the numbers of bodies. */
static void crowded_bodies_are_named_by_number(void) {
    for (int engine = 0; engine < 2; engine++) {
        ScreeWorldDef def = rig_def(3, 0.01, rig_vec(0, 0, 0));
        def.engine = engine == 0 ? SCREE_ENGINE_CONTACT_DYNAMICS : SCREE_ENGINE_SOFT;
        ScreeWorld *world = rig_create(&def);
        ScreeMaterialDef stone = scree_material_def_default();
        stone.law.stiffness = 1e3;
        rig_must(scree_world_add_material(world, &stone, NULL), "material");
        for (int i = 0; i < 1500; i++) {
            ScreeVec3 x = i % 2 == 1 ? rig_vec(1e4, 1e4, 1e4) : rig_vec(5 * i, 0, 0);
            ScreeBodyDef ball = rig_ball(x, 1, 0);
            rig_add_body(world, &ball);
        }
        int a = 0, b = 0;
        CHECK(scree_world_step(world, NULL) == SCREE_TOO_CROWDED);
        const char *said = strstr(scree_world_get_message(world), "for instance");
        CHECK(said != NULL && sscanf(said, "for instance %d and %d", &a, &b) == 2);
        CHECK(a % 2 == 1 && b % 2 == 1 && a != b && a < 1500 && b < 1500);
        scree_world_destroy(world);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(every_method_gives_the_same_bits);
    CHECK_RUN(nothing_is_missed_in_a_run);
    CHECK_RUN(every_method_refuses_a_crowd_in_the_same_words);
    CHECK_RUN(crowded_bodies_are_named_by_number);
    return check_result();
}

/* A saved and loaded world steps on bit for bit; two worlds made alike are alike; damaged snapshots
 * are refused. */
#include "scenes.h"

static const Scene scenes[] = {
    {2, SCREE_ORDER_BOXED, false, false, false, 90, false},
    {3, SCREE_ORDER_BOXED, false, true, false, 150, false},
    {2, SCREE_ORDER_BOXED, true, true, false, 90, false},
    {3, SCREE_ORDER_BOXED, true, false, false, 150, false},
    {3, SCREE_ORDER_RANDOM, true, true, false, 110, false},
    {2, SCREE_ORDER_FIXED, false, true, true, 80, false},
    {3, SCREE_ORDER_ALTERNATING, true, true, false, 90, false},
    {2, SCREE_ORDER_COLOURED, false, true, false, 80, false},
    {3, SCREE_ORDER_COLOURED, true, true, true, 100, false},
    {2, SCREE_ORDER_BOXED, true, true, false, 90, true},
    {3, SCREE_ORDER_BOXED, false, true, false, 150, true},
};
enum { SCENES = sizeof scenes / sizeof scenes[0] };

static ScreeWorld *reload(const ScreeWorld *world) {
    size_t size = 0;
    unsigned char *data = rig_save(world, &size);
    ScreeWorld *copy = NULL;
    char message[SCREE_MESSAGE_SIZE] = "";
    CHECK(scree_world_load(data, size, &copy, message) == SCREE_OK);
    if (copy == NULL) {
        fprintf(stderr, "%s\n", message);
        abort();
    }
    size_t again = 0;
    unsigned char *second = rig_save(copy, &again);
    CHECK(again == size && memcmp(data, second, size) == 0);
    free(data);
    free(second);
    return copy;
}

/* Saves at several moments, each in its turn: at once, in the fall, in the collapse, at rest. */
static void restarted_worlds_go_on_bit_for_bit(void) {
    static const int moment[] = {0, 1, 17, 60, 61, 119};
    for (int s = 0; s < SCENES; s += CHECK_STRIDE == 1 ? 1 : 3) {
        for (int m = s % 3; m < 6; m += 3 * CHECK_STRIDE) {
            ScreeWorld *world = scene_make(&scenes[s]);
            int rebuilt = 0, hits = 0;
            for (int step = 0; step < moment[m]; step++) {
                rig_step(world);
            }
            ScreeWorld *copy = reload(world);
            CHECK(scree_world_hash(world) == scree_world_hash(copy));
            CHECK(scree_world_get_step_count(world) == scree_world_get_step_count(copy) &&
                  scree_world_get_time(world) == scree_world_get_time(copy));
            bool same = true;
            for (int step = 0; step < 60; step++) {
                ScreeReport a = rig_step(world), b = rig_step(copy);
                same = same && scree_world_hash(world) == scree_world_hash(copy) &&
                       memcmp(&a, &b, sizeof a) == 0;
                rebuilt += (int)a.rebuilt;
                hits += (int)a.active;
            }
            CHECK(same);
            CHECK(rebuilt > 0 && hits > 100);
            scree_world_destroy(world);
            scree_world_destroy(copy);
        }
    }
}

/* Reloading before every single step is no different either. */
static void reloading_before_every_step_changes_nothing(void) {
    ScreeWorld *world = scene_make(&scenes[4]), *chain = scene_make(&scenes[4]);
    for (int step = 0; step < 100; step++) {
        ScreeWorld *next = reload(chain);
        scree_world_destroy(chain);
        chain = next;
        rig_step(world);
        rig_step(chain);
        CHECK(scree_world_hash(world) == scree_world_hash(chain));
    }
    scree_world_destroy(world);
    scree_world_destroy(chain);
}

/* Changes made between steps are in the snapshot too. */
static void changes_between_steps_are_saved(void) {
    ScreeWorld *world = scene_make(&scenes[1]);
    for (int step = 0; step < 40; step++) {
        rig_step(world);
    }
    ScreeLaw law = scree_law_default();
    law.friction = 0.1;
    rig_must(scree_law_set(world, (ScreeMaterialId){0}, (ScreeMaterialId){0}, &law), "law");
    rig_must(scree_world_set_time_step(world, 0.004), "time step");
    rig_must(scree_world_set_gravity(world, rig_vec(1, -5, 2)), "gravity");
    rig_must(scree_wall_remove(world, (ScreeWallId){2}), "remove");
    rig_must(scree_body_set_force(world, (ScreeBodyId){3}, rig_vec(1, 2, 3), rig_vec(0, 0, 1)),
             "force");
    rig_must(scree_wall_set_velocity(world, (ScreeWallId){1}, rig_vec(0.1, 0, 0), rig_vec(0, 0, 0)),
             "velocity");
    ScreeSolverDef solver = scree_world_get_def(world).solver;
    solver.order = SCREE_ORDER_RANDOM;
    rig_must(scree_world_set_solver(world, &solver), "solver");
    ScreeWorld *copy = reload(world);
    bool same = true;
    for (int step = 0; step < 60; step++) {
        rig_step(world);
        rig_step(copy);
        same = same && scree_world_hash(world) == scree_world_hash(copy);
    }
    CHECK(same);
    CHECK_NEAR(scree_world_get_time(world), 0.4 + 60 * 0.004, 1e-15);
    ScreeLaw got;
    rig_must(scree_law_get(copy, (ScreeMaterialId){0}, (ScreeMaterialId){0}, &got), "law");
    CHECK(got.friction == 0.1 && scree_world_get_def(copy).time_step == 0.004);
    CHECK(!rig_wall(copy, 2).present);
    scree_world_destroy(world);
    scree_world_destroy(copy);
}

static void equal_worlds_have_equal_hashes(void) {
    for (int s = 0; s < SCENES; s += CHECK_STRIDE) {
        ScreeWorld *one = scene_make(&scenes[s]), *other = scene_make(&scenes[s]);
        rig_must(scree_world_set_threads(other, 4), "threads");
        bool same = scree_world_hash(one) == scree_world_hash(other);
        for (int step = 0; step < 60; step++) {
            rig_step(one);
            rig_step(other);
            same = same && scree_world_hash(one) == scree_world_hash(other);
        }
        CHECK(same);
        /* the hash does change when a position does */
        uint64_t before = scree_world_hash(one);
        ScreeVec3 x = scree_world_get_bodies(one).position[0];
        rig_must(
            scree_body_set_position(one, (ScreeBodyId){0}, rig_vec(nextafter(x.x, 99), x.y, x.z)),
            "position");
        CHECK(scree_world_hash(one) != before);
        scree_world_destroy(one);
        scree_world_destroy(other);
    }
}

/* ---------------------------------------------------------------- damage */

/* Loading must fail, give no world, and say why. */
static void refused(const unsigned char *data, size_t size, size_t at, const char *how) {
    ScreeWorld *world = NULL;
    char message[SCREE_MESSAGE_SIZE] = "";
    ScreeStatus status = scree_world_load(data, size, &world, message);
    bool ok = (status == SCREE_BAD_SNAPSHOT || status == SCREE_NEWER_SNAPSHOT) && world == NULL &&
              message[0] != '\0';
    CHECK(ok);
    if (!ok) {
        fprintf(stderr, "    %s at byte %zu of %zu: status %d\n", how, at, size, (int)status);
    }
    scree_world_destroy(world);
}

static void damaged_snapshots_are_refused(void) {
    const Scene small = {3, SCREE_ORDER_BOXED, true, true, false, 12, true};
    ScreeWorld *world = scene_make(&small);
    for (int step = 0; step < 60; step++) {
        rig_step(world);
    }
    CHECK(scree_world_get_contacts(world).count > 0);
    size_t size = 0;
    unsigned char *data = rig_save(world, &size);
    for (size_t i = 0; i < size; i++) { /* every byte */
        unsigned char old = data[i];
        data[i] ^= (unsigned char)(1u << (i % 8));
        refused(data, size, i, "bit flipped");
        data[i] = (unsigned char)~old;
        refused(data, size, i, "byte inverted");
        data[i] = old;
    }
    for (size_t i = 0; i < 64;
         i++) { /* every bit of the head, where magic, version and sizes are */
        for (int bit = 0; bit < 8; bit++) {
            data[i] ^= (unsigned char)(1u << bit);
            refused(data, size, i, "bit flipped");
            data[i] ^= (unsigned char)(1u << bit);
        }
    }
    for (size_t cut = 0; cut < size; cut += cut < 200 ? 1 : 37) {
        unsigned char *shorter =
            /* a block of exactly this size, so that reading past its end is noticed */
            malloc(cut + 1);
        if (shorter != NULL) {
            memcpy(shorter, data, cut);
            refused(shorter, cut, cut, "cut off");
        }
        free(shorter);
    }
    unsigned char *longer = calloc(size + 8, 1);
    if (longer != NULL) {
        memcpy(longer, data, size);
        refused(longer, size + 8, size, "something appended");
        refused(longer, size + 1, size, "something appended");
        memset(longer, 0, size);
        refused(longer, size, 0, "zeros");
    }
    free(longer);
    refused((const unsigned char *)"hello", 5, 0, "some text");
    refused(NULL, 0, 0, "nothing");
    ScreeWorld *copy = NULL;
    /* everything put back: it loads again */
    CHECK(scree_world_load(data, size, &copy, NULL) == SCREE_OK);
    scree_world_destroy(copy);
    free(data);
    scree_world_destroy(world);
}

static void newer_snapshots_are_refused(void) {
    const Scene small = {2, SCREE_ORDER_BOXED, false, false, false, 3, false};
    ScreeWorld *world = scene_make(&small);
    size_t size = 0;
    unsigned char *data = rig_save(world, &size);
    data[8] = 0xff; /* the version follows the eight bytes of the magic */
    ScreeWorld *copy = NULL;
    char message[SCREE_MESSAGE_SIZE] = "";
    CHECK(scree_world_load(data, size, &copy, message) == SCREE_NEWER_SNAPSHOT);
    CHECK(copy == NULL && strstr(message, "newer") != NULL);
    free(data);
    scree_world_destroy(world);
}

/* A buffer that is too small is left alone, and the size needed comes back. */
static void small_buffers_are_left_alone(void) {
    const Scene small = {2, SCREE_ORDER_BOXED, false, false, false, 3, false};
    ScreeWorld *world = scene_make(&small);
    size_t needed = 0, size = 10;
    rig_must(scree_world_save(world, NULL, &needed), "size");
    unsigned char little[11];
    memset(little, 7, sizeof little);
    CHECK(scree_world_save(world, little, &size) == SCREE_BAD_ARGUMENT);
    CHECK(size == needed && little[10] == 7);
    scree_world_destroy(world);
}

int main(int argc, char **argv) {
    CHECK_RUN(restarted_worlds_go_on_bit_for_bit);
    CHECK_RUN(reloading_before_every_step_changes_nothing);
    CHECK_RUN(changes_between_steps_are_saved);
    CHECK_RUN(equal_worlds_have_equal_hashes);
    CHECK_RUN(damaged_snapshots_are_refused);
    CHECK_RUN(newer_snapshots_are_refused);
    CHECK_RUN(small_buffers_are_left_alone);
    return check_result();
}

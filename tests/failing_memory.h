/* Memory that fails on demand. The linker sends all allocations of a program that includes this
 * header through the functions below (-Wl,--wrap=malloc and so on, see count_allocations in
 * tests/CMakeLists.txt). */
#ifndef SCREE_TESTS_FAILING_MEMORY_H
#define SCREE_TESTS_FAILING_MEMORY_H

#include "scenes.h"

/* fail_at: number of the call that fails, from 0; -1: none */
static long calls, live, fail_at = -1;
static bool failed;

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *data);
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *data);

static bool refuse(void) {
    bool now = calls++ == fail_at;
    failed = failed || now;
    return now;
}
static void *count_in(void *data) {
    live += data != NULL;
    return data;
}
void *__wrap_malloc(size_t size) {
    return refuse() ? NULL : count_in(__real_malloc(size));
}
void *__wrap_calloc(size_t count, size_t size) {
    return refuse() ? NULL : count_in(__real_calloc(count, size));
}
void *__wrap_realloc(void *old, size_t size) {
    if (refuse()) {
        return NULL;
    }
    live -= old != NULL;
    return count_in(__real_realloc(old, size));
}
void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    return refuse() ? NULL : count_in(__real_aligned_alloc(alignment, size));
}
void __wrap_free(void *data) {
    live -= data != NULL;
    __real_free(data);
}

/* Repeats a call until it works. Before each repetition the world must be as it was; after a failed
 * step it must at least look as it did, for a step may lose impulses or springs. At most one
 * allocation fails, so the second try succeeds. */
static bool step_failed;

static inline uint64_t state_number(const ScreeWorld *world, bool visible) {
    return world == NULL ? 0 : visible ? visible_hash(world) : scree_world_hash(world);
}

#define INSIST(world, call)                                                                        \
    do {                                                                                           \
        bool step_ = strstr(#call, "scree_world_step") != NULL;                                    \
        uint64_t hash_before = state_number(world, step_);                                         \
        bool failed_before = failed;                                                               \
        ScreeStatus status_ = (call);                                                              \
        if (failed && !failed_before) {                                                            \
            CHECK(status_ == SCREE_NO_MEMORY);                                                     \
            CHECK(state_number(world, step_) == hash_before);                                      \
            step_failed = step_;                                                                   \
            CHECK((world) == NULL || scree_world_get_message(world)[0] != '\0');                   \
            status_ = (call);                                                                      \
        }                                                                                          \
        CHECK(status_ == SCREE_OK);                                                                \
    } while (0)

static inline ScreeStatus add_some(ScreeWorld *world, int from, int count) {
    ScreeBodyDef def[40];
    for (int i = 0; i < count; i++) {
        int k = from + i;
        def[i] =
            rig_ball(rig_vec(0.6 * (k % 5), 0.55 + 0.6 * (k / 5 % 5), 0.6 * (k / 25)), 0.28, 0);
        def[i].velocity = rig_vec(0.3 * (k % 3), -2, 0.1);
        def[i].frozen = k % 7 == 3 ? SCREE_FREEZE_ROTATION_X : 0;
    }
    return scree_world_add_bodies(world, def, (size_t)count, NULL);
}

static inline ScreeStatus add_walls(ScreeWorld *world, int which) {
    ScreeWallDef wall =
        rig_plane(rig_vec(0, which == 0 ? 0 : 6, 0), rig_vec(0, which == 0 ? 1 : -1, 0));
    if (which == 1) {
        wall.motion = SCREE_WALL_PISTON;
        wall.mass = 1;
        wall.force = rig_vec(0, -50, 0);
    }
    if (which == 2) {
        wall.shape = SCREE_WALL_CYLINDER;
        wall.point = rig_vec(1, 0, 0);
        wall.radius = 0.4;
        wall.motion = SCREE_WALL_MOVED;
        wall.spin = rig_vec(0, 0, 2);
    }
    return scree_world_add_wall(world, &wall, NULL);
}

/* A short life, which ends with a hash, is lived once undisturbed, and then once for each allocation
 * in it, which fails: the hash is the same, no memory is left behind. */
static inline void fail_each_in_turn(uint64_t (*life)(int kind), int kind) {
    long before = live;
    calls = 0;
    failed = false;
    uint64_t undisturbed = life(kind);
    CHECK(live == before);
    long all = calls;
    CHECK(all > 30);
    for (long k = kind % CHECK_STRIDE; k < all; k += CHECK_STRIDE) {
        calls = 0;
        failed = step_failed = false;
        fail_at = k;
        uint64_t hash = life(kind);
        fail_at = -1;
        CHECK(failed);
        CHECK(hash == undisturbed || step_failed); /* another try leaves no trace */
        CHECK(live == before);                     /* and no memory behind */
    }
}

#endif

/* Random numbers of a scene: a counter passed through a mixing function, so that the same seed
 * gives the same grains on every machine. Only operations that IEEE 754 rounds exactly are used. */
#ifndef SCREE_SCENE_MAKE_RANDOM_H
#define SCREE_SCENE_MAKE_RANDOM_H

#include "base/random.h"

typedef struct SceneRandom {
    uint64_t key, counter;
} SceneRandom;

static inline uint64_t scene_mix(uint64_t x) {
    return scr_random(x, 0);
}

/* A separate stream for every seed, entry of the scene and purpose. */
static inline SceneRandom scene_random(uint64_t seed, uint64_t entry, uint64_t purpose) {
    return (SceneRandom){scene_mix(scene_mix(scene_mix(seed) ^ entry) ^ (purpose << 32)), 0};
}

/* Uniform in [0, 1). */
static inline double scene_uniform(SceneRandom *random) {
    uint64_t bits = scene_mix(random->key ^ scene_mix(random->counter++));
    return (double)(bits >> 11) * 0x1p-53;
}

#endif

/* The structures and functions of the library that kernels share with the processor: the same source, of which every
 * inline function is one of the card, too. What a card has no use for is left out. */
#ifndef SCREE_CUDA_CORE_H
#define SCREE_CUDA_CORE_H

#include "lanes.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __CUDACC__
ON_BOTH int lowest_bit(unsigned long long x) {
#ifdef __CUDA_ARCH__
    return __ffsll((long long)x) - 1;
#else
    return __builtin_ctzll(x);
#endif
}
#define __builtin_ctzll lowest_bit
#define _Static_assert static_assert
#define restrict __restrict__
#define inline __host__ __device__ inline
#endif

#include "base/memory.h"
#include "math/elementary.h"
#include "math/small_angles.h"

/* Blocks are the processor's, and bodies that turn far in a step, too. */
#undef SCR_RESERVE
#define SCR_RESERVE(owner, name, count) ((void)(owner), (void)(count), false)
#define scr_sin                         scr_small_sine
#define scr_cos                         scr_small_cosine

#include "base/random.h"
#include "dynamics/device_steps.h"
#include "sweep/pack_box.h"

#undef scr_sin
#undef scr_cos
#ifdef __CUDACC__
#undef inline
#endif

#endif

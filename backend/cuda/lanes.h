/* Kernels in one source for the GPU and for the processor.
 *
 * A kernel works on one block of LANES lanes at a time, with some shared memory. On the GPU each lane
 * is a thread, and a block is one warp. Elsewhere a block is a function, and whatever lanes do between
 * two barriers is a loop over them: so the same source is tested without a GPU, and sanitizers see
 * it. Half of the blocks take their lanes in reverse: what one lane leaves to another without a
 * barrier then shows.
 *
 *     KERNEL(name, Arguments) {
 *         BLOCK_BEGIN
 *         LANE_VALUE(double, x);              a number of each lane, which outlives a barrier
 *         EACH_LANE { OF(x) = lane; }
 *         BARRIER();
 *         bool all;
 *         ALL_LANES(all, OF(x) >= 0);         a vote
 *     }
 *
 * Between blocks `given` are the arguments, `block` is this block. Loops around EACH_LANE must be the
 * same for all lanes. */
#ifndef SCREE_CUDA_LANES_H
#define SCREE_CUDA_LANES_H

#include <stdbool.h>
#include <stdint.h>

enum { LANES = 32 };

typedef struct Block {
    int index;
    bool reverse;   /* of the emulation */
    double *shared; /* aligned to 16 bytes */
} Block;

#ifdef __CUDACC__

#include <cuda_pipeline.h>

#define ON_DEVICE static __device__ __forceinline__
#define KERNEL(name, Arguments)                                                                    \
    static __global__ void __launch_bounds__(LANES) name(const Arguments given)
#define BLOCK_BEGIN                                                                                \
    extern __shared__ __align__(16) double shared_memory[];                                        \
    const Block block = {(int)blockIdx.x, false, shared_memory};
#define EACH_LANE              for (int lane = (int)threadIdx.x, once = 1; once != 0; once = 0)
#define LANE_VALUE(type, name) type name
#define OF(name)               name
#define BARRIER()              __syncwarp()
#define ALL_LANES(result, condition)                                                               \
    do {                                                                                           \
        const int lane = (int)threadIdx.x;                                                         \
        (void)lane;                                                                                \
        (result) = __all_sync(0xffffffffu, (condition)) != 0;                                      \
    } while (0)

/* Copies of 4, 8 or 16 bytes into shared memory that take their time. They form lots, and
 * async_wait(n) waits until at most the n latest lots are under way. Other lanes see what has come
 * after a barrier. */
#define async_copy(to, from, bytes) __pipeline_memcpy_async((to), (from), (bytes))
#define async_end_lot()             __pipeline_commit()
#define async_wait(lots)            __pipeline_wait_prior(lots)

#else

#include <string.h>

#define ON_DEVICE               static inline
#define KERNEL(name, Arguments) static void name(const Arguments given, const Block block)
#define BLOCK_BEGIN
#define EACH_LANE                                                                                  \
    for (int turn = 0, lane = block.reverse ? LANES - 1 : 0; turn < LANES;                         \
         turn++, lane = block.reverse ? LANES - 1 - turn : turn)
#define LANE_VALUE(type, name) type name[LANES]
#define OF(name)               name[lane]
#define BARRIER()
#define ALL_LANES(result, condition)                                                               \
    do {                                                                                           \
        (result) = true;                                                                           \
        for (int lane = 0; lane < LANES; lane++) {                                                 \
            (result) = (result) && (condition);                                                    \
        }                                                                                          \
    } while (0)
#define async_copy(to, from, bytes) memcpy((to), (from), (bytes))
#define async_end_lot()
#define async_wait(lots)

#endif

/* The laws are functions of the device. */
#define LAW_INLINE ON_DEVICE

#endif

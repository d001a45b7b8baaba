/* Kernels in one source for the GPU and for the processor.
 *
 * A kernel is the work of a team of LANES lanes, with some shared memory. On the GPU each lane is a
 * thread, and TEAMS teams make up a block, which is one warp: they do the same at the same time, and
 * where one has less to do it waits. Elsewhere a team is a function, and whatever its lanes do between
 * two barriers is a loop over them: so the same source is tested without a GPU, and sanitizers see
 * it. Half of the teams take their lanes in reverse: what one lane leaves to another without a
 * barrier then shows.
 *
 *     KERNEL(name, Arguments) {
 *         TEAM_BEGIN
 *         LANE_VALUE(double, x);              a number of each lane, which outlives a barrier
 *         EACH_LANE { OF(x) = lane; }
 *         BARRIER();
 *         bool all;
 *         ALL_LANES(all, OF(x) >= 0);         a vote of the team
 *     }
 *
 * In a kernel `given` are the arguments and `team` is the team. Barriers and votes must be met by all
 * teams of a block: so loops around them go on to MOST_OF_BLOCK, the largest number of any team. */
#ifndef SCREE_CUDA_LANES_H
#define SCREE_CUDA_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LANES = 8, TEAMS = 4, BLOCKS = 12 /* on a multiprocessor at least: limits registers */ };

typedef struct Team {
    int index;
    bool exists;    /* the last block may have teams without work */
    bool reverse;   /* of the emulation */
    double *shared; /* aligned to 16 bytes */
} Team;

typedef struct Two {
    double x, y;
} Two;

#ifdef __CUDACC__

#define ON_DEVICE static __device__ __forceinline__
#define KERNEL(name, Arguments)                                                                    \
    static __global__ void __launch_bounds__(LANES *TEAMS, BLOCKS)                                 \
        name(const Arguments given, const int teams, const int numbers)
#define TEAM_BEGIN                                                                                 \
    extern __shared__ __align__(16) double shared_memory[];                                        \
    const int in_block = (int)threadIdx.x / LANES, number = (int)blockIdx.x * TEAMS + in_block;    \
    const Team team = {number, number < teams, false, shared_memory + in_block * numbers};
#define ALL_OF_BLOCK           0xffffffffu
#define EACH_LANE              for (int lane = (int)threadIdx.x % LANES, once = 1; once != 0; once = 0)
#define LANE_VALUE(type, name) type name
#define OF(name)               name
#define BARRIER()              __syncwarp(ALL_OF_BLOCK)
#define ALL_LANES(result, condition)                                                               \
    do {                                                                                           \
        const unsigned against = __ballot_sync(ALL_OF_BLOCK, !(condition));                        \
        (result) = (against >> ((int)threadIdx.x / LANES * LANES) & ((1u << LANES) - 1)) == 0;     \
    } while (0)
#define MOST_OF_BLOCK(number) ((int)__reduce_max_sync(ALL_OF_BLOCK, (unsigned)(number)))
#define ANY_OF_BLOCK(flag)    (__any_sync(ALL_OF_BLOCK, (flag)) != 0)

/* Two numbers at a time, from an address that is aligned to them. */
ON_DEVICE Two load_two(const double *from) {
    const double2 x = *(const double2 *)from;
    Two two;
    two.x = x.x, two.y = x.y;
    return two;
}
ON_DEVICE void store_two(double *to, double x, double y) {
    *(double2 *)to = make_double2(x, y);
}
/* The two whole numbers that a double holds. */
ON_DEVICE void whole_numbers(double pair, int *first, int *second) {
    *first = __double2loint(pair), *second = __double2hiint(pair);
}
/* Asks for memory that is needed soon. */
ON_DEVICE void ask_for(const double *at) {
    asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
}

#else

#include <string.h>

#define ON_DEVICE               static inline
#define KERNEL(name, Arguments) static void name(const Arguments given, const Team team)
#define TEAM_BEGIN
#define EACH_LANE                                                                                  \
    for (int turn = 0, lane = team.reverse ? LANES - 1 : 0; turn < LANES;                          \
         turn++, lane = team.reverse ? LANES - 1 - turn : turn)
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
#define MOST_OF_BLOCK(number) (number)
#define ANY_OF_BLOCK(flag)    (flag)

ON_DEVICE Two load_two(const double *from) {
    return (Two){from[0], from[1]};
}
ON_DEVICE void store_two(double *to, double x, double y) {
    to[0] = x, to[1] = y;
}
ON_DEVICE void whole_numbers(double pair, int *first, int *second) {
    int32_t number[2];
    memcpy(number, &pair, sizeof number);
    *first = number[0], *second = number[1];
}
ON_DEVICE void ask_for(const double *at) {
    (void)at;
}

#endif

/* The laws are functions of the device. */
#define LAW_INLINE ON_DEVICE

#endif

/* Kernels in one source for the GPU and for the processor.
 *
 * A kernel is the work of a team of LANES lanes, with some shared memory. On the GPU each lane is a
 * thread, and a team is a block of WARPS warps. Elsewhere a team is a function, and whatever its lanes do between two
 * barriers is a loop over them: so the same source is tested without a GPU, and sanitizers see it. Half
 * of the teams take their lanes in reverse: what one lane leaves to another without a barrier then shows.
 *
 *     KERNEL(name, Arguments) {
 *         TEAM_BEGIN
 *         LANE_VALUE(double, x);              a number of each lane, which outlives a barrier
 *         EACH_LANE { OF(x) = lane; }
 *         BARRIER();
 *     }
 *
 * In a kernel `given` are the arguments and `team` is the team. */
#ifndef SCREE_CUDA_LANES_H
#define SCREE_CUDA_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* With four warps fewer boxes are under way, or less registers are left, which the laws need. */
enum {
    WARP = 32,
    WARPS = 3,
    LANES = WARPS * WARP,
    BLOCKS = 8,    /* on a multiprocessor at least: limits registers */
    LAW_BLOCKS = 4 /* laws beyond Coulomb's need more of them */
};

typedef struct Team {
    int index;
    bool reverse;   /* of the emulation */
    double *shared; /* aligned to 16 bytes */
} Team;

typedef struct Two {
    double x, y;
} Two;

#ifdef __CUDACC__

#define ON_DEVICE static __device__ __forceinline__
#define ON_BOTH   static __host__ __device__ __forceinline__
#define KERNEL_OF(name, Arguments, blocks)                                                         \
    static __global__ void __launch_bounds__(LANES, blocks) name(const Arguments given)
#define KERNEL(name, Arguments) KERNEL_OF(name, Arguments, BLOCKS)
#define TEAM_BEGIN                                                                                 \
    extern __shared__ __align__(16) double shared_memory[];                                        \
    const Team team = {(int)blockIdx.x, false, shared_memory};
#define EACH_LANE              for (int lane = (int)threadIdx.x, once = 1; once != 0; once = 0)
#define LANE_VALUE(type, name) type name
#define OF(name)               name
#define BARRIER()              __syncthreads()
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
/* The same, of numbers that are read once: they pass by the multiprocessor's own cache. */
ON_DEVICE Two read_two(const double *from) {
    const double2 x = __ldcg((const double2 *)from);
    Two two;
    two.x = x.x, two.y = x.y;
    return two;
}
ON_DEVICE double read_one(const double *from) {
    return __ldcg(from);
}
/* One half of the bits of a number that no kernel writes. The compiler would load it together with its neighbours, copy
 * it to where it belongs at once, and so wait for it. */
ON_DEVICE unsigned read_half(const double *from, int half) {
    unsigned x;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(x) : "l"((const unsigned *)from + half));
    return x;
}
/* The bits of a number. */
ON_DEVICE uint64_t bits_of(double x) {
    return (uint64_t)__double_as_longlong(x);
}
ON_DEVICE double number_of(uint64_t bits) {
    return __longlong_as_double((long long)bits);
}
/* Copies two numbers, or one; into shared memory without waiting for them, which FETCHED does. */
ON_DEVICE void fetch_two(double *to, const double *from, bool shared) {
    if (shared) {
        const unsigned at = (unsigned)__cvta_generic_to_shared(to);
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from) : "memory");
    } else {
        *(double2 *)to = *(const double2 *)from;
    }
}
ON_DEVICE void fetch_one(double *to, const double *from, bool shared) {
    if (shared) {
        const unsigned at = (unsigned)__cvta_generic_to_shared(to);
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(at), "l"(from) : "memory");
    } else {
        *to = *from;
    }
}
/* Adds to a whole number, at the same time as other teams. */
ON_DEVICE void add_whole(int64_t *to, int64_t term) {
    atomicAdd((unsigned long long *)to, (unsigned long long)term);
}
#define FETCHED() asm volatile("cp.async.wait_all;" ::: "memory")

#else

#include <string.h>

#define ON_DEVICE                          static inline
#define ON_BOTH                            static inline
#define KERNEL(name, Arguments)            static void name(const Arguments given, const Team team)
#define KERNEL_OF(name, Arguments, blocks) KERNEL(name, Arguments)
#define TEAM_BEGIN
#define EACH_LANE                                                                                  \
    for (int turn = 0, lane = team.reverse ? LANES - 1 : 0; turn < LANES;                          \
         turn++, lane = team.reverse ? LANES - 1 - turn : turn)
#define LANE_VALUE(type, name) type name[LANES]
#define OF(name)               name[lane]
#define BARRIER()
ON_DEVICE Two load_two(const double *from) {
    return (Two){from[0], from[1]};
}
ON_DEVICE void store_two(double *to, double x, double y) {
    to[0] = x, to[1] = y;
}
ON_DEVICE Two read_two(const double *from) {
    return load_two(from);
}
ON_DEVICE double read_one(const double *from) {
    return *from;
}
ON_DEVICE unsigned read_half(const double *from, int half) {
    uint64_t bits;
    memcpy(&bits, from, sizeof bits);
    return (unsigned)(bits >> 32 * half);
}
ON_DEVICE uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
ON_DEVICE double number_of(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
ON_DEVICE void fetch_two(double *to, const double *from, bool shared) {
    (void)shared;
    to[0] = from[0], to[1] = from[1];
}
ON_DEVICE void fetch_one(double *to, const double *from, bool shared) {
    (void)shared;
    *to = *from;
}
ON_DEVICE void add_whole(int64_t *to, int64_t term) {
    *to += term;
}
#define FETCHED()

#endif

/* The laws are functions of the device, too. */
#define LAW_INLINE  ON_BOTH
#define MATH_INLINE ON_BOTH

#endif

/* The one place that allocates memory, so that every block is aligned for vectors and counted. */
#ifndef SCREE_BASE_MEMORY_H
#define SCREE_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* A growing block of memory, aligned to a cache line. Zero-initialise it. */
typedef struct Block {
    void *data;
    size_t bytes;
} Block;

/* Makes room for `count` items of `size` bytes and preserves the first `kept` bytes of what the
 * block held. Takes a little more than asked, so that a slowly growing array is not copied every
 * time; only one part in 32, because blocks live long and memory is counted. False when out of
 * memory; the block is then unchanged. */
bool scr_block_reserve(Block *block, size_t count, size_t size, size_t kept);

/* The same, without the little more. */
bool scr_block_reserve_exact(Block *block, size_t count, size_t size, size_t kept);

void scr_block_free(Block *block);

/* Frees several: SCR_FREE_BLOCKS(&a, &b). */
#define SCR_FREE_BLOCKS(...) scr_blocks_free((Block *const[]){__VA_ARGS__, NULL})
void scr_blocks_free(Block *const *block);

/* The array `name` of a struct and the block `name_block` that it lives in: makes room for `count`
 * items, preserves the first `kept` of them, and sets the array. False when out of memory. */
#define SCR_RESERVE_KEEPING(owner, name, count, kept)                                              \
    (scr_block_reserve(&(owner)->name##_block, count, sizeof *(owner)->name,                       \
                       (kept) * sizeof *(owner)->name) &&                                          \
     (((owner)->name = (owner)->name##_block.data), true))

/* The same, without preserving anything. */
#define SCR_RESERVE(owner, name, count) SCR_RESERVE_KEEPING(owner, name, count, 0)

#endif

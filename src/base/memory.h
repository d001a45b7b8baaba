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

#endif

/* Memory: one place that allocates, so that every block is aligned for vectors and is counted. */
#ifndef SCREE_BASE_MEMORY_H
#define SCREE_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* A growing block of memory, aligned to a cache line. Zero-initialise it. */
typedef struct Block {
    void *data;
    size_t bytes;
} Block;

/* Makes room for `count` items of `size` bytes, keeping the first `kept` bytes of content. Takes a
 * little more than asked (one part in 32: blocks live long and memory is counted), so that a slowly
 * growing array is not copied every time. False when out of memory; the block is then unchanged. */
bool scr_block_reserve(Block *block, size_t count, size_t size, size_t kept);

/* The same without the extra. */
bool scr_block_reserve_exact(Block *block, size_t count, size_t size, size_t kept);

void scr_block_free(Block *block);

#endif

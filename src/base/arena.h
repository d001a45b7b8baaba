/* Work memory that is taken in frames. A frame begins by saying how much it needs in all, and
 * discards whatever the frame before it had taken, so two parts of a step that do not overlap in
 * time share the same memory. Once the sizes have settled nothing is allocated any more. */
#ifndef SCREE_BASE_ARENA_H
#define SCREE_BASE_ARENA_H

#include "base/memory.h"

#include <assert.h>

/* Zero-initialise it. */
typedef struct Arena {
    Block block;
    size_t used;
} Arena;

enum { ARENA_LINE = 64 }; /* every array begins at a cache line */

/* The bytes that an array takes up in a frame. */
static inline size_t scr_arena_bytes(size_t count, size_t size) {
    return (count * size + ARENA_LINE - 1) / ARENA_LINE * ARENA_LINE;
}

/* Begins a frame of `bytes` bytes; false when out of memory. */
static inline bool scr_arena_begin(Arena *arena, size_t bytes) {
    arena->used = 0;
    return scr_block_reserve(&arena->block, bytes + ARENA_LINE, 1, 0);
}

/* The next array of the frame, which must have been begun with room for it. */
static inline void *scr_arena_take(Arena *arena, size_t count, size_t size) {
    char *at = (char *)arena->block.data + arena->used;
    arena->used += scr_arena_bytes(count, size);
    assert(arena->used <= arena->block.bytes);
    return at;
}

static inline void scr_arena_free(Arena *arena) {
    scr_block_free(&arena->block);
    arena->used = 0;
}

#endif

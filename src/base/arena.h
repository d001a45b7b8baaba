/* Work memory that is taken in frames. A frame begins by saying how much it needs in all; whatever
 * the frame before had taken is gone then, so two parts of a step that do not overlap in time share
 * the same memory. In steady state nothing is allocated. */
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

/* What an array takes of a frame. */
static inline size_t scr_arena_bytes(size_t count, size_t size) {
    return (count * size + ARENA_LINE - 1) / ARENA_LINE * ARENA_LINE;
}

/* Begins a frame of so many bytes; false when out of memory. */
static inline bool scr_arena_begin(Arena *arena, size_t bytes) {
    arena->used = 0;
    return scr_block_reserve(&arena->block, bytes + ARENA_LINE, 1, 0);
}

/* An array out of the frame, which has room for it. */
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

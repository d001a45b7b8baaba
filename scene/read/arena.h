/* Memory that lives as long as the scene: many small pieces, freed together. */
#ifndef SCREE_SCENE_READ_ARENA_H
#define SCREE_SCENE_READ_ARENA_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct SceneArena {
    struct SceneArenaPiece *last;
} SceneArena;

typedef struct SceneArenaPiece {
    struct SceneArenaPiece *before;
    _Alignas(max_align_t) unsigned char bytes[];
} SceneArenaPiece;

/* Zeroed memory for `count` items; NULL when out of memory. */
static inline void *scene_alloc(SceneArena *arena, size_t count, size_t size) {
    size_t most = SIZE_MAX - sizeof(SceneArenaPiece);
    if (size && count > most / size) {
        return NULL;
    }
    SceneArenaPiece *piece = calloc(1, sizeof *piece + count * size);
    if (!piece) {
        return NULL;
    }
    piece->before = arena->last;
    arena->last = piece;
    return piece->bytes;
}

static inline char *scene_copy_text(SceneArena *arena, const char *text, size_t size) {
    char *copy = scene_alloc(arena, size + 1, 1);
    if (copy && size) {
        memcpy(copy, text, size);
    }
    return copy;
}

static inline void scene_free_all(SceneArena *arena) {
    while (arena->last) {
        SceneArenaPiece *before = arena->last->before;
        free(arena->last);
        arena->last = before;
    }
}

#endif

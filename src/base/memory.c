#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

static bool resize(Block *block, size_t bytes, size_t kept) {
    if (bytes > SIZE_MAX - ALIGNMENT) {
        return false;
    }
    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    void *data = aligned_alloc(ALIGNMENT, bytes);
    if (data == NULL) {
        return false;
    }
    if (kept > 0) {
        memcpy(data, block->data, kept);
    }
    free(block->data);
    block->data = data;
    block->bytes = bytes;
    return true;
}

bool scr_block_reserve_exact(Block *block, size_t count, size_t size, size_t kept) {
    if (count > SIZE_MAX / size) {
        return false;
    }
    size_t bytes = count * size;
    return bytes <= block->bytes ? true : resize(block, bytes, kept);
}

bool scr_block_reserve(Block *block, size_t count, size_t size, size_t kept) {
    if (count <= block->bytes / size) {
        return true;
    }
    if (count > SIZE_MAX - count / 8) {
        return false;
    }
    return scr_block_reserve_exact(block, count + count / 8, size, kept);
}

void scr_block_free(Block *block) {
    free(block->data);
    *block = (Block){0};
}

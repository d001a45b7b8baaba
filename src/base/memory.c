#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

enum { CACHE_LINE = 64, HUGE_PAGE = 2 << 20 };

/* Large blocks are laid on huge pages where the system has them: a sweep over half a million grains
 * otherwise misses the page table at every body. */
static void *take(size_t bytes) {
    if (bytes < 4 * (size_t)HUGE_PAGE) {
        return aligned_alloc(CACHE_LINE, bytes);
    }
    void *data = aligned_alloc(HUGE_PAGE, (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
#ifdef MADV_HUGEPAGE
    if (data != NULL) {
        (void)madvise(data, bytes, MADV_HUGEPAGE); /* advice only: a refusal changes nothing */
    }
#endif
    return data;
}

static bool resize(Block *block, size_t bytes, size_t kept) {
    if (bytes > SIZE_MAX - HUGE_PAGE) {
        return false;
    }
    bytes = (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    void *data = take(bytes);
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
    size_t extra = count / 32 + 16;
    if (count > SIZE_MAX - extra) {
        return false;
    }
    return scr_block_reserve_exact(block, count + extra, size, kept);
}

void scr_block_free(Block *block) {
    free(block->data);
    *block = (Block){0};
}

void scr_blocks_free(Block *const *block) {
    for (; *block != NULL; block++) {
        scr_block_free(*block);
    }
}

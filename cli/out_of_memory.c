/* What happens when memory runs out inside a library that does not expect it.
 *
 * HDF5 goes on with null pointers in hundreds of places: it crashes, ends without a word, or takes
 * a sound file for a damaged one. Our own code gets its null pointer and reports it; on behalf of
 * any other code the process says so and ends here, with status 1. It ends as if it had been
 * killed, and a kill at any moment harms neither run nor checkpoint (docs/reliability.md).
 *
 * The functions below take the place of the system's in the whole process, as the manual of glibc
 * allows, and pass every call on to the next in line. Sanitizers bring functions of their own. */
#define _GNU_SOURCE /* for dladdr */
#include "cli/message.h"

#include <stdlib.h>

#if defined(__GLIBC__) && !defined(SCREE_SANITIZED)
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <string.h>
#include <unistd.h>

typedef struct Functions {
    void *(*malloc)(size_t size);
    void *(*calloc)(size_t count, size_t size);
    void *(*realloc)(void *old, size_t size);
    void *(*aligned_alloc)(size_t alignment, size_t size);
    void *(*memalign)(size_t alignment, size_t size);
    int (*posix_memalign)(void **into, size_t alignment, size_t size);
} Functions;

/* Found before main begins, by the loader's own thread, and never changed. */
static Functions next;

/* A pointer to a function, whose type ISO C keeps apart from pointers to data. */
static void find(void *function, const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    memcpy(function, &found, sizeof found);
}

static const Functions *the_next(void) {
    if (next.malloc == NULL) {
        find(&next.calloc, "calloc");
        find(&next.realloc, "realloc");
        find(&next.aligned_alloc, "aligned_alloc");
        find(&next.memalign, "memalign");
        find(&next.posix_memalign, "posix_memalign");
        find(&next.malloc, "malloc");
    }
    return &next;
}

/* Whether an address lies in this program. */
static bool is_own(const void *address) {
    Dl_info here, there;
    return dladdr(&next, &here) != 0 && dladdr(address, &there) != 0 &&
           here.dli_fbase == there.dli_fbase;
}

/* A request beyond the memory of the machine comes from a number in a damaged file. That is for the
 * library to find out. */
static bool is_absurd(size_t count, size_t size) {
    long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && bytes > 0 && (double)count * (double)size > (double)pages * (double)bytes;
}

static void end_unless_own(const void *caller, size_t count, size_t size) {
    static const char text[] = "scree: error: out of memory\n";
    if (!is_own(caller) && !is_absurd(count, size)) {
        if (write(STDERR_FILENO, text, sizeof text - 1) < 0) {
            _exit(CLI_FAILED); /* nobody listens; the status remains */
        }
        _exit(CLI_FAILED);
    }
    errno = ENOMEM;
}

/* ---------------------------------------------------------------- in place of the system's */

#define SEEN_BY_ALL __attribute__((visibility("default")))

SEEN_BY_ALL void *malloc(size_t size) {
    void *data = the_next()->malloc(size);
    if (data == NULL) {
        end_unless_own(__builtin_return_address(0), 1, size);
    }
    return data;
}

SEEN_BY_ALL void *calloc(size_t count, size_t size) {
    void *data = the_next()->calloc(count, size);
    if (data == NULL) {
        end_unless_own(__builtin_return_address(0), count, size);
    }
    return data;
}

SEEN_BY_ALL void *realloc(void *old, size_t size) {
    void *data = the_next()->realloc(old, size);
    if (data == NULL && size > 0) {
        end_unless_own(__builtin_return_address(0), 1, size);
    }
    return data;
}

SEEN_BY_ALL void *aligned_alloc(size_t alignment, size_t size) {
    void *data = the_next()->aligned_alloc(alignment, size);
    if (data == NULL) {
        end_unless_own(__builtin_return_address(0), 1, size);
    }
    return data;
}

SEEN_BY_ALL void *memalign(size_t alignment, size_t size) {
    void *data = the_next()->memalign(alignment, size);
    if (data == NULL) {
        end_unless_own(__builtin_return_address(0), 1, size);
    }
    return data;
}

SEEN_BY_ALL int posix_memalign(void **into, size_t alignment, size_t size) {
    int status = the_next()->posix_memalign(into, alignment, size);
    if (status == ENOMEM) {
        end_unless_own(__builtin_return_address(0), 1, size);
    }
    return status;
}

#endif

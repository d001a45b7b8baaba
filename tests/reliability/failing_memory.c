/* Memory that fails on demand, for a whole process: loaded before all other libraries (LD_PRELOAD),
 * so that theirs fails too. Calls are counted from the beginning of main on; what happens before
 * belongs to the loader.
 *
 *   SCREE_FAIL_AT=N        call N fails, counted from 1
 *   SCREE_FAIL_ON=1        and so does every call after it
 *   SCREE_FAIL_LIST=FILE   writes a line for each call: a number that stands for the functions that
 *                          led to it, and who called
 *   SCREE_FAIL_BRIEF=1     leaves that out, since it takes far longer than the call
 *
 * tests/reliability/faults.py makes every call fail in turn. */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* glibc's own names for what is replaced here */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_long calls;
static long fail_at;
static bool counting, fail_on, brief;
static int list = -1;
static _Thread_local bool busy; /* with a list: unwinding may itself allocate */

enum { DEPTH = 48 };

/* Addresses within a library, which is loaded elsewhere each time. */
static uint64_t place_of(const void *address, const char **library, const char **function) {
    Dl_info about;
    if (dladdr(address, &about) == 0) {
        return 0;
    }
    *library = about.dli_fname;
    *function = about.dli_sname != NULL ? about.dli_sname : "?";
    return (uint64_t)((uintptr_t)address - (uintptr_t)about.dli_fbase);
}

/* A stack is the places that led here, without those in this library. */
static void list_call(long number) {
    void *stack[DEPTH];
    char line[4096];
    size_t length = 0;
    uint64_t hash = 0xcbf29ce484222325u;
    busy = true;
    int depth = brief ? 0 : backtrace(stack, DEPTH);
    length = (size_t)snprintf(line, sizeof line, "%ld", number);
    size_t hash_at = length;
    length += (size_t)snprintf(line + length, sizeof line - length, " ................ ");
    for (int i = 2, named = 0; i < depth; i++) {
        const char *library = "?", *function = "?";
        hash = (hash ^ place_of(stack[i], &library, &function)) * 0x100000001b3u;
        const char *slash = strrchr(library, '/');
        if (named < 12 && length + 200 < sizeof line) {
            int wrote = snprintf(line + length, 150, "%s:%s ", slash != NULL ? slash + 1 : library,
                                 function);
            length += wrote < 150 ? (size_t)wrote : 149;
            named++;
        }
    }
    line[length++] = '\n';
    char digits[20];
    snprintf(digits, sizeof digits, " %016llx ", (unsigned long long)hash);
    memcpy(line + hash_at, digits, 18);
    if (write(list, line, length) < 0) {
        list = -1;
    }
    busy = false;
}

static bool refuse(void) {
    if (!counting || busy) {
        return false;
    }
    long number = atomic_fetch_add(&calls, 1) + 1;
    if (list >= 0) {
        list_call(number);
    }
    bool now = number == fail_at || (fail_on && fail_at > 0 && number > fail_at);
    if (now) {
        errno = ENOMEM;
    }
    return now;
}

void *malloc(size_t size) {
    return refuse() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    return refuse() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
    return refuse() ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    return refuse() ? NULL : __libc_memalign(alignment, size);
}

void *memalign(size_t alignment, size_t size) {
    return refuse() ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **into, size_t alignment, size_t size) {
    if (refuse()) {
        return ENOMEM;
    }
    *into = __libc_memalign(alignment, size);
    return *into != NULL ? 0 : ENOMEM;
}

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset) {
    return refuse() ? MAP_FAILED
                    : (void *)syscall(SYS_mmap, address, length, protection, flags, file, offset);
}

void *mmap64(void *address, size_t length, int protection, int flags, int file, off_t offset) {
    return mmap(address, length, protection, flags, file, offset);
}

/* ---------------------------------------------------------------- from main on */

typedef int Main(int argc, char **argv, char **environment);

static Main *true_main;

static int counted_main(int argc, char **argv, char **environment) {
    counting = fail_at > 0 || list >= 0;
    return true_main(argc, argv, environment);
}

static void prepare(void) {
    const char *at = getenv("SCREE_FAIL_AT"), *path = getenv("SCREE_FAIL_LIST");
    void *stack[2];
    fail_at = at != NULL ? atol(at) : 0;
    fail_on = getenv("SCREE_FAIL_ON") != NULL;
    brief = getenv("SCREE_FAIL_BRIEF") != NULL;
    if (path != NULL) {
        list = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
        (void)backtrace(stack, 2); /* loads what it needs */
    }
}

int __libc_start_main(Main *main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end);

int __libc_start_main(Main *main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end) {
    typedef int Start(Main *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
    void *found = dlsym(RTLD_NEXT, "__libc_start_main");
    Start *start = NULL;
    memcpy(&start, &found, sizeof found);
    prepare();
    true_main = main;
    return start(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}

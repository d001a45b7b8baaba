/* Memory that fails on demand, for a whole process: loaded before all other libraries (LD_PRELOAD),
 * so that theirs fails too. Calls are counted from the beginning of main on; what happens before
 * belongs to the loader.
 *
 *   SCREE_FAIL_AT=N        call N fails, counted from 1
 *   SCREE_FAIL_ON=1        and so does every call after it
 *   SCREE_FAIL_LIST=FILE   writes a line for each call: a number that stands for the functions that
 *                          led to it, and who called
 *   SCREE_FAIL_BRIEF=1     leaves that out, since it takes far longer than the call
 *   SCREE_FAIL_EACH=FILE   the calls whose numbers the file holds (as long, rising) fail, each in a
 *                          copy of the process that goes on in a copy of the working folder
 *   SCREE_FAIL_COPIES=DIR  where those folders are made
 *   SCREE_FAIL_SOCKET=N    the descriptor on which each copy's end is told, and an answer awaited
 *
 * tests/reliability/faults.py makes every call fail in turn. A copy of the process begins where its
 * call is, so that it costs a millisecond or two to let one fail; from the start of the program on,
 * it would be a hundred times as much. */
#include <dirent.h>
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
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
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
static _Thread_local bool busy; /* unwinding, or copying a process, may itself allocate */

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

/* ---------------------------------------------------------------- copies of the process */

static const long *chosen; /* the calls that fail in copies, and how many there are still */
static size_t chosen_left;
static int told = -1; /* where their ends are told */
static char copies[256], here[256];

static void copy_bytes(int from, int to) {
    static char bytes[1 << 16];
    ssize_t got;
    for (off_t at = 0; (got = pread(from, bytes, sizeof bytes, at)) > 0; at += got) {
        if (pwrite(to, bytes, (size_t)got, at) != got) {
            _exit(99);
        }
    }
}

static void copy_folder(const char *from, const char *to) {
    DIR *entries = opendir(from);
    if (entries == NULL || mkdir(to, 0777) != 0) {
        _exit(99);
    }
    for (struct dirent *e = readdir(entries); e != NULL; e = readdir(entries)) {
        char source[600], target[600];
        snprintf(source, sizeof source, "%s/%s", from, e->d_name);
        snprintf(target, sizeof target, "%s/%s", to, e->d_name);
        if (e->d_type == DT_DIR && e->d_name[0] != '.') {
            copy_folder(source, target);
        } else if (e->d_type == DT_REG) {
            int old = open(source, O_RDONLY), new = open(target, O_WRONLY | O_CREAT, 0666);
            copy_bytes(old, new);
            close(old);
            close(new);
        }
    }
    closedir(entries);
}

/* The file of the copied folder that corresponds to an open one; a copy of one that has no name; for
 * the standard streams, copies beside the folder. -1: the copy may well share it. */
static int opened_again(int file, const char *folder, int access) {
    char link[64], path[512] = "", name[600];
    struct stat about;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode) ||
        readlink(link, path, sizeof path - 1) < 0) {
        return -1;
    }
    size_t length = strlen(here);
    if (about.st_nlink > 0 && strncmp(path, here, length) == 0 && path[length] == '/') {
        snprintf(name, sizeof name, "%s%s", folder, path + length);
        return open(name, access);
    }
    if (access == O_RDONLY) {
        return -1;
    }
    snprintf(name, sizeof name, "%s.%d", folder, file);
    int new = about.st_nlink == 0 ? open(folder, O_TMPFILE | O_RDWR, 0666)
                                  : open(name, O_RDWR | O_CREAT | O_TRUNC, 0666);
    if (new >= 0) {
        int old = open(link, O_RDONLY);
        copy_bytes(old, new);
        close(old);
    }
    return new;
}

/* The copy of the process goes on with files of its own, so that what it does to them does not reach
 * the others. */
static void move_to(const char *folder) {
    copy_folder(here, folder);
    for (int file = 0; file < 64; file++) {
        int flags = fcntl(file, F_GETFL), closes = fcntl(file, F_GETFD);
        int new = flags >= 0 ? opened_again(file, folder, flags & (O_ACCMODE | O_APPEND)) : -1;
        if (new >= 0) {
            lseek(new, lseek(file, 0, SEEK_CUR), SEEK_SET);
            dup2(new, file);
            fcntl(file, F_SETFD, closes);
            close(new);
        }
    }
    if (chdir(folder) != 0) {
        _exit(99);
    }
    close(told);
}

/* Lets the call fail in a copy of the process: true there. The original waits until it has ended,
 * tells how, and goes on when whoever listens has looked at what was left. */
static bool fail_in_copy(long number, bool all_after) {
    char folder[300], line[64];
    int status = 0;
    snprintf(folder, sizeof folder, "%s/%ld%s", copies, number, all_after ? "-on" : "");
    pid_t copy = fork();
    if (copy == 0) {
        move_to(folder);
        chosen_left = 0;
        fail_at = number;
        fail_on = all_after;
        alarm(60);
        return true;
    }
    if (copy < 0 || waitpid(copy, &status, 0) != copy) {
        _exit(99);
    }
    int length = snprintf(line, sizeof line, "%ld %d %d\n", number, all_after,
                          WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
    if (write(told, line, (size_t)length) != length || read(told, line, 1) != 1) {
        _exit(99);
    }
    return false;
}

static void fail_in_copies(long number) {
    busy = true;
    chosen++;
    chosen_left--;
    (void)(fail_in_copy(number, false) || fail_in_copy(number, true));
    busy = false;
}

/* ---------------------------------------------------------------- in place of the system's */

static bool refuse(void) {
    if (!counting || busy) {
        return false;
    }
    long number = atomic_fetch_add(&calls, 1) + 1;
    if (chosen_left > 0 && number == *chosen) {
        fail_in_copies(number);
    }
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
    counting = fail_at > 0 || list >= 0 || chosen_left > 0;
    return true_main(argc, argv, environment);
}

static void choose(const char *path) {
    const char *folder = getenv("SCREE_FAIL_COPIES"), *descriptor = getenv("SCREE_FAIL_SOCKET");
    struct stat about;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &about) != 0 || folder == NULL || descriptor == NULL ||
        getcwd(here, sizeof here) == NULL || strlen(folder) >= sizeof copies) {
        _exit(99);
    }
    strcpy(copies, folder);
    told = atoi(descriptor);
    void *numbers = (void *)syscall(SYS_mmap, NULL, about.st_size, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (numbers == MAP_FAILED || read(file, numbers, (size_t)about.st_size) != about.st_size) {
        _exit(99);
    }
    chosen = numbers;
    chosen_left = (size_t)about.st_size / sizeof *chosen;
    close(file);
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
    if (getenv("SCREE_FAIL_EACH") != NULL) {
        choose(getenv("SCREE_FAIL_EACH"));
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

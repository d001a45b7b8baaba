/* Writes down everything that a process does to the files of a folder: loaded before all other
 * libraries (LD_PRELOAD). tests/reliability/power.py builds from it what a disk may hold after a
 * power failure.
 *
 *   SCREE_RECORD=FILE   where to; the folder is the current one, whose files have no slash in their
 *                       names
 *
 * A line for each operation, and the bytes behind it that were written:
 *   open HANDLE FLAGS NAME        write HANDLE OFFSET SIZE     truncate HANDLE SIZE
 *   sync HANDLE                   rename OLD NEW               unlink NAME
 *
 * Streams (fopen) are not seen; runs and checkpoints are written without them. */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FILES = 4096 };

static int record = -1;
static long handle_of[FILES]; /* by descriptor; 0: not in the folder */
static long handles;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("SCREE_RECORD");
    if (path != NULL) {
        record = (int)syscall(SYS_openat, AT_FDCWD, path,
                              O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    }
}

static void put(const void *bytes, size_t size) {
    const char *at = bytes;
    while (size > 0) {
        ssize_t written = syscall(SYS_write, record, at, size);
        if (written <= 0) {
            abort(); /* a record with holes proves nothing */
        }
        at += written;
        size -= (size_t)written;
    }
}

__attribute__((format(printf, 3, 4))) static void note(const void *bytes, size_t size,
                                                       const char *format, ...) {
    char line[1024];
    va_list arguments;
    if (record < 0) {
        return;
    }
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    put(line, (size_t)length);
    if (size > 0) {
        put(bytes, size);
    }
}

static long handle(int file) {
    return record >= 0 && file >= 0 && file < FILES ? handle_of[file] : 0;
}

/* ---------------------------------------------------------------- in place of the system's */

static int open_and_note(int folder, const char *path, int flags, mode_t mode) {
    pthread_mutex_lock(&lock);
    int file = (int)syscall(SYS_openat, folder, path, flags, mode);
    if (file >= 0 && file < FILES) {
        handle_of[file] = strchr(path, '/') == NULL ? ++handles : 0;
        if (handle_of[file] > 0) {
            note(NULL, 0, "open %ld %d %s\n", handle_of[file],
                 (flags & O_CREAT ? 1 : 0) | (flags & O_TRUNC ? 2 : 0) | (flags & O_EXCL ? 4 : 0),
                 path);
        }
    }
    pthread_mutex_unlock(&lock);
    return file;
}

#define MODE_OF(flags)                                                                             \
    mode_t mode = 0;                                                                               \
    if (((flags)&O_CREAT) != 0) {                                                                  \
        va_list arguments;                                                                         \
        va_start(arguments, flags);                                                                \
        mode = (mode_t)va_arg(arguments, int);                                                     \
        va_end(arguments);                                                                         \
    }

int open(const char *path, int flags, ...) {
    MODE_OF(flags)
    return open_and_note(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    MODE_OF(flags)
    return open_and_note(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
    MODE_OF(flags)
    return open_and_note(folder, path, flags, mode);
}

int close(int file) {
    pthread_mutex_lock(&lock);
    if (file >= 0 && file < FILES) {
        handle_of[file] = 0;
    }
    int status = (int)syscall(SYS_close, file);
    pthread_mutex_unlock(&lock);
    return status;
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t offset) {
    pthread_mutex_lock(&lock);
    ssize_t written = syscall(SYS_pwrite64, file, bytes, size, offset);
    if (written > 0 && handle(file) > 0) {
        note(bytes, (size_t)written, "write %ld %lld %zd\n", handle(file), (long long)offset,
             written);
    }
    pthread_mutex_unlock(&lock);
    return written;
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
    return pwrite64(file, bytes, size, offset);
}

ssize_t write(int file, const void *bytes, size_t size) {
    pthread_mutex_lock(&lock);
    long long offset = handle(file) > 0 ? (long long)lseek(file, 0, SEEK_CUR) : 0;
    ssize_t written = syscall(SYS_write, file, bytes, size);
    if (written > 0 && handle(file) > 0) {
        note(bytes, (size_t)written, "write %ld %lld %zd\n", handle(file), offset, written);
    }
    pthread_mutex_unlock(&lock);
    return written;
}

int ftruncate64(int file, off64_t size) {
    pthread_mutex_lock(&lock);
    int status = (int)syscall(SYS_ftruncate, file, size);
    if (status == 0 && handle(file) > 0) {
        note(NULL, 0, "truncate %ld %lld\n", handle(file), (long long)size);
    }
    pthread_mutex_unlock(&lock);
    return status;
}

int ftruncate(int file, off_t size) {
    return ftruncate64(file, size);
}

static int sync_and_note(long number, int file) {
    pthread_mutex_lock(&lock);
    int status = (int)syscall(number, file);
    if (status == 0 && handle(file) > 0) {
        note(NULL, 0, "sync %ld\n", handle(file));
    }
    pthread_mutex_unlock(&lock);
    return status;
}

int fsync(int file) {
    return sync_and_note(SYS_fsync, file);
}

int fdatasync(int file) {
    return sync_and_note(SYS_fdatasync, file);
}

int rename(const char *from, const char *to) {
    pthread_mutex_lock(&lock);
    int status = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    if (status == 0) {
        note(NULL, 0, "rename %s %s\n", from, to);
    }
    pthread_mutex_unlock(&lock);
    return status;
}

int unlinkat(int folder, const char *path, int flags) {
    pthread_mutex_lock(&lock);
    int status = (int)syscall(SYS_unlinkat, folder, path, flags);
    if (status == 0) {
        note(NULL, 0, "unlink %s\n", path);
    }
    pthread_mutex_unlock(&lock);
    return status;
}

int unlink(const char *path) {
    return unlinkat(AT_FDCWD, path, 0);
}

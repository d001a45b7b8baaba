#include "io/run/lock.h"

#include "io/aside.h"
#include "io/run/checkpoint.h"
#include "io/run/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ATTEMPTS = 100, NAME_SIZE = 256 };

typedef enum Outcome { TAKEN, HELD, AGAIN, NO_LOCKS, FAILED } Outcome;

static struct flock whole_file(void) {
    return (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET};
}

static void own_host(char name[NAME_SIZE]) {
    if (gethostname(name, NAME_SIZE) != 0) {
        name[0] = '\0';
    }
    name[NAME_SIZE - 1] = '\0';
}

/* The one before us removes the file when it lets go. If we had opened it by then, we have locked a
 * file without a name, and somebody else may lock the next one. */
static bool has_its_name(int file, const char *path) {
    struct stat mine, there;
    return fstat(file, &mine) == 0 && stat(path, &there) == 0 && mine.st_dev == there.st_dev &&
           mine.st_ino == there.st_ino;
}

static void sign(int file) {
    char host[NAME_SIZE], text[NAME_SIZE + 32];
    own_host(host);
    int length = snprintf(text, sizeof text, "%ld %s\n", (long)getpid(), host);
    /* for people; the lock itself does not depend on it */
    if (ftruncate(file, 0) == 0 && pwrite(file, text, (size_t)length, 0) < length) {
        (void)ftruncate(file, 0);
    }
}

static Outcome try_once(RunLock *lock) {
    struct flock wanted = whole_file();
    struct stat about;
    lock->file = open(lock->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (lock->file < 0 || fstat(lock->file, &about) != 0) {
        return FAILED;
    }
    if (!S_ISREG(about.st_mode)) {
        errno = EEXIST;
        return FAILED;
    }
    if (fcntl(lock->file, F_SETLK, &wanted) != 0) {
        return errno == EACCES || errno == EAGAIN ? HELD : errno == EINTR ? AGAIN : NO_LOCKS;
    }
    return has_its_name(lock->file, lock->path) ? TAKEN : AGAIN;
}

/* Who has the lock; false if it has been let go meanwhile. */
static bool find_holder(int file, long *process, char host[NAME_SIZE]) {
    struct flock lock = whole_file();
    char text[NAME_SIZE + 32] = "", own[NAME_SIZE];
    long signed_by = 0;
    if (fcntl(file, F_GETLK, &lock) != 0 || lock.l_type == F_UNLCK) {
        return false;
    }
    *process = lock.l_pid > 0 ? (long)lock.l_pid : 0;
    host[0] = '\0';
    own_host(own);
    if (pread(file, text, sizeof text - 1, 0) > 0 &&
        sscanf(text, "%ld %255s", &signed_by, host) == 2 && strcmp(host, own) == 0) {
        host[0] = '\0'; /* here */
    }
    if (host[0] != '\0' || *process == 0) { /* another machine has numbers of its own */
        *process = signed_by;
    }
    return true;
}

static bool tell_holder(const char *run_path, long process, const char *host, IoError *error) {
    return io_error(
        error, IO_FAILED,
        "%s: is being written by process %ld%s%s; wait for it, or choose another name with -o",
        run_path, process, host[0] != '\0' ? " on " : "", host);
}

static void forget(RunLock *lock) {
    if (lock->file >= 0) {
        close(lock->file);
    }
    free(lock->path);
    *lock = (RunLock){.path = NULL, .file = -1};
}

/* What is aside now was left there by writers that were killed. */
static void sweep(const char *run_path) {
    char *checkpoint = checkpoint_path(run_path);
    io_aside_sweep(run_path);
    if (checkpoint != NULL) {
        io_aside_sweep(checkpoint);
    }
    free(checkpoint);
}

bool run_lock(RunLock *lock, const char *run_path, IoError *error) {
    static const char ending[] = ".lock";
    size_t size = strlen(run_path) + sizeof ending;
    *lock = (RunLock){.path = malloc(size), .file = -1};
    if (lock->path == NULL) {
        return io_no_memory(error, run_path);
    }
    snprintf(lock->path, size, "%s%s", run_path, ending);
    Outcome outcome = AGAIN;
    for (int i = 0; outcome == AGAIN && i < ATTEMPTS; i++) {
        long process = 0;
        char host[NAME_SIZE] = "";
        outcome = try_once(lock);
        if (outcome == HELD && find_holder(lock->file, &process, host)) {
            forget(lock);
            return tell_holder(run_path, process, host, error);
        }
        outcome = outcome == HELD ? AGAIN : outcome;
        if (outcome == AGAIN) {
            close(lock->file);
            lock->file = -1;
        }
    }
    if (outcome == TAKEN) {
        sign(lock->file);
        sweep(run_path);
        return true;
    }
    int reason = outcome == AGAIN ? EAGAIN : errno;
    bool ok = outcome == NO_LOCKS ||
              io_error(error, IO_FAILED, "%s: cannot create the run file, whose lock is %s: %s",
                       run_path, lock->path, strerror(reason));
    forget(lock);
    return ok;
}

/* The name goes first, while nobody else can have the lock. */
void run_unlock(RunLock *lock) {
    if (lock->path != NULL) {
        unlink(lock->path);
        forget(lock);
    }
}

long run_writing_process(const char *path) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return 0;
    }
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    bool held = fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    close(file);
    return held ? (long)lock.l_pid : 0;
}

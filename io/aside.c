#define _GNU_SOURCE /* O_TMPFILE */
#include "io/aside.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { DIGITS = 16, ATTEMPTS = 100 };

static const char ending[] = ".new";

/* The machine may refuse random numbers; then process and clock must do, and O_EXCL decides. */
uint64_t io_unique_number(void) {
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) != (ssize_t)sizeof number) {
        struct timespec now = {0};
        clock_gettime(CLOCK_REALTIME, &now);
        number = (uint64_t)getpid() << 40 ^ (uint64_t)now.tv_sec << 20 ^ (uint64_t)now.tv_nsec;
    }
    return number;
}

bool io_same_file(const char *a, const char *b) {
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

bool io_may_write(const char *path, IoRule rule, IoError *error) {
    struct stat about;
    if (stat(path, &about) != 0) {
        return true;
    }
    if (!S_ISREG(about.st_mode)) {
        return io_error(error, IO_FAILED, "%s: is not a regular file; choose another name", path);
    }
    if (rule.input != NULL && io_same_file(path, rule.input)) {
        return io_error(error, IO_FAILED, "%s: is the input itself; choose another name", path);
    }
    return rule.force ||
           io_error(error, IO_FAILED,
                    "%s: already exists; replace it with --force, or choose another name", path);
}

static bool refuse(const char *path, IoError *error) {
    return io_error(error, IO_FAILED, "%s: cannot be written: %s", path, strerror(errno));
}

/* The folder of a file, to be freed. */
static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    char *folder = strdup(slash != NULL ? path : ".");
    if (folder != NULL && slash != NULL) {
        folder[slash - path + 1] = '\0';
    }
    return folder;
}

/* ---------------------------------------------------------------- files with names of their own */

/* Calls `make` with names that nobody is likely to have; NULL if that fails. */
static char *make_named(const char *path, bool (*make)(const char *name, int from), int from,
                        IoError *error) {
    size_t size = strlen(path) + 1 + DIGITS + sizeof ending;
    char *name = malloc(size);
    if (name == NULL) {
        io_no_memory(error, path);
        return NULL;
    }
    bool made = false;
    errno = EEXIST;
    for (int i = 0; !made && errno == EEXIST && i < ATTEMPTS; i++) {
        snprintf(name, size, "%s.%016llx%s", path, (unsigned long long)io_unique_number(), ending);
        made = make(name, from);
    }
    if (!made) {
        refuse(path, error);
        free(name);
        return NULL;
    }
    return name;
}

static bool make_file(const char *name, int from) {
    (void)from;
    int file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return file >= 0 && close(file) == 0;
}

char *io_aside_named(const char *path, IoError *error) {
    return make_named(path, make_file, -1, error);
}

/* ---------------------------------------------------------------- files without a name */

static const char held[] = "/proc/self/fd/"; /* followed by the number of an open file */

/* NULL where the system or the file system has no such files. */
static char *make_unnamed(const char *path) {
    char name[sizeof held + 16];
    char *folder = folder_of(path);
    int file = folder != NULL ? open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666) : -1;
    free(folder);
    snprintf(name, sizeof name, "%s%d", held, file);
    char *copy = file >= 0 && access(name, W_OK) == 0 ? strdup(name) : NULL;
    if (file >= 0 && copy == NULL) {
        close(file);
    }
    return copy;
}

char *io_aside(const char *path, IoError *error) {
    char *unnamed = make_unnamed(path);
    return unnamed != NULL ? unnamed : io_aside_named(path, error);
}

static bool give_name(const char *name, int from) {
    char own[sizeof held + 16];
    snprintf(own, sizeof own, "%s%d", held, from);
    return linkat(AT_FDCWD, own, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
}

/* A name that exists cannot be given, only taken over by another name. */
static bool put_unnamed(int file, const char *path, IoError *error) {
    if (give_name(path, file)) {
        return true;
    }
    if (errno != EEXIST) {
        return refuse(path, error);
    }
    char *name = make_named(path, give_name, file, error);
    bool ok = name != NULL && (rename(name, path) == 0 || refuse(path, error));
    if (name != NULL && !ok) {
        unlink(name);
    }
    free(name);
    return ok;
}

bool io_in_place(char *aside, const char *path, bool whole, IoError *error) {
    bool ok = whole, unnamed = strncmp(aside, held, sizeof held - 1) == 0;
    if (unnamed) {
        int file = atoi(aside + sizeof held - 1);
        ok = ok && put_unnamed(file, path, error);
        close(file);
    } else {
        ok = ok && (rename(aside, path) == 0 || refuse(path, error));
        if (!ok) {
            unlink(aside);
        }
    }
    free(aside);
    return ok;
}

void io_sync_folder(const char *path) {
    char *folder = folder_of(path);
    int file = folder != NULL ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (file >= 0) {
        (void)fsync(file);
        close(file);
    }
    free(folder);
}

/* ---------------------------------------------------------------- what killed writers left */

/* Whether a file's name is "BASE.XXXXXXXXXXXXXXXX.new". */
static bool is_aside(const char *name, const char *base) {
    size_t length = strlen(base);
    return strncmp(name, base, length) == 0 && name[length] == '.' &&
           strspn(name + length + 1, "0123456789abcdef") == DIGITS &&
           strcmp(name + length + 1 + DIGITS, ending) == 0;
}

void io_aside_sweep(const char *path) {
    const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
    char *folder = folder_of(path);
    DIR *entries = folder != NULL ? opendir(folder) : NULL;
    const struct dirent *entry;
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        if (is_aside(entry->d_name, base)) {
            (void)unlinkat(dirfd(entries), entry->d_name, 0);
        }
    }
    if (entries != NULL) {
        closedir(entries);
    }
    free(folder);
}

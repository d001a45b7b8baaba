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

char *io_aside(const char *path, IoError *error) {
    size_t size = strlen(path) + 1 + DIGITS + sizeof ending;
    char *name = malloc(size);
    if (name == NULL) {
        io_no_memory(error, path);
        return NULL;
    }
    int file = -1;
    errno = EEXIST;
    for (int i = 0; file < 0 && errno == EEXIST && i < ATTEMPTS; i++) {
        snprintf(name, size, "%s.%016llx%s", path, (unsigned long long)io_unique_number(), ending);
        file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    if (file < 0) {
        refuse(path, error);
        free(name);
        return NULL;
    }
    close(file);
    return name;
}

bool io_in_place(char *aside, const char *path, bool whole, IoError *error) {
    bool ok = whole && (rename(aside, path) == 0 || refuse(path, error));
    if (!ok) {
        unlink(aside);
    }
    free(aside);
    return ok;
}

void io_sync_folder(const char *path) {
    char *folder = strdup(path);
    if (folder == NULL) {
        return;
    }
    char *slash = strrchr(folder, '/');
    if (slash == NULL) {
        strcpy(folder, ".");
    } else {
        slash[slash == folder ? 1 : 0] = '\0';
    }
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file >= 0) {
        (void)fsync(file);
        close(file);
    }
    free(folder);
}

/* Whether a file's name is "BASE.XXXXXXXXXXXXXXXX.new". */
static bool is_aside(const char *name, const char *base) {
    size_t length = strlen(base);
    return strncmp(name, base, length) == 0 && name[length] == '.' &&
           strspn(name + length + 1, "0123456789abcdef") == DIGITS &&
           strcmp(name + length + 1 + DIGITS, ending) == 0;
}

void io_aside_sweep(const char *path) {
    const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
    char *folder = slash != NULL ? strndup(path, (size_t)(base - path)) : strdup(".");
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

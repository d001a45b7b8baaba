#include "io/run/checkpoint.h"

#include "io/aside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static const char magic[8] = "SCREECKP";

#define ONE(type, name, dimension, meaning) +1
enum {
    REPORT_VALUES = 0 SCREE_REPORT_MAP(ONE),
    HEAD_SIZE = 8 + 4 + 4 + 8 + 8 + 3 * 8 + 8 + 8 + 8 + 4 * 8,
    PAGE_ENTRY = 8 + RUN_PAGE_SIZE,
    CRC_SIZE = 4
};

char *checkpoint_path(const char *run_path) {
    static const char ending[] = ".checkpoint";
    size_t size = strlen(run_path) + sizeof ending;
    char *path = malloc(size);
    if (path != NULL) {
        snprintf(path, size, "%s%s", run_path, ending);
    }
    return path;
}

/* FNV-1a including the terminators, so that no two lists of overrides run together. */
static uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3u;
    }
    return hash;
}

uint64_t checkpoint_scene_hash(const char *text, size_t size, const char *const *overrides,
                               size_t count, uint64_t files) {
    uint64_t hash = hash_bytes(0xcbf29ce484222325u, text, size);
    hash = hash_bytes(hash, "", 1);
    for (size_t i = 0; i < count; i++) {
        hash = hash_bytes(hash, overrides[i], strlen(overrides[i]) + 1);
    }
    return hash_bytes(hash, (const char *)&files, sizeof files);
}

/* ---------------------------------------------------------------- bytes */

static void put(unsigned char **at, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++) {
        *(*at)++ = (unsigned char)(value >> (8 * i));
    }
}

static uint64_t take(const unsigned char **at, int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) {
        value |= (uint64_t) * (*at)++ << (8 * i);
    }
    return value;
}

static uint64_t bits_of_double(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double double_of_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t bits_of_int64_t(int64_t value) {
    return (uint64_t)value;
}

static int64_t int64_t_of_bits(uint64_t bits) {
    return (int64_t)bits;
}

static uint32_t crc_of(const unsigned char *bytes, size_t size) {
    return (uint32_t)crc32_z(crc32_z(0, NULL, 0), bytes, size);
}

static void encode(const Checkpoint *checkpoint, unsigned char *bytes) {
    unsigned char *at = bytes;
    memcpy(at, magic, sizeof magic);
    at += sizeof magic;
    put(&at, CHECKPOINT_VERSION, 4);
    put(&at, REPORT_VALUES, 4);
    put(&at, checkpoint->identity, 8);
    put(&at, checkpoint->scene_hash, 8);
    put(&at, (uint64_t)checkpoint->position.frames, 8);
    put(&at, (uint64_t)checkpoint->position.steps, 8);
    put(&at, (uint64_t)checkpoint->position.contacts, 8);
    put(&at, checkpoint->world_size, 8);
    put(&at, checkpoint->state_size, 8);
    put(&at, checkpoint->has_report, 8);
    put(&at, checkpoint->saved.file_size, 8);
    put(&at, checkpoint->saved.mark, 8);
    put(&at, checkpoint->saved.mark_at, 8);
    put(&at, checkpoint->saved.count, 8);
#define X(type, name, dimension, meaning) put(&at, bits_of_##type(checkpoint->report.name), 8);
    SCREE_REPORT_MAP(X)
#undef X
    if (checkpoint->world_size > 0) {
        memcpy(at, checkpoint->world, checkpoint->world_size);
    }
    at += checkpoint->world_size;
    if (checkpoint->state_size > 0) {
        memcpy(at, checkpoint->state, checkpoint->state_size);
    }
    at += checkpoint->state_size;
    for (size_t i = 0; i < checkpoint->saved.count; i++) {
        put(&at, checkpoint->saved.number[i], 8);
        memcpy(at, checkpoint->saved.bytes + i * RUN_PAGE_SIZE, RUN_PAGE_SIZE);
        at += RUN_PAGE_SIZE;
    }
    put(&at, crc_of(bytes, (size_t)(at - bytes)), 4);
}

/* ---------------------------------------------------------------- decoding */

static bool damaged(IoError *error, const char *name, const char *what) {
    return io_error(error, IO_BAD_FILE,
                    "%s: the checkpoint is damaged: %s; start over with --force", name, what);
}

static bool check_frame(const unsigned char *bytes, size_t size, const char *name, IoError *error) {
    if (size < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0) {
        return io_error(error, IO_BAD_FILE, "%s: is not a checkpoint of scree", name);
    }
    if (size < HEAD_SIZE + CRC_SIZE) {
        return damaged(error, name, "it is truncated");
    }
    const unsigned char *at = bytes + sizeof magic;
    uint64_t version = take(&at, 4);
    if (version > CHECKPOINT_VERSION) {
        return io_error(
            error, IO_BAD_FILE,
            "%s: has checkpoint version %llu, but this scree reads up to version %d; use "
            "a newer scree",
            name, (unsigned long long)version, CHECKPOINT_VERSION);
    }
    at = bytes + size - CRC_SIZE;
    if (take(&at, 4) != crc_of(bytes, size - CRC_SIZE)) {
        return damaged(error, name, "its checksum is wrong or it is truncated");
    }
    at = bytes + sizeof magic + 4;
    if (version < CHECKPOINT_VERSION || take(&at, 4) != REPORT_VALUES) {
        return io_error(error, IO_BAD_FILE,
                        "%s: was written by another version of scree, which must continue the run",
                        name);
    }
    return size >= HEAD_SIZE + 8 * (size_t)REPORT_VALUES + CRC_SIZE ||
           damaged(error, name, "it is truncated");
}

static void *copy(const unsigned char *bytes, size_t size) {
    void *result = malloc(size > 0 ? size : 1);
    if (result != NULL) {
        memcpy(result, bytes, size);
    }
    return result;
}

static bool take_pages(RunSaved *saved, const unsigned char *at) {
    saved->number = calloc(saved->count + 1, sizeof *saved->number);
    saved->bytes = calloc(saved->count + 1, RUN_PAGE_SIZE);
    for (size_t i = 0; saved->number != NULL && saved->bytes != NULL && i < saved->count; i++) {
        saved->number[i] = take(&at, 8);
        memcpy(saved->bytes + i * RUN_PAGE_SIZE, at, RUN_PAGE_SIZE);
        at += RUN_PAGE_SIZE;
    }
    return saved->number != NULL && saved->bytes != NULL;
}

bool checkpoint_decode(const void *data, size_t size, const char *name, Checkpoint *checkpoint,
                       IoError *error) {
    const unsigned char *bytes = data;
    memset(checkpoint, 0, sizeof *checkpoint);
    if (!check_frame(bytes, size, name, error)) {
        return false;
    }
    const unsigned char *at = bytes + sizeof magic;
    at += 8; /* version and number of values were checked */
    checkpoint->identity = take(&at, 8);
    checkpoint->scene_hash = take(&at, 8);
    checkpoint->position.frames = (int64_t)take(&at, 8);
    checkpoint->position.steps = (int64_t)take(&at, 8);
    checkpoint->position.contacts = (int64_t)take(&at, 8);
    uint64_t world_size = take(&at, 8), state_size = take(&at, 8);
    checkpoint->has_report = take(&at, 8) != 0;
    RunSaved saved = {.file_size = take(&at, 8)};
    saved.mark = take(&at, 8);
    saved.mark_at = take(&at, 8);
    uint64_t pages = take(&at, 8);
#define X(type, name, dimension, meaning) checkpoint->report.name = type##_of_bits(take(&at, 8));
    SCREE_REPORT_MAP(X)
#undef X
    size_t rest = size - CRC_SIZE - (size_t)(at - bytes);
    if (world_size > rest || state_size > rest - world_size || pages > rest / PAGE_ENTRY ||
        pages * PAGE_ENTRY != rest - world_size - state_size) {
        return damaged(error, name, "its parts do not match");
    }
    saved.count = (size_t)pages;
    checkpoint->saved = saved;
    checkpoint->world_size = (size_t)world_size;
    checkpoint->state_size = (size_t)state_size;
    checkpoint->world = copy(at, checkpoint->world_size);
    checkpoint->state = copy(at + world_size, checkpoint->state_size);
    if (checkpoint->world == NULL || checkpoint->state == NULL ||
        !take_pages(&checkpoint->saved, at + world_size + state_size)) {
        checkpoint_free(checkpoint);
        return io_no_memory(error, name);
    }
    return true;
}

void checkpoint_free(Checkpoint *checkpoint) {
    free(checkpoint->world);
    free(checkpoint->state);
    run_saved_free(&checkpoint->saved);
    memset(checkpoint, 0, sizeof *checkpoint);
}

/* ---------------------------------------------------------------- files */

static bool write_bytes(int file, const unsigned char *bytes, size_t size) {
    while (size > 0) {
        ssize_t written = write(file, bytes, size);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

static bool write_and_sync(const char *aside, const unsigned char *bytes, size_t size) {
    int file = open(aside, O_WRONLY | O_CLOEXEC);
    if (file < 0) {
        return false;
    }
    bool ok = write_bytes(file, bytes, size) && fsync(file) == 0;
    int reason = errno;
    if (close(file) != 0 && ok) {
        ok = false;
        reason = errno;
    }
    errno = reason;
    return ok;
}

bool checkpoint_write(const char *path, const Checkpoint *checkpoint, IoError *error) {
    size_t size = HEAD_SIZE + 8 * REPORT_VALUES + checkpoint->world_size + checkpoint->state_size +
                  checkpoint->saved.count * PAGE_ENTRY + CRC_SIZE;
    unsigned char *bytes = malloc(size);
    if (bytes == NULL) {
        return io_no_memory(error, path);
    }
    encode(checkpoint, bytes);
    char *aside = io_aside_named(path, error);
    bool ok = aside != NULL;
    if (ok) {
        bool whole = write_and_sync(aside, bytes, size) ||
                     io_error(error, IO_FAILED, "%s: cannot write the checkpoint: %s", path,
                              strerror(errno));
        ok = io_in_place(aside, path, whole, error);
    }
    free(bytes);
    if (ok) {
        io_sync_folder(path);
    }
    return ok;
}

bool checkpoint_read(const char *path, Checkpoint *checkpoint, IoError *error) {
    memset(checkpoint, 0, sizeof *checkpoint);
    FILE *file = io_open(path);
    struct stat about;
    if (file == NULL || fstat(fileno(file), &about) != 0 || !S_ISREG(about.st_mode)) {
        int reason = file == NULL ? errno : EINVAL;
        if (file != NULL) {
            fclose(file);
        }
        return io_error(error, IO_BAD_FILE, "%s: cannot open the checkpoint: %s", path,
                        strerror(reason));
    }
    size_t size = (size_t)about.st_size;
    unsigned char *bytes = malloc(size > 0 ? size : 1);
    bool ok = bytes != NULL || io_no_memory(error, path);
    if (ok) {
        size_t got = fread(bytes, 1, size, file);
        ok = checkpoint_decode(bytes, got, path, checkpoint, error);
    }
    fclose(file);
    free(bytes);
    return ok;
}

/* Checkpoints: what is written is read back, and any change to the bytes is found. */
#include "io/run/checkpoint.h"
#include "check.h"
#include "io/sample_run.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static const char path[] = "test-run.h5.checkpoint";

static Checkpoint sample(void) {
    static char world[301], state[17];
    static unsigned char pages[2 * RUN_PAGE_SIZE];
    static uint64_t numbers[2] = {3, 0x100000007u};
    memset(world, 'w', sizeof world);
    memset(state, 's', sizeof state);
    memset(pages, 'p', sizeof pages);
    memset(pages, 'q', RUN_PAGE_SIZE);
    return (Checkpoint){.identity = 0x0123456789abcdefu,
                        .scene_hash = 0xfedcba9876543210u,
                        .position = {12, 345, 67890},
                        .has_report = true,
                        .report = sample_report(7),
                        .world = world,
                        .world_size = sizeof world,
                        .state = state,
                        .state_size = sizeof state,
                        .saved = {.file_size = 98765,
                                  .mark = 0x0f1e2d3c4b5a6978u,
                                  .mark_at = 4321,
                                  .count = 2,
                                  .number = numbers,
                                  .bytes = pages}};
}

static bool same_saved(const RunSaved *a, const RunSaved *b) {
    return a->file_size == b->file_size && a->mark == b->mark && a->mark_at == b->mark_at &&
           a->count == b->count &&
           memcmp(a->number, b->number, a->count * sizeof *a->number) == 0 &&
           memcmp(a->bytes, b->bytes, a->count * RUN_PAGE_SIZE) == 0;
}

static bool same(const Checkpoint *a, const Checkpoint *b) {
    return a->identity == b->identity && a->scene_hash == b->scene_hash &&
           a->position.frames == b->position.frames && a->position.steps == b->position.steps &&
           a->position.contacts == b->position.contacts && a->has_report == b->has_report &&
           sample_report_same(&a->report, &b->report) && a->world_size == b->world_size &&
           memcmp(a->world, b->world, a->world_size) == 0 && a->state_size == b->state_size &&
           memcmp(a->state, b->state, a->state_size) == 0 && same_saved(&a->saved, &b->saved);
}

static size_t load(unsigned char *bytes, size_t most) {
    FILE *file = fopen(path, "rb");
    size_t size = file != NULL ? fread(bytes, 1, most, file) : 0;
    if (file != NULL) {
        fclose(file);
    }
    return size;
}

static void checkpoints_are_read_back(void) {
    IoError error = {0};
    Checkpoint written = sample(), got;
    CHECK(checkpoint_write(path, &written, &error));
    CHECK(access("test-run.h5.checkpoint.new", F_OK) != 0);
    CHECK(checkpoint_read(path, &got, &error));
    CHECK(same(&written, &got));
    checkpoint_free(&got);
    written.state_size = 0; /* a scene without events */
    written.saved.count = 0;
    written.has_report = false;
    CHECK(checkpoint_write(path, &written, &error) && checkpoint_read(path, &got, &error));
    CHECK(same(&written, &got));
    checkpoint_free(&got);
}

/* The check sum finds every single flipped bit and every cut. */
static void any_damage_is_found(void) {
    IoError error = {0};
    Checkpoint written = sample(), got;
    unsigned char bytes[4 * RUN_PAGE_SIZE];
    CHECK(checkpoint_write(path, &written, &error));
    size_t size = load(bytes, sizeof bytes);
    CHECK(size > 318);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        error = (IoError){0};
        bool ok = checkpoint_decode(bytes, size, path, &got, &error);
        CHECK(!ok && error.kind == IO_BAD_FILE && error.text[0] != '\0');
        checkpoint_free(&got);
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    for (size_t cut = 0; cut < size; cut++) {
        CHECK(!checkpoint_decode(bytes, cut, path, &got, &error) && error.kind == IO_BAD_FILE);
        checkpoint_free(&got);
    }
    CHECK(checkpoint_decode(bytes, size, path, &got, &error));
    checkpoint_free(&got);
}

/* The world of an earlier version cannot go on here. */
static void earlier_versions_are_refused(void) {
    IoError error = {0};
    Checkpoint written = sample(), got;
    unsigned char bytes[4 * RUN_PAGE_SIZE];
    CHECK(checkpoint_write(path, &written, &error));
    size_t size = load(bytes, sizeof bytes);
    bytes[8] = CHECKPOINT_VERSION - 1; /* low byte of the version */
    uint32_t sum = (uint32_t)crc32_z(crc32_z(0, NULL, 0), bytes, size - 4);
    for (int i = 0; i < 4; i++) {
        bytes[size - 4 + (size_t)i] = (unsigned char)(sum >> 8 * i);
    }
    CHECK(!checkpoint_decode(bytes, size, path, &got, &error));
    CHECK(strstr(error.text, "another version") != NULL);
}

static void other_kinds_of_files_are_refused(void) {
    IoError error = {0};
    Checkpoint written = sample(), got;
    unsigned char bytes[4 * RUN_PAGE_SIZE];
    CHECK(checkpoint_write(path, &written, &error));
    size_t size = load(bytes, sizeof bytes);
    bytes[8] = CHECKPOINT_VERSION + 1; /* low byte of the version */
    CHECK(!checkpoint_decode(bytes, size, path, &got, &error));
    CHECK(strstr(error.text, "newer scree") != NULL);
    CHECK(!checkpoint_decode("dimension: 3\n", 13, path, &got, &error));
    CHECK(strstr(error.text, "not a checkpoint") != NULL);
    unlink(path);
    CHECK(!checkpoint_read(path, &got, &error) && strstr(error.text, "No such file") != NULL);
    CHECK(!checkpoint_read(".", &got, &error) && error.kind == IO_BAD_FILE);
}

/* The old checkpoint stays when there is no room for the new one. */
static void full_disk_keeps_the_old_checkpoint(void) {
    IoError error = {0};
    Checkpoint written = sample(), got;
    struct rlimit before, limit;
    signal(SIGXFSZ, SIG_IGN);
    CHECK(checkpoint_write(path, &written, &error));
    getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = 100;
    setrlimit(RLIMIT_FSIZE, &limit);
    Checkpoint next = sample();
    next.position.steps++;
    CHECK(!checkpoint_write(path, &next, &error) && error.kind == IO_FAILED);
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK(strstr(error.text, "File too large") != NULL);
    CHECK(access("test-run.h5.checkpoint.new", F_OK) != 0);
    CHECK(checkpoint_read(path, &got, &error) && same(&written, &got));
    checkpoint_free(&got);
}

static void hash_tells_scenes_apart(void) {
    const char *one[] = {"a=1", "b=2"}, *other[] = {"a=1b=2"}, *swapped[] = {"b=2", "a=1"};
    uint64_t hash = checkpoint_scene_hash("text", 4, one, 2, 7);
    CHECK(hash == checkpoint_scene_hash("text", 4, one, 2, 7));
    CHECK(hash != checkpoint_scene_hash("text", 4, one, 1, 7));
    CHECK(hash != checkpoint_scene_hash("text", 4, other, 1, 7));
    CHECK(hash != checkpoint_scene_hash("text", 4, swapped, 2, 7));
    CHECK(hash != checkpoint_scene_hash("text", 4, one, 2, 8));
    CHECK(hash != checkpoint_scene_hash("texT", 4, one, 2, 7));
    CHECK(checkpoint_scene_hash("texta=1", 7, NULL, 0, 7) !=
          checkpoint_scene_hash("text", 4, one, 1, 7));
}

int main(int argc, char **argv) {
    CHECK_RUN(checkpoints_are_read_back);
    CHECK_RUN(any_damage_is_found);
    CHECK_RUN(earlier_versions_are_refused);
    CHECK_RUN(other_kinds_of_files_are_refused);
    CHECK_RUN(full_disk_keeps_the_old_checkpoint);
    CHECK_RUN(hash_tells_scenes_apart);
    unlink(path);
    return check_result();
}

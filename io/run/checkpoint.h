/* Checkpoints: all that a run needs to go on as if it had never stopped, in a file beside the run
 * file. A checkpoint is written to a new file, brought to the disk and then renamed, so that there
 * is a whole one at every moment.
 *
 * Layout, little-endian: "SCREECKP", u32 version, u32 number of report values, u64 identity of the run,
 * u64 scene hash,
 * i64 frames, steps, contacts, u64 bytes of the world, u64 bytes of the scene's state, i64 whether
 * there is a report, u64 length of the run file, its mark, where that stands, number of its pages
 * that are kept, the report's values (8 bytes each), the world, the state, the pages, each behind
 * its number (u64), u32 CRC of all before it. */
#ifndef SCREE_IO_RUN_CHECKPOINT_H
#define SCREE_IO_RUN_CHECKPOINT_H

#include "io/run/file.h"

#define CHECKPOINT_VERSION 7 /* a world of an earlier one cannot go on, so they are refused */

typedef struct Checkpoint {
    uint64_t identity;    /* as in the header of the run file */
    uint64_t scene_hash;  /* of the scene's text, its overrides and the files that it names */
    RunPosition position; /* of the run file at that moment */
    bool has_report;
    ScreeReport report; /* of the last step */
    void *world;        /* bytes from scree_world_save */
    size_t world_size;
    void *state; /* bytes from scene_state_save */
    size_t state_size;
    RunSaved saved; /* of the run file */
} Checkpoint;

bool checkpoint_write(const char *path, const Checkpoint *checkpoint, IoError *error);
bool checkpoint_read(const char *path, Checkpoint *checkpoint, IoError *error);

/* The same from memory; `name` appears in messages. */
bool checkpoint_decode(const void *bytes, size_t size, const char *name, Checkpoint *checkpoint,
                       IoError *error);
void checkpoint_free(Checkpoint *checkpoint);

/* "RUN.h5.checkpoint", to be freed by the caller; NULL when out of memory. */
char *checkpoint_path(const char *run_path);

/* `files` is a hash of the content of the files that the scene names. */
uint64_t checkpoint_scene_hash(const char *text, size_t size, const char *const *overrides,
                               size_t count, uint64_t files);

#endif

/* Files are written beside their place, and put there when they are whole: at every moment there is
 * the old file or the new one, never a part. Until then they have no name at all, where the system
 * can do that, and nothing of them is left if the program is killed; or else a name that no other
 * process has. */
#ifndef SCREE_IO_ASIDE_H
#define SCREE_IO_ASIDE_H

#include "io/error.h"

#include <stdint.h>

/* A number that, with all likelihood, nobody else has drawn. */
uint64_t io_unique_number(void);

/* What a command may do to files that exist. */
typedef struct IoRule {
    const char *input; /* never replaced; NULL when there is none */
    bool force;        /* whether others may be */
} IoRule;

/* Whether the rule lets a file of this name be written. */
bool io_may_write(const char *path, IoRule rule, IoError *error);

/* Whether two names mean one file, which exists. */
bool io_same_file(const char *a, const char *b);

/* Makes an empty file in the folder of `path`, and returns a name by which this process can open
 * it, not to be shown to anybody. NULL on error. */
char *io_aside(const char *path, IoError *error);

/* The same with a name of its own, "PATH.XXXXXXXXXXXXXXXX.new", for files that io_aside_sweep looks
 * after. Closing a file gives up its locks, and a file without a name must be held open. */
char *io_aside_named(const char *path, IoError *error);

/* Ends what either of them began: if `whole`, the file takes its place at `path`; otherwise, or if
 * that fails, it is removed. Frees the name. */
bool io_in_place(char *aside, const char *path, bool whole, IoError *error);

/* Brings the names of the folder of a file to the disk: a rename is only there once the folder is.
 * Where folders cannot be synced, nothing is lost. */
void io_sync_folder(const char *path);

/* Removes what writers of this path left aside under names of their own when they were killed. Only
 * for who knows that no one is writing it now. */
void io_aside_sweep(const char *path);

#endif

/* What a checkpoint keeps of a run file, so that a power failure cannot take it. */
#ifndef SCREE_IO_RUN_SAVED_H
#define SCREE_IO_RUN_SAVED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RUN_PAGE_SIZE = 4096 };

/* HDF5's own records in the file: which chunk lies where, how many rows there are. They are written
 * again and again as the file grows. After a power failure each page of them may be on the disk as
 * it was or as it became, and HDF5 finds its way no more, although the data of all synced frames are
 * there: they are written once. With its pages as they were at the checkpoint, some hundred
 * kilobytes, the file is what it was then.
 *
 * No two files share a mark, a number that stands somewhere in these pages and never changes: it
 * tells whether they belong to a file. */
typedef struct RunSaved {
    uint64_t file_size, mark, mark_at;
    size_t count;         /* 0: nothing was saved */
    uint64_t *number;     /* [count] of the page, from 0 */
    unsigned char *bytes; /* [count * RUN_PAGE_SIZE] */
} RunSaved;

void run_saved_free(RunSaved *saved);

/* Gives the file its pages and its length back, and syncs it. It may be done again if it is cut
 * short. False if they are not of this file, or it cannot be written. */
bool run_saved_restore(const RunSaved *saved, const char *path);

#endif

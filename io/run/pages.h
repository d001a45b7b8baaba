/* The pages of a run file that hold HDF5's own records. */
#ifndef SCREE_IO_RUN_PAGES_H
#define SCREE_IO_RUN_PAGES_H

#include "io/hdf5_tools.h"
#include "io/run/saved.h"

/* Which pages have ever been written with something that is not the data of a dataset. */
typedef struct RunPages RunPages;

/* NULL when out of memory. */
RunPages *run_pages_new(void);

/* Files that are made with this list of properties tell which pages are written. The file `path`
 * exists already. False on an error of HDF5. */
bool run_pages_watch(RunPages *pages, hid_t access, const char *path);

/* Only after the file has been closed. */
void run_pages_free(RunPages *pages);

/* Reads them from a file that has just been synced; nothing is saved (count is 0) where that cannot
 * be done. False when out of memory. */
bool run_pages_save(const RunPages *pages, int file, uint64_t mark, RunSaved *saved);

#endif

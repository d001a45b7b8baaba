/* Who may write a run: one process at a time, from before it looks at the files until it ends.
 *
 * The lock is on a file of its own, "RUN.h5.lock", because the run file is replaced while the lock
 * is held. The system drops the lock with the process, however that ends. The file holds the
 * number and the machine of the process; what a killed one leaves behind keeps no one out. */
#ifndef SCREE_IO_RUN_LOCK_H
#define SCREE_IO_RUN_LOCK_H

#include "io/error.h"

typedef struct RunLock {
    char *path; /* NULL when nothing is locked */
    int file;
} RunLock;

/* Takes the lock, or says which process has it. Where the file system has no locks, anyone may
 * write. */
bool run_lock(RunLock *lock, const char *run_path, IoError *error);
void run_unlock(RunLock *lock);

#endif

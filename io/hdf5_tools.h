/* Small steps over HDF5 that the writer and the reader share. Only io/ includes this. */
#ifndef SCREE_IO_HDF5_TOOLS_H
#define SCREE_IO_HDF5_TOOLS_H

#include <hdf5.h>

#include "io/error.h"

/* Keeps HDF5 from printing its error stack, and from closing files behind our back at exit. */
void hdf5_quiet(void);

/* Sets the error from HDF5's stack; must be called right after the call that failed. Returns
 * false. */
bool hdf5_error(IoError *error, IoErrorKind kind, const char *path, const char *doing);

/* How run files are opened: the format of HDF5 1.10, everything closed with the file. */
hid_t hdf5_access(void);

/* A new file in memory, which every version of HDF5 can read, and its bytes written into the file
 * `aside`, which messages call `path`. HDF5 cannot open a file without a name (io/aside.h), and
 * takes a full disk badly. */
hid_t hdf5_create_in_memory(void);
bool hdf5_save(hid_t file, const char *aside, const char *path, IoError *error);

/* Whether the numbers of a dataset are in its own file, not in others that it refers to. */
bool hdf5_stored_here(hid_t data);

#endif

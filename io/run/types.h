/* The fields of run files as types of HDF5. */
#ifndef SCREE_IO_RUN_TYPES_H
#define SCREE_IO_RUN_TYPES_H

#include "io/hdf5_tools.h"
#include "io/run/fields.h"

/* The type in memory and in the file. */
hid_t run_memory_type(RunType type);
hid_t run_file_type(RunType type);

#endif

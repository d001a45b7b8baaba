/* The fields of run files as types of HDF5. */
#ifndef SCREE_IO_RUN_TYPES_H
#define SCREE_IO_RUN_TYPES_H

#include "io/hdf5_tools.h"
#include "io/run/fields.h"

/* The type in memory and in the file. */
static inline hid_t run_memory_type(RunType type) {
    return type == RUN_TYPE_int32_t   ? H5T_NATIVE_INT32
           : type == RUN_TYPE_int64_t ? H5T_NATIVE_INT64
                                      : H5T_NATIVE_DOUBLE;
}

static inline hid_t run_file_type(RunType type) {
    return type == RUN_TYPE_int32_t   ? H5T_STD_I32LE
           : type == RUN_TYPE_int64_t ? H5T_STD_I64LE
                                      : H5T_IEEE_F64LE;
}

#endif

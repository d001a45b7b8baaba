#include "io/run/types.h"

#include "io/run/file.h"

void run_library_close(void) {
    H5close();
}

hid_t run_memory_type(RunType type) {
    switch (type) {
    case RUN_TYPE_int32_t:
        return H5T_NATIVE_INT32;
    case RUN_TYPE_int64_t:
        return H5T_NATIVE_INT64;
    case RUN_TYPE_double:
        break;
    }
    return H5T_NATIVE_DOUBLE;
}

hid_t run_file_type(RunType type) {
    switch (type) {
    case RUN_TYPE_int32_t:
        return H5T_STD_I32LE;
    case RUN_TYPE_int64_t:
        return H5T_STD_I64LE;
    case RUN_TYPE_double:
        break;
    }
    return H5T_IEEE_F64LE;
}

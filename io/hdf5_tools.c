#include "io/hdf5_tools.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void hdf5_quiet(void) {
    H5dont_atexit(); /* has no effect once the library is open, and fails harmlessly then */
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

/* The innermost entry of the stack is the cause. */
static herr_t note_cause(unsigned index, const H5E_error2_t *entry, void *context) {
    const char **text = context;
    if (index == 0 && entry->desc != NULL) {
        *text = entry->desc;
    }
    return 0;
}

bool hdf5_error(IoError *error, IoErrorKind kind, const char *path, const char *doing) {
    const char *text = "HDF5 gives no reason";
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, note_cause, &text);
    const char *label = "error message = '"; /* the system's own message, if there is one */
    const char *system = strstr(text, label);
    int length = (int)strlen(text);
    if (system != NULL) {
        text = system + strlen(label);
        const char *quote = strchr(text, '\'');
        length = quote != NULL ? (int)(quote - text) : (int)strlen(text);
    }
    return io_error(error, kind, "%s: %s: %.*s", path, doing, length, text);
}

/* HDF5 reads metadata with a wrong check sum again, since a writer may be at work, and waits in
 * between, twice as long each time, starting from one nanosecond. Its default of 100 attempts lasts
 * practically for ever; this is a few milliseconds. */
enum { READ_ATTEMPTS = 22 };

hid_t hdf5_access(void) {
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access >= 0 && (H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110) < 0 ||
                        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) < 0 ||
                        H5Pset_metadata_read_attempts(access, READ_ATTEMPTS) < 0)) {
        H5Pclose(access);
        return H5I_INVALID_HID;
    }
    return access;
}

/* In the oldest format: newer ones mark a file as being written, and HDF5 takes the mark back in the
 * copy of the bytes, but leaves the check sum, which is then wrong. */
hid_t hdf5_create_in_memory(void) {
    enum { STEP = 1 << 20 }; /* by which the memory grows */
    hid_t file = H5I_INVALID_HID, access = H5Pcreate(H5P_FILE_ACCESS);
    if (access >= 0 && H5Pset_fapl_core(access, STEP, false) >= 0 &&
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0) {
        file = H5Fcreate("memory", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    }
    if (file >= 0) {
        H5Pclose(access); /* on failure HDF5's account of the error must survive */
    }
    return file;
}

bool hdf5_save(hid_t file, const char *aside, const char *path, IoError *error) {
    ssize_t size =
        H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0 ? H5Fget_file_image(file, NULL, 0) : (ssize_t)-1;
    void *bytes = size > 0 ? malloc((size_t)size) : NULL;
    if (size > 0 && bytes == NULL) {
        return io_no_memory(error, path);
    }
    if (bytes == NULL || H5Fget_file_image(file, bytes, (size_t)size) != size) {
        free(bytes);
        return hdf5_error(error, IO_FAILED, path, "cannot be written");
    }
    FILE *out = fopen(aside, "wb");
    bool ok = out != NULL && fwrite(bytes, 1, (size_t)size, out) == (size_t)size;
    int reason = errno;
    if (out != NULL && fclose(out) != 0 && ok) {
        ok = false;
        reason = errno;
    }
    free(bytes);
    return ok || io_error(error, IO_FAILED, "%s: cannot be written: %s", path, strerror(reason));
}

bool hdf5_stored_here(hid_t data) {
    hid_t creation = H5Dget_create_plist(data);
    bool ok = creation >= 0 && H5Pget_layout(creation) != H5D_VIRTUAL &&
              H5Pget_external_count(creation) == 0;
    H5Pclose(creation);
    return ok;
}

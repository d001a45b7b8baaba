/* libFuzzer target: run files that are sound for HDF5, check sums included, but hold any values. A
 * good run is changed through HDF5 itself: elements of its tables, their lengths, its attributes. */
#include "io/fuzz_read.h"
#include "io/sample_run.h"

#include <hdf5.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FRAMES = 2, MOST_OBJECTS = 512, NAME = 128, LONGEST_VALUE = 64 };

typedef struct Names {
    size_t count;
    char name[MOST_OBJECTS][NAME];
} Names;

static herr_t note(hid_t file, const char *name, const H5O_info_t *info, void *context) {
    Names *names = context;
    (void)file;
    if (info->type == H5O_TYPE_DATASET && names->count < MOST_OBJECTS) {
        snprintf(names->name[names->count++], NAME, "%s", name);
    }
    return 0;
}

/* What the bytes say, in order; zeros when they are used up. */
typedef struct Script {
    const uint8_t *data, *end;
} Script;

static unsigned take(Script *s) {
    return s->data < s->end ? *s->data++ : 0;
}

static void take_value(Script *s, uint8_t value[LONGEST_VALUE], size_t size) {
    for (size_t i = 0; i < size; i++) {
        value[i] = (uint8_t)take(s);
    }
}

/* One element, wherever it is. Texts of variable length are pointers, which bytes cannot be. */
static void change_element(Script *s, hid_t data) {
    hid_t type = H5Dget_type(data), space = H5Dget_space(data);
    hssize_t count = H5Sget_simple_extent_npoints(space);
    size_t size = H5Tget_size(type);
    int rank = H5Sget_simple_extent_ndims(space);
    hsize_t extent[H5S_MAX_RANK], at[H5S_MAX_RANK];
    if (count > 0 && rank > 0 && size <= LONGEST_VALUE && H5Tis_variable_str(type) == 0 &&
        H5Sget_simple_extent_dims(space, extent, NULL) >= 0) {
        uint8_t value[LONGEST_VALUE];
        for (int i = 0; i < rank; i++) {
            at[i] = (take(s) * 256 + take(s)) % extent[i];
        }
        take_value(s, value, size);
        hid_t one = H5Screate(H5S_SCALAR);
        H5Sselect_elements(space, H5S_SELECT_SET, 1, at);
        H5Dwrite(data, type, one, space, H5P_DEFAULT, value);
        H5Sclose(one);
    }
    H5Sclose(space);
    H5Tclose(type);
}

static void change_length(Script *s, hid_t data) {
    hid_t space = H5Dget_space(data);
    hsize_t extent[H5S_MAX_RANK];
    if (H5Sget_simple_extent_ndims(space) > 0 &&
        H5Sget_simple_extent_dims(space, extent, NULL) > 0) {
        extent[0] = take(s);
        H5Dset_extent(data, extent);
    }
    H5Sclose(space);
}

static void change_attribute(Script *s, hid_t object) {
    H5O_info_t info;
    if (H5Oget_info(object, &info) < 0 || info.num_attrs == 0) {
        return;
    }
    hsize_t which = take(s) % info.num_attrs;
    hid_t attribute =
        H5Aopen_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, which, H5P_DEFAULT, H5P_DEFAULT);
    hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    size_t size = H5Tget_size(type);
    if (H5Sget_simple_extent_npoints(space) == 1 && size <= LONGEST_VALUE &&
        H5Tis_variable_str(type) == 0) {
        uint8_t value[LONGEST_VALUE];
        take_value(s, value, size);
        H5Awrite(attribute, type, value);
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
}

static void change_file(Script *s, const char *path) {
    static Names names;
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    if (file < 0) {
        return;
    }
    names.count = 0;
    H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, note, &names);
    while (s->data < s->end && names.count > 0) {
        size_t which = (take(s) * 256 + take(s)) % (names.count + 1);
        hid_t data = which < names.count ? H5Dopen(file, names.name[which], H5P_DEFAULT) : -1;
        unsigned what = take(s) % 4;
        if (data < 0) {
            change_attribute(s, file);
        } else if (what == 0) {
            change_length(s, data);
        } else if (what == 1) {
            change_attribute(s, data);
        } else {
            change_element(s, data);
        }
        if (data >= 0) {
            H5Dclose(data);
        }
    }
    H5Fclose(file);
}

/* The bytes of a good run, made once. */
static const uint8_t *good_run(const char *path, size_t *size) {
    static uint8_t bytes[1 << 20];
    static size_t length;
    IoError error = {0};
    if (length == 0) {
        unlink(path); /* a new run takes no name that exists */
        FILE *file = sample_run_with(sample_header_with_meshes, path, FRAMES, &error)
                         ? fopen(path, "rb")
                         : NULL;
        length = file != NULL ? fread(bytes, 1, sizeof bytes, file) : 0;
        if (length == 0 || length == sizeof bytes) {
            abort();
        }
        fclose(file);
    }
    *size = length;
    return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[] = "/tmp/scree-fuzz-XXXXXX";
    int place = mkstemp(path);
    Script script = {data, data + size};
    size_t length;
    if (place < 0) {
        return 0;
    }
    H5Eset_auto(H5E_DEFAULT, NULL, NULL);
    const uint8_t *good = good_run(path, &length);
    bool written = pwrite(place, good, length, 0) == (ssize_t)length;
    close(place);
    if (written) {
        change_file(&script, path);
        fuzz_read_file(path);
    }
    unlink(path);
    return 0;
}

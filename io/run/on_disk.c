/* What a file that is not trusted really has on disk, before anything is read into memory. */
#include "io/run/reader.h"

#include <sys/stat.h>

/* Deflate compresses by at most 1032 to 1; a little more for incomplete chunks. */
enum { BEST_PACKING = 1100 };

bool run_damaged(const RunReader *reader, const char *what, IoError *error) {
    return io_error(error, IO_BAD_FILE, "%s: the run file is damaged or truncated: %s",
                    reader->path, what);
}

bool run_plausible(const RunReader *reader, hsize_t rows, hsize_t row_size, IoError *error) {
    hsize_t most = ((hsize_t)reader->file_size + 4096) * BEST_PACKING;
    return rows <= most / row_size ||
           run_damaged(reader, "it claims to hold more than its size allows", error);
}

hid_t run_open_dataset(RunReader *reader, const char *name, int rank, const hsize_t *other,
                       hsize_t *length, IoError *error) {
    hid_t data = H5Dopen2(reader->file, name, H5P_DEFAULT);
    hid_t space = data >= 0 ? H5Dget_space(data) : H5I_INVALID_HID;
    hsize_t size[3] = {0, 0, 0};
    bool ok = space >= 0 && hdf5_stored_here(data) && H5Sget_simple_extent_ndims(space) == rank &&
              (rank == 0 || H5Sget_simple_extent_dims(space, size, NULL) == rank);
    for (int i = 1; ok && i < rank; i++) {
        ok = size[i] == other[i - 1];
    }
    if (space >= 0) {
        H5Sclose(space);
    }
    if (!ok) {
        run_damaged(reader, name, error);
        if (data >= 0) {
            H5Dclose(data);
        }
        return H5I_INVALID_HID;
    }
    *length = size[0];
    return data;
}

/* ---------------------------------------------------------------- what is on disk */

static bool within(hsize_t file_size, haddr_t address, hsize_t size) {
    return address <= file_size && size <= file_size - address;
}

/* The file may have grown since it was opened. */
static bool within_file(const RunReader *reader, haddr_t address, hsize_t size) {
    void *handle = NULL;
    struct stat about;
    return address != HADDR_UNDEF &&
           (within((hsize_t)reader->file_size, address, size) ||
            (H5Fget_vfd_handle(reader->file, H5P_DEFAULT, &handle) >= 0 &&
             fstat(*(int *)handle, &about) == 0 && within((hsize_t)about.st_size, address, size)));
}

static bool chunks_on_disk(const RunReader *reader, hid_t data, int rank, const hsize_t *chunk,
                           const hsize_t *begin, const hsize_t *block) {
    hsize_t second = rank > 1 ? block[1] : 1;
    hsize_t second_chunk = rank > 1 ? chunk[1] : 1;
    for (hsize_t i = begin[0] / chunk[0] * chunk[0]; i < begin[0] + block[0]; i += chunk[0]) {
        for (hsize_t j = 0; j < second; j += second_chunk) {
            const hsize_t at[3] = {i, j, 0};
            haddr_t address = HADDR_UNDEF;
            hsize_t size = 0;
            if (H5Dget_chunk_info_by_coord(data, at, NULL, &address, &size) < 0 ||
                !within_file(reader, address, size)) {
                return false;
            }
        }
    }
    return true;
}

bool run_on_disk(const RunReader *reader, hid_t data, int rank, const hsize_t *begin,
                 const hsize_t *block) {
    hid_t creation = H5Dget_create_plist(data);
    if (creation < 0) {
        return false;
    }
    H5D_layout_t layout = H5Pget_layout(creation);
    hsize_t chunk[3] = {0, 0, 0};
    bool ok = layout == H5D_COMPACT;
    if (layout == H5D_CONTIGUOUS) {
        ok = within_file(reader, H5Dget_offset(data), H5Dget_storage_size(data));
    } else if (layout == H5D_CHUNKED) {
        ok = H5Pget_chunk(creation, 3, chunk) == rank && chunk[0] > 0 &&
             (rank < 2 || chunk[1] > 0) && chunks_on_disk(reader, data, rank, chunk, begin, block);
    }
    H5Pclose(creation);
    return ok;
}

void run_clip_unwritten(hid_t data, int rank, hsize_t *length) {
    hid_t creation = H5Dget_create_plist(data);
    hsize_t chunk[3] = {0, 0, 0};
    if (creation >= 0 && H5Pget_layout(creation) == H5D_CHUNKED &&
        H5Pget_chunk(creation, 3, chunk) == rank && chunk[0] > 0) {
        haddr_t address = HADDR_UNDEF;
        while (*length > 0 && address == HADDR_UNDEF) {
            hsize_t size = 0, start = (*length - 1) / chunk[0] * chunk[0];
            const hsize_t at[3] = {start, 0, 0};
            if (H5Dget_chunk_info_by_coord(data, at, NULL, &address, &size) < 0) {
                break; /* reading will report it */
            }
            *length = address == HADDR_UNDEF ? start : *length;
        }
    }
    H5Pclose(creation);
}

#include "io/run/pages.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* HDF5 hands a file to its driver with nothing of ours but the name of the driver, so this begins
 * with the name. */
struct RunPages {
    char name[16];
    herr_t (*write)(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size,
                    const void *bytes); /* of the usual driver */
    unsigned char *is_record;           /* [room] by page */
    size_t room;
    bool incomplete; /* there was no memory for more of them */
    hid_t driver;    /* 0: none yet */
};

RunPages *run_pages_new(void) {
    RunPages *pages = calloc(1, sizeof *pages);
    if (pages != NULL) {
        strcpy(pages->name, "scree");
    }
    return pages;
}

void run_pages_free(RunPages *pages) {
    if (pages != NULL) {
        if (pages->driver > 0) {
            H5FDunregister(pages->driver);
        }
        free(pages->is_record);
        free(pages);
    }
}

static bool make_room(RunPages *pages, size_t count) {
    if (count > pages->room) {
        size_t room = 2 * pages->room + count;
        unsigned char *larger = realloc(pages->is_record, room);
        if (larger == NULL) {
            return false;
        }
        memset(larger + pages->room, 0, room - pages->room);
        pages->is_record = larger;
        pages->room = room;
    }
    return true;
}

static herr_t note_and_write(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size,
                             const void *bytes) {
    RunPages *pages = (RunPages *)(uintptr_t)file->cls->name;
    if (type != H5FD_MEM_DRAW && size > 0) {
        size_t first = (size_t)(at / RUN_PAGE_SIZE);
        size_t end = (size_t)((at + size - 1) / RUN_PAGE_SIZE) + 1;
        if (make_room(pages, end)) {
            memset(pages->is_record + first, 1, end - first);
        } else {
            pages->incomplete = true;
        }
    }
    return pages->write(file, type, transfer, at, size, bytes);
}

/* The usual driver, with another function for writing. */
bool run_pages_watch(RunPages *pages, hid_t access, const char *path) {
    hid_t usual = H5Pcreate(H5P_FILE_ACCESS);
    H5FD_t *file =
        H5Pset_fapl_sec2(usual) >= 0 ? H5FDopen(path, H5F_ACC_RDWR, usual, HADDR_UNDEF) : NULL;
    H5Pclose(usual);
    if (file == NULL) {
        return false;
    }
    H5FD_class_t driver = *file->cls;
    pages->write = driver.write;
    driver.name = pages->name;
    driver.write = note_and_write;
    driver.terminate = NULL;
    H5FDclose(file);
    hid_t id = H5FDregister(&driver);
    /* The file holds it too, but lets go of it before HDF5 calls its last function: it is ours until
     * the file is closed. */
    pages->driver = id > 0 ? id : 0;
    return id >= 0 && H5Pset_driver(access, id, NULL) >= 0;
}

/* ---------------------------------------------------------------- saved, and given back */

void run_saved_free(RunSaved *saved) {
    free(saved->number);
    free(saved->bytes);
    *saved = (RunSaved){0};
}

static size_t count_pages(const RunPages *pages) {
    size_t count = 0;
    for (size_t i = 0; i < pages->room; i++) {
        count += pages->is_record[i];
    }
    return count;
}

/* The file may end within its last page. */
static bool read_pages(const RunPages *pages, int file, RunSaved *saved) {
    size_t k = 0;
    for (size_t i = 0; i < pages->room; i++) {
        if (pages->is_record[i] != 0) {
            saved->number[k] = i;
            if (pread(file, saved->bytes + k * RUN_PAGE_SIZE, RUN_PAGE_SIZE,
                      (off_t)i * RUN_PAGE_SIZE) < 0) {
                return false;
            }
            k++;
        }
    }
    return true;
}

static bool find_mark(RunSaved *saved) {
    size_t size = saved->count * RUN_PAGE_SIZE;
    for (size_t i = 0; i + sizeof saved->mark <= size; i++) {
        if (memcmp(saved->bytes + i, &saved->mark, sizeof saved->mark) == 0) {
            saved->mark_at = saved->number[i / RUN_PAGE_SIZE] * RUN_PAGE_SIZE + i % RUN_PAGE_SIZE;
            return true;
        }
    }
    return false;
}

bool run_pages_save(const RunPages *pages, int file, uint64_t mark, RunSaved *saved) {
    struct stat about;
    *saved = (RunSaved){.mark = mark, .count = count_pages(pages)};
    saved->number = calloc(saved->count + 1, sizeof *saved->number);
    saved->bytes = calloc(saved->count + 1, RUN_PAGE_SIZE);
    if (saved->number == NULL || saved->bytes == NULL) {
        run_saved_free(saved);
        return false;
    }
    if (pages->incomplete || fstat(file, &about) != 0 || !read_pages(pages, file, saved) ||
        !find_mark(saved)) {
        run_saved_free(saved);
    } else {
        saved->file_size = (uint64_t)about.st_size;
    }
    return true;
}

static bool is_marked(const RunSaved *saved, int file) {
    uint64_t found = 0;
    return pread(file, &found, sizeof found, (off_t)saved->mark_at) == (ssize_t)sizeof found &&
           found == saved->mark;
}

bool run_saved_restore(const RunSaved *saved, const char *path) {
    int file = saved->count > 0 ? open(path, O_RDWR | O_CLOEXEC) : -1;
    bool ok = file >= 0 && is_marked(saved, file);
    for (size_t i = 0; ok && i < saved->count; i++) {
        ok = pwrite(file, saved->bytes + i * RUN_PAGE_SIZE, RUN_PAGE_SIZE,
                    (off_t)(saved->number[i] * RUN_PAGE_SIZE)) == RUN_PAGE_SIZE;
    }
    ok = ok && ftruncate(file, (off_t)saved->file_size) == 0 && fsync(file) == 0;
    if (file >= 0) {
        close(file);
    }
    return ok;
}

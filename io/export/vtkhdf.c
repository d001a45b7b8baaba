#include "io/export/vtkhdf.h"
#include "io/hdf5_tools.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 14, LEAST_PACKED = 256, LEVEL = 4 }; /* rows, rows, level of zlib */

/* Remembers the first failure, so that calls can simply follow each other. */
typedef struct Writer {
    const char *path;
    hid_t file, group, data; /* the file, /VTKHDF and the group of the values */
    IoError *error;
    bool ok;
} Writer;

static void check(Writer *writer, bool good) {
    if (!good && writer->ok) {
        hdf5_error(writer->error, IO_FAILED, writer->path, "cannot be written");
        writer->ok = false;
    }
}

static void put_attribute(Writer *writer, const char *name, hid_t type, hid_t space,
                          const void *value) {
    hid_t made = H5Acreate2(writer->group, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    check(writer, made >= 0 && H5Awrite(made, type, value) >= 0);
    H5Aclose(made);
}

/* What a reader looks at first. The type is a text of fixed length: VTK refuses others. */
static void put_head(Writer *writer) {
    static const char kind[] = "UnstructuredGrid";
    const int64_t version[2] = {1, 0};
    const hsize_t two = 2;
    hid_t pair = H5Screate_simple(1, &two, NULL), one = H5Screate(H5S_SCALAR);
    hid_t text = H5Tcopy(H5T_C_S1);
    check(writer,
          H5Tset_size(text, sizeof kind - 1) >= 0 && H5Tset_strpad(text, H5T_STR_NULLPAD) >= 0);
    put_attribute(writer, "Version", H5T_NATIVE_INT64, pair, version);
    put_attribute(writer, "Type", text, one, kind);
    H5Tclose(text);
    H5Sclose(one);
    H5Sclose(pair);
}

static hid_t layout(hsize_t rows, hsize_t columns, int rank) {
    hid_t made = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(made, false); /* the same run makes the same bytes */
    if (rows >= LEAST_PACKED) {
        hsize_t chunk[2] = {rows < CHUNK ? rows : CHUNK, columns};
        H5Pset_chunk(made, rank, chunk);
        H5Pset_shuffle(made);
        H5Pset_deflate(made, LEVEL);
    }
    return made;
}

static void put(Writer *writer, hid_t group, const char *name, hid_t type, size_t rows, int columns,
                const void *values) {
    hsize_t size[2] = {rows, (hsize_t)columns};
    int rank = columns > 1 ? 2 : 1;
    hid_t space = H5Screate_simple(rank, size, NULL), how = layout(size[0], size[1], rank);
    hid_t made = writer->ok ? H5Dcreate2(group, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT)
                            : H5I_INVALID_HID;
    check(writer, made >= 0 && (rows == 0 ||
                                H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0));
    H5Dclose(made);
    H5Pclose(how);
    H5Sclose(space);
}

static void put_number(Writer *writer, const char *name, size_t number) {
    int64_t value = (int64_t)number;
    put(writer, writer->group, name, H5T_NATIVE_INT64, 1, 1, &value);
}

static void put_values(Writer *writer, const VtpValues *values) {
    hid_t type = strcmp(values->type, "Int32") == 0   ? H5T_NATIVE_INT32
                 : strcmp(values->type, "Int64") == 0 ? H5T_NATIVE_INT64
                                                      : H5T_NATIVE_DOUBLE;
    put(writer, writer->data, values->name, type, values->count, values->components, values->data);
}

/* All cells as one list: corners, the end of each cell after a leading 0, and VTK's number of its
 * type (vertex, poly-line, polygon). */
static void put_cells(Writer *writer, const VtpMesh *mesh) {
    static const unsigned char types[VTP_CELL_KINDS] = {1, 4, 7};
    size_t cells = 0, corners = 0, cell = 0;
    for (int kind = 0; kind < VTP_CELL_KINDS; kind++) {
        cells += mesh->cells[kind].count;
        corners += mesh->cells[kind].corner_count;
    }
    int64_t *corner = malloc((corners + 1) * sizeof *corner);
    int64_t *end = calloc(cells + 1, sizeof *end);
    unsigned char *type = malloc(cells + 1);
    if (corner == NULL || end == NULL || type == NULL) {
        writer->ok = writer->ok && io_no_memory(writer->error, writer->path);
    } else {
        size_t used = 0;
        for (int kind = 0; kind < VTP_CELL_KINDS; kind++) {
            const VtpCellList *list = &mesh->cells[kind];
            for (size_t i = 0; i < list->count; i++, cell++) {
                end[cell + 1] = (int64_t)used + list->end[i];
                type[cell] = types[kind];
            }
            if (list->corner_count > 0) {
                memcpy(corner + used, list->corner, list->corner_count * sizeof *corner);
            }
            used += list->corner_count;
        }
        put_number(writer, "NumberOfPoints", mesh->point_count);
        put_number(writer, "NumberOfCells", cells);
        put_number(writer, "NumberOfConnectivityIds", corners);
        put(writer, writer->group, "Points", H5T_NATIVE_DOUBLE, mesh->point_count, 3, mesh->point);
        put(writer, writer->group, "Connectivity", H5T_NATIVE_INT64, corners, 1, corner);
        put(writer, writer->group, "Offsets", H5T_NATIVE_INT64, cells + 1, 1, end);
        put(writer, writer->group, "Types", H5T_NATIVE_UINT8, cells, 1, type);
    }
    free(corner);
    free(end);
    free(type);
}

bool vtkhdf_write_mesh(const char *aside, const char *path, const VtpMesh *mesh, bool cell_values,
                       const VtpValues *values, int value_count, IoError *error) {
    hdf5_quiet();
    Writer writer = {.path = path, .error = error, .ok = true};
    writer.file = hdf5_create_in_memory();
    if (writer.file < 0) {
        return hdf5_error(error, IO_FAILED, path, "cannot be written");
    }
    writer.group = H5Gcreate2(writer.file, "VTKHDF", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    writer.data = H5Gcreate2(writer.group, cell_values ? "CellData" : "PointData", H5P_DEFAULT,
                             H5P_DEFAULT, H5P_DEFAULT);
    check(&writer, writer.data >= 0);
    put_head(&writer);
    put_cells(&writer, mesh);
    for (int i = 0; i < value_count; i++) {
        put_values(&writer, &values[i]);
    }
    H5Gclose(writer.data);
    H5Gclose(writer.group);
    writer.ok = writer.ok && hdf5_save(writer.file, aside, path, error);
    H5Fclose(writer.file);
    return writer.ok;
}

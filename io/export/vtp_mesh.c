#include "io/export/vtp_mesh.h"

#include "io/base64.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* ---------------------------------------------------------------- meshes */

static bool grow(void **array, size_t *capacity, size_t needed, size_t size) {
    if (needed <= *capacity) {
        return true;
    }
    size_t larger = *capacity * 2 > needed ? *capacity * 2 : needed + 64;
    void *moved = realloc(*array, larger * size);
    if (moved == NULL) {
        return false;
    }
    *array = moved;
    *capacity = larger;
    return true;
}

int64_t vtp_add_point(VtpMesh *mesh, double x, double y, double z) {
    void *array = mesh->point;
    bool ok = grow(&array, &mesh->point_capacity, mesh->point_count + 1, 3 * sizeof(double));
    mesh->point = array;
    if (!ok) {
        return -1;
    }
    double *point = &mesh->point[3 * mesh->point_count];
    point[0] = x;
    point[1] = y;
    point[2] = z;
    return (int64_t)mesh->point_count++;
}

bool vtp_add_cell(VtpMesh *mesh, VtpCells kind, const int64_t *corners, size_t count) {
    VtpCellList *list = &mesh->cells[kind];
    void *corner = list->corner, *end = list->end;
    bool ok = grow(&corner, &list->corner_capacity, list->corner_count + count, sizeof(int64_t)) &&
              grow(&end, &list->capacity, list->count + 1, sizeof(int64_t));
    list->corner = corner;
    list->end = end;
    for (size_t i = 0; ok && i < count; i++) {
        ok = corners[i] >= 0;
    }
    if (!ok) {
        return false;
    }
    memcpy(list->corner + list->corner_count, corners, count * sizeof *corners);
    list->corner_count += count;
    list->end[list->count++] = (int64_t)list->corner_count;
    return true;
}

void vtp_mesh_clear(VtpMesh *mesh) {
    mesh->point_count = 0;
    for (int i = 0; i < VTP_CELL_KINDS; i++) {
        mesh->cells[i].corner_count = mesh->cells[i].count = 0;
    }
}

void vtp_mesh_free(VtpMesh *mesh) {
    free(mesh->point);
    for (int i = 0; i < VTP_CELL_KINDS; i++) {
        free(mesh->cells[i].corner);
        free(mesh->cells[i].end);
    }
    memset(mesh, 0, sizeof *mesh);
}

/* ---------------------------------------------------------------- compressed arrays */

static void write_base64(FILE *file, const unsigned char *bytes, size_t size) {
    for (size_t i = 0; i < size; i += 3) {
        char text[4];
        io_base64(bytes + i, size - i, text);
        fwrite(text, 1, sizeof text, file);
    }
}

enum { BLOCK = 1 << 18 }; /* bytes compressed at a time */

/* VTK's layout: number of blocks, size of a block, size of the last one if it is shorter (otherwise
 * 0), the compressed size of each; then the blocks. The two parts are separate base64 texts. */
static bool write_compressed(FILE *file, const unsigned char *bytes, size_t size) {
    size_t blocks = (size + BLOCK - 1) / BLOCK;
    size_t bound = compressBound(BLOCK);
    uint64_t *head = calloc(3 + blocks, sizeof *head);
    unsigned char *packed = malloc(blocks * bound + 1);
    bool ok = head != NULL && packed != NULL;
    size_t used = 0;
    for (size_t i = 0; ok && i < blocks; i++) {
        size_t part = size - i * BLOCK < BLOCK ? size - i * BLOCK : BLOCK;
        uLongf length = (uLongf)bound;
        ok = compress2(packed + used, &length, bytes + i * BLOCK, (uLong)part, 4) == Z_OK;
        head[3 + i] = length;
        used += length;
    }
    if (ok) {
        head[0] = blocks;
        head[1] = BLOCK;
        head[2] = size % BLOCK;
        write_base64(file, (const unsigned char *)head, (3 + blocks) * sizeof *head);
        write_base64(file, packed, used);
    } else {
        errno = ENOMEM;
    }
    free(head);
    free(packed);
    return ok;
}

static bool write_values(FILE *file, const VtpValues *values) {
    size_t width = strcmp(values->type, "Int32") == 0 ? 4 : 8;
    fprintf(file,
            "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"binary\">\n",
            values->type, values->name, values->components);
    bool ok =
        write_compressed(file, values->data, values->count * (size_t)values->components * width);
    fprintf(file, "\n</DataArray>\n");
    return ok;
}

static bool write_cells(FILE *file, const char *tag, const VtpCellList *list) {
    VtpValues connectivity = {"connectivity", "Int64", 1, list->corner_count, list->corner};
    VtpValues offsets = {"offsets", "Int64", 1, list->count, list->end};
    fprintf(file, "<%s>\n", tag);
    bool ok = write_values(file, &connectivity) && write_values(file, &offsets);
    fprintf(file, "</%s>\n", tag);
    return ok;
}

bool vtp_write_mesh(FILE *file, const VtpMesh *mesh, bool cell_values, const VtpValues *values,
                    int value_count) {
    const uint16_t probe = 1;
    const char *order = *(const unsigned char *)&probe == 1 ? "LittleEndian" : "BigEndian";
    const char *data = cell_values ? "CellData" : "PointData";
    fprintf(file,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"%s\" "
            "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n<PolyData>\n"
            "<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\" NumberOfLines=\"%zu\" "
            "NumberOfStrips=\"0\" NumberOfPolys=\"%zu\">\n<%s>\n",
            order, mesh->point_count, mesh->cells[VTP_VERTICES].count, mesh->cells[VTP_LINES].count,
            mesh->cells[VTP_POLYGONS].count, data);
    bool ok = true;
    for (int i = 0; ok && i < value_count; i++) {
        ok = write_values(file, &values[i]);
    }
    VtpValues points = {"Points", "Float64", 3, mesh->point_count, mesh->point};
    fprintf(file, "</%s>\n<Points>\n", data);
    ok = ok && write_values(file, &points);
    fprintf(file, "</Points>\n");
    ok = ok && write_cells(file, "Verts", &mesh->cells[VTP_VERTICES]) &&
         write_cells(file, "Lines", &mesh->cells[VTP_LINES]) &&
         write_cells(file, "Polys", &mesh->cells[VTP_POLYGONS]);
    fprintf(file, "</Piece>\n</PolyData>\n</VTKFile>\n");
    return ok && !ferror(file);
}

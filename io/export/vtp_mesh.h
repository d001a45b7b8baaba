/* Points with vertices, lines or polygons and named values on them: the content of one .vtp
 * file. */
#ifndef SCREE_IO_EXPORT_VTP_MESH_H
#define SCREE_IO_EXPORT_VTP_MESH_H

#include "io/error.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum VtpCells { VTP_VERTICES, VTP_LINES, VTP_POLYGONS, VTP_CELL_KINDS } VtpCells;

typedef struct VtpValues {
    const char *name;
    const char *type; /* "Float64", "Int32" or "Int64" */
    int components;
    size_t count; /* tuples */
    const void *data;
} VtpValues;

/* A growing list of cells: connectivity and where each cell ends. */
typedef struct VtpCellList {
    int64_t *corner, *end;
    size_t corner_count, corner_capacity, count, capacity;
} VtpCellList;

typedef struct VtpMesh {
    double *point; /* three numbers per point */
    size_t point_count, point_capacity;
    VtpCellList cells[VTP_CELL_KINDS];
} VtpMesh;

/* Adds a point; returns its number, or -1 when out of memory. */
int64_t vtp_add_point(VtpMesh *mesh, double x, double y, double z);
bool vtp_add_cell(VtpMesh *mesh, VtpCells kind, const int64_t *corners, size_t count);
void vtp_mesh_clear(VtpMesh *mesh); /* keeps the memory */
void vtp_mesh_free(VtpMesh *mesh);

/* Writes the file; the values belong to points or to cells. False with errno set. */
bool vtp_write_mesh(FILE *file, const VtpMesh *mesh, bool cell_values, const VtpValues *values,
                    int value_count);

#endif

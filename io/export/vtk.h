/* Export for ParaView, one file for each kind (bodies, contacts, walls) and frame. Bodies are
 * points with radii; where some have shapes, outlines are all of them as polygons. */
#ifndef SCREE_IO_EXPORT_VTK_H
#define SCREE_IO_EXPORT_VTK_H

#include "io/run/file.h"

typedef enum VtkFormat {
    VTK_VTP,   /* .vtp (PolyData, binary arrays inline, compressed by zlib), and one .pvd for each
                  kind that lists its files with their times */
    VTK_VTKHDF /* .hdf: VTKHDF 1.0, the version and the ending that ParaView 5.11 knows. It has no
                  times: ParaView takes files with numbers as a series */
} VtkFormat;

/* Writes frames [first, first + count) into a folder, which is made when it is not there. */
bool vtk_export(RunReader *reader, const char *folder, VtkFormat format, size_t first, size_t count,
                IoError *error);

#endif

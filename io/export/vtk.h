/* Export for ParaView, one file for each kind (bodies, contacts, walls) and frame. Bodies are
 * points with radii; where some have shapes, the outlines of all of them are also written as
 * polygons. */
#ifndef SCREE_IO_EXPORT_VTK_H
#define SCREE_IO_EXPORT_VTK_H

#include "io/aside.h"
#include "io/run/file.h"

typedef enum VtkFormat {
    /* .vtp (PolyData, binary arrays inline, compressed by zlib), and for each kind a .pvd that
     * lists its files with their times */
    VTK_VTP,
    /* .hdf: VTKHDF 1.0, the version and the ending that ParaView 5.11 knows. It has no times:
     * ParaView treats numbered files as a series */
    VTK_VTKHDF
} VtkFormat;

/* Writes frames [first, first + count) into a folder, which is made if it does not exist. Files
 * in it are replaced as the rule says, and none is if one may not be. */
bool vtk_export(RunReader *reader, const char *folder, VtkFormat format, size_t first, size_t count,
                IoRule rule, IoError *error);

#endif

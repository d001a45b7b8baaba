/* Export for ParaView: .vtp files (VTK PolyData, binary arrays inline, compressed by zlib), one for
 * each kind and frame, and one .pvd for each kind that lists them with their times. Bodies are
 * points with radii; where some have shapes, outlines are all of them as polygons. */
#ifndef SCREE_IO_VTP_H
#define SCREE_IO_VTP_H

#include "io/run_file.h"

/* Writes frames [first, first + count) into a folder, which is made when it is not there. */
bool vtp_export(RunReader *reader, const char *folder, size_t first, size_t count, IoError *error);

#endif

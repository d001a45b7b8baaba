/* A mesh as a VTKHDF file of version 1.0, which only knows unstructured grids and images: vertices,
 * lines and polygons become cells of an unstructured grid, in this order. */
#ifndef SCREE_IO_EXPORT_VTKHDF_H
#define SCREE_IO_EXPORT_VTKHDF_H

#include "io/export/vtp_mesh.h"

/* Writes into the file `aside`, which messages call `path`. The values belong to points or to
 * cells. */
bool vtkhdf_write_mesh(const char *aside, const char *path, const VtpMesh *mesh, bool cell_values,
                       const VtpValues *values, int value_count, IoError *error);

#endif

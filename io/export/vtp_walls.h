/* Walls as lines and polygons. */
#ifndef SCREE_IO_EXPORT_VTP_WALLS_H
#define SCREE_IO_EXPORT_VTP_WALLS_H

#include "io/run/file.h"
#include "io/export/vtp_mesh.h"

/* Adds wall `wall` of a frame: lines in two dimensions, polygons in three. Endless walls are drawn
 * as large as the region of the grains. False when out of memory. */
bool vtp_add_wall(VtpMesh *mesh, const RunHeader *header, const RunFrame *frame, size_t wall);

#endif

/* Bodies in two dimensions as polygons. */
#ifndef SCREE_IO_EXPORT_VTP_OUTLINES_H
#define SCREE_IO_EXPORT_VTP_OUTLINES_H

#include "io/run/file.h"
#include "io/export/vtp_mesh.h"

/* The outlines of all shapes of a run, made once. */
typedef struct VtpOutlines VtpOutlines;

/* NULL when out of memory. */
VtpOutlines *vtp_outlines_new(const RunHeader *header);
void vtp_outlines_free(VtpOutlines *outlines);

/* Adds a body of a frame: a polygon for each part, or several where VTK needs them. False when out
 * of memory. */
bool vtp_add_body(VtpMesh *mesh, const VtpOutlines *outlines, const RunHeader *header,
                  const RunBodies *bodies, size_t body);

#endif

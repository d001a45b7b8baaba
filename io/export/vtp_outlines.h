/* Bodies as polygons: outlines in two dimensions, surfaces of solids in three. */
#ifndef SCREE_IO_EXPORT_VTP_OUTLINES_H
#define SCREE_IO_EXPORT_VTP_OUTLINES_H

#include "io/run/file.h"
#include "io/export/vtp_mesh.h"

#include <stdio.h>

/* The outlines of all shapes of a run, made once. */
typedef struct VtpOutlines VtpOutlines;

/* NULL when out of memory. */
VtpOutlines *vtp_outlines_new(const RunHeader *header);
void vtp_outlines_free(VtpOutlines *outlines);

/* Adds a body of a frame: a polygon for each part, or several where VTK needs them. False when out
 * of memory. */
bool vtp_add_body(VtpMesh *mesh, const VtpOutlines *outlines, const RunHeader *header,
                  const RunFrame *frame, size_t body);

/* A solid as an OBJ file, its lengths divided by the radius of the ball that holds it. */
void vtp_write_obj(FILE *file, const VtpOutlines *outlines, const RunHeader *header, size_t shape);

#endif

/* Where the corners of bodies are in a frame, and the faces between them. */
#ifndef SCREE_IO_RUN_SHAPES_H
#define SCREE_IO_RUN_SHAPES_H

#include "io/run/file.h"

/* A part of a body: all points within `rounding` of the polygon of its corners, or in space of the
 * polyhedron. */
typedef struct RunPart {
    size_t first, count; /* among the corners of all shapes */
    double rounding;
    size_t first_face, faces; /* among the faces of all shapes */
    int32_t kind;             /* ScreePartKind; those in the plane have 0 */
    double form[2];
    const double *weight; /* [count] of control points */
} RunPart;

/* The same of a solid as the library takes it. */
ScreeSolidPart run_solid_part(const RunPart *part);

/* A face of a part: corners of the part, counted from 0, counterclockwise seen from outside. */
typedef struct RunFace {
    const int32_t *vertex;
    size_t count;
} RunFace;

/* Part number `part` of all shapes. */
RunPart run_shape_part(const RunHeader *header, size_t part);

/* The parts of a body among those of all shapes: [first, first + count). Round bodies have none. */
size_t run_body_parts(const RunHeader *header, const RunFrame *frame, size_t body, size_t *first);

/* Face number `face` of all shapes. */
RunFace run_shape_face(const RunHeader *header, size_t face);

/* Where a point in the body's own coordinates is in the frame. */
void run_body_point(const RunBodies *bodies, size_t body, const double *own, double *at);

#endif

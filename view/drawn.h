/* NURBS surfaces of a run as triangles: the page knows polyhedra. */
#ifndef SCREE_VIEW_DRAWN_H
#define SCREE_VIEW_DRAWN_H

#include "io/run/file.h"

/* A header whose shapes are the same but for NURBS surfaces, which are polyhedra of triangles. Its other
 * tables are those of the header that it was made from. */
typedef struct ViewDrawn {
    RunHeader header;
    double *position;
    int64_t *corner_end, *face_end, *loop_end;
    int32_t *kind, *vertex;
    size_t corners, faces, loops;
} ViewDrawn;

bool view_has_surfaces(const RunHeader *header);

/* False when out of memory; it must be freed then, too. */
bool view_draw_surfaces(const RunHeader *header, ViewDrawn *drawn);
void view_drawn_free(ViewDrawn *drawn);

#endif

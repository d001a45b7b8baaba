/* Closed surfaces given by vertices and faces, as users and files have them: what is wrong with
 * one, and the same as triangles that know their neighbours. */
#ifndef SCREE_SHAPE_SURFACE_H
#define SCREE_SHAPE_SURFACE_H

#include "shape/triangles.h"

typedef struct SurfaceDef {
    size_t part; /* which of a solid, for messages */
    size_t vertices, faces;
    const Vec3 *vertex;
    const int32_t *corners; /* [faces] how many corners each has */
    const int32_t *corner;
} SurfaceDef;

/* Zero-initialise it. */
typedef struct Surface {
    Triangles triangles;
    int32_t *face;    /* of each triangle: the one that it was cut from */
    Vec3 *point;      /* [vertices] scaled as scr_orient wants them */
    double size;      /* the longest side of the box around the vertices */
    double tolerance; /* in which faces are plane and edges straight */
    Block face_block, point_block;
} Surface;

/* Refuses, with a message (SCREE_MESSAGE_SIZE bytes) that names part, face and vertices: faces that
 * are no plane simple polygons, surfaces that are open, turned over, inside out, or touch or cross
 * themselves, and bodies without volume. */
ScreeStatus scr_surface_read(const SurfaceDef *def, Surface *made, char *message);
void scr_surface_free(Surface *surface);

/* The steps of it, each in a file of its own. */

/* Faces cut into triangles whose neighbours are not set yet. */
ScreeStatus scr_surface_cut(const SurfaceDef *def, Surface *made, char *message);
/* Sets neighbours: every side has just one, which runs along it the other way. */
ScreeStatus scr_surface_close(const SurfaceDef *def, Surface *made, char *message);
/* No two triangles meet but at their common side or corner. */
ScreeStatus scr_surface_check_crossings(const SurfaceDef *def, const Surface *surface,
                                        char *message);

/* SCREE_BAD_ARGUMENT, with "part 0" before the words. */
__attribute__((format(printf, 3, 4))) ScreeStatus scr_surface_refuse(char *message, size_t part,
                                                                     const char *format, ...);

#endif

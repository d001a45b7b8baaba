/* Solids from their definitions. */
#ifndef SCREE_SHAPE_SOLID_BUILD_H
#define SCREE_SHAPE_SOLID_BUILD_H

#include "shape/polyhedron.h"

/* Names of contacts have room for so many vertices, edges and faces. */
enum { MOST_ELEMENTS = 32767 };

/* Checks a definition and makes the solid: hulls where no faces are given, coplanar faces merged,
 * vertices relative to the centre of mass, which becomes *centroid in the coordinates of the
 * definition. SCREE_BAD_ARGUMENT with a message (SCREE_MESSAGE_SIZE bytes, or NULL) that names part,
 * face and vertex; SCREE_NO_MEMORY. Nothing is left to free when it fails. */
ScreeStatus scr_solid_build(const ScreeSolidDef *def, Solid *solid, Vec3 *centroid, char *message);

/* Makes a solid again from its parts as they are kept, that is, from what is in the polyhedra:
 * vertices about the centre of mass, and faces. Volume, radius, gyration and axes must be set; not
 * a bit of them or of a vertex changes. `size` tells how many vertices, faces and corners of faces
 * the arrays of the definition hold, which may come from a damaged file: SCREE_BAD_ARGUMENT. */
ScreeStatus scr_solid_restore(const ScreeSolidDef *def, const size_t size[3], Solid *solid);

void scr_solid_free(Solid *solid);

/* The polyhedra of parts that are sound and have all their faces; what the solid held before is
 * lost, but for its measures. On failure `fault` (or NULL) tells why, and nothing is left. */
ScreeStatus scr_solid_build_parts(const ScreeSolidDef *def, Solid *solid, PolyhedronFault *fault);

/* From the origin to the farthest point of the parts. */
double scr_solid_radius(const Solid *solid);

#endif

/* Faces that were plane before their coordinates were rounded. */
#ifndef SCREE_SHAPE_FLATTEN_H
#define SCREE_SHAPE_FLATTEN_H

#include "shape/surface.h"

/* Moves vertices of a surface such that neighbours which lie in one plane to within the tolerance
 * (a length) lie in it to rounding, where their planes have points in common. No vertex moves by
 * more than 30 tolerances. A surface that cannot be read stays as it is: who reads it next will
 * tell. `vertex` receives all of them, and may be that of the definition. SCREE_OK or
 * SCREE_NO_MEMORY. */
ScreeStatus scr_flatten(const SurfaceDef *def, double tolerance, Vec3 *vertex);

#endif

/* From the scene to the control of a periodic cell. */
#ifndef SCREE_SCENE_MAKE_CELL_H
#define SCREE_SCENE_MAKE_CELL_H

#include "scene/internal.h"

/* Changes what the spec gives, and leaves the rest as it is. Programmes have their means over the step
 * from `time` on. */
void scene_cell_control(const Scene *scene, const SceneCellSpec *spec, double time, double step,
                        ScreeCellDef *cell);

#endif

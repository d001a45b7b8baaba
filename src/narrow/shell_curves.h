/* Solids at the rims and edges of thin walls. */
#ifndef SCREE_NARROW_SHELL_CURVES_H
#define SCREE_NARROW_SHELL_CURVES_H

#include "narrow/shell_names.h"
#include "narrow/shell_surface.h"

/* Appends the points of a part; false when out of memory. */
bool scr_touch_shell_curves(const AtShell *at, const Polyhedron *part, double tilt, double reach,
                            OutlineTouches *touches);

/* One point again; `number` is that of the part's element, `normal` the one that the contact had. */
ShellPoint scr_shell_curve_point(const AtShell *at, const Polyhedron *part, int32_t number,
                                 int32_t name, Vec3 normal);

#endif

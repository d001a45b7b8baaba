/* Contact points of a surface of patches at thin walls with round openings: over the wall, and at its rims, edges, tips
 * and corners. */
#ifndef SCREE_NARROW_PATCH_SHELL_H
#define SCREE_NARROW_PATCH_SHELL_H

#include "narrow/shell_names.h"
#include "narrow/shell_surface.h"

/* Over the wall; of a cone only from inside. False when out of memory. */
bool scr_touch_patch_shell(const AtShell *at, const Polyhedron *part, double tilt, double reach,
                           OutlineTouches *touches);

/* At one curve, whose names begin with `name`. */
bool scr_touch_patch_curve(const AtShell *at, const Polyhedron *part, const WallCurve *curve,
                           int32_t name, double tilt, double reach, OutlineTouches *touches);

/* One point again: over the wall, or at a curve by the place that it names. */
ShellPoint scr_patch_shell_point(const AtShell *at, const Polyhedron *part, int32_t element,
                                 Vec3 normal);
ShellPoint scr_patch_curve_point(const AtShell *at, const Polyhedron *part, const WallCurve *curve,
                                 int32_t element, int place, Vec3 normal);

#endif

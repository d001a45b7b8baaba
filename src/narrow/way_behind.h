/* How far a body goes on behind a feature that has entered another one. */
#ifndef SCREE_NARROW_WAY_BEHIND_H
#define SCREE_NARROW_WAY_BEHIND_H

#include "narrow/part_pair.h"

/* From the foot on a feature of a part back into it, along the unit vector `up`, both in the frame of the part: its
 * thickness there. A sharp vertex or edge may lean, so that nothing lies straight behind it: then how high its edges lead
 * on, always up, if they pass the surface of the other part on their way, as all that has entered it does. More than
 * `enough` need not be known. 0 of a surface of triangles. */
double scr_way_behind(const PartPair *parts, bool of_a, ElementKind kind, int32_t number, Vec3 foot,
                      Vec3 up, double enough);

#endif

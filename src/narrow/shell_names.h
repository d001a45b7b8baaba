/* What contacts name of thin walls with round openings. */
#ifndef SCREE_NARROW_SHELL_NAMES_H
#define SCREE_NARROW_SHELL_NAMES_H

#include "narrow/outline_touch.h"
#include "narrow/wall_curve.h"

/* Its surface, a place of its outside, a line of the inside of a cone at
 * a fixed angle, or a sector or a fixed point of a curve. */
enum {
    ON_SURFACE = 0,
    ON_OUTSIDE = 1,
    ON_LINE = 224,
    LINES = 16,
    ON_CURVE = 256,
    CURVE_NAMES = 256, /* curves whose numbers differ by so much have the same name */
    PLACE_NAMES = CURVE_SECTORS + FIXED_POINTS
};
_Static_assert(ON_OUTSIDE + SMOOTH_ELEMENTS <= ON_LINE && ON_LINE + LINES <= ON_CURVE, "names");
_Static_assert(ON_CURVE + CURVE_NAMES * PLACE_NAMES < 1 << FEATURE_BITS, "they fit");

/* Overlaps that are still seen, in diameters of a part. */
#define DEEPEST_AT_SHELL 0.25

static inline double scr_size_at_shell(const Polyhedron *p) {
    return 2 * (p->extent + p->rounding);
}

/* One point again, its arm from the centre of the body to the middle of the gap. */
typedef struct ShellPoint {
    double gap;
    Vec3 arm;
} ShellPoint;

#endif

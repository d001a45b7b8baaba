/* A part of a solid inside a cone, at an angle about the axis of the cone. Angles are in turns, and points
 * in the frame of the body. */
#ifndef SCREE_NARROW_FUNNEL_H
#define SCREE_NARROW_FUNNEL_H

#include "narrow/shell_surface.h"

/* Which way a cone faces: across its axis from the angle zero on, and along it. */
typedef struct Facing {
    Vec3 from, third, axis;
    double across, along;
} Facing;

Facing scr_facing(const AtShell *at);

/* The farthest point of the surface (rim -1) or of a rim towards the cone at an angle; how far it lies
 * ahead of that angle. */
Vec3 scr_farthest_at(const AtShell *at, const Polyhedron *part, const Facing *f, int rim,
                     double turns, double *ahead);

/* The one between two angles that lies neither ahead of its angle nor behind it. */
Vec3 scr_farthest_between(const AtShell *at, const Polyhedron *part, const Facing *f, int rim,
                          double low, double high);

/* The point of a part that is farthest out at this angle: a vertex, or on the rim or surface that
 * `number` tells. */
Vec3 scr_towards_line(const AtShell *at, const Polyhedron *part, const Facing *f, int32_t number,
                      double turns);

/* Its distance from the plane that touches the cone along its line at that angle; the cone lies behind
 * it. */
OverSurface scr_over_line(const AtShell *at, const Polyhedron *part, const Facing *f, Vec3 own,
                          double turns);

#endif

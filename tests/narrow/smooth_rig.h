/* Smooth bodies somewhere in space, and another way to tell what is inside of them. */
#ifndef SCREE_TESTS_NARROW_SMOOTH_RIG_H
#define SCREE_TESTS_NARROW_SMOOTH_RIG_H

#include "narrow/solid_rig.h"

/* One part of a body; rig_finish makes the body when all are there. */
static inline void rig_smooth_part(RigBody *body, int part, ScreePartKind kind, const Vec3 *vertex,
                                   double p, double q, double rounding) {
    const PolyhedronDef def = {.vertices = scr_smooth_vertices(kind),
                               .vertex = vertex,
                               .rounding = rounding,
                               .kind = kind,
                               .form = {p, q}};
    CHECK(scr_polyhedron_build(&def, &body->part[part], NULL) == SCREE_OK);
}

static inline void rig_smooth(RigBody *body, ScreePartKind kind, const Vec3 *vertex, double p,
                              double q, double rounding) {
    rig_smooth_part(body, 0, kind, vertex, p, q, rounding);
    rig_finish(body, 1);
}

static inline void rig_ellipsoid(RigBody *body, Vec3 half, double q, double p) {
    const Vec3 vertex[4] = {{0, 0, 0}, {half.x, 0, 0}, {0, half.y, 0}, {0, 0, half.z}};
    rig_smooth(body, SCREE_PART_ELLIPSOID, vertex, q, p, 0);
}

static inline void rig_cone(RigBody *body, double r0, double r1, double height, double rounding) {
    const Vec3 vertex[2] = {{0, 0, -height / 2}, {0, 0, height / 2}};
    rig_smooth(body, SCREE_PART_CONE, vertex, r0, r1, rounding);
}

enum { ELLIPSOIDS = 6, CONES = 6, SMOOTH = ELLIPSOIDS + CONES };

static inline void rig_any_smooth(RigBody *body, int kind) {
    Vec3 half = rig_half_lengths();
    double q = rig_between(2, 8), p = rig_between(2, 8);
    switch (kind) {
    case 0:
        rig_ellipsoid(body, half, 2, 2);
        break;
    case 1:
        rig_ellipsoid(body, vec3(0.5, 0.5, 0.05), 2, 2);
        break;
    case 2:
        rig_ellipsoid(body, vec3(0.05, 0.06, 0.5), 2, 2);
        break;
    case 3:
        rig_ellipsoid(body, vec3(0.4, 0.4, 0.4), 2, 2);
        break;
    case 4:
        rig_ellipsoid(body, half, q, p);
        break;
    case 5:
        rig_ellipsoid(body, half, 2, p);
        break;
    case 6:
        rig_cone(body, 0.3, 0.3, 0.6, 0);
        break;
    case 7:
        rig_cone(body, 0.5, 0.5, 0.1, 0);
        break;
    case 8:
        rig_cone(body, 0.4, 0, 0.5, 0);
        break;
    case 9:
        rig_cone(body, 0.4, 0.2, 0.5, 0.02);
        break;
    case 10:
        rig_cone(body, 0.05, 0.05, 0.9, 0);
        break;
    default:
        rig_cone(body, 0.3, 0.3, 0.2, 0.05);
    }
}

static inline void rig_any_partner(RigBody *body, int kind) {
    if (kind < SMOOTH) {
        rig_any_smooth(body, kind);
    } else {
        rig_any(body, kind - SMOOTH, kind % 3 == 0 ? 0.03 : 0);
    }
}

/* Positive outside; in the frame of the body, roundings left out. */
static inline double rig_outside(const Polyhedron *p, Vec3 x) {
    if (scr_is_smooth(p)) {
        return scr_smooth_level(&p->smooth, 0, x);
    }
    double most = -INFINITY;
    for (int32_t f = 0; f < p->faces; f++) {
        most = fmax(most, dot(p->face[f].normal, x) - p->face[f].offset);
    }
    return p->faces > 0 ? most : length(sub(x, scr_vertex(p, 0)));
}

#endif

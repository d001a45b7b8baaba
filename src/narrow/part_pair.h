/* Two convex parts of two solids, seen in the frame of the first body: x_a = turn x_b + shift. All
 * geometry of solids is done here, with one rotation per pair instead of one per body. */
#ifndef SCREE_NARROW_PART_PAIR_H
#define SCREE_NARROW_PART_PAIR_H

#include "narrow/step_motion.h"
#include "shape/polyhedron.h"

/* A solid as its body stands: the columns of the rotation. */
typedef struct PlacedSolid {
    const Solid *solid;
    Vec3 axis[3];
} PlacedSolid;

typedef struct RelativePose {
    Vec3 column[3];
    Vec3 shift;
} RelativePose;

/* A direction of b in the frame of a, and the other way. */
static inline Vec3 scr_turn_from_b(const RelativePose *p, Vec3 v) {
    const Vec3 *c = p->column;
    return vec3(c[0].x * v.x + c[1].x * v.y + c[2].x * v.z,
                c[0].y * v.x + c[1].y * v.y + c[2].y * v.z,
                c[0].z * v.x + c[1].z * v.y + c[2].z * v.z);
}
static inline Vec3 scr_turn_to_b(const RelativePose *p, Vec3 v) {
    return vec3(dot(p->column[0], v), dot(p->column[1], v), dot(p->column[2], v));
}
/* A point of b in the frame of a, and the other way. */
static inline Vec3 scr_point_from_b(const RelativePose *p, Vec3 x) {
    return add(scr_turn_from_b(p, x), p->shift);
}
static inline Vec3 scr_point_to_b(const RelativePose *p, Vec3 x) {
    return scr_turn_to_b(p, sub(x, p->shift));
}

/* In the frame of a body, and out of it. */
static inline Vec3 scr_into_frame(const PlacedSolid *s, Vec3 v) {
    return vec3(dot(s->axis[0], v), dot(s->axis[1], v), dot(s->axis[2], v));
}
static inline Vec3 scr_out_of_frame(const PlacedSolid *s, Vec3 v) {
    return add_scaled(add_scaled(scale(v.x, s->axis[0]), v.y, s->axis[1]), v.z, s->axis[2]);
}

static inline RelativePose scr_relative_pose(const PlacedSolid *a, const PlacedSolid *b, Vec3 d) {
    RelativePose p = {.shift = scr_into_frame(a, d)};
    for (int i = 0; i < 3; i++) {
        p.column[i] = scr_into_frame(a, b->axis[i]);
    }
    return p;
}

/* After the motion, in the frame of a as it will stand. With Q_a and Q_b for the rotations of the
 * step, x_a = A^T Q_a^T (Q_b B x_b + d + shift). */
static inline RelativePose scr_later_pose(const PlacedSolid *a, const PlacedSolid *b, Vec3 d,
                                          const StepMotion *m) {
    Quat qa = quat_from_turn(scale(-1, m->turn_a)), qb = quat_from_turn(m->turn_b);
    Quat both = quat_multiply(qa, qb);
    RelativePose p = {.shift = scr_into_frame(a, quat_rotate(qa, add(d, m->shift)))};
    for (int i = 0; i < 3; i++) {
        p.column[i] = scr_into_frame(a, quat_rotate(both, b->axis[i]));
    }
    return p;
}

typedef struct PartPair {
    const Polyhedron *a, *b;
    const RelativePose *pose;
    double size;  /* diameter of the smaller one, with its rounding */
    double round; /* rounding error of a coordinate is below this */
} PartPair;

static inline PartPair scr_part_pair(const Polyhedron *a, const Polyhedron *b,
                                     const RelativePose *pose) {
    double extent = scr_min(a->extent + a->rounding, b->extent + b->rounding);
    double farthest = a->radius + b->radius + length(pose->shift);
    return (PartPair){a, b, pose, 2 * extent, 1e-15 * farthest};
}

/* A vertex of b in the frame of a, and one of a in that of b. */
static inline Vec3 scr_b_vertex(const PartPair *p, int32_t v) {
    return scr_point_from_b(p->pose, scr_vertex(p->b, v));
}
static inline Vec3 scr_a_vertex(const PartPair *p, int32_t v) {
    return scr_point_to_b(p->pose, scr_vertex(p->a, v));
}

/* The vertex farthest along a direction of the polyhedron's own frame, searched from `start`. Few
 * vertices are all looked at; on a convex body with more of them a neighbour is farther as long as
 * any vertex is. */
int32_t scr_support(const Polyhedron *polyhedron, Vec3 direction, int32_t start);

#endif

/* Two boundaries and the place where they are nearest: a point of the slave, its foot on the master, and
 * the way from a node down to the minimum of the gap (see curve_pair.h). */
#ifndef SCREE_NARROW_BOUNDARY_MEETING_H
#define SCREE_NARROW_BOUNDARY_MEETING_H

#include "narrow/boundary.h"

/* A place of the slave and its foot on the master. All in the master's frame. */
typedef struct Meeting {
    double x, y;
    double curvature; /* of the slave; infinite on a node */
    int32_t span;     /* of the slave, or the node */
    bool at_node, spare;
    BoundaryFoot foot;
} Meeting;

/* Slopes dg/ds below this count as none. */
#define BOUNDARY_PARALLEL 1e-9

/* From the frame of boundary s of two to that of the other: a point, and a direction. */
static inline void scr_boundary_across(const Boundary both[2], int s, double x, double y,
                                       double out[2]) {
    double w[2];
    scr_boundary_turn(&both[s], x, y, w);
    const Boundary *to = &both[1 - s];
    scr_boundary_turn_back(to, w[0] + both[s].x - to->x, w[1] + both[s].y - to->y, out);
}
static inline void scr_boundary_direction(const Boundary both[2], int s, double x, double y,
                                          double out[2]) {
    double w[2];
    scr_boundary_turn(&both[s], x, y, w);
    scr_boundary_turn_back(&both[1 - s], w[0], w[1], out);
}

/* Node k of slave s, with its foot looked for from m->foot.span on. */
void scr_meet_node(const Boundary both[2], int s, int32_t k, Meeting *m);

/* dg/ds before (side 0) and after (side 1) node k of slave s. */
double scr_meet_slope(const Boundary both[2], int s, int32_t k, int side, const Meeting *m);

/* From a node of a curve, whose foot is near span m->foot.span, down to the nearest minimum of the
 * gap. Parallel surfaces meet on the node. False when there is none near. */
bool scr_meet_nearest(const Boundary both[2], int s, int32_t k, Meeting *m);

/* Whether a place at the distance s of a lowest one, higher by h, is a flank: both bodies are so
 * flat that h = k s^2 / 2 with k below half of 1 / size, and s is more than `near`. */
static inline bool scr_is_flank(double s, double h, double near, double size) {
    return s > near && h * size < 0.25 * s * s;
}

/* The farthest node of a curve from the place `m` on, forwards (way 1) or backwards (-1), that is a
 * flank and has a gap larger by `rise` at most. False when there is none. It is spare. */
bool scr_meet_flank(const Boundary both[2], int s, const Meeting *m, int way, double near,
                    double rise, double size, Meeting *flank);

#endif

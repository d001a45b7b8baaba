/* Where two boundaries are nearest: a point of the slave, its foot on the master, and how the
 * minimum of the gap is found from a node nearby (see curve_pair.h). */
#ifndef SCREE_NARROW_BOUNDARY_MEETING_H
#define SCREE_NARROW_BOUNDARY_MEETING_H

#include "narrow/boundary.h"

/* A point of the slave and its foot on the master, both in the frame of the master. */
typedef struct Meeting {
    double x, y;
    double curvature; /* of the slave; infinite on a node */
    int32_t span;     /* of the slave, or the node */
    bool at_node, spare;
    BoundaryFoot foot;
} Meeting;

/* Slopes dg/ds smaller than this count as zero. */
#define BOUNDARY_PARALLEL 1e-9

/* Takes a point, or a direction, from the frame of boundary s to that of the other. */
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

/* Node k of slave s and its foot, which is searched starting from m->foot.span. */
void scr_meet_node(const Boundary both[2], int s, int32_t k, Meeting *m);

/* Goes from a node of a curve, whose foot is near span m->foot.span, down to the nearest minimum of
 * the gap. Where the surfaces are parallel the node itself is taken. False when there is no minimum
 * nearby. */
bool scr_meet_nearest(const Boundary both[2], int s, int32_t k, Meeting *m);

/* Whether a point at the distance s from a minimum, where the gap is larger by h, is a flank: s
 * exceeds `near`, and both bodies are so flat there that h = k s^2 / 2 with k below half of 1 /
 * size. */
static inline bool scr_is_flank(double s, double h, double near, double size) {
    return s > near && h * size < 0.25 * s * s;
}

/* The farthest node from the minimum `m`, forwards (direction 1) or backwards (-1), that is a flank
 * and whose gap is larger by at most `rise`. It is marked as spare. False when there is none. */
bool scr_meet_flank(const Boundary both[2], int s, const Meeting *m, int direction, double near,
                    double rise, double size, Meeting *flank);

#endif

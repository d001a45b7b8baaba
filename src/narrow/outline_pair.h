/* Two parts of two outlines: what the search for their contact points asks about them. */
#ifndef SCREE_NARROW_OUTLINE_PAIR_H
#define SCREE_NARROW_OUTLINE_PAIR_H

#include "narrow/outline_touch.h"

/* Sine of the tilt up to which two faces count as lying on each other. No step turns a body by
 * more. */
#define OUTLINE_TILT     0.2
#define OUTLINE_PARALLEL (1 - 0.5 * OUTLINE_TILT * OUTLINE_TILT) /* its cosine */

/* A part in its position relative to the centre of a, and how it moves in the step. */
typedef struct OutlineSide {
    const Corner *corner;
    int32_t first, count; /* first: its number among the corners of the shape */
    double rounding;
    double x, y; /* the centre of its body */
    double shift_x, shift_y, turn;
    double low[2], high[2]; /* rounding included */
} OutlineSide;

typedef struct OutlinePair {
    OutlineSide side[2];
    double reach;
    double size;        /* half the width of the smaller outline */
    double flat;        /* a depth that is rounding error */
    double widest_zone; /* upper bound on the zone of two corners, see scr_corners_meet */
    size_t first;       /* index of the first contact of these two parts */
    int32_t deep;       /* how many of them have a corner inside the other part */
    OutlineTouches *touches;
    ScreeStatus status;
} OutlinePair;

static inline int32_t scr_next_corner(const OutlineSide *side, int32_t k) {
    return k + 1 == side->count ? 0 : k + 1;
}
static inline int32_t scr_previous_corner(const OutlineSide *side, int32_t k) {
    return k == 0 ? side->count - 1 : k - 1;
}

/* Whether a point lies inside the polygon of a part. */
bool scr_side_contains(const OutlineSide *side, double x, double y);

/* The distance of corner v of side s from the line of edge k of the other side, after the step. */
double scr_later_distance(const OutlinePair *pair, int s, int32_t v, int32_t k);

/* Two corners that make one contact instead of those with each other's edges; n points from the
 * second to the first. */
typedef struct CornerMeeting {
    double nx, ny, distance;
    int edge_of; /* n is the normal of an edge of side 0 or 1, or of neither: -1 */
} CornerMeeting;

bool scr_corners_meet(const OutlinePair *pair, int32_t v, int32_t c, CornerMeeting *meeting);

/* Among the contacts of corners inside the other part, removes those that describe the same overlap
 * as another which parts the bodies sooner. */
void scr_settle_deep(OutlinePair *pair);

/* For edges that cross although no corner is inside: the corner of `side` that is least deep behind
 * an edge of the other. */
typedef struct CrossedEdges {
    int side;
    int32_t corner, edge;
    double nx, ny, distance;
} CrossedEdges;

bool scr_edges_cross(const OutlinePair *pair, CrossedEdges *crossed);

#endif

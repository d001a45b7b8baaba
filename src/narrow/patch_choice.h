/* Which of the places where a surface of patches meets something are contact points.
 *
 * A place of its own is a least gap between the two. Where they fit each other so well that the gap
 * hardly rises around it, along a ring that lies on a plane or all over a flat place, flanks count as
 * well: one for each cell, not too near to each other. */
#ifndef SCREE_NARROW_PATCH_CHOICE_H
#define SCREE_NARROW_PATCH_CHOICE_H

#include "narrow/patch_meeting.h"

enum { MOST_MEETINGS = 192 };

typedef struct ChosenMeeting {
    PatchMeeting met;
    int32_t cell;    /* of the surface */
    int32_t element; /* of the other body, counted in its part */
    bool flank, gone;
} ChosenMeeting;

typedef struct PatchChoice {
    double size;
    int32_t count;
    ChosenMeeting item[MOST_MEETINGS];
} PatchChoice;

/* Relative curvature below which a direction is soft. */
static inline double scr_soft_limit(double size) {
    return 0.2 / size;
}

/* Takes a meeting in; if there is no room, the one with the largest gap is left out. */
void scr_take_meeting(PatchChoice *choice, const ChosenMeeting *meeting);

/* Marks those that are no contact points. */
void scr_choose_meetings(PatchChoice *choice);

/* The place that a name tells, from a cell of the surface and an element of the partner, where both may
 * have moved on to other cells. */
typedef struct NamedMeeting {
    const Patchwork *surface;
    int32_t cell;
    bool flank;
    Vec3 normal; /* that it had, out of the surface */
    double size;
} NamedMeeting;

PatchMeeting scr_meet_again(const NamedMeeting *name, PatchPartner partner);

/* The elements of a surface of patches: places of their own, then flanks. */
static inline int32_t scr_cell_element(const Patchwork *surface, int32_t cell, bool flank) {
    return flank ? surface->cells + cell : cell;
}
static inline int32_t scr_cell_of(const Patchwork *surface, int32_t element) {
    return element % surface->cells;
}
static inline bool scr_is_flank_element(const Patchwork *surface, int32_t element) {
    return element >= surface->cells;
}

/* Whether some normals of a cell are near to a direction, but for a turn and the tilt of flanks. */
static inline bool scr_cell_faces(const PatchCell *c, Vec3 d, double turn) {
    return dot(c->normal, d) >= scr_cos(scr_min(c->turn + turn + 0.12, 3.1));
}

/* Whether a normal of a cell may lead to a ball about x: x is nowhere farther from the axis of the cell,
 * which is along n, than normals diverge. */
static inline bool scr_cell_leads_to(const PatchCell *c, Vec3 n, Vec3 x, double radius) {
    Vec3 d = sub(x, c->middle);
    double up = dot(d, n), far = 1.05 * c->extent + radius + 0.6 * fabs(up);
    return dot(d, d) - up * up <= far * far;
}

/* How far two elements are apart, of places that may be one that has moved; -1: they are not near. */
static inline double scr_cells_apart(const Patchwork *s, int32_t one, int32_t other) {
    const PatchCell *a = &s->cell[scr_cell_of(s, one)], *b = &s->cell[scr_cell_of(s, other)];
    double far = length(sub(a->middle, b->middle));
    return far <= 1.5 * (a->extent + b->extent) ? far : -1;
}

#endif

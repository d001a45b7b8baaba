/* The places of smooth parts that contacts name. Some are fixed in the body, as points of a rim, and
 * others move over its surface: they keep their names as bodies roll. */
#ifndef SCREE_NARROW_SMOOTH_PLACES_H
#define SCREE_NARROW_SMOOTH_PLACES_H

#include "shape/polyhedron.h"

/* Points of a rim, by equal angles; of these, every FIXED_STEP-th always counts. */
enum { RIM_POINTS = 64, FIXED_STEP = 8, SECTORS = 8 };

enum {
    PLACE_NEAREST = 0, /* where it has a normal in common with its partner */
    PLACE_SIDE = 1,    /* a line from rim to rim */
    PLACE_CAP = 2,     /* and 3: the disc of cap 0 or 1 */
    PLACE_DEEPEST = 4, /* and 5: the farthest point of rim 0 or 1 */
    PLACE_SECTOR = 8, /* around the axis of a hollow cylinder: of a superellipsoid or rim 0, then of
                          rim 1 */
    PLACE_CROSSING =
        PLACE_SECTOR + 2 * SECTORS, /* where an edge enters a cap, seen along the axis, and
                                                    where it leaves: of cap 0, then of cap 1 */
    PLACE_RIM = PLACE_CROSSING + 8, /* points of rim 0, then of rim 1 */
    PLACE_AGAIN = PLACE_RIM + 2 * RIM_POINTS, /* more names for each of the places that move */
    MOVING_PLACES = 4,
    MORE_NAMES = 8,
    PLACES = PLACE_AGAIN + MOVING_PLACES * MORE_NAMES
};
_Static_assert((int)PLACES <= (int)SMOOTH_ELEMENTS, "each place has a number");

/* Which of the places that move it is, or -1. */
static inline int32_t scr_moving_place(int32_t place) {
    return place == PLACE_NEAREST   ? 0
           : place == PLACE_SIDE    ? 1
           : place == PLACE_DEEPEST ? 2
                                    : (place == PLACE_DEEPEST + 1 ? 3 : -1);
}

/* The place that a name means. */
static inline int32_t scr_plain_place(int32_t place) {
    static const int32_t moving[MOVING_PLACES] = {PLACE_NEAREST, PLACE_SIDE, PLACE_DEEPEST,
                                                  PLACE_DEEPEST + 1};
    return place < PLACE_AGAIN ? place : moving[(place - PLACE_AGAIN) / MORE_NAMES];
}

/* The next name of the same place; -1: there is none. A point that moves over a surface is met at
 * several normals within a step, each a contact of its own. */
static inline int32_t scr_next_place(int32_t place) {
    if (place >= PLACE_AGAIN) {
        return (place - PLACE_AGAIN) % MORE_NAMES < MORE_NAMES - 1 ? place + 1 : -1;
    }
    int32_t moving = scr_moving_place(place);
    return moving < 0 ? -1 : PLACE_AGAIN + moving * MORE_NAMES;
}

/* A point of a rim in the direction of a unit vector across the axis. */
static inline Vec3 scr_rim_point(const SmoothPart *cone, int rim, Vec3 across) {
    Vec3 cap = add_scaled(cone->centre, rim * cone->length, cone->axis[2]);
    return add_scaled(cap, cone->form[rim], across);
}

/* The one that is farthest along a direction; some point if there is none. */
static inline Vec3 scr_rim_support(const SmoothPart *cone, int rim, Vec3 d) {
    /* of the two axes across: what is left beside the third may be rounding error, and point anywhere */
    Vec3 u, flat = vec3(dot(d, cone->axis[0]), dot(d, cone->axis[1]), 0);
    Vec3 across = direction_of(flat, &u) ? add_scaled(scale(u.x, cone->axis[0]), u.y, cone->axis[1])
                                         : cone->axis[0];
    return scr_rim_point(cone, rim, across);
}

/* Point k of those that stand still. */
static inline Vec3 scr_fixed_rim_point(const SmoothPart *cone, int rim, int k) {
    double angle = 2 * M_PI * k / RIM_POINTS;
    return scr_rim_point(
        cone, rim, add_scaled(scale(scr_cos(angle), cone->axis[0]), scr_sin(angle), cone->axis[1]));
}

/* The number of the one that is farthest along a direction; -1: all are alike. */
static inline int scr_rim_number(const SmoothPart *cone, Vec3 d) {
    double x = dot(d, cone->axis[0]), y = dot(d, cone->axis[1]);
    if (!(x * x + y * y > 0)) {
        return -1;
    }
    return (int)floor(scr_atan2(y, x) * RIM_POINTS / (2 * M_PI) + 0.5) & (RIM_POINTS - 1);
}

/* How many names two places are apart that stand for each other as a body rolls; -1: they do not. */
static inline int scr_places_apart(int32_t one, int32_t other) {
    if (one < PLACE_SECTOR || one >= PLACE_CROSSING || other < PLACE_SECTOR ||
        other >= PLACE_CROSSING ||
        (one - PLACE_SECTOR) / SECTORS != (other - PLACE_SECTOR) / SECTORS) {
        return -1;
    }
    int apart = (one - other + 2 * SECTORS) % SECTORS;
    apart = apart < SECTORS - apart ? apart : SECTORS - apart;
    return apart <= 1 ? apart : -1;
}

/* The point that a place means to a plane, whose direction is `down` in the frame of the body. */
static inline Vec3 scr_place_at_plane(const SmoothPart *s, int32_t name, Vec3 down) {
    const int32_t place = scr_plain_place(name);
    if (place >= PLACE_RIM) {
        return scr_fixed_rim_point(s, (place - PLACE_RIM) / RIM_POINTS,
                                   (place - PLACE_RIM) % RIM_POINTS);
    }
    return place >= PLACE_DEEPEST && place < PLACE_SECTOR
               ? scr_rim_support(s, place - PLACE_DEEPEST, down)
               : scr_smooth_support(s, down);
}

/* In which order a plane has them: by rims, and of each the deepest point last. */
static inline int32_t scr_place_rank(int32_t place) {
    return place >= PLACE_RIM ? (place - PLACE_RIM) / RIM_POINTS * 2 * RIM_POINTS +
                                    (place - PLACE_RIM) % RIM_POINTS
           : place >= PLACE_DEEPEST && place < PLACE_SECTOR
               ? (place - PLACE_DEEPEST) * 2 * RIM_POINTS + RIM_POINTS
               : place;
}

/* A cap lies flat if its deepest point is no deeper than the fixed ones, but for this part of its
 * size: then it says nothing. */
#define LIES_FLAT 1e-9

/* A smooth part over a plane. */
typedef struct OverPlane {
    const Polyhedron *part;
    Vec3 down;   /* unit, in the frame of the body, as the next one */
    Vec3 way;    /* how the body is expected to move along the plane */
    double tilt; /* how far from flat a cap still lies on it */
} OverPlane;

enum { MOST_PLANE_PLACES = 2 * (RIM_POINTS / FIXED_STEP + 2) };

/* The places that may touch it; returns how many. */
int scr_places_at_plane(const OverPlane *over, int32_t place[MOST_PLANE_PLACES]);

#endif

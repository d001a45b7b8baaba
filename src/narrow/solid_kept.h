/* What a pair of solids keeps from step to step to save the search for features that may face each
 * other: a list of names that holds while the bodies move by no more than `slack`, relative to each
 * other, since it was made. It can be thrown away at any time; points do not depend on it. */
#ifndef SCREE_NARROW_SOLID_KEPT_H
#define SCREE_NARROW_SOLID_KEPT_H

#include "narrow/part_points.h"

typedef enum KeptState {
    KEPT_NOTHING,
    KEPT_LIST,
    KEPT_SHORT,   /* a list of short names */
    KEPT_TOO_LONG /* the list had no room here, and is not tried again while it would hold */
} KeptState;

/* Cubes that lie on each other edge on edge have 52 names. */
enum { KEPT_NAMES = 28, KEPT_SHORT_NAMES = 2 * KEPT_NAMES };

/* Zero-initialise it. Single precision is enough for whether it still holds. */
typedef struct SolidKept {
    float pose[12];            /* when it was made: columns, and shift */
    float slack, arm;          /* a turn counts with this arm */
    float reach, motion, turn; /* of a step, at most */
    float depth;               /* of the overlap, at most: told by the points that are found */
    int16_t state, count;
    union {
        int32_t name[KEPT_NAMES];
        uint16_t small[KEPT_SHORT_NAMES]; /* of solids with up to 256 elements: one byte for each */
    };
} SolidKept;

/* Limits of the steps and motions that a new list is made for. */
typedef struct KeptRange {
    PointRules rules; /* of the longest step */
    double turn;      /* of one body against the other, in that step */
    double slack, arm;
    double depth;
} KeptRange;

/* For bodies that move as in this step. `size`: diameter of the smaller one, `arm`: radius of b. */
KeptRange scr_kept_range(const PointRules *rules, double turn, double size, double arm);

/* Whether such a list holds for a few steps. */
bool scr_is_worth_keeping(const PointRules *rules, double size);

/* For this step alone. */
KeptRange scr_no_range(const PointRules *rules, double turn);

bool scr_kept_holds(const SolidKept *kept, const RelativePose *pose, const PointRules *rules,
                    double turn);

/* The names that are kept; false when out of memory. */
bool scr_kept_names(const SolidKept *kept, FeatureList *list);

void scr_keep(const FeatureList *list, const RelativePose *pose, const KeptRange *range,
              SolidKept *kept);

#endif

/* What a pair of solids keeps from step to step to save the search for features that may face each
 * other: a list of names that holds while the bodies move by no more than `slack`, relative to each
 * other, since it was made. It can be thrown away at any time; points do not depend on it. */
#ifndef SCREE_NARROW_SOLID_KEPT_H
#define SCREE_NARROW_SOLID_KEPT_H

#include "narrow/part_points.h"

enum { KEPT_NAMES = 24, KEPT_NOTHING = 0, KEPT_LIST = 1, KEPT_TOO_LONG = 2 };

/* Zero-initialise it. Single precision is enough for whether it still holds. */
typedef struct SolidKept {
    float pose[12];            /* when it was made: columns, and shift */
    float slack, arm;          /* a turn counts with this arm */
    float reach, motion, turn; /* of a step, at most */
    int16_t state, count;      /* KEPT_TOO_LONG: the list had no room here, and is not tried again
                                  while it would hold */
    int32_t name[KEPT_NAMES];
} SolidKept;

/* Limits of the steps and motions that a new list is made for. */
typedef struct KeptRange {
    PointRules rules; /* of the longest step */
    double turn;      /* of one body against the other, in that step */
    double slack, arm;
} KeptRange;

/* For bodies that move as in this step. `size`: diameter of the smaller one, `arm`: radius of b. */
KeptRange scr_kept_range(const PointRules *rules, double turn, double size, double arm);

/* For this step alone. */
KeptRange scr_no_range(const PointRules *rules, double turn);

bool scr_kept_holds(const SolidKept *kept, const RelativePose *pose, const PointRules *rules,
                    double turn);

void scr_keep(const FeatureList *list, const RelativePose *pose, const KeptRange *range,
              SolidKept *kept);

#endif

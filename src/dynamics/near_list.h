/* Which pairs may touch during a step: the neighbour list of the bodies, and the bodies near fixed
 * walls. A function of the bodies' anchors and margins alone, so a restarted run gets the same. */
#ifndef SCREE_DYNAMICS_NEAR_LIST_H
#define SCREE_DYNAMICS_NEAR_LIST_H

#include "broad/broad.h"
#include "broad/flat.h"
#include "dynamics/impacts.h"
#include "dynamics/prediction.h"
#include "narrow/narrow.h"

/* Zero-initialise it. */
typedef struct NearList {
    Neighbours neighbours; /* in its spots: where the bodies are, by rank, with their radii */
    size_t wall_pairs;
    Pair *wall_pair; /* a: body, b: fixed wall; complete within the margins */
    FlatSpace flat;  /* work memory: anchors in an oblique cell */
    Block wall_pair_block;
    bool built;
    double slack; /* [1] part of a radius within which a candidate is always taken up; wider in a
                     second attempt */
} NearList;

/* Chooses new margins where the old ones do not suffice for the bodies' free motion, and in a second
 * attempt for their motion in the first solution too, which is then `solved`; NULL at first. True:
 * the list must be made anew. */
bool scr_renew_margins(const StepParams *with, State *state, const Prediction *free,
                       const SolvedWays *solved, const NearList *list);

/* Makes the list, where there is none for the margins that bodies have. */
ScreeStatus scr_build_list(const StepParams *with, State *state, NearList *list, char *message);

void scr_near_list_free(NearList *list);

/* A candidate is taken up when it would close within the step at the approach given (negative when
 * the gap closes), or is nearer than the slack. */
static inline bool scr_may_close(const StepParams *with, const NearList *list, double gap,
                                 double approach, double radius) {
    return gap + scr_min(0, approach) * with->time_step <= list->slack * radius;
}

/* The bodies of a pair of ranks, the one with the lower name first. */
static inline Pair scr_bodies_of(const State *s, const NearList *list, Pair ranks) {
    int32_t i = list->neighbours.order[ranks.a], j = list->neighbours.order[ranks.b];
    return scr_name(s, i) < scr_name(s, j) ? (Pair){i, j} : (Pair){j, i};
}

/* Radius of the smaller body of a pair, or of the one at a wall. */
static inline double scr_least_radius(const State *s, int32_t a, int32_t b) {
    double radius = s->bodies.radius[a];
    return b >= 0 ? scr_min(radius, s->bodies.radius[b]) : radius;
}

#endif

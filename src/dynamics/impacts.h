/* What a step knows of the impacts within it (cascade.c). */
#ifndef SCREE_DYNAMICS_IMPACTS_H
#define SCREE_DYNAMICS_IMPACTS_H

#include "problem/problem.h"

/* Where a body that is struck on its way ends up: at dt times its new motion, and `shift` beside
 * it. */
typedef struct Detour {
    Vec3 shift;   /* [length] - sum of t dv over its impacts */
    double stray; /* [length] at most so far is it ever from where it would be without them */
    double since; /* [time] of the last impact, from the beginning of the step */
} Detour;

/* How the bodies of a solved problem go through the step. */
typedef struct SolvedWays {
    const ProblemBody *body; /* [ranks] */
    const Detour *detour;    /* [ranks]; NULL: straight */
} SolvedWays;

static inline Vec3 scr_solved_way(const SolvedWays *ways, int32_t rank, double time_step) {
    Vec3 by = scale(time_step, ways->body[rank].v);
    return ways->detour != NULL ? add(by, ways->detour[rank].shift) : by;
}

/* A body that takes part in impacts. */
typedef struct Flyer {
    int32_t body;  /* of the problem */
    int32_t chain; /* another flyer of the same chain of impacts; itself: it stands for the chain */
    int32_t known; /* name of the chain among processes: that of one of its bodies */
    int32_t hits;
    bool bound; /* of the one that stands for a chain: it is left to the law of the whole step */
    ProblemBody before, after; /* at free motion, and after all its impacts */
    double jolt;               /* [velocity] sum of what they change in it */
    Detour detour;
} Flyer;

/* A row that impacts change. */
typedef struct Hit {
    int32_t contact;
    int32_t strikes;
    Row row; /* as it was, with its law */
    int32_t law_of;
    LawRow law;
    Vec3 push, drag;   /* impulses of all strikes in world axes, normal and tangential */
    double lost[2];    /* energy that they take, by normal impulse and by friction */
    RowVelocity after; /* relative velocity at the end */
    double room;       /* [velocity] by which it may be lower */
} Hit;

/* A contact that is about to close, if its bodies have been hit no more often than now. */
typedef struct Closing {
    double time;
    uint64_t pair; /* name */
    int32_t contact, hits_a, hits_b;
} Closing;

/* Zero-initialise it. Arrays are those of the last problem posed, but for `banned`. */
typedef struct Impacts {
    struct ChainWorld *world; /* what is shared of chains (share_chains.h) */
    Detour *detour;           /* [ranks]; NULL: every body moves straight */
    size_t flyers, hits, closings, bans;
    int32_t *flyer_of, *hit_of; /* [problem bodies], [contacts]: index or -1 */
    bool *bound;  /* [problem bodies] carries load, or meets a law that knows no impacts */
    bool *banned; /* [bodies] whose impacts did not stand alone in this step, if there are any */
    size_t tamed_count;
    uint8_t *tamed; /* [bodies] how often its restitution was lowered in this step: see tame.c */
    Flyer *flyer;
    Hit *hit;
    Closing *closing;      /* a heap, the earliest first */
    int32_t *first, *item; /* [problem bodies + 1]: contacts of each body that is not bound */
    int32_t *front;        /* [problem bodies] */
    Block detour_block, flyer_of_block, hit_of_block, bound_block, banned_block, flyer_block,
        hit_block, closing_block, first_block, item_block, front_block, tamed_block, world_block;
} Impacts;

#endif

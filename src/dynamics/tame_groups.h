/* Bodies and pistons that exchange impulses, also by way of a cell whose stress is held, and what these
 * have done to each such group (tame.c).
 *
 * A group may be of one pair or of the whole world, and may reach from process to process. So that its sums
 * do not depend on the order of their terms, these are cut into whole numbers: 90 bits below the largest term
 * of all groups. */
#ifndef SCREE_DYNAMICS_TAME_GROUPS_H
#define SCREE_DYNAMICS_TAME_GROUPS_H

#include "dynamics/share_labels.h"

/* Energies. */
enum {
    TAME_GAIN,    /* of kinetic energy, over the free motion */
    TAME_GAINED,  /* the same over the start of the step */
    TAME_SCHEME,  /* of the latter, what forces have done that were reversed on their way */
    TAME_IMPACTS, /* the work of impacts */
    TAME_ERRORS,  /* what the errors of the solution may have done */
    TAME_TERMS
};

enum { TAME_LIMBS = 3 };

typedef struct TameGroup {
    int64_t sum[TAME_TERMS][TAME_LIMBS];
    bool springs; /* which give back what they had before */
    bool gained;  /* energy, by its impacts */
} TameGroup;

/* What a contact adds. */
typedef struct TameTerm {
    int32_t member;
    double of[TAME_TERMS];
} TameTerm;

/* Zero-initialise it. */
typedef struct TameGroups {
    Labels labels; /* bodies, then walls; by the lowest name */
    size_t count, terms;
    int32_t *group_of; /* [members] of a root: its group or -1 */
    TameGroup *group;
    TameTerm *term;
    Trade trade, reply;
    double unit; /* [energy] a power of two, above all terms */
    Block group_of_block, group_block, term_block;
} TameGroups;

/* Each body and wall is alone. False when out of memory. */
bool scr_tame_begin(TameGroups *groups, const State *state);

/* Notes a term; those of contacts come after all groups are joined. False when out of memory. */
bool scr_tame_add(TameGroups *groups, const TameTerm *term);
bool scr_tame_note_springs(TameGroups *groups, int32_t member);

/* Joins two members. */
void scr_tame_join(TameGroups *groups, int32_t a, int32_t b);

/* Whether a member is in no group with others: it is joined to none here, and no other process has it. */
bool scr_tame_is_alone(const TameGroups *groups, const Share *share, int32_t member);

/* Adds up the terms of all processes, and asks of each group whether it has gained. The groups of `world` in all
 * processes are one, if it is not -1. */
typedef bool TameGained(const void *context, const double term[TAME_TERMS], bool springs);
ScreeStatus scr_tame_judge(TameGroups *groups, const State *state, Share *share, int32_t world,
                           TameGained *gained, const void *context);

/* Whether the group of a member has. */
bool scr_tame_has_gained(const TameGroups *groups, int32_t member);

void scr_tame_groups_free(TameGroups *groups);

#endif

/* The least number that any process has for each body and wall; and for groups of them that reach from
 * process to process. Each process joins what belongs together as far as it knows. Parts of different
 * processes are of one group where they have a body or a wall in common; there numbers go back and
 * forth, and the lower one stays, until none changes any more: as often as the group that crosses most
 * borders in a row does so, at most. */
#ifndef SCREE_DYNAMICS_SHARE_LABELS_H
#define SCREE_DYNAMICS_SHARE_LABELS_H

#include "dynamics/share.h"

/* Zero-initialise it. Members are bodies and walls. */
typedef struct Labels {
    size_t members;
    const int32_t *at; /* [bodies] the member that a body is; NULL: the body's number */
    size_t walls, first_wall;
    int32_t none;    /* a label that need not be told */
    int32_t *parent; /* [members] as in base/clusters.h */
    int32_t *label;  /* [members] of a root: the least that is known */
    int32_t *told;   /* [members] the least that all who have it know */
    double *of_wall; /* [walls] */
    Block parent_block, label_block, told_block, of_wall_block;
} Labels;

/* Each member is alone and has the label `none`. False when out of memory. */
bool scr_labels_begin(Labels *labels, size_t members, size_t walls, int32_t none);

/* That of the group of a member. */
int32_t *scr_label_of(const Labels *labels, int32_t member);

/* The least that others have, once; `lower`: it was lower in some process. */
ScreeStatus scr_share_pass_labels(Share *share, Labels *labels, bool *lower);

/* Until nothing changes any more. */
ScreeStatus scr_share_agree_on_labels(Share *share, Labels *labels);

void scr_labels_free(Labels *labels);

#endif

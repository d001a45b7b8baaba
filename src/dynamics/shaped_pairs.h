/* Pairs of which one has a shape: several contact points a pair, and turning counts. */
#ifndef SCREE_DYNAMICS_SHAPED_PAIRS_H
#define SCREE_DYNAMICS_SHAPED_PAIRS_H

#include "dynamics/carry.h"
#include "dynamics/kept_pairs.h"
#include "dynamics/step_task.h"
#include "narrow/pair_table.h"

/* A contact to be made. */
typedef struct FoundPoint {
    Pair pair;
    Touch touch;
    const Contact *before; /* what it carries on, or NULL */
} FoundPoint;

/* What one piece of the candidates needs: threads work on pieces. */
typedef struct ShapedPiece {
    PairWork work;
    FoundPoint *found; /* [count] of all its pairs */
    size_t count;
    Foreseen *foreseen; /* [foreseens] */
    size_t foreseens;
    double missed, deepest; /* as Foresight has them */
    ScreeStatus status;
    Block found_block, foreseen_block;
} ShapedPiece;

/* Zero-initialise it. */
typedef struct Outlines {
    Placed placed; /* as the bodies stand */
    ShapedPiece piece[SCR_MOST_PIECES];
    KeptPairs kept; /* by solids, from step to step */
} Outlines;

void scr_outlines_free(Outlines *outlines);

/* Appends a contact to be made; SCREE_NO_MEMORY at worst. */
ScreeStatus scr_note_found(ShapedPiece *piece, Pair pair, Touch touch, const Contact *before);

/* Finds the contact points of a pair (b may be the code of a wall) that may close. */
ScreeStatus scr_try_shapes(const StepTask *task, const Placed *placed, OldCursor *cursor, Pair pair,
                           ShapedPiece *piece);

/* How much more gap than the law sees a contact point loses as its bodies turn, at the velocities
 * that they have; but no more than makes up for the approach that they come with. */
double scr_lost_to_turning(const StepParams *with, const State *state, const Contact *contact);

/* The same of polygons at the velocities of the solution. Where contacts lose more than their rows were told,
 * and more than a step may add, the rows are told, and the step must be solved again. */
bool scr_correct_turning(StepTask *task);

/* Whether a contact point of a pair was left out and would now overlap. */
bool scr_shapes_missed(const StepTask *task, const Placed *placed, Pair pair, PairWork *work);

#endif

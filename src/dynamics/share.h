/* A world that several processes share. Each has the bodies of its part of space (territory.h) and, as
 * ghosts, those around it that its contacts need; it detects, solves and moves these alone.
 *
 * Every pass of a step runs over the bodies and contacts that a process has. No bit of the result
 * depends on that: names tell bodies apart, wherever they lie; sums over bodies and contacts are exact
 * and over all processes; ghosts are moved like the body itself, by the same numbers; and a contact is
 * in the one process that has its box of the sweep.
 *
 * How far ghosts are needed: a box of the sweep belongs to the process that has its centre. A point of
 * contact lies in its box, half a side from there, or a radius further where the grid ends, and a body
 * reaches a radius and the gap from its contacts. Who else uses a body is told by those who do.
 *
 * Large bodies, which the sweep may split, are in all processes. */
#ifndef SCREE_DYNAMICS_SHARE_H
#define SCREE_DYNAMICS_SHARE_H

#include "dynamics/body_record.h"
#include "dynamics/foresight.h"
#include "dynamics/impacts.h"
#include "dynamics/territory.h"
#include "dynamics/trade.h"
#include "problem/problem.h"
#include "sweep/boxes.h"
#include "sweep/order_input.h"

/* The parities of boxes. */
enum { SHARE_GROUPS = 8 };

typedef struct KeptAnchor {
    Vec3 anchor;
    double margin;
} KeptAnchor;

/* Zero-initialise it. */
typedef struct Share {
    const ScreeProcesses *with; /* NULL: the state is not shared */
    /* Who works how much (share_balance.c), since cuts were looked at. */
    double worked;
    uint64_t counted_steps, look_after; /* steps, and how many there should be */
    uint64_t cuts;                      /* times that space was cut anew */
    double *worth;                      /* [2 processes] */
    bool made;                          /* `local` is what this process has */
    bool ahead;    /* and has gone on without the whole state, which is put away, */
    bool shown;    /* but for that of the first process, which shows it */
    bool doubtful; /* the step before was given up: the whole state stays until one is made */
    bool given_up; /* this step needs something that only the whole state has */
    State local;   /* bodies of its own, then ghosts, each in the order of names */
    Territory territory;
    size_t larges;       /* bodies that all processes have: see local.large */
    int32_t *large_body; /* [larges] in the order of names */
    double usual;        /* [length] radius of the largest of the others */
    double layer;        /* [length] how far ghosts reach beyond a part of space */
    double wanted;       /* [length] how far they should */
    size_t names;        /* bodies of all processes */
    int32_t *name;       /* [bodies] */
    int32_t *place;      /* [names] where a body is in `local`; -1: nowhere */
    int32_t *by_name;    /* [bodies] in the order of names */
    int32_t *holder;     /* [bodies] of local, where walls hold any */
    /* Until bodies move again: the processes that have a body, in rising order, this one among them;
     * none are listed of a body that no other has. */
    int32_t *seer;
    size_t *seer_end; /* [bodies] */
    size_t borders;   /* bodies that others have, too, in the order of names */
    int32_t *border;
    uint16_t (
        *uses)[SHARE_GROUPS]; /* [ranks] by parity: the process that has it in a row, plus 1 */
    int32_t *owner;           /* [boxes] process */
    int32_t *near;            /* [2 processes] room for scr_territory_near */
    uint64_t *key;            /* room to sort */
    /* Where pairs may have several contact points (share_shapes.c). */
    int32_t *point;      /* [contacts] which of its pair, in the order in which they were found */
    StepNote *note;      /* [bodies] as the task had them before bodies moved, */
    StepNote *noted;     /* [bodies] which it wrote here */
    Foresight foresight; /* of all processes, with names for bodies */
    bool listed;         /* the near list of the engine is of `local` */
    double *then;        /* [bodies] radii for which it was made, where they change */
    bool then_now;       /* they do */
    int levels;          /* of cells, and their widths, that a list of all bodies has */
    double cell, cell_most;
    /* As they were before the step, should it be given up: contacts before they are found anew, each
     * in the process that counts its first body; anchors of the bodies counted then. */
    bool undone;                          /* it was: these count, where there are any */
    bool posed_now, before_now, kept_now; /* of this step */
    Contacts posed;                       /* in this attempt */
    Contacts before;                      /* in the first one, with names, once there is a second */
    size_t kepts;
    int32_t *kept_name;
    KeptAnchor *kept;
    Trade trade, contacts; /* of bodies, and of what contacts remember */
    Block name_block, place_block, by_name_block, seer_block, seer_end_block, border_block,
        uses_block, owner_block, near_block, key_block, kept_name_block, kept_block, point_block,
        note_block, noted_block, sort_block, all_block, large_body_block, worth_block, holder_block,
        then_block;
} Share;

/* Takes from the whole state what this process needs; bodies with a larger radius than `large_from` are
 * in all processes. */
ScreeStatus scr_share_scatter(Share *share, const State *whole, const ScreeProcesses *with,
                              double large_from);

/* Where bodies grow or shrink: notes how large they are now. False where others are the large ones than
 * before; then they must be shared out anew. */
bool scr_share_look_at_sizes(Share *share);

/* [length] The largest radius of all processes. */
double scr_share_largest(const Share *share);

/* Notes the radii for which the near list was made, since the order of contacts is that of the list. */
ScreeStatus scr_share_note_sizes(Share *share, bool grow);

/* What may change between steps without the bodies: definition, walls, laws. */
void scr_share_begin(Share *share, const State *whole);

/* Before anchors and margins are chosen anew. */
ScreeStatus scr_share_keep_anchors(Share *share);

/* Before contacts are found: bodies go to where they belong now, if the list is new or ghosts do not
 * reach far enough (`moved` tells), and contacts of the step before to all that may find them. What
 * this step has noted of them, if it is not NULL, goes with them. */
ScreeStatus scr_share_settle(Share *share, bool new_list, const StepNote *note, bool *moved);

/* Parts of that, and what they are made of: the processes that have a body, in rising order. Sums of
 * positions and periods are rounded, so who sends reckons with a little `more` than who has. */
static const double share_more = 1 + 1e-6;
size_t scr_share_near(const Share *share, size_t body, double more, int32_t *process);

/* The same as it was when bodies moved last. */
typedef struct Seers {
    const int32_t *process;
    size_t count;
} Seers;

static inline Seers scr_share_seers(const Share *s, int32_t body) {
    const size_t first = body > 0 ? s->seer_end[body - 1] : 0;
    return (Seers){s->seer + first, s->seer_end[body] - first};
}

/* Counts the work of a step. */
void scr_share_count_work(Share *share, size_t pairs, size_t rows, int64_t sweeps);

/* Cuts space anew where work is uneven; bodies must move then. */
ScreeStatus scr_share_balance(Share *share, bool *cut);

double scr_share_least_layer(const Share *share, const State *state);
ScreeStatus scr_share_move_bodies(Share *share, const StepNote *note);

/* ---- where pairs may have several contact points (share_shapes.c)
 *
 * The points of a pair may lie in boxes of several processes. Their order, that in which they were
 * found, is part of the state; so each point knows its number, and goes with it. */

/* Numbers contacts whose points lie one behind the other. */
ScreeStatus scr_share_number_points(Share *share);

/* Brings the points of each pair together again, in that order. */
ScreeStatus scr_share_sort_points(Share *share);

/* How far ghosts must reach for the processes that have the boxes of contacts to have their bodies. */
double scr_share_layer_of_contacts(const Share *share, const Boxes *boxes,
                                   const OrderContact *contact);

/* Notes what is foreseen of pairs whose first body this process counts; `noted` counts them. */
ScreeStatus scr_share_note_foreseen(Share *share, const Foreseen *own, size_t count, size_t *noted);

/* Tells it to all processes; `local` becomes what all foresee of pairs that are here. `found`: anything
 * new. */
ScreeStatus scr_share_foresight(Share *share, size_t noted, Foresight *local, bool *found);

/* What is foreseen so far, of the pairs that are here now. */
ScreeStatus scr_share_take_foresight(Share *share, Foresight *local);

/* Keeps the contacts whose boxes this process has, with their entries in the order and, if there are any,
 * their areas of glue, and notes who uses which body; `rank` is that of bodies, `gap` the largest of all contacts. Where ghosts do not reach
 * far enough for that, `wanted` exceeds `layer`, and each contact stays with one process. */
ScreeStatus scr_share_contacts(Share *share, const Boxes *boxes, double gap, const int32_t *rank,
                               OrderContact *contact, double *bond_area);

/* The velocities, and the detours if there are any, that the processes with rows of a body have found, to
 * those that only see it. */
ScreeStatus scr_share_tell(Share *share, const int32_t *rank, ProblemBody *body, Detour *detour);

/* [length] The largest cluster of bodies in contact, of all processes: as scr_cluster_length. */
ScreeStatus scr_share_cluster_length(Share *share, double *length);

/* As scr_coordination, of all processes. */
ScreeStatus scr_share_coordination(Share *share, double *coordination);

/* Brings bodies and contacts of all processes back into the whole state of each, from which the next share
 * is taken. */
ScreeStatus scr_share_collect(Share *share, State *whole);

/* Shows them in the whole state of the first process alone, until it is put away: the others need no room
 * for it, and all go on with what they have. */
ScreeStatus scr_share_show(Share *share, State *whole);

/* Whether bodies and contacts must be brought together before anyone looks at the whole state. */
static inline bool scr_share_is_ahead(const Share *share) {
    return share->ahead && !share->shown;
}

/* While processes go on without it, the whole state has neither bodies nor contacts in memory; it keeps
 * the number of bodies. */
void scr_share_put_away(State *whole);

void scr_share_free(Share *share);

#endif

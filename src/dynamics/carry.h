/* What contacts carry over from one step to the next: impulses for the warm start, and the memory
 * of the laws (sticking, springs, bonds). */
#ifndef SCREE_DYNAMICS_CARRY_H
#define SCREE_DYNAMICS_CARRY_H

#include "base/arena.h"
#include "broad/broad.h"
#include "dynamics/step_params.h"
#include "narrow/narrow.h"
#include "state/state.h"

/* The contacts of the step before, where their impulses are looked up.
 *
 * Contacts lie in the order of the candidates: pairs of bodies by their ranks, then bodies at fixed
 * walls, then at others. As long as the list is the same one, old contacts and candidates are two
 * sorted sequences, and one walks along both side by side. After a new list the ranks are others;
 * then the old contacts are linked into one chain for each body, that of the lower rank. */
typedef struct OldContacts {
    const Contact *item;
    const ScreeContactExtra *extra; /* NULL when there is none */
    const double *slid;             /* likewise */
    const int32_t *rank;            /* of bodies */
    const ScreeWallState *wall;
    size_t count;
    const int32_t *first; /* [ranks] of a chain, -1: none; NULL when the list is unchanged */
    const int32_t *next;  /* [count] on the chain, -1: none */
    double scale;         /* of impulses, when the time step changed */
} OldContacts;

/* A reader's position in the sequence of old contacts. */
typedef struct OldCursor {
    const OldContacts *old;
    size_t next;
} OldCursor;

/* Begins a frame of the arena and moves the contacts of the step before into it, so that the state
 * has none; `room` bytes of the frame are left for the caller. */
ScreeStatus scr_set_aside(const StepParams *with, State *state, const Neighbours *neighbours,
                          bool list_changed, Arena *arena, size_t room, OldContacts *old);

/* The place of the first old contact that is not before a pair in the order of candidates; b is a
 * body or the code of a wall. */
OldCursor scr_old_cursor(const OldContacts *old, int32_t a, int32_t b);

/* The order of candidates in a number. */
static inline uint64_t scr_candidate_key(const OldContacts *old, int32_t a, int32_t b) {
    if (b < 0) {
        bool moves = old->wall[scr_wall_of(b)].now.motion != SCREE_WALL_FIXED;
        return UINT64_C(1) << 63 | (uint64_t)moves << 62 | (uint64_t)scr_wall_of(b) << 32 |
               (uint32_t)a;
    }
    uint64_t i = (uint64_t)old->rank[a], j = (uint64_t)old->rank[b];
    return i < j ? i << 32 | j : j << 32 | i;
}

/* The old contact of a pair, or NULL. Pairs must be asked for in the order of the candidates, but
 * some may be skipped. */
static inline const Contact *scr_find_old(OldCursor *cursor, int32_t a, int32_t b) {
    const OldContacts *old = cursor->old;
    if (old->first == NULL) {
        for (; cursor->next < old->count; cursor->next++) {
            const Contact *c = &old->item[cursor->next];
            if (c->a == a && c->b == b) {
                cursor->next++;
                return c;
            }
            if (scr_candidate_key(old, c->a, c->b) > scr_candidate_key(old, a, b)) {
                return NULL;
            }
        }
        return NULL;
    }
    int32_t rank = old->rank[a];
    rank = b >= 0 && old->rank[b] < rank ? old->rank[b] : rank;
    for (int32_t k = old->first[rank]; k >= 0; k = old->next[k]) {
        if (old->item[k].a == a && old->item[k].b == b) {
            return &old->item[k];
        }
    }
    return NULL;
}

/* All old contact points of a pair: they lie one behind the other. NULL when there was none. */
static inline const Contact *scr_find_old_points(OldCursor *cursor, int32_t a, int32_t b,
                                                 size_t *count) {
    const OldContacts *old = cursor->old;
    const Contact *first = scr_find_old(cursor, a, b);
    *count = first != NULL;
    while (first != NULL && first + *count < old->item + old->count && first[*count].a == a &&
           first[*count].b == b) {
        ++*count;
        cursor->next += old->first == NULL;
    }
    return first;
}

static inline bool scr_was_bonded(const OldContacts *old, const Contact *before) {
    return before != NULL && old->extra != NULL && old->extra[before - old->item].opening >= 0;
}

/* Room for `count` contacts in all. */
bool scr_reserve_contacts(State *state, size_t count);

/* Contact number i of the state, for which there is room; it carries what `before` (or NULL) had,
 * its tangential impulse turned into the new tangent plane. */
void scr_carry_contact(const StepParams *with, State *state, size_t i, Pair pair,
                       const Touch *touch, const OldContacts *old, const Contact *before);

/* A copy of the contacts, kept while a step is made when a law remembers: should the step fail,
 * they are put back. */
typedef struct ContactsCopy {
    Contacts contacts; /* its blocks are the copy's own */
    bool made;
} ContactsCopy;

bool scr_copy_contacts(const State *state, ContactsCopy *copy);
void scr_put_back_contacts(State *state, const ContactsCopy *copy);
void scr_contacts_copy_free(ContactsCopy *copy);

/* Whether a contact must be remembered even by a solver that starts from zero. */
static inline bool scr_laws_remember(const State *s) {
    return s->bonds.count > 0 || (s->materials.uses & (LAW_TWO_FRICTIONS | LAW_COHESION |
                                                       LAW_COMPLIANCE | LAW_BRIDGES)) != 0;
}

/* Whether contacts have a ScreeContactExtra. */
static inline bool scr_laws_have_extra(const State *s) {
    return s->bonds.count > 0 ||
           (s->materials.uses & (LAW_TORQUES | LAW_COHESION | LAW_BRIDGES)) != 0;
}

#endif

/* What contacts carry over from one step to the next: impulses for the warm start, and the memory
 * of the laws (sticking, springs, bonds). */
#ifndef SCREE_ENGINE_CARRY_H
#define SCREE_ENGINE_CARRY_H

#include "base/random.h"
#include "narrow/narrow.h"
#include "state/state.h"

/* The contacts of the step before, where their impulses are looked up. Candidates are visited in
 * the order of the list, so as long as the list is the same one, the next old contact is the one
 * after the last found. After a rebuild a hash table finds them. */
typedef struct OldContacts {
    const ScreeContact *item;
    const ScreeContactExtra *extra; /* NULL when there is none */
    size_t count, next;
    const int32_t *table; /* hash -> index + 1; NULL when the list is unchanged */
    size_t mask;
    double scale; /* of impulses, when the time step changed */
} OldContacts;

/* Moves the contacts into scratch memory; the state has none then. */
ScreeStatus scr_set_aside(State *state, Block *scratch, bool list_changed, OldContacts *old);

static inline uint64_t scr_contact_hash(int32_t a, int32_t b) {
    return scr_mix((uint64_t)(uint32_t)a << 32 | (uint32_t)b);
}

/* NULL when the pair had no contact. */
static inline const ScreeContact *scr_find_old(OldContacts *old, int32_t a, int32_t b) {
    if (old->table == NULL) {
        bool found =
            old->next < old->count && old->item[old->next].a == a && old->item[old->next].b == b;
        return found ? &old->item[old->next++] : NULL;
    }
    for (size_t slot = scr_contact_hash(a, b) & old->mask; old->table[slot] != 0;
         slot = (slot + 1) & old->mask) {
        const ScreeContact *c = &old->item[old->table[slot] - 1];
        if (c->a == a && c->b == b) {
            return c;
        }
    }
    return NULL;
}

/* All old contact points of a pair: they lie one behind the other. NULL when there was none. */
static inline const ScreeContact *scr_find_old_points(OldContacts *old, int32_t a, int32_t b,
                                                      size_t *count) {
    const ScreeContact *first = scr_find_old(old, a, b);
    *count = first != NULL;
    while (first != NULL && first + *count < old->item + old->count && first[*count].a == a &&
           first[*count].b == b) {
        ++*count;
        old->next += old->table == NULL;
    }
    return first;
}

static inline bool scr_was_bonded(const OldContacts *old, const ScreeContact *before) {
    return before != NULL && old->extra != NULL && old->extra[before - old->item].opening >= 0;
}

/* Adds a contact to the state; it carries what `before` (or NULL) had, its tangential impulse
 * turned into the new tangent plane. */
ScreeStatus scr_carry_contact(State *state, int32_t a, int32_t b, Touch touch,
                              const OldContacts *old, const ScreeContact *before);

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
    return (s->materials.uses & (LAW_TWO_FRICTIONS | LAW_COHESION | LAW_COMPLIANCE)) != 0;
}

/* Whether contacts have a ScreeContactExtra. */
static inline bool scr_laws_have_extra(const State *s) {
    return (s->materials.uses & (LAW_TORQUES | LAW_COHESION)) != 0;
}

#endif

/* Contacts that bodies turn into.
 *
 * The law takes gaps to be linear in the motion, along the normals at the start of the step. A body
 * that turns by more than a few degrees swings its corners along arcs, into bodies that it does not
 * approach now, or from another side; and impulses may send it past a corner on the side where it
 * was not expected. So the pairs that move far are looked at once more, where the solution would put
 * them, in steps of a few degrees. Where a pair comes to overlap, the point that
 * does becomes a contact as it is then: with the normal and the arms of that moment, and with the
 * gap from which it would come to that place at the speed that it has there,
 *
 *   g = g(tau) - tau dt u(tau),
 *
 * so that g + dt u is the gap at the end of a step that goes straight on from there. Then u, and
 * the work of the impulse, are those of the bodies when they meet. The step is solved again, until
 * nothing more is found. */
#ifndef SCREE_DYNAMICS_FORESIGHT_H
#define SCREE_DYNAMICS_FORESIGHT_H

#include "broad/broad.h"
#include "narrow/narrow.h"
#include "narrow/pair_table.h"

typedef struct Foreseen {
    Pair pair;
    Touch touch;
    Arms arms;
} Foreseen;

/* What is foreseen in the step, in the order of pairs and features. Zero-initialise it. */
typedef struct Foresight {
    size_t count;
    Foreseen *item;
    double missed;  /* [length] most that the last solution would still add to an overlap */
    double deepest; /* [length] overlap that it leaves, of the pairs that were looked at */
    Block item_block;
} Foresight;

/* The first entry that is not before a feature of the pair; `count` is behind the last. */
size_t scr_foreseen_from(const Foresight *foresight, Pair pair, int32_t feature);

/* The entry of a feature, or NULL. */
static inline const Foreseen *scr_find_foreseen(const Foresight *f, Pair pair, int32_t feature) {
    if (f->count == 0) {
        return NULL;
    }
    size_t i = scr_foreseen_from(f, pair, feature);
    const Foreseen *at = &f->item[i];
    bool same = i < f->count && at->pair.a == pair.a && at->pair.b == pair.b &&
                at->touch.feature == feature;
    return same ? at : NULL;
}

/* Takes up entries, in place of those of the same feature; SCREE_NO_MEMORY at worst. */
ScreeStatus scr_add_foreseen(Foresight *foresight, const Foreseen *more, size_t count);

#endif

/* How bodies and walls meet: one table, with a row for each kind of body and a column for each
 * kind of surface that it may meet. To add a kind, name it in surface.h, say in surface.c what
 * it knows about its points, and fill its row and its column of the table in pair_table.c. No
 * other code asks which kinds meet. (In most worlds most pairs are balls, so the loops over
 * these do what their entry in the table does without looking it up: see scr_is_shaped.) */
#ifndef SCREE_NARROW_PAIR_TABLE_H
#define SCREE_NARROW_PAIR_TABLE_H

#include "narrow/named_point.h"
#include "narrow/penetration.h"
#include "narrow/placed.h"

typedef struct PairMethods {
    /* All contact points with a gap of at most `reach`; the list is emptied first. */
    ScreeStatus (*points)(const PlacedPair *pair, const StepMotion *motion, double reach,
                          OutlineTouches *touches);
    /* The gap of one of them where the bodies are now. */
    double (*gap)(const PlacedPair *pair, Vec3 normal, int32_t feature);
    Arms (*arms)(const State *state, const Contact *contact, const Surface *const side[2]);
    /* What it loses of its gap by turning. */
    double (*loss)(const State *state, const Contact *contact, const Surface *const side[2],
                   const StepMotion *motion);
    /* Which point of the step before it was. */
    const Contact *(*before)(const State *state, const PairSides *pair, OldPoints old,
                             int32_t feature);
    /* For springs: appends how far corners have entered, as penetration.h has it. */
    ScreeStatus (*penetrate)(const PlacedPair *pair, double reach, Penetrations *list);
} PairMethods;

const PairMethods *scr_pair_methods(SurfaceKind body, SurfaceKind other);

/* The fast path. A pair (b: a body or the code of a wall) that is not shaped is a ball with a ball
 * or a wall other than one of triangles, a cone or a plate: its one contact point has the feature 0, and scr_touch_balls and scr_touch_wall are
 * all there is to know. */
static inline bool scr_is_shaped(const State *s, int32_t a, int32_t b) {
    return s->bodies.shape[a] >= 0 ||
           (b >= 0 ? s->bodies.shape[b] >= 0
                   : s->walls.item[scr_wall_of(b)].now.shape >= SCREE_WALL_MESH);
}

/* ---------------------------------------------------------------- through the table */

/* The contact points of the pair that was looked at last, and what finding them needs.
 * Zero-initialise it. */
typedef struct PairWork {
    OutlineTouches touches;
    SolidWork solids;
    MovedPair moved;
} PairWork;

void scr_pair_work_free(PairWork *work);

/* `old`: the points that the pair had in the step before, whose names are kept where that is
 * possible. */
ScreeStatus scr_pair_points(const State *state, const Placed *placed, int32_t a, int32_t b,
                            OldPoints old, const StepMotion *motion, double reach, PairWork *work);

/* How deep a pair overlaps at its contact points, which are left in work->touches. */
ScreeStatus scr_pair_overlap(const State *state, const Placed *placed, int32_t a, int32_t b,
                             PairWork *work, double *depth);

/* How deep a pair is in each other at least, if that is too deep for contact points. */
ScreeStatus scr_pair_immersion(const State *state, const Placed *placed, int32_t a, int32_t b,
                               PairWork *work, double *depth);

/* The points at which a pair overlaps after a motion, in work->touches; they are seen from the centre
 * of a, and `d` is the way from there to that of b, or to the wall's `point`. */
ScreeStatus scr_moved_points(const State *state, const Placed *placed, int32_t a, int32_t b,
                             const StepMotion *motion, PairWork *work, Vec3 *d);

double scr_pair_gap(const State *state, const Placed *placed, const Contact *contact);

Arms scr_pair_arms(const State *state, const Contact *contact);

static inline Arms scr_contact_arms(const State *s, const Contact *c) {
    return c->feature <= 0 ? scr_round_arms(s, c, NULL) : scr_pair_arms(s, c);
}

double scr_pair_loss(const State *state, const Contact *contact, const StepMotion *motion);

const Contact *scr_point_before(const State *state, int32_t a, int32_t b, OldPoints old,
                                int32_t feature);

/* Another name for a point that is met once more in the same step, at another normal, as those of
 * surfaces that bend are; 0: there is none. */
int32_t scr_name_again(const State *state, int32_t a, int32_t b, int32_t feature);

/* With the centres where the soft engine has them. */
ScreeStatus scr_pair_penetrate(const PlacedPair *pair, double reach, Penetrations *list);

#endif

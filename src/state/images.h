/* Small periodic cells: a grain may touch several images of another, or of itself.
 *
 * Where a cell is less than a few grains wide the nearest image is not the only one that counts. So for the
 * time of a step such a cell is unfolded: behind the bodies come their images, each a body with a place of its
 * own, and no difference of positions is folded back. Image i + n k of body i, of n, is the one displaced
 * by the k-th vector of the lattice, in rising distance; so an image has the same number however many there
 * are. A pair is looked at once: its first body as it is, the second with all its images.
 *
 * Images have no motion of their own. In the contact problem their original has their place (origin), and
 * what it does they do.
 *
 * Outside of steps contacts are those of the originals, and State.branch tells which image each is with. */
#ifndef SCREE_STATE_IMAGES_H
#define SCREE_STATE_IMAGES_H

#include "state/state.h"

/* The least width of a cell in radii of its largest body in which nearest images are enough, and the least of
 * any. */
static const double scr_wide_cell = 4.5, scr_narrowest_cell = 1;

enum { SCR_MOST_SHELLS = 7 };

/* Zero-initialise it. */
typedef struct Images {
    size_t bodies, total; /* without and with images, in the last step */
    Vec3 *listed;         /* [bodies] anchors as they stood unfolded at its end */
    Vec3 *position;       /* [bodies] as they were before the step */
    Vec3 *anchor;         /* [bodies] likewise */
    int32_t *origin;      /* [total] */
    int8_t (*turns)[3];   /* [total] */
    Block listed_block, position_block, anchor_block, origin_block, turns_block, list_block;
} Images;

/* Whether the cell is too small for nearest images: of bodies with this radius at most, or of those that there are. */
bool scr_is_too_small_for(const ScreeWorldDef *def, double radius);
bool scr_is_small_cell(const State *state);

/* Unfolds the cell; false when out of memory, and nothing has changed. `listed` becomes whether bodies have
 * the names that they had in the step before, so that its list still holds. */
bool scr_unfold(State *state, Images *images, bool *listed);

/* Room for the branches of all contacts. */
bool scr_reserve_branches(State *state);

/* Folds it again, with the branches of contacts (whose arms are left as they are). After a step that failed positions become what they were. False when out of memory:
 * contacts are forgotten then. */
bool scr_fold(State *state, Images *images, bool failed);

void scr_images_free(Images *images);

/* How far beyond its radius a body may be looked for: with the images that there are. Infinite without. */
double scr_image_reach(const State *state);

#endif

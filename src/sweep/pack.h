/* Rows that may be worked on together: packets within a box, colours over all contacts. */
#ifndef SCREE_SWEEP_PACK_H
#define SCREE_SWEEP_PACK_H

#include "sweep/pack_box.h"

/* Sorts `count` contacts into `to` by a random number that each draws by its name: a random order,
 * which does not depend on the one in which they come. `start` has room for `count` numbers. */
void scr_pack_shuffle(PackContact *member, size_t count, uint64_t key, PackContact *to,
                      int32_t *start);

/* Packs `count` contacts, in the order in which they come, into slots from `base` on. Each goes
 * into the first packet of its kind that has room and contains neither of its bodies. Full packets
 * come first, in one run; then the others, joined where possible, each a run of its own. `used` has
 * a word for each body; run[] receives the ends of the runs, at most `count`. Returns how many runs
 * there are. */
size_t scr_pack_box(uint64_t *used, PackContact *member, size_t count, size_t base, int32_t *run,
                    int32_t *slot);

/* Gives each contact, in the order in which they come, the first colour that neither of its bodies
 * has; each colour is a run. `member` has room for all contacts. */
size_t scr_pack_colours(const OrderInput *input, uint64_t *used, PackContact *member, int32_t *run,
                        int32_t *slot);

#endif

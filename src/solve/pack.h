/* Rows that may be worked on together: packets within a box, colours over all contacts. */
#ifndef SCREE_SOLVE_PACK_H
#define SCREE_SOLVE_PACK_H

#include "solve/order.h"

/* Packs the `count` contacts listed in `member`, in that order, into slots from `base` on. Each
 * goes into the first packet of its kind that has room and neither of its bodies. Full packets come
 * first, in one run; each of the others is a run of its own. `used` has a word for each body,
 * `mark` one for each contact; run[] receives the ends of the runs, at most `count`. Returns how
 * many. */
size_t scr_pack_box(const OrderInput *input, uint64_t *used, const int32_t *member, size_t count,
                    size_t base, uint32_t *mark, int32_t *run, int32_t *slot);

/* All contacts as they come, each with the first colour that neither of its bodies has; a colour is
 * a run. */
size_t scr_pack_colours(const OrderInput *input, uint64_t *used, uint32_t *mark, int32_t *run,
                        int32_t *slot);

#endif

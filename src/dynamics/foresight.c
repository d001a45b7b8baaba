#include "dynamics/foresight.h"

#include "base/status.h"

#include <stdlib.h>

static int by_feature(const void *one, const void *other) {
    const Foreseen *x = one, *y = other;
    return x->pair.a != y->pair.a ? (x->pair.a > y->pair.a) - (x->pair.a < y->pair.a)
           : x->pair.b != y->pair.b
               ? (x->pair.b > y->pair.b) - (x->pair.b < y->pair.b)
               : (x->touch.feature > y->touch.feature) - (x->touch.feature < y->touch.feature);
}

size_t scr_foreseen_from(const Foresight *f, Pair pair, int32_t feature) {
    const Foreseen key = {.pair = pair, .touch = {.feature = feature}};
    size_t low = 0, high = f->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        bool before = by_feature(&f->item[middle], &key) < 0;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low;
}

ScreeStatus scr_add_foreseen(Foresight *f, const Foreseen *more, size_t count) {
    size_t known = f->count, added = 0;
    if (count == 0) {
        return SCREE_OK;
    }
    if (!SCR_RESERVE_KEEPING(f, item, known + count, known)) {
        return SCREE_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        size_t at = scr_foreseen_from(f, more[i].pair, more[i].touch.feature);
        bool same = at < known && by_feature(&f->item[at], &more[i]) == 0;
        f->item[same ? at : known + added] = more[i];
        added += !same;
    }
    f->count = known + added;
    qsort(f->item, f->count, sizeof *f->item, by_feature);
    return SCREE_OK;
}

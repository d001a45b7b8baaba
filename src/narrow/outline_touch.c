#include "narrow/outline_touch.h"

bool scr_add_touch(OutlineTouches *list, const OutlineTouch *touch) {
    if (!scr_block_reserve(&list->block, list->count + 1, sizeof *list->item,
                           list->count * sizeof *list->item)) {
        return false;
    }
    list->item = list->block.data;
    list->item[list->count++] = *touch;
    return true;
}

bool scr_join_touch(OutlineTouches *list, const OutlineTouch *touch, double near) {
    for (size_t i = 0; i < list->count; i++) {
        OutlineTouch *t = &list->item[i];
        Vec3 d = sub(t->arm, touch->arm);
        if (dot(d, d) < near * near && dot(t->normal, touch->normal) > 0.985) {
            bool better = t->spare && !touch->spare;
            better = better || (t->spare == touch->spare && touch->gap < t->gap);
            *t = better ? *touch : *t;
            return true;
        }
    }
    return scr_add_touch(list, touch);
}

bool scr_any_overlap(const OutlineTouches *list) {
    bool any = false;
    for (size_t i = 0; i < list->count; i++) {
        any = any || list->item[i].gap < 0;
    }
    return any;
}

void scr_drop_spares(OutlineTouches *list, double near) {
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        bool goes = false;
        for (size_t j = 0; j < list->count && list->item[i].spare && !goes; j++) {
            Vec3 d = sub(list->item[i].arm, list->item[j].arm);
            goes = !list->item[j].spare && dot(d, d) < near * near &&
                   dot(list->item[i].normal, list->item[j].normal) > 0.9;
        }
        if (!goes) {
            list->item[kept++] = list->item[i];
        }
    }
    list->count = kept;
}

void scr_drop_opposed(OutlineTouches *list, double deep) {
    for (size_t i = 0; i < list->count; i++) {
        for (size_t j = 0; j < list->count; j++) {
            const OutlineTouch *a = &list->item[i], *b = &list->item[j];
            if (a->gap < -deep && b->gap < -deep && a->gap < b->gap &&
                dot(a->normal, b->normal) < -0.5) {
                list->item[i--] = list->item[--list->count];
                break;
            }
        }
    }
}

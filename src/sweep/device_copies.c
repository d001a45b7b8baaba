#include "sweep/device_copies.h"

bool scr_device_takes_copies(const Order *order) {
    bool takes = true;
    for (size_t k = 0; k < order->copies && takes; k++) {
        takes = order->copy[k].among <= SCREE_DEVICE_MOST_COPIES;
    }
    return takes;
}

size_t scr_device_splits(const Order *order) {
    size_t splits = 0;
    for (size_t k = 0; k < order->copies; k++) {
        splits += order->copy[k].leads;
    }
    return splits;
}

void scr_device_list_copies(const Problem *p, const Order *order, ScreeDeviceTask *t) {
    const int32_t first = (int32_t)(p->bodies - order->copies);
    int32_t splits = 0, copies = 0;
    size_t k = 0;
    for (size_t g = 0; g < order->groups; g++) {
        const size_t end = order->copies > 0 ? (size_t)order->copy_end[g] : 0;
        for (; k < end; k++) {
            if (order->copy[k].leads) {
                t->split[splits++] =
                    (ScreeDeviceSplit){order->copy[k].body, copies, order->copy[k].among};
                for (int32_t i = (int32_t)k; i >= 0; i = order->copy[i].next) {
                    t->copy[copies++] = first + i;
                }
            }
        }
        t->split_end[g] = splits;
    }
}

/* Bodies that are split over the boxes of a sweep (split.h), as a device wants them. */
#ifndef SCREE_SWEEP_DEVICE_COPIES_H
#define SCREE_SWEEP_DEVICE_COPIES_H

#include "problem/problem.h"
#include "sweep/order.h"

#include <scree/scree.h>

/* Whether it can add up their changes. */
bool scr_device_takes_copies(const Order *order);

/* How many there are, once in each group where they are split. */
size_t scr_device_splits(const Order *order);

/* Lists them and their copies. */
void scr_device_list_copies(const Problem *problem, const Order *order, ScreeDeviceTask *task);

#endif

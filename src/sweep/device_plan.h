/* In which steps a device sweeps the boxes of an order. The rows of a box are visited one after another,
 * so that each meets the velocities that the earlier ones have left. But it meets those of its own two
 * bodies only: rows that wait for nobody may be updated together, with the same bits. A step has the
 * rows whose predecessors are all in earlier steps. Boxes of hundreds of rows, up to a hundred packets,
 * come down to some fifteen steps. */
#ifndef SCREE_SWEEP_DEVICE_PLAN_H
#define SCREE_SWEEP_DEVICE_PLAN_H

#include "base/threads.h"
#include "problem/problem.h"
#include "sweep/order.h"

#include <scree/scree.h>

/* Where a row is. */
typedef struct PlannedRow {
    uint16_t a, b;  /* its bodies among the members of the box */
    uint16_t place; /* of the row in the box, in the order of the steps */
    uint16_t step;  /* of the box */
} PlannedRow;

/* Zero-initialise it. */
typedef struct DevicePlan {
    PlannedRow *row; /* [rows] in the order of the rows */
    uint64_t *noted; /* [bodies] while it is made */
    Block row_block, noted_block;
} DevicePlan;

/* Room for the plan of a problem, in which nothing is noted; false when out of memory. */
bool scr_device_plan_begin(DevicePlan *plan, const Problem *problem, Threads *threads);

/* Plans a box, at the same time as others of its group: its rows, and into the task the box, its members
 * and the ends of its steps. False where it is too large. */
bool scr_device_plan_box(const DevicePlan *plan, const Problem *problem, const Order *order,
                         size_t box, ScreeDeviceTask *task);

void scr_device_plan_free(DevicePlan *plan);

static inline size_t scr_first_row(const Order *order, size_t box) {
    return box > 0 ? (size_t)order->row_end[box - 1] : 0;
}

static inline size_t scr_first_run(const Order *order, size_t box) {
    return box > 0 ? (size_t)order->box_end[box - 1] : 0;
}

#endif

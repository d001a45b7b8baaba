/* Rows and bodies of a problem on a device that sweeps them (scree/device.h), in the order and with the
 * bits of the processor's own sweep. They stay there from sweep to sweep, and come back when somebody
 * else has to look at them. */
#ifndef SCREE_SWEEP_DEVICE_ROWS_H
#define SCREE_SWEEP_DEVICE_ROWS_H

#include "base/threads.h"
#include "problem/problem.h"
#include "sweep/device_plan.h"
#include "sweep/order.h"
#include "sweep/row_momentum.h"

/* Zero-initialise it. */
typedef struct DeviceRows {
    const ScreeDevice *device;
    ScreeDeviceTask task;
    Problem *problem; /* as it is here */
    const Order *order;
    Threads *threads;
    DevicePlan plan;
    bool ahead; /* it has what is not yet here */
    bool stale; /* it lacks what has changed here */
    /* Rows and bodies are nowhere but there: what takes a look at them here is given up. */
    bool alone, given_up;
    int64_t rough; /* rows with friction, of these */
} DeviceRows;

/* Whether a device can sweep this problem, as far as that is seen at once: rows between round bodies in
 * boxes. */
bool scr_device_takes(const Problem *problem, const Order *order);

/* Begins with a problem, whose rows must be records: plans it, and puts it on the device. False when the
 * device has failed, or where it cannot sweep the problem after all: boxes are too large, or velocities
 * are -0. */
bool scr_device_begin(DeviceRows *rows, const ScreeDevice *device, Problem *problem,
                      const Order *order, Threads *threads);

/* The same where the device has made rows, bodies and boxes itself: first the room for them, then the beginning, when
 * they are there. */
bool scr_device_reserve(DeviceRows *rows, const ScreeDevice *device, Problem *problem,
                        const Order *order, bool alone, Threads *threads);
bool scr_device_begin_alone(DeviceRows *rows);

/* Rows and bodies from here to the device, and back; nothing where the other side has them already. */
void scr_device_put(DeviceRows *rows);
void scr_device_get(DeviceRows *rows);

/* One sweep. Returns sum |dR|^2; with momentum `square` gets the sum of |R - R before|^2. Of a silent sweep
 * both are 0. */
double scr_device_sweep(DeviceRows *rows, const RowMomentum *momentum, bool silent, double *square);

/* Judges the rows that the device has: the sums of each box go into part_sum of the problem. False where
 * it cannot, or the rows here are later ones. */
bool scr_device_judge(DeviceRows *rows);

/* Extrapolates the velocities of the bodies, as scr_momentum_extrapolate does. */
void scr_device_lift(DeviceRows *rows, double beta);

/* Keeps impulses and velocities there, or returns to those kept last. */
void scr_device_keep(DeviceRows *rows);
void scr_device_recall(DeviceRows *rows);

void scr_device_rows_free(DeviceRows *rows);

/* Once a device has failed, nothing of it is to be trusted any more; or what it has is not wanted any more. */
static inline bool scr_device_failed(const DeviceRows *rows) {
    return rows != NULL && (rows->given_up || rows->device->fault(rows->device->context) != NULL);
}

/* Whether rows can be looked at here. */
static inline bool scr_has_rows_here(const DeviceRows *rows) {
    return rows == NULL || !rows->alone;
}

#endif

/* Which kernel sweeps the rows of a task. */
#ifndef SCREE_CUDA_SWEEP_LAUNCH_H
#define SCREE_CUDA_SWEEP_LAUNCH_H

#include "card.h"
#include "copy_kernel.h"
#include "judge_kernel.h"
#include "sweep_kernel.h"

/* Boxes of a kind: those with room in shared memory, or the others. */
#define LAUNCH_SWEEP(fault, kernel, large, boxes, given)                                           \
    do {                                                                                           \
        if ((given).chosen == NULL) {                                                              \
            CARD_LAUNCH(fault, kernel, boxes, (given).part.whole, given);                          \
        } else {                                                                                   \
            CARD_LAUNCH(fault, large, boxes, 0, given);                                            \
        }                                                                                          \
    } while (0)

static const char *launch(const ScreeDeviceTask *t, const ScreeDeviceSweep *how,
                          SweepArguments given, int boxes) {
    const bool space = t->dimension == 3, creeps = how->momentum && how->creep > 0;
    const char *fault = NULL;
    if (boxes == 0) {
        return NULL;
    }
    if (t->laws == SCREE_DEVICE_ROLLING && space) {
        LAUNCH_SWEEP(fault, sweep_space_rolling, sweep_large_space_rolling, boxes, given);
    } else if (t->laws == SCREE_DEVICE_ROLLING) {
        LAUNCH_SWEEP(fault, sweep_plane_rolling, sweep_large_plane_rolling, boxes, given);
    } else if (t->laws != SCREE_DEVICE_COULOMB && space) {
        LAUNCH_SWEEP(fault, sweep_space_springs, sweep_large_space_springs, boxes, given);
    } else if (t->laws != SCREE_DEVICE_COULOMB) {
        LAUNCH_SWEEP(fault, sweep_plane_springs, sweep_large_plane_springs, boxes, given);
    } else if (creeps && space) {
        LAUNCH_SWEEP(fault, sweep_space_creep, sweep_large_space_creep, boxes, given);
    } else if (creeps) {
        LAUNCH_SWEEP(fault, sweep_plane_creep, sweep_large_plane_creep, boxes, given);
    } else if (how->momentum && space) {
        LAUNCH_SWEEP(fault, sweep_space_momentum, sweep_large_space_momentum, boxes, given);
    } else if (how->momentum) {
        LAUNCH_SWEEP(fault, sweep_plane_momentum, sweep_large_plane_momentum, boxes, given);
    } else if (space) {
        LAUNCH_SWEEP(fault, sweep_space, sweep_large_space, boxes, given);
    } else {
        LAUNCH_SWEEP(fault, sweep_plane, sweep_large_plane, boxes, given);
    }
    return fault;
}

static const char *launch_copies(CopyArguments given, int32_t splits, bool gather) {
    const char *fault;
    if (gather) {
        CARD_LAUNCH(fault, gather_copies, splits, VELOCITIES * SCREE_DEVICE_SUM_WORDS, given);
    } else {
        CARD_LAUNCH(fault, share_copies, splits, 0, given);
    }
    return fault;
}

/* Kernels with shared memory. */
static const char *permit_room(int numbers) {
    enum { KERNELS = 12 };
    const char *fault[KERNELS];
    CARD_PERMIT(fault[0], sweep_space, numbers);
    CARD_PERMIT(fault[1], sweep_space_momentum, numbers);
    CARD_PERMIT(fault[2], sweep_space_creep, numbers);
    CARD_PERMIT(fault[3], sweep_plane, numbers);
    CARD_PERMIT(fault[4], sweep_plane_momentum, numbers);
    CARD_PERMIT(fault[5], sweep_plane_creep, numbers);
    CARD_PERMIT(fault[6], sweep_space_springs, numbers);
    CARD_PERMIT(fault[7], sweep_plane_springs, numbers);
    CARD_PERMIT(fault[8], sweep_space_rolling, numbers);
    CARD_PERMIT(fault[9], sweep_plane_rolling, numbers);
    CARD_PERMIT(fault[10], judge_boxes, numbers);
    CARD_PERMIT(fault[11], judge_boxes_with_laws, numbers);
    for (int k = 0; k < KERNELS; k++) {
        if (fault[k] != NULL) {
            return fault[k];
        }
    }
    return NULL;
}

#endif

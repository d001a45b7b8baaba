/* What of a world is on a device that makes whole steps (device_step.h): the phases of a step there, in the places where the
 * processor has passes of its own, and the way back. */
#ifndef SCREE_DYNAMICS_THERE_H
#define SCREE_DYNAMICS_THERE_H

#include "dynamics/device_steps.h"
#include "sweep/device_rows.h"

/* Zero-initialise it. */
typedef struct DeviceStep {
    const ScreeDevice *device; /* that has bodies and contacts; NULL: none */
    bool lost;                 /* it failed before they came back */
    bool given_up;             /* this step is one for the processor, and nothing has moved */
    bool outrun;               /* because the list must be made anew */
    bool cold;                 /* no row has an impulse */
    size_t contacts;           /* of the last step */
    int failures;              /* steps in a row that were given up after they had been begun */
    uint64_t again;            /* the step in which it is tried again */
    uint64_t steps;            /* that were made there */
    double kept_work;          /* of drives */
    StepThere *step;
    StepFound *found;
    DeviceRows *rows;
    Block step_block, found_block, size_block;
} DeviceStep;

/* Makes a phase of the step; false when the device has failed, or has too little memory. */
bool scr_phase_there(const StepTask *task, StepPhase phase);

/* One of the sums that it has left. */
double scr_sum_there(const DeviceStep *there, int which);

/* Walls as they are now. */
static inline void scr_note_walls_there(const State *s, StepThere *step) {
    for (size_t k = 0; k < s->walls.count; k++) {
        step->wall[k] = s->walls.item[k];
    }
}

static inline bool scr_failed_there(const DeviceStep *there) {
    const ScreeDevice *device = there->device;
    return device != NULL && device->fault(device->context) != NULL;
}

/* Brings the state up to date, if a device has it; the next step takes it there anew. */
ScreeStatus scr_fetch_there(DeviceStep *there, State *state);

void scr_device_step_free(DeviceStep *there);

/* ---- phases of a step on the device, in the places where the processor has passes of its own */

/* Velocities anew, from the impulses. */
void scr_refresh_there(StepTask *task);

/* What the rows hold after the sweeps, into the contacts; the loads of walls. */
void scr_collect_there(const StepTask *task, State *state, ScreeReport *report);
void scr_load_there(const StepTask *task, State *state);
double scr_drives_there(const StepTask *task);

/* How bodies and walls have been moved: the sums over bodies, and the fastest of them. */
MotionSums scr_move_there(const StepTask *task);

/* The overlaps, and what contacts take in (normal, friction) if `taken` is not NULL. Returns the most that was added to
 * an overlap. */
double scr_overlaps_there(const StepTask *task, const State *state, RoundTaken *taken,
                          ScreeReport *report);

/* The sums over rows that explain energy from contacts. */
typedef struct PowerThere {
    double asked, impulse, approach;
} PowerThere;
PowerThere scr_power_there(const StepTask *task);

double scr_project_there(const StepTask *task);
double scr_cluster_there(const StepTask *task);

/* Like scr_missed_contact. */
bool scr_missed_there(const StepTask *task, const NearList *list, bool *finite);

#endif

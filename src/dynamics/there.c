#include "dynamics/there.h"

#include "math/reduce.h"

_Static_assert((int)THERE_WORDS == (int)EXACT_WORDS + 3, "a sum and what is no number");

bool scr_phase_there(const StepTask *t, StepPhase phase) {
    DeviceStep *there = t->there;
    const ScreeDevice *device = there->device;
    return device->steps->run(device->context, there->step, phase, there->found);
}

double scr_sum_there(const DeviceStep *there, int which) {
    ExactSum sum;
    scr_sum_from_words(there->found->sum[which], &sum);
    return scr_exact_total(&sum);
}

ScreeStatus scr_fetch_there(DeviceStep *there, State *s) {
    const ScreeDevice *device = there->device;
    if (there->lost) {
        return SCREE_DEVICE_FAILED;
    }
    if (device == NULL) {
        return SCREE_OK;
    }
    s->contacts.count = there->contacts;
    there->lost = !device->steps->fetch(device->context, s, there->contacts);
    device->steps->release(device->context, there);
    there->device = NULL;
    return there->lost ? SCREE_DEVICE_FAILED : SCREE_OK;
}

void scr_device_step_free(DeviceStep *there) {
    if (there->device != NULL) {
        there->device->steps->release(there->device->context, there);
    }
    SCR_FREE_BLOCKS(&there->step_block, &there->found_block, &there->size_block);
    *there = (DeviceStep){0};
}

void scr_refresh_there(StepTask *t) {
    (void)scr_phase_there(t, STEP_REFRESH);
}

/* ---------------------------------------------------------------- after the solution */

bool scr_missed_there(const StepTask *t, const NearList *list, bool *finite) {
    const StepFound *found = t->there->found;
    bool missed = true;
    *finite = true;
    if (!scr_phase_there(t, STEP_AUDIT)) {
        return false;
    }
    const double energy = found->most[0], shift = found->most[1];
    const double bodies = (double)t->state->bodies.count;
    const bool bounded = found->count[1] == 0 && isfinite(16 * bodies * energy);
    if (bounded && found->count[0] == 0 && found->count[2] == 0) {
        missed = 2 * shift > list->slack * t->free->least_radius;
        missed = missed && scr_phase_there(t, STEP_MISSED) && found->count[0] > 0;
    }
    t->there->given_up = t->there->given_up || missed;
    return missed;
}

void scr_collect_there(const StepTask *t, State *s, ScreeReport *report) {
    DeviceStep *there = t->there;
    const StepFound *found = there->found;
    there->step->clusters = !report->converged;
    (void)scr_phase_there(t, STEP_COLLECT);
    there->contacts = there->step->contacts;
    s->contacts.count = there->contacts;
    s->contacts.time_step = t->with->time_step;
    there->kept_work = scr_sum_there(t->there, 0);
    report->contacts = (int64_t)there->contacts;
    report->active += found->count[0];
    report->sliding += found->count[1];
}

double scr_drives_there(const StepTask *t) {
    return t->there->kept_work;
}

static Vec3 load_of(const StepFound *found, size_t wall, int first) {
    double x[3];
    for (int k = 0; k < 3; k++) {
        ExactSum sum;
        scr_sum_from_words(found->load[wall][first + k], &sum);
        x[k] = scr_exact_total(&sum);
    }
    return vec3(x[0], x[1], x[2]);
}

/* With the numbers of STEP_COLLECT. */
void scr_load_there(const StepTask *t, State *s) {
    for (size_t k = 0; k < s->walls.count; k++) {
        s->walls.item[k].load = load_of(t->there->found, k, 0);
        s->walls.item[k].load_torque = load_of(t->there->found, k, 3);
    }
}

MotionSums scr_move_there(const StepTask *t) {
    const StepFound *found = t->there->found;
    (void)scr_phase_there(t, STEP_MOVE);
    return (MotionSums){.work = scr_sum_there(t->there, 0),
                        .scheme = scr_sum_there(t->there, 1),
                        .gain = scr_sum_there(t->there, 2),
                        .kinetic = scr_sum_there(t->there, 3),
                        .fastest = scr_max(0, found->most[0])};
}

double scr_overlaps_there(const StepTask *t, const State *s, RoundTaken *taken,
                          ScreeReport *report) {
    const StepFound *found = t->there->found;
    scr_note_walls_there(s, t->there->step); /* they have moved */
    (void)scr_phase_there(t, taken != NULL ? STEP_CERTIFY : STEP_OVERLAPS);
    if (taken != NULL) {
        *taken = (RoundTaken){scr_sum_there(t->there, 0), scr_sum_there(t->there, 1)};
    }
    report->overlap_max = scr_max(0, found->most[0]);
    report->overlap_mean =
        report->active > 0 ? scr_sum_there(t->there, 2) / (double)report->active : 0;
    return scr_max(0, found->most[1]);
}

PowerThere scr_power_there(const StepTask *t) {
    (void)scr_phase_there(t, STEP_POWER);
    return (PowerThere){scr_sum_there(t->there, 0), scr_sum_there(t->there, 1),
                        scr_sum_there(t->there, 2)};
}

double scr_project_there(const StepTask *t) {
    (void)scr_phase_there(t, STEP_PROJECT);
    return scr_sum_there(t->there, 0);
}

double scr_cluster_there(const StepTask *t) {
    const double *most = t->there->found->most;
    (void)scr_phase_there(t, STEP_CLUSTER);
    const Vec3 low = vec3(-most[0], -most[1], -most[2]), high = vec3(most[3], most[4], most[5]);
    const Vec3 side = sub(high, low);
    return t->there->found->count[0] > 1 ? scr_max(side.x, scr_max(side.y, side.z)) : 0;
}

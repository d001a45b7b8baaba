/* Whole steps on a device have the bits of the processor's own. The device is the GPU's kernels with the processor in
 * its place (backend/cuda/lanes.h), and on a machine with a GPU the same kernels run there. */
#include "crowds.h"

#include "api/world.h"
#include "backend/device.h"

/* A crowd of round grains between planes. */
typedef struct Case {
    Crowd crowd;
    ScreeMethod method;
    ScreeCriterion criterion;
    int iterations;
    double tolerance;
    bool moving, held, theta; /* a moved wall, frozen grains, the trapezoidal rule */
} Case;

static const Case cases[] = {
    {{2, SCREE_ORDER_BOXED, false, false, false, false, false, false},
     SCREE_METHOD_AUTO,
     SCREE_CRITERION_RESIDUAL,
     60,
     1e-3,
     false,
     false,
     false},
    {{3, SCREE_ORDER_BOXED, true, false, false, false, false, false},
     SCREE_METHOD_GAUSS_SEIDEL,
     SCREE_CRITERION_FIXED,
     12,
     1e-3,
     true,
     true,
     false},
    {{3, SCREE_ORDER_BOXED, false, false, false, false, false, false},
     SCREE_METHOD_ACCELERATED,
     SCREE_CRITERION_RESIDUAL,
     90,
     1e-4,
     false,
     true,
     true},
    {{2, SCREE_ORDER_BOXED, true, false, false, false, false, false},
     SCREE_METHOD_GAUSS_SEIDEL,
     SCREE_CRITERION_RESIDUAL,
     120,
     1e-2,
     true,
     false,
     true},
};

static const ScreeDevice *open_device(void) {
    char message[SCREE_MESSAGE_SIZE] = "";
    const ScreeDevice *device = scree_device_open(message);
    if (device == NULL) {
        fprintf(stderr, "%s\n", message);
        abort();
    }
    return device;
}

static ScreeWorld *make(const Case *k) {
    ScreeWorld *world = crowd_make(&k->crowd, 1);
    ScreeSolverDef solver = scree_solver_def_default();
    solver.method = k->method;
    solver.criterion = k->criterion;
    solver.iterations = k->iterations;
    solver.tolerance = k->tolerance;
    rig_must(scree_world_set_solver(world, &solver), "solver");
    world->state.def.theta = k->theta ? 0.6 : 1;
    if (k->moving) {
        ScreeWallDef lid =
            rig_plane(rig_vec(0, k->crowd.dimension == 2 ? 29 : 8, 0), rig_vec(0, -1, 0));
        lid.motion = SCREE_WALL_MOVED;
        lid.velocity = rig_vec(1, -2, 0);
        rig_add_wall(world, &lid);
    }
    for (int32_t i = 0; k->held && i < 200; i += 7) {
        rig_must(
            scree_body_set_velocity(world, (ScreeBodyId){i}, rig_vec(0, 0, 0), rig_vec(0, 0, 0)),
            "rest");
        rig_must(scree_body_set_frozen(world, (ScreeBodyId){i}, SCREE_FREEZE_ALL), "frozen");
    }
    for (int step = 0; step < 14; step++) { /* until they meet */
        rig_step(world);
    }
    rig_must(scree_world_set_time_step(world, 2e-3),
             "time step"); /* so that a list lasts for some steps */
    return world;
}

/* Two steps with the same report. */
static bool step_both(ScreeWorld *own, ScreeWorld *other) {
    const ScreeReport a = rig_step(own), b = rig_step(other);
    CHECK(a.active > 10);
    return memcmp(&a, &b, sizeof a) == 0;
}

/* `looks`: after every step somebody looks at the state, so that it comes and goes. Returns how many steps the
 * device has made. */
static uint64_t compare(const Case *k, const ScreeDevice *device, int steps, bool looks) {
    ScreeWorld *own = make(k), *other = make(k);
    rig_must(scree_world_set_device(other, device), "device");
    for (int step = 0; step < steps; step++) {
        CHECK(step_both(own, other));
        CHECK(!looks || scree_world_hash(own) == scree_world_hash(other));
    }
    CHECK(scree_world_hash(own) == scree_world_hash(other));
    for (size_t w = 0; w < scree_world_get_wall_count(own); w++) {
        CHECK(memcmp(&own->state.walls.item[w].load, &other->state.walls.item[w].load,
                     2 * sizeof(ScreeVec3)) == 0);
    }
    const uint64_t made = other->engine.there.steps;
    scree_world_destroy(own);
    scree_world_destroy(other);
    return made;
}

static void whole_steps_have_the_bits_of_the_processor(void) {
    const ScreeDevice *device = open_device();
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k += CHECK_STRIDE == 1 ? 1 : 2) {
        CHECK(compare(&cases[k], device, 12, false) >= 4);
    }
    device->close(device->context);
}

static void the_state_comes_back_when_somebody_looks(void) {
    const ScreeDevice *device = open_device();
    CHECK(compare(&cases[0], device, 4, true) > 0);
    device->close(device->context);
}

/* What is changed from outside, between steps on the device, counts in the next one. */
static void changes_between_steps_count(void) {
    const ScreeDevice *device = open_device();
    ScreeWorld *own = make(&cases[0]), *other = make(&cases[0]), *both[2] = {own, other};
    rig_must(scree_world_set_device(other, device), "device");
    for (int step = 0; step < 8; step++) {
        for (int k = 0; k < 2; k++) {
            const ScreeBodyId body = {40 + step};
            if (step == 2) {
                rig_must(scree_world_set_gravity(both[k], rig_vec(-3, -8, 0)), "gravity");
            } else if (step == 4) {
                rig_must(scree_body_set_velocity(both[k], body, rig_vec(1, 2, 0), rig_vec(0, 0, 3)),
                         "velocity");
            } else if (step == 6) {
                rig_must(scree_body_set_force(both[k], body, rig_vec(5, 0, 0), rig_vec(0, 0, 1)),
                         "force");
            }
        }
        CHECK(step_both(own, other));
    }
    CHECK(other->engine.there.steps > 3);
    CHECK(scree_world_get_kinetic_energy(own) == scree_world_get_kinetic_energy(other));
    CHECK(scree_world_hash(own) == scree_world_hash(other));
    scree_world_destroy(own);
    scree_world_destroy(other);
    device->close(device->context);
}

/* The device has room for one world; the other one is stepped by the processor, and swept by the device. */
static void two_worlds_share_a_device(void) {
    const ScreeDevice *device = open_device();
    ScreeWorld *own = make(&cases[0]), *first = make(&cases[0]), *second = make(&cases[0]);
    rig_must(scree_world_set_device(first, device), "device");
    rig_must(scree_world_set_device(second, device), "device");
    for (int step = 0; step < 4; step++) {
        CHECK(step_both(own, first));
        rig_step(second);
    }
    CHECK(scree_world_hash(own) == scree_world_hash(first));
    CHECK(scree_world_hash(own) == scree_world_hash(second));
    CHECK(first->engine.there.steps > 0);
    scree_world_destroy(own);
    scree_world_destroy(first);
    scree_world_destroy(second);
    device->close(device->context);
}

/* Passes phases on to a device, but for one. */
typedef struct Spoiler {
    ScreeDevice table;
    struct ScreeDeviceSteps steps;
    const ScreeDevice *device;
    StepPhase phase;   /* that is not made */
    const char *fault; /* why; NULL: for want of memory */
    bool failed;
} Spoiler;

static bool spoil_claim(void *context, const void *owner) {
    const ScreeDevice *d = ((Spoiler *)context)->device;
    return d->steps->claim(d->context, owner);
}
static void spoil_release(void *context, const void *owner) {
    const ScreeDevice *d = ((Spoiler *)context)->device;
    d->steps->release(d->context, owner);
}
static bool spoil_load(void *context, const State *state, const StepThere *step) {
    const ScreeDevice *d = ((Spoiler *)context)->device;
    return d->steps->load(d->context, state, step);
}
static bool spoil_run(void *context, StepThere *step, StepPhase phase, StepFound *found) {
    Spoiler *s = context;
    s->failed = s->failed || phase == s->phase;
    return !s->failed && s->device->steps->run(s->device->context, step, phase, found);
}
static void spoil_accept(void *context) {
    const ScreeDevice *d = ((Spoiler *)context)->device;
    d->steps->accept(d->context);
}
static bool spoil_fetch(void *context, State *state, size_t contacts) {
    const ScreeDevice *d = ((Spoiler *)context)->device;
    return d->steps->fetch(d->context, state, contacts);
}
static bool spoil_reserve(void *context, ScreeDeviceTask *task) {
    const ScreeDevice *d = ((Spoiler *)context)->device;
    return d->reserve(d->context, task);
}
static bool spoil_begin(void *context, const ScreeDeviceTask *task) {
    const ScreeDevice *d = ((Spoiler *)context)->device;
    return d->begin(d->context, task);
}
static bool spoil_sweep(void *context, const ScreeDeviceTask *task, const ScreeDeviceSweep *how) {
    const ScreeDevice *d = ((Spoiler *)context)->device;
    return d->sweep(d->context, task, how);
}
static bool spoil_judge(void *context, const ScreeDeviceTask *task) {
    const ScreeDevice *d = ((Spoiler *)context)->device;
    return d->judge(d->context, task);
}
static bool spoil_lift(void *context, const ScreeDeviceTask *task, double beta) {
    const ScreeDevice *d = ((Spoiler *)context)->device;
    return d->lift(d->context, task, beta);
}
static const char *spoil_fault(void *context) {
    const Spoiler *s = context;
    return s->failed ? s->fault : NULL;
}

/* The functions that rows on the processor would need are those of the device, which never gets to see them. */
static void spoil(Spoiler *s, const ScreeDevice *device, StepPhase phase, const char *fault) {
    *s = (Spoiler){.table = *device, .device = device, .phase = phase, .fault = fault};
    s->steps = (struct ScreeDeviceSteps){spoil_claim, spoil_release, spoil_load,
                                         spoil_run,   spoil_accept,  spoil_fetch};
    s->table.context = s;
    s->table.steps = &s->steps;
    s->table.reserve = spoil_reserve;
    s->table.begin = spoil_begin;
    s->table.sweep = spoil_sweep;
    s->table.judge = spoil_judge;
    s->table.lift = spoil_lift;
    s->table.fault = spoil_fault;
}

/* Before anything has moved a device may fail: the world comes back as it was. */
static void a_device_that_fails_gives_the_world_back(void) {
    const ScreeDevice *device = open_device();
    ScreeWorld *own = make(&cases[0]), *other = make(&cases[0]);
    Spoiler spoiler;
    ScreeReport report;
    spoil(&spoiler, device, (StepPhase)100, "it was pulled out");
    rig_must(scree_world_set_device(other, &spoiler.table), "device");
    CHECK(step_both(own, other) && step_both(own, other));
    CHECK(other->engine.there.steps == 2);
    spoiler.phase = STEP_ROWS;
    CHECK(scree_world_step(other, &report) == SCREE_DEVICE_FAILED);
    CHECK(strstr(scree_world_get_message(other), "it was pulled out") != NULL);
    rig_must(scree_world_set_device(other, NULL), "no device");
    CHECK(step_both(own, other));
    CHECK(scree_world_hash(own) == scree_world_hash(other));
    scree_world_destroy(own);
    scree_world_destroy(other);
    device->close(device->context);
}

/* While bodies move they are lost with it, and no function says otherwise. */
static void a_world_is_lost_with_its_device(void) {
    const ScreeDevice *device = open_device();
    ScreeWorld *world = make(&cases[0]);
    Spoiler spoiler;
    ScreeReport report;
    size_t size = 0;
    spoil(&spoiler, device, STEP_CERTIFY, "it was pulled out");
    rig_must(scree_world_set_device(world, &spoiler.table), "device");
    CHECK(scree_world_step(world, &report) == SCREE_DEVICE_FAILED);
    CHECK(strstr(scree_world_get_message(world), "lost") != NULL);
    CHECK(scree_world_set_device(world, NULL) == SCREE_DEVICE_FAILED);
    CHECK(scree_world_save(world, NULL, &size) == SCREE_DEVICE_FAILED);
    CHECK(scree_world_step(world, &report) == SCREE_DEVICE_FAILED);
    scree_world_destroy(world);
    device->close(device->context);
}

int main(int argc, char **argv) {
    CHECK_RUN(whole_steps_have_the_bits_of_the_processor);
    CHECK_RUN(the_state_comes_back_when_somebody_looks);
    CHECK_RUN(changes_between_steps_count);
    CHECK_RUN(two_worlds_share_a_device);
    CHECK_RUN(a_device_that_fails_gives_the_world_back);
    CHECK_RUN(a_world_is_lost_with_its_device);
    return check_result();
}

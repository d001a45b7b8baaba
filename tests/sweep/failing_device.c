/* A card that is taken away: the emulated device, until it has swept twenty times. Tests put it in the
 * place of the library that drives GPUs. */
#define scree_device_open open_emulated
#include "backend/cuda/device.c" // NOLINT(bugprone-suspicious-include)
#undef scree_device_open

enum { LASTS = 20 };

typedef struct Failing {
    ScreeDevice table;
    const ScreeDevice *device;
    int sweeps;
} Failing;

static bool failing_sweep(void *context, const ScreeDeviceTask *t, const ScreeDeviceSweep *how) {
    Failing *f = context;
    return f->sweeps++ < LASTS && f->device->sweep(f->device->context, t, how);
}
static bool failing_reserve(void *context, ScreeDeviceTask *t) {
    Failing *f = context;
    return f->device->reserve(f->device->context, t);
}
static bool failing_put_bodies(void *context, const ScreeDeviceTask *t) {
    Failing *f = context;
    return f->device->put_bodies(f->device->context, t);
}
static bool failing_put_rows(void *context, const ScreeDeviceTask *t, size_t first, size_t end,
                             bool fresh) {
    Failing *f = context;
    return f->device->put_rows(f->device->context, t, first, end, fresh);
}
static bool failing_begin(void *context, const ScreeDeviceTask *t) {
    Failing *f = context;
    return f->device->begin(f->device->context, t);
}
static bool failing_judge(void *context, const ScreeDeviceTask *t) {
    Failing *f = context;
    return f->sweeps <= LASTS && f->device->judge(f->device->context, t);
}
static bool failing_lift(void *context, const ScreeDeviceTask *t, double beta) {
    Failing *f = context;
    return f->device->lift(f->device->context, t, beta);
}
static bool failing_keep(void *context, const ScreeDeviceTask *t) {
    Failing *f = context;
    return f->device->keep(f->device->context, t);
}
static bool failing_recall(void *context, const ScreeDeviceTask *t) {
    Failing *f = context;
    return f->device->recall(f->device->context, t);
}
static bool failing_get_bodies(void *context, const ScreeDeviceTask *t) {
    Failing *f = context;
    return f->sweeps <= LASTS && f->device->get_bodies(f->device->context, t);
}
static bool failing_get_impulses(void *context, const ScreeDeviceTask *t) {
    Failing *f = context;
    return f->sweeps <= LASTS && f->device->get_impulses(f->device->context, t);
}
static const char *failing_name(void *context) {
    (void)context;
    return "a card that fails";
}
static const char *failing_fault(void *context) {
    const Failing *f = context;
    return f->sweeps > LASTS ? "it was pulled out" : NULL;
}
static void failing_close(void *context) {
    Failing *f = context;
    f->device->close(f->device->context);
    free(f);
}

__attribute__((visibility("default"))) const ScreeDevice *scree_device_open(char *message);

const ScreeDevice *scree_device_open(char *message) {
    Failing *f = calloc(1, sizeof *f);
    if (f == NULL) {
        return NULL;
    }
    *f = (Failing){
        .table = {f, failing_reserve, failing_put_bodies, failing_put_rows, failing_begin,
                  failing_sweep, failing_judge, failing_lift, failing_keep, failing_recall,
                  failing_get_bodies, failing_get_impulses, failing_name, failing_fault,
                  failing_close, NULL},
        .device = open_emulated(message),
    };
    return &f->table;
}

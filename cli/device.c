#include "cli/device.h"

#include "cli/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const char cuda[] = "libscree_cuda.so", emulated[] = "libscree_emulated.so";

bool cli_gpu_possible(void) {
    return cli_library_exists(cuda);
}

ScreeDeviceChoice cli_device_chosen(const char *option, ScreeDeviceChoice of_scene) {
    static const char *const names[SCREE_DEVICE_CHOICE_COUNT] = {
        [SCREE_DEVICE_CPU] = "cpu",
        [SCREE_DEVICE_GPU] = "gpu",
        [SCREE_DEVICE_AUTO] = "auto",
        [SCREE_DEVICE_EMULATED] = "emulated",
    };
    for (int i = 0; option != NULL && i < SCREE_DEVICE_CHOICE_COUNT; i++) {
        if (strcmp(option, names[i]) == 0) {
            return (ScreeDeviceChoice)i;
        }
    }
    return of_scene;
}

const ScreeDevice *cli_device_open(ScreeDeviceChoice choice, char *message) {
    const char *wanted = choice == SCREE_DEVICE_EMULATED ? emulated : cuda;
    void *library = cli_library_load(wanted, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        snprintf(message, SCREE_MESSAGE_SIZE,
                 "%s, which drives it, cannot be loaded: 'make cuda' builds it where nvcc is, see "
                 "docs/gpu.md",
                 wanted);
        return NULL;
    }
    ScreeDeviceOpen open = NULL;
    void *symbol = dlsym(library, SCREE_DEVICE_OPEN);
    memcpy(&open, &symbol, sizeof open);
    snprintf(message, SCREE_MESSAGE_SIZE, "%s is not a library of Scree", wanted);
    return open != NULL ? open(message) : NULL;
}

void cli_device_close(const ScreeDevice *device) {
    if (device != NULL) {
        device->close(device->context);
    }
}

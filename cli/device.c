#include "cli/device.h"

#include "cli/library.h"
#include "cli/message.h"

#include <dlfcn.h>
#include <string.h>

static const char cuda[] = "libscree_cuda.so", emulated[] = "libscree_emulated.so";

bool cli_gpu_possible(void) {
    return cli_library_exists(cuda);
}

int cli_device_open(const char *name, const ScreeDevice **device) {
    char message[SCREE_MESSAGE_SIZE] = "";
    *device = NULL;
    if (name == NULL || strcmp(name, "cpu") == 0) {
        return CLI_DONE;
    }
    const char *wanted = strcmp(name, "gpu") == 0 ? cuda : emulated;
    void *library = cli_library_load(wanted, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        cli_error("--device %s: %s, which drives it, cannot be loaded: 'make cuda' builds it where "
                  "nvcc is, see docs/gpu.md; or run without --device, with the same result",
                  name, wanted);
        return CLI_FAILED;
    }
    ScreeDeviceOpen open = NULL;
    void *symbol = dlsym(library, SCREE_DEVICE_OPEN);
    memcpy(&open, &symbol, sizeof open);
    *device = open != NULL ? open(message) : NULL;
    if (*device == NULL) {
        cli_error("--device %s: there is none to be used (%s); run without --device, with the same "
                  "result",
                  name, message[0] != '\0' ? message : "the library is not one of Scree");
        return CLI_FAILED;
    }
    return CLI_DONE;
}

void cli_device_close(const ScreeDevice *device) {
    if (device != NULL) {
        device->close(device->context);
    }
}

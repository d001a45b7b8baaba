/* A device that sweeps, as --device asks for it. */
#ifndef SCREE_CLI_DEVICE_H
#define SCREE_CLI_DEVICE_H

#include "backend/device.h"

#include <stdbool.h>

/* Whether there is a library that drives GPUs. */
bool cli_gpu_possible(void);

/* Opens the device of this name, "gpu" or "emulated"; with NULL and "cpu" there is none. Returns an exit
 * status, having said what was wrong. */
int cli_device_open(const char *name, const ScreeDevice **device);

void cli_device_close(const ScreeDevice *device);

#endif

/* A device that sweeps, as --device or the scene asks for it. */
#ifndef SCREE_CLI_DEVICE_H
#define SCREE_CLI_DEVICE_H

#include "backend/device.h"

#include <stdbool.h>

/* Whether there is a library that drives GPUs. */
bool cli_gpu_possible(void);

/* What the option says ("cpu", "gpu", "auto" or "emulated"), or, where it is NULL, the scene. */
ScreeDeviceChoice cli_device_chosen(const char *option, ScreeDeviceChoice of_scene);

/* Opens a device: a GPU, or what stands for it. NULL when there is none, and why in the message
 * (SCREE_MESSAGE_SIZE bytes). */
const ScreeDevice *cli_device_open(ScreeDeviceChoice choice, char *message);

void cli_device_close(const ScreeDevice *device);

#endif

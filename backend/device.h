/* What a library that drives a device offers to the program, which loads it only when it is asked for. */
#ifndef SCREE_BACKEND_DEVICE_H
#define SCREE_BACKEND_DEVICE_H

#include <scree/scree.h>

/* The one function of the library: NULL when there is no device, and why in the message
 * (SCREE_MESSAGE_SIZE bytes). What it returns is given back by its own `close`. */
#define SCREE_DEVICE_OPEN "scree_device_open"
typedef const ScreeDevice *(*ScreeDeviceOpen)(char *message);

#ifdef __cplusplus
extern "C"
#endif
    __attribute__((visibility("default"))) const ScreeDevice *
    scree_device_open(char *message);

#endif

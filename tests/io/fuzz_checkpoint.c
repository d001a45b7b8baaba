/* libFuzzer target: any bytes as a checkpoint, as they are and with a corrected check sum at the
 * end, since nothing would get past it otherwise. A small world that it holds makes a step. */
#include "io/run/checkpoint.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    IoError error = {0};
    Checkpoint checkpoint;
    checkpoint_decode(data, size, "input", &checkpoint, &error);
    checkpoint_free(&checkpoint);
    uint8_t *bytes = size < 4 ? NULL : malloc(size);
    if (bytes == NULL) {
        return 0;
    }
    memcpy(bytes, data, size);
    uint32_t sum = (uint32_t)crc32_z(crc32_z(0, NULL, 0), bytes, size - 4);
    for (size_t i = 0; i < 4; i++) {
        bytes[size - 4 + i] = (uint8_t)(sum >> (8 * i));
    }
    if (checkpoint_decode(bytes, size, "input", &checkpoint, &error)) {
        ScreeWorld *world = NULL;
        char message[SCREE_MESSAGE_SIZE];
        if (scree_world_load(checkpoint.world, checkpoint.world_size, &world, message) ==
            SCREE_OK) {
            if (scree_world_get_bodies(world).count <= 12) {
                (void)scree_world_step(world, NULL); /* it may fail, in good order */
            }
            scree_world_destroy(world);
        }
    }
    checkpoint_free(&checkpoint);
    free(bytes);
    return 0;
}

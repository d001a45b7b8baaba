/* Any bytes as a scene: an error or a world, never a crash. What follows a byte 0x01 is an
 * override. */
#include "scene/fuzz_try.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *mark = size ? memchr(data, 1, size) : NULL;
    size_t text = mark ? (size_t)(mark - data) : size;
    char *override = NULL;
    if (mark) {
        size_t length = size - text - 1;
        override = calloc(1, length + 1);
        if (!override) {
            return 0;
        }
        memcpy(override, mark + 1, length);
    }
    const char *const overrides[] = {override};
    fuzz_try((const char *)data, text, overrides, mark ? 1 : 0);
    free(override);
    return 0;
}

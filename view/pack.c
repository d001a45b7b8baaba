#include "view/pack.h"

#include "io/base64.h"

#include <zlib.h>

static void add_base64(const unsigned char *data, size_t size, ViewBytes *into) {
    char *at = view_bytes_extend(into, (size + 2) / 3 * 4);
    for (size_t i = 0; at != NULL && i < size; i += 3, at += 4) {
        io_base64(data + i, size - i, at);
    }
}

void view_pack(const ViewBytes *from, ViewBytes *into) {
    ViewBytes packed = {0};
    uLongf size = compressBound((uLong)from->size);
    unsigned char *place = view_bytes_extend(&packed, size);
    if (from->failed || place == NULL ||
        compress2(place, &size, from->data, (uLong)from->size, 6) != Z_OK) {
        into->failed = true;
    } else {
        add_base64(place, size, into);
    }
    view_bytes_free(&packed);
}

#include "view/pack.h"

#include <zlib.h>

/* Encodes three bytes as four letters; when one or two remain, '=' fills up. */
static void add_base64(const unsigned char *data, size_t size, ViewBytes *into) {
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *at = view_bytes_extend(into, (size + 2) / 3 * 4);
    for (size_t i = 0; at != NULL && i < size; i += 3, at += 4) {
        size_t left = size - i;
        unsigned long three = (unsigned long)data[i] << 16;
        three |= left > 1 ? (unsigned long)data[i + 1] << 8 : 0;
        three |= left > 2 ? (unsigned long)data[i + 2] : 0;
        at[0] = letters[three >> 18 & 63];
        at[1] = letters[three >> 12 & 63];
        at[2] = '=';
        at[3] = '=';
        if (left > 1) {
            at[2] = letters[three >> 6 & 63];
        }
        if (left > 2) {
            at[3] = letters[three & 63];
        }
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

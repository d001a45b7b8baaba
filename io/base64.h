/* Bytes as text, in base64. */
#ifndef SCREE_IO_BASE64_H
#define SCREE_IO_BASE64_H

#include <stddef.h>

/* Three bytes, or the `left` ones that remain, as four letters; '=' fills up. */
static inline void io_base64(const unsigned char *bytes, size_t left, char text[4]) {
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned long group = (unsigned long)bytes[0] << 16;
    group |= left > 1 ? (unsigned long)bytes[1] << 8 : 0;
    group |= left > 2 ? (unsigned long)bytes[2] : 0;
    text[0] = letters[group >> 18];
    text[1] = letters[group >> 12 & 63];
    text[2] = left > 1 ? letters[group >> 6 & 63] : '=';
    text[3] = left > 2 ? letters[group & 63] : '=';
}

#endif

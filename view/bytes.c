#include "view/bytes.h"

#include "base/printable.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void view_bytes_free(ViewBytes *bytes) {
    free(bytes->data);
    *bytes = (ViewBytes){0};
}

void *view_bytes_extend(ViewBytes *bytes, size_t size) {
    size_t needed = bytes->size + size;
    if (bytes->failed || needed < size) {
        bytes->failed = true;
        return NULL;
    }
    if (needed > bytes->capacity || bytes->data == NULL) {
        size_t capacity = needed + needed / 2 + 64;
        unsigned char *larger = realloc(bytes->data, capacity);
        if (larger == NULL) {
            bytes->failed = true;
            return NULL;
        }
        bytes->data = larger;
        bytes->capacity = capacity;
    }
    void *added = bytes->data + bytes->size;
    bytes->size = needed;
    return added;
}

void view_bytes_add(ViewBytes *bytes, const void *data, size_t size) {
    void *added = view_bytes_extend(bytes, size);
    if (added != NULL && size > 0) {
        memcpy(added, data, size);
    }
}

void view_print(ViewBytes *bytes, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof text) {
        bytes->failed = true;
        return;
    }
    view_bytes_add(bytes, text, (size_t)length);
}

void view_print_string(ViewBytes *bytes, const char *text, size_t length) {
    view_bytes_add(bytes, "\"", 1);
    char letter[SCR_JSON_MOST];
    for (size_t i = 0; i < length;) {
        i += scr_json_character(text + i, letter);
        view_bytes_add(bytes, letter, strlen(letter));
    }
    view_bytes_add(bytes, "\"", 1);
}

void view_print_number(ViewBytes *bytes, double value) {
    if (isfinite(value)) {
        view_print(bytes, "%.17g", value);
    } else {
        view_print(bytes, "null");
    }
}

void view_print_numbers(ViewBytes *bytes, const double *values, size_t count) {
    view_print(bytes, "[");
    for (size_t i = 0; i < count; i++) {
        view_bytes_add(bytes, ",", i > 0);
        view_print_number(bytes, values[i]);
    }
    view_print(bytes, "]");
}

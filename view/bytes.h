/* A growing array of bytes, and text in it. After a failed allocation nothing more is added, and
 * `failed` stays set, so that it need be checked only once. */
#ifndef SCREE_VIEW_BYTES_H
#define SCREE_VIEW_BYTES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ViewBytes {
    unsigned char *data;
    size_t size, capacity;
    bool failed;
} ViewBytes;

void view_bytes_free(ViewBytes *bytes);

/* Appends `size` bytes, whose values are left unset; NULL when out of memory. */
void *view_bytes_extend(ViewBytes *bytes, size_t size);
void view_bytes_add(ViewBytes *bytes, const void *data, size_t size);

__attribute__((format(printf, 2, 3))) void view_print(ViewBytes *bytes, const char *format, ...);

/* A JSON string with its quotes. */
void view_print_string(ViewBytes *bytes, const char *text, size_t length);

/* A JSON number with all its digits; null when it is not finite. */
void view_print_number(ViewBytes *bytes, double value);

/* A JSON list of numbers. */
void view_print_numbers(ViewBytes *bytes, const double *values, size_t count);

#endif

/* A stream of bytes that is written or read field by field, for snapshots. Without a buffer,
 * writing only counts. Every byte written also goes into a running hash, so hashing needs no buffer
 * either. */
#ifndef SCREE_BASE_BYTES_H
#define SCREE_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ByteWriter {
    unsigned char *data; /* NULL: only count and hash */
    size_t capacity;
    size_t size; /* bytes written so far, or that would have been */
    uint64_t hash;
} ByteWriter;

typedef struct ByteReader {
    const unsigned char *data;
    size_t size;
    size_t at;
    bool failed; /* a read went past the end; all later reads fail too */
} ByteReader;

void scr_put(ByteWriter *writer, const void *data, size_t size);
void scr_get(ByteReader *reader, void *data, size_t size);

/* A count, of things that take `item` bytes each at least: one that the rest cannot hold fails. */
size_t scr_get_count(ByteReader *reader, size_t item);

#endif
